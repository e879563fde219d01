"""Access to submissions in a directory or a zip, within limits and without following links.

This module imports only the standard library and Little-Go, because the process that opens students' archives runs
without site packages.
"""

import os
import stat
import unicodedata
import weakref
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader, FileIO
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

from little_go.arena.match.copying import MOST_BYTES, MOST_DEPTH, MOST_FILES, NO_LINKS
from little_go.runtime.plain import AT_ONCE

#: Maximum bytes of a file name and of a path in a submission.
MOST_NAME, MOST_PATH = 200, 800

#: An archive that unpacks to more than FREE_BYTES must not unpack to more than MOST_RATIO times its own bytes.
FREE_BYTES, MOST_RATIO = 1 << 25, 200

#: Maximum bytes of the list of files in the archive of a class, and in the archive of a submission.
MOST_CLASS_LIST, MOST_LIST = 3 << 23, 1 << 21

#: Maximum number of files and folders in one folder of a class.
_MOST_LEVEL = 100_000

#: Names of files and folders that file systems, editors and Python leave behind.
_LEFT_BEHIND = {
    *("__macosx", "__pycache__", ".ds_store", ".git", ".idea", ".vscode", "thumbs.db", "desktop.ini"),
    *(".ipynb_checkpoints", ".venv", ".pytest_cache", ".mypy_cache", ".ruff_cache"),
}

#: The compression methods that need little memory, because their window has at most 32 KiB.
_PLAIN_PACKING = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

#: The flag of a zip entry that needs a password.
_ENCRYPTED = 1

#: The exceptions that zipfile raises for damaged, unsupported or encrypted files.
BAD_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


#: The reason why a link is dropped.
LINK = "a link is not a file"


class BadPlace(ValueError):
    """Raised if a submission or a class cannot be read; the message is one line."""


class Unreadable(BadPlace):
    """Raised if a file or folder cannot be read because it is damaged, or because the system forbids it."""


class SubmittedFile(NamedTuple):
    """A file of a submission.

    path: the path in the submission. size: the size in bytes that the directory or the zip states. stream: a function
    that opens the file, or raises BadPlace. Reading the opened file can raise an exception of BAD_ZIP.
    """

    path: str
    size: int
    stream: Callable[[], BinaryIO]


class Dropped(NamedTuple):
    """A submitted file that is not used. why: a clause on the reason."""

    path: str
    why: str


class Level(NamedTuple):
    """The sorted names in a folder. links: the names of links and of other entries except folders and plain files."""

    folders: list[str]
    files: list[str]
    links: list[str]


class FileTree(Protocol):
    """A tree of files that can be read. The path of a folder ends with a slash, and "" is the path of the top folder.

    dropped: entries of the tree that are not used.
    """

    dropped: list[Dropped]

    def level(self, folder: str) -> Level:
        """Return the names in a folder, or raise BadPlace if the folder cannot be read."""

    def below(self, folder: str) -> "tuple[list[SubmittedFile], list[Dropped]]":
        """Return all files below a folder, with paths relative to the folder, and the entries that were dropped.

        Raise BadPlace if the files exceed the limits of a submission.
        """

    def file(self, path: str) -> SubmittedFile:
        """Return the file at a path. The path of the returned SubmittedFile is only the file's name."""


class Directory:
    """A directory of the file system."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self.dropped: list[Dropped] = []

    def level(self, folder: str) -> Level:
        """Return the names in a folder."""
        found = Level([], [], [])
        for number, entry in enumerate(_scan(self._top / folder), 1):
            if number > _MOST_LEVEL:
                raise BadPlace(f"{self._top / folder}: more than {_MOST_LEVEL:,} files and folders")
            if entry.is_symlink():
                found.links.append(entry.name)
            elif entry.is_dir(follow_symlinks=False):
                found.folders.append(entry.name)
            else:
                (found.files if entry.is_file(follow_symlinks=False) else found.links).append(entry.name)
        return Level(*map(sorted, found))

    def below(self, folder: str) -> tuple[list[SubmittedFile], list[Dropped]]:
        """Return all files below a folder."""
        found: list[SubmittedFile] = []
        dropped: list[Dropped] = []
        todo, entries, size = [""], 0, 0
        while todo:
            inside = todo.pop()
            for entry in sorted(_scan(self._top / folder / inside, inside), key=lambda entry: entry.name):
                entries += 1
                path = inside + entry.name
                why = LINK if entry.is_symlink() else name_fault(path)
                if why:
                    dropped.append(Dropped(path, why))
                elif entry.is_dir(follow_symlinks=False):
                    todo.append(f"{path}/")
                elif entry.is_file(follow_symlinks=False):
                    found.append(self._submitted(folder + path, path))
                    size += found[-1].size
                else:
                    dropped.append(Dropped(path, "not a plain file"))
                check_size(entries, size)
        return sorted(found), dropped

    def file(self, path: str) -> SubmittedFile:
        """Return a file by its path."""
        return self._submitted(path, path.rpartition("/")[2])

    def _submitted(self, path: str, name: str) -> SubmittedFile:
        def opened() -> BinaryIO:
            try:
                return open(os.open(self._top / path, os.O_RDONLY | NO_LINKS | AT_ONCE), "rb")
            except OSError as error:
                raise Unreadable(f"{path}: cannot be read: {error.strerror}") from None

        return SubmittedFile(name, (self._top / path).lstat().st_size, opened)


def _scan(folder: Path, shown: str = "") -> Iterator["os.DirEntry[str]"]:
    """Yield the entries of a folder, or raise Unreadable. shown: the folder's name in the message."""
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError as error:
        raise Unreadable(f"{shown or folder.name}: cannot be read: {error.strerror}") from None


class _Archive(BufferedReader):
    """The file of an archive, with a limit on the number of bytes that one call can read."""

    def __init__(self, path: Path, most: int) -> None:
        super().__init__(FileIO(path, "rb"))
        self._most = most

    def read(self, size: int | None = -1) -> bytes:
        """Read bytes, or raise BadPlace if they are more than the limit."""
        some = super().read(self._most + 1 if size is None or size < 0 else min(size, self._most + 1))
        if len(some) > self._most:
            raise BadPlace(f"the list of its files has more than {self._most:,} bytes")
        return some


class Zip:
    """A zip file. Links, and entries that lead out of the zip, are dropped."""

    def __init__(self, path: Path, name: str, most: int = MOST_LIST, *, plain: bool = True) -> None:
        """Read the list of entries. Raise BadPlace if the zip is damaged or its list is too long.

        name: the zip's name in messages. most: the maximum bytes of the list. plain: whether entries must use a
        compression method that needs little memory.
        """
        self._name, self._plain = name, plain
        self._members: dict[str, zipfile.ZipInfo] = {}
        self._levels: dict[str, tuple[set[str], set[str]]] = {"": (set(), set())}
        self.dropped: list[Dropped] = []
        try:
            file = _Archive(path, most)
            # The zip stays open, because the files of a submission are opened much later, or never.
            weakref.finalize(self, file.close)
            self._zip = zipfile.ZipFile(file)
            self.packed = path.stat().st_size
            for member in self._zip.infolist():
                self._add(member)
        except BadPlace as error:
            raise BadPlace(f"{name}: {error}") from None
        except BAD_ZIP as error:
            raise BadPlace(f"{name}: {_zip_fault(error)}") from None
        for each in [path for path in self._members if f"{path}/" in self._levels]:
            self.dropped.append(Dropped(each, "it is also a folder"))
            folder, _, last = each.rpartition("/")
            self._levels[f"{folder}/" if folder else ""][1].discard(last)
            del self._members[each]

    def _add(self, member: zipfile.ZipInfo) -> None:
        path = _plain_path(member.filename)
        if not path:
            # This entry is the top folder.
            return
        why = LINK if stat.S_ISLNK(member.external_attr >> 16) else name_fault(path.rstrip("/"))
        if why:
            self.dropped.append(Dropped(path, why))
            return
        above = ""
        parts = path.rstrip("/").split("/")
        for part in parts if path.endswith("/") else parts[:-1]:
            self._levels[above][0].add(part)
            above += f"{part}/"
            self._levels.setdefault(above, (set(), set()))
        if not path.endswith("/"):
            if path in self._members:
                self.dropped.append(Dropped(path, "the zip contains two such files, and the last one counts"))
            self._levels[above][1].add(parts[-1])
            self._members[path] = member

    def level(self, folder: str) -> Level:
        """Return the names in a folder."""
        folders, files = self._levels.get(folder, ((), ()))
        return Level(sorted(folders), sorted(files), [])

    def below(self, folder: str) -> tuple[list[SubmittedFile], list[Dropped]]:
        """Return all files below a folder."""
        found, todo, size, packed = [], [folder], 0, 0
        while todo:
            above = todo.pop()
            folders, files = self._levels.get(above, ((), ()))
            todo += (f"{above}{each}/" for each in folders)
            for each in files:
                member = self._members[above + each]
                found.append(self._submitted(above + each, (above + each)[len(folder) :]))
                size, packed = size + member.file_size, packed + member.compress_size
                check_size(len(found), size)
        # Several entries can share the same compressed bytes, so their sum can exceed the size of the zip.
        check_ratio(size, min(packed, self.packed))
        return sorted(found), [each for each in self.dropped if each.path.startswith(folder)]

    def file(self, path: str) -> SubmittedFile:
        """Return a file by its path."""
        return self._submitted(path, path.rpartition("/")[2])

    def _submitted(self, path: str, name: str) -> SubmittedFile:
        member = self._members[path]

        def opened() -> BinaryIO:
            if member.flag_bits & _ENCRYPTED:
                raise Unreadable(f"{self._name} needs a password: hand it in without one")
            if self._plain and member.compress_type not in _PLAIN_PACKING:
                raise Unreadable(f"{self._name}: {path} is packed in a way that only some programs can unpack")
            try:
                return self._zip.open(member)  # type: ignore[return-value]
            except BAD_ZIP as error:
                raise Unreadable(f"{self._name}: {path} cannot be unpacked: {_line(error)}") from None

        return SubmittedFile(name, member.file_size, opened)


def _plain_path(name: str) -> str:
    """Return the path to which common programs unpack a zip's entry, relative to the target folder.

    >>> _plain_path("./hw2\\\\./my_player3.py"), _plain_path("/my_player3.py"), _plain_path("a/")
    ('hw2/my_player3.py', 'my_player3.py', 'a/')
    """
    parts = name.replace("\\", "/").split("/")
    kept = [part for part in parts[:-1] if part not in ("", ".")]
    return "/".join([*kept, parts[-1]])


def name_fault(path: str) -> str:
    """Return a clause on why a path in a submission cannot be used, or "".

    >>> name_fault("a/my_player3.py"), name_fault("../my_player3.py")
    ('', 'it leads out of the submission')
    """
    parts = path.split("/")
    if path.startswith("/") or ".." in parts:
        return "it leads out of the submission"
    if any(part in ("", ".") for part in parts) or "\0" in path:
        return "its name is not the name of a file"
    try:
        encoded = path.encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    if len(encoded) > MOST_PATH or any(len(part.encode()) > MOST_NAME for part in parts):
        return f"its name has more than {MOST_NAME} bytes, or its path more than {MOST_PATH}"
    return f"more than {MOST_DEPTH} nested folders" if len(parts) > MOST_DEPTH else ""


def check_size(files: int, size: int) -> None:
    """Raise BadPlace if a submission has too many files or bytes."""
    if files > MOST_FILES or size > MOST_BYTES:
        raise BadPlace(f"too large: at most {MOST_BYTES >> 20} MiB in {MOST_FILES:,} files")


def check_ratio(size: int, packed: int) -> None:
    """Raise BadPlace if an archive unpacks to too many bytes for its size."""
    if size > max(FREE_BYTES, MOST_RATIO * packed):
        raise BadPlace(f"too large: {size:,} bytes, packed into {packed:,}: at most {MOST_RATIO} times as many")


def copy_file(part: SubmittedFile, place: Path, most: int) -> int:
    """Copy a file of a submission, and return the number of bytes.

    Raise BadPlace if the file has more than ``most`` bytes, Unreadable if the file is damaged, and OSError if the copy
    cannot be written.
    """
    size = 0
    with part.stream() as source, place.open("xb") as copy:
        while True:
            try:
                some = source.read(1 << 18)
            except BAD_ZIP as error:
                raise Unreadable(f"{part.path}: cannot be read: {_line(error)}") from None
            if not some:
                return size
            size += len(some)
            if size > most:
                # A file in a zip may unpack to more bytes than the zip states.
                check_size(0, MOST_BYTES + 1)
            copy.write(some)


def open_place(path: Path) -> FileTree:
    """Open the directory or zip at a path that the user gave, or raise BadPlace."""
    if path.is_dir():
        return Directory(path)
    if not path.exists():
        raise BadPlace(f"{str(path)!r} does not exist: name a folder or a zip with a folder or zip for each student")
    if not path.is_file():
        raise BadPlace(f"{str(path)!r} is neither a folder nor a file")
    try:
        return Zip(path, str(path), MOST_CLASS_LIST)
    except BadPlace as error:
        raise BadPlace(
            f"{error}; unpack it, and name the folder" if "list of its" in str(error) else str(error)
        ) from None


def normalized_name(name: str) -> str:
    """Return a normalized name for comparisons, without differences in Unicode form, case and blanks.

    >>> normalized_name("Ju\u0308rgen  M"), normalized_name("\u2167")
    ('j\xfcrgen m', 'viii')
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def is_left_behind(path: str) -> bool:
    """Return whether a file was left behind by a program, so that no student submitted it on purpose.

    >>> is_left_behind("__MACOSX/._my_player3.py"), is_left_behind("my_player3.py")
    (True, False)
    """
    parts = path.casefold().split("/")
    return not _LEFT_BEHIND.isdisjoint(parts) or parts[-1].startswith("._")


def without_strays(parts: Iterable[SubmittedFile]) -> list[SubmittedFile]:
    """Return the files that were not left behind by programs."""
    return [part for part in parts if not is_left_behind(part.path)]


def _zip_fault(error: BaseException) -> str:
    if isinstance(error, zipfile.BadZipFile) and "not a zip" in str(error):
        return "not a zip file"
    return f"a damaged zip: {_line(error)}"


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
