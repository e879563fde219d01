"""What the arena does from the command line: a module for each command."""
