"""A notebook: the kinds of mistakes that a player should learn to avoid first, with puzzles of the same kind."""

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from little_go.arena.review.review import Mistake
from little_go.book.answers.judging import kinds_to_learn
from little_go.book.answers.reasons import reason
from little_go.book.files.puzzles import read_puzzles
from little_go.solver.family import COURSE

#: Kinds in a notebook, and puzzles for each.
MOST_KINDS, MOST_PUZZLES = 3, 3


class NotebookEntry(NamedTuple):
    """A kind of mistake to learn.

    mistakes: how many. decisive: of those that changed the winner. cost: their points. worst: the mistake that shows
    the kind best. puzzles: numbers for ``little-go puzzle``, the easiest first; their tempting answer is a mistake of
    the same kind.
    """

    kind: str
    mistakes: int
    decisive: int
    cost: int
    worst: Mistake
    puzzles: tuple[int, ...]

    def record(self) -> dict[str, Any]:
        """Return the entry as JSON keys; ``worst`` is the mistake as in a review."""
        return {
            "kind": self.kind,
            "mistakes": self.mistakes,
            "decisive": self.decisive,
            "cost": self.cost,
            "worst": self.worst.record(),
            "puzzles": list(self.puzzles),
        }


def notebook(mistakes: Iterable[Mistake]) -> list[NotebookEntry]:
    """Return the kinds that cost most points, and of equal ones those that occur most; at most MOST_KINDS.

    Mistakes without a kind are omitted. Puzzles are given for the course's game only.
    """
    listed = list(mistakes)
    return [
        NotebookEntry(
            found["kind"],
            found["mistakes"],
            found["decisive"],
            found["cost"],
            worst := listed[found["worst"]],
            _puzzles_by_kind().get(found["kind"], ())[:MOST_PUZZLES] if worst.before.game == COURSE else (),
        )
        for found in kinds_to_learn([mistake.record() for mistake in listed], MOST_KINDS)
    ]


@cache
def _puzzles_by_kind() -> dict[str, tuple[int, ...]]:
    """Return the numbers of the shipped puzzles by the kind of their tempting answer; the sentences need no search."""
    found: dict[str, list[int]] = {}
    for number, puzzle in enumerate(read_puzzles(), 1):
        why = reason(puzzle.position, puzzle.refutation, puzzle.solution, COURSE)
        found.setdefault(why.kind, []).append(number)
    return {kind: tuple(numbers) for kind, numbers in found.items()}
