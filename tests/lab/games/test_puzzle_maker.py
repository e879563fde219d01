"""Puzzles are drawn as the shipped ones: from positions with one winning move, graded, and with best play."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from lab.__main__ import main
from lab.games.puzzle_maker import Drawing
from little_go.book.files.puzzles import read_puzzles
from little_go.solver.position import START, Position, parse_moves, play_all

SHIPPED = read_puzzles()

#: Puzzles near the end, one of each grade.
CHOSEN = [
    next(each for each in SHIPPED if low <= each.wrong < low + 0.2 and each.position.left <= 12)
    for low in (0.0, 0.2, 0.4, 0.6)
]

#: Positions that are not puzzles: White has lost, or Black wins by several moves or by every move.
OTHERS = [
    play_all(START, parse_moves("2,2 1,1")),
    Position(black=0b11111_11111_11111, white=0, ply=20),
]


@pytest.mark.system
@pytest.mark.parametrize("count", [1, pytest.param(4, marks=pytest.mark.long)])
def test_the_same_positions_give_the_puzzles_that_ship(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    chosen = CHOSEN[:count]
    monkeypatch.setattr(Drawing, "_positions", lambda _: [*OTHERS, *(each.position for each in chosen)])
    out = tmp_path / "puzzles.csv"
    done = CliRunner().invoke(main, ["puzzles", "--out", str(out)])
    assert (done.exit_code, done.stdout) == (0, f"puzzles.csv: {count} puzzle{'s'[: count != 1]}\n"), done.stderr
    assert read_puzzles(out) == chosen


@pytest.mark.long
def test_the_positions_are_those_of_the_atlas_and_of_games_in_an_order_by_the_seed() -> None:
    one, again, other = (Drawing(seed)._positions() for seed in (1, 1, 2))
    assert one == again != other
    assert {position.ply for position in one[:80]} <= {1, 2, 3}
    assert {position.left for position in one[80:]} == set(range(2, 17))
    assert set(one[80:]) == set(other[80:])
