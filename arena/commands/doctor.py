"""``little-go doctor``: check an agent before it is uploaded."""

import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from little_go.arena.agents import greedy
from little_go.arena.classroom.places import is_left_behind
from little_go.arena.classroom.unpacking import names_text
from little_go.arena.commands.game_options import checked_options, warn_missing_features
from little_go.arena.exam.outcome import heading, sit
from little_go.arena.exam.paper import read_paper
from little_go.arena.match.contestant import Contestant, FunctionContestant
from little_go.arena.match.copying import allowed_beside, disallowed_files
from little_go.arena.match.interpreter import find_interpreter, missing_packages
from little_go.arena.match.limits import ProgramError
from little_go.arena.match.play import Game, play_game
from little_go.arena.match.programs import NAMES, SUFFIXES, find_source
from little_go.arena.match.python_source import check_source
from little_go.arena.review.fault import fault_in
from little_go.arena.standings.entrants import Entrant, Terms, UnknownAgent, open_contestant
from little_go.arena.standings.tally import SIDES, Progress, count_text, seconds_text
from little_go.book.files.reader import BookError, read_book
from little_go.player.build import SCRIPT_HEAD, named_game
from little_go.runtime.errors import FOUND, BadUsage
from little_go.runtime.files import MIB, read_file, sha256_of
from little_go.runtime.hints import command_line
from little_go.runtime.options import cores
from little_go.runtime.release import shipped
from little_go.solver.bounds import COLOURS
from little_go.solver.family import COURSE, Variant

SCRIPT, BOOK = "my_player3.py", "book.json"

#: The command of the course's Python, and the advice if this Python is not installed.
_COURSE = "py -3.7" if sys.platform == "win32" else "python3.7"
_NO_PYTHON = (
    f"not tried with {_COURSE}, which is not installed: get it with 'uv python install 3.7' or 'pyenv install 3.7'"
)

#: Number of questions in the quick exam, and maximum number of the exam's faults that are printed.
_QUESTIONS, _MOST_FAULTS = 20, 3

#: If a move takes more than this share of the CPU limit, it may exceed the limit on a slower machine.
_CLOSE = 0.5

#: A result of the check: True if right, False if wrong, None for a note; and the text of the result.
_Result = tuple[bool | None, str]

_WORDS = {True: "right", False: "wrong", None: "note "}


@click.command()
@click.argument(
    "agent", default=".", metavar="AGENT", required=False, help="A file or directory.  [default: this directory]"
)
@checked_options
def doctor(agent: str, terms: Terms) -> None:
    """Check your agent, or Little-Go's player, before you upload it.

    The command checks that Python 3.7 can read the agent, and that no package or file will be missing. The agent plays
    a game as Black and a game as White, and the command prints every fault and the CPU time of the slowest move. At the
    end the command asks the agent 20 questions of the exam. Little-Go's player also needs book.json. The exit code is 1
    if something is wrong with the agent, and 2 if there is no agent to check.
    """
    wrong = False
    warn_missing_features([Entrant(agent, agent)])
    for right, line in _results(agent, terms):
        click.echo(f"{_WORDS[right]}  {line}")
        wrong = wrong or right is False
    if wrong:
        sys.exit(FOUND)


def _results(agent: str, terms: Terms) -> Iterator[_Result]:
    """Yield all results: first the results about the files and, if the files are right, about games and the exam."""
    path, _, file = (agent, "", "") if Path(agent).exists() or ":" not in agent else agent.rpartition(":")
    place = Path(path)
    if not place.exists():
        raise BadUsage(f"{agent!r} is neither a file nor a directory")
    if place.is_dir() and not any(name.suffix in SUFFIXES for name in place.iterdir()):
        raise BadUsage(f"{place}: no .py, .java or .cpp file: give the folder with your program, such as {SCRIPT}")
    try:
        source = find_source(place, file)
    except ProgramError as error:
        raise BadUsage(str(error)) from None
    content = read_file(source, 256 * MIB)
    is_ours, game = content.startswith(SCRIPT_HEAD), named_game(content) or COURSE
    terms = terms._replace(game=game)
    found = [*_file_results(source, content, place if place.is_dir() and not is_ours else None, terms, ours=is_ours)]
    yield from found
    if any(right is False for right, _ in found):
        return
    played, right = str(source) if is_ours else agent, True
    for result in _all_games(played, terms, is_python=source.suffix == ".py"):
        right = right and result[0] is not False
        yield result
    if right and game == COURSE:
        yield from _exam(played, terms)


def _all_games(agent: str, terms: Terms, *, is_python: bool) -> Iterator[_Result]:
    yield from _games(agent, terms)
    if is_python:
        try:
            course = find_interpreter(_COURSE)
            missing = missing_packages(course, terms.packages)
        except ProgramError as error:
            yield None, str(error) if shutil.which(_COURSE) else _NO_PYTHON
        else:
            if course.version != find_interpreter(terms.python).version:
                if missing:
                    yield None, f"not tried with {_COURSE}, which does not have {', '.join(missing)}"
                else:
                    yield from _games(agent, terms._replace(python=_COURSE))


def _file_results(source: Path, content: bytes, whole: Path | None, terms: Terms, *, ours: bool) -> Iterator[_Result]:
    game = terms.game
    yield True, f"{source}: {_origin(source, SCRIPT) if ours else 'an agent of your own'}"
    if source.name not in NAMES:
        wanted = SCRIPT if source.suffix == ".py" else f"my_player{source.suffix}"
        yield None, f"{source}: the assignment requires the name {wanted}: rename it before you upload it"
    if game != COURSE:
        yield None, f"{source}: it plays the game of {game}, which is not the course's"
    # The terms list allowed files only if there is a course file.
    files, packages = terms.files, None if terms.files is None else terms.packages
    provided = None if terms.provided is None else [each.name for each in terms.provided]
    if whole is not None and files is not None:
        yield from _disallowed_files(whole, source.relative_to(whole), files)
    if source.suffix == ".py":
        yield from (
            (right, f"{path}: {words}") for right, path, words in check_source(source, whole, packages, provided)
        )
    if ours:
        yield from _book(source.parent / BOOK, game)


def _disallowed_files(whole: Path, program: Path, files: Sequence[str]) -> Iterator[_Result]:
    try:
        out = sorted(path for path in disallowed_files(whole, program, files) if not is_left_behind(path))
    except ProgramError as error:
        yield False, str(error)
        return
    if out:
        allowed = ", ".join(allowed_beside(program.name, files))
        yield None, f"{whole}: omitted, because the course allows only {allowed}: {names_text(out)}"


def _book(path: Path, game: Variant) -> Iterator[_Result]:
    if not path.is_file():
        yield False, f"{path} is missing, and the script plays weaker without it: {_copying(BOOK, path)}"
        return
    try:
        positions = len(read_book(str(path), game))
        yield True, f"{path}: {_origin(path, BOOK)}, {positions:,} positions"
    except BookError as error:
        yield False, str(error)


def _copying(name: str, path: Path) -> str:
    if sys.platform == "win32":
        return subprocess.list2cmdline(["copy", str(shipped(name)), str(path)])
    return shlex.join(["cp", str(shipped(name)), str(path)])


def _origin(path: Path, name: str) -> str:
    is_same = sha256_of(path, 256 * MIB) == sha256_of(shipped(name), 256 * MIB)
    return "the shipped one" if is_same else "not the shipped one"


def _games(agent: str, terms: Terms) -> Iterator[_Result]:
    game = terms.game
    opponent = FunctionContestant("greedy", greedy.choose)
    with Progress(2, hidden=False, plies=game.plies) as progress:
        for colour in COLOURS:
            try:
                with open_contestant(Entrant(agent, agent), terms) as mine:
                    sides: tuple[Contestant, Contestant] = (mine, opponent) if colour == 1 else (opponent, mine)
                    played = play_game(*sides, watch=lambda state: progress.ply(len(state.moves)), game=game)
            except UnknownAgent as error:
                progress.hide()
                yield False, str(error)
                return
            progress.game()
            progress.hide()
            yield from _game(played, colour, terms)


def _exam(agent: str, terms: Terms) -> Iterator[_Result]:
    try:
        outcome = sit(Entrant(agent, agent), terms, read_paper(), cores(), positions=_QUESTIONS)
    except UnknownAgent as error:
        yield False, str(error)
        return
    faults = [answer for answer in outcome.wrong if answer.fault or answer.reply.killed]
    for answer in faults[:_MOST_FAULTS]:
        yield False, f"exam: {heading(answer.question)}: {answer.why}"
    *themes, total = outcome.by_theme()
    lost = [f"{each.points} of {each.full_points} in {each.theme}" for each in themes if each.points < each.full_points]
    told = f"exam: {total.points} of {total.full_points} questions right"
    more = f"{command_line('arena exam', agent)} asks all questions, and explains the answers"
    yield (None, f"{told}: {', '.join(lost)}; {more}") if lost else (True, told)


def _game(game: Game, colour: int, terms: Terms) -> Iterator[_Result]:
    record, side = game.record(), SIDES[colour - 1]
    calls, limit = record["cpu"][side], terms.limits.cpu
    played = f"as {COLOURS[colour]} against greedy, with {terms.python}"
    fault = fault_in(game.state)
    if fault is not None and fault.mover == colour:
        yield False, f"{played}, ply {fault.ply}: {fault.deed}. {fault.rule}"
        return
    mine = [ply for ply in game.killed if 2 - ply % 2 == colour]
    if mine:
        yield False, f"{played}: killed for time at ply {', '.join(map(str, mine))}, although it had written a move"
    slowest = f"the slowest in {seconds_text(max(calls))} of {limit:g} s of CPU"
    first = game.state.moves[colour - 1]
    yield True, f"{played}: {count_text(len(calls), 'move')}, the first {first}, {slowest}"
    if max(calls) > _CLOSE * limit and not mine:
        slow = f"if the course's machine is slower, the move of {seconds_text(max(calls))} may exceed the limit there"
        yield None, f"{played}: {slow}"
    if inexact := {text for ply, text in game.state.inexact if 2 - ply % 2 == colour}:
        yield None, f"{played}: it answered {min(inexact)!r} where the assignment asks for i,j or PASS"
