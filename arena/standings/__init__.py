"""Many games: entrants, a round robin, and its tables."""
