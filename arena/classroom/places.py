"""Where submissions lie: a directory or a zip, read without following a link and within limits."""

import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from runtime.files import open_zip, read_file

#: What one submission may hold: bytes and files.
MOST_BYTES, MOST_FILES = 1 << 28, 10_000

#: Files by their paths, with slashes.
Files: TypeAlias = dict[str, bytes]

#: What file systems, editors and Python leave behind: in no submission on purpose.
_LEFT_BEHIND = {"__MACOSX", "__pycache__", ".DS_Store", ".git", ".idea", ".vscode", "Thumbs.db", ".ipynb_checkpoints"}

#: What zipfile raises for a file that is damaged, or packed or locked in a way that it cannot open.
_BAD_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


class BadPlace(ValueError):
    """A submission, or all of them, that cannot be read; the message is one line."""


class Place(Protocol):
    """Files somewhere.

    paths: of all that can be read, sorted, and of empty folders, with a slash behind. left_out: of links and other
    things that are no file.
    """

    paths: list[str]
    left_out: list[str]

    def size(self, path: str) -> int:
        """Return the bytes of a file, as its place states them."""

    def read(self, path: str) -> bytes:
        """Return a file's content; raises BadPlace."""


class Directory:
    """A directory of the file system."""

    def __init__(self, top: Path) -> None:
        """Look for all files; raises BadPlace."""
        self._top = top
        self.paths: list[str] = []
        self.left_out: list[str] = []

        def refuse(error: OSError) -> None:
            raise BadPlace(f"{error.filename}: cannot be read: {error.strerror}")

        for folder, folders, names in os.walk(top, onerror=refuse):
            # A link to a directory is among the folders, and would not be entered.
            for name in [*names, *(each for each in folders if os.path.islink(os.path.join(folder, each)))]:
                full = os.path.join(folder, name)
                path = os.path.relpath(full, top)
                plain = stat.S_ISREG(os.lstat(full).st_mode)
                (self.paths if plain else self.left_out).append(path.replace(os.sep, "/"))
            if not folders and not names and folder != str(top):
                self.paths.append(f"{os.path.relpath(folder, top).replace(os.sep, '/')}/")
        self.paths.sort()

    def size(self, path: str) -> int:
        """Return the bytes of a file."""
        return (self._top / path).lstat().st_size

    def read(self, path: str) -> bytes:
        """Return a file's content; raises BadPlace."""
        try:
            return read_file(self._top / path, MOST_BYTES, plain=True)
        except OSError as error:
            raise BadPlace(f"{path}: cannot be read: {error.strerror}") from None


class Zip:
    """A zip. Names that lead out of it, and links in it, are left out."""

    def __init__(self, content: "bytes | Path", name: str) -> None:
        """Read its list; name: what it is called in messages. Raises BadPlace."""
        self._name = name
        try:
            self._zip = open_zip(content)
            self._members = {}
            self.left_out: list[str] = []
            for member in self._zip.infolist():
                path = member.filename.replace("\\", "/")
                if stat.S_ISLNK(member.external_attr >> 16) or path.startswith("/") or ".." in path.split("/"):
                    self.left_out.append(path)
                else:
                    self._members[path] = member
        except _BAD_ZIP as error:
            raise BadPlace(f"{name}: no zip that can be read: {_line(error)}") from None
        folders = {folder for path in self._members for folder in _folders_of(path)}
        # A zip may list folders, but only empty ones tell something.
        self.paths = sorted(path for path in self._members if not path.endswith("/") or path not in folders)

    def size(self, path: str) -> int:
        """Return the bytes that a file has when it is unpacked, as the zip states them."""
        return self._members[path].file_size

    def read(self, path: str) -> bytes:
        """Return a file's content; raises BadPlace."""
        try:
            with self._zip.open(self._members[path]) as file:
                # It may unpack to more than it states.
                return file.read(MOST_BYTES + 1)
        except _BAD_ZIP as error:
            raise BadPlace(f"{self._name}: {path} cannot be unpacked: {_line(error)}") from None


def _folders_of(path: str) -> list[str]:
    """Return the folders that a file or folder is in, each with a slash behind."""
    parts = path.rstrip("/").split("/")[:-1]
    return ["/".join(parts[: number + 1]) + "/" for number in range(len(parts))]


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__


def open_place(path: Path) -> Place:
    """Open a directory or a zip that a user names; raises BadPlace."""
    if path.is_dir():
        return Directory(path)
    if not path.exists():
        raise BadPlace(f"{str(path)!r} does not exist: name a folder or a zip with a folder or zip for each student")
    if not path.is_file():
        raise BadPlace(f"{str(path)!r} is neither a folder nor a file")
    return Zip(path, str(path))


class SubmittedFile(NamedTuple):
    """A file of a submission: its path there, and how it is read."""

    path: str
    size: int
    read: Callable[[], bytes]


def is_left_behind(path: str) -> bool:
    """Return whether a file is nothing that a student has handed in on purpose.

    >>> is_left_behind("__MACOSX/._my_player3.py"), is_left_behind("my_player3.py")
    (True, False)
    """
    parts = path.split("/")
    return bool(_LEFT_BEHIND & set(parts)) or parts[-1].startswith("._")


def read_parts(parts: Iterable[SubmittedFile]) -> Files:
    """Return the files of a submission; one zip alone, and folders around all of them, are opened. Raises BadPlace."""
    kept = [part for part in parts if part.path and not part.path.endswith("/") and not is_left_behind(part.path)]
    _check(len(kept), sum(part.size for part in kept))
    files = {part.path: part.read() for part in kept}
    _check(len(files), sum(map(len, files.values())))
    while len(files) == 1 and next(iter(files)).lower().endswith(".zip"):
        ((path, content),) = files.items()
        inner = Zip(content, path)
        names = [name for name in inner.paths if not name.endswith("/") and not is_left_behind(name)]
        _check(len(names), sum(map(inner.size, names)))
        files = {name: inner.read(name) for name in names}
        _check(len(files), sum(map(len, files.values())))
    return without_wrapping(files)


def without_wrapping(files: Files) -> Files:
    """Return the files without the folders that all of them are in.

    >>> list(without_wrapping({"hw2/alice/my_player3.py": b"", "hw2/alice/book.json": b""}))
    ['my_player3.py', 'book.json']
    """
    while files and all("/" in path for path in files) and len({path.split("/")[0] for path in files}) == 1:
        files = {path.partition("/")[2]: content for path, content in files.items()}
    return files


def _check(files: int, size: int) -> None:
    if files > MOST_FILES or size > MOST_BYTES:
        raise BadPlace(f"too large: at most {MOST_BYTES >> 20} MiB in {MOST_FILES:,} files")
