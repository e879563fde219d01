"""Handle Ctrl-C, files, progress, options and messages for all commands."""
