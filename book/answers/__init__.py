"""What a position is worth, and who says so."""
