"""Answers: what a position is worth, who says so, and the report of it."""
