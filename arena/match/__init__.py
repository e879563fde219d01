"""A single game: the host, the two contestants, and the processes that run their programs."""
