"""Functions that read and write all files of the project.

The functions that read accept a plain file, or a pipe with a writer, up to the caller's limit of bytes. These functions
refuse directories, devices and sockets without waiting. write_whole() writes a file completely or not at all. A SQLite
file is opened only if SQLite would not write to other programs' files next to it, and would not remove a file whose
name is in a journal.
"""

import errno
import gzip
import hashlib
import json
import mmap
import os
import select
import shutil
import stat
import subprocess
import sys
import zlib
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from io import BufferedReader, BufferedWriter, BytesIO, FileIO, RawIOBase, TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Literal, TextIO, TypeVar

from little_go.runtime.plain import AT_ONCE

if TYPE_CHECKING:
    from sqlite3 import Connection
    from zipfile import ZipFile

_Made = TypeVar("_Made")

#: The exceptions that occur if a file for open_text() is missing, damaged, too large, or not text.
UNREADABLE = (OSError, UnicodeDecodeError)

#: The number of bytes in a MiB, the unit of limits.
MIB = 1 << 20

#: The bytes with which a gzip file begins.
_PACKED = b"\x1f\x8b"

#: The path that means standard output in write_whole().
STANDARD_OUTPUT = Path("-")


def open_file(path: str | Path, most: int, *, plain: bool = False) -> BinaryIO:
    """Open a plain file, or a pipe that has a writer, without waiting.

    most: the maximum size of the file in bytes. plain: whether to refuse pipes and links, too. Raise OSError if the
    file cannot be opened, is larger, or is a directory, a device or a socket.
    """
    descriptor = _opened_plain(path, os.O_RDONLY) if plain else os.open(path, os.O_RDONLY | AT_ONCE)
    found = os.fstat(descriptor)
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISFIFO(found.st_mode)):
        os.close(descriptor)
        why = errno.EISDIR if stat.S_ISDIR(found.st_mode) else errno.EINVAL
        raise OSError(why, os.strerror(why) if why == errno.EISDIR else "neither a file nor a pipe", str(path))
    file = FileIO(descriptor, "rb")
    if stat.S_ISREG(found.st_mode):
        try:
            _check_length(found.st_size, most, path)
        except OSError:
            file.close()
            raise
        return BufferedReader(file)
    with file:
        content = bytearray()
        while (some := file.read(1 << 16)) != b"":
            if some is None:
                select.select([file], [], [])
            content += some or b""
            _check_length(len(content), most, path)
        if not content:
            raise OSError(errno.EINVAL, "a pipe without a writer", str(path))
        return BytesIO(bytes(content))


def _opened_plain(path: str | Path, flags: int) -> int:
    """Return the descriptor of a plain file. Raise OSError if the path is anything else or, on Unix, a link."""
    try:
        descriptor = os.open(path, flags | AT_ONCE | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, "a link, which is not followed here", str(path)) from None
        raise
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        why = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(why, os.strerror(why) if why == errno.EISDIR else "not a plain file", str(path))
    return descriptor


def read_file(path: str | Path, most: int, *, plain: bool = False) -> bytes:
    """Return the content of a file of at most ``most`` bytes. Raise OSError as open_file() does."""
    with open_file(path, most, plain=plain) as file:
        content = file.read(most + 1)
    # Check again, because the file may have grown, and because files in /proc report no length.
    _check_length(len(content), most, path)
    return content


def read_text(path: str | Path, most: int) -> str:
    """Return the text of a UTF-8 file without a byte order mark. Each line ends with ``\\n``."""
    return read_file(path, most).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def sha256_of(path: str | Path, most: int) -> str:
    """Return the SHA-256 of a file's content as 64 hexadecimal digits. Raise OSError as open_file() does."""
    digest = hashlib.sha256()
    with open_file(path, most) as file:
        while some := file.read(MIB):
            digest.update(some)
    return digest.hexdigest()


def why_unreadable(error: OSError | UnicodeDecodeError) -> str:
    """Return a text for messages that describes an exception of UNREADABLE without the name of a codec."""
    if isinstance(error, UnicodeDecodeError):
        return f"not text in {'ASCII' if error.encoding == 'ascii' else 'UTF-8'}"
    return error.strerror or str(error)


def read_end(path: str | Path, most: int) -> bytes:
    """Return the last ``most`` bytes of a plain file of any size. Raise OSError as open_file() does."""
    with open_file(path, sys.maxsize) as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - most))
        return file.read(most)


def open_text(path: str | Path, most: int, encoding: str = "utf-8-sig", errors: str = "strict") -> TextIO:
    """Open a text file as open_file() does. Line ends are not converted.

    A gzip file of any name is unpacked, to at most ``most`` bytes. Opening and reading raise exceptions of UNREADABLE.
    """
    file = open_file(path, most)
    reader = file if isinstance(file, BufferedReader) else BufferedReader(BytesIO(file.read()))
    return TextIOWrapper(_unpacked(reader, most, path), encoding=encoding, errors=errors, newline="")


def read_unpacked(path: str | Path, most: int) -> bytes:
    """Return the content of a file, which is unpacked if it is a gzip file, as in open_text()."""
    with _unpacked(BufferedReader(BytesIO(read_file(path, most))), most, path) as file:
        return file.read()


def _unpacked(file: BufferedReader, most: int, path: str | Path) -> BufferedReader:
    return BufferedReader(_Unpacked(file, most, path)) if file.peek().startswith(_PACKED) else file


class _Unpacked(RawIOBase):
    def __init__(self, file: BinaryIO, most: int, path: str | Path) -> None:
        self._file, self._path, self._length = gzip.GzipFile(fileobj=file), path, 0
        self._packed, self._most = file, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            some = self._file.read(len(buffer))
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise OSError(errno.EINVAL, "its gzip data are damaged", str(self._path)) from None
        buffer[: len(some)] = some
        self._length += len(some)
        _check_length(self._length, self._most, self._path)
        return len(some)

    def close(self) -> None:
        self._packed.close()
        super().close()


def packed(content: bytes) -> bytes:
    """Return the bytes of a gzip file that contains the content but neither a time nor a name.

    This function writes the header itself, because the versions of Python write different headers.
    """
    # The header contains: magic number, deflate, no flags, no time, best compression, Unix.
    head = _PACKED + bytes.fromhex("08 00 00000000 02 03")
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    tail = zlib.crc32(content).to_bytes(4, "little") + (len(content) & 0xFFFFFFFF).to_bytes(4, "little")
    return head + deflate.compress(content) + deflate.flush() + tail


def open_zip(zipped: bytes | str | Path) -> "ZipFile":
    """Open a zip file. zipped: the path of a file of any size, or the content of the file."""
    # Import zipfile only here, because most commands open no zip file.
    from zipfile import ZipFile

    if isinstance(zipped, bytes):
        return ZipFile(BytesIO(zipped))
    # Open the file only to check it, because ZipFile would not close a file that the caller opened.
    open_file(zipped, sys.maxsize).close()
    return ZipFile(zipped)


def zip_of(files: Mapping[str, bytes], programs: Collection[str] = ()) -> bytes:
    """Return a zip file's bytes. The same files in the same order give the same bytes.

    files: maps names to contents. programs: the names of the executable files.
    """
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    zipped = BytesIO()
    with ZipFile(zipped, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # Each file gets the earliest date that a zip file can contain, because the real dates would change the
            # bytes.
            member = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.external_attr = (0o755 if name in programs else 0o644) << 16
            archive.writestr(member, content, ZIP_DEFLATED)
    return zipped.getvalue()


def _check_length(length: int, most: int, path: str | Path) -> None:
    if length > most:
        limit = (
            f"{most} bytes" if most < MIB else f"{most // MIB} MiB" if most % MIB == 0 else f"{most // 1_000_000} MB"
        )
        raise OSError(errno.EFBIG, f"more than {limit}", str(path))


def read_json(path: str | Path, most: int, make: Callable[[Any], _Made], refused: type[Exception]) -> _Made:
    """Parse the JSON in a file, and return the result of ``make`` for the parsed value.

    Raise ``refused`` if the file cannot be read, is not JSON, or if ``make`` raises ``refused``. The message is one
    line, which begins with the file's name.
    """
    try:
        return make(json.loads(read_file(path, most)))
    except OSError as error:
        raise refused(f"{path}: {error.strerror}") from None
    except refused as error:
        raise refused(f"{path}: {error}") from None
    except (ValueError, RecursionError):
        raise refused(f"{path}: not JSON") from None


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file completely or not at all: write ``path`` + ``.tmp``, and rename it.

    content: bytes, or text, which is written as UTF-8. Standard output, as ``-`` or under another name, devices and
    pipes are written directly. If the path is a link, the target of the link is written. Raise OSError if the file
    cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if not _write_through(path, data):
            # Replace the target of a link, not the link, because the user has made the link.
            _replace(os.path.realpath(path) if os.path.islink(path) else os.fspath(path), data)
    except OSError as error:
        # The errors of an open file contain no name, and the errors of the draft contain the draft's name.
        raise OSError(error.errno, error.strerror, str(path)) from None


def check_writable(path: str | Path, *, folder: bool = False) -> None:
    """Raise OSError if write_whole() could not write a file at ``path``.

    folder: whether ``path`` is a directory, which is created with its parents if it does not exist.
    """
    if Path(path) == STANDARD_OUTPUT and not folder:
        return
    real = Path(os.path.realpath(path))
    place = real if folder else real.parent
    while folder and not os.path.lexists(place):
        place = place.parent
    if not folder and real.is_dir():
        why = errno.EISDIR
    elif not place.exists():
        why = errno.ENOENT
    elif not place.is_dir():
        why = errno.ENOTDIR
    elif not os.access(real if not folder and real.exists() and not real.is_file() else place, os.W_OK):
        why = errno.EACCES
    else:
        return
    raise OSError(why, os.strerror(why), str(path))


def _replace(path: str, data: bytes) -> None:
    draft = Path(f"{path}.tmp")
    # An existing draft may be from a killed process, or may be a link, through which this function must not write.
    draft.unlink(missing_ok=True)
    try:
        with open(draft, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _write_through(path: str | Path, data: bytes) -> bool:
    """Write directly to a path that must not be replaced. Return False if the path is to be replaced."""
    try:
        found = os.stat(path) if Path(path) != STANDARD_OUTPUT else None
    except OSError:
        return False
    with suppress(OSError, ValueError):
        if found is None or os.path.samestat(found, os.fstat(sys.stdout.fileno())):
            found = None
    if found is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return True
    if stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode):
        return False
    with open(_to_write(path), "wb") as file:
        file.write(data)
    return True


def open_to_write(path: str | Path, *, add: bool = False) -> TextIO:
    """Open a text file for writing line by line. Raise OSError if the file is a pipe without a reader.

    add: whether to append to the file instead of replacing its content.
    """
    named = _Named(_to_write(path, os.O_CREAT | (os.O_APPEND if add else os.O_TRUNC)), "w")
    named.path = str(path)
    return TextIOWrapper(BufferedWriter(named), encoding="utf-8")


def open_to_add(path: str | Path, *, new: bool) -> BinaryIO:
    """Open a plain file, but not a link, for appending bytes. new: whether to create a missing file."""
    named = _Named(_opened_plain(path, os.O_WRONLY | os.O_APPEND | (os.O_CREAT if new else 0)), "w")
    named.path = str(path)
    return BufferedWriter(named)


def map_bytes(path: str | Path, size: int, empty: int) -> mmap.mmap:
    """Map a plain file of ``size`` bytes, but not a link, into memory for reading and writing.

    empty: the byte with which a missing or shorter file is filled up to ``size``.
    """
    descriptor = _opened_plain(path, os.O_RDWR | os.O_CREAT)
    try:
        there = os.fstat(descriptor).st_size
        if there < size:
            os.lseek(descriptor, there, os.SEEK_SET)
            os.write(descriptor, bytes([empty]) * (size - there))
        return mmap.mmap(descriptor, size)
    finally:
        os.close(descriptor)


class _Named(FileIO):
    """A file whose errors contain the file's name, which the errors of an open file usually omit."""

    path: str

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.path) from None


def _to_write(path: str | Path, flags: int = 0) -> int:
    # Without O_NONBLOCK, opening a pipe would wait until a process reads it.
    descriptor = os.open(path, os.O_WRONLY | AT_ONCE | flags, 0o666)
    if sys.platform != "win32":
        os.set_blocking(descriptor, True)
    return descriptor


def remove_all(path: str | Path) -> None:
    """Remove a file, or a directory with all its content, of any depth and with any permissions.

    Remove only the link if the path is a link, and nothing if the path does not exist. Raise OSError if something
    remains.
    """
    with suppress(OSError):
        os.unlink(path)
    if not os.path.lexists(path):
        return
    with suppress(OSError, RecursionError):
        shutil.rmtree(path)
        return
    if sys.platform == "win32":
        _remove_read_only(path)
    else:
        # These programs follow no links, and have no limit of depth.
        for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*command, "--", os.fspath(path)], stderr=subprocess.DEVNULL, check=False)
    if os.path.lexists(path):
        raise OSError(errno.EBUSY, "cannot be removed", os.fspath(path))


def _remove_read_only(path: str | Path) -> None:
    for folder, _, names in os.walk(path):
        for name in names:
            with suppress(OSError):
                os.chmod(os.path.join(folder, name), stat.S_IWRITE)
    shutil.rmtree(path, ignore_errors=True)


def try_lock(file: IO[Any]) -> bool:
    """Lock an open file. Return False if another process has locked the file.

    On Unix this is a record lock, because forked workers would inherit a lock of flock(), and would keep it after their
    parent was killed.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


#: The suffixes of the files that SQLite uses next to a database. Every journal begins with the bytes of _NAMES_ANOTHER.
#: A journal that contains the name of another file, which SQLite would remove, ends with the length of the name, the
#: name's checksum, and the same bytes.
_BESIDE = ("-journal", "-wal", "-shm")
_NAMES_ANOTHER, _END_BYTES = bytes.fromhex("d9d505f920a163d7"), 16


def open_database(
    path: Path, *, write: bool, timeout: float = 5.0, isolation_level: Literal["DEFERRED"] | None = "DEFERRED"
) -> "Connection":
    """Connect to the SQLite database in a file. write: whether to write, and to create a missing file.

    timeout: seconds to wait for another program's lock. isolation_level: None if the caller begins and ends
    transactions. Raise OSError if SQLite must not open the file, and sqlite3.Error if SQLite cannot open it.
    """
    from sqlite3 import connect
    from urllib.parse import quote

    _check_files(path)
    if write:
        options = "mode=rwc"
    elif os.access(path.parent, os.W_OK) or Path(f"{path}-wal").exists():
        options = "mode=rw"
    else:
        # In WAL mode, even a reader writes next to the file. If a read-only directory has no WAL file, the database is
        # complete, and can be opened as immutable.
        options = "immutable=1"
    uri = f"file:{quote(str(path))}?{options}"
    return connect(uri, uri=True, timeout=timeout, isolation_level=isolation_level)


def database_in_memory() -> "Connection":
    """Return a connection to a new, empty database in memory."""
    from sqlite3 import connect

    return connect(":memory:")


def _check_files(path: Path) -> None:
    """Raise OSError if a database, or a file that SQLite may use next to it, exists but is not a plain file."""
    real = os.path.realpath(path)
    for name in (real, *(f"{real}{end}" for end in _BESIDE)):
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            mode = os.lstat(name).st_mode
            if not stat.S_ISREG(mode) and not (name == real and stat.S_ISDIR(mode)):
                named = str(path) if name == real else name
                raise OSError(errno.EINVAL, "not a plain file, so it is not opened", named)
    journal, end = f"{real}{_BESIDE[0]}", b""
    with suppress(OSError):
        end = read_end(journal, _END_BYTES)
    # A journal that is shorter than this consists only of its beginning, because another process is still writing it.
    if len(end) == _END_BYTES and end.endswith(_NAMES_ANOTHER):
        raise OSError(errno.EINVAL, "it would make SQLite remove another file, so it is not opened", journal)
