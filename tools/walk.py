"""Walk a request through the project: the files on the stack when one of its stages is made.

    python -m tools.walk query      # a position, from the command to its answer
    python -m tools.walk fact       # a fact, from the kernel to book.json
    python -m tools.walk game       # a game, from the host to its review

It runs the request, and prints the files in order, each with the stages made in it. solver/ and runtime/, which all
files use, are left out, and so are commands where the walk begins and ends below them. docs/explanation/FLOW.md draws
the walks, and a test checks their lengths.
"""

import inspect
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from book.exchange.compress import select_lines
from book.files.writer import write_book
from book.store.store import open_store
from generator.questions.shorter_games import ShorterGames
from generator.workers.search_run import Settings, open_run
from solver.family import Variant

ROOT = Path(__file__).parents[1]

#: Rooms that every file uses.
_WORDS = ("solver", "runtime", "tools", "tests")


@dataclass(frozen=True)
class Walk:
    """A way through the project."""

    #: Its start and end.
    what: str
    #: Runs it, in a directory of its own.
    go: Callable[[], None]
    #: The stages made, in order: classes, and at the end maybe a function.
    stages: tuple[str, ...]
    #: Whether a command hands the stages on. Otherwise the walk begins and ends below the commands.
    has_commands: bool = True


WALKS = {
    "query": Walk(
        "a position, from the command to its answer",
        lambda: _call("book", "query", "2,2 1,1", "--live", "5s", "--json"),
        (
            "notation.parsed.ParsedPosition",
            "book.store.facts.Statement",
            "book.answers.sources.KnownBounds",
            "book.answers.query.Knowledge",
            "book.answers.report.knowledge_record",
        ),
    ),
    "fact": Walk(
        "a fact, from the kernel to book.json",
        lambda: _solve_and_compress(Variant(8, 0.5)),
        (
            "generator.workers.worker.JobResult",
            "book.store.facts.Fact",
            "book.store.facts.Entry",
            "book.files.writer.BookLine",
            "book.files.writer.write_book",
        ),
        has_commands=False,
    ),
    "game": Walk(
        "a game, from the host to its review",
        lambda: _call("arena", "play", "--black", "greedy", "--white", "random", "--plies", "8", "--sgf", "game.sgf"),
        (
            "arena.match.host.State",
            "arena.match.play.Game",
            "arena.review.reading.GameToReview",
            "arena.review.review.Review",
        ),
        has_commands=False,
    ),
}


def _call(room: str, *words: str) -> None:
    """Call a command in this process; raises RuntimeError if it fails."""
    result = CliRunner().invoke(import_module(f"{room}.__main__").main, words)
    if result.exit_code:
        raise RuntimeError(f"{' '.join(words)} ends with {result.exit_code}: {result.output}")


def _solve_and_compress(game: Variant) -> None:
    db = Path("walk.db")
    settings = Settings(db, 1, None, 16, None, keep_nodes=100, seed=0, log=None, game=game)
    with open_run(settings, {}) as run:
        ShorterGames(run, lambda standing: None, game).solve_all(game.plies, False, lambda *solved: None)
    with open_store(db, game=game) as store:
        write_book(select_lines(store, 0, Counter(), game), "book.json", game)


def walked(walk: Walk) -> dict[str, list[str]]:
    """Run a walk; return its files in order, each with the stages made in it.

    Raises RuntimeError for a failed command, and for a stage that was not made.
    """
    files: dict[str, list[str]] = {}

    def note(stage: str, own: str) -> None:
        stack = [*filter(None, map(_file_of_ours, (*_stack(), own)))]
        for file in stack:
            files.setdefault(file, [])
        if stack and stage not in files[stack[-1]]:
            files[stack[-1]].append(stage)

    with tempfile.TemporaryDirectory() as folder, _inside(folder), _noting(walk.stages, note):
        walk.go()
    made = {stage for stages in files.values() for stage in stages}
    if missing := [stage for stage in walk.stages if stage not in made]:
        raise RuntimeError(f"no {', '.join(missing)} on the way")
    return {file: stages for file, stages in files.items() if walk.has_commands or not _is_command(file)}


@contextmanager
def _inside(folder: str) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _is_command(file: str) -> bool:
    return file.endswith("__main__.py") or "/commands/" in file


@contextmanager
def _noting(stages: Iterable[str], note: Callable[[str, str], None]) -> Iterator[None]:
    """Call ``note`` when a stage is made: with the stage, and for a function with its own file."""
    undo: list[Callable[[], None]] = []
    for stage in stages:
        module, _, name = stage.rpartition(".")
        made: Any = getattr(import_module(module), name)
        if inspect.isclass(made):
            maker = "__new__" if issubclass(made, tuple) else "__init__"
            undo.append(_wrapped(made, maker, partial(note, stage, "")))
        else:
            holders = [each for each in list(sys.modules.values()) if getattr(each, name, None) is made]
            undo += [_wrapped(holder, name, partial(note, stage, inspect.getfile(made))) for holder in holders]
    try:
        yield
    finally:
        for each in undo:
            each()


def _wrapped(owner: Any, name: str, note: Callable[[], None]) -> Callable[[], None]:
    """Have a function call ``note`` first, and return a function that undoes this."""
    plain = getattr(owner, name)

    def noting(*args: Any, **kwargs: Any) -> Any:
        note()
        return plain(*args, **kwargs)

    setattr(owner, name, noting)
    return lambda: setattr(owner, name, plain)


def _stack() -> list[str]:
    """Return the names of the files on the stack, the outermost first."""
    frame = inspect.currentframe()
    names = []
    while frame is not None:
        names.append(frame.f_code.co_filename)
        frame = frame.f_back
    return names[::-1]


@cache
def _file_of_ours(name: str) -> str:
    """Return a file's path in the project, "" for a file left out of walks."""
    path = Path(name)
    if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] in (*_WORDS, ".venv"):
        return ""
    return path.relative_to(ROOT).as_posix()


def walk_text(what: str, files: dict[str, list[str]]) -> str:
    """Draw a walk as text: its files, and the stages made in each."""
    lines = [f"{what}: {len(files)} files"]
    for file, stages in files.items():
        lines.append(f"  {file:40}{', '.join(stage.rpartition('.')[2] for stage in stages)}".rstrip())
    return "\n".join(lines)


@click.command()
@click.argument("name", type=click.Choice(list(WALKS)))
def main(name: str) -> None:
    """Print the files and stages of a walk."""
    click.echo(walk_text(WALKS[name].what, walked(WALKS[name])))


if __name__ == "__main__":
    main(prog_name="python -m tools.walk")
