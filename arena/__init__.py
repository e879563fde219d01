"""Play games: the course's host, the agents, games between two agents, and the judgement of games."""
