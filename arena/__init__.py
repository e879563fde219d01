"""Play games: the course's host, agents, games between any two of them, and everything that judges games."""
