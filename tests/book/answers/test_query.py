"""little-go query: one answer from all sources, and the names of these sources."""

import csv
import io
import json
import re
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from little_go.book.__main__ import main
from little_go.book.answers.live import LiveSearch, for_seconds
from little_go.book.answers.query import PROVEN, Knowledge, Service, pass_on
from little_go.book.answers.reasons import explained, open_oracle, reason
from little_go.book.answers.report import knowledge_record, knowledge_text
from little_go.book.answers.sources import (
    ATLAS,
    BY_MOVES,
    BY_POSITION,
    STORE,
    AtlasSource,
    CertificateSource,
    StoreSource,
    ValuesSource,
    open_sources,
    session_sources,
)
from little_go.book.files.atlas import Row, write_atlas
from little_go.book.files.claims_index import ClaimsIndex
from little_go.book.files.reader import BOOK_LOSS, BOOK_WIN
from little_go.book.files.shipped import ATLAS_FILE, ATLAS_PLY, LATER_PLIES, LINES, VALUES
from little_go.book.files.values import read_values
from little_go.book.files.writer import BookLine, write_book
from little_go.book.store.connection import NOT_OURS, missing_store
from little_go.book.store.facts import Choice, Contradiction, Fact, Origin, Statement
from little_go.book.store.store import open_store
from little_go.notation.record import to_record
from little_go.runtime.release import version
from little_go.solver.answer import BLACK_WINS, LEAST, MOST, Answer
from little_go.solver.bounds import UNKNOWN
from little_go.solver.family import COURSE
from little_go.solver.native import NoKernel
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import OCCUPIED, START, Position, move_name, parse_moves, play_all
from little_go.solver.symmetry import POINT_IMAGE, canonical, canonical_key, key_of, position_of
from tests.book.positions import CENTRE, REPLY, Told, make_store
from tests.options import FROM_BOARD, FROM_GAME, FROM_INPUT, FROM_LINES, LIVE, NO_SEARCH
from tests.refusals import off_board

#: Random games, so late that the values of all moves can be searched immediately.
LATE = (
    "4,3 1,2 4,2 2,2 2,1 2,4 1,4 1,1 3,1 4,0 2,0 2,3 3,3 3,0 4,4",
    "0,2 0,0 3,4 0,1 3,3 1,1 3,1 4,1 2,3 2,1 2,4 1,2 1,0 2,2 4,0 4,2 2,0",
    "4,1 2,2 1,3 0,2 0,1 0,3 1,4 4,2 4,3 0,4 1,0 3,1 4,4 2,3 3,4 3,0 3,2",
    "3,4 1,4 2,0 0,0 3,0 2,4 4,2 2,1 4,4 1,3 1,1 0,1 4,1 0,2 4,3 0,4 PASS",
    "0,4 2,1 4,1 3,2 0,3 4,3 1,1 3,4 1,4 3,0 1,0 PASS 3,3 2,4 4,0 4,4 2,0 2,3",
    "0,4 2,2 PASS 4,4 1,2 4,3 0,2 3,3 2,0 0,1 2,3 4,2 4,0 3,0",
    "3,0 2,4 2,3 1,3 1,2 0,0 3,3 1,1 0,1 4,3 2,0 3,1 1,4 3,4 4,4",
)

#: Early positions, which are in the shipped files.
EARLY = ("", "1,2 1,1")


def run(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(main, ["query", *arguments], input=stdin)


def stored(*arguments: str, stdin: str | bytes = "") -> Result:
    """Run ``query`` with only the store in the working directory."""
    return run("--only", "store", *arguments, stdin=stdin)


def rows_of(text: str) -> dict[str, list[str]]:
    """Return, by move and its symmetric moves, the cells of the table in an answer."""
    lines = text.split("\n\n")[2].splitlines()
    starts = [match.start() for match in re.finditer(r"(?:^|(?<=  ))\S", lines[0])]
    cells = [[line[at:end].strip() for at, end in zip(starts, [*starts[1:], None], strict=True)] for line in lines]
    return {row[0]: row[1:] for row in cells}


# The numbers


@pytest.mark.system
@pytest.mark.parametrize(
    "moves", [*EARLY, *LATE[3:5], *(pytest.param(moves, marks=pytest.mark.long) for moves in (*LATE[:3], *LATE[5:]))]
)
def test_ten_answers_are_the_kernels(moves: str, shipped_store: Path) -> None:
    live = "60" if moves in LATE else "0"
    result = run("--db", str(shipped_store), "--json", "--moves", moves, LIVE, live)
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    position = play_all(START, parse_moves(moves))
    kernel = Kernel(open_table(64))
    assert list(record["moves"]) == sorted(record["moves"], key=lambda name: _rank(position, record["moves"][name]))
    assert set(record["moves"]) == set(map(move_name, position.legal_moves()))
    if moves in LATE:
        assert record["value"] == kernel.value(position).value
    for name, told in record["moves"].items():
        child = position.play(parse_moves(name)[0])
        assert child == Position(**{key: told[key] for key in to_record(child, COURSE)})
        if moves in LATE:
            assert told["value"] == kernel.value(child).value
        assert told["lost_least"] == told["lost_most"] == abs(record["value"] - told["value"])
        assert told["open"] == 0 or moves not in LATE
        if moves in LATE and not child.is_over:
            after = [child.play(reply) for reply in child.legal_moves()]
            holding = [COURSE.winner(kernel.decide(each, BLACK_WINS)) == child.mover for each in after]
            assert (told["replies"], told["holding"]) == (len(after), sum(holding))
    best = [name for name, told in record["moves"].items() if told["value"] == record["value"]]
    assert sorted(record["best"]) == sorted(best)
    assert record["best_move"] in best


def _rank(position: Position, told: dict[str, int]) -> int:
    return -told["value"] if position.black_to_move else told["value"]


@pytest.mark.system
def test_what_ships_says_what_the_kernel_says(shipped_store: Path) -> None:
    kernel = Kernel(open_table(64))
    with open_store(shipped_store, game=COURSE) as store:
        drawn = [entry for entry in store.entries(ply=10) if canonical_key(entry.position) % 797 == 0]
        assert len(drawn) > 10
        for entry in drawn:
            knowledge = Service([StoreSource(store)], game=COURSE).ask(entry.position)
            assert knowledge.answer is not None
            lo, hi = knowledge.answer[:2]
            assert lo > LEAST or hi < MOST
            assert lo == LEAST or kernel.decide(entry.position, lo).lo >= lo
            assert hi == MOST or kernel.decide(entry.position, hi + 1).hi <= hi


def test_the_principal_variation_keeps_the_value(shipped_store: Path) -> None:
    kernel = Kernel(open_table(64))
    for moves in LATE[1:3]:
        record = json.loads(run("--db", str(shipped_store), "--json", LIVE, "60", "--moves", moves).stdout)
        position = play_all(START, parse_moves(moves))
        for name in record["pv"]:
            position = position.play(parse_moves(name)[0])
            assert kernel.value(position).value == record["value"]
        assert position.is_over


# Spellings


def test_a_position_is_spelled_in_many_ways(folder: Path) -> None:
    position = play_all(START, parse_moves("2,2 PASS 1,2"))
    expected = stored("--json", "--moves", "2,2 PASS 1,2").stdout
    Path("answer.txt").write_text(stored("--moves", "2,2 pass 1,2").stdout)
    board = Path("answer.txt").read_text().partition("\n\n")[0]
    Path("board.txt").write_text(board)
    Path("rows.txt").write_text("...../..X../..X../...../.....")
    Path("input.txt").write_text("2\n00000\n00000\n00100\n00000\n00000\n00000\n00100\n00100\n00000\n00000")
    Path("game.sgf").write_text("(;GM[1]SZ[5]KM[2.5];B[cc];W[];B[cb];W[aa])")
    Path("many.jsonl").write_text(json.dumps(to_record(position, COURSE)) + '\n\n{"moves": "2,2 Pass 1,2"}\n')
    for options in (
        ["--moves", "2,2 Pass 1,2"],
        [FROM_BOARD, "board.txt"],
        [FROM_BOARD, "rows.txt", "--ply", "3"],
        [FROM_INPUT, "input.txt"],
        [FROM_INPUT, "input.txt", "--ply", "3"],
        [FROM_GAME, "game.sgf", "--ply", "3"],
        ["--key", str(key_of(position))],
        ["--key", hex(key_of(position))],
    ):
        result = stored("--json", *options)
        assert (result.exit_code, result.stdout) == (0, expected), options
    assert stored("--json", FROM_BOARD, "answer.txt").stdout == expected
    assert stored(FROM_LINES, "many.jsonl").stdout == 2 * expected
    assert stored("--json", FROM_BOARD, "-", stdin=Path("board.txt").read_bytes()).stdout == expected
    assert stored(FROM_LINES, "-", stdin=Path("many.jsonl").read_bytes()).stdout == 2 * expected
    Path("named.jsonl").write_text('{"moves": "2,2 Pass 1,2", "by": "Bob"}\n(;SZ[5]KM[6.5];B[cc];W[];B[cb])\n')
    as_json, as_csv = stored(FROM_LINES, "named.jsonl"), stored("--csv", FROM_LINES, "named.jsonl")
    komi = "named.jsonl, line 2: it states komi 6.5, and what is said here is for komi 2.5\n"
    assert json.loads(as_json.stdout.splitlines()[0])["not_read"] == ['"by": "Bob"']
    assert as_json.stderr == komi
    assert as_csv.stderr == 'named.jsonl, line 1: not read: \'"by": "Bob"\'\n' + komi
    assert json.loads(stored("--json", FROM_GAME, "game.sgf").stdout)["ply"] == 4


def test_a_position_has_any_form_and_what_it_does_not_tell_is_said(folder: Path) -> None:
    expected = stored("--json", "--moves", "2,2 1,1").stdout
    Path("game.sgf").write_text("(;SZ[5]KM[6.5];B[cc];W[bb];B[cc])")
    Path("games.sgf").write_text("(;SZ[5];B[aa])(;SZ[5];B[cc];W[bb])")
    keys = ("black", "white", "ko", "ply", "passed")
    guess = "does not contain the ply: taking the smallest, 2"
    for place, said in {
        "C3 B4": "",
        "X 2,2  O 1,1": "",
        "see explorer.html#moves=2,2.1,1.": "POSITION: not read: 'see'\n",
        "...../.O.../..X../...../.....": f"POSITION {guess}; give --ply to change it\n",
        "(;SZ[5]AB[cc]AW[bb])": f"POSITION: its set-up {guess}\n",
        "games.sgf:2": "games.sgf: it has other games, and this is game 2\ngames.sgf: not read: '(;SZ[5];B[aa])'\n",
    }.items():
        result = stored("--json", place)
        assert (result.exit_code, result.stderr) == (0, said), place
        shown, wanted = json.loads(result.stdout), json.loads(expected)
        assert [shown[key] for key in keys] == [wanted[key] for key in keys], place
    result = stored("--json", "game.sgf", "--ply", "2")
    assert (result.stdout, result.stderr) == (
        expected,
        "game.sgf: it states komi 6.5, and what is said here is for komi 2.5\n",
    )
    assert stored("--json", "-", stdin=b"1. C3\r\n2. B4\r\n").stdout == expected
    assert stored("games.sgf:3").stderr == "Error: games.sgf: it has 2 games, and no game 3\n"


def test_a_ply_that_is_not_told_is_the_least_and_said_so(folder: Path) -> None:
    Path("input.txt").write_text("1\n00000\n00000\n00100\n00000\n00000\n02000\n00000\n00100\n00000\n00000\n")
    result = stored(FROM_INPUT, "input.txt")
    assert result.stdout.startswith("2 of 24 plies played, Black (X) to move.\n")
    assert result.stderr == "input.txt does not contain the ply: taking the smallest, 2; give --ply to change it\n"
    result = stored(FROM_BOARD, "-", stdin="...../...../..X../...../.....")
    assert result.stderr == "standard input does not contain the ply: taking the smallest, 1; give --ply to change it\n"
    result = stored(FROM_INPUT, "input.txt", "--ply", "6")
    assert result.stdout.startswith("6 of 24 plies played, Black (X) to move.\n")
    assert result.stderr == ""


def test_a_ko_and_a_pass_are_read(folder: Path) -> None:
    """White has captured a stone, and ko forbids the recapture."""
    moves = "0,1 0,2 1,0 1,3 2,1 2,2 1,2 1,1"
    before, now = play_all(START, parse_moves(moves[:-4])), play_all(START, parse_moves(moves))
    assert now.ko == 7
    Path("input.txt").write_text("\n".join(["1", *before.rows(), *now.rows()]))
    expected = stored("--json", "--moves", moves).stdout
    assert stored("--json", FROM_INPUT, "input.txt").stdout == expected
    Path("board.txt").write_text(stored("--moves", moves).stdout.partition("\n\n")[0])
    assert stored("--json", FROM_BOARD, "board.txt").stdout == expected
    Path("input.txt").write_text("\n".join(["2", *now.rows(), *now.rows()]))
    record = json.loads(stored("--json", FROM_INPUT, "input.txt", "--ply", "9").stdout)
    assert (record["ko"], record["passed"], record["ply"]) == (None, True, 9)


# Bounds that are passed on to neighbouring positions


#: After 2,2 1,1 1,2 3,1 the atlas has the best move 3,2 with the value +3. Only the shipped lines contain the positions
#: after it.
KNOWN, BEST = "2,2 1,1 1,2 3,1", "3,2"


def test_what_is_known_of_a_move_holds_when_it_is_played() -> None:
    with open_sources(None, ATLAS_FILE, None, certificates=True, game=COURSE) as found:
        certain = [source for source in found if isinstance(source, CertificateSource)]
    sources = [*certain, ValuesSource(range(ATLAS_PLY + 1))]
    *way, before = accumulate(parse_moves(KNOWN), Position.play, initial=START)
    after = before.play(*parse_moves(BEST))
    parent = Service(sources, game=COURSE).ask(before, way=way)
    assert (parent.value, parent.best_moves, dict(parent.after_moves)[17].value) == (3, [11, 17], 3)
    assert Service(sources, game=COURSE).ask(after).value is None
    known = Service(sources, game=COURSE).ask(after, way=[*way, before])
    assert (known.value, known.state) == (3, PROVEN)
    assert BY_POSITION in {origin.kind for origin in known.hi_from}
    # No move of White is better than the value of the position.
    assert all(child.lo >= 3 for _, child in known.after_moves)


def test_on_the_way_replies_to_moves_of_known_value_do_not_matter() -> None:
    """Otherwise a question after many moves would spend most of its time on these replies."""
    asked = set()

    class Listening(Told):
        def statements_about(self, position: Position) -> list[Statement]:
            asked.add(position)
            return super().statements_about(position)

    known = Listening(START.play(0), Statement(-4, -4, (), Origin(STORE)))
    told = [Told(START, Statement(3, 3, (), Origin(STORE))), known]
    corner = START.play(0)
    Service(told, game=COURSE).ask(START.play(12), way=[START])
    assert (corner in asked, corner.play(1) in asked) == (True, False)
    Service(told, game=COURSE).ask(START)
    assert corner.play(1) in asked


def test_the_only_move_that_can_be_best_is() -> None:
    """Black wins, but not with any first move except 2,2. So 2,2 wins, even if no source states this."""
    told = [Told(START, Statement(3, 24, (), Origin(STORE)))]
    told += [
        Told(child, Statement(-24, 2, (), Origin(STORE)))
        for child in map(START.play, range(25))
        if child.black != 1 << 12
    ]
    known = Service(told, game=COURSE).ask(START)
    assert dict(known.after_moves)[12].winner == 1


#: A position with Black to move, two of his moves, and an answer about the position: -6 or more, kept by 0,1.
BLACKS, KEEPS, OTHER = play_all(START, parse_moves("2,2 1,1 1,2 3,1")), 1, 17
TOLD = Answer(-6, 24, KEEPS, 0)


@pytest.mark.parametrize(
    ("after", "bounds", "best", "likely"),
    [
        ((-5, -5), (-5, 24), OTHER, None),
        ((-6, -6), (-6, 24), KEEPS, None),
        ((3, 3), (3, 24), OTHER, None),
        ((-24, 24), (-6, 24), KEEPS, None),
    ],
)
def test_a_move_that_raises_a_bound_takes_the_place_of_the_best(
    after: tuple[int, int], bounds: tuple[int, int], best: int, likely: int | None
) -> None:
    before = Knowledge(BLACKS, TOLD, game=COURSE)
    here, _ = pass_on(before, Knowledge(BLACKS.play(OTHER), Answer(*after, None, 0), game=COURSE))
    assert ((here.lo, here.hi), here.best, here.likely) == (bounds, best, likely)


def test_a_bound_from_the_position_before_comes_without_a_move() -> None:
    """White's best reply keeps 9 or less. The position before limits the value to 4, and it is not known whether the
    reply keeps this.
    """
    before = Knowledge(BLACKS, Answer(-6, 4, KEEPS, 0), game=COURSE)
    after = Knowledge(BLACKS.play(OTHER), Answer(-24, 9, 0, 0), pv=(0,), game=COURSE)
    here, there = pass_on(before, after)
    assert (here.bounds, there.lo, there.hi, there.best, there.likely, there.pv) == (before.bounds, -24, 4, None, 0, ())


def test_a_best_move_keeps_the_bound_that_is_told() -> None:
    weaker = Told(BLACKS, Statement(-6, 24, (KEEPS,), Origin(STORE)))
    better = Told(BLACKS, Statement(-5, 24, (), Origin(ATLAS)))
    for moves in (True, False):
        known = Service([weaker, better], game=COURSE).ask(BLACKS, moves=moves)
        assert (known.lo, known.best, known.likely) == (-5, None, KEEPS)
        record = knowledge_record(known)
        assert (record["best_move"], record["likely"]) == (None, "0,1")
        known = Service([weaker, Told(BLACKS, Statement(-6, -6, (), Origin(ATLAS)))], game=COURSE).ask(
            BLACKS, moves=moves
        )
        assert (known.value, known.best, known.likely) == (-6, KEEPS, None)


def test_a_winners_line_begins_with_a_move_that_wins() -> None:
    """A move that keeps 3 may not keep 5, but it wins."""
    told = [Told(BLACKS, Statement(3, 24, (KEEPS,), Origin(STORE))), Told(BLACKS, Statement(5, 24, (), Origin(ATLAS)))]
    known = Service(told, game=COURSE).ask(BLACKS)
    assert (known.lo, known.best, known.likely, known.pv[0]) == (5, None, KEEPS, KEEPS)
    assert "A move that wins: 0,1\n" in knowledge_text(known)


@pytest.mark.parametrize("spelled", [["--moves", "2,2"], [FROM_GAME, "game.sgf"], [FROM_LINES, "lines"]])
def test_a_line_carries_what_is_known(files: Path, spelled: list[str]) -> None:
    """This atlas has the bounds 3 to 5 for the empty board, and the best move 2,2."""
    Path("game.sgf").write_text("(;GM[1]SZ[5]KM[2.5];B[cc])")
    Path("lines").write_text('{"moves": "2,2"}')
    alone = json.loads(run("--json", *NO_SEARCH, "--only", "atlas", *spelled).stdout)
    assert (alone["lo"], alone["hi"], alone["hi_from"]) == (3, 5, ["the position", "atlas atlas.csv.gz"])
    board = json.loads(run("--json", *NO_SEARCH, "--only", "atlas", "--key", str(key_of(START.play(12)))).stdout)
    assert board["hi"] == 24


@pytest.mark.system
def test_the_main_line_goes_to_the_end_and_every_other_from_its_beginning() -> None:
    sources = session_sources(None)
    steps = [(LINES[0], position, at) for at, (position, _) in enumerate(LINES[0].steps())]
    for line, position, at in steps + [(line, play_all(START, line.way), 0) for line in LINES[1:]]:
        known = Service(sources, game=COURSE).ask(position)
        assert (known.value, known.pv) == (line.value, line.moves[at:])


# Sources


def test_the_later_plies_of_the_atlas_are_known(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later = (item for item in read_values(VALUES).items() if item[0].ply > ATLAS_PLY)
    position, known = next((each, value) for each, value in later if value.lo == value.hi and value.best is not None)
    said = Statement(known.lo, known.hi, (known.best or 0,), Origin(ATLAS, LATER_PLIES[position.ply].name))
    with open_sources(None, Path("atlas.csv.gz"), None, certificates=False, game=COURSE) as sources:
        assert [said for source in sources for said in source.statements_about(position)] == [said]

    def fail(path: Path) -> None:
        raise NoKernel("none here")

    monkeypatch.setattr("little_go.book.answers.sources.read_values", fail)
    with open_sources(None, Path("atlas.csv.gz"), None, certificates=False, game=COURSE) as sources:
        assert not [said for source in sources for said in source.statements_about(position)]
        assert [said for source in sources for said in source.statements_about(START)]


def line(position: Position, move: int, verdict: int) -> BookLine:
    """Return a book's line, in canonical orientation."""
    key, symmetry = canonical(position)
    return BookLine(key, POINT_IMAGE[symmetry][move], verdict)


@pytest.fixture
def files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small store, and in place of the shipped files an atlas and a book with other statements."""
    corner = position_of(canonical_key(START.play(0)))
    write_atlas([Row(START, 3, 5, (12,)), Row(corner, -4, -4, (12,))], folder / "atlas.csv.gz")
    write_book([line(START, 12, BOOK_WIN), line(START.play(1), 12, BOOK_WIN)], str(folder / "book.json"), game=COURSE)
    monkeypatch.setattr("little_go.book.commands.query.ATLAS_FILE", folder / "atlas.csv.gz")
    monkeypatch.setattr("little_go.book.commands.query.BOOK_FILE", folder / "book.json")
    (folder / "claims.index").write_bytes(ClaimsIndex.of([], []).packed())
    monkeypatch.setattr("little_go.book.answers.sources.CLAIMS", folder / "claims.index")
    monkeypatch.setattr("little_go.book.answers.sources.LINES", ())
    return folder


def test_each_bound_says_where_it_comes_from(files: Path) -> None:
    record = json.loads(run("--json", *NO_SEARCH).stdout)
    assert (record["lo"], record["hi"]) == (3, 5)
    assert record["lo_from"] == ["store book.db", "atlas atlas.csv.gz", "book book.json"]
    assert record["hi_from"] == ["atlas atlas.csv.gz"]
    moves = record["moves"]
    assert (moves["0,4"]["value"], moves["0,4"]["lo_from"]) == (-4, ["atlas atlas.csv.gz"])
    assert (moves["0,1"]["hi"], moves["0,1"]["hi_from"]) == (2, ["book book.json"])
    assert (moves["PASS"]["value"], moves["PASS"]["lo_from"], moves["PASS"]["sources"]) == (0, ["rules"], ["rules"])
    # No move is worth more than the position.
    assert (moves["1,1"]["lo"], moves["1,1"]["hi"]) == (-24, 5)
    assert moves["1,1"]["hi_from"] == ["the position", "atlas atlas.csv.gz"]
    # The store has the exact value 4 after 2,2 1,2, and the bounds 3 to 5 after 2,2.
    assert (moves["2,2"]["lo"], moves["2,2"]["hi"]) == (3, 4)
    assert moves["2,2"]["hi_from"] == ["its moves", "store book.db"]
    rows = rows_of(run(*NO_SEARCH).stdout)
    assert rows["2,2"][-1] == "store, atlas (who wins), book (who wins), its moves (upper bound)"
    assert rows["0,1 (also 0,3 1,0 1,4 3,0 3,4 4,1 4,3)"] == ["White wins", "1 or more", "1 or more of 25", "book"]


@pytest.mark.parametrize(
    ("only", "bounds", "origins"),
    [
        ("store", [3, 24], ["store book.db"]),
        ("atlas", [3, 5], ["atlas atlas.csv.gz"]),
        ("book", [3, 24], ["book book.json"]),
    ],
)
def test_a_source_can_be_asked_alone(files: Path, only: str, bounds: list[int], origins: list[str]) -> None:
    result = run("--json", "--only", only)
    record = json.loads(result.stdout)
    assert ([record["lo"], min(record["hi"], 24)], record["lo_from"]) == (bounds, origins)


def test_another_book_can_be_asked(files: Path) -> None:
    write_book([line(START, 0, BOOK_LOSS)], "other.json", game=COURSE)
    record = json.loads(run("--json", "--only", "book", "--book", "other.json").stdout)
    assert (record["hi"], record["hi_from"]) == (2, ["book other.json"])
    # A PASS is proven to keep 0 for Black. It is not proven that the book's move is better.
    assert (record["lo"], record["best_move"], record["likely"]) == (0, "PASS", "0,0")


@pytest.mark.system
def test_a_file_that_the_store_has_read_is_not_asked_twice(files: Path) -> None:
    assert CliRunner().invoke(main, ["import", "atlas.csv.gz"]).exit_code == 0
    record = json.loads(run("--json", *NO_SEARCH).stdout)
    assert record["lo_from"] == ["atlas atlas.csv.gz", "book book.json"]
    with open_store("book.db", game=COURSE) as store:
        assert [str(said.origin) for said in StoreSource(store).statements_about(START)] == ["atlas atlas.csv.gz"]


def test_what_is_open_is_searched(folder: Path) -> None:
    position = play_all(START, parse_moves(LATE[0]))
    nothing = json.loads(stored("--json", "--moves", LATE[0]).stdout)
    assert (nothing["sources"], nothing["lo"], nothing["hi"], nothing["best_move"]) == ([], -24, 24, None)
    record = json.loads(run("--only", "kernel", LIVE, "60", "--json", "--moves", LATE[0]).stdout)
    assert (record["sources"], record["lo_from"]) == (["kernel"], ["kernel"])
    assert record["nodes"] > 0
    assert record["value"] == Kernel(open_table(16)).value(position).value


def test_the_time_of_a_search_is_told_with_the_text() -> None:
    told = run("--only", "kernel", "--moves", LATE[0])
    assert re.search(r"^Exact after \d+\.\d s: all moves\.$", told.stderr, re.MULTILINE)
    assert "Exact after" not in run("--only", "kernel", "--json", "--moves", LATE[0]).stderr


@pytest.mark.usefixtures("no_store")
def test_no_time_is_told_where_nothing_was_searched() -> None:
    told = run(LIVE, "60", "--moves", "2,2 1,1")
    assert told.exit_code == 0
    assert "Exact after" not in told.stderr


def test_the_kinds_of_sources_are_told_without_inferences() -> None:
    by_moves, by_position = Origin(BY_MOVES), Origin(BY_POSITION)
    atlas, book = Origin("atlas", "atlas.csv.gz"), Origin("book", "book.json")
    known = Knowledge(START, Answer(3, 5, None, 0), lo_from=(atlas, by_moves), hi_from=(by_position, book), game=COURSE)
    assert known.kinds == ["atlas", "book"]
    assert Knowledge(START, UNKNOWN, named=(book,), game=COURSE).kinds == ["book"]


def test_no_time_leaves_it_open() -> None:
    knowledge = Service([], LiveSearch(), game=COURSE).ask(play_all(START, parse_moves(LATE[0])), for_seconds(1e-9))
    assert knowledge.answer is None


@pytest.mark.usefixtures("no_kernel")
def test_without_a_kernel_what_is_stored_is_told(files: Path) -> None:
    result = run("--only", "store", "--only", "kernel", "--json")
    assert result.exit_code == 2
    assert (
        result.stderr == "Error: the native kernel is not built for this Python: run make setup in a clone,"
        " or reinstall the package\n"
    )
    result = run("--json")
    assert result.exit_code == 0
    assert "or reinstall the package; showing only stored results" in result.stderr
    assert json.loads(result.stdout)["lo"] == 3


def test_sources_that_contradict_each_other_are_named(folder: Path) -> None:
    write_atlas([Row(START, -1, 2)], "atlas.csv.gz")
    with open_store("book.db", game=COURSE) as store, pytest.raises(Contradiction) as error:
        Service([StoreSource(store), AtlasSource(Path("atlas.csv.gz"))], game=COURSE).ask(START)
    assert str(error.value) == (
        f"{json.dumps(to_record(START, COURSE))}: store book.db: +3 or more, and atlas atlas.csv.gz: +2 or less, "
        "cannot both be true"
    )


@pytest.mark.usefixtures("no_store")
def test_a_store_is_built_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    write_atlas([Row(START, 3, 3, (12,))], "atlas.csv.gz")
    monkeypatch.setattr("little_go.book.exchange.merge.shipped_files", lambda: [Path("atlas.csv.gz")])
    result = stored("--json")
    assert (result.exit_code, json.loads(result.stdout)["value"]) == (0, 3)
    assert result.stderr == "book.db does not exist yet: building it from the shipped files, about 15 seconds\n"
    assert stored("--json").stderr == ""


def test_where_there_is_no_store_the_files_are_asked(no_store: Path) -> None:
    record = json.loads(run("--json", *NO_SEARCH).stdout)
    assert (record["value"], list(no_store.iterdir())) == (3, [])
    assert record["lo_from"] == [
        "line", "certificate game-at-least-3.cert.gz", "atlas atlas.csv.gz", "book book.json",
    ]  # fmt: skip


def test_an_installed_package_keeps_its_store_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("little_go.runtime.release.in_clone", lambda: False)
    write_atlas([Row(START, 3, 3, (12,))], tmp_path / "atlas.csv.gz")
    monkeypatch.setattr("little_go.book.exchange.merge.shipped_files", lambda: [tmp_path / "atlas.csv.gz"])
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    kept = tmp_path / "cache" / "little-go" / version() / "book.db"
    assert (
        stored("--json").stderr == f"{kept} does not exist yet: building it from the shipped files, about 15 seconds\n"
    )
    assert (list(here.iterdir()), list(kept.parent.iterdir())) == ([], [kept])
    assert stored("--json").stderr == ""
    make_store(here / "book.db", Fact(START, 1, 5))
    assert json.loads(stored("--json").stdout)["lo"] == 1, "the one in the working directory comes first"


# The text of the answer


def test_a_proven_position_is_shown(folder: Path) -> None:
    text = stored().stdout
    assert text.startswith("0 of 24 plies played, Black (X) to move.\n  0 1 2 3 4\n0 . . . . .\n")
    assert "\nProven: Black wins.\nA move that wins: 2,2\nA line that keeps the proven bounds: 2,2 1,2 PASS\n" in text
    rows = rows_of(text)
    assert rows["move"] == ["result", "loses", "replies that hold", "from"]
    assert rows["2,2"] == ["Black wins", "", "0 of 25", "store, its moves (upper bound)"]
    assert rows["0,0 (also 0,4 4,0 4,4)"][0] == "?"
    assert rows["PASS"] == ["W+2.5", "3 or more", "-", "rules"]
    assert rows["0,1 (also 0,3 1,0 1,4 3,0 3,4 4,1 4,3)"] == ["?", "", "", ""]
    assert list(rows)[1] == "2,2"
    assert "\nstore: found by the generator, and stored in book.db\n" in text


def test_the_three_answers_are_worded_apart(folder: Path) -> None:
    for moves, words in (
        ("2,2", "Proven: Black wins."),
        ("0,4", "In the book, undecided."),
        ("1,1", "Not in the book: who wins is not known."),
        ("PASS", "The result: W+2.5."),
    ):
        result = stored("--moves", moves)
        assert result.exit_code == 0
        assert f"\n{words}\n" in result.stdout


def test_nothing_promises_more_than_anything_else(folder: Path) -> None:
    make_store(Path("dim.db"), Fact(REPLY, 0, 9))
    text = run("--only", "store", "--db", "dim.db", "--moves", "2,2 1,2").stdout
    assert "\nIn the book, undecided.\n\n" in text
    assert "promising" not in text


def test_the_line_of_a_win_goes_on_through_bounds(folder: Path) -> None:
    """White has lost. The line continues with the store's best move, although the bounds after it are wider."""
    make_store(Path("line.db"), Fact(START, 3, 5, 12), Fact(CENTRE, 3, 24, 7), Fact(REPLY, 3, 9, 11))
    text = run("--only", "store", "--db", "line.db").stdout
    assert "\nA line that keeps the proven bounds: 2,2 1,2 2,1\n" in text


def test_the_one_best_move_is_named(shipped_store: Path) -> None:
    assert "\nBest move: 2,2\n" in run("--db", str(shipped_store), *NO_SEARCH, "--moves", "").stdout


def test_several_best_moves_are_shown_as_such(shipped_store: Path) -> None:
    text = run("--db", str(shipped_store), *NO_SEARCH, "--moves", "2,2 1,1").stdout
    assert "\nBest moves, worth the same: 1,2 1,3 2,1 3,1\n" in text
    rows = rows_of(text)
    assert rows["1,2 (also 2,1)"][:2] == rows["1,3 (also 3,1)"][:2] == ["B+0.5", "best"]


def test_a_lost_position_promises_nothing(folder: Path) -> None:
    make_store(Path("lost.db"), Fact(REPLY, -24, 2, best=3))
    text = run("--only", "store", "--db", "lost.db", "--moves", "2,2 1,2").stdout
    assert "\nProven: White wins.\nAll moves lose; which one is best is not known.\n" in text


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (Choice(START, 12), "Our player plays 2,2, by the book."),
        (Choice(START, 12, 12345), "Our player plays 2,2, which it finds by itself in 12,345 nodes."),
        (
            Choice(START, 7, None, 0.257),
            "Our player plays 1,2, a trap: a modelled opponent errs later on with a chance of 25.7%.",
        ),
    ],
)
def test_what_our_player_plays(folder: Path, choice: Choice, words: str) -> None:
    assert "Our player" not in stored().stdout
    with open_store("book.db", write=True, game=COURSE) as store:
        store.choose([choice])
    assert words in stored().stdout.splitlines()


@pytest.mark.parametrize(("after", "best"), [(3, "1,2"), (2, "2,2")])
def test_our_player_s_move_is_the_best_if_it_keeps_the_bound(folder: Path, after: int, best: str) -> None:
    """Both moves win, but the store lacks the value, so no move is proven to be best."""
    chosen = START.play(7)
    path = make_store(Path("two.db"), Fact(START, 3, 24, best=12), Fact(CENTRE, 3, 24), Fact(chosen, after, 24))
    with open_store(path, write=True, game=COURSE) as store:
        store.choose([Choice(START, 7)])
    record = json.loads(stored("--json", "--db", "two.db").stdout)
    assert (record["lo"], record["best"], record["best_move"]) == (3, [], best)


def test_json_has_the_same_keys_everywhere(folder: Path) -> None:
    """tests/key_lists.toml has the keys."""
    record = json.loads(stored("--json").stdout)
    keys = list(record)
    assert (record["value"], record["lo"], record["hi"]) == (None, 3, 24)
    assert (record["best_move"], record["winner"]) == ("2,2", "Black")
    assert (record["best"], record["sources"]) == ([], ["store book.db"])
    move = record["moves"]["2,2"]
    assert list(move)[: len(keys)] == keys
    assert all(list(other) == list(move) for other in record["moves"].values())
    assert (move["ply"], move["black"], move["lo"], move["hi"]) == (1, 1 << 12, 3, 4)
    assert record["pv"] == ["2,2", *move["pv"]]
    corner = record["moves"]["4,4"]
    assert (corner["alike"], corner["black"], corner["best_move"]) == (["0,0", "0,4", "4,0"], 1 << 24, "2,2")
    unknown = json.loads(stored("--json", "--moves", "1,1").stdout)
    assert list(unknown) == keys
    assert (unknown["sources"], unknown["value"], unknown["lo"], unknown["hi"]) == ([], None, -24, 24)
    assert len(unknown["moves"]) == 25
    over = json.loads(stored("--json", "--moves", "PASS").stdout)
    assert (over["value"], over["moves"], over["sources"], over["lo_from"]) == (0, {}, ["rules"], ["rules"])


def test_csv_has_a_line_for_moves_that_are_alike(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(stored("--csv").stdout)))
    assert rows[0]["move"] == "2,2"
    corner = next(row for row in rows if row["move"] == "0,0")
    assert (corner["key"], corner["ply"], corner["alike"]) == (str(key_of(START)), "0", "0,4 4,0 4,4")
    assert (corner["winner"], corner["value"], corner["lo"], corner["hi"]) == ("", "", "-5", "9")
    assert corner["lo_from"] == "store book.db"
    two = stored("--csv", FROM_LINES, "-", stdin='{"moves": ""}\n{"moves": "2,2"}\n').stdout
    assert two.count("key,ply,move") == 1
    assert {row["ply"] for row in csv.DictReader(io.StringIO(two))} == {"0", "1"}


SVG = "{http://www.w3.org/2000/svg}"


def drawn(*arguments: str) -> tuple[ElementTree.Element, list[str]]:
    assert stored(*arguments, "--svg", "board.svg").exit_code == 0
    picture = ElementTree.parse("board.svg").getroot()
    return picture, ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]


def test_a_position_is_drawn(folder: Path) -> None:
    picture, texts = drawn("--moves", "2,2")
    circles: Sequence[str] = [circle.attrib["class"] for circle in picture.iter(f"{SVG}circle")]
    assert circles.count("black") == 1
    assert "White to move. Proven: Black wins." in texts
    assert "B+1.5" in texts
    assert "PASS: nothing is known" not in texts
    height = float(picture.attrib["viewBox"].split()[3])
    assert all(0 < float(text.attrib["y"]) < height for text in picture.iter(f"{SVG}text"))


def test_what_is_known_is_drawn_without_colour_alone_and_without_question_marks(folder: Path) -> None:
    with open_store("book.db", write=True, game=COURSE) as store:
        store.record([Fact(START, 3, 4)])
    picture, texts = drawn()
    assert not any("?" in text for text in texts)
    assert texts.count("W") == 4
    squares = [each.attrib["class"] for each in picture.iter(f"{SVG}rect")]
    assert squares == ["page", "board", "wins"]
    assert {circle.attrib["class"] for circle in picture.iter(f"{SVG}circle")} == {"loses", "open"}
    assert "PASS: W+2.5" in texts
    assert texts[-1] == "square: wins for the mover; disc: loses; dashed: not proven"
    style = picture.find(f"{SVG}style")
    assert style is not None
    assert "prefers-color-scheme: dark" in (style.text or "")


def test_the_best_moves_are_drawn_with_a_double_line(shipped_store: Path, folder: Path) -> None:
    picture, texts = drawn("--db", str(shipped_store), "--moves", "2,2 1,1")
    styles = [each.attrib["class"] for each in picture.iter(f"{SVG}rect")]
    assert styles == ["page", "board", *["wins", "best"] * 4]
    assert texts[-1] == "square: wins for the mover; disc: loses; double line: best"


# Errors


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--db", "none.db"], 2, str(missing_store(Path("none.db")))),
        (["--book", "none.json"], 2, "none.json: No such file or directory"),
        (["--db", "text"], 2, f"text: {NOT_OURS}"),
        (["--book", "text"], 2, "text: not JSON"),
        (["--moves", "", FROM_LINES, "-"], 2, f"give one of --moves, {FROM_LINES}, not 2"),
        (["--moves", "", "--ply", "3"], 2, "--moves: the line has plies 0 to 0, and not 3"),
        (["--ply", "3"], 2, "--ply needs exactly one position: give POSITION"),
        (["--key", "0x1", "--ply", "3"], 2, "--key: it contains the ply, so no other can be given"),
        (["none.sgf"], 2, "none.sgf does not exist: name a file, a link, a key, or moves such as"),
        (["2,2", "--moves", "2,2"], 2, "give one of --moves, POSITION, not 2"),
        (["--json", "--csv"], 2, "give --json or --csv, not both"),
        (
            [FROM_LINES, "-", "--svg", "board.svg"],
            2,
            f"--svg draws one position, but {FROM_LINES} contains many: omit one of these options",
        ),
        (["--svg", "none/board.svg"], 2, "cannot write 'none/board.svg': No such file or directory"),
        (["--moves", "2,2 2,2"], 2, f"--moves: column 5: move 2: 2,2 is {OCCUPIED}"),
        (["--moves", "2,2 nx"], 2, "--moves: column 5: 'nx' is not a move: "),
        (["--moves", "PASS 2,2"], 2, "--moves: column 6: move 2: the game is over"),
        (["--key", "x"], 2, "--key: 'x' is not a key: give a number of at most 61 bits"),
        (["--key", str(key_of(Position(1, 1, None, 2)))], 2, "--key: 0,0 holds both a black and a white stone"),
        (["--key", str(1 << 61)], 2, "--key: key 2305843009213693952 is not within 61 bits"),
        ([FROM_LINES, "none.jsonl"], 2, "none.jsonl: No such file or directory"),
        (
            [FROM_LINES, "bad.jsonl"],
            2,
            "bad.jsonl, line 2: not a position: give moves, or key, or black, white and ply",
        ),
        ([FROM_LINES, "blank"], 2, "blank: no line contains a position"),
        ([FROM_LINES, "text"], 2, "text, line 1: column 1: 'no' is not a move"),
        (
            [FROM_INPUT, "text"],
            2,
            "text: line 1, column 1: 'no database, no JSON' is not a colour: write 1 for Black or 2 for White",
        ),
        ([FROM_INPUT, "leap.txt"], 2, "leap.txt: no move of the opponent leads from the previous board to the current"),
        ([FROM_BOARD, "text"], 2, "text: 0 rows of a board: give 5 rows of 5 points"),
        ([FROM_BOARD, "rows.txt", "--ply", "0"], 2, "rows.txt: the game starts from the empty board"),
        ([FROM_GAME, "text"], 2, "text: no SGF: it has no game"),
        ([FROM_GAME, "large.sgf"], 2, "large.sgf: node 1, SZ: a board of size '9', but only 5 is possible here"),
        ([FROM_GAME, "game.sgf", "--ply", "5"], 2, "game.sgf: the line has plies 0 to 1, and not 5"),
        ([FROM_GAME, "wrong.sgf"], 2, "wrong.sgf: node 2, W: move 1 is White's, whose turn it is not"),
    ],
)
def test_what_a_user_can_get_wrong_is_one_line(folder: Path, arguments: list[str], code: int, message: str) -> None:
    Path("text").write_text("no database, no JSON\n" * 100)
    Path("blank").write_text("\n \n")
    Path("bad.jsonl").write_text(json.dumps(to_record(START, COURSE)) + "\n{}\n")
    Path("leap.txt").write_text("\n".join(["1", *["00000"] * 5, "01100", *["00000"] * 4]))
    Path("rows.txt").write_text("...../..X../...../...../.....")
    Path("large.sgf").write_text("(;GM[1]SZ[9];B[cc])")
    Path("game.sgf").write_text("(;GM[1]SZ[5];B[cc])")
    Path("wrong.sgf").write_text("(;GM[1]SZ[5];W[cc])")
    result = run(*NO_SEARCH, "--only", "book" if "--book" in arguments else "store", *arguments)
    assert result.exit_code == code, result.output
    assert result.stderr.startswith(f"Error: {message}")
    assert result.stderr.count("\n") == 1


NEAR_END = "2,2 1,1 2,1 1,2 1,3 0,3 2,3 3,2 3,1 4,2 0,2 4,1 3,3 0,1"


def test_why_compares_both_lines_of_best_play() -> None:
    worst = "0,0"
    position = play_all(START, parse_moves(NEAR_END))
    found = explained(position, 0, open_oracle(), COURSE)
    assert found is not None
    why = reason(position, found.worse, found.better, game=COURSE).text
    assert run("--moves", NEAR_END, "--only", "kernel", "--why", worst).stdout.endswith(f"\n\nWhy: {why}\n")
    assert json.loads(run("--moves", NEAR_END, "--only", "kernel", "--why", worst, "--json").stdout)["why"] == why


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--why", "9,9"), f"--why: column 1: {off_board('9,9')}"),
        (("--why", "2,2 1,1"), "--why: "),
        (("--moves", "2,2", "--why", "2,2"), "--why: 2,2 is not legal here"),
        (
            ("--csv", "--why", "2,2"),
            f"--why explains a move of one position, in text or JSON: omit {FROM_LINES} and --csv",
        ),
    ],
)
def test_why_wants_a_legal_move_of_one_position(arguments: tuple[str, ...], told: str) -> None:
    done = run(*arguments, "--only", "atlas")
    assert done.exit_code != 0
    assert told in done.stderr


def test_why_says_so_where_there_is_nothing_to_explain() -> None:
    assert "Why: 2,2 is a best move." in run("--only", "atlas", "--why", "2,2").stdout
    late = run("--moves", NEAR_END, "--only", "atlas", "--why", "0,0")
    assert "Why: best play after 0,0 is not known far enough." in late.stdout
