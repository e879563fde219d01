"""A contestant's answer for one move."""

import re
import unicodedata
from typing import NamedTuple

#: As much of a program's last words as anyone reads.
_MOST_WORDS = 200

#: What a terminal takes for a command: colours, cursor movements, titles.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")

#: Lines of Java's that say where and not what.
_WHERE = re.compile(r"at [\w.$/<>]+\(.*\)|\.\.\. \d+ more")


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


def last_line(errors: str) -> str:
    """Return the last line of a program's standard error that says something, fit for any terminal; "" without one.

    Control characters are left out, and Java's lines on where an exception comes from. A long line is cut.

    >>> last_line("Traceback\\n\\x1b[31mNameError: name 'x'\\x1b[0m\\n\\n")
    "NameError: name 'x'"
    """
    lines = [_clean(line) for line in re.split(r"[\r\n]", _ESCAPES.sub("", errors))]
    said = [line for line in lines if line and not _WHERE.fullmatch(line)]
    return said[-1][:_MOST_WORDS] if said else ""


def _clean(line: str) -> str:
    # Categories C: control characters, those that turn the writing round, and what is no character.
    return "".join(
        " " if sign == "\t" else sign for sign in line if sign == "\t" or unicodedata.category(sign)[0] != "C"
    ).strip()
