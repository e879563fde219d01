"""Options that the commands share."""

import sys
from pathlib import Path

import click

from arena.match.process import Limits
from arena.match.sandbox import check_sandbox
from arena.standings.entrants import Terms
from book.files.games import STAFF_GAMES
from runtime.options import FILE, SOME_TIME, Size, gathered, setting

#: For commands that read logged games.
logged_option = click.option(
    "--logged",
    type=FILE,
    default=STAFF_GAMES,
    help="The logged games as JSON lines.  [default: data/staff_games.jsonl.gz]",
)

#: For commands that ask the book first.
book_option = setting("--book", FILE, Path("book.json"), "The book to play from, or to ask first.")


_TERMS = (
    click.option(
        "--python",
        default=sys.executable,
        metavar="PATH",
        help="The interpreter for Python files.  [default: the one running this]",
    ),
    click.option(
        "--strict",
        is_flag=True,
        help="Accept only moves exactly as the assignment writes them, not all that the course's host accepts.",
    ),
    click.option(
        "--sandbox",
        is_flag=True,
        help="Run programs in a bubblewrap sandbox: no network, no other processes, and no files but the system's and "
        "their own.",
    ),
    setting("--memory", Size(least=16), "1GiB", "Memory that a program in a sandbox may use."),
)

_LIMITS = (
    setting(
        "--cpu",
        SOME_TIME,
        f"{Limits().cpu:g}s",
        "CPU time that a program may use for a move (user + system, including its children).",
    ),
    click.option(
        "--wall",
        type=SOME_TIME,
        help="Wall-clock time that a program may take for a move.  [default: three times --cpu]",
    ),
)


def _terms(
    python: str, strict: bool, sandbox: bool, memory: int, cpu: float = Limits().cpu, wall: float | None = None
) -> Terms:
    if sandbox:
        check_sandbox()
    limits = Limits(cpu, 3 * cpu if wall is None else wall, memory << 20 if sandbox else 0)
    return Terms(limits, python, strict, sandbox)


#: How agents are run and judged, without limits of time; the command gets ``terms``.
terms_options = gathered("terms", _terms, *_TERMS)

#: How agents are run and judged; the command gets ``terms``.
program_options = gathered("terms", _terms, *_TERMS, *_LIMITS)
