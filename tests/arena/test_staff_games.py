"""Whole games of student agents against the course's own, as the course's host logged them."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.host import OPENING, judge

LINES = Path(__file__).with_name("data").joinpath("staff_games.jsonl").read_text().splitlines()
GAMES = [json.loads(line) for line in LINES]


@pytest.mark.parametrize("game", GAMES, ids=[f"{n}-{g['staff_agent']}-{g['reason']}" for n, g in enumerate(GAMES)])
def test_replay_reaches_the_logged_result_and_board(game: dict[str, Any]) -> None:
    state = OPENING
    for number, move in enumerate(game["moves"], 1):
        state = judge(state, move)
        assert (state.result is None) or number == len(game["moves"])
    assert "".join(state.position.rows()) == game["final"]
    if game["reason"].startswith("unfinished"):
        assert state.result is None
    else:
        assert state.result is not None
        assert (state.result.reason, state.result.winner) == (game["reason"], game["winner"])
