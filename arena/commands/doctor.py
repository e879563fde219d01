"""The command ``python -m arena doctor``: whether what one uploads is right."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from arena.match.host import OPENING, judge
from arena.standings.entrants import Entrant, Terms, open_contestant
from book.files.reader import BookError, read_book
from runtime.filesystem import read_named
from runtime.release import shipped

SCRIPT, BOOK = "my_player3.py", "book.json"

#: The course's Python, and how to get one: the graders have no other.
_NO_PYTHON = "no python3.7 here to try it with; get one by 'uv python install 3.7' or 'pyenv install 3.7'"

#: Whether something is right, or None for a note; and what it is.
_Finding = tuple[bool | None, str]

_WORDS = {True: "right", False: "wrong", None: "note "}


@click.command()
@click.argument(
    "directory",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=".",
    help="Where the files are.  [default: here]",
)
@click.option(
    "--python",
    default=sys.executable,
    metavar="PATH",
    help="The interpreter for Python files.  [default: the one running this]",
)
def doctor(directory: Path, python: str) -> None:
    """Check the files in a directory that are to be uploaded.

    These are my_player3.py and book.json. It says whether they are those that ship, whether the script is Python 3.7,
    and what it plays on the empty board, in how much time. It exits with 1 if something is wrong.
    """
    found = [*_script(directory / SCRIPT), *_book(directory / BOOK)]
    if False not in dict(found):
        found += _move(directory / SCRIPT, python)
        course = _python37()
        found += [(None, _NO_PYTHON)] if course is None else _move(directory / SCRIPT, course)
    for right, line in found:
        click.echo(f"{_WORDS[right]}  {line}")
    if False in dict(found):
        sys.exit(1)


def _script(path: Path) -> Iterator[_Finding]:
    if not path.is_file():
        yield False, f"{path} is not there: cp {shipped(SCRIPT)} {path}"
        return
    source = read_named(path)
    yield True, f"{path}: {_origin(source, SCRIPT)}"
    try:
        ast.parse(source, feature_version=(3, 7))
        yield True, f"{path}: Python 3.7 can read it"
    except (SyntaxError, ValueError) as error:
        yield False, f"{path}: Python 3.7 cannot read it: {' '.join(str(error).split())}"


def _book(path: Path) -> Iterator[_Finding]:
    if not path.is_file():
        yield False, f"{path} is not there, and the script plays weaker without it: cp {shipped(BOOK)} {path}"
        return
    try:
        positions = len(read_book(str(path)))
        yield True, f"{path}: {_origin(read_named(path), BOOK)}, {positions:,} positions"
    except BookError as error:
        yield False, str(error)


def _origin(content: bytes, name: str) -> str:
    return "the one that ships" if content == shipped(name).read_bytes() else "not the one that ships"


def _move(script: Path, python: str) -> Iterator[_Finding]:
    terms = Terms()
    with open_contestant(Entrant(SCRIPT, str(script), python), terms) as contestant:
        reply = contestant.reply(OPENING)
    if reply.text is None:
        yield False, f"{script}: no move on the empty board: {reply.complaint or reply.absence}"
    elif (result := judge(OPENING, reply.text).result) is not None:
        yield False, f"{script}: {reply.text[:20]!r} ends the game at once: {result.reason}"
    else:
        time = f"in {reply.cpu:.1f} s of {terms.limits.cpu:g} s"
        yield True, f"{script}: plays {reply.text.strip()} on the empty board with {python}, {time}"


def _python37() -> str | None:
    # pyenv has a script of this name even where it has no such Python.
    path = shutil.which("python3.7")
    return path if path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0 else None
