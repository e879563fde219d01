"""Helps that fit a screen: short names for what options take, no ranges, which errors tell, and no line about help."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

_NUMBERS = re.compile(r"(?:INTEGER|FLOAT)(?: RANGE)?")
_RANGE = re.compile(r"(?:-?[\d.]+<=?)?x(?:[<>]=?-?[\d.]+)?(?=\])")


class HelpFormatter(click.HelpFormatter):
    """Write helps as click does, but shorter."""

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Write a heading, without a blank line above, and indent what comes below it."""
        self.write_heading(name)
        self.indent()
        yield
        self.dedent()

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write names beside what they mean."""
        short = [(_NUMBERS.sub("N", name), without_range(meaning)) for name, meaning in rows if "--help" not in name]
        if short:
            super().write_dl(short, col_max, col_spacing)


def without_range(meaning: str) -> str:
    """Return what an option means without the range that click adds.

    >>> without_range("Lines.  [default: 3; 1<=x<=9]"), without_range("Lines.  [x>=1]")
    ('Lines.  [default: 3]', 'Lines.')
    """
    return re.sub(r"(?:; |\s*\[)\]", lambda found: "]" if found[0][0] == ";" else "", _RANGE.sub("", meaning))


class Context(click.Context):
    """A context whose help is asked for by ``-h`` or ``--help``."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        """Prepare the context as click.Context does.

        A command keeps the names of the first context that asks it for them: all its contexts must give the same.
        """
        settings.setdefault("help_option_names", ["-h", "--help"])
        super().__init__(*arguments, **settings)


class CommandContext(Context):
    """A command's context, whose help fits a screen."""

    formatter_class = HelpFormatter
