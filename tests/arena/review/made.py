"""Reviews that are made without a search: all values, lines and reasons are given."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from little_go.arena.review.reading import from_record, positions_of
from little_go.arena.review.review import Review, judge_move
from little_go.book.answers.query import Knowledge
from little_go.book.answers.reasons import Reason
from little_go.solver.answer import Answer
from little_go.solver.position import parse_move

#: A game of 8 plies.
SHORT = {"plies": 8, "komi": 0.5}


def made(
    moves: str,
    bounds: Sequence[tuple[int, int]],
    lines: Mapping[int, tuple[str, str, Reason | None]] | None = None,
    **record: Any,
) -> Review:
    """Return a review.

    moves: the moves of the record. bounds: the bounds of each position. lines: for some plies of mistakes, the better
    line, the answer and the reason. record: other keys of the game's record.
    """
    told = {"black": "ann", "white": "bob", "winner": 0, "reason": "", **SHORT, "moves": moves.split(), **record}
    game = from_record("games.jsonl, game 1", told)
    positions = positions_of(game.state)
    known = [
        Knowledge(position, Answer(*each, None, 0), game=game.game)
        for position, each in zip(positions, bounds, strict=True)
    ]
    mistakes = []
    for at, name in enumerate(game.state.moves[: len(positions) - 1]):
        if mistake := judge_move(parse_move(name), known[at], known[at + 1]):
            better, answer, reason = (lines or {}).get(mistake.ply, ("", "", None))
            points = [tuple(map(parse_move, line.split())) for line in (better, answer)]
            mistakes.append(replace(mistake, instead=points[0], answer=points[1], reason=reason))
    return Review(game, tuple(positions), tuple(known), tuple(mistakes))


_CUT = Reason("capture", "At ply 9 it loses 2,2.", "0,1 would take it.", "misses a cut")
_EYE = Reason("capture", "It has one eye.", "2,4 makes two eyes.", "misses an eye")

#: A line of 9 moves, of which a text shows a part.
_LONG = "0,0 0,1 0,2 0,3 0,4 1,0 1,3 1,4 2,0"

#: A game with three mistakes, none of which is proven to change the winner.
PLAYED_OUT = made(
    "2,2 1,1 1,2 PASS 3,3 0,0 0,1 4,4",
    [(1, 1), (1, 1), (3, 3), (-2, 2), (2, 5), (2, 2), (3, 3), (3, 3), (3, 3)],
    {2: (_LONG, _LONG, _CUT), 3: ("1,3 0,0 PASS 4,4", "0,4 4,0", _CUT)},
    winner=1,
    reason="max",
    cpu={"black": [0.5, 0.25, 1.0, 1.0], "white": [2.0, 0.5, 0.5, 0.5]},
    seed=7,
)

#: A game that Black loses by a fault after a mistake of White.
ENDED_BY_A_FAULT = made(
    "2,2 1,1 2,2",
    [(1, 1), (1, 1), (4, 4)],
    {2: ("0,0", "3,3 4,4", _EYE)},
    winner=2,
    reason="invalid_occupied",
    cpu={"black": [1.5], "white": []},
)

#: A game that Black throws away by a PASS, which has no reason.
THROWN_AWAY = made("PASS", [(1, 1), (0, 0)], {1: (f"2,2 {_LONG}", _LONG, None)})
