"""The names of options that many tests use. They come from the commands, so few tests depend on a name."""

import click

from little_go.book.answers.live import LIVE_SECONDS
from little_go.book.commands.query import query_command


def live_option(command: click.Command, default: str = f"{LIVE_SECONDS:g}s") -> str:
    """Return the option of a command that limits the search for values that are not stored.

    default: the option's default, which distinguishes it from the command's other options.
    """
    (name,) = (option.opts[0] for option in command.params if option.default == default)
    return name


def flag(command: click.Command, meaning: str) -> str:
    """Return the flag of a command whose help text contains the given words."""
    (name,) = (
        option.opts[0]
        for option in command.params
        if isinstance(option, click.Option) and option.is_flag and meaning in (option.help or "")
    )
    return name


#: The option of ``query`` that limits the search.
LIVE = live_option(query_command)

#: Arguments with which ``query`` searches nothing.
NO_SEARCH = (LIVE, "0")
