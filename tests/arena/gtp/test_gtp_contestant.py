"""Engines that follow the protocol and engines that violate it, in separate processes."""

import fcntl
import os
import re
import signal
import sys
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from little_go.arena.__main__ import main
from little_go.arena.gtp.client import EngineContestant, start_engine
from little_go.arena.gtp.protocol import EngineFault
from little_go.arena.match.contestant import FunctionContestant
from little_go.arena.match.host import OPENING
from little_go.arena.match.limits import Limits
from little_go.arena.match.play import Game, play_game
from little_go.arena.standings.entrants import Terms, UnknownAgent, open_contestant, parse_entrant
from little_go.solver.family import COURSE
from little_go.solver.position import OCCUPIED, OFF_BOARD, PASS, Position
from tests.arena.gtp.engines import engine
from tests.arena.helpers import AMPLE, after
from tests.arena.match.test_process import has_ended
from tests.background import start


def from_the_bottom(position: Position, rng: Random) -> int:
    return position.legal_moves()[-2]


def passes(position: Position, rng: Random) -> int:
    return PASS


OTHER = FunctionContestant("other", from_the_bottom)


@contextmanager
def started(directory: Path, source: str = "", limits: Limits = AMPLE) -> Iterator[EngineContestant]:
    with closing(start_engine(engine(directory, source), limits, game=COURSE)) as contestant:
        yield contestant


def heard(contestant: EngineContestant) -> list[str]:
    """Return the commands that the engine has received."""
    return (contestant._runner.home / "engine" / "heard").read_text().splitlines()


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 50
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def play_as_black(directory: Path, source: str, limits: Limits = AMPLE) -> Game:
    with started(directory, source, limits) as black:
        return play_game(black, OTHER, game=COURSE)


# The exchange


def test_a_game_is_told_move_by_move(tmp_path: Path) -> None:
    with started(tmp_path) as contestant:
        contestant.new_game("any")
        assert contestant.reply(OPENING).text == "0,0"
        assert contestant.reply(after("0,0 4,4")).text == "0,1"
        assert contestant.reply(after("0,0 4,4 0,1 PASS")).text == "0,2"
        set_up = ["boardsize 5", "komi 2.5", "clear_board"]
        talk = ["genmove b", "play w E1", "genmove b", "play w PASS", "genmove b"]
        assert heard(contestant) == set_up + set_up + talk


def test_white_is_told_blacks_first_move(tmp_path: Path) -> None:
    with started(tmp_path) as contestant:
        assert contestant.reply(after("2,2")).text == "0,0"
        assert heard(contestant)[3:] == ["play b C3", "genmove w"]


def test_moves_taken_back_are_taken_back(tmp_path: Path) -> None:
    with started(tmp_path) as contestant:
        contestant.reply(after("2,2"))
        contestant.reply(after("3,3"))
        assert heard(contestant)[5:] == ["clear_board", "play b D2", "genmove w"]


def test_engine_runs_from_game_to_game(tmp_path: Path) -> None:
    source = "points = iter(['A5', 'PASS', 'B5', 'PASS'])"
    with started(tmp_path, source) as black:
        white = FunctionContestant("passer", passes)
        assert play_game(black, white, game=COURSE).state.moves == ("0,0", "PASS", "PASS")
        assert play_game(black, white, game=COURSE).state.moves == ("0,1", "PASS", "PASS")


def test_engine_has_a_directory_of_its_own_which_goes_with_it(tmp_path: Path) -> None:
    with started(tmp_path, "open('here', 'w').close()") as contestant:
        directory = contestant._runner.home / "engine"
        contestant.reply(OPENING)
        assert {path.name for path in directory.iterdir()} == {"here", "heard"}
    assert not directory.exists()


def test_carriage_returns_and_blank_lines_do_not_matter(tmp_path: Path) -> None:
    source = """
    def loop():
        for line in sys.stdin:
            number, *words = line.split()
            sys.stdout.write("\\n\\r\\n=" + number + (" C3" if words[0] == "genmove" else "") + "\\r\\n\\r\\n")
            sys.stdout.flush()
    """
    with started(tmp_path, source) as contestant:
        assert contestant.reply(OPENING).text == "2,2"


# Answers that the host judges


@pytest.mark.parametrize(
    ("vertex", "reason", "words"),
    [
        ("E1", "invalid_occupied", f"4,4 is {OCCUPIED}"),
        ("A6", "invalid_off_board", f"-1,0 is {OFF_BOARD}"),
        ("resign", "resigned", ""),
        ("RESIGN", "resigned", ""),
        ("banana", "malformed", "genmove: not a vertex: 'banana'"),
        ("", "malformed", "genmove: not a vertex: ''"),
        ("x" * 999, "malformed", f"genmove: not a vertex: {'x' * 40!r}"),
    ],
)
def test_bad_move_loses(tmp_path: Path, vertex: str, reason: str, words: str) -> None:
    result = play_as_black(tmp_path, f"points = iter(['A5', {vertex!r}])").result
    assert (result.winner, result.reason, result.detail) == (2, reason, words)


@pytest.mark.parametrize(
    ("text", "words"), [("? no idea", "no idea"), ("?", "refused"), ("? a\\nb", "a"), ("? " + "x" * 999, "x" * 200)]
)
def test_refused_genmove_loses(tmp_path: Path, text: str, words: str) -> None:
    result = play_as_black(tmp_path, f"def genmove(colour): return '{text}'").result
    assert (result.winner, result.reason, result.detail) == (2, "missing", f"genmove b: {words}")


def test_refusing_the_opponents_move_loses(tmp_path: Path) -> None:
    source = "def answer(words): return '? illegal move' if words[0] == 'play' else '= A5'"
    result = play_as_black(tmp_path, source).result
    assert (result.winner, result.reason, result.detail) == (2, "missing", "play w E1: illegal move")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def genmove(colour): 1 / 0", "ZeroDivisionError: division by zero"),
        ("def genmove(colour): sys.exit()", "the engine has ended"),
        ("def genmove(colour): os.kill(os.getpid(), 9)", "the engine has ended"),
    ],
)
def test_crash_loses(tmp_path: Path, source: str, words: str) -> None:
    game = play_as_black(tmp_path, source)
    assert (game.result.reason, game.result.detail, game.killed) == ("missing", words, ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("'hello\\n'", "genmove b: not a GTP response: 'hello'"),
        ("'=99 A5\\n'", "genmove b: the response has the id '99'"),
        ("'x' * (1 << 21)", "genmove b: the response does not end"),
    ],
)
def test_garbage_loses(tmp_path: Path, text: str, words: str) -> None:
    source = f"""
    def genmove(colour):
        print({text}, flush=True)
        time.sleep(60)
    """
    result = play_as_black(tmp_path, source).result
    assert (result.winner, result.reason, result.detail) == (2, "malformed", words)


#: Engines with unusual habits, by these habits. Each of them opens with A5.
UNUSUAL = {
    "no number in the answer": """
        def loop():
            for line in sys.stdin:
                print(answer(line.split()[1:]) + "\\n", flush=True)
        """,
    "refuses a numbered command": """
        def loop():
            for line in sys.stdin:
                words = line.split()
                print(("? unknown command" if words[0].isdigit() else answer(words)) + "\\n", flush=True)
        """,
    "a banner": "print('Welcome to Engine 1.0\\n\\n(c) somebody', flush=True)",
    "a banner that looks like an answer": "print('=== Engine 1.0 ===\\n', flush=True)",
    "a banner, and no number": """
        print('Engine 1.0', flush=True)
        def loop():
            for line in sys.stdin:
                print(answer(line.split()[1:]) + "\\n", flush=True)
        """,
    "no blank": """
        def genmove(colour):
            return "=" + next(points)
        def loop():
            for line in sys.stdin:
                print(answer(line.split()[1:]) + "\\n", flush=True)
        """,
    "two newlines too many": "def answer(words): return (genmove('b') if words[0] == 'genmove' else '=') + '\\n\\n'",
    "newlines before the answer": """
        def loop():
            for line in sys.stdin:
                number, *words = line.split()
                text = answer(words)
                print("\\r\\n \\n" + text[0] + number + text[1:] + "\\r\\n\\r", flush=True)
        """,
}


@pytest.mark.parametrize("unusual", UNUSUAL)
def test_an_engine_of_other_people_plays(tmp_path: Path, unusual: str) -> None:
    game = play_as_black(tmp_path, UNUSUAL[unusual])
    assert game.state.moves[:3:2] == ("0,0", "0,1")
    assert game.result.reason in ("max", "two_passes", "invalid_occupied"), game.result


def test_a_banner_that_does_not_end_is_no_engine(tmp_path: Path) -> None:
    with at_most(40), pytest.raises(EngineFault, match="does not end"):
        started(tmp_path, "print('x' * 2000000, flush=True)").__enter__()
    with at_most(40), pytest.raises(EngineFault, match=r"does not end|killed for time"):
        started(tmp_path, "while True: print('hello', flush=True)", Limits(cpu=20, wall=20)).__enter__()


def test_engine_that_has_ended_is_started_anew_for_the_next_game(tmp_path: Path) -> None:
    source = """
    points = iter(["PASS"]) if os.path.exists("been here") else None
    def genmove(colour):
        open("been here", "w").close()
        return "= " + next(points) if points else sys.exit("not today")
    """
    with started(tmp_path, source) as black:
        assert play_game(black, OTHER, game=COURSE).result.detail == "not today"
        assert play_game(black, OTHER, game=COURSE).state.moves == ("PASS",)


def test_engine_that_cannot_set_up_again_loses(tmp_path: Path) -> None:
    source = """
    seen = []
    def answer(words):
        seen.append(words[0])
        return "? enough" if seen.count("clear_board") > 1 else "= A5"
    """
    with started(tmp_path, source) as black:
        result = play_game(black, OTHER, game=COURSE).result
    assert (result.winner, result.reason, result.detail) == (2, "missing", "clear_board: enough")


# Limits


def test_hanging_engine_is_killed_with_all_it_started(tmp_path: Path) -> None:
    source = f"""
    def genmove(colour):
        child = os.fork()
        if child:
            with open({str(tmp_path / "pids")!r}, "w") as file:
                file.write(f"{{os.getpid()}} {{child}}")
        time.sleep(60)
    """
    game = play_as_black(tmp_path, source, Limits(cpu=20, wall=6.0))
    assert (game.result.winner, game.result.reason, game.killed) == (2, "timeout", (1,))
    for process in (tmp_path / "pids").read_text().split():
        assert has_ended(int(process))


@pytest.mark.system
def test_cpu_is_measured_and_limited_for_each_move(tmp_path: Path) -> None:
    source = """
    def genmove(colour):
        burn(0.2)
        return "= " + next(points)
    """
    limits = Limits(cpu=0.5, wall=50)
    with started(tmp_path, source, limits) as contestant:
        contestant.new_game("any")
        moves = ["0,0", "4,4", "0,1", "4,3", "0,2", "4,2"]
        replies = [contestant.reply(after(" ".join(moves[:ply]))) for ply in range(0, 6, 2)]
    assert [reply.text for reply in replies] == ["0,0", "0,1", "0,2"]
    assert max(reply.cpu for reply in replies) < limits.cpu < sum(reply.cpu for reply in replies)


def test_cpu_limit_kills(tmp_path: Path) -> None:
    game = play_as_black(tmp_path, "def genmove(colour): burn(60)", Limits(cpu=0.5, wall=50))
    assert (game.result.reason, game.killed) == ("timeout", (1,))
    assert 0.5 <= game.cpu[0][0] < 60


def test_time_of_children_counts(tmp_path: Path) -> None:
    source = """
    def genmove(colour):
        if not os.fork():
            burn(60)
        time.sleep(60)
    """
    game = play_as_black(tmp_path, source, Limits(cpu=0.5, wall=50))
    assert (game.result.reason, game.killed) == ("timeout", (1,))


def test_thinking_in_the_opponents_time_counts(tmp_path: Path) -> None:
    source = f"""
    import threading
    def ponder():
        time.sleep(0.1)
        burn(0.3)
        open({str(tmp_path / "done")!r}, "w").close()
    pondering = [threading.Thread(target=ponder)]
    def genmove(colour):
        if pondering:
            pondering.pop().start()
        return "= " + next(points)
    """
    with started(tmp_path, source) as contestant:
        contestant.new_game("any")
        contestant.reply(OPENING)
        wait_for(tmp_path / "done")
        pondered = contestant.reply(after("0,0 4,4")).cpu
        assert pondered > 5 * contestant.reply(after("0,0 4,4 0,1 4,3")).cpu


def test_setting_up_does_not_count_for_the_first_move(tmp_path: Path) -> None:
    source = """
    burn(0.3)
    def genmove(colour):
        open("spent", "w").write(str(time.process_time()))
        return "= A5"
    """
    with started(tmp_path, source) as contestant:
        contestant.new_game("any")
        cpu = contestant.reply(OPENING).cpu
        assert cpu < float((contestant._runner.home / "engine" / "spent").read_text()) / 2


def test_time_of_a_crashed_move_is_known(tmp_path: Path) -> None:
    source = """
    def genmove(colour):
        vertex = next(points)
        if vertex != "A5":
            burn(0.3)
            1 / 0
        return "= " + vertex
    """
    quick, crashed = play_as_black(tmp_path, source).cpu[0]
    assert crashed > 5 * quick


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Fail after a number of seconds, whatever the test waits for."""

    def fail(number: int, frame: object) -> None:
        raise AssertionError(f"not over after {seconds} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


#: An engine that answers all commands of many games in advance, and never reads a command.
READS_NOTHING = """
for number in range(1, 10**6):
    print(f"={number} resign" if number % 4 == 0 else f"={number}", end="\\n\\n", flush=True)
"""


def test_engine_that_never_reads_is_killed_for_time(tmp_path: Path) -> None:
    with at_most(40), started(tmp_path, READS_NOTHING, Limits(cpu=50, wall=1.0)) as contestant:
        process = contestant._client._process
        assert process is not None
        assert process.stdin is not None
        # The pipe is as small as possible, so that it is full after about 100 games instead of 2,000.
        fcntl.fcntl(process.stdin, fcntl.F_SETPIPE_SZ, 4096)
        reply = contestant.reply(OPENING)
        games = 1
        while reply.absence == "resigned":
            contestant.new_game("any")
            reply = contestant.reply(OPENING)
            games += 1
        assert (reply.absence, reply.killed) == ("timeout", "wall"), reply
        assert re.match(r"killed by the clock: \d+\.\d s by the clock \(limit 1 s\)", reply.complaint)
        assert 20 < games < 1000


def test_engine_that_never_reads_does_not_hold_the_end(tmp_path: Path) -> None:
    source = READS_NOTHING.replace("10**6", "99") + "time.sleep(60)"
    with at_most(40), started(tmp_path, source, Limits(cpu=50, wall=30)) as contestant:
        process = contestant._client._process
        assert process is not None
        assert process.stdin is not None
        pipe = process.stdin.fileno()
        before = os.get_blocking(pipe)
        os.set_blocking(pipe, False)
        with suppress(BlockingIOError):
            while True:
                os.write(pipe, b"x" * 4096)
        os.set_blocking(pipe, before)


@pytest.mark.parametrize("pause", [0.005, 0.0])
def test_lines_sent_meanwhile_do_not_keep_cpu_from_being_counted(tmp_path: Path, pause: float) -> None:
    source = f"""
    import threading
    def genmove(colour):
        def send():
            while True:
                os.write(1, b"\\n")
                time.sleep({pause})
        threading.Thread(target=send, daemon=True).start()
        burn(5)
        return "= A1"
    """
    game = play_as_black(tmp_path, source, Limits(cpu=0.5, wall=50))
    assert (game.result.reason, game.killed) == ("timeout", (1,))
    # The engine is killed when it exceeds the limit, not when its answer is there.
    assert 0.5 <= game.cpu[0][0] < 5 / 2


def test_an_answer_between_two_looks_is_judged_by_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("little_go.arena.match.limits.SHORTEST_PAUSE", 30.0)
    source = """
    def genmove(colour):
        burn(0.7)
        return "= A1"
    """
    game = play_as_black(tmp_path, source, Limits(cpu=0.5, wall=50))
    assert (game.result.reason, game.killed) == ("timeout", (1,))


def test_what_an_engine_wrote_is_not_read_to_its_last_line(tmp_path: Path) -> None:
    source = """
    def genmove(colour):
        os.ftruncate(2, 3 << 30)
        os.write(2, b"\\nthe end\\n")
        os._exit(1)
    """
    tracemalloc.start()
    try:
        game = play_as_black(tmp_path, source)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (game.result.reason, game.result.detail) == ("missing", "the end")
    assert peak < 50 << 20


def test_an_id_is_not_repeated_in_full(tmp_path: Path) -> None:
    game = play_as_black(tmp_path, "def genmove(colour): return '=' + '7' * 5000")
    assert game.result.reason == "malformed"
    assert len(game.result.detail) < 100


# Starting and ending


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("gtp:", "no program ''"),
        ("gtp:no-such-engine --mode gtp", "no program 'no-such-engine'"),
        ("gtp:gnugo '", "cannot read the command: No closing quotation"),
        ("gtp:false", "the engine has ended"),
        (f"gtp:{sys.executable} -c 'import sys; sys.exit(\"bad option\")'", "bad option"),
    ],
)
def test_engine_that_does_not_start_is_refused(agent: str, words: str) -> None:
    with pytest.raises(UnknownAgent) as caught, open_contestant(parse_entrant(agent), Terms(COURSE, AMPLE)):
        pass
    assert str(caught.value) == f"cannot use agent {agent!r}: {words}"


def test_program_that_cannot_be_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "engine").write_text("neither script nor program")
    (tmp_path / "engine").chmod(0o755)
    with (
        pytest.raises(UnknownAgent, match="Exec format error"),
        open_contestant(parse_entrant(f"gtp:{tmp_path}/engine"), Terms(COURSE, AMPLE)),
    ):
        pass


def test_engine_of_another_size_is_refused(tmp_path: Path) -> None:
    agent = engine(tmp_path, "def answer(words): return '? unacceptable size'")
    with (
        pytest.raises(UnknownAgent, match="boardsize 5: unacceptable size"),
        open_contestant(parse_entrant(agent), Terms(COURSE, AMPLE)),
    ):
        pass


def test_engine_is_asked_to_quit(tmp_path: Path) -> None:
    source = f"""
    def answer(words):
        if words[0] == "quit":
            open({str(tmp_path / "left")!r}, "w").close()
        return "="
    """
    with started(tmp_path, source):
        assert not (tmp_path / "left").exists()
    assert (tmp_path / "left").exists()


def test_engine_that_does_not_quit_is_killed(tmp_path: Path) -> None:
    source = f"""
    open({str(tmp_path / "pid")!r}, "w").write(str(os.getpid()))
    def answer(words):
        if words[0] == "quit":
            time.sleep(60)
        return "="
    """
    with started(tmp_path, source):
        pass
    assert has_ended(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_engine_ends_with_the_arena(tmp_path: Path, number: signal.Signals) -> None:
    source = f"""
    def genmove(colour):
        child = os.fork()
        if child:
            with open("pids", "w") as file:
                file.write(f"{{os.getpid()}} {{child}}")
            os.rename("pids", {str(tmp_path / "pids")!r})
        time.sleep(60)
    """
    host = start("arena", "play", "--black", engine(tmp_path, source), "--white", "random")
    pids = tmp_path / "pids"
    wait_for(pids)
    host.send_signal(number)
    _, err = host.communicate(timeout=30)
    assert number == signal.SIGKILL or (host.returncode, err.splitlines()[-1]) == (130, "interrupted")
    for process in pids.read_text().split():
        assert has_ended(int(process))


# From the command line


def test_engines_play_a_tournament(tmp_path: Path) -> None:
    agent = engine(tmp_path)
    arguments = ["tournament", agent, "greedy", "--games", "1", "--workers", "2", "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert len(list((tmp_path / "out" / "sgf").iterdir())) == 2


def test_bad_engine_exits_2_with_one_line() -> None:
    arguments = ["play", "--black", "gtp:no-such-engine", "--white", "random"]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: cannot use agent 'gtp:no-such-engine': no program 'no-such-engine'\n"
