"""The syntax of GTP: commands and responses; notation.movetext has the vertices."""

import re
from typing import NamedTuple

from arena.match.limits import Report
from solver.bounds import COLOUR_NUMBERS

#: The prefix of an engine's agent name.
ENGINE_PREFIX = "gtp:"

#: Our engine's command for another length of game.
SET_PLIES = "littlego-plies"

#: A response ends with an empty line.
END = "\n\n"

#: All control characters but tab and newline, which have a meaning.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_RESPONSE = re.compile(r"([=?])([0-9]*)\s*(.*)", re.DOTALL)


class Command(NamedTuple):
    """A controller's command.

    id: decimal digits repeated in the response, or "". name: case-sensitive. arguments: the words after it.
    """

    id: str
    name: str
    arguments: tuple[str, ...]


class Response(NamedTuple):
    """An engine's answer.

    succeeded: whether the command was carried out. id: the command's. text: the result or the reason for a failure; one
    or more lines, none of them empty.
    """

    succeeded: bool
    id: str
    text: str

    def __str__(self) -> str:
        return f"{'=' if self.succeeded else '?'}{self.id} {self.text}".rstrip() + END


class EngineFault(Exception):
    """An engine that failed; the message is one line.

    reason: ``missing``, it ended or refused a command; ``timeout``, it was killed for time; ``malformed``, its answer
    is not GTP. over: the exceeded limit.
    """

    def __init__(self, message: str, reason: str, over: Report | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.over = over


def parse_command(line: str) -> Command | None:
    r"""Return the command in a line, or None when the line has none.

    >>> parse_command("7 play\tb C3 # the centre\r\n")
    Command(id='7', name='play', arguments=('b', 'C3'))
    >>> parse_command("# nothing but a comment")
    """
    words = _CONTROL.sub("", line).partition("#")[0].split()
    if not words:
        return None
    number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
    return Command(number, words[0] if words else "", tuple(words[1:]))


def parse_response(text: str) -> Response:
    r"""Return the response in ``text``, without the empty line at its end; raises ValueError.

    >>> parse_response("=12 C3")
    Response(succeeded=True, id='12', text='C3')
    >>> parse_response("? unknown command")
    Response(succeeded=False, id='', text='unknown command')
    >>> parse_response("=C3")
    Response(succeeded=True, id='', text='C3')
    """
    match = _RESPONSE.fullmatch(text)
    if match is None:
        raise ValueError(f"not a GTP response: {text[:40]!r}")
    return Response(match[1] == "=", match[2], match[3].strip())


def parse_colour(text: str) -> int:
    """Return 1 for Black, 2 for White; raises ValueError otherwise.

    >>> parse_colour("W"), parse_colour("black")
    (2, 1)
    """
    for name, number in COLOUR_NUMBERS.items():
        if text.lower() in (name, name[0]):
            return number
    raise ValueError(f"not a colour: {text!r}")


def parse_count(text: str) -> int:
    """Return a number of 0 or more with at most nine digits; raises ValueError."""
    if not re.fullmatch("[0-9]{1,9}", text):
        raise ValueError(f"not a number: {text[:20]!r}")
    return int(text)
