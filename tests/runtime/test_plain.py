"""Files in a directory that other programs can change: no call waits, and no call writes through a link."""

import errno
import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from little_go.runtime import plain
from little_go.runtime.plain import read_plain, remove_plain, write_plain


def test_a_file_is_read_up_to_a_length(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"0123456789")
    assert read_plain(str(tmp_path / "file"), 100) == b"0123456789"
    assert read_plain(str(tmp_path / "file"), 4) == b"0123"


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_would_wait_or_never_end_is_not_read(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "file")
    with pytest.raises(OSError, match="Not a plain file"):
        read_plain(str(tmp_path / "file"), 100)
    with pytest.raises(IsADirectoryError):
        read_plain(str(tmp_path), 100)
    with pytest.raises(FileNotFoundError):
        read_plain(str(tmp_path / "none"), 100)


def test_a_file_is_written_and_nothing_else(tmp_path: Path) -> None:
    for content in (b"first", b"2nd"):
        write_plain(str(tmp_path / "file"), content)
        assert (tmp_path / "file").read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize(("drafts", "read"), [(3, b"of before"), (99, b"of before"), (100, b"2,2")])
def test_a_link_at_the_name_of_a_draft_is_not_written_through(tmp_path: Path, drafts: int, read: bytes) -> None:
    """Only if a hundred names are used is the file written in place, which a program that has opened it notices."""
    (tmp_path / "kept").write_bytes(b"kept")
    (tmp_path / "file").write_bytes(b"of before")
    for number in range(drafts):
        (tmp_path / f"file.{os.getpid()}.{number}.tmp").symlink_to("kept")
    with (tmp_path / "file").open("rb") as file:
        write_plain(str(tmp_path / "file"), b"2,2")
        assert file.read() == read
    assert (tmp_path / "kept").read_bytes() == b"kept"
    assert (tmp_path / "file").read_bytes() == b"2,2"
    assert not (tmp_path / "file").is_symlink()
    assert len(list(tmp_path.iterdir())) == 2 + drafts


def test_a_fifo_is_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "file")
    write_plain(str(tmp_path / "file"), b"2,2")
    assert (tmp_path / "file").read_bytes() == b"2,2"


def test_a_directory_in_the_way_is_an_error_and_leaves_no_draft(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    with pytest.raises(IsADirectoryError):
        write_plain(str(tmp_path / "file"), b"2,2")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_calls_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = str(tmp_path / "file")
    with multiprocessing.get_context("fork").Pool(4) as pool:
        failed = pool.starmap(_write_often, [(path, b"%d" % number * 1000) for number in range(4)])
    assert failed == [False] * 4
    content = Path(path).read_bytes()
    assert content == content[:1] * 1000
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def _write_often(path: str, content: bytes) -> bool:
    for _ in range(200):
        write_plain(path, content)
        if len(read_plain(path, 5000)) != 1000:
            return True
    return False


@pytest.fixture
def closed() -> Iterator[Path]:
    """Yield a directory that only root may write, with a file that everybody may write."""
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "file").write_bytes(b"older and longer")
        (Path(name) / "file").chmod(0o666)
        os.chmod(name, 0o555)
        yield Path(name)
        os.chmod(name, 0o700)


def as_nobody(action: Callable[[], None]) -> int:
    """Run an action in a process without root's rights; return 0 or the error number."""
    child = os.fork()
    if not child:
        code = 1
        try:
            if os.getuid() == 0:
                os.setuid(65534)
            action()
            code = 0
        except OSError as error:
            code = error.errno or 1
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_file_is_written_in_place_where_its_directory_is_closed(closed: Path) -> None:
    assert as_nobody(lambda: write_plain(str(closed / "file"), b"2,2")) == 0
    assert (closed / "file").read_bytes() == b"2,2"
    assert as_nobody(lambda: write_plain(str(closed / "other"), b"2,2")) == errno.EACCES


def test_a_file_whose_name_has_no_room_for_a_draft_is_written_in_place(tmp_path: Path) -> None:
    path = tmp_path / ("f" * 255)
    write_plain(str(path), b"2,2")
    assert path.read_bytes() == b"2,2"
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_emptied_where_it_cannot_be_removed(closed: Path) -> None:
    assert as_nobody(lambda: remove_plain(str(closed / "file"))) == 0
    assert (closed / "file").read_bytes() == b""


def test_a_file_is_removed(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    remove_plain(str(tmp_path / "file"))
    remove_plain(str(tmp_path / "file"))
    assert list(tmp_path.iterdir()) == []


def test_in_place_nothing_waits_for_a_fifo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(path: str) -> tuple[str, int]:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    monkeypatch.setattr(plain, "_open_draft", closed)
    os.mkfifo(tmp_path / "file")
    with pytest.raises(OSError, match="No such device"):
        write_plain(str(tmp_path / "file"), b"2,2")
    (tmp_path / "device").symlink_to("/dev/null")
    with pytest.raises(OSError, match="Not a plain file"):
        write_plain(str(tmp_path / "device"), b"2,2")
