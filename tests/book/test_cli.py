"""The command python -m book."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from little_go.book.__main__ import main
from little_go.book.files.reader import BOOK_LOSS, BOOK_WIN, read_book
from little_go.book.store.facts import Choice, Fact
from little_go.book.store.store import open_store
from little_go.solver.family import COURSE
from little_go.solver.position import START
from tests.book.positions import CENTRE, REPLY, make_store
from tests.refusals import off_board

ROOT = Path(__file__).parents[2]


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


def choose(*choices: Choice) -> None:
    with open_store("book.db", write=True, game=COURSE) as store:
        store.choose(choices)


def test_compress_with_a_closure_writes_what_the_player_must_be_told(folder: Path) -> None:
    choose(Choice(START, 7), Choice(CENTRE, 3, None, 0.5), Choice(REPLY, 9, 4000))
    result = run("compress")
    assert result.output.splitlines() == [
        "book.json: 2 positions",
        "omitted: 1 that the player finds by itself",
    ]
    book = read_book("book.json", game=COURSE)
    assert (book.find(START).move, book.find(START).verdict) == (7, BOOK_WIN)
    assert (book.find(CENTRE).move, book.find(CENTRE).verdict) == (3, BOOK_LOSS)
    assert book.get(REPLY) is None
    assert run("compress", "--all", "--out", "book.json").exit_code == 0
    book = read_book("book.json", game=COURSE)
    assert (book.find(START).move, book.find(CENTRE).move, book.get(REPLY)) == (7, 3, None)


def test_compress_writes_the_proven_positions(folder: Path) -> None:
    result = run("compress", "--all")
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "book.json: 3 positions",
        "omitted: 1 that cannot arise in a 24-ply game",
        "omitted: 1 undecided",
        "omitted: 1 without a move",
    ]
    book = read_book("book.json", game=COURSE)
    assert book.find(START).move == 12
    before = (folder / "book.json").read_bytes()
    assert run("compress", "--all", "--out", "again.json").exit_code == 0
    assert (folder / "again.json").read_bytes() == before


def test_compress_without_a_closure_wants_to_be_told(folder: Path) -> None:
    result = run("compress")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [
        "Error: book.db: no closure: give --all for all proven positions, or first run"
        " little-go generator closure --db book.db"
    ]
    assert not (folder / "book.json").exists()


def test_compress_leaves_a_better_book_alone(folder: Path) -> None:
    assert run("compress", "--all").exit_code == 0
    make_store(folder / "weak.db", Fact(START, 3, 24, best=12))
    before = (folder / "book.json").read_bytes()
    result = run("compress", "--all", "--db", "weak.db", "--out", "book.json")
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: book.json has 3 positions, but the new book has 1 and no closure: give another --out\n"
    )
    assert (folder / "book.json").read_bytes() == before
    assert run("compress", "--all", "--db", "weak.db", "--out", "weak.json").exit_code == 0


def test_compress_writes_over_a_book_only_where_it_is_named(folder: Path) -> None:
    Path("book.json").write_text("shipped")
    result = run("compress", "--all")
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: book.json exists already: give --out book.json to overwrite it, or name another file\n"
    )
    assert Path("book.json").read_text() == "shipped"
    assert run("compress", "--all", "--out", "book.json").exit_code == 0
    assert len(read_book("book.json", game=COURSE)) == 3


def test_compress_writes_no_empty_book(folder: Path) -> None:
    make_store(folder / "empty.db", Fact(START, -24, 24))
    result = run("compress", "--all", "--db", "empty.db")
    assert result.exit_code == 2
    assert "no proven position for a book: first run little-go generator run --db empty.db" in result.stderr
    assert not (folder / "book.json").exists()


def test_compress_leaves_out_late_positions(folder: Path) -> None:
    result = run("compress", "--all", "--left", "23", "--out", "early.json")
    assert "omitted: 2 with too few plies left" in result.output
    assert len(read_book("early.json", game=COURSE)) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["compress", "--all", "--out", "none/book.json"],
            2,
            "cannot write 'none/book.json': No such file or directory",
        ),
    ],
)
def test_what_a_user_can_get_wrong_is_one_line(folder: Path, arguments: list[str], code: int, message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == code
    assert result.stderr.startswith(f"Error: {message}")
    assert result.stderr.count("\n") == 1
    assert not (folder / "none.db").exists()


def test_the_module_runs(folder: Path) -> None:
    command = [sys.executable, "-m", "little_go.book", "query", "--db", str(folder / "book.db"), "--moves", "9,9"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (f"Error: --moves: column 1: {off_board('9,9')}\n")
