"""The analyses that programs draw, loadsgf and the clock: the engine in this process, and in its own process."""

import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from little_go.arena.gtp.engine import Allowance, Engine
from little_go.arena.gtp.protocol import KATAGO, LEELA_ZERO, Request, analysis_line, parse_request
from little_go.book.answers.live import LiveSearch, for_seconds, until_stopped
from little_go.book.answers.query import Knowledge, Service
from little_go.notation.movetext import vertex_name
from little_go.solver.answer import Answer
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, START, parse_moves, play_all
from tests.arena.gtp.test_engine import LATE, board, engine_after
from tests.conftest import TickingClock

ROOT = Path(__file__).parents[3]

#: Maximum seconds that anything may take on a busy machine.
PATIENCE = 60.0

LATE_POSITION = play_all(START, parse_moves(LATE))

PAIRS = r"(?:[a-zA-Z]+ [-0-9.]+ )*"
#: Matches a move as Sabaki parses it: pairs, and the variation at the end.
MOVE = re.compile(rf"move (?P<move>[A-HJ-Z][1-9]|pass) (?P<pairs>{PAIRS})pv (?P<pv>(?P=move))")


def read_line(line: str) -> dict[str, dict[str, str]]:
    """Return the pairs of each move in a line of an analysis, in the order of the line."""
    moves = {}
    assert line.startswith("info ")
    for text in line.split("info ")[1:]:
        match = MOVE.fullmatch(text.strip())
        assert match, text
        words = match["pairs"].split()
        moves[match["move"]] = dict(zip(words[::2], words[1::2], strict=True))
    return moves


# The arguments of the command


@pytest.mark.parametrize(
    ("words", "request_"),
    [
        ("", Request()),
        ("50", Request(None, 0.5)),
        ("w 10", Request(2, 0.1)),
        ("black", Request(1)),
        ("B interval 25 maxmoves 3 minmoves 1", Request(1, 0.25, 3)),
        ("B 50 ownership true rootInfo true", Request(1, 0.5)),
    ],
)
def test_requests_are_read(words: str, request_: Request) -> None:
    assert parse_request(words.split()) == request_


@pytest.mark.parametrize("words", ["x", "b x", "50 50", "interval", "interval -5", "b 10 avoid b C3 5", "maxmoves 1.5"])
@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze"])
def test_other_requests_are_refused(command: str, words: str) -> None:
    assert Engine(None, game=COURSE).respond(f"{command} {words}") == "? syntax error\n\n"


def test_the_wrong_colour_and_a_finished_game_are_refused() -> None:
    assert Engine(None, game=COURSE).respond("lz-analyze w 50") == "? it is Black's turn\n\n"
    assert engine_after("PASS").respond("kata-analyze") == "? the game has ended\n\n"


# The lines


def test_winrates_are_those_of_the_side_to_move() -> None:
    values = [
        (12, Knowledge(START.play(12), Answer(5, 5, None, 0), game=COURSE)),
        (0, Knowledge(START.play(0), None, game=COURSE)),
        (1, Knowledge(START.play(1), Answer(-3, 9, None, 0), game=COURSE)),
        (PASS, Knowledge(START.play(PASS), Answer(-4, -4, None, 0), game=COURSE)),
    ]
    black, white = (read_line(analysis_line(LEELA_ZERO, values, mover)) for mover in (1, 2))
    assert [black[move]["winrate"] for move in ("C3", "A5", "B5", "pass")] == ["10000", "5000", "5000", "0"]
    assert [white[move]["winrate"] for move in ("C3", "A5", "B5", "pass")] == ["0", "5000", "5000", "10000"]
    assert [int(black[move]["visits"]) >= 10 for move in ("C3", "A5", "B5")] == [True, False, True]
    assert [pairs["order"] for pairs in black.values()] == ["0", "1", "2", "3"]
    black, white = (read_line(analysis_line(KATAGO, values, mover)) for mover in (1, 2))
    assert [black[move]["winrate"] for move in ("C3", "A5", "pass")] == ["1.0", "0.5", "0.0"]
    assert (black["C3"]["scoreLead"], white["C3"]["scoreLead"]) == ("2.5", "-2.5")
    assert (black["pass"]["scoreLead"], white["pass"]["scoreLead"]) == ("-6.5", "6.5")
    assert "scoreLead" not in black["A5"]
    assert "scoreLead" not in black["B5"]


@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze"])
def test_an_analysis_that_is_ended_at_once_has_one_line(command: str) -> None:
    engine = engine_after(LATE)
    response = engine.respond(f"7 {command} b 50")
    assert response is not None
    head, line, *rest = response.split("\n")
    assert (head, rest) == ("=7", ["", ""])
    assert len(read_line(line)) == len(LATE_POSITION.legal_moves())


def test_updates_end_with_the_exact_values() -> None:
    *_, last = Service([], LiveSearch(), game=COURSE).updates(LATE_POSITION, until_stopped(lambda: False), 0.0)
    whole = Service([], LiveSearch(), game=COURSE).ask(LATE_POSITION, for_seconds(60.0), replies=False)
    told = [[(move, after.value) for move, after in each.after_moves] for each in (last, whole)]
    assert told[0] == told[1]
    assert all(value is not None for _, value in told[0])


def test_updates_end_when_they_are_to() -> None:
    looks = iter([False] * 5 + [True] * 1000)
    updates = list(Service([], LiveSearch(), game=COURSE).updates(START, until_stopped(lambda: next(looks)), 0.0))
    # There is one line before the search, five during the search, and one with the final knowledge.
    assert len(updates) == 7
    assert next(looks)


def test_fewer_moves_are_shown_where_that_is_asked_for() -> None:
    response = str(engine_after(LATE).respond("lz-analyze maxmoves 2"))
    assert len(read_line(response.split("\n")[1])) == 2


# loadsgf

SGF = "(;GM[1]SZ[5]KM[2.5];B[cc];W[bc];B[tt])"


def test_a_game_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(SGF)
    engine = engine_after("0,0")
    assert engine.respond(f"loadsgf {file}") == "=\n\n"
    assert board(engine) == board(engine_after("2,2 2,1 PASS"))
    assert engine.respond("undo") == "=\n\n"
    assert board(engine) == board(engine_after("2,2 2,1"))
    for number, moves in ((1, ""), (2, "2,2"), (3, "2,2 2,1"), (9, "2,2 2,1 PASS")):
        assert engine.respond(f"loadsgf {file} {number}") == "=\n\n"
        assert board(engine) == board(engine_after(moves))


@pytest.mark.parametrize(
    "text",
    [
        "no SGF",
        "(;GM[1]SZ[9];B[cc])",
        "(;SZ[5];W[cc])",
        "(;SZ[5];B[cc];W[cc])",
        None,
    ],
)
def test_what_cannot_be_loaded_changes_nothing(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "game.sgf"
    if text is not None:
        file.write_text(text)
    engine = engine_after("0,0")
    response = engine.respond(f"loadsgf {file}") or ""
    assert response.startswith("? cannot load file" + ": " * (text is not None))
    assert response.count("\n") == 2
    assert board(engine) == board(engine_after("0,0"))


def test_another_komi_and_stones_that_are_set_up_are_loaded_and_said(tmp_path: Path) -> None:
    file, engine = tmp_path / "game.sgf", Engine(None, game=COURSE)
    file.write_text("(;SZ[5]KM[6.5];B[cc])")
    assert engine.respond(f"loadsgf {file}") == "= it states komi 6.5, and what is said here is for komi 2.5\n\n"
    file.write_text("(;SZ[5]AB[aa];W[cc])")
    assert engine.respond(f"loadsgf {file}") == "= its set-up does not contain the ply: taking the smallest, 1\n\n"
    assert "ply 2 of 24, Black to move" in board(engine)


def test_a_move_number_is_a_number(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text(SGF)
    assert Engine(None, game=COURSE).respond(f"loadsgf {tmp_path}/game.sgf two") == "? syntax error\n\n"


# The clock


def test_time_is_shared_out() -> None:
    allowance = Allowance()
    assert allowance.for_move(1, 24) == float("inf")
    allowance.set_limits(12, 0, 0)
    assert (allowance.for_move(1, 24), allowance.for_move(2, 23)) == (1.0, 1.0)
    allowance.spend(1, 1.5)
    assert (allowance.for_move(1, 22), allowance.for_move(2, 23)) == (10.5 / 11, 1.0)
    allowance.set_clock(2, 3.0, 0)
    assert allowance.for_move(2, 3) == 1.5
    allowance.restart()
    assert allowance.for_move(2, 23) == 1.0


def test_a_period_is_for_its_stones() -> None:
    allowance = Allowance()
    allowance.set_limits(0, 30, 10)
    assert allowance.for_move(1, 24) == 3.0
    allowance.set_clock(1, 8.0, 4)
    assert allowance.for_move(1, 18) == 2.0
    allowance.spend(1, 5.0)
    assert allowance.for_move(1, 16) == 1.0
    allowance.set_limits(5, 10, 0)
    assert allowance.for_move(1, 24) == float("inf")


BELOW = [-1.0, -0.5, float("inf"), float("nan")]


@pytest.mark.parametrize(
    ("main", "period", "stones"),
    [*((number, 0, 0) for number in BELOW), *((0, number, 1) for number in BELOW), (0, 0, -1)],
)
def test_times_below_0_change_nothing(main: float, period: float, stones: int) -> None:
    allowance = Allowance()
    allowance.set_limits(0, 0, 0)
    allowance.set_limits(12, 0, 0)
    with pytest.raises(ValueError, match=r"^times and stones are 0 or more$"):
        allowance.set_limits(main, period, stones)
    allowance.set_clock(1, 0, 0)
    allowance.set_clock(1, 6, 0)
    with pytest.raises(ValueError, match=r"^times and stones are 0 or more$"):
        allowance.set_clock(1, main or period, stones)
    assert (allowance.for_move(1, 24), allowance.for_move(2, 23)) == (0.5, 1.0)


@pytest.mark.parametrize(
    "command", ["time_settings -1 0 0", "time_settings 0 -1 1", "time_left b nan 0", "time_left b 1 -1"]
)
def test_a_controller_cannot_set_a_time_below_0(command: str) -> None:
    assert Engine(None, game=COURSE).respond(command) == "? syntax error\n\n"


def test_an_empty_clock_still_moves(ticking: TickingClock) -> None:
    engine, leisurely = Engine(None, game=COURSE), Engine(None, cpu=0.3, game=COURSE)
    assert leisurely.respond("genmove b") == "= C3\n\n"
    looks, ticking.looks = ticking.looks, 0
    assert engine.respond("time_settings 0 0 0") == "=\n\n"
    assert engine.respond("genmove b") == "= C3\n\n"
    assert ticking.looks < looks / 3


@pytest.mark.parametrize(
    "command", ["time_settings 1 2", "time_settings x 0 0", "time_settings -1 0 0", "time_left b 1", "time_left x 1 0"]
)
def test_bad_times_are_refused(command: str) -> None:
    assert Engine(None, game=COURSE).respond(command) == "? syntax error\n\n"


# The process


@pytest.fixture
def process() -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", "little_go.arena", "gtp", "--book", str(ROOT / "book.json")]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as engine:
        yield engine
        engine.kill()


def say(engine: "subprocess.Popen[bytes]", line: str) -> None:
    assert engine.stdin is not None
    engine.stdin.write(f"{line}\n".encode())


def hear(engine: "subprocess.Popen[bytes]") -> str:
    """Return the next line of the engine, without its end."""
    assert engine.stdout is not None
    text = b""
    while not text.endswith(b"\n"):
        assert select.select([engine.stdout], [], [], PATIENCE)[0]
        piece = engine.stdout.read(1)
        assert piece
        text += piece
    return text.decode().removesuffix("\n")


def test_an_analysis_goes_on_until_the_next_command(process: "subprocess.Popen[bytes]") -> None:
    moves = parse_moves("1,1 0,0 4,4 0,4 4,0 1,0 3,3 3,4")
    for ply, move in enumerate(moves):
        say(process, f"play {'bw'[ply % 2]} {vertex_name(move)}")
        assert [hear(process), hear(process)] == ["=", ""]
    say(process, "3 lz-analyze b 1")
    assert hear(process) == "=3"
    # No file contains this position, and the search finds more from line to line.
    lines = [hear(process) for _ in range(5)]
    assert {len(read_line(line)) for line in lines} == {len(play_all(START, moves).legal_moves())}
    say(process, "4 name")
    end = time.monotonic() + PATIENCE
    while line := hear(process):
        assert line.startswith("info ")
        assert time.monotonic() < end
    assert [hear(process), hear(process)] == ["=4 Little-Go", ""]


def test_an_empty_line_ends_an_analysis(process: "subprocess.Popen[bytes]") -> None:
    say(process, "kata-analyze interval 1")
    assert [hear(process), hear(process)[:9]] == ["=", "info move"]
    say(process, "")
    end = time.monotonic() + PATIENCE
    while line := hear(process):
        assert line.startswith("info ")
        assert time.monotonic() < end
    say(process, "quit")
    assert [hear(process), hear(process)] == ["=", ""]
    assert process.wait(PATIENCE) == 0


def test_an_analysis_that_knows_all_waits_for_the_next_command(process: "subprocess.Popen[bytes]") -> None:
    for ply, move in enumerate(parse_moves(LATE)):
        say(process, f"play {'bw'[ply % 2]} {'ABCDE'[move % 5]}{5 - move // 5}")
        assert [hear(process), hear(process)] == ["=", ""]
    say(process, "kata-analyze b 100")
    assert hear(process) == "="
    exact: dict[str, dict[str, str]] = {}
    while not (exact and all("scoreLead" in pairs for pairs in exact.values())):
        exact = read_line(hear(process))
    whole = Service([], LiveSearch(), game=COURSE).ask(LATE_POSITION, for_seconds(60.0), replies=False)
    assert [after.lo for _, after in whole.after_moves] == [float(pairs["scoreLead"]) + 2.5 for pairs in exact.values()]
    assert process.stdout is not None
    assert not select.select([process.stdout], [], [], 0.3)[0]
    assert process.poll() is None
    say(process, "quit")
    assert [hear(process), hear(process), hear(process)] == ["", "=", ""]
    assert process.wait(PATIENCE) == 0
