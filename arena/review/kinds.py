"""The kinds of mistakes, told from the board and from the lines that follow: what a player can learn to look for."""

from book.answers.reasons import CAPTURE, MISSED, Reason
from generator.opponents.features import side_groups
from solver.position import PASS, Position, group_of, neighbours

PASSES, MISSES_CAPTURE, LEAVES_ATARI, INTO_ATARI, FILLS_EYE, LOSES_STONES, OTHER = KINDS = (
    "passes",
    "misses a capture",
    "leaves stones in atari",
    "puts itself into atari",
    "fills its own eye",
    "loses stones later",
    "other",
)


def kind_of(position: Position, move: int, best: int | None, reason: Reason | None) -> str:
    """Return the first of KINDS that a mistake is of.

    best: a move that is better, if one is known; reason: why it is better, if it is known how both lines go on. What
    falls or stands later is seen by these alone.
    """
    if move == PASS:
        return PASSES
    after = position.play(move)
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
    later = {CAPTURE: LOSES_STONES, MISSED: MISSES_CAPTURE}
    return OTHER if reason is None else later.get(reason.theme, OTHER)


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
