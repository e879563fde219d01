"""Copy an agent's files into the directory in which the agent plays, within limits."""

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from little_go.arena.match.limits import MachineError, ProgramError
from little_go.arena.match.machine import is_machine_error
from little_go.runtime.plain import AT_ONCE

#: The flag that makes the opening of a link fail; 0 on Windows, which has no such flag.
NO_LINKS = getattr(os, "O_NOFOLLOW", 0)

#: The name of a program's book of openings, which is copied together with the program.
BOOK = "book.json"

#: Limits for the bytes, the number of files and folders, and the depth of an agent's directory, which is copied for
#: every game.
MOST_BYTES, MOST_FILES, MOST_DEPTH = 1 << 28, 10_000, 32

#: Patterns of the files that a course's assignment allows next to a program, and of the header files that are also
#: allowed next to a C++ program.
ALLOWED = ("*.py", "*.java", "*.cpp", "*.json", "*.txt")
HEADERS = ("*.h", "*.hh", "*.hpp", "*.hxx")


def allowed_beside(program: str, patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the patterns of the files that may be next to a program, including header files for C++."""
    return (*patterns, *(HEADERS if program.endswith(".cpp") else ()))


def is_allowed(path: str, patterns: Iterable[str]) -> bool:
    """Return whether a file's path matches a pattern with ``/``, or its name matches another pattern.

    >>> is_allowed("tables/a.bin", ["*.bin"]), is_allowed("a.bin", ["tables/*.bin"])
    (True, False)
    """
    name = path.rpartition("/")[2]
    return any(fnmatchcase(path if "/" in pattern else name, pattern) for pattern in patterns)


def copy_program(
    source: Path, whole: Path | None, directory: Path, beside: Sequence[str] | None = None, modules: Iterable[str] = ()
) -> None:
    """Copy an agent into an empty directory.

    source: the program's file. whole: the directory around it that is copied; None if only the file, its modules and a
    ``book.json`` next to it are copied. beside: patterns of the other files that are copied; None for all files.
    modules: names of the files and folders next to the program that are copied, too. Raise ProgramError if a file
    cannot be copied.
    """
    try:
        if whole is not None:
            _Copying(whole, directory).copy_whole()
            if beside is not None:
                keep_allowed(directory, source.relative_to(whole), beside)
        else:
            # The program may be a link, because the user gave its name. The book must not be a link, because the user
            # did not name it.
            with _opened(source) as file:
                _copy_plain(file, source, directory / source.name)
            for name in (BOOK, *modules):
                _Copying(source.parent, directory).copy_one(name)
            if beside is not None:
                keep_allowed(directory, Path(source.name), (*beside, BOOK))
    except OSError as error:
        kind = MachineError if is_machine_error(error) else ProgramError
        raise kind(f"{str(source)!r} cannot be copied: {error.strerror or 'not all of it can be read'}") from None


def keep_allowed(directory: Path, program: Path, beside: Sequence[str]) -> None:
    """Remove the files that a course does not allow next to a program."""
    for path in list(disallowed_files(directory, program, beside)):
        (directory / path).unlink()


def disallowed_files(directory: Path, program: Path, beside: Sequence[str]) -> Iterator[str]:
    """Yield the paths of the files that a course does not allow next to a program.

    program: the program's path in the directory. beside: the patterns of the files that the course allows. Raise
    ProgramError if the directory exceeds a limit.
    """
    patterns = allowed_beside(program.name, beside)
    for entry in entries(directory):
        path = Path(entry.path).relative_to(directory)
        if entry.is_dir(follow_symlinks=False) or path == program:
            continue
        if not is_allowed(path.as_posix(), patterns):
            yield path.as_posix()


def entries(directory: Path) -> Iterator[os.DirEntry[str]]:
    """Yield all entries of a directory and of its subfolders, without following links. A folder precedes its contents.

    Raise ProgramError if the directory exceeds a limit.
    """
    files = size = 0
    todo = [(str(directory), 1)]
    while todo:
        folder, depth = todo.pop()
        with os.scandir(folder) as found:
            for entry in found:
                files += 1
                size += entry.stat(follow_symlinks=False).st_size
                if files > MOST_FILES or size > MOST_BYTES or depth > MOST_DEPTH:
                    raise _too_large(directory)
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    todo.append((entry.path, depth + 1))


def plain_files(directory: Path) -> Iterator[Path]:
    """Yield the plain files of a directory and of its subfolders."""
    return (Path(entry.path) for entry in entries(directory) if entry.is_file(follow_symlinks=False))


@contextmanager
def _opened(path: str | Path, flags: int = 0, folder: int | None = None) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY | AT_ONCE | flags, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _open_folder(path: str | Path, flags: int = 0, folder: int | None = None) -> Iterator[int | str]:
    """Yield a descriptor of an open folder, which stays valid if a parent folder is renamed.

    On Windows, which cannot open folders, yield the folder's path.
    """
    if sys.platform == "win32":
        yield str(path)
    else:
        with _opened(path, os.O_DIRECTORY | flags, folder) as descriptor:
            yield descriptor


class _Copying:
    """Copies an agent's directory even if another process changes the directory at the same time.

    Each entry is opened by its name in the open parent folder, without following links, and only the opened file is
    examined. All methods raise OSError if a file cannot be read, and ProgramError if an entry must not be copied.
    """

    def __init__(self, source: Path, directory: Path) -> None:
        self._source = source
        self._directory = directory
        self._files = self._size = 0
        self._links: list[Path] = []

    def copy_whole(self) -> None:
        with _open_folder(self._source) as folder:
            self._copy_folder(folder, Path())
        self._check_links()

    def copy_one(self, name: str) -> None:
        """Copy the file or folder of this name if the directory contains it."""
        with _open_folder(self._source) as folder:
            if name in os.listdir(folder):
                self._copy_entry(folder, Path(name))
        self._check_links()

    def _copy_folder(self, folder: int | str, inside: Path) -> None:
        for name in os.listdir(folder):
            self._copy_entry(folder, inside / name)

    def _copy_entry(self, folder: int | str, inside: Path) -> None:
        name, at = (inside.name, folder) if isinstance(folder, int) else (os.path.join(folder, inside.name), None)
        found = os.stat(name, dir_fd=at, follow_symlinks=False)
        self._count(found.st_size, len(inside.parts))
        place = self._directory / inside
        if stat.S_ISLNK(found.st_mode):
            place.symlink_to(os.readlink(name, dir_fd=at))
            self._links.append(inside)
        elif stat.S_ISDIR(found.st_mode):
            place.mkdir()
            with _open_folder(name, NO_LINKS, at) as below:
                self._copy_folder(below, inside)
        else:
            with _opened(name, NO_LINKS, at) as file:
                _copy_plain(file, self._source / inside, place)

    def _count(self, size: int, depth: int) -> None:
        self._files += 1
        self._size += size
        if self._files > MOST_FILES or self._size > MOST_BYTES or depth > MOST_DEPTH:
            raise _too_large(self._source)

    def _check_links(self) -> None:
        """Raise ProgramError if a link in the copy leads out of the copy, which no other process can change."""
        top = os.path.realpath(self._directory)
        for inside in self._links:
            words = os.path.normpath(inside.parent / os.readlink(self._directory / inside))
            leads_to = Path(os.path.realpath(self._directory / inside))
            if words.partition(os.sep)[0] in ("", "..") or not leads_to.is_relative_to(top):
                where = str(self._source / inside)
                raise ProgramError(f"{where!r} cannot be copied: it is a link that leaves the agent's directory")


def _copy_plain(file: int, path: Path, place: Path) -> None:
    """Copy an open file with its permissions. path: the source's path for messages."""
    found = os.fstat(file)
    if not stat.S_ISREG(found.st_mode):
        raise ProgramError(f"{str(path)!r} cannot be copied: it is not a plain file")
    left = found.st_size
    if left > MOST_BYTES:
        raise ProgramError(f"{str(path)!r} is too large to be copied for every game: at most {MOST_BYTES >> 20} MiB")
    with place.open("xb") as copy:
        # If the file grows during the copying, only the bytes that it had at the start are copied.
        while left and (some := os.read(file, min(left, 1 << 20))):
            left -= len(some)
            copy.write(some)
    place.chmod(found.st_mode & 0o777)


def _too_large(directory: Path) -> ProgramError:
    return ProgramError(
        f"{str(directory)!r} is too large to be copied for every game: at most {MOST_BYTES >> 20} MiB "
        f"in {MOST_FILES:,} files and folders, {MOST_DEPTH} deep"
    )
