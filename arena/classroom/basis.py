"""What a student's points are based on: the games, the staff, or a cause for having none.

Only a cause of the student's own is worth 0 points. Every other cause leaves the points open, in each table, upload and
page, and the command ends with exit code 1.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple


class Basis(Enum):
    """What points are based on; the value is the word in the gradebook."""

    GAMES = "games"
    STAFF = "staff"
    NO_PROGRAM = "no program"
    NO_START = "cannot start"
    NOT_PROVIDED = "course modules missing"
    OUR_FAULT = "our machine"
    GAMES_MISSING = "games missing"

    @property
    def is_open(self) -> bool:
        """Whether the points are not known, through no fault of the student."""
        return self in (Basis.NOT_PROVIDED, Basis.OUR_FAULT, Basis.GAMES_MISSING)


class Cause(NamedTuple):
    """The reason for a stage without a playable program. words: a clause."""

    basis: Basis
    words: str

    def note(self) -> str:
        """Return the note for the student."""
        return f"{'no points yet' if self.basis.is_open else 'not graded'}: {self.words}"


def deciding(causes: Iterable[Cause]) -> Cause | None:
    """Return the cause that decides on the points: an open one before the student's own.

    >>> deciding([Cause(Basis.NO_PROGRAM, "a"), Cause(Basis.OUR_FAULT, "b")]).words
    'b'
    """
    listed = list(causes)
    return next((cause for cause in listed if cause.basis.is_open), listed[0] if listed else None)


def cause_notes(causes: Mapping[int, Cause], stages: int) -> list[str]:
    """Return the notes on causes by stage. stages: the number of stages that have a cause or a program."""
    notes = [cause.note() for cause in causes.values()]
    if len(set(notes)) == 1 and len(notes) == stages:
        return notes[:1]
    return [f"stage {stage}: {note}" for stage, note in zip(causes, notes, strict=True)]
