"""Games of students' agents against the course's own, as the course's host logged them."""

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from book.files.games import STAFF_GAMES, LoggedGame, read_games
from lab.__main__ import main
from lab.games.replay import CONTRADICTS, EQUAL, GOES_ON, NO_MOVES, STOPS, replay, text
from lab.games.replay import record as record_of

#: White wins by 2.5 after two passes.
PASSES = LoggedGame("greedy", 2, ("2,2", "PASS", "PASS"), 2, "two_passes", "0" * 12 + "1" + "0" * 12)

#: Black plays on White's stone.
OCCUPIED = LoggedGame("random", 2, ("2,2", "2,3", "2,3"), 2, "invalid_occupied", "0" * 12 + "12" + "0" * 11)

CUT = LoggedGame("random", 1, ("2,2",), 1, "unfinished(timeout)", "0" * 12 + "1" + "0" * 12)
EMPTY = LoggedGame("random", 1, (), 1, "unfinished(timeout)", "0" * 25)


def command(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["replay", *arguments], catch_exceptions=False)


def line(game: LoggedGame) -> str:
    keys = ("staff_agent", "staff_color", "moves", "winner", "reason", "final")
    return json.dumps(dict(zip(keys, game, strict=True))) + "\n"


def test_every_whole_game_reaches_the_logged_result_and_board() -> None:
    record = record_of([replay(number, game) for number, game in enumerate(read_games(STAFF_GAMES, whole=True), 1)])
    assert record["outcomes"] == {EQUAL: 1994, NO_MOVES: 122, STOPS: 88, GOES_ON: 7, CONTRADICTS: 0}
    assert record["games"] == 2211
    # What a log says of a game it has lost the thread of is not the host's doing.
    goes_on = [each["line"] for each in record["exceptions"] if each["outcome"] == GOES_ON]
    assert goes_on == [1008, 1662, 1680, 1687, 1700, 2149, 2200]


@pytest.mark.parametrize(
    ("game", "outcome", "detail"),
    [
        (PASSES, EQUAL, ""),
        (OCCUPIED, EQUAL, ""),
        (EMPTY, NO_MOVES, ""),
        (CUT, STOPS, "after ply 1"),
        (OCCUPIED._replace(moves=(*OCCUPIED.moves, "0,0")), GOES_ON, "invalid_occupied at ply 3 of 4"),
        (
            OCCUPIED._replace(moves=(*OCCUPIED.moves, "0,0"), winner=1),
            GOES_ON,
            "invalid_occupied at ply 3 of 4; White wins, the log says Black",
        ),
        (PASSES._replace(winner=1), CONTRADICTS, "White wins, the log says Black"),
        (PASSES._replace(reason="max"), CONTRADICTS, "ends by two_passes after ply 3, the log says max"),
        (PASSES._replace(moves=(*PASSES.moves, "0,0")), CONTRADICTS, "ends by two_passes after ply 3, the log has 4"),
        (
            OCCUPIED._replace(moves=(*OCCUPIED.moves, "0,0"), reason="max"),
            CONTRADICTS,
            "ends by invalid_occupied after ply 3, the log says max",
        ),
        (CUT._replace(reason="max"), CONTRADICTS, "goes on after ply 1, the log says max"),
        (
            PASSES._replace(reason="unfinished"),
            CONTRADICTS,
            "ends by two_passes after ply 3, the log says unfinished",
        ),
        (
            EMPTY._replace(final="1" + "0" * 24),
            CONTRADICTS,
            f"after ply 0 the board is {'0' * 25}, not 1{'0' * 24}",
        ),
    ],
)
def test_outcomes(game: LoggedGame, outcome: str, detail: str) -> None:
    assert replay(1, game)[2:] == (outcome, detail)


def test_text_lists_the_exceptions_and_counts() -> None:
    assert text([replay(1, PASSES)])[0] == "    1  whole and equal"
    assert text([replay(number, game) for number, game in ((1, PASSES), (2, CUT), (3, EMPTY))]) == [
        "line 2: not whole: stops before the game does, after ply 1 (random as Black)",
        "line 3: not whole: no moves (random as Black)",
        "",
        "    1  whole and equal",
        "    1  not whole: no moves",
        "    1  not whole: stops before the game does",
        "    0  not whole: goes on after an illegal move",
        "    0  contradicts the log",
    ]


def test_command_exits_1_when_a_whole_game_contradicts(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text(line(PASSES) + line(EMPTY))
    assert command("--logged", str(games)).exit_code == 0
    games.write_text(line(PASSES) + line(PASSES._replace(winner=1)))
    result = command("--logged", str(games), "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["exceptions"] == [
        {
            "line": 2,
            "staff_agent": "greedy",
            "staff_color": 2,
            "outcome": CONTRADICTS,
            "detail": "White wins, the log says Black",
        }
    ]


def test_command_reads_gzip(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "games.gz", "wt") as file:
        file.write(line(PASSES))
    assert command("--logged", str(tmp_path / "games.gz")).stdout.startswith("    1  whole and equal\n")


@pytest.mark.parametrize("game", [PASSES._replace(winner=3), PASSES._replace(colour=0)])
def test_lines_that_are_no_games_are_refused(tmp_path: Path, game: LoggedGame) -> None:
    (tmp_path / "games").write_text(line(PASSES) + line(game))
    result = command("--logged", str(tmp_path / "games"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: {tmp_path / 'games'}: line 2 is not a logged game\n"


def test_interrupt_ends_cleanly_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(line: int, game: LoggedGame) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lab.games.replay.replay", interrupted)
    result = command()
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "interrupted\n")
