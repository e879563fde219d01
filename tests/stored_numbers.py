"""Files of numbers that the code determines: node counts and checksums, by name."""

import sys
from collections.abc import Mapping
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def stored_numbers(path: Path) -> dict[str, int]:
    """Return the numbers in a file, by name."""
    found: dict[str, int] = tomllib.loads(path.read_text("ascii"))
    return found


def numbers_text(about: str, numbers: Mapping[str, int]) -> str:
    """Return the content of a file of numbers. about: a phrase that describes the numbers, for the first line."""
    head = f"# {about}. `python -m tools.affected --accept` writes them after a change."
    return "\n".join([head, *(f'"{name}" = {number:_}' for name, number in numbers.items()), ""])
