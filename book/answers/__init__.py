"""Answers: what a position is worth, its source, and the report of it."""
