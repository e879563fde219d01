"""A notebook: the kinds of mistakes that a player should learn to avoid first, with puzzles of the same kind."""

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from little_go.arena.review.review import Mistake
from little_go.book.answers.judging import kinds_to_learn
from little_go.book.answers.reasons import reason
from little_go.book.files.puzzles import read_puzzles
from little_go.solver.family import COURSE

#: Maximum number of kinds in a notebook, and of puzzles for each kind.
MOST_PUZZLES = 3


class NotebookEntry(NamedTuple):
    """A kind of mistake that a player should learn to avoid.

    mistakes: the number of these mistakes. decisive: the number of mistakes that changed the winner. cost: the points
    that the mistakes gave away. worst: the mistake that is shown as an example. puzzles: numbers for ``little-go
    puzzle``, the easiest first, of puzzles in which the tempting wrong answer is a mistake of this kind.
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
    """Return the kinds of mistakes that cost most points, at most MOST_KINDS.

    Kinds of equal cost are sorted by the number of mistakes. Mistakes without a kind are omitted. Only mistakes in the
    course's game have puzzles.
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
        for found in kinds_to_learn([mistake.record() for mistake in listed])
    ]


@cache
def _puzzles_by_kind() -> dict[str, tuple[int, ...]]:
    """Return the numbers of the puzzles that Little-Go installs, by the kind of mistake of their tempting answer."""
    found: dict[str, list[int]] = {}
    for number, puzzle in enumerate(read_puzzles(), 1):
        why = reason(puzzle.position, puzzle.refutation, puzzle.solution, COURSE)
        found.setdefault(why.kind, []).append(number)
    return {kind: tuple(numbers) for kind, numbers in found.items()}
