"""The notation: moves, boards, ``input.txt``, SGF, JSON and keys, read and written."""
