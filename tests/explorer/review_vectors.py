"""Test vectors that compare the page's list of mistakes with a review in Python.

``python -m tests.explorer.review_vectors`` writes the file. Each line has a game that begins in a late position, the
bounds on each of its positions, the lines of play that explain its mistakes with the outcomes of the searches for them,
and the mistakes as in ``little-go review --json``. In half of the games the node limit is small, so some bounds are
not exact.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from little_go.arena.match.host import states_of
from little_go.arena.review.reading import GameToReview
from little_go.arena.review.review import Evaluator, Review, judge_move, review
from little_go.book.answers.query import Knowledge
from little_go.book.answers.reasons import reason
from little_go.notation.record import from_record, to_record
from little_go.solver.answer import Answer
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, START, Position, move_name

FILE = Path(__file__).parents[1] / "data" / "reviews.jsonl"
SEED = 71
GAMES = 40

#: Node limits for a value. The first one is enough for every position, and the second one is too small for early
#: positions.
NODES = (500_000_000, 300)


def games(seed: int) -> Iterator[GameToReview]:
    """Yield random games from positions with 6 to 10 plies left. Most of the moves are stones."""
    rng = Random(seed)
    while True:
        start = _random_position(rng, rng.randint(14, 18))
        position, moves = start, list[str]()
        while not position.is_over:
            legal = position.legal_moves()
            move = PASS if rng.random() < 0.1 else rng.choice(legal[:-1] or legal)
            moves.append(move_name(move))
            position = position.play(move)
        *_, state = states_of(moves, game=COURSE, start=start)
        yield GameToReview("vectors", "Black", "White", state)


def _random_position(rng: Random, plies: int) -> Position:
    position = START
    while position.ply < plies:
        position = position.play(rng.choice(position.legal_moves()[:-1] or [PASS]))
    return position


def vector_of(found: Review, evaluator: Evaluator) -> dict[str, Any]:
    """Return a vector: the data of a reviewed game, and the page's result. evaluator: the evaluator of the review."""
    record = found.record()
    outcomes = [why.outcome for each in found.mistakes if (why := evaluator.explained(each.position, each.move))]
    return {
        "start": to_record(found.start, COURSE),
        "moves": found.moves(),
        "bounds": [[worth.lo, worth.hi] for worth in found.known],
        "lines": {
            each.ply: [[each.move, *each.answer], each.instead, outcome]
            for each, outcome in zip(found.mistakes, outcomes, strict=True)
        },
        "is": {"mistakes": record["mistakes"], "turning_point": record["turning_point"]},
    }


def vectors() -> Iterator[dict[str, Any]]:
    """Yield all vectors; the seed is fixed."""
    evaluators = [Evaluator([], nodes) for nodes in NODES]
    for number, game in enumerate(islice(games(SEED), GAMES)):
        yield vector_of(review(game, evaluators[number % 2]), evaluators[number % 2])


def judged(vector: dict[str, Any]) -> dict[str, Any]:
    """Return the review of a vector's game, given its bounds and lines.

    The bounds are given, because a search with a small limit and several threads does not find the same bounds each
    time.
    """
    position = from_record(vector["start"], COURSE)
    positions = [position, *(position := position.play(move) for move in vector["moves"])]
    worth = [
        Knowledge(each, Answer(lo, hi, None, 0), game=COURSE)
        for each, (lo, hi) in zip(positions, vector["bounds"], strict=True)
    ]
    found = [judge_move(move, *worth[at : at + 2]) for at, move in enumerate(vector["moves"])]
    mistakes = []
    for mistake in filter(None, found):
        worse, better, outcome = vector["lines"][str(mistake.ply)]
        why = reason(mistake.position, worse, better, COURSE, outcome)
        mistakes.append(replace(mistake, instead=tuple(better), answer=tuple(worse[1:]), reason=why))
    turning = next((each.ply for each in reversed(mistakes) if each.decisive), None)
    return {"mistakes": [each.record() for each in mistakes], "turning_point": turning}


if __name__ == "__main__":
    FILE.write_text("".join(json.dumps(vector, separators=(",", ":")) + "\n" for vector in vectors()), "utf-8")
