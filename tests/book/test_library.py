"""open_book(), from Python."""

import gc
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from itertools import islice
from pathlib import Path
from subprocess import PIPE
from typing import Any
from xml.etree import ElementTree

import pytest

from little_go.book import NotInBook, StoreError, open_book
from little_go.book.files.atlas import Row, read_atlas, write_atlas
from little_go.book.files.reader import read_book
from little_go.book.files.shipped import ATLAS_FILE, BOOK_FILE
from little_go.book.library import Book, Known, Move, NotRead
from little_go.book.store.connection import missing_store
from little_go.book.store.facts import Fact
from little_go.book.store.store import Store
from little_go.solver.answer import BLACK_WINS
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import START, IllegalMove, Position, parse_moves, play_all
from little_go.solver.symmetry import canonical_key, key_of
from tests.book.positions import make_store
from tools.pins import key_lists

ROOT = Path(__file__).parents[2]

PACKAGES = ("book", "solver")

LATE = "0,0 0,1 1,1 1,0 2,2 2,0 3,3 3,0 4,4 4,0 4,1 1,2 0,2 2,1"


def test_the_lines_of_the_readme(shipped_store: Path) -> None:
    with open_book(shipped_store) as book:
        start = book.find()
        assert (start.winner, start.value, start.best, start.mover, start.ply) == ("Black", 3, ["2,2"], "Black", 0)
        trap = book.find("2,2 1,1")
        assert {name: (move.after.value, move.lost) for name, move in trap.moves.items()}["0,2"] == (1, (2, 2))
        assert trap.best == ["1,2", "1,3", "2,1", "3,1"]
        assert trap.board.splitlines()[2] == "1 . O . . ."
        won = Counter(known.winner for known in book.positions(ply=3))
    assert won == {"Black": 87, "White": 950}


def test_a_move_has_every_field_that_query_prints_of_it() -> None:
    printed = key_lists()["json"]["query, only moves"]
    assert {field.name for field in fields(Move)} - {"after"} == {re.sub("_least|_most", "", name) for name in printed}


def test_find_raises_and_get_returns_a_default(tmp_path: Path) -> None:
    path = make_store(tmp_path / "small.db", Fact(START, 3, 24, best=12))
    with open_book(path) as book:
        assert book.find("").winner == "Black"
        with pytest.raises(NotInBook, match=r"^not in the book: '1,1': who wins is not known$"):
            book.find("1,1")
        assert issubclass(NotInBook, KeyError)
        assert book.get("1,1") is None
        assert book.get("1,1", "nothing") == "nothing"
        assert "1,1" not in book
        assert book.find("").moves["2,2"].after.bounds == (3, 24)
        assert "" in book


@pytest.mark.parametrize("place", ["2,2 1,1", "2,2 1,1 ", Position(1 << 12, 1 << 6, None, 2)])
def test_a_position_is_moves_a_position_or_a_key(shipped_store: Path, place: str | Position) -> None:
    position = play_all(START, parse_moves("2,2 1,1"))
    with open_book(shipped_store) as book:
        assert book.find(place).position == position
        assert book.find(key_of(position)).value == book.find(place).value == 3
        assert book.find(place).key == canonical_key(position)


@pytest.mark.parametrize("place", ["2,2 x", "2,2 2,2", -1, Position(1, 1, None, 2)])
def test_what_is_no_position_is_refused(shipped_store: Path, place: str | int | Position) -> None:
    with (
        open_book(shipped_store) as book,
        pytest.raises(ValueError, match=r"after the side|which is White's|occupied|61 bits|holds both"),
    ):
        book.get(place)


@pytest.mark.parametrize("look_up", [Book.find, Book.get, Book.__getitem__, Book.__contains__])
def test_a_look_up_warns_of_what_it_left_out(look_up: Callable[[Book, str], Any]) -> None:
    book, text = open_book(BOOK_FILE), "Bob: hello\n...../...../..X../...../.....\nsee you"
    with pytest.warns(NotRead) as warned:
        found = look_up(book, text)
    assert [str(each.message) for each in warned] == ["not read: 'Bob: hello'", "not read: 'see you'"]
    assert {each.filename for each in warned} == {__file__}
    if isinstance(found, Known):
        assert found.not_read == ("Bob: hello", "see you")
        assert found.record()["not_read"] == [*found.not_read]
        assert found == book["2,2"]
    with pytest.warns(NotRead, match="^it states komi 6.5, and what is said here is for komi 2.5$"):
        look_up(book, "(;SZ[5]KM[6.5];B[cc])")


def test_a_look_up_of_what_is_read_whole_has_nothing_left_out() -> None:
    known = open_book(BOOK_FILE)["2,2"]
    assert (known.not_read, "not_read" in known.record()) == ((), False)


def test_values_of_the_moves_lead_on(shipped_store: Path) -> None:
    with open_book(shipped_store) as book:
        start = book.find()
        assert next(iter(start.moves)) == "2,2"
        assert start.moves["0,4"].alike == ["0,0", "4,0", "4,4"]
        after = start.moves["0,4"].after
        assert (after.position, after.value, after.winner) == (START.play(4), -3, "White")
        assert start.play("0,4").position == after.position
        assert set(after.moves) == set(start.play("0,4").moves)
        assert start.moves["2,1"].replies == 25
        with pytest.raises(IllegalMove):
            start.play("2,2").play("2,2")
        with pytest.raises(ValueError, match="instead of one"):
            start.play("")
        assert start.play("pass").winner == "White"


@pytest.mark.system
@pytest.mark.long
def test_iteration_gives_what_is_stored(shipped_store: Path) -> None:
    with open_book(shipped_store) as book:
        rows = {row.position: row for row in read_atlas(ATLAS_FILE) if row.position.ply < 4}
        found = {known.position: known.bounds for ply in range(4) for known in book.positions(ply)}
        assert found.keys() == rows.keys()
        # For some positions a certificate has sharper bounds than the atlas.
        assert all(rows[position].lo <= lo <= hi <= rows[position].hi for position, (lo, hi) in found.items())
        assert sum(bounds == (rows[position].lo, rows[position].hi) for position, bounds in found.items()) > 1_000
        assert len(book) == sum(1 for _ in book)
        late = list(book.positions(ply=10))
        assert {known.ply for known in late} == {10}
        assert all((known.status == "proven") == (known.winner is not None) for known in late)


def test_the_compressed_book_opens_too() -> None:
    book, same = open_book(BOOK_FILE), read_book(str(BOOK_FILE), game=COURSE)
    assert len(book) == len(same) == len(list(book))
    known = book.find("2,2 1,2")
    assert (known.status, known.bounds, known.value) == ("proven", (BLACK_WINS, 24), None)
    assert known.sources == ["book book.json"]
    assert {known.ply for known in book.positions(ply=6)} == {6}
    book.close()


def test_a_search_finds_what_is_not_stored(shipped_store: Path) -> None:
    position = play_all(START, parse_moves(LATE))
    with open_book(shipped_store) as book:
        assert book.get(LATE) is None
    with open_book(shipped_store, live=60) as book:
        known = book.find(LATE)
        assert known.value == Kernel(open_table(16)).value(position).value
        assert known.sources == ["kernel"]
        assert len(known.pv) == position.left


def test_what_is_known_is_told_and_drawn(shipped_store: Path) -> None:
    with open_book(shipped_store) as book:
        known = book.find("2,2 1,1")
        assert str(known).startswith("2 of 24 plies played, Black (X) to move.\n")
        assert repr(known) == "<Known ply=2 proven value=+3>"
        assert repr(open_book(BOOK_FILE).find("2,2 1,2")) == "<Known ply=2 proven bounds=(3, 24)>"
        assert ElementTree.fromstring(known._repr_svg_()).tag == "{http://www.w3.org/2000/svg}svg"
        assert known.svg() == known._repr_svg_()
        assert known.record()["value"] == 3
    # An answer can be used after the book is closed, because a notebook may draw it later.
    assert known.best


@pytest.mark.usefixtures("no_store")
def test_a_book_is_built_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(StoreError) as error:
        open_book("none.db")
    assert str(error.value) == str(missing_store(Path("none.db")))
    write_atlas([Row(START, 3, 3, (12,))], "atlas.csv.gz")
    monkeypatch.setattr("little_go.book.exchange.merge.shipped_files", lambda: [Path("atlas.csv.gz")])
    with open_book() as book:
        assert book.find().value == 3
    assert (capsys.readouterr().err, Path("book.db").exists()) == ("", False), "an answer needs no database"
    for said in ("book.db does not exist yet: building it from the shipped files, about 15 seconds\n", ""):
        with open_book() as book:
            assert [known.value for known in book] == [3]
        assert capsys.readouterr().err == said


_FIRST_USE = """
from pathlib import Path
import little_go.book.exchange.merge
import little_go.runtime.release
little_go.runtime.release._CLONE = Path.cwd()
little_go.book.exchange.merge.shipped_files = lambda: [Path("atlas.csv.gz")]
from little_go.book import open_book
sys.stdin.readline()
with open_book() as book:
    print(book["2,2"].value, len(book))
"""


def test_two_first_uses_at_once_both_get_an_answer(tmp_path: Path) -> None:
    write_atlas([Row(START, 3, 3, (12,)), Row(START.play(12), 3, 3)], tmp_path / "atlas.csv.gz")
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}){_FIRST_USE}"]
    uses = [subprocess.Popen(command, cwd=tmp_path, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) for _ in range(2)]
    for use in uses:
        assert use.stdin is not None
        use.stdin.write("\n")
        use.stdin.flush()
    answers = [use.communicate(timeout=60) for use in uses]
    assert [answer for answer, _ in answers] == ["3 2\n"] * 2, answers
    assert sorted(path.name for path in tmp_path.iterdir()) == ["atlas.csv.gz", "book.db"]


def test_an_undecided_position_is_neither_proven_nor_unknown(tmp_path: Path) -> None:
    with open_book(make_store(tmp_path / "small.db", Fact(START, -3, 9))) as book:
        known = book.find()
        assert (known.status, known.winner, known.value, known.best) == ("undecided", None, None, [])
        assert known.bounds == (0, 9), "a PASS is worth 0"
        assert known.moves["0,0"].after.bounds == (-24, 9), "no move is worth more than the position"


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_there(package: str) -> None:
    module = import_module(f"little_go.{package}")
    assert module.__doc__
    for name in module.__all__:
        assert getattr(module, name).__doc__ or not callable(getattr(module, name)), name
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = module.nonsense


def test_importing_a_package_is_cheap() -> None:
    heavy = [
        "click",
        "rich",
        "sqlite_utils",
        "sgfmill",
        "numpy",
        "dask",
        "distributed",
        "little_go.solver.native.kernel",
    ]
    rooms = ", ".join(f"little_go.{room}" for room in PACKAGES)
    script = f"import sys, {rooms}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_book_that_nobody_closes_is_closed(shipped_store: Path) -> None:
    """Python 3.13 warns about a database that is open at the end, or that no variable refers to."""
    script = (
        "import sys; from little_go.book import open_book; book = open_book(sys.argv[1]); open_book(sys.argv[1]).find()"
    )
    command = [sys.executable, "-X", "dev", "-W", "error::ResourceWarning", "-c", script, str(shipped_store)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
    book = open_book(shipped_store)
    store = book._held
    assert isinstance(store, Store)
    del book
    gc.collect()
    with pytest.raises(StoreError, match="closed database"):
        len(store)


def test_what_iteration_gives_is_in_the_book() -> None:
    book = open_book(BOOK_FILE)
    for known in islice(book, 20):
        assert known in book
        assert book[known] == known
        assert hash(book[known]) == hash(known)


def test_a_missing_position_is_a_key_error() -> None:
    book = open_book(BOOK_FILE)
    assert book["2,2"].winner == "Black"
    with pytest.raises(KeyError, match="not in the book"):
        _ = book["0,0 4,4 2,2"]


def test_equal_answers_are_equal() -> None:
    book = open_book(BOOK_FILE)
    assert book["2,2"] == book["2,2"]
    assert book["2,2"] != book["2,2 1,2"]
    assert book["2,2"] != "2,2"
    assert len({book["2,2"], book["2,2"]}) == 1


@pytest.mark.parametrize(
    "place",
    [
        '{"moves": "2,2 1,1"}',
        "(;SZ[5];B[cc];W[bb])",
        "key",
        "...../.O.../..X../...../.....",
        "board",
        "input",
    ],
)
def test_a_place_is_any_spelling(place: str) -> None:
    """The key belongs to the orientation in which the moves lead to the position."""
    position = play_all(START, parse_moves("2,2 1,1"))
    told = {"key": hex(key_of(position)), "board": position.diagram()}
    text = "\n".join(["1", *START.play(12).rows(), *position.rows()])
    book = open_book(BOOK_FILE)
    assert book[told.get(place, text if place == "input" else place)].position == position
