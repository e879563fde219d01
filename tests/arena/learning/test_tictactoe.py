import json
import signal
from collections.abc import Callable, Iterable
from random import Random

import pytest
from click.testing import CliRunner, Result

from little_go.arena.__main__ import main
from little_go.arena.commands.train import TICTACTOE_SETTINGS, learn, play_matches
from little_go.arena.learning.learner import DRAW, LEARNER, Learner, Match, Policy, summary
from little_go.arena.learning.tictactoe import (
    LINES,
    PLAYERS,
    TIC_TAC_TOE,
    TicTacToeBoard,
    perfect_moves,
    play_perfect,
    play_random,
    play_smart,
)
from tests.background import start

#: A function that returns the moves that a side may make.
Moves = Callable[[TicTacToeBoard], Iterable[int]]


def tictactoe(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tictactoe", *arguments], catch_exceptions=False)


def board(text: str) -> TicTacToeBoard:
    """Return the board that nine characters X, O and full stops draw."""
    cells = text.replace(" ", "")
    return TicTacToeBoard(*(sum(1 << p for p, cell in enumerate(cells) if cell == mark) for mark in "XO"))


def winners(x: Moves, o: Moves) -> dict[TicTacToeBoard, int]:
    """Return all final boards of games in which the sides make these moves, with the winners."""
    ends: dict[TicTacToeBoard, int] = {}
    met, left = {TicTacToeBoard()}, [TicTacToeBoard()]
    while left:
        here = left.pop()
        if here.winner is not None:
            ends[here] = here.winner
            continue
        following = {here.play(move) for move in (x if here.x_to_move else o)(here)} - met
        met |= following
        left += following
    return ends


def all_moves(here: TicTacToeBoard) -> list[int]:
    return here.moves


def learnt(learner: Learner) -> Moves:
    """Return all moves that the learner may make with the learnt values."""
    return lambda here: [choice.move for choice in learner.best(TIC_TAC_TOE.choices(here))]


@pytest.fixture(scope="module")
def learner() -> Learner:
    """Return a learner after a sixth of the games that the command plays."""
    return learn(TICTACTOE_SETTINGS, 15_000, 0)


# The game


def test_game_has_its_known_number_of_ends() -> None:
    ends = winners(all_moves, all_moves)
    assert [sum(winner == who for winner in ends.values()) for who in (1, 2, DRAW)] == [626, 316, 16]


def test_there_are_eight_lines() -> None:
    assert len(set(LINES)) == 8
    assert {line.bit_count() for line in LINES} == {3}
    assert board("X.. .X. ..X").winner == 1
    assert board("..O .O. O..").winner == 2


def test_mirrored_moves_share_a_key() -> None:
    game = TIC_TAC_TOE
    keys = {choice.move: choice.key for choice in game.choices(TicTacToeBoard())}
    assert [len({keys[move] for move in moves}) for moves in ([0, 2, 6, 8], [1, 3, 5, 7], [4])] == [1, 1, 1]
    assert len(set(keys.values())) == 3


def test_keys_tell_all_other_boards_apart() -> None:
    """It is well known that there are 765 boards up to symmetry, including the empty board."""
    game, met, left = TIC_TAC_TOE, set[int](), [TicTacToeBoard()]
    seen = set(left)
    while left:
        here = left.pop()
        if here.winner is None:
            met |= {choice.key for choice in game.choices(here)}
            following = {here.play(move) for move in here.moves} - seen
            seen |= following
            left += following
    assert len(met) == 764
    assert len(seen) == 5478


# The players


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("XX. OO. ...", {2}),
        ("XX. O.. ...", {2}),
        ("X.. .O. ..X", {1, 2, 3, 5, 6, 7}),
        ("X.X .O. ...", {1}),
    ],
)
def test_smart_wins_else_blocks_else_draws_by_lot(text: str, moves: set[int]) -> None:
    assert {play_smart(board(text), Random(seed)) for seed in range(100)} == moves


def test_perfect_never_loses() -> None:
    assert DRAW in (as_x := set(winners(perfect_moves, all_moves).values()))
    assert 2 not in as_x
    assert 1 not in winners(all_moves, perfect_moves).values()
    assert set(winners(perfect_moves, perfect_moves).values()) == {DRAW}


def test_smart_can_lose_and_cannot_beat_perfect() -> None:
    """O at the edge loses against X in the corner, and the smart player does not avoid this."""

    def smart_moves(here: TicTacToeBoard) -> set[int]:
        return {play_smart(here, Random(seed)) for seed in range(40)}

    assert set(winners(perfect_moves, smart_moves).values()) == {1, DRAW}
    assert set(winners(smart_moves, perfect_moves).values()) == {2, DRAW}


@pytest.mark.parametrize("player", [play_random, play_smart, play_perfect])
def test_players_play_empty_points(player: Policy[TicTacToeBoard]) -> None:
    assert player(board("XOX OXO OX."), Random(1)) == 8


# The learner


def test_learner_never_loses_to_the_perfect_player(learner: Learner) -> None:
    """The test is exact: it covers every game that can arise, whichever of its best moves each side makes."""
    assert 2 not in winners(learnt(learner), perfect_moves).values()
    assert 1 not in winners(perfect_moves, learnt(learner)).values()


def test_learner_never_loses_whatever_is_replied(learner: Learner) -> None:
    assert 2 not in winners(learnt(learner), all_moves).values()
    assert 1 not in winners(all_moves, learnt(learner)).values()


def test_untaught_learner_loses() -> None:
    assert 2 in winners(learnt(learn(TICTACTOE_SETTINGS, 0, 0)), perfect_moves).values()


def test_learning_follows_the_seed() -> None:
    first, second, other = (learn(TICTACTOE_SETTINGS, 300, seed).values for seed in (1, 1, 2))
    assert first == second != other


def test_matches_add_up(learner: Learner) -> None:
    matches = play_matches(learner, 20, 1)
    assert [(match.opponent, match.player) for match in matches] == [(name, p) for name in PLAYERS for p in (1, 2)]
    assert all(match.wins + match.draws + match.losses == 20 for match in matches)
    assert [match.losses for match in matches] == [0] * 6
    assert matches[0].wins > 0


def test_summary_is_the_assignments() -> None:
    lines = summary([Match("RandomPlayer", 1, 990, 10, 0), Match("RandomPlayer", 2, 900, 90, 10)])
    assert [" ".join(line.split()) for line in lines] == [
        f"{LEARNER}(X) Wins:99.0% Draws:1.0% Losses:0.0%",
        "RandomPlayer(O) Wins:0.0% Draws:1.0% Losses:99.0%",
        "RandomPlayer(X) Wins:1.0% Draws:9.0% Losses:90.0%",
        f"{LEARNER}(O) Wins:90.0% Draws:9.0% Losses:1.0%",
        "Summary:",
        f"{LEARNER} VS RandomPlayer Win/Draw Rate = 99.5%",
    ]


# The command


def test_command_prints_table_and_json() -> None:
    text = tictactoe("--episodes", "200", "--test-games", "10")
    assert (text.exit_code, len(text.stdout.splitlines())) == (0, 16)
    record = json.loads(tictactoe("--episodes", "200", "--test-games", "10", "--json").stdout)
    assert (record["games"], record["seed"], len(record["matches"])) == (200, 0, 6)
    assert record["matches"][1].keys() == {"opponent", "player", "wins", "draws", "losses"}
    assert record["matches"][1]["player"] == "O"


@pytest.mark.system
def test_interrupt_ends_cleanly_with_130() -> None:
    run = start("arena", "tictactoe", "--episodes", "100000000")
    assert run.stderr is not None
    # The first progress shows that the command is running.
    assert "games" in run.stderr.readline()
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=30)
    assert (run.returncode, out, err.splitlines()[-1]) == (130, "", "interrupted")
    assert "Traceback" not in err
