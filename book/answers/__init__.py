"""Answers: what a position is worth, and who says so."""
