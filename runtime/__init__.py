"""The behaviour of a process: Ctrl-C, whole files, progress, options and messages."""
