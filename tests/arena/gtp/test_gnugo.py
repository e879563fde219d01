"""Whole games of our engine against GNU Go; both are engines in separate processes."""

import os
import shlex
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest

from little_go.arena.gtp.client import start_engine
from little_go.arena.match.play import Game, play_game
from little_go.solver.family import COURSE
from tests.arena.helpers import AMPLE

ROOT = Path(__file__).parents[3]

#: The path of GNU Go; Debian installs games in a folder that is not in every PATH.
GNUGO = shutil.which("gnugo", path=f"{os.environ.get('PATH', '')}:/usr/games")

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(GNUGO is None, reason="no gnugo here"),
]

OURS = "gtp:" + shlex.join(
    [
        "env",
        f"PYTHONPATH={ROOT}",
        sys.executable,
        "-m",
        "arena",
        "gtp",
        "--book",
        str(ROOT / "book.json"),
        "--cpu",
        "0.5",
    ]
)
THEIRS = f"gtp:{GNUGO} --mode gtp --boardsize 5 --komi 2.5 --level 1 --seed"


def play(black: str, white: str) -> Game:
    with (
        closing(start_engine(black, AMPLE, game=COURSE)) as first,
        closing(start_engine(white, AMPLE, game=COURSE)) as second,
    ):
        return play_game(first, second, game=COURSE)


def test_our_black_wins() -> None:
    game = play(OURS, f"{THEIRS} 1")
    assert game.result.winner == 1
    assert game.result.reason in ("max", "two_passes", "resigned")


def test_our_white_plays_to_the_end() -> None:
    # GNU Go may win, because Black's opening in the centre is a win.
    game = play(f"{THEIRS} 1", OURS)
    assert game.result.reason in ("max", "two_passes") or (game.result.winner, game.result.reason) == (2, "resigned")


def test_gnu_go_plays_with_itself() -> None:
    game = play(f"{THEIRS} 1", f"{THEIRS} 2")
    assert game.result.reason in ("max", "two_passes", "resigned")
