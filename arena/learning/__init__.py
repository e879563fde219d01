"""Q-learning by table, for any small game of two players; tic-tac-toe and Little-Go are two."""
