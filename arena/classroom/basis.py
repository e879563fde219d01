"""The basis of a student's points: the games, a decision of the staff, or the reason why the student has no points.

A student gets 0 points only if the student's own program is the cause. With any other cause the points stay open
(unknown) in all tables, uploads and pages, and ``little-go class`` ends with exit code 1.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple


class Basis(Enum):
    """The basis of a student's points. Each value is a text in the gradebook's column ``basis``."""

    GAMES = "games"
    STAFF = "staff"
    NO_PROGRAM = "no program"
    NO_START = "cannot start"
    NOT_PROVIDED = "course modules missing"
    OUR_FAULT = "our machine"
    GAMES_MISSING = "games missing"

    @property
    def is_open(self) -> bool:
        """Whether the points are unknown for a reason that the student did not cause."""
        return self in (Basis.NOT_PROVIDED, Basis.OUR_FAULT, Basis.GAMES_MISSING)


class Cause(NamedTuple):
    """The reason why a stage has no program that can play. words: the reason as a clause."""

    basis: Basis
    words: str

    def note(self) -> str:
        """Return the student's note on this cause."""
        return f"{'no points yet' if self.basis.is_open else 'not graded'}: {self.words}"


def deciding(causes: Iterable[Cause]) -> Cause | None:
    """Return the first cause that leaves the points open, or else the first cause; None if there are no causes.

    >>> deciding([Cause(Basis.NO_PROGRAM, "a"), Cause(Basis.OUR_FAULT, "b")]).words
    'b'
    """
    listed = list(causes)
    return next((cause for cause in listed if cause.basis.is_open), listed[0] if listed else None)


def cause_notes(causes: Mapping[int, Cause], stages: int) -> list[str]:
    """Return a note on each cause. A note begins with the stage unless all stages have the same cause.

    causes: the causes by stage. stages: the number of stages that have a cause or a program.
    """
    notes = [cause.note() for cause in causes.values()]
    if len(set(notes)) == 1 and len(notes) == stages:
        return notes[:1]
    return [f"stage {stage}: {note}" for stage, note in zip(causes, notes, strict=True)]
