"""The copying of an agent's files into the directory where it plays, and what may be copied at all."""

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from arena.match.limits import ProgramError
from runtime.plain import AT_ONCE

#: The file beside a program that goes with it.
BOOK = "book.json"

#: What may be copied for every game: bytes, files with folders, and folders in each other.
_MOST_BYTES, _MOST_FILES, _MOST_DEPTH = 1 << 28, 10_000, 32


#: What a course's text allows beside a program: sources, and files of helpers. With a C++ program: its headers.
ALLOWED = ("*.py", "*.java", "*.cpp", "*.json", "*.txt")
HEADERS = ("*.h", "*.hh", "*.hpp", "*.hxx")


def allowed_beside(program: str, patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the patterns of the files that may come along with a program, given those of a course."""
    return (*patterns, *(HEADERS if program.endswith(".cpp") else ()))


def is_allowed(path: str, patterns: Iterable[str]) -> bool:
    """Return whether a file may come along: a pattern with a ``/`` is one of whole paths, another of names.

    >>> is_allowed("tables/a.bin", ["*.bin"]), is_allowed("a.bin", ["tables/*.bin"])
    (True, False)
    """
    name = path.rpartition("/")[2]
    return any(fnmatchcase(path if "/" in pattern else name, pattern) for pattern in patterns)


def copy_program(source: Path, whole: Path | None, directory: Path, beside: Sequence[str] | None = None) -> None:
    """Copy an agent into an empty directory.

    source: the program's file. whole: the directory above it that is copied whole; None: the file and a ``book.json``
        beside it. beside: patterns of the files that come along, None for all. Raises ProgramError.
    """
    try:
        if whole is not None:
            _Copying(whole, directory).copy_whole()
            if beside is not None:
                keep_allowed(directory, source.relative_to(whole), beside)
        else:
            # The program is named by the user, so it may be a link; the book beside it is named by nobody.
            with _opened(source) as file:
                _copy_plain(file, source, directory / source.name)
            _Copying(source.parent, directory).copy_one(BOOK)
    except OSError as error:
        raise ProgramError(
            f"{str(source)!r} cannot be copied: {error.strerror or 'not all of it can be read'}"
        ) from None


def keep_allowed(directory: Path, program: Path, beside: Sequence[str]) -> None:
    """Remove the files of a copied agent that a course does not allow beside its program. Raises ProgramError."""
    for path in list(left_out(directory, program, beside)):
        (directory / path).unlink()


def left_out(directory: Path, program: Path, beside: Sequence[str]) -> Iterator[str]:
    """Yield the files of a directory that a course does not allow beside its program. Raises ProgramError."""
    patterns = allowed_beside(program.name, beside)
    for entry in entries(directory):
        path = Path(entry.path).relative_to(directory)
        if entry.is_dir(follow_symlinks=False) or path == program:
            continue
        if not is_allowed(path.as_posix(), patterns):
            yield path.as_posix()


def entries(directory: Path) -> Iterator[os.DirEntry[str]]:
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


def plain_files(directory: Path) -> Iterator[Path]:
    """Return the files in a directory, however deep; raises ProgramError."""
    return (Path(entry.path) for entry in entries(directory) if entry.is_file(follow_symlinks=False))


@contextmanager
def _opened(path: str | Path, flags: int = 0, folder: int | None = None) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY | AT_ONCE | flags, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


if sys.platform != "win32":

    class _Folder:
        """An open folder: what has a name in it stays the same, whatever happens to the names above."""

        def __init__(self, descriptor: int) -> None:
            self._descriptor = descriptor

        def names(self) -> list[str]:
            return os.listdir(self._descriptor)

        def look(self, name: str) -> os.stat_result:
            return os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)

        def link(self, name: str) -> str:
            return os.readlink(name, dir_fd=self._descriptor)

        @contextmanager
        def folder(self, name: str) -> Iterator["_Folder"]:
            with _opened(name, os.O_DIRECTORY | os.O_NOFOLLOW, self._descriptor) as below:
                yield _Folder(below)

        @contextmanager
        def file(self, name: str) -> Iterator[int]:
            with _opened(name, os.O_NOFOLLOW, self._descriptor) as file:
                yield file

    @contextmanager
    def _open_folder(path: Path) -> Iterator[_Folder]:
        with _opened(path, os.O_DIRECTORY) as descriptor:
            yield _Folder(descriptor)

else:

    class _Folder:
        """A folder by its name: Windows opens none."""

        def __init__(self, path: Path) -> None:
            self._path = path

        def names(self) -> list[str]:
            return os.listdir(self._path)

        def look(self, name: str) -> os.stat_result:
            return (self._path / name).lstat()

        def link(self, name: str) -> str:
            return os.readlink(self._path / name)

        @contextmanager
        def folder(self, name: str) -> Iterator["_Folder"]:
            yield _Folder(self._path / name)

        @contextmanager
        def file(self, name: str) -> Iterator[int]:
            with _opened(self._path / name) as file:
                yield file

    @contextmanager
    def _open_folder(path: Path) -> Iterator[_Folder]:
        yield _Folder(path)


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
        with _open_folder(self._source) as folder:
            self._copy_folder(folder, Path())
        self._check_links()

    def copy_one(self, name: str) -> None:
        """Copy what has a name there, if there is anything."""
        with _open_folder(self._source) as folder:
            if name in folder.names():
                self._copy_entry(folder, Path(name))
        self._check_links()

    def _copy_folder(self, folder: _Folder, inside: Path) -> None:
        for name in folder.names():
            self._copy_entry(folder, inside / name)

    def _copy_entry(self, folder: _Folder, inside: Path) -> None:
        found = folder.look(inside.name)
        self._count(found.st_size, len(inside.parts))
        place = self._directory / inside
        if stat.S_ISLNK(found.st_mode):
            place.symlink_to(folder.link(inside.name))
            self._links.append(inside)
        elif stat.S_ISDIR(found.st_mode):
            place.mkdir()
            with folder.folder(inside.name) as below:
                self._copy_folder(below, inside)
        else:
            with folder.file(inside.name) as file:
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
            if words.partition(os.sep)[0] in ("", "..") or not leads_to.is_relative_to(top):
                where = str(self._source / inside)
                raise ProgramError(f"{where!r} cannot be copied: it is a link that leaves the agent's directory")


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
    place.chmod(found.st_mode & 0o777)


def _too_large(directory: Path) -> ProgramError:
    return ProgramError(
        f"{str(directory)!r} is too large to be copied for every game: at most {_MOST_BYTES >> 20} MiB "
        f"in {_MOST_FILES:,} files and folders, {_MOST_DEPTH} deep"
    )
