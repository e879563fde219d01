"""Counts of move sequences agree with figures that others have computed."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from little_go.book.commands.solver import count_by_move
from little_go.solver.native.kernel import perft
from little_go.solver.position import PASS, SIZE, START, Position, move_name
from tests.book.positions import open_positions
from tests.solver.positions import DATA, shown


class Case(NamedTuple):
    """A position of the suite. counts[d] is the perft of depth d, including PASS."""

    name: str
    position: Position
    has_ko: bool
    counts: dict[int, int]


def suite() -> Iterator[Case]:
    for block in (DATA / "perft5x5_suite.txt").read_text().strip().split("\n\n"):
        lines = block.splitlines()
        fields = {key: rest for key, _, rest in (line.partition(" ") for line in lines)}
        counts = [line.split()[1:] for line in lines if line.startswith("perft ")]
        position = replayed(fields["moves"].split())
        yield Case(fields["id"], position, "# ko point set" in lines, {int(d): int(n) for d, n in counts})


def gtp_point(name: str) -> int:
    return PASS if name == "pass" else SIZE * (SIZE - int(name[1])) + "ABCDE".index(name[0])


def replayed(names: list[str]) -> Position:
    position = START
    for move in map(gtp_point, names):
        # In published figures, a PASS on the first ply is an ordinary move.
        position = Position(ply=1, passed=True) if (position, move) == (START, PASS) else position.play(move)
    return position


CASES = list(suite())


def plain_count(position: Position, depth: int) -> int:
    """Return the perft by the rules of Position, from a ply after the first, including PASS."""
    moves = position.legal_moves()
    return len(moves) if depth == 1 else sum(plain_count(position.play(move), depth - 1) for move in moves)


def divide(position: Position, depth: int) -> str:
    counts = count_by_move(position, depth, count_pass=True)
    return shown(position) + "".join(f"\n{move_name(move):4} {count}" for move, count in counts.items())


def check(case: Case, depth: int, count: Callable[[Position, int], int]) -> None:
    found = count(case.position, depth)
    assert found == case.counts[depth], f"{case.name}, depth {depth}{divide(case.position, depth)}"


def test_suite_is_whole() -> None:
    assert len(CASES) == 280
    assert sum(case.has_ko for case in CASES) == 38
    assert all(case.counts for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_suite_position(case: Case) -> None:
    assert (case.position.ko is not None) == case.has_ko, shown(case.position)
    for depth in case.counts:
        check(case, depth, lambda position, plies: perft(position, plies, count_pass=True))
        if depth <= 2:
            check(case, depth, plain_count)


@pytest.mark.parametrize(
    ("count_pass", "counts"),
    [
        (False, [25, 600, 13_800, 303_424, 6_368_416, 127_124_176]),
        (True, [26, 651, 15_650, 361_041, 7_984_104, 168_755_200]),
    ],
)
def test_empty_board(count_pass: bool, counts: list[int]) -> None:
    assert [perft(START, depth, count_pass=count_pass) for depth in range(1, 7)] == counts


@given(open_positions(), st.integers(1, 3), st.booleans())
def test_counts_by_move_add_up(position: Position, depth: int, count_pass: bool) -> None:
    counts = count_by_move(position, depth, count_pass)
    assert sum(counts.values()) == perft(position, depth, count_pass=count_pass)
    assert list(counts) == [m for m in position.legal_moves() if count_pass or m != PASS]


def test_sequences_stop_with_the_game() -> None:
    assert perft(Position(ply=23), 1) == 25
    assert perft(Position(ply=23), 2, count_pass=True) == 0
    assert perft(Position(ply=24, passed=True), 1, count_pass=True) == 0


@pytest.mark.parametrize("depth", [0, -1])
def test_depth_below_one_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="depth must be at least 1"):
        perft(START, depth)


def leaves(position: Position, depth: int, count_pass: bool) -> int:
    """Return the count by the rules. In the suite, the game continues after a first PASS and ends after a second."""
    if depth == 0:
        return 1
    total = 0
    for move in position.legal_moves():
        if move != PASS:
            total += leaves(position.play(move), depth - 1, count_pass)
        elif count_pass and (depth == 1 or not position.passed):
            after = position._replace(ko=None, ply=position.ply + 1, passed=True)
            total += leaves(after, depth - 1, count_pass)
    return total


@pytest.mark.parametrize("ply", [21, 22, 23])
@pytest.mark.parametrize("passed", [False, True])
def test_the_last_plies_are_counted_as_by_the_rules(ply: int, passed: bool) -> None:
    """The count of a depth beyond the last ply is 0 for each first move."""
    position = Position(black=0b00100_01010_00100, white=0b01010_10001_01010 << 10, ply=ply, passed=passed)
    for depth in range(1, 5):
        for count_pass in (False, True):
            found = count_by_move(position, depth, count_pass)
            assert sum(found.values()) == leaves(position, depth, count_pass), (depth, count_pass)
            assert sum(found.values()) == perft(position, depth, count_pass=count_pass)
