"""Tabular Q-learning for small games of two players, such as tic-tac-toe and Little-Go."""
