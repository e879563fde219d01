"""Series of games: the agents that take part, a round robin, and its tables."""
