"""The uploaded script keeps the win in every won position of the oracle file, within its budget."""

import json
import subprocess

import pytest

from little_go.notation.record import from_record
from little_go.player.__main__ import ROOT
from little_go.solver.answer import BLACK_WINS
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import Position
from tests.solver.test_exact import oracle_rows

#: The number of clock calls that the player may make for a move; it makes one after about 1,000 nodes.
BUDGET = 300

#: A program that reads positions as lines, and prints for each the move, its basis and the number of clock calls. The
#: clock advances by one at each call, so it does not depend on the machine.
CHOOSE = f"""
import itertools, json, sys
import my_player3 as player
for line in sys.stdin:
    position = player.Position(*json.loads(line))
    player.time.process_time = itertools.count(1).__next__
    choice = player.choose_move(position, player.Clock({BUDGET}, 0), game=player.GAME)
    print(json.dumps([choice.move, choice.source, player.time.process_time() - 1]), flush=True)
"""


#: The positions that the mover wins, and some of the others, in which no win can be lost.
WON: list[Position] = []
LOST: list[Position] = []
for row in oracle_rows(1, 24):
    position = from_record(row, COURSE)
    (WON if (row["value"] >= BLACK_WINS) == position.black_to_move else LOST).append(position)
#: One in this many positions is used, because a lost position may take the whole budget.
WON_STEPS = [4, pytest.param(1, marks=pytest.mark.long)]
LOST_STEPS = [72, pytest.param(12, marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return Kernel(open_table(64))


def choices(python: str, positions: list[Position]) -> list[tuple[int, str, int]]:
    """Return the script's moves, with an empty table and no book."""
    run = subprocess.run(
        [python, "-c", CHOOSE],
        cwd=ROOT,
        input="".join(json.dumps(position) + "\n" for position in positions),
        capture_output=True,
        text=True,
        check=True,
    )
    return [tuple(json.loads(line)) for line in run.stdout.splitlines()]


@pytest.mark.parametrize("step", WON_STEPS)
def test_no_win_is_thrown_away(python: str, kernel: Kernel, step: int) -> None:
    assert len(WON) > 500
    some = WON[::step]
    for position, (move, source, looks) in zip(some, choices(python, some), strict=True):
        after = position.play(move)
        winner = COURSE.leader(after) if after.is_over else COURSE.winner(kernel.decide(after, BLACK_WINS))
        assert winner == position.mover, (position, move, source)
        assert looks < BUDGET, (position, looks)


@pytest.mark.parametrize("step", LOST_STEPS)
def test_lost_positions_get_a_legal_move_in_time(python: str, step: int) -> None:
    some = LOST[::step]
    for position, (move, _, looks) in zip(some, choices(python, some), strict=True):
        assert move in position.legal_moves()
        # When its time is over, the search ends, and no other search begins.
        assert looks < BUDGET + 9, (position, looks)
