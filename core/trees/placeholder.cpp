namespace accord {}
