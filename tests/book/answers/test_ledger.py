"""The ledger: statements of sources and answers of searches in any order, and inferences from them."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from little_go.book.answers.query import Service
from little_go.book.answers.sources import ATLAS, STORE, Ledger, Source
from little_go.book.store.facts import Contradiction, Origin, Statement
from little_go.solver.answer import LEAST, MOST, Answer
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.position import START, Position
from little_go.solver.symmetry import SYMMETRIES, canonical_key, transform

#: The plies left of the positions; the pure search finds their values immediately.
PLIES_LEFT = 3


class Truthful(Source):
    """A source that states true bounds about some of the positions."""

    def __init__(self, name: str, seed: int, values: dict[int, Answer]) -> None:
        self._origin = Origin(STORE, name)
        self._seed = seed
        self._values = values
        self.asked: Counter[int] = Counter()

    def statements_about(self, position: Position) -> list[Statement]:
        """Return bounds that are exact or trivial at random, or no statement."""
        key = canonical_key(position)
        self.asked[key] += 1
        rng = random.Random(f"{self._seed} {key}")
        if key not in self._values or rng.random() < 0.3:
            return []
        value = self._values[key].lo
        lo, hi = (value if rng.random() < 0.5 else end for end in (LEAST, MOST))
        return [Statement(lo, hi, (), self._origin)]


def late_position(seed: int) -> Position:
    """Return a position with a few plies left, from random play."""
    rng, position = random.Random(seed), START
    while position.left > PLIES_LEFT:
        after = position.play(rng.choice(position.legal_moves()))
        position = after if not after.is_over else START
    return position


def values_under(position: Position) -> dict[int, Answer]:
    """Return, by key, the values of a position and of all positions that can follow it, by the pure search."""
    solver, values, todo = ExactSolver(), {}, [position]
    while todo:
        each = todo.pop()
        key = canonical_key(each)
        if key in values or each.is_over:
            continue
        values[key] = solver.value(each)
        todo += [each.play(move) for move in each.legal_moves()]
    return values


@pytest.fixture(scope="module")
def truths() -> list[tuple[Position, dict[int, Answer]]]:
    positions = [late_position(seed) for seed in range(4)]
    return [(position, values_under(position)) for position in positions]


def test_what_follows_contains_the_truth_and_each_source_is_asked_once(
    truths: list[tuple[Position, dict[int, Answer]]],
) -> None:
    narrowed = 0
    for seed, (position, values) in enumerate(truths * 5):
        sources = [Truthful("one", seed, values), Truthful("two", -seed - 1, values)]
        known = Service(sources, game=COURSE).ask(position)
        for each in (known, *(after for _, after in known.after_moves)):
            if not each.position.is_over:
                value = values[canonical_key(each.position)].lo
                assert each.lo <= value <= each.hi
                told = [said for source in sources for said in source.statements_about(each.position)]
                narrowed += (each.lo, each.hi) != (
                    max((said.lo for said in told), default=LEAST),
                    min((said.hi for said in told), default=MOST),
                )
    assert narrowed > 20
    position, values = truths[0]
    source = Truthful("one", 0, values)
    Service([source], game=COURSE).ask(position, way=[START])
    assert source.asked
    assert set(source.asked.values()) == {1}


@given(st.permutations(range(12)), st.integers(0, 3))
def test_any_order_of_telling_gives_the_same_bounds(order: list[int], which: int) -> None:
    position = START.play(which)
    moves = position.legal_moves()
    answers = [(position, Answer(LEAST, 9 - n, moves[n], n)) for n in range(3)]
    answers += [(position.play(moves[n]), Answer(-n, 20, None, n)) for n in range(9)]

    def told(numbers: list[int]) -> list[tuple[int, ...]]:
        ledger = Ledger([], game=COURSE)
        for number in numbers:
            ledger.learn(*answers[number])
        keys = [ledger.ask(position.play(move)) for move in moves]
        ledger.infer(position, keys)
        return [(ledger.at(key).lo, ledger.at(key).hi) for key in (ledger.ask(position), *keys)]

    assert told(order) == told(sorted(order))


@given(st.integers(0, SYMMETRIES - 1), st.integers(0, 24))
def test_a_move_is_named_in_the_orientation_of_the_question(symmetry: int, move: int) -> None:
    position, ledger = START.play(7).play(3), Ledger([], game=COURSE)
    if not position.allows(move):
        return
    ledger.learn(position, Answer(-3, MOST, move, 5))
    image = transform(symmetry, position)
    (said,) = ledger.statements(image)
    assert image.play(said.best[0]) == transform(symmetry, position.play(move))
    # The bound that the move keeps is known about the position after it too.
    assert ledger.at(canonical_key(position.play(move))).lo == -3


def test_what_is_settled_stays_known_and_the_rest_is_asked_again() -> None:
    one, other = START.play(12), START.play(0)
    source = Truthful("one", 0, {})
    ledger = Ledger([source], game=COURSE)
    for position in (one, other):
        ledger.ask(position)
        ledger.learn(position, Answer(LEAST, 7, None, 0))
    ledger.settle([canonical_key(one)])
    assert not [*ledger.known_bounds()]
    assert (ledger.at(canonical_key(one)).hi, ledger.at(canonical_key(other)).hi) == (7, MOST)
    # The ledger keeps the answers of searches.
    assert ledger.at(ledger.ask(other)).hi == 7
    assert source.asked == {canonical_key(one): 1, canonical_key(other): 2}


def test_a_search_that_refutes_a_file_is_a_contradiction() -> None:
    class Wrong(Source):
        def statements_about(self, position: Position) -> list[Statement]:
            return [Statement(5, 24, (), Origin(ATLAS, "atlas.csv.gz"))]

    ledger = Ledger([Wrong()], game=COURSE)
    ledger.ask(START)
    with pytest.raises(Contradiction, match=r"atlas\.csv\.gz: \+5 or more, and kernel: \+3 or less, cannot"):
        ledger.learn(START, Answer(3, 3, None, 1))
