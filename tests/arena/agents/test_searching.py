"""The agents that search."""

from random import Random

import pytest

from little_go.arena.agents.fixed_depth import Style, Weights, best_moves
from little_go.arena.agents.searching import EVALUATIONS, open_searching
from little_go.solver.answer import BLACK_WINS
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.position import START, Position, play_all

#: Black is to move and wins by 3, with 8 plies left.
WON = Position(black=1389316, white=4720866, ply=16)


def winner(position: Position) -> int | None:
    return COURSE.leader(position) if position.is_over else COURSE.winner(ExactSolver().decide(position, BLACK_WINS))


def test_it_plays_what_a_plain_search_plays() -> None:
    position = play_all(START, [12, 7, 11, 13])
    agent = open_searching("search:werf:3:0", game=COURSE)
    plain = best_moves(position, Style(3, 25, Weights(*EVALUATIONS["werf"])))
    assert agent.candidates(position) == plain
    assert {agent(position, Random(seed)) for seed in range(30)} == set(plain)


def test_it_opens_in_the_middle() -> None:
    assert open_searching("search:count:2:6", game=COURSE).candidates(START) == [12]


def test_near_the_end_it_keeps_every_win_and_no_sooner() -> None:
    winning = [move for move in WON.legal_moves() if winner(WON.play(move)) == 1]
    assert open_searching("search:count:1:8", game=COURSE).candidates(WON) == winning
    assert open_searching("search:count:1:7", game=COURSE).candidates(WON) != winning


@pytest.mark.parametrize("name", ["search:", "search:werf", "search:chess:2:6", "search:werf:0:6", "search:werf:2:17"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="give search:EVALUATION:DEPTH:EXACT"):
        open_searching(name, game=COURSE)
