"""Campaigns of random attempts to break the promises of SECURITY.md: ``python -m tools.fuzz``, or ``make fuzz``."""

from collections.abc import Callable
from pathlib import Path
from random import Random

#: A function that makes an attempt in a new, empty directory, and returns a short result. The function raises an
#: exception if a promise is broken.
Attempt = Callable[[Random, Path], str]

_NUMBERS = (b"-1", b"0", b"99", b"2147483648", b"1e400", b"9" * 400, b"null", b"\x1b[31m", b"\xff\xfe", b"../../x")


def mutated(rng: Random, content: bytes) -> bytes:
    """Return the content with one to four random faults.

    A fault is a changed bit, byte or slice, or an inserted word that often breaks programs.
    """
    data = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 2, 16, 400)))
        fault = rng.randrange(7)
        if fault == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif fault == 1:
            data[at:end] = rng.randbytes(end - at)
        elif fault == 2:
            del data[at:end]
        elif fault == 3:
            data[at:at] = data[at:end]
        elif fault == 4:
            data[at:at] = rng.choice(_NUMBERS)
        elif fault == 5:
            del data[at if rng.random() < 0.2 else len(data) :]
        else:
            other = rng.randrange(len(data) + 1)
            data[at:end] = data[other : other + end - at]
    return bytes(data)


def one_line(error: Exception) -> None:
    """Raise AssertionError unless an error's text has exactly one line."""
    assert str(error)
    assert "\n" not in str(error)
