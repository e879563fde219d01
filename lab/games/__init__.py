"""Findings from games: about agents, opponents and learning; and puzzles made of them."""
