"""Many games: who has entered, a round robin, and what it comes to."""
