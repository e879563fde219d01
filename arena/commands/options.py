"""What the commands have in common: options, and how they end."""

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from arena.course.logged import STAFF_GAMES
from arena.match.process import Limits

#: Exit code of a run ended by Ctrl-C, as the shell has it.
INTERRUPTED = 130


class BadUsage(click.ClickException):
    """A command line that asks for something that is not there; one line on standard error."""

    exit_code = 2


Command = Callable[..., None]

#: For commands that have limits of their own for programs.
python_option = click.option(
    "--python", default=sys.executable, help="Interpreter for Python files.  [default: the one running this]"
)

#: For commands that read logged games, as ``path``.
file_option = click.option(
    "--file",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    default=STAFF_GAMES,
    help=f"The logged games, JSON lines.  [default: {STAFF_GAMES.name} of the arena]",
)


def program_options(command: Command) -> Command:
    """Add the options for agents that are programs; the command gets ``limits`` and ``python`` of them."""

    @click.option(
        "--cpu",
        default=Limits().cpu,
        show_default=True,
        type=click.FloatRange(min=0, min_open=True),
        help="Seconds of CPU a program may take for a move (user + system, its children's too).",
    )
    @click.option(
        "--wall",
        type=click.FloatRange(min=0, min_open=True),
        help="Seconds on the clock a program may take for a move.  [default: three times --cpu]",
    )
    @python_option
    @wraps(command)
    def with_limits(*arguments: Any, cpu: float, wall: float | None, **options: Any) -> None:
        command(*arguments, limits=Limits(cpu, 3 * cpu if wall is None else wall), **options)

    return with_limits
