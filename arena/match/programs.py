"""From an agent's source to a program that can be started: a Python, Java or C++ file, or a directory with one in it.

Java and C++ are compiled as in the course: ``javac FILE``, then ``java CLASS``; ``g++ -std=c++17 -O2 *.cpp -o exe``,
then ``./exe``. (The course's scripts have ``-O2``, and ``-std=c++0x`` for ``my_player11.cpp``.)
"""

import os
import shlex
import shutil
from collections.abc import Iterable, Iterator
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

#: What may be copied for every game: bytes, files with folders, and folders in each other.
_MOST_BYTES, _MOST_FILES, _MOST_DEPTH = 1 << 28, 10_000, 32

#: What a compiler may take, beside the memory that the agent has.
_COMPILING = Limits(cpu=120.0, wall=300.0)

#: Files by their names relative to the directory.
_Files: TypeAlias = dict[str, bytes]

#: What was compiled, by what it was compiled from: the games of a run need it again and again.
_compiled: dict[tuple[object, ...], _Files] = {}


class ProgramError(ValueError):
    """An agent that cannot be made a program of; the message is one line."""


def command_words(agent: str, prefix: str) -> list[str]:
    """Return the words after an agent's prefix, split as by a shell, the program by its full path.

    No shell runs them. Raises ProgramError.
    """
    try:
        words = shlex.split(agent.removeprefix(prefix))
    except ValueError as error:
        raise ProgramError(f"cannot read the command: {error}") from None
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise ProgramError(f"no program {words[0] if words else ''!r}")
    return [os.path.abspath(program), *words[1:]]


def find_source(path: Path, file: str = "") -> Path:
    """Return the file that is an agent's program, given that file, or its directory and perhaps the file's name.

    Raises ProgramError.
    """
    if path.is_dir():
        return path / _entry(path, file)
    if path.suffix not in SUFFIXES:
        raise ProgramError(f"{str(path)!r} is not a .py, .java or .cpp file: start other programs with cmd:COMMAND")
    return path


def lay_out(
    source: Path, whole: Path | None, directory: Path, python: str, runner: Runner, memory: int, *, alone: bool = False
) -> list[str]:
    """Copy an agent into an empty directory, compile it there, and return the command that starts it there.

    source: the program's file. whole: the directory above it that is copied whole; None: the file and a ``book.json``
        beside it. python: the command for a Python file. memory: bytes for the compiler, 0 for any number.
    alone: whether a C++ file is compiled without the others beside it. Raises ProgramError.
    """
    program = Path(source.name) if whole is None else source.relative_to(whole)
    try:
        if whole is not None:
            _copy(whole, _entries(whole), directory)
        else:
            # The program is named by the user, so it may be a link; the book beside it is named by nobody.
            shutil.copy(_checked_plain(source), directory)
            _copy(source.parent, [each for each in os.scandir(source.parent) if each.name == BOOK], directory)
    except OSError as error:
        raise ProgramError(
            f"{str(source)!r} cannot be copied: {error.strerror or 'not all of it can be read'}"
        ) from None
    folder = program.parent
    beside = sorted(str(folder / path.name) for path in (directory / folder).glob("*.cpp"))
    sources = beside if source.suffix == ".cpp" and not alone else [str(program)]
    for name in sources:
        # Compilers take such a name for an option or a file of options; g++ hands it on to others, even with ./ before.
        if name.startswith(("-", "@")):
            raise ProgramError(f"{name!r} is no name for a program's file")
    if source.suffix == ".java":
        made = str(program.with_suffix(".class"))
        _compile(source, [_tool("javac"), str(program)], made, directory, runner, memory)
        return [_tool("java"), *(() if folder == Path() else ("-cp", str(folder))), source.stem]
    if source.suffix == ".cpp":
        _compile(source, [_tool("g++"), "-std=c++17", "-O2", *sources, "-o", "exe"], "exe", directory, runner, memory)
        return ["./exe"]
    return [python, str(program)]


def _entry(directory: Path, file: str) -> str:
    """Return the name of the file in a directory that is its program."""
    if file:
        inside = ".." not in Path(file).parts and not Path(file).is_absolute()
        if inside and (directory / file).is_file() and Path(file).suffix in SUFFIXES:
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


def _entries(directory: Path) -> Iterator[os.DirEntry[str]]:
    """Yield all that is in a directory, a folder before what is in it; no link is followed. Raises ProgramError."""
    files = size = 0
    todo = [(str(directory), 1)]
    while todo:
        folder, depth = todo.pop()
        with os.scandir(folder) as found:
            for entry in found:
                files += 1
                size += entry.stat(follow_symlinks=False).st_size
                if files > _MOST_FILES or size > _MOST_BYTES or depth > _MOST_DEPTH:
                    raise ProgramError(
                        f"{str(directory)!r} is too large to be copied for every game: at most {_MOST_BYTES >> 20} MiB "
                        f"in {_MOST_FILES:,} files and folders, {_MOST_DEPTH} deep"
                    )
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    todo.append((entry.path, depth + 1))


def _copy(source: Path, entries: Iterable[os.DirEntry[str]], directory: Path) -> None:
    """Copy entries of a directory to another. Raises OSError, and ProgramError for what may lead out of it."""
    top = os.path.realpath(source)
    for entry in entries:
        place = directory / os.path.relpath(entry.path, source)
        if entry.is_symlink():
            leads_to = os.readlink(entry.path)
            # Both where it leads from here and where its words lead from the copy.
            words = os.path.normpath(Path(os.path.relpath(entry.path, source)).parent / leads_to)
            if words.partition("/")[0] in ("", "..") or not Path(os.path.realpath(entry.path)).is_relative_to(top):
                raise ProgramError(f"{entry.path!r} cannot be copied: it is a link that leaves the agent's directory")
            place.symlink_to(leads_to)
        elif entry.is_dir():
            place.mkdir()
        else:
            shutil.copy(_checked_plain(Path(entry.path)), place)


def _checked_plain(path: Path) -> Path:
    if not path.is_file():
        raise ProgramError(f"{str(path)!r} cannot be copied: it is no plain file")
    if path.stat().st_size > _MOST_BYTES:
        raise ProgramError(f"{str(path)!r} is too large to be copied for every game: at most {_MOST_BYTES >> 20} MiB")
    return path


def _plain_files(directory: Path) -> Iterator[Path]:
    return (Path(entry.path) for entry in _entries(directory) if entry.is_file(follow_symlinks=False))


def _tool(name: str) -> str:
    """Return the path of a compiler, or of what runs what it makes."""
    path = shutil.which(name)
    if path is None:
        package = "g++" if name == "g++" else "default-jdk-headless"
        raise ProgramError(f"no {name} found, which this agent needs: install it (Debian: {package})")
    return path


def _compile(source: Path, command: list[str], made: str, directory: Path, runner: Runner, memory: int) -> None:
    """Run a compiler, or lay down what it has made of the same files before. Raises ProgramError."""
    before = set(_plain_files(directory))
    key = (*command, *sorted((str(path.relative_to(directory)), path.read_bytes()) for path in before))
    if key not in _compiled:
        try:
            usage = runner.run(command, directory, _COMPILING._replace(memory=memory))
        except RunnerError as error:
            raise ProgramError(f"{source.name}: {error}") from None
        # Compiling may run the agent's code, so what it has left may be anything.
        after = {str(path.relative_to(directory)): path for path in _plain_files(directory) if path not in before}
        if made not in after:
            why = f"killed for {usage.overstayed}" if usage.overstayed else _first_error(usage.errors)
            raise ProgramError(f"{source.name} does not compile: {why}")
        _compiled[key] = {name: path.read_bytes() for name, path in after.items()}
        return
    for name, content in _compiled[key].items():
        place = directory / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.write_bytes(content)
        place.chmod(0o755)


def _first_error(errors: str) -> str:
    """Return a compiler's first error, fit for any terminal."""
    line = next((line for line in errors.splitlines() if "error" in line), "")
    return last_line(line) or last_line(errors) or "a Java file must hold the class of its name"
