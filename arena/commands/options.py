"""Options that the commands share."""

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
from runtime.errors import BadUsage
from runtime.options import FILE, Duration, Size

Command = Callable[..., None]

#: For commands that read logged games.
logged_option = click.option(
    "--logged",
    type=FILE,
    default=STAFF_GAMES,
    help="The logged games as JSON lines.  [default: data/staff_games.jsonl.gz]",
)

#: For commands that ask the book first.
book_option = click.option(
    "--book", type=FILE, default=Path("book.json"), show_default=True, help="The book to play from, or to ask first."
)


def terms_options(command: Command) -> Command:
    """Add the options for how agents are run and judged, but for limits; the command gets ``terms`` of them."""

    @click.option(
        "--python",
        default=sys.executable,
        metavar="PATH",
        help="The interpreter for Python files.  [default: the one running this]",
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
        default="1GiB",
        show_default=True,
        type=Size(least=16),
        help="Memory that a program in a sandbox may use.",
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
        default=f"{Limits().cpu:g}s",
        show_default=True,
        type=Duration(min=0, min_open=True),
        help="CPU time that a program may use for a move (user + system, including its children).",
    )
    @click.option(
        "--wall",
        type=Duration(min=0, min_open=True),
        help="Wall-clock time that a program may take for a move.  [default: three times --cpu]",
    )
    @wraps(command)
    def with_limits(*arguments: Any, terms: Terms, cpu: float, wall: float | None, **options: Any) -> None:
        limits = terms.limits._replace(cpu=cpu, wall=3 * cpu if wall is None else wall)
        command(*arguments, terms=terms._replace(limits=limits), **options)

    return with_limits
