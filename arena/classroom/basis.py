"""The basis of a student's points: the games, a decision of the staff, or a cause for which there are no points.

A student gets 0 points only for a cause in the student's own program. Every other cause leaves the points open in all
tables, uploads and pages, and the command ends with exit code 1.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple


class Basis(Enum):
    """The basis of points; the value is the text in the gradebook."""

    GAMES = "games"
    STAFF = "staff"
    NO_PROGRAM = "no program"
    NO_START = "cannot start"
    NOT_PROVIDED = "course modules missing"
    OUR_FAULT = "our machine"
    GAMES_MISSING = "games missing"

    @property
    def is_open(self) -> bool:
        """Whether the points are open: they are unknown, and the student did not cause this."""
        return self in (Basis.NOT_PROVIDED, Basis.OUR_FAULT, Basis.GAMES_MISSING)


class Cause(NamedTuple):
    """The reason why a stage has no program that can play. words: a clause."""

    basis: Basis
    words: str

    def note(self) -> str:
        """Return the note for the student."""
        return f"{'no points yet' if self.basis.is_open else 'not graded'}: {self.words}"


def deciding(causes: Iterable[Cause]) -> Cause | None:
    """Return the cause that determines the points; a cause that leaves the points open comes before all others.

    >>> deciding([Cause(Basis.NO_PROGRAM, "a"), Cause(Basis.OUR_FAULT, "b")]).words
    'b'
    """
    listed = list(causes)
    return next((cause for cause in listed if cause.basis.is_open), listed[0] if listed else None)


def cause_notes(causes: Mapping[int, Cause], stages: int) -> list[str]:
    """Return notes on the causes, with their stages unless all stages have the same cause.

    causes: the cause for each stage that has one. stages: the number of stages that have a cause or a program.
    """
    notes = [cause.note() for cause in causes.values()]
    if len(set(notes)) == 1 and len(notes) == stages:
        return notes[:1]
    return [f"stage {stage}: {note}" for stage, note in zip(causes, notes, strict=True)]
