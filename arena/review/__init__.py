"""Reviews: the value after each move, where a game was lost, what to play instead, and an agent's worst habits."""
