"""Functions that read and write moves, boards, ``input.txt``, SGF, JSON, links and keys."""
