"""Questions about games of other lengths and komi: the answers agree with plain minimax."""

import csv
import io
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from little_go.book import open_book
from little_go.book.__main__ import main
from little_go.book.files.reader import BookError
from little_go.book.files.shipped import VALUES
from little_go.book.files.values import read_values
from little_go.book.files.writer import BookLine, verdict_of, write_book
from little_go.book.store.connection import NOT_OURS
from little_go.book.store.facts import Fact, StoreError
from little_go.book.store.store import open_store
from little_go.notation.sgf import add_move, new_sgf
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import move_name, parse_moves, play_all
from little_go.solver.symmetry import canonical_key, key_of
from tests.options import FROM_BOARD, FROM_GAME, FROM_INPUT, FROM_LINES, NO_SEARCH
from tests.solver import minimax

#: The answers must not depend on a store that a user has built in the clone.
pytestmark = pytest.mark.usefixtures("no_store")

EIGHT, TEN = Variant(8, 0.5), Variant(10, -1.5)

#: The maximum of plies left of the positions; with more, plain minimax takes too long.
LATE = {1: 50, 2: 25, 3: 1}


def options(game: Variant) -> tuple[str, ...]:
    return "--plies", str(game.plies), "--komi", str(game.komi)


def query(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["query", "--table", "16MiB", *arguments], input=stdin)


def name(move: int | None) -> str:
    return move_name(25 if move is None else move)


def reached(game: Variant, seed: int) -> Iterator[tuple[str, minimax.State]]:
    """Yield late positions of random games: the moves to each, and the state for plain minimax."""
    rng = random.Random(seed)
    for left, count in LATE.items():
        for _ in range(count):
            state, names = minimax.START._replace(left=game.plies), []
            while state.left > left:
                # One ply in seven is a PASS, but not a PASS that would end the game.
                going_on = [(move, after) for move, after in minimax.successors(state) if after.left]
                stones = [each for each in going_on if each[0] is not None]
                move, state = rng.choice(going_on if rng.random() < 1 / 7 and not state.passed else stones)
                names.append(name(move))
            yield " ".join(names), state


def winner_of(value: int, game: Variant) -> str:
    return "Black" if value > game.komi else "White"


@pytest.mark.parametrize("game", [EIGHT, pytest.param(TEN, marks=pytest.mark.system)], ids=str)
def test_values_winners_and_best_moves_are_those_of_plain_minimax(game: Variant) -> None:
    asked = dict(reached(game, game.plies))
    assert len(asked) > 70
    lines = "".join(json.dumps({"moves": moves}) + "\n" for moves in asked)
    done = query(FROM_LINES, "-", *options(game), stdin=lines)
    assert done.exit_code == 0, done.output
    for record, (moves, state) in zip(map(json.loads, done.stdout.splitlines()), asked.items(), strict=True):
        values = {name(move): minimax.value(after) for move, after in minimax.successors(state)}
        best = (max if state.mover == "X" else min)(values.values())
        assert (record["value"], record["winner"]) == (best, winner_of(best, game)), moves
        assert record["ply"] == game.plies - state.left == len(moves.split())
        assert sorted(record["best"]) == sorted(move for move, value in values.items() if value == best)
        told = {move: (each["value"], each["winner"]) for move, each in record["moves"].items()}
        assert told == {move: (value, winner_of(value, game)) for move, value in values.items()}
        assert record["best_move"] in record["best"]
        ours = "Black" if state.mover == "X" else "White"
        for move, after in minimax.successors(state):
            replies = [minimax.value(reply) for _, reply in minimax.successors(after)] if after.left else []
            holding = [value for value in replies if winner_of(value, game) != ours]
            assert record["moves"][name(move)]["holding"] == len(holding)


def ask(*arguments: str) -> dict[str, Any]:
    done = query("--json", *arguments)
    assert done.exit_code == 0, done.output
    record: dict[str, Any] = json.loads(done.stdout)
    # Threads that share a table search a few nodes more or fewer in each run.
    del record["nodes"]
    return record


@pytest.fixture
def forms(tmp_path: Path) -> dict[str, list[str]]:
    """The position after three plies of the game EIGHT, in every form that states the game."""
    position = EIGHT.start.play(12).play(6).play(7)
    drawn = query(*options(EIGHT), "2,2 1,1 1,2").stdout
    game = new_sgf(EIGHT)
    for ply, move in enumerate([12, 6, 7]):
        add_move(game.extend_main_sequence(), ply, move)
    before, now = EIGHT.start.play(12).play(6).rows(), position.rows()
    written = {
        "board.txt": drawn,
        "game.sgf": game.serialise().decode(),
        "input.txt": "\n".join(["2", *before, *now]),
        "record.json": json.dumps(
            {"moves": ["2,2", "1,1", "1,2"], "plies": 8, "komi": 0.5, "black": "a", "white": "b"}
        ),
        "keys.json": json.dumps({"black": position.black, "white": position.white, "ply": 3}),
    }
    for file, text in written.items():
        (tmp_path / file).write_text(text)
    fragment = "from=______OX____X____________.3.-.-"
    return {
        "moves": ["2,2 1,1 1,2"],
        "--moves": ["--moves", "2,2 1,1 1,2"],
        "--key": ["--key", str(canonical_key(position))],
        "link": [f"explorer.html#{fragment}&plies=8&komi=0.5"],
        "link of moves": ["explorer.html#moves=2,2.1,1.1,2&plies=8&komi=0.5"],
        **{file: [str(tmp_path / file)] for file in written},
        FROM_BOARD: [FROM_BOARD, str(tmp_path / "board.txt")],
        FROM_GAME: [FROM_GAME, str(tmp_path / "game.sgf")],
        FROM_INPUT: [FROM_INPUT, str(tmp_path / "input.txt"), "--ply", "3"],
    }


@pytest.mark.system
def test_every_form_is_read_in_its_game(forms: dict[str, list[str]]) -> None:
    told = {form: ask(*options(EIGHT), *words) for form, words in forms.items()}
    first = told.pop("moves")
    assert (first["ply"], first["passed"]) == (3, False)
    for form, record in told.items():
        assert (record["ply"], record["value"], record["winner"]) == (3, first["value"], first["winner"]), form
        assert len(record["moves"]) == len(first["moves"])


@pytest.mark.system
def test_sgf_json_boards_and_links_name_their_game(forms: dict[str, list[str]]) -> None:
    for form in ("game.sgf", FROM_GAME, "record.json", "board.txt", "link", "link of moves"):
        assert ask(*forms[form]) == ask(*options(EIGHT), *forms[form])
        refused = query(*options(TEN), *forms[form])
        assert refused.exit_code == 2
        assert refused.stderr.splitlines()[-1].endswith(
            "it is of a game of 8 plies, komi 0.5, and this one is of 10 plies, komi -1.5"
        )


@pytest.mark.system
def test_lines_may_be_of_several_games() -> None:
    lines = [
        '{"moves": "2,2", "plies": 8, "komi": 0.5}',
        '{"moves": "2,2", "plies": 10, "komi": -1.5}',
        '{"moves": "2,2"}',
    ]
    done = query(FROM_LINES, "-", stdin="\n".join(lines))
    records = list(map(json.loads, done.stdout.splitlines()))
    assert [record["ply"] for record in records] == [1, 1, 1]
    assert [record["winner"] for record in records] == ["White", "Black", "Black"]
    assert records[2]["value"] == 3


def test_text_picture_and_reason_have_the_komi(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    text = query(*options(EIGHT), "--why", "0,0", "--svg", str(picture), "").stdout
    assert text.startswith("0 of 8 plies played, Black (X) to move; komi 0.5.\n")
    assert "Proven: White wins, W+0.5." in text
    # The result after the mistake, and after the better move.
    assert re.search(r"\nWhy: .* 0,0 .*: W\+1\.5\. .*: W\+0\.5\.\n", text)
    assert "White wins, W+0.5." in picture.read_text()
    assert "W+1.5" in picture.read_text()
    over = query(*options(TEN), "2,2 PASS PASS").stdout
    assert over.startswith("The game of 10 plies is over; komi -1.5.\n")
    assert over.endswith("The result: B+2.5.\n")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A store and a book of EIGHT, with the true value of its start."""
    with open_store(tmp_path / "eight.db", write=True, game=EIGHT) as store:
        store.record([Fact(EIGHT.start, 0, 0, best=12)])
    line = BookLine(key_of(EIGHT.start), 12, verdict_of(EIGHT.start, -24, 0, EIGHT))
    write_book([line], tmp_path / "eight.json", EIGHT)
    return tmp_path


def test_a_store_and_a_book_name_their_game(files: Path) -> None:
    for option, file in (("--db", "eight.db"), ("--book", "eight.json")):
        text = query(option, str(files / file), *NO_SEARCH).stdout
        assert text.startswith("0 of 8 plies played, Black (X) to move; komi 0.5.\n")
        assert "Proven: White wins" in text
        refused = query(option, str(files / file), *options(TEN))
        assert refused.exit_code != 0
        (line,) = refused.stderr.splitlines()
        assert "8 plies, komi 0.5" in line
        assert "10 plies, komi -1.5" in line


@pytest.mark.system
def test_every_game_of_24_plies_asks_the_shipped_files() -> None:
    """The atlas has the exact value +2 here. So Black wins with a komi of 0.5, and White with the course's komi."""
    asked = (*NO_SEARCH, "2,2 1,1 1,4")
    course, half = ask(*asked), ask("--komi", "0.5", *asked)
    assert (course["value"], course["winner"]) == (2, "White")
    assert (half["value"], half["winner"], half["komi"]) == (2, "Black", 0.5)
    assert half["best"] == course["best"]
    assert half["sources"] == course["sources"]
    values = {move: each["value"] for move, each in course["moves"].items()}
    assert {move: each["value"] for move, each in half["moves"].items()} == values
    for kind in ("atlas", "certificate", "book"):
        only = ("--only", kind, *NO_SEARCH)
        assert ask("--komi", "0.5", *only)["lo"] == ask(*only)["lo"] == 3


def test_what_our_player_plays_is_for_its_own_game_alone() -> None:
    """The book's move keeps a win with the course's komi, but perhaps not with another komi."""
    asked = (*NO_SEARCH, "--only", "book")
    assert "Our player plays 2,2, by the book." in query(*asked).stdout
    assert "Our player" not in query("--komi", "4.5", *asked).stdout


def test_a_shorter_game_asks_the_shipped_files_for_positions_that_they_have() -> None:
    """After a capture in the corner, the course's game has these three stones and 19 plies left too."""
    moves = "0,1 0,2 1,0"
    atlas = read_values(VALUES)
    short = Variant(22, -2.5)
    position = play_all(short.start, parse_moves(moves))
    known = atlas.get(position)
    assert known is not None
    record = ask("--plies", "22", "--komi", "-2.5", *NO_SEARCH, "--only", "atlas", moves)
    assert record["value"] == known.value is not None
    assert record["winner"] == winner_of(record["value"], short)


@pytest.mark.system
def test_the_course_by_its_options_is_the_course() -> None:
    assert query("2,2 1,1", *options(COURSE)).stdout == query("2,2 1,1").stdout


@pytest.mark.parametrize("file", ["eight.db", "eight.json"])
def test_open_book_is_about_the_game_of_the_file(files: Path, file: str) -> None:
    with open_book(files / file) as book:
        assert book.game == EIGHT
        start = book[""]
        assert (start.winner, start.status, start.ply) == ("White", "proven", 0)
        assert start.position == EIGHT.start
        assert str(start).startswith("0 of 8 plies played, Black (X) to move; komi 0.5.\n")
        assert start.record()["winner"] == "White"
        assert start.record()["ply"] == 0
        assert "White wins" in start.svg()
        assert [known.winner for known in book.positions(ply=0)] == ["White"]
        assert list(book.positions(ply=1)) == []
        assert book[start.key] == start == book[EIGHT.start] == book[start]
        with pytest.raises(ValueError, match="24 plies are left, and the game has 8"):
            book.get(COURSE.start)
        with pytest.raises(ValueError, match=r"10 plies, komi -1.5, and this one is of 8 plies, komi 0.5"):
            book.get('{"moves": "2,2", "plies": 10, "komi": -1.5}')


def test_what_is_known_of_one_game_is_refused_by_the_book_of_another(files: Path) -> None:
    """The start of the game of 8 plies is the empty board two plies after the start of 10 plies."""
    write_book([BookLine(key_of(EIGHT.start), 12, 0)], files / "ten.json", TEN)
    with open_book(files / "eight.db") as eight, open_book(files / "ten.json") as ten:
        known = eight[""]
        for ask in (ten.get, ten.find, ten.__contains__):
            with pytest.raises(ValueError, match=r"8 plies, komi 0.5, and this one is of 10 plies, komi -1.5"):
                ask(known)
        assert eight[known] == known
        other = ten[EIGHT.start]
        assert (other.game, known.game, other.ply) == (TEN, EIGHT, 2)
        assert (other == known, hash(other) == hash(known)) == (False, False)


def test_the_same_bounds_are_not_the_same_knowledge_of_two_games(tmp_path: Path) -> None:
    for plies in (8, 10):
        write_book([BookLine(key_of(EIGHT.start), 12, 0)], tmp_path / f"{plies}.json", Variant(plies, 0.5))
    with open_book(tmp_path / "8.json") as eight, open_book(tmp_path / "10.json") as ten:
        one, two = eight[EIGHT.start], ten[EIGHT.start]
        assert (one.bounds, one.status, one.position) == (two.bounds, two.status, two.position)
        assert one != two


def test_a_table_names_another_game_than_the_courses(files: Path) -> None:
    store = ("--db", str(files / "eight.db"), *NO_SEARCH, "--csv")
    (row, *_) = csv.DictReader(io.StringIO(query(*store).stdout))
    assert (row["plies"], row["komi"], row["key"]) == ("8", "0.5", str(key_of(EIGHT.start)))
    (row, *_) = csv.DictReader(io.StringIO(query(*NO_SEARCH, "--csv", "2,2").stdout))
    assert not {"plies", "komi"} & set(row)


def test_values_that_a_book_of_another_game_finds(files: Path) -> None:
    with open_book(files / "eight.db", live=10, table=16) as book:
        known = book["2,2 1,1 1,2 PASS"]
        assert (known.value, known.winner, known.ply) == (1, "Black", 4)
        assert {move.after.winner for move in known.moves.values()} == {"Black", "White"}


def test_a_damaged_header_is_told_by_what_reads_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"format": 1, "rules": {"plies": 7, "komi": 0.5}}')
    with pytest.raises(BookError, match="made for other rules"):
        open_book(tmp_path / "a.json")
    (tmp_path / "a.db").write_text("no store")
    with pytest.raises(StoreError, match=rf"{NOT_OURS}|not a database"):
        open_book(tmp_path / "a.db")
