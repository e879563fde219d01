"""The names of options that many tests use. They come from the commands, so few tests depend on a name."""

import shlex

import click

from little_go.__main__ import PACKAGES, group_of
from little_go.book.answers.live import LIVE_SECONDS
from little_go.runtime.hints import SHORT


def live_option(command: click.Command, default: str = f"{LIVE_SECONDS:g}s") -> str:
    """Return the option of a command that limits the search for values that are not stored.

    default: the option's default, which distinguishes it from the command's other options.
    """
    (name,) = (option.opts[0] for option in command.params if option.default == default)
    return name


def option_of(command: click.Command, meaning: str) -> str:
    """Return the option of a command whose help text contains the given words."""
    (name,) = (
        option.opts[0]
        for option in command.params
        if isinstance(option, click.Option) and meaning in (option.help or "")
    )
    return name


def unknown_words(line: str) -> list[str]:
    """Return the options in a command line that its command does not have, or the command if there is none.

    A table of command lines tests only the lines without unknown words, and has one test that no line has any. If an
    option gets another name, this test alone fails, and shows the lines to change.

    line: the words after ``little-go``.
    """
    first, *rest = shlex.split(line)
    room, name = SHORT.get(first) or (first, rest[0] if rest else "")
    if room not in PACKAGES:
        return []
    command = group_of(room).commands.get(name)
    if command is None:
        return [name]
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    return [word for word in rest if word.startswith("--") and word not in known]


_QUERY = group_of("book").commands["query"]

#: The option of ``query`` that limits the search.
LIVE = live_option(_QUERY)

#: The options of ``query`` that read positions from a file. ``value`` has the last one, too.
FROM_INPUT, FROM_BOARD, FROM_GAME, FROM_LINES = (
    option_of(_QUERY, meaning)
    for meaning in ("the host's input.txt", "a file with five rows", "the end of a game in SGF", "one per line")
)

#: Arguments with which ``query`` searches nothing.
NO_SEARCH = (LIVE, "0")
