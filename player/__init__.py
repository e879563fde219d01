"""The player, which answers one call of the host with one move: files, memory of the ply, clock, choice of the move."""
