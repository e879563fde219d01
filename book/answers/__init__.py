"""Answers about positions: their values, the sources of the values, and reports."""
