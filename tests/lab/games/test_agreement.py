import gzip
import json
from pathlib import Path

import pytest

from book.files.games import STAFF_GAMES, GamesError, LoggedGame
from lab.games.agreement import (
    AGENTS,
    Agreement,
    agreements,
    by_lot,
    by_rule,
    sample,
    table,
)
from lab.games.agreement import open_games as read
from solver.position import START


def line(agent: str = "greedy", colour: int = 1, moves: str = "2,2") -> str:
    return json.dumps({"staff_agent": agent, "staff_color": colour, "moves": moves.split()}) + "\n"


@pytest.fixture(scope="module")
def games() -> list[LoggedGame]:
    return read(STAFF_GAMES)


def test_equal_games_count_once(tmp_path: Path) -> None:
    (tmp_path / "games").write_text(line() + line() + line(colour=2))
    assert read(tmp_path / "games") == [LoggedGame("greedy", 1, ("2,2",)), LoggedGame("greedy", 2, ("2,2",))]
    with gzip.open(tmp_path / "games.gz", "wt") as file:
        file.write(line())
    assert len(read(tmp_path / "games.gz")) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{}\n", "line 1 is not a logged game"),
        (line().encode() + b"nonsense\n", "line 2 is not a logged game"),
        (b"\xff\xfe\n", "cannot be read"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "games").write_bytes(content)
    with pytest.raises(GamesError, match=words):
        read(tmp_path / "games")


@pytest.mark.parametrize("name", ["missing", "missing.gz", "foreign.gz", "damaged.gz"])
def test_unreadable_files_are_refused(tmp_path: Path, name: str) -> None:
    # No gzip, whatever its name is.
    (tmp_path / "foreign.gz").write_bytes(b"no gzip")
    (tmp_path / "damaged.gz").write_bytes(b"\x1f\x8b\x08" + bytes(7) + b"\x07")
    with pytest.raises(GamesError, match="line 1 is not a logged game" if name == "foreign.gz" else "cannot be read"):
        read(tmp_path / name)


def agreed(game: LoggedGame) -> int:
    (found,) = agreements([game])
    return found[game.agent].moves


def test_moves_count_up_to_the_first_illegal_one() -> None:
    assert agreed(LoggedGame("greedy", 1, ("2,2", "1,1", "2,2", "0,0"))) == 1
    assert agreed(LoggedGame("greedy", 2, ("2,2", "1,1", "x"))) == 1
    assert agreed(LoggedGame("greedy", 2, ("PASS", "PASS"))) == 0


def test_shares() -> None:
    agreement = Agreement("greedy").plus(START, 3, {3: 0.5, 4: 0.5}).plus(START, 3, {4: 1.0})
    assert agreement.record() == {
        "agent": "greedy",
        "games": 0,
        "moves": 2,
        "fits": 0.5,
        "expected": 0.25,
        "blind": 0.04,
    }
    assert table([agreement, Agreement("x")])[1:] == [
        "greedy            0      2   50.0%   25.0%    4.0%",
        "x                 0      0       -       -       -",
    ]


def test_chances_follow_lot_and_rule() -> None:
    assert by_lot(lambda position: [3, 3, 4, 5])(START) == {3: 0.5, 4: 0.25, 5: 0.25}
    assert by_rule(lambda position: [3, 4], 0)(START) == {3: 1.0, 4: 0.0}
    assert by_rule(lambda position: [3, 4], -1)(START) == {3: 0.0, 4: 1.0}


def test_sample_is_so_many_of_each_class_by_the_seed(games: list[LoggedGame]) -> None:
    drawn = sample(games, 5, 1)
    assert [game.agent for game in drawn] == [agent for agent in AGENTS for _ in range(5)]
    assert drawn == sample(games, 5, 1) != sample(games, 5, 2)
    assert {game.agent for game in sample(games, None, 0)} == AGENTS.keys()


@pytest.mark.parametrize(
    ("agent", "least", "number"),
    [
        ("random", 1.0, 60),
        ("greedy", 1.0, 60),
        ("aggressive", 1.0, 60),
        ("alphabeta", 0.65, 7),
        ("qlearning", 0.3, 34),
    ],
)
def test_agents_agree_with_the_games(games: list[LoggedGame], agent: str, least: float, number: int) -> None:
    """Measured: docs/reference/AGENTS.md."""
    drawn = sample([game for game in games if game.agent == agent], number, 1)
    *_, found = agreements(drawn)
    assert found[agent].fits / found[agent].moves >= least
