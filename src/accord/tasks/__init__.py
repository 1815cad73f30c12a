"""One module or folder per job."""
