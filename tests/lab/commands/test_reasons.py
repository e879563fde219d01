"""Random mistakes: every sentence is true by lab.games.explained, describes a loss of the mover, and enough of them
explain.
"""

from itertools import islice

import pytest

from lab.commands.games import ExplainedMove, logged_steps, mistakes_of, random_steps
from lab.games.explained import judged
from little_go.book.files.games import STAFF_GAMES

#: The first ply of the mistakes in the fast tests, so that their lines are short.
LATE = 12


def faults(mistakes: list[ExplainedMove]) -> list[str]:
    """Return the unsigned reasons; raise FalseReason for a false sentence."""
    told = [each.told() for each in mistakes]
    return [" ".join(each.sentences) for each in told if judged(*each.lines, each.sentences).unsigned]


@pytest.mark.system
def test_late_mistakes_are_explained_truly_and_with_a_sign() -> None:
    steps = (step for step in random_steps(612) if step[0].ply >= LATE)
    mistakes = list(islice(mistakes_of(steps), 40))
    assert faults(mistakes) == []
    found = [judged(*each.told().lines, each.told().sentences) for each in mistakes]
    assert sum(each.explains for each in found) >= 0.9 * len(found)


@pytest.mark.long
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_three_hundred_mistakes_explain_by_content(seed: int) -> None:
    """The goals: 90 % explain, also at plies 1 to 9, and no reason is false or unsigned."""
    logged = islice(mistakes_of(logged_steps(STAFF_GAMES, seed)), 230)
    mistakes = [*logged, *islice(mistakes_of(random_steps(seed)), 70)]
    assert faults(mistakes) == []
    found = [(each.position.ply, judged(*each.told().lines, each.told().sentences).explains) for each in mistakes]
    early = [explains for ply, explains in found if ply < 9]
    assert sum(explains for _, explains in found) >= 0.9 * len(found)
    assert sum(early) >= 0.9 * len(early)
