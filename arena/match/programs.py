"""From an agent's source to a program that can be started: a Python, Java or C++ file, or a directory with one in it.

Java and C++ are compiled as in the course: ``javac FILE``, then ``java CLASS``; ``g++ -std=c++17 -O2 *.cpp -o exe``,
then ``./exe``. (The course's scripts have ``-O2``, and ``-std=c++0x`` for ``my_player11.cpp``.)
"""

import os
import shlex
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeAlias

from arena.match.process import Limits, Runner, RunnerError, overstay_text
from arena.match.reply import useful_line
from player.files import INPUT_FILE, OUTPUT_FILE

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


class LaidOut(NamedTuple):
    """An agent in the directory that it plays in.

    command: what starts it there. digest: of all its files as they were copied.
    """

    command: list[str]
    digest: str


def lay_out(
    source: Path,
    whole: Path | None,
    directory: Path,
    python: Sequence[str],
    runner: Runner,
    memory: int,
    *,
    alone: bool = False,
) -> LaidOut:
    """Copy an agent into an empty directory, and compile it there.

    source: the program's file. whole: the directory above it that is copied whole; None: the file and a ``book.json``
        beside it. python: the words that start a Python file. memory: bytes for the compiler, 0 for any number.
    alone: whether a C++ file is compiled without the others beside it. Raises ProgramError.
    """
    program = Path(source.name) if whole is None else source.relative_to(whole)
    try:
        if whole is not None:
            _Copying(whole, directory).copy_whole()
        else:
            # The program is named by the user, so it may be a link; the book beside it is named by nobody.
            with _opened(source, 0) as file:
                _copy_plain(file, source, directory / source.name)
            _Copying(source.parent, directory).copy_one(BOOK)
    except OSError as error:
        raise ProgramError(
            f"{str(source)!r} cannot be copied: {error.strerror or 'not all of it can be read'}"
        ) from None
    digest = directory_digest(directory)
    return LaidOut(_prepared(program, directory, python, runner, memory, alone=alone), digest)


def _prepared(
    program: Path, directory: Path, python: Sequence[str], runner: Runner, memory: int, *, alone: bool
) -> list[str]:
    """Compile an agent in its directory, and return the command that starts it there. Raises ProgramError."""
    folder = program.parent
    beside = sorted(str(folder / path.name) for path in (directory / folder).glob("*.cpp"))
    sources = beside if program.suffix == ".cpp" and not alone else [str(program)]
    for name in sources:
        # Compilers take such a name for an option or a file of options; g++ hands it on to others, even with ./ before.
        if name.startswith(("-", "@")):
            raise ProgramError(f"{name!r} is no name for a program's file")
    if program.suffix == ".java":
        made = str(program.with_suffix(".class"))
        _compile(program, [_tool("javac"), str(program)], made, directory, runner, memory)
        return [_tool("java"), *(() if folder == Path() else ("-cp", str(folder))), program.stem]
    if program.suffix == ".cpp":
        _compile(program, [_tool("g++"), "-std=c++17", "-O2", *sources, "-o", "exe"], "exe", directory, runner, memory)
        return ["./exe"]
    return [*python, str(program)]


def command_digest(words: Sequence[str]) -> str:
    """Return a digest of a command and of those of its words that are files; what these use further is not known."""
    digest = sha256()
    for word in words:
        digest.update(os.fsencode(word) + b"\0")
        with suppress(OSError, ValueError):
            if os.path.isfile(word):
                digest.update(sha256(Path(word).read_bytes()).digest())
    return digest.hexdigest()


def directory_digest(directory: Path) -> str:
    """Return a digest of the files in a directory, but for those that the host and Python write there."""
    digest = sha256()
    for entry in sorted(_entries(directory), key=lambda entry: entry.path):
        path = Path(entry.path).relative_to(directory)
        if str(path) in (INPUT_FILE, OUTPUT_FILE) or "__pycache__" in path.parts:
            continue
        found = entry.stat(follow_symlinks=False)
        digest.update(os.fsencode(path) + b"\0" + b"%o" % (found.st_mode & 0o170111) + b"\0")
        if entry.is_symlink():
            digest.update(os.fsencode(os.readlink(entry.path)) + b"\0")
        elif entry.is_file():
            digest.update(sha256(Path(entry.path).read_bytes()).digest())
    return digest.hexdigest()


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
                    raise _too_large(directory)
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    todo.append((entry.path, depth + 1))


class _Copying:
    """The copying of an agent's directory, which somebody may change meanwhile.

    Each folder and file is opened by its name in the open folder above it, no link is followed, and what was opened is
    looked at, not what a name led to before. All of it raises OSError, and ProgramError for what is not to be copied.
    """

    def __init__(self, source: Path, directory: Path) -> None:
        """Prepare to copy from one directory to another."""
        self._source = source
        self._directory = directory
        self._files = self._size = 0
        self._links: list[Path] = []

    def copy_whole(self) -> None:
        """Copy all that is there."""
        with _opened(self._source, os.O_DIRECTORY) as folder:
            self._copy_folder(folder, Path())
        self._check_links()

    def copy_one(self, name: str) -> None:
        """Copy what has a name there, if there is anything."""
        with _opened(self._source, os.O_DIRECTORY) as folder:
            if name in os.listdir(folder):
                self._copy_entry(folder, Path(name))
        self._check_links()

    def _copy_folder(self, folder: int, inside: Path) -> None:
        for name in os.listdir(folder):
            self._copy_entry(folder, inside / name)

    def _copy_entry(self, folder: int, inside: Path) -> None:
        found = os.stat(inside.name, dir_fd=folder, follow_symlinks=False)
        self._count(found.st_size, len(inside.parts))
        place = self._directory / inside
        if stat.S_ISLNK(found.st_mode):
            place.symlink_to(os.readlink(inside.name, dir_fd=folder))
            self._links.append(inside)
        elif stat.S_ISDIR(found.st_mode):
            place.mkdir()
            with _opened(inside.name, os.O_DIRECTORY | os.O_NOFOLLOW, folder) as below:
                self._copy_folder(below, inside)
        else:
            with _opened(inside.name, os.O_NOFOLLOW, folder) as file:
                _copy_plain(file, self._source / inside, place)

    def _count(self, size: int, depth: int) -> None:
        self._files += 1
        self._size += size
        if self._files > _MOST_FILES or self._size > _MOST_BYTES or depth > _MOST_DEPTH:
            raise _too_large(self._source)

    def _check_links(self) -> None:
        """Raise ProgramError for a copied link that leads out of the copy, which nobody else changes."""
        top = os.path.realpath(self._directory)
        for inside in self._links:
            words = os.path.normpath(inside.parent / os.readlink(self._directory / inside))
            leads_to = Path(os.path.realpath(self._directory / inside))
            if words.partition("/")[0] in ("", "..") or not leads_to.is_relative_to(top):
                where = str(self._source / inside)
                raise ProgramError(f"{where!r} cannot be copied: it is a link that leaves the agent's directory")


@contextmanager
def _opened(path: str | Path, flags: int, folder: int | None = None) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _copy_plain(file: int, path: Path, place: Path) -> None:
    """Copy an open file with its permissions; ``path`` is what it is called. Raises OSError, ProgramError."""
    found = os.fstat(file)
    if not stat.S_ISREG(found.st_mode):
        raise ProgramError(f"{str(path)!r} cannot be copied: it is no plain file")
    left = found.st_size
    if left > _MOST_BYTES:
        raise ProgramError(f"{str(path)!r} is too large to be copied for every game: at most {_MOST_BYTES >> 20} MiB")
    with place.open("xb") as copy:
        # No more than it had, should it grow.
        while left and (some := os.read(file, min(left, 1 << 20))):
            left -= len(some)
            copy.write(some)
        os.fchmod(copy.fileno(), found.st_mode & 0o777)


def _too_large(directory: Path) -> ProgramError:
    return ProgramError(
        f"{str(directory)!r} is too large to be copied for every game: at most {_MOST_BYTES >> 20} MiB "
        f"in {_MOST_FILES:,} files and folders, {_MOST_DEPTH} deep"
    )


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
            why = usage.overstayed and overstay_text(usage, _COMPILING)
            why = why or _first_error(usage.errors)
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
    return useful_line(line) or useful_line(errors) or "a Java file must hold the class of its name"
