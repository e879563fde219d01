"""Test vectors for the laws of evidence, in Python and in the page.

``python -m tests.explorer.evidence_vectors`` writes the file. Each line is JSON. It has either a law of
solver/answer.py or solver/bounds.py with arguments and the result, or a whole question: bounds that two sources state
on a position and the positions after its moves, and the conclusions.
"""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from little_go.book.answers.sources import ATLAS, BOOK, Ledger, Source
from little_go.book.store.facts import Contradiction, Origin, Statement
from little_go.notation.record import to_record
from little_go.solver.answer import LEAST, MOST, Bounds, BoundsBase, goal_of
from little_go.solver.bounds import UNKNOWN, after_move, best_of, intersect, points_lost, rank
from little_go.solver.family import COURSE
from little_go.solver.position import START, Position
from little_go.solver.symmetry import canonical_key

FILE = Path(__file__).parents[1] / "data" / "evidence.jsonl"
SEED = 2026

#: The number of lines with a law, and the number of lines with a question.
COMBINATIONS, QUESTIONS = 5_000, 200


def some_bounds(rng: random.Random) -> Bounds:
    """Draw bounds. Exact bounds, bounds with one end, no bounds, and bounds that decide the winner are frequent."""
    lo, hi = sorted(rng.choice((LEAST, MOST, 2, 3, rng.randint(LEAST, MOST), rng.randint(-4, 6))) for _ in range(2))
    return rng.choice((Bounds(lo, hi), Bounds(lo=lo), Bounds(hi=hi), Bounds(lo, lo)))


def several(rng: random.Random) -> list[Bounds]:
    """Draw a list of bounds for one to six moves."""
    return [some_bounds(rng) for _ in range(rng.randint(1, 6))]


def listed(ends: BoundsBase) -> list[int]:
    """Return the two ends as a list."""
    return [ends.lo, ends.hi]


#: By the name of a law in the file: a function that draws arguments and returns them with the result, both as JSON.
LAWS: dict[str, Callable[[random.Random, bool], tuple[list[Any], Any]]] = {
    "value": lambda rng, black: (lambda one: ([listed(one)], one.value))(some_bounds(rng)),
    "winner": lambda rng, black: (lambda one: ([listed(one)], COURSE.winner(one)))(some_bounds(rng)),
    "at_least": lambda rng, black: (lambda one, goal: ([listed(one), goal], one.at_least(goal)))(
        some_bounds(rng), rng.randint(LEAST, MOST)
    ),
    "reach": lambda rng, black: (lambda one: ([listed(one)], one.mover_bound(black)))(some_bounds(rng)),
    "most": lambda rng, black: (lambda one: ([listed(one)], one.opponent_bound(black)))(some_bounds(rng)),
    "kept": lambda rng, black: (lambda one: ([listed(one)], listed(one.mover_end(black))))(some_bounds(rng)),
    "capped": lambda rng, black: (lambda one: ([listed(one)], listed(one.opponent_end(black))))(some_bounds(rng)),
    "meet": lambda rng, black: (lambda one, two: ([listed(one), listed(two)], listed(intersect(one, two))))(
        some_bounds(rng), some_bounds(rng)
    ),
    "best_of": lambda rng, black: (
        lambda moves: ([[*map(listed, moves)]], listed(best_of(black, {n: answer(m) for n, m in enumerate(moves)})))
    )(several(rng)),
    "after_move": lambda rng, black: (
        lambda here, best: ([listed(here), best], listed(after_move(black, here, is_best=best)))
    )(some_bounds(rng), rng.random() < 0.5),
    "goal_of": lambda rng, black: (lambda value: ([value], goal_of(value, black)))(rng.randint(LEAST, MOST)),
    "won_by": lambda rng, black: (lambda colour: ([colour], listed(COURSE.won_by(colour))))(rng.randint(1, 2)),
    "points_lost": lambda rng, black: (
        lambda here, after, others: (
            [listed(here), listed(after), [*map(listed, others)]],
            [*points_lost(black, here, after, others)],
        )
    )(some_bounds(rng), some_bounds(rng), several(rng)),
    "rank": lambda rng, black: (lambda after: ([listed(after)], [*rank(black, after, game=COURSE)]))(some_bounds(rng)),
}


def answer(bounds: Bounds) -> Any:
    """Return bounds as a search returns them."""
    return UNKNOWN._replace(lo=bounds.lo, hi=bounds.hi)


class Teller(Source):
    """A source that states given bounds on some positions."""

    def __init__(self, kind: str) -> None:
        self.told: dict[int, Bounds] = {}
        self._origin = Origin(kind)

    def statements_about(self, position: Position) -> list[Statement]:
        """Return the bounds on a position as a statement, if there are any."""
        bounds = self.told.get(canonical_key(position))
        return [] if bounds is None else [Statement(bounds.lo, bounds.hi, (), self._origin)]


def question(rng: random.Random) -> dict[str, Any]:
    """Draw a position, and bounds on it and on its moves from two sources.

    The bounds are true of values that are drawn first. In a few of the questions one bound is false.
    """
    position = START
    for _ in range(rng.randint(0, 20)):
        position = position.play(rng.choice(position.legal_moves()[:-1] or position.legal_moves()))
    black, moves = position.black_to_move, position.legal_moves()
    children = {canonical_key(child): move for move in reversed(moves) if not (child := position.play(move)).is_over}
    values = {key: rng.randint(-1, 4) for key in children}
    ends = [child.margin for child in map(position.play, moves) if child.is_over]
    value = (max if black else min)([*values.values(), *ends])
    tellers, told = (Teller(ATLAS), Teller(BOOK)), []
    for key, move in [(canonical_key(position), None), *children.items()]:
        for teller in tellers:
            if rng.random() < 0.5:
                truth = value if move is None else values[key]
                lo, hi = truth - rng.choice((0, 0, 3, 60)), truth + rng.choice((0, 0, 3, 60))
                lie = 40 if rng.random() < 0.004 else 0
                teller.told[key] = Bounds(max(LEAST, lo + lie), max(LEAST + lie, min(MOST, hi + lie)))
                told.append([move, *teller.told[key]])
    return {"law": "question", "position": to_record(position, COURSE), "told": told, "is": asked(position, tellers)}


def asked(position: Position, tellers: tuple[Teller, ...]) -> dict[str, Any]:
    """Query a ledger. Return the bounds, the moves in order with their bounds and losses, and the best moves."""
    ledger, black = Ledger(tellers, game=COURSE), position.black_to_move
    try:
        key, moves = ledger.ask(position), [(move, ledger.ask(position.play(move))) for move in position.legal_moves()]
        ledger.infer(position, [child for _, child in moves])
    except Contradiction:
        return {"contradiction": True}
    first: dict[int, int] = {}
    for move, child in moves:
        first.setdefault(child, move)
    order = sorted(first, key=lambda child: rank(black, ledger.at(child), game=COURSE))
    lost = {
        child: points_lost(
            black, ledger.at(key), ledger.at(child), [ledger.at(each) for each in first if each != child]
        )
        for child in first
    }
    return {
        "bounds": listed(ledger.at(key)),
        "moves": [[first[child], *listed(ledger.at(child)), *lost[child]] for child in order],
        "best": [move for move, child in moves if lost[child] == (0, 0)],
    }


def vectors() -> Iterator[dict[str, Any]]:
    """Yield all vectors; the seed is fixed."""
    rng = random.Random(SEED)
    for number in range(COMBINATIONS):
        law, black = [*LAWS][number % len(LAWS)], rng.random() < 0.5
        given, result = LAWS[law](rng, black)
        yield {"law": law, "black": black, "given": given, "is": result}
    for _ in range(QUESTIONS):
        yield question(rng)


def text() -> str:
    """Return the text of the file."""
    return "".join(json.dumps(vector, separators=(",", ":")) + "\n" for vector in vectors())


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
