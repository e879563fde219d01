"""What a contestant answers for one move."""

import os
from typing import IO, NamedTuple

#: As much of a program's last words as anyone reads.
_MOST_TAIL = 200


class Reply(NamedTuple):
    """A contestant's answer for one move.

    text: what ``output.txt`` reads, or None without an answer.
    cpu: seconds, user + system.
    killed: whether the contestant was killed for time, with or without an answer.
    absence: why there is no answer: ``missing``, ``timeout``, ``resigned`` or, from a GTP engine, ``malformed``.
    complaint: what went wrong in the contestant's own words, "" without any.
    """

    text: str | None
    cpu: float
    killed: bool = False
    absence: str = "missing"
    complaint: str = ""


def last_line(errors: IO[bytes]) -> str:
    """Return the last line that is not blank, the end of it when it is long; "" without one."""
    errors.seek(max(0, errors.seek(0, os.SEEK_END) - _MOST_TAIL))
    lines = errors.read().decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
