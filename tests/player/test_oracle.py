"""The script that people upload keeps every won position of the oracle file, within its budget."""

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

#: How often the player may look at its clock for a move: each time it has searched some 1,000 nodes.
BUDGET = 300

#: Positions as lines in; the move, what it rests on and how often it looked at its clock as lines out. The clock goes
#: on by one at each look, however fast the machine is.
CHOOSE = f"""
import itertools, json, sys
import my_player3 as player
for line in sys.stdin:
    position = player.Position(*json.loads(line))
    player.time.process_time = itertools.count(1).__next__
    choice = player.choose_move(position, player.Clock({BUDGET}, 0), game=player.GAME)
    print(json.dumps([choice.move, choice.source, player.time.process_time() - 1]), flush=True)
"""


#: The positions that the mover wins, and some of the others: there is nothing to throw away there.
WON: list[Position] = []
LOST: list[Position] = []
for row in oracle_rows(1, 24):
    position = from_record(row, COURSE)
    (WON if (row["value"] >= BLACK_WINS) == position.black_to_move else LOST).append(position)
#: Every so many of them; a lost one may take the whole budget.
WON_STEPS = [4, pytest.param(1, marks=pytest.mark.long)]
LOST_STEPS = [72, pytest.param(12, marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return Kernel(open_table(64))


def choices(python: str, positions: list[Position]) -> list[tuple[int, str, int]]:
    """Ask the script for its moves, with an empty table and no book."""
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
        # The search that finds its time over ends, and what comes after it begins no other.
        assert looks < BUDGET + 9, (position, looks)
