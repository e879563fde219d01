"""A person plays on a real terminal of 60 columns; the tests read the screen as a person would."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sgfmill import sgf

from little_go.arena.__main__ import main
from little_go.arena.match.play import Game, play_game

ROOT = Path(__file__).parents[3]
COLUMNS = 60

#: Options for a game whose mistakes are explained quickly.
SHORT = ("--plies", "8", "--komi", "0.5")

#: Matches the prompt with which the game asks for a move.
PROMPT = re.compile(r"\(\? for help[^)]*\): $")


@contextmanager
def terminal() -> Iterator[tuple[int, int]]:
    """Yield both ends of a terminal, first the end of the person."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    try:
        yield ours, theirs
    finally:
        os.close(ours)


def sit(entries: list[str], *arguments: str, white: str) -> tuple[str, int]:
    """Play as Black by entering these lines and then Ctrl-D; return the screen and the exit code."""
    left = [*(f"{entry}\n" for entry in entries)]
    screen, unseen = b"", ""
    with terminal() as (ours, theirs):
        words = [sys.executable, "-m", "little_go.arena", "play", "--black", "human", "--white", white, *arguments]
        # Only the terminal determines the width. Without env, readline would set COLUMNS for a child process.
        env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        game = subprocess.Popen(words, cwd=ROOT, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        deadline = time.monotonic() + 120
        while True:
            try:
                some = os.read(ours, 1 << 16)
            except OSError:
                # The other end of the terminal is closed.
                break
            assert time.monotonic() < deadline, screen
            # The last character of a progress bar may be read only in part.
            screen, unseen = screen + some, unseen + some.decode(errors="replace")
            if some and PROMPT.search(unseen):
                os.write(ours, (left.pop(0) if left else "\x04").encode())
                unseen = ""
        code = game.wait(60)
    assert not left, screen
    return screen.decode(), code


def shown(screen: str) -> tuple[str, int]:
    """Return the text that is on a terminal at the end, and the columns of the widest line that was ever on it."""
    lines, row, column, widest = [""], 0, 0, 0
    for piece in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|.", screen, re.DOTALL):
        if piece == "\r":
            column = 0
        elif piece == "\n":
            row += 1
            lines += [""] * (row == len(lines))
        elif piece == "\x1b[1A":
            row -= 1
        elif piece == "\x1b[2K":
            lines[row] = ""
        elif piece[0] != "\x1b":
            lines[row] = lines[row][:column].ljust(column) + piece + lines[row][column + 1 :]
            column += 1
            widest = max(widest, column)
    return "\n".join(lines), widest


def test_a_bar_is_drawn_over_itself_and_erased() -> None:
    bar = "\x1b[?25l\x1b[32mReading: 1\x1b[0m\r\x1b[2KReading: 20\r\n\r\x1b[1A\x1b[2KDone\r\n"
    assert shown(f"Begin\r\n{bar}") == ("Begin\nDone\n", 11)


@pytest.fixture
def passes(tmp_path: Path) -> str:
    """An opponent that always passes."""
    (tmp_path / "a_program_with_quite_a_long_name_that_passes.py").write_text("open('output.txt', 'w').write('PASS')")
    return str(tmp_path / "a_program_with_quite_a_long_name_that_passes.py")


def test_a_whole_game_at_the_terminal(tmp_path: Path, passes: str) -> None:
    """A game with advice, a PASS that is announced, undo after the end, the review in three lines, and the SGF."""
    entries = ["?", "why", "hint", "values", "2 2", "why", "pass", "why", "undo", "undo", "C4", "quit"]
    raw, code = sit(entries, "--sgf", str(tmp_path / "game.sgf"), white=passes)
    assert code == 0
    # A path is printed in one line, so it is shortened here.
    screen, widest = shown(raw.replace(str(tmp_path), "…"))
    assert widest <= COLUMNS, screen
    # On a slow machine, the screen also shows the progress of searches.
    screen = re.sub(r"^ +\d+ s  .*\n", "", screen, flags=re.MULTILINE)
    parts = [part.partition("): ")[2].partition("\n")[2] for part in screen.split("(? for help")]
    said = {f"{number} {entry}": part for number, (entry, part) in enumerate(zip(entries, parts[1:], strict=True))}
    assert "A to E, rows 1 to 5 from the bottom" in said["0 ?"]
    assert said["1 why"].startswith("You have made no move yet.")
    assert said["2 hint"].startswith("Play 2,2: B+0.5 (line, certificate, atlas, book).\nX 2,2  O ")
    first, second, *_ = said["3 values"].split("\n")
    assert first == "B+0.5 here: Black (X) wins by half a point, komi included."
    assert re.fullmatch(r"B\+0\.5 \([a-z, ]*atlas[a-z, ]*\):  2,2", second)
    assert re.search(r"W\+2\.5 \(rules[a-z, ]*\):  PASS", said["3 values"])
    assert "White has passed. If you pass too, the game ends,\nand White wins: X 1, O 2.5.\n" in said["4 2 2"]
    assert said["5 why"].startswith("2,2 was no mistake: B+0.5 (line, ")
    lesson = said["6 pass"].split("\n")
    at = next(number for number, line in enumerate(lesson) if line.startswith("Turning point"))
    assert re.fullmatch(r"Turning point: ply 3, Black played PASS; .,. kept the win\.", lesson[at])
    assert lesson[at + 1].startswith("Biggest mistake: ply 3, Black's PASS costs ")
    assert lesson[at + 2].startswith("Instead: X ")
    assert said["7 why"].startswith("Ply 3: Black plays PASS, costs ")
    # The first undo removes the PASS that ended the game; the second one removes 2,2 and the answer.
    assert said["8 undo"].startswith("Your last move is undone.\n")
    assert "ply 3 of 24" in said["8 undo"]
    assert "ply 2: White passes" not in said["8 undo"]
    assert "ply 1 of 24" in said["9 undo"]
    assert "ply 1: Black plays 1,2\n" in said["10 C4"]
    assert said["11 quit"].startswith("The game is left as it stands, and does not count.\n")
    game = sgf.Sgf_game.from_bytes((tmp_path / "game.sgf").read_bytes())
    assert [node.get_move() for node in game.get_main_sequence()[1:]] == [("b", (3, 2)), ("w", None)]
    assert game.get_root().get("RE") == "?"


def test_the_end_of_the_input_resigns_and_ends(passes: str) -> None:
    raw, code = sit(["D3"], *SHORT, white=passes)
    assert code == 0
    screen, widest = shown(raw)
    assert widest <= COLUMNS, screen
    assert "ply 1: Black plays 2,3\n" in screen
    assert "White wins (resigned)\n" in screen


def by_hand(*entries: str, arguments: tuple[str, ...] = (), white: str = "greedy") -> str:
    words = ["play", "--black", "human", "--white", white, *SHORT, *arguments]
    result = CliRunner().invoke(main, words, "".join(f"{entry}\n" for entry in entries), catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_resigning_can_be_undone() -> None:
    out = by_hand("2,2", "resign", "undo", "quit")
    assert out.count("White wins (resigned)") == 1
    assert out.count("ply 3 of 8") == 2


def test_quitting_after_the_end_plays_no_further_game() -> None:
    out = by_hand("PASS", "quit", arguments=("--games", "3"))
    assert "1 game: Black wins 0, White wins 1" in out


def test_further_games_follow_an_empty_line() -> None:
    out = by_hand("PASS", "", "PASS", "", arguments=("--games", "2"))
    assert "2 games: Black wins 0, White wins 2" in out


def test_what_an_end_has_no_answer_to_is_said() -> None:
    assert "The game is over: why, undo, quit, or an empty line." in by_hand("PASS", "values")


def test_games_of_agents_are_written_as_sgf(tmp_path: Path, passes: str) -> None:
    words = ["play", "--black", passes, "--white", "random", "--games", "2", "--sgf", str(tmp_path / "games")]
    assert CliRunner().invoke(main, words, catch_exceptions=False).exit_code == 0
    for seed in (0, 1):
        root = sgf.Sgf_game.from_bytes((tmp_path / "games" / f"seed-{seed}.sgf").read_bytes()).get_root()
        assert (root.get("PB"), root.get("PW")) == (passes, "random")
        assert root.get("DT") in (date.today().isoformat(), date.fromordinal(date.today().toordinal() - 1).isoformat())
        assert (root.get("RE"), root.get("V"), root.get("GC")) == ("W+2.5", 3, f"seed {seed}")
        assert root.get("RU") == "Little-Go: stones alone count, 24 plies"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--sgf", "no/such/file.sgf"], "cannot write 'no/such/file.sgf': No such file or directory"),
        (["--sgf", "."], "cannot write '.': Is a directory"),
        (["--jsonl", "-"], "human needs standard output"),
    ],
)
def test_where_nothing_could_be_written_is_said_before_the_game(options: list[str], words: str) -> None:
    result = CliRunner().invoke(main, ["play", "--black", "human", "--white", "greedy", *options])
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


# A busy machine


@pytest.mark.parametrize("free", [True, False])
def test_a_game_that_a_busy_machine_ended_is_played_again(monkeypatch: pytest.MonkeyPatch, free: bool) -> None:
    """The clock ends the first game because there is no core; it counts after it was played again, or not at all."""
    played = iter([(1,), ()])

    def play(*arguments: Any, **settings: Any) -> Game:
        return replace(play_game(*arguments, **settings), cpu_starved=next(played))

    monkeypatch.setattr("little_go.arena.commands.play.play_game", play)
    monkeypatch.setattr("little_go.arena.match.play.wait_until_free", lambda deadline: free)
    result = CliRunner().invoke(main, ["play", "--black", "greedy", "--white", "random", "--no-boards"])
    assert "1 game to be played again when the machine is free" in result.stderr
    if free:
        assert (result.exit_code, result.stdout[:7]) == (0, "1 game:")
    else:
        assert (result.exit_code, result.stdout[:8]) == (1, "0 games:")
        assert result.stderr.splitlines()[-1] == "Error: 1 game not played to a result"


def test_a_game_that_a_fault_of_the_machine_ended_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*arguments: Any, **settings: Any) -> Game:
        return replace(play_game(*arguments, **settings), machine_fault="the disk is full")

    monkeypatch.setattr("little_go.arena.commands.play.play_game", play)
    result = CliRunner().invoke(main, ["play", "--black", "greedy", "--white", "random", "--no-boards"])
    assert (result.exit_code, result.stdout[:8]) == (1, "0 games:")
    lines = ["The game does not count: the disk is full.", "Error: 1 game not played to a result"]
    assert result.stderr.splitlines()[-2:] == lines
