from datetime import date

import pytest
from sgfmill import sgf, sgf_moves

from little_go.arena.agents import greedy, random
from little_go.arena.match.contestant import FunctionContestant
from little_go.arena.match.host import State
from little_go.arena.match.play import Game, play_game
from little_go.arena.standings.game_sgf import result_text, sgf_of
from little_go.solver.family import COURSE
from little_go.solver.position import BY_KO
from tests.arena.helpers import after
from tests.arena.match.test_host import KO


def game_of(state: State) -> Game:
    return Game("b\\[]:", "w", 7, state, ((), ()), ())


def board_rows(content: bytes) -> str:
    """Return the last board of an SGF, which sgfmill replays, in the host's digits."""
    board, plays = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(content))
    for colour, move in plays:
        if move is not None:
            board.play(*move, colour)
    return "".join({None: "0", "b": "1", "w": "2"}[board.get(4 - i, j)] for i in range(5) for j in range(5))


def test_replay_of_a_game_reaches_its_board() -> None:
    for seed in range(20):
        game = play_game(
            FunctionContestant("a", random.choose), FunctionContestant("b", greedy.choose), seed, game=COURSE
        )
        assert board_rows(sgf_of(game.record())) == game.record()["final"]


def test_names_score_and_passes_are_told() -> None:
    record = game_of(after("2,2 PASS PASS")).record()
    parsed = sgf.Sgf_game.from_bytes(sgf_of(record))
    assert (parsed.get_player_name("b"), parsed.get_player_name("w")) == ("b\\[]:", "w")
    assert (parsed.get_size(), parsed.get_komi(), parsed.get_winner()) == (5, 2.5, "w")
    assert [node.get_move() for node in parsed.get_main_sequence()[1:]] == [("b", (2, 2)), ("w", None), ("b", None)]
    assert parsed.get_last_node().get("C") == "two_passes"
    assert parsed.get_last_node().get("V") == 1
    assert parsed.get_root().get("RU") == "Little-Go: stones alone count, 24 plies"
    assert parsed.get_root().get("GC") == "seed 7"
    assert not parsed.get_root().has_property("DT")
    assert sgf.Sgf_game.from_bytes(sgf_of(record, date(2024, 2, 29))).get_root().get("DT") == "2024-02-29"


def test_illegal_last_move_is_told_and_not_played() -> None:
    record = game_of(after(KO + " 1,1")).record()
    parsed = sgf.Sgf_game.from_bytes(sgf_of(record))
    assert len(parsed.get_main_sequence()) == len(record["moves"])
    assert parsed.get_last_node().get("C") == f"invalid_ko: 1,1 is {BY_KO} (1,1)"


@pytest.mark.parametrize(
    ("winner", "reason", "margin", "text"),
    [
        (1, "max", 3, "B+0.5"),
        (2, "max", 2, "W+0.5"),
        (2, "two_passes", -10, "W+12.5"),
        (1, "timeout", 0, "B+T"),
        (2, "resigned", 0, "W+R"),
        (1, "invalid_occupied", -3, "B+F"),
        (2, "missing", 9, "W+F"),
    ],
)
def test_result(winner: int, reason: str, margin: int, text: str) -> None:
    assert result_text(reason, winner, margin, game=COURSE) == text


def test_record_is_not_changed() -> None:
    record = game_of(after("2,2 2,2")).record()
    before = str(record)
    sgf_of(record)
    assert str(record) == before
