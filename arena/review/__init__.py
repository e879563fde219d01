"""What a game was worth, ply by ply: where it was lost, what to play instead, and where an agent goes wrong most."""
