"""Options that the commands share."""

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from arena.match.limits import Limits, SandboxError
from arena.match.runner import LACKING, require_sandbox
from arena.standings.entrants import Entrant, Terms, is_program
from book.files.games import STAFF_GAMES
from runtime.options import FILE, SOME_TIME, Size, gathered, setting
from solver.family import COURSE

#: For commands that read logged games.
logged_option = click.option(
    "--logged",
    type=FILE,
    default=STAFF_GAMES,
    help="The logged games as JSON lines.  [default: data/staff_games.jsonl.gz]",
)

#: For commands that ask the book first.
book_option = setting("--book", FILE, Path("book.json"), "The book to ask first.")


#: How many times the CPU time a move may take by the clock. The course has no such limit; what sleeps must end.
CLOCK = 3.0

_TERMS = (
    click.option(
        "--python",
        default=sys.executable,
        metavar="PATH",
        help="Agents' interpreter.  [default: the one running this]",
    ),
    click.option(
        "--site-packages",
        "packages",
        is_flag=True,
        help="Let Python agents import installed packages.",
    ),
    click.option(
        "--strict",
        is_flag=True,
        help="Accept only moves to the letter of the assignment.",
    ),
    setting("--memory", Size(least=16), "1GiB", "Memory in a sandbox."),
)

_SANDBOX = click.option(
    "--sandbox",
    is_flag=True,
    help="Run programs without network and others' files.",
)

#: For strangers' programs: in a sandbox where there is one.
_SANDBOX_OR_NOT = click.option(
    "--sandbox/--no-sandbox",
    default=None,
    help="Run programs in a sandbox.  [default: if possible]",
)

_LIMITS = (
    setting(
        "--cpu",
        SOME_TIME,
        f"{Limits().cpu:g}s",
        "CPU time for a move.",
    ),
    click.option(
        "--wall",
        type=SOME_TIME,
        help="Clock time for a move.  [default: three times --cpu]",
    ),
)


def _terms(
    python: str,
    packages: bool,
    strict: bool,
    sandbox: bool | None,
    memory: int,
    cpu: float = Limits().cpu,
    wall: float | None = None,
) -> Terms:
    if sandbox is None:
        sandbox = _has_sandbox()
    elif sandbox:
        require_sandbox()
    limits = Limits(cpu, CLOCK * cpu if wall is None else wall, memory << 20 if sandbox else 0)
    # Commands that play other games put theirs in its place.
    return Terms(COURSE, limits, python, packages, strict, sandbox)


def _has_sandbox() -> bool:
    """Return whether a sandbox can be made here, and print why where it cannot."""
    try:
        require_sandbox()
    except SandboxError as error:
        click.echo(f"{error}: programs run as the user who gives this command", err=True)
        return False
    return True


def warn_missing_features(entrants: Iterable[Entrant]) -> None:
    """Print once, before the first game, what programs run without on this system."""
    if LACKING and any(is_program(entrant.agent) for entrant in entrants):
        click.echo(LACKING, err=True)


#: How agents are run and judged, without limits of time; the command gets ``terms``.
terms_options = gathered("terms", _terms, *_TERMS, _SANDBOX)

#: The same for strangers' programs.
class_terms_options = gathered("terms", _terms, *_TERMS, _SANDBOX_OR_NOT)

#: How agents are run and judged; the command gets ``terms``.
program_options = gathered("terms", _terms, *_TERMS, _SANDBOX, *_LIMITS)
