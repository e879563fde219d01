"""One game: the host, the two sides, and what goes between them."""
