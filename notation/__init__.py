"""The notation: functions that read and write moves, boards, ``input.txt``, SGF, JSON and keys."""
