"""Make a game of the family, from its length and komi to a checked player, with one command."""
