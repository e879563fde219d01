"""The behaviour of a process: Ctrl-C, files, progress, options and messages."""
