"""Play games: the course's host, agents to play, and games between any two of them."""
