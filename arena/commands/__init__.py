"""The arena's commands, one module each."""
