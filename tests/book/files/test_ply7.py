"""The shipped values of ply 7 agree with the values of their moves, with searches from an empty table, and with
certificates.
"""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from little_go.book.exchange.claims import read_claims
from little_go.book.files.levels import parts_in, read_part, sizes_of
from little_go.book.files.shipped import VALUES, certificates
from little_go.book.files.values import LAST_PLY, LAST_SIZE, PLY_SIZES, Values, read_values
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.native.twin import TwinSolver
from little_go.solver.position import Position
from little_go.solver.symmetry import position_of


@pytest.fixture(scope="module")
def values() -> Values:
    return read_values(VALUES)


@pytest.fixture(scope="module")
def known(values: Values) -> list[tuple[int, int]]:
    """By key, the shipped value of each position after seven plies."""
    return list(values.later(LAST_PLY).items())


def test_no_block_is_in_two_parts(values: Values, known: list[tuple[int, int]]) -> None:
    parts = [read_part(path) for path in parts_in(VALUES.parent / f"ply{LAST_PLY}")]
    assert max(Counter(number for part in parts for number in part.sizes).values()) == 1
    assert len({key for key, _ in known}) == len(known) == sum(sizes_of(parts).values()) <= LAST_SIZE


def before(values: Values, known: list[tuple[int, int]]) -> Iterator[tuple[Position, int]]:
    """Yield the positions after six plies from which a stone leads to a shipped position, with their values."""
    white = {position_of(key).white for key, _ in known}
    for position, answer in values.items():
        if position.ply == LAST_PLY - 1 and position.white in white:
            yield position, answer.lo


@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.long)])
def test_a_position_is_worth_its_best_move(values: Values, known: list[tuple[int, int]], step: int) -> None:
    compared = 0
    for position, value in list(before(values, known))[::step]:
        worth = [after_move(values, position, move) for move in position.legal_moves()]
        if None not in worth:
            assert max(each for each in worth if each is not None) == value, position
            compared += 1
    assert compared * step > 1_500


def after_move(values: Values, position: Position, move: int) -> int | None:
    after = position.play(move)
    if after.is_over:
        return after.margin
    answer = values.get(after)
    return None if answer is None else answer.lo


@pytest.mark.parametrize("count", [4, pytest.param(1000, marks=pytest.mark.long)])
def test_a_cold_search_finds_the_same_values(known: list[tuple[int, int]], count: int) -> None:
    for key, value in random.Random(7).sample(known, count):
        assert Kernel(open_table(64)).value(position_of(key)).value == value, position_of(key)


@pytest.mark.long
def test_the_player_s_own_search_finds_the_same_values(known: list[tuple[int, int]]) -> None:
    """This search shares neither tables nor bounds with the kernel. A value takes about 10 M nodes."""
    for key, value in random.Random(17).sample(known, 20):
        assert TwinSolver().value(position_of(key)).value == value, position_of(key)


def test_the_certificates_agree(values: Values) -> None:
    agreed = 0
    for path in certificates():
        for fact in read_claims(path).facts():
            position = fact.position
            if position.ply == LAST_PLY - 1 and fact.best is not None:
                # The certificate's move keeps the bound.
                position = position.play(fact.best)
            answer = values.get(position) if position.ply == LAST_PLY and not position.is_over else None
            if answer is not None:
                assert fact.lo <= answer.lo <= fact.hi, (path.name, position)
                agreed += 1
    assert agreed >= 4


def test_an_unknown_block_has_no_value(values: Values) -> None:
    absent = Position(white=0b11111, ply=LAST_PLY)
    assert values.get(absent) is None
    assert values.get(Position(ply=LAST_PLY + 1)) is None
    assert sum(PLY_SIZES) == len(values)
