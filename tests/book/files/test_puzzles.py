"""The shipped puzzles: one move wins, every other move loses, and the lines are best play."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from little_go.book.exchange.claims import read_claims
from little_go.book.files.atlas import read_atlas
from little_go.book.files.puzzles import (
    PUZZLES,
    SEARCHED_LEFT,
    THEMES,
    PuzzlesError,
    read_puzzles,
    themes_of,
    write_puzzles,
)
from little_go.book.files.shipped import ATLAS_FILE, certificates
from little_go.solver.answer import BLACK_WINS
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import Position, parse_move, play_all
from little_go.solver.symmetry import canonical_key
from tests.shipped import shipped_puzzles
from tests.solver.positions import drawn

SHIPPED = shipped_puzzles()

#: The size in MiB of the table for all puzzles.
MIB = 256


def test_there_are_enough_of_every_kind() -> None:
    assert len(SHIPPED) >= 300
    assert len({canonical_key(puzzle.position) for puzzle in SHIPPED}) == len(SHIPPED)
    wrong = [puzzle.wrong for puzzle in SHIPPED]
    assert wrong == sorted(wrong)
    assert all(sum(low <= each < low + 0.2 for each in wrong) >= 20 for low in (0.0, 0.2, 0.4, 0.6))
    assert {theme for puzzle in SHIPPED for theme in puzzle.themes} == set(THEMES)


def test_written_again_the_file_is_the_same(tmp_path: Path) -> None:
    write_puzzles(SHIPPED, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == PUZZLES.read_bytes()


@pytest.mark.system
@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.long)])
def test_one_move_wins_and_every_other_loses(step: int) -> None:
    kernel = Kernel(open_table(MIB))
    decided = {canonical_key(row.position): row.lo >= BLACK_WINS for row in read_atlas(ATLAS_FILE)}

    def wins(position: Position, colour: int) -> bool:
        if position.is_over:
            return COURSE.leader(position) == colour
        black = decided.get(canonical_key(position))
        if black is None:
            black = kernel.decide(position, BLACK_WINS).at_least(BLACK_WINS)
        return black == (colour == 1)

    for puzzle in SHIPPED[::step]:
        position = puzzle.position
        winning = tuple(move for move in position.legal_moves() if wins(position.play(move), position.mover))
        assert winning == puzzle.answers
        assert puzzle.tempting not in winning


@pytest.mark.system
def test_the_certificates_say_the_same_of_who_wins() -> None:
    facts = [fact for path in certificates() for fact in read_claims(path).facts()]
    decided = [fact for fact in facts if fact.lo >= BLACK_WINS or fact.hi < BLACK_WINS]
    certain = {canonical_key(fact.position): fact.lo >= BLACK_WINS for fact in decided}
    told = 0
    for puzzle in SHIPPED:
        position, black = puzzle.position, puzzle.position.black_to_move
        said = {
            canonical_key(position.play(move)): (move in puzzle.answers) is black for move in position.legal_moves()
        }
        said[canonical_key(position)] = black
        assert all(certain.get(key, wins) is wins for key, wins in said.items())
        told += len(said.keys() & certain.keys())
    assert told >= 50


def test_the_lines_go_to_the_end_and_show_who_wins() -> None:
    for puzzle in SHIPPED:
        position = puzzle.position
        for line in (puzzle.solution, puzzle.refutation, *puzzle.others):
            assert line == puzzle.after(line[0])
            end = play_all(position, line)
            assert end.is_over
            assert (COURSE.leader(end) == position.mover) == (line[0] in puzzle.answers)
        # If a search would take longer than a moment, every move has a line.
        assert position.left <= SEARCHED_LEFT or all(map(puzzle.after, position.legal_moves()))


@pytest.mark.system
@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.long)])
def test_the_lines_are_best_play(step: int) -> None:
    kernel = Kernel(open_table(MIB))
    # Searching exact values of the first plies takes long.
    for puzzle in [puzzle for puzzle in SHIPPED if puzzle.position.left <= SEARCHED_LEFT][::step]:
        position = puzzle.position
        assert play_all(position, puzzle.solution).margin == kernel.value(position).lo
        tempted = position.play(puzzle.tempting)
        value = tempted.margin if tempted.is_over else kernel.value(tempted).lo
        assert play_all(position, puzzle.refutation).margin == value


@pytest.mark.long
def test_the_winner_keeps_the_win_in_every_line() -> None:
    kernel = Kernel(open_table(MIB))
    for puzzle in SHIPPED:
        for line in puzzle.others:
            wins = COURSE.leader(play_all(puzzle.position, line)) == 1
            for at in range(1, len(line)):
                assert kernel.decide(play_all(puzzle.position, line[:at]), BLACK_WINS).at_least(BLACK_WINS) is wins


def rows(first: str, second: str = ". . . . .", third: str = ". . . . .") -> str:
    """Return a diagram whose last two rows are empty."""
    return " ".join([first, second, third, *[". . . . ."] * 2])


@pytest.mark.parametrize(
    ("board", "ply", "answer", "tempting", "themes"),
    [
        (rows(". . . . ."), 10, "3,3", "2,2", []),
        (rows(". . . . ."), 10, "PASS", "2,2", ["pass"]),
        (rows("O X . . ."), 10, "1,0", "2,2", ["capture"]),
        (rows("O . O . .", "X O . . .", "X . . . ."), 10, "0,1", "2,2", ["capture", "ko"]),
        (rows("X O . . ."), 10, "1,0", "2,2", ["rescue"]),
        (rows("X . X . ."), 10, "0,1", "2,2", ["connect"]),
        (rows("X . X . ."), 10, "2,2", "0,1", ["centre"]),
        (rows(". O . . ."), 10, "3,3", "0,0", ["self-atari"]),
        (rows("X . . . ."), 21, "3,3", "0,1", ["last-plies"]),
        (rows("X . . . ."), 20, "3,3", "0,1", []),
    ],
)
def test_themes(board: str, ply: int, answer: str, tempting: str, themes: list[str]) -> None:
    position = drawn(board, ply=ply)
    assert list(themes_of(position, parse_move(answer), parse_move(tempting))) == themes


def lines() -> list[str]:
    return PUZZLES.read_text("ascii").splitlines(keepends=True)


@pytest.mark.parametrize(
    ("column", "wrong"),
    [(1, "25"), (2, "X" * 29), (5, "PASS PASS 9,9"), (6, "much"), (7, "4,4"), (9, "0,0"), (10, ""), (11, "0,0 0,0")],
)
def test_a_wrong_field_is_named_by_its_line(tmp_path: Path, column: int, wrong: str) -> None:
    path = tmp_path / "puzzles.csv"
    head, first, *rest = lines()
    fields = first.rstrip("\n").split('"')
    cells = [cell for at, part in enumerate(fields) for cell in (part.strip(",").split(",") if at % 2 == 0 else [part])]
    cells[column] = wrong
    path.write_text(head + ",".join(f'"{cell}"' for cell in cells) + "\n" + "".join(rest))
    with pytest.raises(PuzzlesError, match="line 2"):
        read_puzzles(path)


ORDER, END, EACH = (
    "the lines do not begin with the answer and with another move",
    "the lines do not go to the end",
    "there is not one line for each legal move",
)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        (lambda row: {"solution": row["refutation"], "refutation": row["solution"]}, ORDER),
        (lambda row: {"refutation": row["solution"]}, ORDER),
        (lambda row: {"answers": f"{row['answers']} {row['tempting']}"}, ORDER),
        (lambda row: {"solution": row["solution"].rpartition(" ")[0]}, END),
        (lambda row: {"refutation": row["refutation"].rpartition(" ")[0]}, END),
        (lambda row: {"tempting": row["answers"]}, END),
        (lambda row: {"others": row["others"].rpartition(";")[0]}, EACH),
        (lambda row: {"others": f"{row['others']};{row['solution']}"}, EACH),
    ],
)
def test_lines_that_do_not_fit_the_puzzle_are_refused(
    tmp_path: Path, changed: Callable[[dict[str, str]], dict[str, str]], fault: str
) -> None:
    head, *rows_of_file = csv.reader(lines())
    number, row = next(
        (number, dict(zip(head, row, strict=True)))
        for number, row in enumerate(rows_of_file, 2)
        if 24 - int(row[1]) > SEARCHED_LEFT
    )
    path = tmp_path / "puzzles.csv"
    with path.open("w", newline="", encoding="ascii") as file:
        writer = csv.writer(file)
        writer.writerows([head, *rows_of_file[: number - 2], list((row | changed(row)).values())])
    with pytest.raises(PuzzlesError, match=f"line {number}: {fault}$"):
        read_puzzles(path)


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(PuzzlesError, match="the columns are not"):
        read_puzzles(tmp_path / "other.csv")
    with pytest.raises(PuzzlesError, match="cannot be read"):
        read_puzzles(tmp_path / "none.csv")
