"""The page's opponents play the same moves as the arena's, and make mistakes with the same probabilities."""

import random
from collections.abc import Callable

import pytest

from little_go.arena.agents import aggressive, alphabeta, greedy
from little_go.arena.agents import random as any_move
from little_go.generator.opponents.models import open_opponents
from little_go.notation.record import to_record
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, START, Position
from tests.explorer.vectors import PageModules
from tools.browsing import Explorer

#: By agent: the moves that it can play. A move is listed twice if it is twice as likely as others.
AGENTS: dict[str, Callable[[Position], list[int]]] = {
    "random": any_move.candidates,
    "greedy": greedy.candidates,
    "aggressive": aggressive.candidates,
    "alphabeta": lambda position: alphabeta.equals(position)[-1:],
}


def positions(count: int, seed: int) -> list[Position]:
    """Return positions of random games, including the first and the last ones."""
    rng = random.Random(seed)
    found = [START]
    while len(found) < count:
        position = START
        while not position.is_over:
            found.append(position)
            moves = position.legal_moves()
            position = position.play(rng.choice(moves if rng.random() < 0.05 else moves[:-1] or [PASS]))
    return found


def test_the_same_moves_and_chances(page_modules: PageModules) -> None:
    asked = random.Random(1).sample(positions(150, 50), 45)
    opponents = open_opponents()
    for position, told in zip(
        asked, page_modules.ask("opponents", (to_record(position, COURSE) for position in asked)), strict=True
    ):
        for name, candidates in AGENTS.items():
            assert sorted(told[name]) == sorted(candidates(position)), (name, position)
        chances = opponents.chances(position, game=COURSE)
        moves, weights = told["human"]
        assert moves == list(chances)
        assert weights == pytest.approx(list(chances.values()), abs=1e-9), position


def over(explorer: Explorer) -> None:
    explorer.until("explorer.app.position.ply === 24")


@pytest.mark.long
def test_the_computer_plays_against_itself_and_everybody_can_be_chosen(explorer: Explorer) -> None:
    explorer.page.click("#tab-play")
    names = explorer.do("[...document.querySelectorAll('#opponent option')].map((option) => option.value)")
    assert names == ["random", "greedy", "aggressive", "alphabeta", "human", "perfect"]
    said = set()
    for name in names:
        explorer.page.select_option("#opponent", name)
        said.add(explorer.text("#opponent-text"))
    assert len(said) == len(names)
    explorer.page.select_option("#opponent", "alphabeta")
    explorer.page.check("#who-none")
    over(explorer)
    moves = explorer.do("explorer.app.line.moves")
    position = START
    for move in moves:
        assert move == alphabeta.choose(position, random.Random(0))
        position = position.play(move)
    assert position.is_over
    # If the user begins a new game by mistake, undo restores the old game.
    explorer.page.click("#start-game")
    explorer.page.click("#undo")
    assert explorer.do("explorer.app.line.moves") == moves


def test_a_colour_that_is_chosen_holds_at_once(explorer: Explorer) -> None:
    explorer.page.click("#tab-play")
    explorer.page.select_option("#opponent", "greedy")
    explorer.page.check("#who-white")
    explorer.until("explorer.app.position.ply === 1")
    explorer.do("explorer.app.play(explorer.app.rules.legalMoves(explorer.app.position)[0])")
    explorer.until("explorer.app.position.ply === 3")
    # It is White's turn, Black would be the opponent. The user takes Black, so the opponent moves as White at once.
    explorer.page.check("#who-black")
    explorer.until("explorer.app.position.ply === 4")
