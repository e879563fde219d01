"""The notation, or what people hand in and take away: moves, boards, ``input.txt``, SGF, JSON, keys."""
