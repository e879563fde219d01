"""A notebook: the kinds of mistakes that a player should learn to avoid first, with a few puzzles for each kind."""

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from little_go.arena.review.review import Mistake
from little_go.book.answers.judging import kinds_to_learn
from little_go.book.answers.reasons import reason
from little_go.book.files.puzzles import read_puzzles
from little_go.solver.family import COURSE

#: Maximum number of puzzles for each kind of mistake in a notebook.
MOST_PUZZLES = 3


class NotebookEntry(NamedTuple):
    """A kind of mistake that a player should learn to avoid.

    mistakes: the number of these mistakes. decisive: the number of mistakes that changed the winner. cost: the points
    that the mistakes gave away. worst: the mistake that is shown as an example. puzzles: the numbers of puzzles whose
    tempting wrong answer is a mistake of this kind, the easiest puzzle first.
    """

    kind: str
    mistakes: int
    decisive: int
    cost: int
    worst: Mistake
    puzzles: tuple[int, ...]

    def record(self) -> dict[str, Any]:
        """Return the entry as a dictionary for JSON, in which ``worst`` has the form of a mistake in a review."""
        return {
            "kind": self.kind,
            "mistakes": self.mistakes,
            "decisive": self.decisive,
            "cost": self.cost,
            "worst": self.worst.record(),
            "puzzles": list(self.puzzles),
        }


def notebook(mistakes: Iterable[Mistake]) -> list[NotebookEntry]:
    """Return at most MOST_KINDS kinds of mistakes, the kind that cost the most points first.

    Kinds of equal cost are sorted by the number of mistakes. Mistakes without a kind are omitted. Entries have puzzles
    only if the mistakes are from the course's game.
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
    """Return the numbers of the puzzles that Little-Go installs, by the kind of mistake that the tempting answer is."""
    found: dict[str, list[int]] = {}
    for number, puzzle in enumerate(read_puzzles(), 1):
        why = reason(puzzle.position, puzzle.refutation, puzzle.solution, COURSE)
        found.setdefault(why.kind, []).append(number)
    return {kind: tuple(numbers) for kind, numbers in found.items()}
