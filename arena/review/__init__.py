"""Reviews: the value after each move, turning points, better moves, and an agent's worst habits."""
