"""The arena's commands: a module for each."""
