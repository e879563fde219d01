"""Reading the games to review."""

import json
from pathlib import Path

import pytest

from arena.agents import greedy, random
from arena.match.contestant import FunctionContestant
from arena.match.play import Game, play_game
from arena.review.reading import positions_of, read_games
from arena.standings.game_sgf import sgf_of
from book.files.games import GamesError
from solver.position import START, play_all


def a_game(seed: int = 1) -> Game:
    return play_game(FunctionContestant("first", random.choose), FunctionContestant("second", greedy.choose), seed)


def test_sgf_and_json_lines_give_the_same_game(tmp_path: Path) -> None:
    record = a_game().record()
    (tmp_path / "a.sgf").write_bytes(sgf_of(record))
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    (one,), (other,) = (list(read_games([str(tmp_path / name)])) for name in ("a.sgf", "a.jsonl"))
    assert one.state == other.state == a_game().state
    assert (one.black, one.white) == (other.black, other.white) == ("first", "second")
    assert (one.source, other.source) == ("a.sgf", "a.jsonl, game 1")


def test_a_directory_is_read_whole(tmp_path: Path) -> None:
    for seed in range(3):
        (tmp_path / f"{seed}.sgf").write_bytes(sgf_of(a_game(seed).record()))
    assert [game.state.moves for game in read_games([str(tmp_path)])] == [a_game(s).state.moves for s in range(3)]


def test_moves_may_be_given_one_by_one_or_in_one_word() -> None:
    (one,), (other,) = read_games(["2,2", "1,1", "PASS"]), read_games(["2,2 1,1 PASS"])
    assert one == other
    assert one.state.result is None
    assert positions_of(one.state)[-1] == play_all(START, [12, 6, 25])


def test_a_forfeit_and_a_broken_rule_end_a_game(tmp_path: Path) -> None:
    record = {**a_game().record(), "moves": ["2,2", "1,1"], "winner": 2, "reason": "timeout", "detail": "slow"}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    (game,) = read_games([str(tmp_path / "a.jsonl")])
    assert game.state.result == (2, "timeout", "slow")
    (game,) = read_games(["2,2", "2,2"])
    assert game.state.result is not None
    assert game.state.result.reason == "invalid_occupied"
    assert len(positions_of(game.state)) == 2


def test_the_courses_logs_are_read() -> None:
    games = list(read_games(["data/staff_games.jsonl.gz"]))
    assert len(games) == 2211
    assert {game.black for game in games} & {"student", "aggressive"} == {"student", "aggressive"}


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"nonsense", "a.sgf", "not SGF"),
        (b"(;SZ[9];B[aa])", "a.sgf", "9 x 9"),
        (b"(;SZ[5]AB[aa];W[bb])", "a.sgf", "stones on the board"),
        (b"(;SZ[5];W[bb])", "a.sgf", "wrong colour"),
        (b"{}\n", "a.jsonl", "game 1: not a game of the arena"),
        (b"\xff\xfe\n", "a.jsonl", "cannot be read"),
        (b"not gzip", "a.jsonl.gz", "cannot be read"),
        (b"\x1f\x8b\x08" + bytes(7) + b"\x07", "a.jsonl.gz", "cannot be read"),
    ],
)
def test_what_is_no_game_is_one_clear_line(tmp_path: Path, content: bytes, name: str, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(GamesError, match=message) as raised:
        list(read_games([str(tmp_path / name)]))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("words", [["no-such-file"], ["2,2", "x"]])
def test_what_is_neither_file_nor_move_is_said(words: list[str]) -> None:
    with pytest.raises(GamesError, match="is not a move such as"):
        list(read_games(words))


def test_a_missing_file_is_not_taken_for_moves() -> None:
    with pytest.raises(GamesError, match=r"^game\.sgf does not exist: "):
        list(read_games(["game.sgf"]))


def test_an_empty_directory_is_said(tmp_path: Path) -> None:
    with pytest.raises(GamesError, match=r"no \.sgf"):
        list(read_games([str(tmp_path)]))
