"""A journal: its head, its lines, the incomplete line after a kill, the lock, and a missing or foreign file."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import pytest

from little_go.runtime.journal import Journal, JournalBusy, JournalError, check_head, drop_half_line
from tests.not_files import NOT_FILES
from tests.shell_blocks import ROOT

HEAD = {"game": "24 plies", "seed": 1}


def numbers(path: Path, **settings: Any) -> Journal[int]:
    return Journal(path, number_of, "remove it", **settings)


def number_of(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is no number")
    return value


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.mark.parametrize("head", [None, HEAD, ["numbers", 1]])
def test_what_was_added_is_found_again(path: Path, head: Any) -> None:
    for first in (0, 2):
        with numbers(path, head=head) as journal:
            assert journal.rows == list(range(first))
            journal.add((first, first), (first + 1, first + 1))
            assert journal.rows == list(range(first + 2))
    assert numbers(path, head=head).rows == [0, 1, 2, 3]


@pytest.mark.parametrize("head", [None, HEAD])
def test_a_journal_that_is_cut_anywhere_has_its_whole_lines(path: Path, head: Any) -> None:
    with numbers(path, head=head) as journal:
        journal.add((123, 123), (456, 456))
    whole = path.read_bytes()
    first = 0 if head is None else whole.index(b"\n") + 1
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with numbers(path, head=head) as journal:
            rows = [123, 456][: whole[first:length].count(b"\n")]
            assert journal.rows == rows
            journal.add((7, 7))
        assert numbers(path, head=head).rows == [*rows, 7]


def test_a_sealed_row_that_lacks_only_its_end_is_kept(path: Path) -> None:
    def sealed() -> Journal[int]:
        return Journal(path, lambda value: int(value["n"]), "remove it", sealed=True)

    with sealed() as journal:
        journal.add((1, {"n": 1}), (2, {"n": 2}))
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        rows = [1, 2][: whole[:length].count(b"}")]
        with sealed() as journal:
            assert journal.rows == rows
            journal.add((7, {"n": 7}))
        assert sealed().rows == [*rows, 7]


def test_an_empty_line_is_no_row(path: Path) -> None:
    path.write_text("1\n\n2\n")
    with numbers(path) as journal:
        journal.add((3, 3))
    assert path.read_text() == "1\n\n2\n3\n"
    assert numbers(path).rows == [1, 2, 3]


def test_rows_that_are_not_wanted_are_removed(path: Path) -> None:
    with numbers(path, head=HEAD) as journal:
        journal.add(*((number, number) for number in range(6)))
        assert journal.keep(lambda number: number % 2 == 0) == 3
        journal.add((7, 7))
        assert journal.keep(lambda number: True) == 0
    assert numbers(path, head=HEAD).rows == [0, 2, 4, 7]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"nonsense", "no run wrote it"),
        (b"\xff", "no run wrote it"),
        (b'"1"', "'1' is no number"),
        (b"[" * 100_000, "no run wrote it"),
        (b"NaN", "nan is no number"),
    ],
)
@pytest.mark.parametrize(("head", "number"), [(None, 2), (HEAD, 3)])
def test_a_line_that_no_run_has_written_is_named(path: Path, line: bytes, fault: str, head: Any, number: int) -> None:
    numbers(path, head=head).close()
    content = path.read_bytes() + b"1\n" + line + b"\n2\n"
    path.write_bytes(content)
    with pytest.raises(JournalError) as refused:
        numbers(path, head=head)
    assert str(refused.value) == f"{path}: line {number} is broken or forged: {fault}; remove it"
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (ValueError("bad"), "bad"),
        *((kind("bad"), "no run wrote it") for kind in (TypeError, KeyError, IndexError, AttributeError)),
        (RecursionError("bad"), "no run wrote it"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_value_that_is_not_a_row_s_is_named(path: Path, error: Exception, fault: str) -> None:
    def parse(value: Any) -> None:
        raise error

    path.write_text("1\n")
    with pytest.raises(JournalError, match=f"line 1 is broken or forged: {fault}; remove it$"):
        Journal(path, parse, "remove it")


#: By case, the lines that replace three sealed lines, the rows that remain, and the number of damaged lines.
DAMAGED: dict[str, tuple[Callable[[bytes, bytes, bytes], list[bytes]], list[int], int]] = {
    "none": (lambda a, b, c: [a, b, c], [1, 2, 3], 0),
    "one": (lambda a, b, c: [a, b"nonsense\n", c], [1, 3], 1),
    "two": (lambda a, b, c: [b"nonsense\n", b, b"]\n"], [2], 2),
    "another number": (lambda a, b, c: [a, b.replace(b"2", b"5", 1), c], [1, 3], 1),
    "a lost line end": (lambda a, b, c: [a[:-1], b, c], [1, 2, 3], 1),
    "a lost half": (lambda a, b, c: [a[:-9], b, c], [2, 3], 1),
    "a lost half at the end": (lambda a, b, c: [a, b, c[:-9]], [1, 2], 0),
    "no digest after nonsense": (lambda a, b, c: [a, b'nonsense {"n": 2} [2]\n', c], [1, 3], 1),
}


@pytest.mark.parametrize("kind", [dict, list])
@pytest.mark.parametrize("head", [None, HEAD])
@pytest.mark.parametrize(("change", "rows", "lost"), DAMAGED.values(), ids=DAMAGED)
def test_damaged_lines_are_dropped_and_whole_rows_in_them_are_kept(
    path: Path, kind: type, head: Any, change: Callable[[bytes, bytes, bytes], list[bytes]], rows: list[int], lost: int
) -> None:
    said: list[str] = []

    def sealed(**settings: Any) -> Journal[int]:
        def parse(value: Any) -> int:
            return number_of(value["n"] if kind is dict else value[0])

        return Journal(path, parse, "remove it", head=head, sealed=True, **settings)

    with sealed() as journal:
        journal.add(*((number, {"n": number} if kind is dict else [number]) for number in (1, 2, 3)))
    first, *lines = [b"", *path.read_bytes().splitlines(True)] if head is None else path.read_bytes().splitlines(True)
    content = first + b"".join(change(*lines))
    path.write_bytes(content)
    if lost:
        with pytest.raises(JournalError, match="is broken or forged: "):
            sealed()
        assert path.read_bytes() == content
    for _ in range(2):
        with sealed(damaged=said.append) as journal:
            assert journal.rows == rows
    named = f"{path}: {lost} damaged line{'s' if lost > 1 else ''}: the lost work is done again"
    assert said == ([named] if lost else [])


def test_an_object_without_a_digest_is_a_row_and_a_list_is_not(path: Path) -> None:
    path.write_text('{"n": 2}\n')
    assert Journal(path, lambda value: value["n"], "", sealed=True).rows == [2]
    path.write_text("[2]\n")
    with pytest.raises(JournalError, match="its digest does not match its content"):
        Journal(path, lambda value: value, "", sealed=True)


@pytest.mark.parametrize("head", [HEAD, ["numbers", 1]])
def test_with_a_damaged_head_the_work_is_done_again(path: Path, head: Any) -> None:
    said: list[str] = []
    path.write_text("nonsense\n1\n")
    with numbers(path, head=head, damaged=said.append) as journal:
        assert journal.rows == []
    assert said == [f"{path}: its first line is damaged: the work is done again"]
    assert numbers(path, head=head).rows == []


def test_the_progress_of_reading_is_that_of_the_lines_after_the_head(path: Path) -> None:
    with numbers(path, head=HEAD) as journal:
        journal.add((1, 1), (2, 2))
    shown: list[bytes] = []

    def show(lines: Sequence[bytes]) -> Iterator[bytes]:
        shown.extend(lines)
        yield from lines

    assert numbers(path, head=HEAD, show=show).rows == [1, 2]
    assert shown == [b"1\n", b"2\n"]


@pytest.mark.parametrize(
    ("head", "other", "difference"),
    [
        (HEAD, {**HEAD, "seed": 2}, "seed 1 instead of 2"),
        ({"most_nodes": 1, "seed": 1, "komi": 2}, {"most_nodes": 5, "seed": 1, "komi": 3},
         "most nodes 1 instead of 5, komi 2 instead of 3"),
        (["numbers", 1], ["numbers", 2], "another subject"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("damaged", [None, [].append])
def test_a_journal_about_something_else_is_left_alone(
    path: Path, head: Any, other: Any, difference: str, damaged: Any
) -> None:
    numbers(path, head=head).close()
    with pytest.raises(JournalError, match=f"belongs to a run with {difference}: remove it"):
        numbers(path, head=other, damaged=damaged)
    assert numbers(path, head=head, renew=True).rows == []


def test_a_journal_starts_over_where_that_is_wanted(path: Path) -> None:
    with numbers(path, head=HEAD) as journal:
        journal.add((1, 1))
    with numbers(path, head={**HEAD, "seed": 2}, renew=True) as journal:
        assert journal.rows == []
    assert numbers(path, head={**HEAD, "seed": 2}).rows == []


@pytest.mark.parametrize("content", ["precious", "precious\n", "1\n", "[]\n", '{"game": 1}\n', '["letters", 1]\n'])
@pytest.mark.parametrize("head", [HEAD, ["numbers", 1]])
def test_a_file_of_another_kind_is_never_written_over(path: Path, content: str, head: Any) -> None:
    path.write_text(content)
    with pytest.raises(JournalError, match="contains something else: remove it"):
        numbers(path, head=head, renew=True)
    assert path.read_text() == content


@pytest.mark.parametrize("lock", [None, "other"])
def test_another_process_waits_its_turn(path: Path, lock: str | None) -> None:
    source = (
        "import sys; from pathlib import Path; from little_go.runtime.journal import Journal\n"
        "lock = Path(sys.argv[2]) if sys.argv[2:] else None\n"
        "try:\n    Journal(Path(sys.argv[1]), int, '', lock=lock)\n"
        "except Exception as error:\n    print(type(error).__name__, error)\n"
    )
    locked = path.with_name(lock or "journal.lock")
    command = [sys.executable, "-c", source, str(path), *([str(locked)] if lock else [])]
    with numbers(path, lock=locked if lock else None):
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    assert said == f"JournalBusy {locked}: another run has locked it: wait until that run has ended\n"
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout == ""
    assert path.with_name("journal.lock").exists() == (lock is None)


def test_a_lock_file_that_another_process_has_locked_is_closed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[IO[Any]] = []

    def refuse(file: IO[Any]) -> bool:
        opened.append(file)
        return False

    monkeypatch.setattr("little_go.runtime.journal.try_lock", refuse)
    with pytest.raises(JournalBusy):
        numbers(path)
    assert [file.closed for file in opened] == [True]


def test_a_journal_that_is_closed_or_refused_is_not_locked_although_it_is_still_in_memory(path: Path) -> None:
    lock = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'ab'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    with numbers(path) as journal:
        journal.add((1, 1))
    subprocess.run([sys.executable, "-c", lock, f"{path}.lock"], check=True)
    assert journal.rows == [1]
    path.write_text("nonsense\n")
    # The traceback of the exception contains the journal.
    with pytest.raises(JournalError) as refused:
        numbers(path)
    subprocess.run([sys.executable, "-c", lock, f"{path}.lock"], check=True)
    assert refused.tb is not None


def test_a_journal_that_is_gone_or_cut_meanwhile_is_not_added_to(path: Path) -> None:
    with numbers(path) as journal:
        journal.add((1, 1))
        path.write_text("")
        with pytest.raises(OSError, match="another program has changed it meanwhile"):
            journal.add((2, 2))
        path.unlink()
        with pytest.raises(FileNotFoundError):
            journal.add((2, 2))
        assert journal.rows == [1]
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "kind"),
    [("journal", kind) for kind in NOT_FILES] + [("journal.lock", kind) for kind in NOT_FILES if kind != "too large"],
)
def test_what_is_no_file_is_no_journal(tmp_path: Path, kind: str, name: str) -> None:
    NOT_FILES[kind](tmp_path / name)
    with pytest.raises(OSError, match=r"journal") as refused:
        numbers(tmp_path / "journal")
    assert refused.value.filename == str(tmp_path / name)


def test_no_link_is_followed(tmp_path: Path, path: Path) -> None:
    (tmp_path / "precious").write_text("1\n")
    path.symlink_to("precious")
    with pytest.raises(OSError, match="a link, which is not followed here"):
        numbers(path)


def test_a_folder_keeps_what_it_is_about(path: Path) -> None:
    check_head(path, HEAD, "name another")
    check_head(path, {"seed": 1}, "name another")
    with pytest.raises(JournalError, match="belongs to a run with seed 1 instead of 2: name another"):
        check_head(path, {**HEAD, "seed": 2}, "name another")
    for content in ("", "[]", "{", "[" * 100_000):
        path.write_text(content)
        with pytest.raises(JournalError, match="damaged: name another"):
            check_head(path, HEAD, "name another")
        assert os.stat(path).st_size == len(content)


def test_a_damaged_folder_is_about_the_same_again(path: Path) -> None:
    said: list[str] = []
    check_head(path, HEAD, "name another", said.append)
    whole = path.read_text()
    for content in ("", "[]", whole.replace('"seed": 1', '"seed": 2')):
        path.write_text(content)
        check_head(path, HEAD, "name another", said.append)
        assert path.read_text() == whole
    assert said == [f"{path}: damaged: written again"] * 3
    check_head(path, HEAD, "name another", said.append)
    with pytest.raises(JournalError, match="belongs to a run with seed 1 instead of 2: name another"):
        check_head(path, {**HEAD, "seed": 2}, "name another", said.append)
    path.write_text('{"seed": 1, "game": "24 plies"}')
    check_head(path, HEAD, "name another", said.append)
    assert len(said) == 3


@pytest.mark.parametrize("content", ["", "1\n", "1\n22", "22", "1\n\n", "1\n" * 600_000 + "2"])
def test_half_a_line_of_a_log_is_cut_off(path: Path, tmp_path: Path, content: str) -> None:
    path.write_text(content)
    (tmp_path / "link").symlink_to(path)
    drop_half_line(tmp_path / "link")
    assert path.read_text() == content[: content.rfind("\n") + 1]


def test_a_line_that_is_longer_than_any_line_of_a_log_is_not_cut(path: Path) -> None:
    content = "1\n" + "2" * (1 << 20)
    path.write_text(content)
    drop_half_line(path)
    assert path.read_text() == content


def test_a_log_that_is_no_file_is_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "gone", "."):
        drop_half_line(tmp_path / name)
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]
