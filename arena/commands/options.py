"""Options and endings that the commands share."""

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from arena.match.process import Limits
from arena.match.sandbox import SandboxError, check_sandbox
from arena.standings.entrants import Terms
from book.files.games import STAFF_GAMES

#: Exit code of a run ended by Ctrl-C, as the shell has it.
INTERRUPTED = 130


class BadUsage(click.ClickException):
    """A command line that asks for something that is not there; one line on standard error."""

    exit_code = 2


#: MiB that a program in a sandbox may take.
DEFAULT_MEMORY = 1024

Command = Callable[..., None]

#: For commands that read logged games, as ``path``.
file_option = click.option(
    "--file",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    default=STAFF_GAMES,
    help=f"The logged games as JSON lines.  [default: {STAFF_GAMES.name}, which ships]",
)


def terms_options(command: Command) -> Command:
    """Add the options for how agents are run and judged, but for limits; the command gets ``terms`` of them."""

    @click.option(
        "--python", default=sys.executable, help="The interpreter for Python files.  [default: the one running this]"
    )
    @click.option(
        "--strict",
        is_flag=True,
        help="Accept only moves exactly as the assignment writes them, not all that the course's host accepts.",
    )
    @click.option(
        "--sandbox",
        is_flag=True,
        help="Run programs in a bubblewrap sandbox: no network, no other processes, and no files but the system's and "
        "their own.",
    )
    @click.option(
        "--memory",
        default=DEFAULT_MEMORY,
        show_default=True,
        type=click.IntRange(min=16),
        help="MiB of memory that a program in a sandbox may use.",
    )
    @wraps(command)
    def with_terms(*arguments: Any, python: str, strict: bool, sandbox: bool, memory: int, **options: Any) -> None:
        if sandbox:
            try:
                check_sandbox()
            except SandboxError as error:
                raise BadUsage(str(error)) from None
        limits = Limits(memory=memory << 20 if sandbox else 0)
        command(*arguments, terms=Terms(limits, python, strict, sandbox), **options)

    return with_terms


def program_options(command: Command) -> Command:
    """Add the options for how agents are run and judged; the command gets ``terms`` of them."""

    @terms_options
    @click.option(
        "--cpu",
        default=Limits().cpu,
        show_default=True,
        type=click.FloatRange(min=0, min_open=True),
        help="Seconds of CPU that a program may use for a move (user + system, including its children).",
    )
    @click.option(
        "--wall",
        type=click.FloatRange(min=0, min_open=True),
        help="Seconds of wall-clock time that a program may take for a move.  [default: three times --cpu]",
    )
    @wraps(command)
    def with_limits(*arguments: Any, terms: Terms, cpu: float, wall: float | None, **options: Any) -> None:
        limits = terms.limits._replace(cpu=cpu, wall=3 * cpu if wall is None else wall)
        command(*arguments, terms=terms._replace(limits=limits), **options)

    return with_limits
