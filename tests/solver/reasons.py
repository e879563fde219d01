"""Checksums of the reasons of random lines, which include many positions that best play avoids."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from little_go.book.answers.reasons import ExactOracle
from little_go.solver.native import explain
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, START, Position
from tests.stored_numbers import numbers_text

#: The stored checksums; ``python -m tools.affected --accept`` writes them.
STORED = Path(__file__).with_name("reasons.toml")

#: The pairs of this seed reach each sentence of the kernel.
SEED, PAIRS, SEARCHES = 101, 1200, 150

#: The name of the checksum of the lines that a search finds; the other names are themes.
LINES = "lines"


class Pair(NamedTuple):
    """Two lines of play that begin with different moves."""

    position: Position
    worse: list[int]
    better: list[int]


def random_position(rng: random.Random, least_ply: int, most_ply: int) -> Position:
    """Return a position of a random game before the end of the game."""
    while True:
        position, ply = START, rng.randint(least_ply, most_ply)
        while position.ply < ply:
            *stones, _ = position.legal_moves()
            position = position.play(rng.choice(stones) if stones and rng.random() < 0.95 else PASS)
        if not position.is_over:
            return position


def random_line(rng: random.Random, position: Position, wanted: Sequence[int]) -> list[int]:
    """Return a line of play to the end of the game, in which most moves are wanted moves."""
    line: list[int] = []
    while not position.is_over:
        *stones, _ = position.legal_moves()
        likely = [move for move in wanted if move in stones and move not in line]
        if likely and rng.random() < 0.7:
            move = likely[0]
        else:
            move = rng.choice(stones) if stones and rng.random() < 0.93 else PASS
        line.append(move)
        position = position.play(move)
    return line


def random_pairs(count: int, seed: int) -> Iterator[Pair]:
    """Yield pairs of lines, of which most have common moves. Some lines are cut off before the end of the game."""
    rng = random.Random(seed)
    while count:
        position = random_position(rng, 1, 22)
        worse = random_line(rng, position, ())
        better = random_line(rng, position, worse[1:] if rng.random() < 0.7 else ())
        if worse[0] != better[0]:
            most = rng.choice([24, 24, 24, 4, 10])
            yield Pair(position, worse[:most], better[:most])
            count -= 1


def checksums() -> dict[str, int]:
    """Return, by theme, a checksum of the reasons of random lines, and a checksum of the lines that a search finds."""
    rng, found = random.Random(2), dict.fromkeys((*explain.THEMES, LINES), 0)
    for pair in random_pairs(PAIRS, SEED):
        plies, komi = rng.choice([(24, 2.5), (24, 3), (24, 0), (26, 2.5)])
        outcome = rng.choice([1, 1, 2, 3])  # Half of the outcomes describe wasted moves.
        why = explain.reason(*pair, plies, komi, outcome)
        found[why[0]] = crc32(repr(why).encode(), found[why[0]])
    judge = ExactOracle(Kernel(open_table(16)))
    for _ in range(SEARCHES):
        position = random_position(rng, 17, 23)
        lines = explain.explain(position, rng.choice(position.legal_moves()), judge)
        found[LINES] = crc32(repr(lines).encode(), found[LINES])
    return found


def reasons_text() -> str:
    """Return the checksums in the form of the file."""
    return numbers_text("Checksums of the reasons in reasons.py", checksums())
