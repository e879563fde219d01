"""The options that several commands share."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import click

from little_go.arena.course.course_file import Course, course_of, read_course
from little_go.arena.course.grading import NEWEST, SCHEMES
from little_go.arena.match.limits import Limits, SandboxError
from little_go.arena.match.programs import LACKING, require_sandbox
from little_go.arena.standings.entrants import Entrant, Terms, is_program
from little_go.book.files.games import STAFF_GAMES
from little_go.runtime.options import FILE, SOME_TIME, Size, gathered, setting
from little_go.solver.family import COURSE

#: The option of all commands that read logged games.
logged_option = click.option(
    "--logged",
    type=FILE,
    default=STAFF_GAMES,
    help="A file of logged games as JSON lines.  [default: data/staff_games.jsonl.gz]",
)

#: The option of commands that look up positions in the book before they search.
book_option = setting("--book", FILE, Path("book.json"))


#: The limit of wall-clock time for a move, as a multiple of the limit of CPU time. The course does not limit wall-clock
#: time, but a program that only sleeps must end.
CLOCK = 3.0

_PYTHON = click.option(
    "--python",
    default=sys.executable,
    metavar="PATH",
    show_default="the Python of this command",
)

_COURSE = click.option(
    "--course",
    "file",
    type=FILE,
)

_TERMS = (
    _PYTHON,
    _COURSE,
    click.option(
        "--strict",
        is_flag=True,
    ),
)

_SCHEME = click.option(
    "--scheme",
    "year",
    type=click.Choice([str(year) for year in SCHEMES]),
    show_default=f"{NEWEST}",
)

#: The default course, if there is no course file and no option.
_BY_DEFAULT = course_of(NEWEST)

_MEMORY = click.option("--memory", type=Size(least=16), show_default=f"{_BY_DEFAULT.memory // 1024}GiB")

_SANDBOX = click.option(
    "--sandbox",
    is_flag=True,
)

#: The option of commands for other people's programs, which run in a sandbox if possible.
_SANDBOX_OR_NOT = click.option(
    "--sandbox/--no-sandbox",
    default=None,
    show_default="if possible",
)

_LIMITS = (
    click.option(
        "--cpu",
        type=SOME_TIME,
        show_default=f"{_BY_DEFAULT.scheme.move_cpu:g}s",
    ),
    click.option(
        "--wall",
        type=SOME_TIME,
        show_default="three times --cpu",
    ),
)


#: A course, and the terms on which its agents play.
CourseTerms: TypeAlias = tuple[Course, Terms]


def _terms(
    file: Path | None,
    python: str,
    strict: bool = False,
    sandbox: bool | None = False,
    memory: int | None = None,
    cpu: float | None = None,
    wall: float | None = None,
) -> Terms:
    return _course_terms(file, None, python, strict, sandbox, memory, cpu, wall)[1]


def _course_terms(
    file: Path | None,
    year: str | None,
    python: str,
    strict: bool,
    sandbox: bool | None,
    memory: int | None = None,
    cpu: float | None = None,
    wall: float | None = None,
) -> CourseTerms:
    wanted = None if year is None else int(year)
    course = course_of(wanted or NEWEST) if file is None else read_course(file, wanted)
    if sandbox is None:
        # `class --new` only writes a course file, so it needs no sandbox.
        sandbox = click.get_current_context().params.get("new") is None and _has_sandbox()
    elif sandbox:
        _demand_sandbox()
    cpu = course.scheme.move_cpu if cpu is None else cpu
    most = (course.memory if memory is None else memory) << 20
    limits = Limits(cpu, CLOCK * cpu if wall is None else wall, most if sandbox else 0)
    # A command that can play games of other lengths or komis replaces the game in these terms.
    terms = Terms(COURSE, limits, python, course.packages or (), strict, sandbox)
    return course, terms if file is None else terms._replace(files=course.files, provided=course.provide)


def _demand_sandbox() -> None:
    try:
        require_sandbox()
    except SandboxError as error:
        ways = (error.remedy, "omit --sandbox, and programs run with all your rights")
        raise SandboxError(error.cause, ", or ".join(filter(None, ways))) from None


def _has_sandbox() -> bool:
    """Return whether a sandbox can be made here, and print the reason if this is impossible."""
    try:
        require_sandbox()
    except SandboxError as error:
        ways = (error.remedy, "accept this with --no-sandbox")
        what = f"{error.cause}, so programs will run with all your rights"
        click.echo(f"{what}: {', or '.join(filter(None, ways))}", err=True)
        return False
    return True


def warn_missing_features(entrants: Iterable[Entrant]) -> None:
    """Before the first game, print which protection this system lacks if an entrant is a program."""
    if LACKING and any(is_program(entrant.agent) for entrant in entrants):
        click.echo(LACKING, err=True)


#: The options for running an agent that is checked; the command gets ``terms``.
checked_options = gathered("terms", _terms, _PYTHON, _COURSE)

#: The options for grading agents, without time limits. The command gets the parameter ``given`` of type CourseTerms.
course_options = gathered("given", _course_terms, _SCHEME, *_TERMS, _SANDBOX)

#: The options for grading other people's programs. The command gets a CourseTerms as the parameter ``given``.
class_options = gathered("given", _course_terms, _SCHEME, *_TERMS, _SANDBOX_OR_NOT)

#: The options for running and judging agents; the command gets ``terms``.
program_options = gathered("terms", _terms, *_TERMS, _MEMORY, _SANDBOX, *_LIMITS)
