"""Reviews of games, with the value after each move, mistakes, better moves, and the worst mistakes of an agent."""
