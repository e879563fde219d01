"""Play series of games between agents, such as a round robin, and make tables of the results."""
