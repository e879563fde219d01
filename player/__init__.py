"""One move for one host call: files in and out, ply memory, clock, and the choice of the move."""
