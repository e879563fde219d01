import errno
import gzip
import io
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import pytest

from little_go.runtime.errors import BadUsage, error_text, writing
from little_go.runtime.files import (
    MIB,
    check_writable,
    map_bytes,
    open_database,
    open_file,
    open_text,
    open_to_add,
    open_to_write,
    open_zip,
    packed,
    read_file,
    remove_all,
    try_lock,
    why_unreadable,
    write_whole,
    zip_of,
)
from tests.background import run_together


@pytest.mark.parametrize(("content", "data"), [("é\n", b"\xc3\xa9\n"), (b"\x00\xff", b"\x00\xff")])
def test_a_file_is_written_and_nothing_else(tmp_path: Path, content: str | bytes, data: bytes) -> None:
    path = tmp_path / "file"
    write_whole(path, "of before")
    write_whole(path, content)
    assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_put_in_place_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "directory"
    path.mkdir()
    with pytest.raises(OSError, match="directory") as error:
        write_whole(path, "text")
    assert error.value.filename == str(path)
    assert path.is_dir()
    assert list(tmp_path.iterdir()) == [path]


def test_every_new_file_can_be_read_and_written_but_not_executed(tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        write_whole(tmp_path / "whole", "")
        open_to_write(tmp_path / "lines").close()
        open_to_add(tmp_path / "bytes", new=True).close()
        map_bytes(tmp_path / "mapped", 1, 0).close()
    finally:
        os.umask(before)
    modes = {each.name: oct(each.stat().st_mode & 0o777) for each in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("whole", "lines", "bytes", "mapped"), "0o664")


@pytest.mark.parametrize(
    ("content", "whole"), [(None, b"...."), (b"", b"...."), (b"abc", b"abc."), (b"abcd", b"abcd"), (b"abcde", b"abcde")]
)
def test_a_file_that_is_mapped_keeps_its_bytes_and_is_filled(
    tmp_path: Path, content: bytes | None, whole: bytes
) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    with map_bytes(path, 4, ord(".")) as mapped:
        assert path.read_bytes() == whole
        assert mapped[:] == whole[:4]
        mapped[1] = ord("!")
    assert path.read_bytes() == whole[:1] + b"!" + whole[2:]


def test_lines_are_added_or_replace_the_lines_of_before(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    for add, lines in ((True, "1\n"), (True, "1\n1\n"), (False, "1\n")):
        with open_to_write(path, add=add) as file:
            print(1, file=file)
        assert path.read_text() == lines


# Paths that must not be replaced


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """Create a device like /dev/full, to which no byte can be written."""
    device = tmp_path / "full"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 7))
        os.close(os.open(device, os.O_RDONLY))
    except OSError as error:
        pytest.skip(f"no device can be made here: {error}")
    return device


def test_a_device_is_written_to_and_not_replaced(full: Path) -> None:
    with pytest.raises(OSError, match="No space left on device") as error:
        write_whole(full, "text")
    assert error.value.filename == str(full)
    assert stat.S_ISCHR(full.stat().st_mode)


def test_lines_for_a_full_disk_name_the_file(full: Path) -> None:
    with pytest.raises(OSError, match="No space left on device") as error, open_to_write(full, add=True) as file:
        print("text", file=file, flush=True)
    assert error_text(error.value) == f"{full}: No space left on device"


def test_an_error_without_a_file_is_told_without_one() -> None:
    assert error_text(OSError(errno.ENOSPC, "No space left on device")) == "No space left on device"
    with pytest.raises(BadUsage) as error, writing():
        raise OSError(errno.ENOSPC, "No space left on device")
    assert error.value.message == "cannot write: No space left on device"


def test_a_pipe_gets_what_is_written(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="No such device"):
        write_whole(pipe, "nobody reads it")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, "text")
    assert os.read(reader, 100) == b"text"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/file")
    for text in ("new", "changed"):
        write_whole(tmp_path / "link", text)
        assert (tmp_path / "link").readlink() == Path("folder/file")
        assert (tmp_path / "folder" / "file").read_text() == text


@pytest.mark.parametrize(("name", "to_file"), [("-", 0), ("-", 1), ("/dev/stdout", 0), ("/dev/stdout", 1), ("out", 1)])
def test_standard_output_is_written_in_order(tmp_path: Path, name: str, to_file: bool) -> None:
    source = "import sys; from little_go.runtime.files import write_whole; print(1); "
    source += "write_whole(sys.argv[1], '2\\n'); print(3)"
    name = str(tmp_path / "out") if name == "out" else name
    with (tmp_path / "out").open("wb") as out:
        command = [sys.executable, "-c", source, name]
        done = subprocess.run(command, stdout=out if to_file else subprocess.PIPE, check=True)
    assert ((tmp_path / "out").read_bytes() if to_file else done.stdout) == b"1\n2\n3\n"


def test_standard_output_has_the_text_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        write_whole("-", "text")
        assert (tmp_path / "out").read_text() == "text"


def test_a_minus_is_standard_output_only_where_a_file_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-").mkdir()
    check_writable("-")
    Path("-").rmdir()
    Path("-").touch()
    check_writable("-")
    with pytest.raises(NotADirectoryError):
        check_writable("-", folder=True)


# Paths that a user names


def test_a_pipe_that_nobody_writes_to_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="without a writer"):
        read_file(tmp_path / "pipe", MIB)


def test_a_pipe_is_read_to_its_end() -> None:
    source = "import sys; from little_go.runtime.files import open_text; print(list(open_text(sys.argv[1], 1000)))"
    command = f"{sys.executable} -c \"{source}\" <(printf 'a\\n'; sleep 0.3; printf 'b\\n')"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "['a\\n', 'b\\n']\n"


@pytest.mark.parametrize("reader", [open_file, read_file])
def test_a_pipe_is_read_up_to_the_limit(reader: Callable[[str, int], object]) -> None:
    """Each reader checks the limit itself, because a writer may never stop."""
    for size, most in ((1000, 1000), (1001, 1000), (0, 1000)):
        out, into = os.pipe()
        os.write(into, b"x" * size)
        os.close(into)
        try:
            if size in (0, most + 1):
                with pytest.raises(OSError, match="without a writer" if size == 0 else "more than 1000 bytes"):
                    reader(f"/dev/fd/{out}", most)
            else:
                found = reader(f"/dev/fd/{out}", most)
                assert (found if isinstance(found, bytes) else found.read()) == b"x" * size  # type: ignore[attr-defined]
        finally:
            os.close(out)


@pytest.mark.parametrize(("path", "words"), [("/dev/zero", "neither a file nor a pipe"), ("/tmp", "Is a directory")])
@pytest.mark.parametrize("reader", [lambda path: read_file(path, MIB), open_zip])
def test_what_is_no_file_is_refused(path: str, words: str, reader: Callable[[str], object]) -> None:
    with pytest.raises(OSError, match=words):
        reader(path)


@pytest.mark.parametrize(
    ("most", "limit"),
    [(1000, "1000 bytes"), (MIB - 1, "1048575 bytes"), (MIB, "1 MiB"), (64 * MIB, "64 MiB"), (5_000_000, "5 MB")],
)
def test_a_file_above_the_limit_is_refused_with_the_limit(tmp_path: Path, most: int, limit: str) -> None:
    path = tmp_path / "file"
    path.touch()
    os.truncate(path, most)
    open_file(path, most).close()
    os.truncate(path, most + 1)
    with pytest.raises(OSError, match=f" more than {limit}: ") as error:
        open_file(path, most)
    assert error.value.filename == str(path)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (UnicodeDecodeError("ascii", b"\xe9", 0, 1, "ordinal not in range(128)"), "not text in ASCII"),
        (UnicodeDecodeError("utf-8", b"\xe9", 0, 1, "unexpected end of data"), "not text in UTF-8"),
        (PermissionError(errno.EACCES, "Permission denied", "a file"), "Permission denied"),
        (gzip.BadGzipFile("Not a gzipped file"), "Not a gzipped file"),
    ],
)
def test_an_unreadable_file_is_described_without_a_codec(error: OSError | UnicodeDecodeError, words: str) -> None:
    assert why_unreadable(error) == words


def test_a_lock_that_windows_refuses_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked: list[int] = []

    def locking(descriptor: int, mode: int, length: int) -> None:
        if locked:
            raise PermissionError(errno.EACCES, "Permission denied")
        locked.append(length)

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(LK_NBLCK=2, locking=locking))
    monkeypatch.setattr(sys, "platform", "win32")
    with (tmp_path / "lock").open("w") as file:
        assert [try_lock(file), try_lock(file)] == [True, False]


def test_what_is_packed_is_unpacked_up_to_a_limit(tmp_path: Path) -> None:
    (tmp_path / "text.gz").write_bytes(gzip.compress(b"line\n" * 1000))
    with open_text(tmp_path / "text.gz", 5000) as file:
        assert file.read() == "line\n" * 1000
    with pytest.raises(OSError, match="more than 4000 bytes"), open_text(tmp_path / "text.gz", 4000) as file:
        file.read()


#: Each reader gets a pipe without another end, or a file that unpacks to an endless text.
WAITING = (
    "book import PIPE.gz",
    "book import ZEROS.gz",
    "book query --only atlas --lines PIPE",
    "solver value --lines PIPE",
    "explorer build --kernel PIPE",
    "lab fit --logged PIPE",
    "generator run --plies 4 --db new.db --log PIPE",
    "generator run --plies 4 --db piped.db",
    "arena play --black greedy --white greedy --plies 4 --jsonl PIPE",
    "arena play --black greedy --white greedy --plies 4 --sgf PIPE",
    "arena review PIPE.sgf",
)


def test_no_command_waits_for_a_pipe(tmp_path: Path) -> None:
    for name in ("PIPE", "PIPE.gz", "PIPE.sgf", "piped.db-writer"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "ZEROS.gz").write_bytes(gzip.compress(bytes(1 << 20), 1) * 300)
    for done in run_together(tmp_path, *WAITING):
        assert done.returncode == 2, done.args
        assert done.stderr.splitlines()[-1].startswith("Error: "), (done.args, done.stderr)
    assert (tmp_path / "PIPE").is_fifo()


def test_what_is_packed_is_the_same_by_every_python() -> None:
    """Python 3.13 writes a different system into the gzip header than 3.11."""
    content = b"the same " * 1000
    assert gzip.decompress(packed(content)) == content
    assert packed(content)[:10].hex() == "1f8b0800000000000203"


def test_a_journal_of_which_another_process_has_written_the_first_bytes_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    for bytes_there in (1, 8, 12):
        path.with_name("answers.db-journal").write_bytes(bytes.fromhex("d9d505f920a163d700000000")[:bytes_there])
        open_database(path, write=True).close()
    path.with_name("answers.db-journal").write_bytes(bytes(20) + bytes.fromhex("d9d505f920a163d7"))
    with pytest.raises(OSError, match="remove another file"):
        open_database(path, write=True)


def test_a_zip_has_the_same_bytes_on_every_day_and_marks_programs() -> None:
    content = zip_of({"a.py": b"1", "b.txt": b"2"}, ["a.py"])
    members = ZipFile(io.BytesIO(content)).infolist()
    assert [(each.filename, each.date_time, each.external_attr >> 16) for each in members] == [
        ("a.py", (1980, 1, 1, 0, 0, 0), 0o755),
        ("b.txt", (1980, 1, 1, 0, 0, 0), 0o644),
    ]


@pytest.mark.parametrize("system", ["linux", "win32"])
def test_what_cannot_be_removed_is_an_error(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kept").mkdir()

    def refuse(_: object, ignore_errors: bool = False) -> None:
        if not ignore_errors:
            raise PermissionError

    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr("little_go.runtime.files.shutil.rmtree", refuse)
    run = subprocess.run
    monkeypatch.setattr("little_go.runtime.files.subprocess.run", lambda _, **options: run(["false"], **options))
    with pytest.raises(OSError, match="cannot be removed") as error:
        remove_all(tmp_path / "kept")
    assert (error.value.errno, error.value.filename) == (errno.EBUSY, str(tmp_path / "kept"))
