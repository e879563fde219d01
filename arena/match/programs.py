"""From an agent's source to a program that can be started: a Python, Java or C++ file, or a directory with one in it.

Java and C++ are compiled as in the course: ``javac FILE``, then ``java CLASS``; ``g++ -std=c++17 -O2 *.cpp -o exe``,
then ``./exe``. (The course's scripts have ``-O2``, and ``-std=c++0x`` for ``my_player11.cpp``.)
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from arena.match.process import Limits, Runner, RunnerError
from arena.match.reply import last_line

#: The file beside a program that goes with it.
BOOK = "book.json"

#: What a directory's program is called in the course, the first that is there.
NAMES = ("my_player3.py", "my_player.py", "my_player.cpp", "my_player11.cpp", "my_player.java")

#: The languages, by the ends of their files' names.
SUFFIXES = (".py", ".java", ".cpp")

#: What may be copied for every game: bytes and files.
_MOST_BYTES, _MOST_FILES = 1 << 28, 10_000

#: What a compiler may take.
_COMPILING = Limits(cpu=120.0, wall=300.0)

#: Files by their names relative to the directory.
_Files: TypeAlias = dict[str, bytes]

#: What was compiled, by what it was compiled from: the games of a run need it again and again.
_compiled: dict[tuple[object, ...], _Files] = {}


class ProgramError(ValueError):
    """An agent that cannot be made a program of; the message is one line."""


def find_source(path: Path, file: str = "") -> Path:
    """Return the file that is an agent's program, given that file, or its directory and perhaps the file's name.

    Raises ProgramError.
    """
    if path.is_dir():
        return path / _entry(path, file)
    if path.suffix not in SUFFIXES:
        raise ProgramError(f"{str(path)!r} is not a .py, .java or .cpp file: start other programs with cmd:COMMAND")
    return path


def lay_out(source: Path, whole: bool, directory: Path, python: str, runner: Runner) -> list[str]:
    """Copy an agent into an empty directory, compile it there, and return the command that starts it there.

    source: the program's file. whole: whether all that is beside it is copied, or a ``book.json`` alone.
    python: the command for a Python file. Raises ProgramError.
    """
    try:
        if whole:
            _check_size(source.parent)
            shutil.copytree(source.parent, directory, ignore_dangling_symlinks=True, dirs_exist_ok=True)
        else:
            for part in (source, source.with_name(BOOK)):
                if part.is_file():
                    shutil.copy(part, directory)
    except OSError as error:
        raise ProgramError(
            f"{str(source)!r} cannot be copied: {error.strerror or 'not all of it can be read'}"
        ) from None
    if source.suffix == ".java":
        _compile(source, [_tool("javac"), source.name], f"{source.stem}.class", directory, runner)
        return [_tool("java"), source.stem]
    if source.suffix == ".cpp":
        sources = sorted(path.name for path in directory.glob("*.cpp"))
        _compile(source, [_tool("g++"), "-std=c++17", "-O2", *sources, "-o", "exe"], "exe", directory, runner)
        return ["./exe"]
    return [python, source.name]


def _entry(directory: Path, file: str) -> str:
    """Return the name of the file in a directory that is its program."""
    if file:
        if (directory / file).is_file() and Path(file).suffix in SUFFIXES:
            return file
        raise ProgramError(f"no .py, .java or .cpp file {file!r} in {str(directory)!r}")
    programs = [path.name for path in directory.iterdir() if path.suffix in SUFFIXES and path.is_file()]
    for name in NAMES:
        if name in programs:
            return name
    if len(programs) == 1:
        return programs[0]
    raise ProgramError(
        f"{str(directory)!r} has no file that the course names, such as {NAMES[0]}: say which file, as DIR:FILE"
    )


def _check_size(directory: Path) -> None:
    sizes = [path.stat().st_size for path in _files(directory)]
    if len(sizes) > _MOST_FILES or sum(sizes) > _MOST_BYTES:
        raise ProgramError(
            f"{str(directory)!r} is too large to be copied for every game: "
            f"{sum(sizes) >> 20} MiB in {len(sizes):,} files, at most {_MOST_BYTES >> 20} in {_MOST_FILES:,}"
        )


def _files(directory: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(directory, followlinks=True):
        for name in names:
            path = Path(folder, name)
            if path.is_file():
                yield path


def _tool(name: str) -> str:
    """Return the path of a compiler, or of what runs what it makes."""
    path = shutil.which(name)
    if path is None:
        package = "g++" if name == "g++" else "default-jdk-headless"
        raise ProgramError(f"no {name} found, which this agent needs: install it (Debian: {package})")
    return path


def _compile(source: Path, command: list[str], made: str, directory: Path, runner: Runner) -> None:
    """Run a compiler, or lay down what it has made of the same files before. Raises ProgramError."""
    before = set(_files(directory))
    key = (str(source), *command, *sorted((str(path.relative_to(directory)), path.read_bytes()) for path in before))
    if key not in _compiled:
        try:
            usage = runner.run(command, directory, _COMPILING)
        except RunnerError as error:
            raise ProgramError(f"{source.name}: {error}") from None
        if not (directory / made).is_file():
            raise ProgramError(f"{source.name} does not compile: {_first_error(usage.errors)}")
        after = [path for path in _files(directory) if path not in before]
        _compiled[key] = {str(path.relative_to(directory)): path.read_bytes() for path in after}
        return
    for name, content in _compiled[key].items():
        (directory / name).write_bytes(content)
        (directory / name).chmod(0o755)


def _first_error(errors: str) -> str:
    """Return a compiler's first error, fit for any terminal."""
    line = next((line for line in errors.splitlines() if "error" in line), "")
    return last_line(line) or last_line(errors) or "a Java file must hold the class of its name"
