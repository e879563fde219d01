"""One game: the host, the two sides, and the processes between them."""
