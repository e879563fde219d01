"""The script that people upload keeps every won position of the oracle file, within its budget."""

import json
import subprocess

import pytest

from notation.record import from_record
from player.__main__ import ROOT
from solver.answer import BLACK_WINS
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import Position
from tests.solver.test_exact import oracle_rows

#: Seconds of CPU that the player has for a move.
BUDGET = 3.0

#: Positions as lines in; the move, what it rests on and the CPU seconds it took as lines out.
CHOOSE = f"""
import json, sys, time
import my_player3 as player
for line in sys.stdin:
    position = player.Position(*json.loads(line))
    start = time.process_time()
    choice = player.choose_move(position, player.Clock({BUDGET}, start))
    print(json.dumps([choice.move, choice.source, time.process_time() - start]), flush=True)
"""


#: The positions that the mover wins, and some of the others: there is nothing to throw away there.
WON: list[Position] = []
LOST: list[Position] = []
for row in oracle_rows(1, 24):
    position = from_record(row)
    (WON if (row["value"] >= BLACK_WINS) == position.black_to_move else LOST).append(position)
#: A lost position may take the whole budget.
LOST_STEPS = [36, pytest.param(12, marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return Kernel(open_table(64))


def choices(python: str, positions: list[Position]) -> list[tuple[int, str, float]]:
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


def test_no_win_is_thrown_away(python: str, kernel: Kernel) -> None:
    chosen = choices(python, WON)
    assert len(chosen) == len(WON) > 500
    for position, (move, source, seconds) in zip(WON, chosen, strict=True):
        after = position.play(move)
        winner = after.leader if after.is_over else kernel.decide(after, BLACK_WINS).winner
        assert winner == position.mover, (position, move, source)
        assert seconds < BUDGET, (position, seconds)


@pytest.mark.parametrize("step", LOST_STEPS)
def test_lost_positions_get_a_legal_move_in_time(python: str, step: int) -> None:
    some = LOST[::step]
    for position, (move, _, seconds) in zip(some, choices(python, some), strict=True):
        assert move in position.legal_moves()
        assert seconds < BUDGET, (position, seconds)
