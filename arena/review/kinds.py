"""The kinds of mistakes, told from the board and from the lines that follow: what a player can learn to look for."""

from collections.abc import Sequence

from book.answers.reasons import ADDED, CAPTURE, ENDS, MISSED, POINT, Reason
from book.files.puzzles import themes_of
from generator.opponents.features import side_groups
from solver.position import GAME_PLIES, PASS, Position, group_of, neighbours

PASSES, MISSES_CAPTURE, LEAVES_ATARI = "passes", "misses a capture", "leaves stones in atari"
INTO_ATARI, FILLS_EYE, MISSES_PASS = "puts itself into atari", "fills its own eye", "misses a PASS"
LOSES_STONES, LETS_LIVE = "loses stones later", "lets stones live"
WANTED = "leaves a point that both want"
RUNS_OUT, LEAVES_MOVES = "runs out of moves", "leaves the other side moves"
OFF_CENTRE, APART, OTHER = "leaves the centre", "leaves groups apart", "other"

KINDS = (
    *(PASSES, MISSES_CAPTURE, LEAVES_ATARI, INTO_ATARI, FILLS_EYE, MISSES_PASS),
    *(LOSES_STONES, LETS_LIVE, OFF_CENTRE, APART, WANTED, RUNS_OUT, LEAVES_MOVES, OTHER),
)

_BY_THEME = {CAPTURE: LOSES_STONES, ADDED: LOSES_STONES, MISSED: LETS_LIVE, ENDS: MISSES_PASS}


def kind_of(position: Position, move: int, instead: Sequence[int], answer: Sequence[int], why: Reason | None) -> str:
    """Return the first of KINDS that a mistake is of; it is of a kind only where the better move is not.

    instead: best play in the move's place; answer: best play after it. why: the reason that was found from both.
    """
    if move == PASS:
        return PASSES
    best = instead[0] if instead else None
    if best is None:
        return OTHER
    if _taken(position, best) > _taken(position, move):
        return MISSES_CAPTURE
    at_once = (
        (_left_in_atari, LEAVES_ATARI),
        (_into_atari, INTO_ATARI),
        (_fills_an_eye, FILLS_EYE),
    )
    for count, kind in at_once:
        if count(position, move) & ~count(position, best):
            return kind
    if why is None:
        return OTHER
    if why.theme in _BY_THEME:
        return _BY_THEME[why.theme]
    themes = themes_of(position, best, move)
    if "centre" in themes:
        return OFF_CENTRE
    if "connect" in themes and "connect" not in themes_of(position, move, move):
        return APART
    if why.theme == POINT:
        return WANTED
    shares = share_by_kind(position, (move, *answer), instead) or {}
    return max(shares, key=lambda kind: shares[kind], default=OTHER)


def _left_in_atari(position: Position, move: int) -> int:
    """Return the mover's stones that are in atari before a move and after it."""
    return _in_atari(position, position.mover) & _in_atari(position.play(move), position.mover)


def _into_atari(position: Position, move: int) -> int:
    """Return 1 where a stone joins or makes a group in atari, else 0."""
    after = position.play(move)
    mine, _ = _sides(after, position.mover)
    return int(move != PASS and bool(group_of(1 << move, mine) & _in_atari(after, position.mover)))


def _fills_an_eye(position: Position, move: int) -> int:
    """Return 1 where a move is on a point with stones of the mover's all around it, else 0."""
    mine, _ = _sides(position, position.mover)
    return int(move != PASS and not neighbours(1 << move) & ~mine)


def share_by_kind(position: Position, worse: Sequence[int], better: Sequence[int]) -> dict[str, int] | None:
    """Split what a mistake costs: points by stones lost, stones not taken, own PASSes, and PASSes of the other side.

    worse, better: the two lines. None unless both go to the last ply: else PASSes do not count alike.
    """
    tallies = []
    for line in (worse, better):
        lost = taken = own = other = 0
        at = position
        for move in line:
            following, mine = at.play(move), at.mover == position.mover
            fallen = (_sides(at, 3 - at.mover)[0] & ~_sides(following, 3 - at.mover)[0]).bit_count()
            lost, taken = (lost, taken + fallen) if mine else (lost + fallen, taken)
            own, other = own + (mine and move == PASS), other + (not mine and move == PASS)
            at = following
        if position.ply + len(line) < GAME_PLIES:
            return None
        tallies.append((lost, -taken, own, -other))
    kinds = (LOSES_STONES, LETS_LIVE, RUNS_OUT, LEAVES_MOVES)
    return {kind: bad - good for kind, bad, good in zip(kinds, *tallies, strict=True)}


def _sides(position: Position, colour: int) -> tuple[int, int]:
    """Return the stones of a colour and of the other."""
    return (position.black, position.white) if colour == 1 else (position.white, position.black)


def _taken(position: Position, move: int) -> int:
    """Count the stones that a move takes."""
    return (
        _sides(position, 3 - position.mover)[0].bit_count()
        - _sides(position.play(move), 3 - position.mover)[0].bit_count()
    )


def _in_atari(position: Position, colour: int) -> int:
    """Return the stones of a colour in groups with one liberty."""
    return sum(group.stones for group in side_groups(*_sides(position, colour)) if group.in_atari)
