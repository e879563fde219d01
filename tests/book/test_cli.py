"""The front door: python -m book."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from book.__main__ import main
from book.reader import BOOK_LOSS, BOOK_WIN, open_book
from book.store import Choice, Fact, open_store
from solver.position import PASS, START, Position
from solver.record import to_record
from tests.book.positions import make_store

ROOT = Path(__file__).parents[2]

KEYS = ["black", "white", "ko", "ply", "passed", "value", "lo", "hi", "best", "pv", "moves", "nodes", "source"]

CENTRE = START.play(12)
REPLY = CENTRE.play(7)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small store, ``book.db``, as the working directory."""
    make_store(
        tmp_path / "book.db",
        Fact(START, 3, 24, best=12, nodes=99),
        Fact(CENTRE, 3, 5, best=7, nodes=5),
        Fact(REPLY, 4, 4, best=PASS),
        Fact(START.play(0), -5, 9, best=12),
        Fact(START.play(2), -24, 2),
        Fact(Position(ply=22), 1, 1, best=PASS),
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


def choose(*choices: Choice) -> None:
    with open_store("book.db", write=True) as store:
        store.choose(choices)


@pytest.mark.parametrize(
    ("choice", "line"),
    [
        (Choice(START, 12), "We play: 2,2, by the book"),
        (Choice(START, 12, 12345), "We play: 2,2, which the player finds by itself in 12,345 nodes"),
        (
            Choice(START, 7, None, 0.257),
            "We play: 1,2, a trap: a modelled opponent errs later on with a chance of 25.7%",
        ),
    ],
)
def test_query_tells_what_we_play(folder: Path, choice: Choice, line: str) -> None:
    assert "We play" not in run("query", "--db", "book.db").output
    choose(choice)
    assert line in run("query", "--db", "book.db").output.splitlines()


def test_compress_with_a_closure_writes_what_the_player_must_be_told(folder: Path) -> None:
    choose(Choice(START, 7), Choice(CENTRE, 3, None, 0.5), Choice(REPLY, 9, 4000))
    result = run("compress")
    assert result.output.splitlines() == [
        "book.json: 2 positions",
        "left out: 1 that the player finds by itself",
    ]
    book = open_book("book.json")
    assert (book.find(START).move, book.find(START).verdict) == (7, BOOK_WIN)
    assert (book.find(CENTRE).move, book.find(CENTRE).verdict) == (3, BOOK_LOSS)
    assert book.get(REPLY) is None
    assert run("compress", "--all", "--out", "book.json").exit_code == 0
    book = open_book("book.json")
    assert (book.find(START).move, book.find(CENTRE).move, book.get(REPLY)) == (7, 3, None)


def test_compress_writes_the_proven_positions(folder: Path) -> None:
    result = run("compress", "--all")
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "book.json: 3 positions",
        "left out: 1 that cannot arise in a 24-ply game",
        "left out: 1 undecided",
        "left out: 1 without a move",
    ]
    book = open_book("book.json")
    assert book.find(START).move == 12
    before = (folder / "book.json").read_bytes()
    assert run("compress", "--all", "--out", "again.json").exit_code == 0
    assert (folder / "again.json").read_bytes() == before


def test_compress_without_a_closure_wants_to_be_told(folder: Path) -> None:
    result = run("compress")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [
        "Error: book.db: no closure; first run python -m generator closure --db book.db,"
        " or say --all for what is proven"
    ]
    assert not (folder / "book.json").exists()


def test_compress_leaves_a_better_book_alone(folder: Path) -> None:
    assert run("compress", "--all").exit_code == 0
    make_store(folder / "weak.db", Fact(START, 3, 24, best=12))
    before = (folder / "book.json").read_bytes()
    result = run("compress", "--all", "--db", "weak.db", "--out", "book.json")
    assert result.exit_code == 1
    assert result.stderr == (
        "Error: book.json has 3 positions, and these are 1 without a closure: give another --out\n"
    )
    assert (folder / "book.json").read_bytes() == before
    assert run("compress", "--all", "--db", "weak.db", "--out", "weak.json").exit_code == 0


def test_compress_writes_over_a_book_only_where_it_is_named(folder: Path) -> None:
    Path("book.json").write_text("shipped")
    result = run("compress", "--all")
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: book.json is there already: say --out book.json to write it anew, or name another file\n"
    )
    assert Path("book.json").read_text() == "shipped"
    assert run("compress", "--all", "--out", "book.json").exit_code == 0
    assert len(open_book("book.json")) == 3


def test_compress_writes_no_empty_book(folder: Path) -> None:
    make_store(folder / "empty.db", Fact(START, -24, 24))
    result = run("compress", "--all", "--db", "empty.db")
    assert result.exit_code == 1
    assert "nothing proven for a book; first run python -m generator run --db empty.db" in result.stderr
    assert not (folder / "book.json").exists()


def test_compress_leaves_out_late_positions(folder: Path) -> None:
    result = run("compress", "--all", "--min-left", "23", "--out", "early.json")
    assert "left out: 2 with too few plies left" in result.output
    assert len(open_book("early.json")) == 2


def test_a_proven_position_is_shown(folder: Path) -> None:
    result = run("query", "--db", "book.db")
    assert result.exit_code == 0
    text = result.output
    assert text.startswith("Ply 0 of 24, Black (X) to move.\n  0 1 2 3 4\n0 . . . . .\n")
    assert "\nProven: wins for the mover, Black wins: value at least +3.\n" in text
    assert "\nBest move: 2,2\n" in text
    assert "\nPrincipal variation: 2,2 " in text
    known = text.split("Known moves:\n")[1].splitlines()
    assert known[0].split(maxsplit=1) == ["2,2", "Proven: wins for the mover, Black wins: value +3 to +5."]
    assert "  0,0 (and 3 alike)  In the book, undecided: value -5 to +9." in known
    assert ["PASS", "Proven: loses for the mover, White wins: value +0."] in [line.split(maxsplit=1) for line in known]


def test_the_three_answers_are_worded_apart(folder: Path) -> None:
    for moves, words in (
        ("2,2", "Proven: loses for the mover, Black wins: value +3 to +5."),
        ("0,4", "In the book, undecided: value -5 to +9."),
        ("1,1", "Not in the book."),
        ("PASS", "White has won: value +0."),
    ):
        result = run("query", "--db", "book.db", "--moves", moves)
        assert result.exit_code == 0
        assert f"\n{words}\n" in result.output


def test_json_has_the_same_keys_everywhere(folder: Path) -> None:
    result = run("query", "--db", "book.db", "--json")
    record = json.loads(result.output)
    assert list(record) == KEYS
    assert (record["value"], record["lo"], record["hi"], record["best"], record["nodes"]) == (None, 3, 24, "2,2", 99)
    assert record["source"] == "book"
    assert record["pv"][0] == "2,2"
    assert record["pv"][2:] == ["PASS"]
    move = record["moves"]["2,2"]
    assert list(move) == KEYS
    assert (move["ply"], move["black"], move["lo"], move["hi"]) == (1, 1 << 12, 3, 5)
    assert record["pv"] == ["2,2", *move["pv"]]
    unknown = json.loads(run("query", "--db", "book.db", "--json", "--moves", "1,1").output)
    assert list(unknown) == KEYS
    assert (unknown["source"], unknown["value"], unknown["lo"], unknown["hi"]) == ("none", None, -24, 24)
    assert (unknown["best"], unknown["pv"], unknown["moves"]) == (None, [], {})


def test_the_compressed_book_answers_too(folder: Path) -> None:
    run("compress", "--all")
    result = run("query", "--moves", "2,2")
    assert "Proven: loses for the mover, Black wins: value at least +3." in result.output
    record = json.loads(run("query", "--book", "book.json", "--json").output)
    assert (record["best"], record["source"], record["nodes"]) == ("2,2", "book", 0)
    assert set(record["moves"]) == {"2,2", "PASS"}


def test_positions_come_from_a_file_or_standard_input(folder: Path) -> None:
    lines = "\n".join(json.dumps(to_record(p)) for p in (START, CENTRE)) + "\n\n"
    Path("asked.jsonl").write_text(lines)
    from_file = run("query", "--db", "book.db", "--jsonl", "asked.jsonl", "--json")
    from_input = run("query", "--db", "book.db", "--jsonl", "-", "--json", stdin=lines)
    assert from_file.output == from_input.output
    assert [json.loads(line)["ply"] for line in from_file.output.splitlines()] == [0, 1]
    text = run("query", "--db", "book.db", "--jsonl", "asked.jsonl").output
    assert text.count("Ply ") == 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["query", "--db", "none.db"], 1, "none.db: no such file"),
        (["query", "--book", "none.json"], 1, "none.json: No such file or directory"),
        (["query", "--db", "text"], 1, "text: file is not a database"),
        (["query", "--book", "text"], 1, "text: not JSON"),
        (["query", "--db", "book.db", "--book", "book.json"], 2, "give --db or --book, not both"),
        (["query", "--db", "book.db", "--moves", "", "--jsonl", "-"], 2, "give --moves or --jsonl, not both"),
        (["query", "--db", "book.db", "--moves", "2,2 2,2"], 2, "move 2: 2,2 is occupied"),
        (["query", "--db", "book.db", "--moves", "2,2 x"], 2, "not a move: 'x' (want i,j with 0 <= i,j <= 4, or PASS)"),
        (["query", "--db", "book.db", "--moves", "PASS 2,2"], 2, "move 2: the game is over"),
        (["query", "--db", "book.db", "--jsonl", "none.jsonl"], 1, "none.jsonl: No such file or directory"),
        (["query", "--db", "book.db", "--jsonl", "bad.jsonl"], 2, "bad.jsonl, line 2: 'black' must be an integer"),
        (["compress", "--db", "none.db"], 1, "none.db: no such file"),
        (["compress", "--all", "--out", "none/book.json"], 1, "none/book.json.tmp: No such file or directory"),
    ],
)
def test_what_a_user_can_get_wrong_is_one_line(folder: Path, arguments: list[str], code: int, message: str) -> None:
    Path("text").write_text("no database, no JSON\n" * 100)
    Path("bad.jsonl").write_text(json.dumps(to_record(START)) + "\n{}\n")
    result = run(*arguments)
    assert result.exit_code == code
    assert result.stderr.startswith(f"Error: {message}")
    assert result.stderr.count("\n") == 1


def test_the_module_runs(folder: Path) -> None:
    command = [sys.executable, "-m", "book", "query", "--db", str(folder / "book.db"), "--moves", "9,9"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "Error: not a move: '9,9' (want i,j with 0 <= i,j <= 4, or PASS)\n"


@pytest.mark.parametrize(
    ("lo", "hi", "words"),
    [
        (-24, 24, "In the book, undecided: value unknown."),
        (-24, 7, "In the book, undecided: value at most +7."),
        (-24, 2, "Proven: loses for the mover, White wins: value at most +2."),
        (-3, 24, "In the book, undecided: value at least -3."),
        (-3, -3, "Proven: loses for the mover, White wins: value -3."),
        (4, 7, "Proven: wins for the mover, Black wins: value +4 to +7."),
    ],
)
def test_bounds_in_words(tmp_path: Path, lo: int, hi: int, words: str) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, lo, hi))
    assert f"\n{words}\n" in run("query", "--db", str(path)).output


def test_a_position_is_drawn(folder: Path) -> None:
    assert run("query", "--db", "book.db", "--moves", "2,2", "--svg", "board.svg").exit_code == 0
    picture = ElementTree.parse("board.svg").getroot()
    circles = [circle.attrib["fill"] for circle in picture.iter("{http://www.w3.org/2000/svg}circle")]
    assert circles.count("#1b1b1b") == 1
    assert "Proven: loses for the mover, Black wins: value +3 to +5." in Path("board.svg").read_text()


def test_many_positions_are_not_drawn(folder: Path) -> None:
    result = run("query", "--db", "book.db", "--jsonl", "-", "--svg", "board.svg")
    assert result.exit_code == 2
    assert "--svg draws one position" in result.output
