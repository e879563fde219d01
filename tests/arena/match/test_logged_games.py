"""Games of students' agents against the course's own, as logged by the course's host, are judged again by our host."""

from collections import Counter
from typing import Any

import pytest

from little_go.arena.match.host import ILLEGAL, states_of
from little_go.book.files.games import STAFF_GAMES, LoggedGame, read_games
from little_go.solver.family import COURSE

#: The results of a comparison. EQUAL: the game is complete, and host and log agree on the result and the board.
EQUAL, NO_MOVES, STOPS, GOES_ON, CONTRADICTS = "equal", "no moves", "stops", "goes on", "contradicts"


def judged(game: LoggedGame) -> str:
    """Play the moves of a game up to the end, and compare it with the log.

    The part of the game that the log contains must be legal.
    """
    states = states_of(game.moves, game=COURSE)
    last, played = states[-1], len(states) - 1
    if "".join(last.position.rows()) != game.final:
        return CONTRADICTS
    if game.reason.startswith("unfinished"):
        return CONTRADICTS if last.result else STOPS if played else NO_MOVES
    if last.result is None or last.result.reason != game.reason:
        return CONTRADICTS
    if played < len(game.moves):
        # After an illegal move the log continues the game, although it has ended.
        return GOES_ON if game.reason.startswith(ILLEGAL) else CONTRADICTS
    return EQUAL if last.result.winner == game.winner else CONTRADICTS


@pytest.mark.system
def test_every_whole_game_reaches_the_logged_result_and_board() -> None:
    found = [judged(game) for game in read_games(STAFF_GAMES, whole=True)]
    assert Counter(found) == {EQUAL: 1994, NO_MOVES: 122, STOPS: 88, GOES_ON: 7}
    assert [line for line, outcome in enumerate(found, 1) if outcome == GOES_ON] == [
        1008, 1662, 1680, 1687, 1700, 2149, 2200
    ]  # fmt: skip


def test_a_wrong_winner_reason_or_board_is_a_contradiction() -> None:
    game = LoggedGame("greedy", 2, ("2,2", "PASS", "PASS"), 2, "two_passes", "0" * 12 + "1" + "0" * 12)
    assert judged(game) == EQUAL
    wrong: list[dict[str, Any]] = [
        {"winner": 1},
        {"reason": "max"},
        {"final": "0" * 25},
        {"moves": (*game.moves, "0,0")},
    ]
    assert [judged(game._replace(**change)) for change in wrong] == [CONTRADICTS] * len(wrong)
