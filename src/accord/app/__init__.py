"""What people meet: the command line, drawings."""
