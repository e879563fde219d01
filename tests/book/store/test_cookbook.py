"""docs/tutorials/TEN_QUESTIONS.md: every query is run again, and its numbers are computed in a second way.

The second way uses neither the store nor SQL: the values of the atlas's last ply, which are the native kernel's,
and minimax from there by the kernel's list of moves. Two of these values are searched again here with an empty table;
``python -m tools.cookbook check`` searches more.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from little_go.book.files.atlas import Row, read_atlas
from little_go.book.files.shipped import ATLAS_FILE
from little_go.book.store.views import TABLES
from little_go.solver.bounds import score_text
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel, children
from little_go.solver.native.table import open_table
from little_go.solver.position import START, Position, move_name, parse_moves, play_all
from little_go.solver.symmetry import key_of, position_of
from tests.book.positions import open_positions
from tools.cookbook import (
    DATASETTE,
    DOCUMENT,
    Question,
    ask,
    canned_queries,
    confirm,
    leaves,
    listed_tables,
    questions,
)

QUESTIONS = questions()
COLOURS = {1: "Black", 2: "White"}

Rows = list[dict[str, Any]]


class Opening:
    """The first plies, computed from the values of the last ply.

    values: by canonical key, the values of the unfinished positions.
    """

    def __init__(self) -> None:
        self.values: dict[int, int] = {}
        for row in leaves():
            self.values[key_of(row.position)] = row.lo
        self.last = position_of(next(iter(self.values))).ply
        self._solve(key_of(START))

    def _solve(self, key: int) -> int:
        if key not in self.values:
            position = position_of(key)
            worths = [
                position_of(child).margin if position_of(child).is_over else self._solve(child)
                for _, child in children(key)
            ]
            self.values[key] = max(worths) if position.black_to_move else min(worths)
        return self.values[key]

    def at(self, *plies: int) -> list[Position]:
        return [position for position in map(position_of, self.values) if position.ply in plies]

    def worth(self, key: int) -> int:
        position = position_of(key)
        return position.margin if position.is_over else self.values[key]

    def moves(self, position: Position) -> list[tuple[list[int], int]]:
        """Return the moves, symmetric moves together, with their values, the best for the mover first."""
        groups: dict[int, list[int]] = {}
        for move, child in children(key_of(position)):
            groups.setdefault(child, []).append(move)
        sign = 1 if position.black_to_move else -1
        worths = [(moves, self.worth(child)) for child, moves in groups.items()]
        return sorted(worths, key=lambda item: -sign * item[1])


@pytest.fixture(scope="module")
def opening() -> Opening:
    return Opening()


@pytest.fixture(scope="module")
def rows(shipped_store: Path) -> Iterator[Callable[[int], Rows]]:
    """Return the answer of a question by its number."""
    with closing(sqlite3.connect(shipped_store)) as db:
        db.row_factory = sqlite3.Row
        yield cache(lambda number: [dict(row) for row in db.execute(QUESTIONS[number - 1].sql)])


def names(moves: list[int]) -> str:
    return " ".join(map(move_name, moves))


def winner_of(value: int) -> str:
    return "Black" if value >= 3 else "White"


def board_of(position: Position) -> str:
    return "/".join("".join(".XO"[int(digit)] for digit in row) for row in position.rows())


def wins(position: Position, value: int) -> bool:
    return winner_of(value) == COLOURS[position.mover]


# The printed answers


def test_there_are_ten_questions() -> None:
    assert [question.number for question in QUESTIONS] == list(range(1, 11))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: str(question.number))
def test_the_answer_is_as_printed(question: Question, shipped_store: Path) -> None:
    # If the shipped files have changed: make book.db again, run python -m tools.cookbook write, and compare.
    assert ask(shipped_store, question.sql) == question.answer


def test_every_table_and_view_is_listed_once() -> None:
    assert sorted(listed_tables()) == sorted(TABLES)


def test_datasette_has_the_same_questions() -> None:
    assert DATASETTE.read_text("utf-8").endswith(f"    queries:\n{canned_queries()}")


@given(position=open_positions(), point=st.integers(0, 24))
def test_the_recipe_decodes_a_key(position: Position, point: int) -> None:
    rows = re.findall(r"^\| ([^|`]+) \| `([^`]*\bkey\b[^`]*)` \|$", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    recipe = {words: sql.replace("5 * i + j", str(point)) for words, sql in rows}
    with closing(sqlite3.connect(":memory:")) as db:
        said = {
            words: db.execute(f"SELECT {sql} FROM (SELECT ? AS key)", (key_of(position),)).fetchone()[0]
            for words, sql in recipe.items()
        }
    assert said == {
        "a black stone on row i, column j": position.black >> point & 1,
        "a white stone there": position.white >> point & 1,
        "the ko point, -1 for none": -1 if position.ko is None else position.ko,
        "plies played": position.ply,
        "Black to move": position.black_to_move,
        "the last ply was a PASS": position.passed,
    }


# The numbers, computed in a second way


def test_first_moves(rows: Callable[[int], Rows], opening: Opening) -> None:
    _check_moves(rows(1), opening, START)


def test_replies(rows: Callable[[int], Rows], opening: Opening) -> None:
    _check_moves(rows(2), opening, START.play(12))


def _check_moves(found: Rows, opening: Opening, position: Position) -> None:
    best = opening.worth(key_of(position))
    expected = {
        names(moves): (winner_of(value), score_text(value, komi=COURSE.komi), abs(best - value))
        for moves, value in opening.moves(position)
    }
    assert {row["moves"]: (row["winner"], row["worth"], row["points_lost"]) for row in found} == expected
    lost = [row["points_lost"] for row in found]
    assert lost == sorted(lost)


def test_a_board_in_mind(rows: Callable[[int], Rows], opening: Opening) -> None:
    (row,) = rows(3)
    position = position_of(int(row["key_text"]))
    assert (row["board"], row["mover"]) == (board_of(position), "Black")
    value = opening.worth(key_of(position))
    assert (row["winner"], row["worth"]) == (winner_of(value), score_text(value, komi=COURSE.komi))
    best = [move_name(move) for moves, worth in opening.moves(position) for move in moves if worth == value]
    assert row["best_move"] in best


def test_positions_by_ply(rows: Callable[[int], Rows], opening: Opening) -> None:
    found = {row["ply"]: row for row in rows(4)}
    for ply in range(opening.last + 1):
        values = [opening.worth(key_of(position)) for position in opening.at(ply)]
        won = Counter(map(winner_of, values))
        row = found[ply]
        assert (row["positions"], row["black_wins"], row["white_wins"]) == (len(values), won["Black"], won["White"])
        assert row["exact"] == len(values)


def test_late_positions_are_won_as_counted(rows: Callable[[int], Rows], shipped_store: Path) -> None:
    late = [row for row in rows(4) if row["ply"] >= 8]
    assert all(row["black_wins"] + row["white_wins"] + row["undecided"] == row["positions"] for row in late)
    kernel = Kernel(open_table(64))
    with closing(sqlite3.connect(shipped_store)) as db:
        sql = "SELECT key, winner FROM positions_view WHERE ply >= 9 AND winner <> 'undecided' ORDER BY key % 9973"
        sample = db.execute(f"{sql} LIMIT 40").fetchall()
    for key, winner in sample:
        colour = COURSE.winner(kernel.decide(position_of(key), 3))
        assert colour is not None
        assert COLOURS[colour] == winner
    assert {winner for _, winner in sample} == {"Black", "White"}


def test_spread(rows: Callable[[int], Rows], opening: Opening) -> None:
    values = Counter(opening.worth(key_of(position)) for position in opening.at(3))
    assert {row["value"]: row["positions"] for row in rows(5)} == values
    total = sum(values.values())
    assert all(row["share"] == f"{100 * values[row['value']] / total:.1f} %" for row in rows(5))


def test_only_moves(rows: Callable[[int], Rows], opening: Opening) -> None:
    expected = {}
    for position in opening.at(0, 1, 2):
        moves = opening.moves(position)
        winning = [alike for alike, value in moves if wins(position, value)]
        if len(winning) == 1:
            expected[str(key_of(position))] = (names(winning[0]), len(moves), moves[1][1])
    assert {row["key_text"]: (row["move"], row["moves"], row["second_value"]) for row in rows(6)} == expected
    for row in rows(6):
        position = position_of(int(row["key_text"]))
        assert (row["board"], row["worth"]) == (
            board_of(position),
            score_text(opening.worth(key_of(position)), komi=COURSE.komi),
        )


def test_traps(rows: Callable[[int], Rows], opening: Opening) -> None:
    expected = {}
    centre = START.play(12)
    for moves, _ in opening.moves(centre):
        child = centre.play(moves[0])
        replies = opening.moves(child)
        holding = sum(wins(child, value) for _, value in replies)
        if holding < len(replies):
            legal = len(child.legal_moves())
            expected[names(moves)] = (legal, len(replies), holding, round(1 - holding / len(replies), 3))
    found = {
        row["move"]: (row["replies"], row["different_replies"], row["holding"], row["failing_share"]) for row in rows(7)
    }
    assert found == expected
    shares = [row["failing_share"] for row in rows(7)]
    assert shares == sorted(shares, reverse=True)


def test_swings(rows: Callable[[int], Rows], opening: Opening) -> None:
    gaps = {}
    for position in opening.at(0, 1, 2, 3):
        values = [value for _, value in opening.moves(position)]
        gaps[str(key_of(position))] = (values[0], values[1], values[-1], abs(values[0] - values[1]))
    found = {
        row["key_text"]: (row["best_value"], row["second_value"], row["worst_value"], row["lost_by_second"])
        for row in rows(8)
    }
    assert found == {key: gaps[key] for key in found}
    largest = sorted((gap for *_, gap in gaps.values()), reverse=True)
    assert [row["lost_by_second"] for row in rows(8)] == largest[: len(rows(8))]


def test_hardest(rows: Callable[[int], Rows], opening: Opening) -> None:
    atlas = {str(key_of(row.position)): row for row in read_atlas(ATLAS_FILE)}
    for row in rows(9):
        told = atlas[row["key_text"]]
        assert (row["nodes"], row["worth"]) == (told.nodes, score_text(told.lo, komi=COURSE.komi))
        position = told.position
        # The last ply is only partly in the store, so its numbers are only in the atlas.
        worth = opening.worth(key_of(position)) if position.ply <= opening.last else told.lo
        assert row["winner"] == winner_of(worth)
        assert row["different"] == len({child for _, child in children(key_of(position))})
        lost = not wins(position, told.lo)
        assert row["winning"] == 0 if lost else row["winning"] >= 1
    costliest = sorted((row.nodes for row in atlas.values()), reverse=True)
    assert [row["nodes"] for row in rows(9)] == costliest[: len(rows(9))]


def test_best_play(rows: Callable[[int], Rows], opening: Opening) -> None:
    line = rows(10)
    key = key_of(START)
    for number, row in enumerate(line):
        assert (row["ply"], row["key_text"]) == (number, str(key))
        if number <= opening.last:
            assert (
                row["worth"]
                == score_text(opening.worth(key), komi=COURSE.komi)
                == score_text(opening.worth(key_of(START)), komi=COURSE.komi)
            )
        moves = {move_name(move): child for move, child in children(key)}
        key = moves[row["best_move"]]
    assert len(line) > opening.last


@pytest.mark.system
def test_a_value_of_the_last_ply_is_found_by_a_kernel_that_knows_nothing() -> None:
    kernel = Kernel(open_table(128))
    cheap = sorted(leaves(), key=lambda row: row.nodes)[:8]
    assert any(confirm(row, kernel, 5_000_000) for row in cheap)


def test_a_wrong_value_is_found_out() -> None:
    position = play_all(START, parse_moves("2,2 1,2 1,1 2,1 3,1 3,2 1,3 0,2 2,3 3,3 0,1 0,3"))
    assert confirm(Row(position, 6, 6), Kernel(open_table(16)), 1_000_000)
    with pytest.raises(AssertionError):
        confirm(Row(position, 5, 5), Kernel(open_table(16)), 1_000_000)
