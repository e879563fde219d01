"""Random mistakes: every sentence is true by lab.games.explained, describes a loss of the mover, and enough of them
explain.
"""

from itertools import islice

import pytest

from lab.commands.games import ExplainedMove, logged_steps, mistakes_of, random_steps
from lab.games.explained import Judgement, judged
from little_go.book.files.games import STAFF_GAMES

#: The first ply of the mistakes in the fast tests, so that their lines are short.
LATE = 12


def judgement_of(mistake: ExplainedMove) -> Judgement:
    """Return the judgement of a mistake's reason; raise FalseReason for a false sentence."""
    told = mistake.told()
    return judged(*told.lines, told.sentences, told.pass_worth)


def faults(mistakes: list[ExplainedMove]) -> list[str]:
    """Return the unsigned reasons; raise FalseReason for a false sentence."""
    return [each.found.reason.text for each in mistakes if judgement_of(each).unsigned]


@pytest.mark.system
def test_late_mistakes_are_explained_truly_and_with_a_sign() -> None:
    steps = (step for step in random_steps(612) if step[0].ply >= LATE)
    mistakes = list(islice(mistakes_of(steps), 40))
    assert faults(mistakes) == []
    found = [judgement_of(each) for each in mistakes]
    assert sum(each.explains for each in found) >= 0.9 * len(found)


@pytest.mark.long
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_three_hundred_mistakes_explain_by_content(seed: int) -> None:
    """The goals: 90 % explain, also at plies 1 to 9, and no reason is false or unsigned."""
    logged = islice(mistakes_of(logged_steps(STAFF_GAMES, seed)), 230)
    mistakes = [*logged, *islice(mistakes_of(random_steps(seed)), 70)]
    assert faults(mistakes) == []
    found = [(each.position.ply, judgement_of(each).explains) for each in mistakes]
    early = [explains for ply, explains in found if ply < 9]
    assert sum(explains for _, explains in found) >= 0.9 * len(found)
    assert sum(early) >= 0.9 * len(early)
