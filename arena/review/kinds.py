"""The kinds of mistakes, told from the board and from the lines that follow: what a player can learn to look for."""

from collections.abc import Sequence

from book.answers.reasons import CAPTURE, ENDS, MISSED, Reason
from book.files.puzzles import themes_of
from generator.opponents.features import side_groups
from solver.position import GAME_PLIES, PASS, Position, group_of, neighbours

PASSES, MISSES_CAPTURE, LEAVES_ATARI = "passes", "misses a capture", "leaves stones in atari"
INTO_ATARI, FILLS_EYE, MISSES_PASS = "puts itself into atari", "fills its own eye", "misses a PASS"
LOSES_STONES = "loses stones later"
RUNS_OUT, LEAVES_MOVES = "runs out of moves", "leaves the other side moves"
OFF_CENTRE, APART, OTHER = "leaves the centre", "leaves groups apart", "other"

KINDS = (
    *(PASSES, MISSES_CAPTURE, LEAVES_ATARI, INTO_ATARI, FILLS_EYE, MISSES_PASS),
    *(LOSES_STONES, RUNS_OUT, LEAVES_MOVES, OFF_CENTRE, APART, OTHER),
)


def kind_of(position: Position, move: int, instead: Sequence[int], answer: Sequence[int], why: Reason | None) -> str:
    """Return the first of KINDS that a mistake is of.

    instead: best play in the move's place; answer: best play after it; both may be cut short. why: the reason that was
    found from both.
    """
    if move == PASS:
        return PASSES
    best, after = (instead[0] if instead else None), position.play(move)
    if best is not None and best != PASS and _taken(position, best) > _taken(position, move):
        return MISSES_CAPTURE
    if _in_atari(position, position.mover) & _in_atari(after, position.mover):
        return LEAVES_ATARI
    mine, _ = _sides(after, position.mover)
    if group_of(1 << move, mine) & _in_atari(after, position.mover):
        return INTO_ATARI
    before, _ = _sides(position, position.mover)
    if not neighbours(1 << move) & ~before:
        return FILLS_EYE
    if best is None or why is None:
        return OTHER
    if why.theme in (CAPTURE, MISSED, ENDS):
        return {CAPTURE: LOSES_STONES, MISSED: MISSES_CAPTURE, ENDS: MISSES_PASS}[why.theme]
    shares = share_by_kind(position, (move, *answer), instead)
    if shares is not None:
        return max(shares, key=lambda kind: shares[kind])
    themes = themes_of(position, best, move)
    return OFF_CENTRE if "centre" in themes else APART if "connect" in themes else OTHER


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
    kinds = (LOSES_STONES, MISSES_CAPTURE, RUNS_OUT, LEAVES_MOVES)
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
