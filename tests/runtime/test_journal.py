"""A journal: its head, its lines, the incomplete line after a kill, the lock, and a missing or foreign file."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from little_go.runtime.journal import Journal, JournalError, check_head, drop_half_line
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


@pytest.mark.parametrize("line", ["nonsense", '"1"', "[" * 100_000, "NaN"])
def test_a_line_that_no_run_has_written_is_named(path: Path, line: str) -> None:
    content = f'{{"game": "24 plies", "seed": 1}}\n1\n{line}\n2\n'
    path.write_text(content)
    with pytest.raises(JournalError) as refused:
        numbers(path, head=HEAD)
    assert str(refused.value).startswith(f"{path}: line 3 is broken or forged: ")
    assert str(refused.value).endswith("; remove it")
    assert path.read_text() == content


def test_a_journal_about_something_else_is_left_alone(path: Path) -> None:
    numbers(path, head=HEAD).close()
    with pytest.raises(JournalError, match="belongs to a run with seed 1 instead of 2: remove it"):
        numbers(path, head={**HEAD, "seed": 2})
    assert numbers(path, head=HEAD, renew=True).rows == []


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


def test_another_process_waits_its_turn(path: Path) -> None:
    source = (
        "import sys; from pathlib import Path; from little_go.runtime.journal import Journal\n"
        "try:\n    Journal(Path(sys.argv[1]), int, '')\nexcept Exception as error:\n    print(error)\n"
    )
    command = [sys.executable, "-c", source, str(path)]
    with numbers(path):
        assert "another run has locked it" in subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout == ""


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


@pytest.mark.parametrize("content", ["", "1\n", "1\n22", "22", "1\n\n", "1\n" * 600_000 + "2"])
def test_half_a_line_of_a_log_is_cut_off(path: Path, tmp_path: Path, content: str) -> None:
    path.write_text(content)
    (tmp_path / "link").symlink_to(path)
    drop_half_line(tmp_path / "link")
    assert path.read_text() == content[: content.rfind("\n") + 1]


def test_a_log_that_is_no_file_is_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "gone", "."):
        drop_half_line(tmp_path / name)
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]
