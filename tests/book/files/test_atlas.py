"""The atlas as a file, and its import into a store."""

import csv
import gzip
import hashlib
import io
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from little_go.book.__main__ import main
from little_go.book.files.atlas import COLUMNS, ORIGINS, SEARCH, AtlasError, Row, read_atlas, write_atlas
from little_go.book.store.facts import Fact
from little_go.book.store.store import open_store
from little_go.solver.answer import LEAST, MOST
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, START, Position
from little_go.solver.symmetry import canonical_key, position_of
from tests.book.positions import open_positions


@st.composite
def rows(draw: st.DrawFn) -> Row:
    position = position_of(canonical_key(draw(open_positions())))
    lo, hi = sorted(draw(st.tuples(*[st.integers(LEAST, MOST)] * 2)))
    best = draw(st.lists(st.sampled_from(position.legal_moves()), unique=True))
    known = lo == hi and bool(best) and draw(st.booleans())
    origin = draw(st.sampled_from(("", *ORIGINS)))
    return Row(position, lo, hi, tuple(best), known, draw(st.integers(0, 10**12)), origin)


@settings(deadline=None, max_examples=50)
@given(st.lists(rows(), max_size=8, unique_by=lambda row: row.position), st.randoms())
def test_rows_come_back_and_their_order_does_not_matter(some: list[Row], rng: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        one, other = Path(folder, "one.csv.gz"), Path(folder, "other.csv.gz")
        write_atlas(some, one)
        rng.shuffle(some)
        write_atlas(some, other)
        assert one.read_bytes() == other.read_bytes()
        assert sorted(map(repr, read_atlas(one))) == sorted(map(repr, some))


def test_a_spreadsheet_reads_it(tmp_path: Path) -> None:
    position = Position(black=1 << 12, white=1 << 6 | 1 << 18, ko=None, ply=3)
    row = Row(position_of(canonical_key(position)), -3, -3, (7, PASS), True, 12, SEARCH)
    write_atlas([row], tmp_path / "atlas.csv.gz")
    [line] = csv.DictReader(io.StringIO(gzip.decompress((tmp_path / "atlas.csv.gz").read_bytes()).decode()))
    assert line == {
        "ply": "3",
        "board": "...../...O./..X../.O.../.....",
        "ko": "",
        "passed": "0",
        "value": "-3",
        "lo": "-3",
        "hi": "-3",
        "best": "1,2 PASS",
        "moves_known": "1",
        "origin": "search",
        "nodes": "12",
    }


# Import

#: A position with two plies left, Black to move, and a stone in the centre.
BEFORE = position_of(canonical_key(Position(black=1 << 12, ply=22)))


def family() -> Iterator[Row]:
    """The rows of BEFORE and of all positions after it."""
    for position in [BEFORE, *map(position_of, {canonical_key(BEFORE.play(move)) for move in BEFORE.legal_moves()})]:
        answer = ExactSolver().value(position)
        assert answer.best is not None
        yield Row(position, answer.lo, answer.hi, (answer.best,), False, 5)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small ``atlas.csv.gz`` as the working directory."""
    monkeypatch.chdir(tmp_path)
    write_atlas(family(), "atlas.csv.gz")
    return tmp_path


def import_it(*options: str) -> Result:
    return CliRunner().invoke(main, ["import", "atlas.csv.gz", *options])


def test_a_store_takes_it_in_and_notes_the_source(folder: Path) -> None:
    done = import_it()
    count = len(list(family()))
    assert done.output == f"book.db: {count} positions of atlas.csv.gz, {count} of them new or with tighter bounds\n"
    with open_store("book.db", game=COURSE) as store:
        for row in family():
            entry = store.find(row.position)
            assert (entry.lo, entry.hi, entry.best, entry.nodes, entry.run) == (row.lo, row.hi, row.best[0], 5, 1)
        assert len(store.moves_of(BEFORE)) == len(BEFORE.legal_moves())
        [run] = store.runs()
    digest = hashlib.sha256((folder / "atlas.csv.gz").read_bytes()).hexdigest()
    about = {"import": "atlas.csv.gz", "sha256": digest, "kind": "atlas"}
    assert (run["parameters"], run["outcome"]) == (about, "complete")


def test_taking_it_in_twice_changes_nothing(folder: Path) -> None:
    import_it()
    assert ", 0 of them new" in import_it().output
    with open_store("book.db", game=COURSE) as store:
        assert {entry.nodes for entry in store} == {5}


def test_the_order_of_its_lines_does_not_matter(folder: Path) -> None:
    import_it()
    change(folder / "atlas.csv.gz", lambda lines: lines.append(lines.pop(1)))
    assert import_it("--db", "other.db").exit_code == 0
    with open_store("book.db", game=COURSE) as store, open_store("other.db", game=COURSE) as other:
        assert list(store) == list(other)
        assert store.moves_of(BEFORE) == other.moves_of(BEFORE)


def test_it_only_tightens(folder: Path) -> None:
    row = next(family())
    with open_store("book.db", write=True, game=COURSE) as store:
        store.record([Fact(row.position, row.lo - 1, row.hi, nodes=7), Fact(START, 3, 24, 12)])
    import_it()
    with open_store("book.db", game=COURSE) as store:
        assert (store.find(row.position).lo, store.find(row.position).nodes) == (row.lo, 12)
        assert store.find(START).lo == 3


Lines = list[list[str]]


def change(path: Path, edit: Callable[[Lines], object]) -> None:
    lines = list(csv.reader(io.StringIO(gzip.decompress(path.read_bytes()).decode())))
    edit(lines)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    path.write_bytes(gzip.compress(text.getvalue().encode()))


def put(line: int, **fields: object) -> Callable[[Lines], object]:
    """A change of a line of the file; lines are counted from 1."""

    def edit(lines: Lines) -> None:
        for name, field in fields.items():
            lines[line - 1][COLUMNS.index(name)] = str(field)

    return edit


@pytest.mark.parametrize(
    ("edit", "line", "complaint"),
    [
        (put(1, ply="Ply"), 1, "the columns are not ply,board,"),
        (put(3, ply=""), 3, "invalid literal"),
        (put(3, ply=25), 3, "ply 25 is not within 0 to 24"),
        (put(3, ply="07"), 3, "'07' is not a number in its usual form"),
        (put(3, ply=24), 3, "the game is over"),
        (put(3, board="...../....."), 3, "2 rows instead of 5"),
        (put(3, board="XXXXX/XXXXX/XXXXX/XXXXX/XXXXX"), 3, "has no liberty"),
        (put(3, board="Z..../...../...../...../....."), 3, "has characters other than"),
        (put(3, board="...../...../...../...../....X"), 3, "not in canonical orientation"),
        (put(3, ko="9,9"), 3, "not a move: '9,9'"),
        (put(3, ko="2,2"), 3, "ko point"),
        (put(3, passed="2"), 3, "neither 0 nor 1"),
        (put(3, lo=3, hi=2, value=""), 3, "bounds 3 to 2"),
        (put(3, lo=-25, value=""), 3, "bounds -25 to"),
        (put(3, value=7), 3, "value '7' does not fit the bounds"),
        (put(3, best="5,5"), 3, "not a move"),
        (put(2, best="2,2"), 2, "the best move 2,2 is illegal"),
        (put(3, nodes=-1), 3, "nodes cannot be -1"),
        (lambda lines: lines[3].pop(), 4, "10 fields instead of 11"),
        (lambda lines: lines.append(lines[2]), 9, "the position was in an earlier line"),
        (put(2, moves_known=1), 2, "according to another line a move that is not in best is as good"),
        (put(3, moves_known=1, best=""), 3, "moves_known is 1, but the value or a best move is missing"),
        (put(3, moves_known=1, value="", lo=-24), 3, "moves_known is 1, but the value or a best move is missing"),
        (put(3, origin="guess"), 3, "origin 'guess' is none of search, ply before, ply after"),
        (put(2, best="PASS"), 2, "best move PASS does not keep 1 to 1 according to another line"),
        (put(2, value=-2, lo=-2, hi=-2), 2, "-2 to -2, but 0,0 is better according to another line"),
        (put(2, value=9, lo=9, hi=9), 2, "9 to 9, but no move is that good according to the other lines"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_written(
    folder: Path, edit: Callable[[Lines], object], line: int, complaint: str
) -> None:
    with open_store("book.db", write=True, game=COURSE) as store:
        store.record([Fact(START, 3, 24, 12)])
    change(folder / "atlas.csv.gz", edit)
    done = import_it()
    assert done.exit_code == (1 if "has it proven" in complaint else 2)
    assert done.stderr.startswith(f"Error: atlas.csv.gz, line {line}: ")
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1
    with open_store("book.db", game=COURSE) as store:
        assert (len(store), store.runs()) == (1, [])


def test_a_contradiction_with_the_store_is_named_and_nothing_is_written(folder: Path) -> None:
    known = list(read_atlas("atlas.csv.gz"))
    with open_store("book.db", write=True, game=COURSE) as store:
        store.record([Fact(known[3].position, 20, 24)])
    done = import_it()
    assert done.exit_code == 1
    assert done.stderr == (
        f"Error: atlas.csv.gz, line 5: {known[3].lo} to {known[3].lo}, but book.db has it proven 20 to 24\n"
    )
    with open_store("book.db", game=COURSE) as store:
        assert (len(store), store.runs()) == (1, [])


@pytest.mark.parametrize(
    "content", [b"", b"not gzip at all", *(gzip.compress(data, mtime=0) for data in (b"", bytes(range(256)), b'"'))]
)
def test_rubbish_costs_one_line(folder: Path, content: bytes) -> None:
    (folder / "atlas.csv.gz").write_bytes(content)
    done = import_it()
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: atlas.csv.gz")
    assert len(done.stderr.splitlines()) == 1


@settings(deadline=None, max_examples=50)
@given(st.data())
def test_a_damaged_file_is_an_error_and_nothing_else(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "atlas.csv.gz")
        write_atlas(family(), path)
        content = bytearray(path.read_bytes())
        if data.draw(st.booleans()):
            del content[data.draw(st.integers(0, len(content) - 1)) :]
        else:
            content[data.draw(st.integers(10, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
        path.write_bytes(content)
        rows = []
        with suppress(AtlasError):
            rows = list(read_atlas(path))
        # The last byte of the packed data may have unused bits.
        assert not rows or sorted(map(repr, rows)) == sorted(map(repr, family()))


def test_a_missing_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = import_it()
    assert done.stderr == "Error: atlas.csv.gz: No such file or directory\n"
