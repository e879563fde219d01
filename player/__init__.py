"""The player answers one call of the host with one move. This package reads and writes files, and chooses the move."""
