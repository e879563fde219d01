"""Attacks on the player's directory, on the engine's commands and on the sandbox, and games of hostile programs."""

import contextlib
import ctypes
import io
import os
import shlex
import shutil
import sys
import threading
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from unittest.mock import patch

from little_go.arena.gtp.client import start_engine
from little_go.arena.gtp.engine import Engine
from little_go.arena.gtp.protocol import EngineFault
from little_go.arena.match.contestant import FunctionContestant, ProgramContestant
from little_go.arena.match.host import OPENING, PLAYED_OUT, State, input_text, judge
from little_go.arena.match.limits import Limits, ProgramError, SandboxError
from little_go.arena.match.play import play_game
from little_go.arena.match.programs import lay_out, open_runner
from little_go.arena.match.sandbox import check_sandbox
from little_go.player.main import main as move_once
from little_go.player.memory import MEMORY_FILE
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, move_name
from tools.fuzz import mutated, one_line

_FILES = ("input.txt", "output.txt", "book.json", MEMORY_FILE, f"{MEMORY_FILE}.tmp", "output.txt.tmp")


def _state(rng: Random) -> State:
    state = OPENING
    for _ in range(rng.randrange(23)):
        move = rng.choice([*state.position.legal_moves(), PASS])
        after = judge(state, move_name(move))
        if after.result is not None:
            break
        state = after
    return state


def directories(rng: Random, folder: Path) -> str:
    """Put obstacles into the player's directory.

    Check that the player writes a legal move or an error, and changes nothing else.
    """
    state = _state(rng)
    (folder / "secret").write_text("the user's")
    for name in rng.sample(_FILES[1:], rng.randrange(5)):
        _strange(rng, folder, name)
    (folder / "input.txt").write_text(input_text(state))
    said = io.StringIO()
    program = str(folder / "my_player3.py")
    hurry = patch.dict(os.environ, LITTLE_GO_CPU="0.000001")
    os.chdir(folder)
    with contextlib.redirect_stderr(said), patch.object(sys, "argv", [program]), hurry:
        code = move_once()
    assert "Traceback" not in said.getvalue()
    assert "internal error" not in said.getvalue(), said.getvalue()
    assert (folder / "secret").read_text() == "the user's"
    if code:
        return "said why not"
    after = judge(state, (folder / "output.txt").read_text())
    assert after.result is None or after.result.reason in PLAYED_OUT, after.result
    return "a legal move"


def _strange(rng: Random, folder: Path, name: str) -> None:
    path, kind = folder / name, rng.randrange(7)
    if kind == 0:
        path.mkdir()
        (path / "in it").touch()
    elif kind == 1:
        os.mkfifo(path)
    elif kind == 2:
        path.symlink_to(rng.choice(["secret", "nowhere", name, "/dev/zero", "/dev/full", "."]))
    elif kind == 3:
        path.write_bytes(rng.randbytes(rng.choice([0, 1, 100, 1 << 21])))
    elif kind == 4:
        note = b'{"format": 1, "games": {"1": [["0000000000001000000000000", 1, true]], "2": []}}'
        path.write_bytes(mutated(rng, note))
    elif kind == 5:
        path.write_bytes(b"[" * 100_000)
    else:
        path.touch()
        path.chmod(0)


_COMMANDS = (
    *(
        "play b C3",
        "play w B2",
        "genmove b",
        "genmove w",
        "undo",
        "showboard",
        "clear_board",
        "boardsize 5",
        "komi 2.5",
    ),
    *("time_settings 10 10 3", "time_left b 10 3", "final_score", "list_commands", "name", "reg_genmove b"),
    *("loadsgf game.sgf 3", "known_command play", "kata-time_settings none", "known_command", "kgs-genmove_cleanup b"),
)


@cache
def _engine_words() -> tuple[str, ...]:
    listed = Engine(None, game=COURSE).respond("list_commands") or ""
    return tuple(word for word in listed[2:].split() if "analy" not in word and word != "quit")


def gtp(rng: Random, folder: Path) -> str:
    """Send the engine 30 lines, most of which are damaged. Check that the engine answers each line and does not end."""
    engine = Engine(None, cpu=0.000001, game=COURSE)
    os.chdir(folder)
    for _ in range(30):
        line = rng.choice(_COMMANDS) if rng.random() < 0.7 else f"{rng.choice(_engine_words())} {rng.randrange(9)}"
        if rng.random() < 0.6:
            line = mutated(rng, line.encode()).decode("utf-8", "replace").replace("\n", " ")
        if line.strip().endswith("quit"):
            continue
        response = engine.respond(line)
        assert response is None or response[0] in "=?", (line, response)
        assert not engine.quitting, line
    return "each line answered"


_RUDE = (
    "os.fork()",
    "os.setsid()",
    "os.kill(os.getppid(), 15)",
    "os.symlink('/etc/passwd', 'output.txt')",
    "os.mkdir('output.txt')",
    "os.mkfifo('output.txt')",
    "os.mkdir('d' * 200)",
    "os.chmod('.', 0)",
    "shutil.rmtree('.', True)",
    "sys.stderr.write('\\x1b[2J' * 1000)",
    "sys.stdout.write('x' * 100000)",
    "os.kill(os.getpid(), 11)",
    "open('output.txt', 'wb').write(os.urandom(1000))",
    "open('output.txt', 'w').write('2,2')",
    "open('output.txt', 'w').write('%d,%d' % divmod(os.getpid() % 25, 5))",
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "[os.unlink(n) for n in os.listdir('.') if n != 'agent.py']",
    "time.sleep(9)",
    "1 / 0",
    "os._exit(3)",
    "bytearray(1 << 28)",
    "os.closerange(0, 99)",
)


def agents(rng: Random, folder: Path) -> str:
    """Play a game of an agent that consists of hostile lines of code, sometimes in a sandbox.

    Check that the game has a result, and that no process and no file remains.
    """
    lines = rng.choices(_RUDE, k=rng.randint(1, 6))
    tries = "".join(f"try: {line}\nexcept Exception: pass\n" for line in lines)
    (folder / "agent.py").write_text(f"import os, shutil, signal, sys, time\n{tries}")
    sandboxed = shutil.which("bwrap") is not None and rng.random() < 0.3
    other = FunctionContestant("other", lambda position, _: rng.choice(position.legal_moves()))
    with open_runner(sandboxed) as runner:
        home = runner.home / "agent"
        shutil.copytree(folder, home)
        command = [sys.executable, "-I", "-S", "agent.py"]
        rude = ProgramContestant("rude", command, home, Limits(cpu=0.5, wall=1.0, processes=32), runner)
        game = play_game(rude, other, game=COURSE)
    assert not runner.home.exists()
    return game.result.reason


_ANSWERS = (
    r"print('=' + number + ' ' + next(points), end='\n\n', flush=True)",
    r"print('=' + number * 900, end='\n\n', flush=True)",
    r"print('?' + number + ' no\x1b[2J', end='\n\n', flush=True)",
    r"print('=' + number + ' resign', end='\n\n', flush=True)",
    r"sys.stdout.write('\n' * 100000); sys.stdout.flush()",
    r"sys.stdout.write('x' * (1 << 21)); sys.stdout.flush()",
    r"os.ftruncate(2, 1 << 33); os._exit(1)",
    r"[print(end='\n', flush=True) for _ in range(10**9)]",
    r"time.sleep(60)",
    r"os.close(1)",
    r"os.fork()",
)
_ENGINE = r"""
import os, sys, time
points = iter([column + row for row in "54321" for column in "ABCDE"])
for count, line in enumerate(sys.stdin):
    number = line.split()[0]
    if count < 3:
        print("=" + number, end="\n\n", flush=True)
        continue
"""


def engines(rng: Random, folder: Path) -> str:
    """Play a game against a misbehaving engine. Check that the game has a result with a short reason."""
    lines = rng.choices(_ANSWERS, k=rng.randint(1, 3))
    (folder / "engine.py").write_text(_ENGINE + "".join(f"    {line}\n" for line in lines))
    agent = "gtp:" + shlex.join([sys.executable, "-I", "-S", str(folder / "engine.py")])
    other = FunctionContestant("other", lambda position, _: rng.choice(position.legal_moves()))
    try:
        with closing(start_engine(agent, Limits(cpu=0.5, wall=1.0), game=COURSE)) as engine:
            game = play_game(engine, other, game=COURSE)
    except EngineFault as fault:
        one_line(fault)
        return "refused"
    assert len(game.result.detail) < 400
    assert "\n" not in game.result.detail
    return game.result.reason


_REACHES = (
    "open('/proc/sys/fs/lease-break-time', 'r+')",
    "open('/proc/sys/kernel/core_pattern', 'r+')",
    "open('/proc/sysrq-trigger', 'w')",
    "os.chmod('/dev/null', 0o666)",
    "os.fchmod(0, 0o666)",
    "os.fchmod(1, 0o666)",
    "open('/usr/x', 'w')",
    "open('/etc/x', 'w')",
    "os.listdir('/home')",
    "os.mknod('/agent/device', 0o20666, os.makedev(1, 3))",
    "1 / (libc.unshare(0x10000000) == 0)",
    "1 / (libc.shmget(0, 4096, 0o1600) >= 0)",
    "1 / (libc.mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0)",
    "__import__('socket').create_connection(('192.0.2.1', 80), 1)",
    # These lines attack through a socket to a virtual machine's host, and through io_uring.
    "__import__('socket').socket(40, 1)",
    "1 / (libc.syscall(425, 1, ctypes.create_string_buffer(120)) >= 0)",
)


def probes(rng: Random, folder: Path) -> str:
    """Attack the machine from a sandbox, as the current user. Check that each attack fails."""
    try:
        check_sandbox()
    except SandboxError:
        return "no sandbox here"
    source = "import ctypes, os\nlibc = ctypes.CDLL(None)\nsaid = open('said', 'w')\n"
    for reach in rng.sample(_REACHES, rng.randint(1, 6)):
        source += f"try: {reach}\nexcept Exception: pass\nelse: print({reach!r}, file=said, flush=True)\n"
    source += "print('end', file=said)\n"
    with open_runner(sandboxed=True) as runner:
        runner.run([sys.executable, "-I", "-c", source], runner.home, Limits())
        said = (runner.home / "said").read_text()
    assert said == "end\n", said
    return "nothing reached"


def copies(rng: Random, folder: Path) -> str:
    """Replace an agent's files with links while the files are copied. Check that no target of a link is copied."""
    agent, hidden = folder / "agent", folder / "hidden"
    (agent / "folder").mkdir(parents=True)
    hidden.mkdir()
    for place in (hidden / "secret", agent / "mine.py", agent / "data", agent / "folder" / "secret"):
        place.write_text("secret" if hidden in place.parents else "own" * rng.randrange(1, 9999))
    (agent / "other").symlink_to(hidden / "secret")
    (agent / "beside").symlink_to(hidden)
    libc, ended, outcome = ctypes.CDLL(None), threading.Event(), "copied"

    def exchange() -> None:
        while not ended.is_set():
            for one, other in (("data", "other"), ("folder", "beside")):
                libc.renameat2(-100, bytes(agent / one), -100, bytes(agent / other), 2)

    changing = threading.Thread(target=exchange)
    changing.start()
    try:
        with open_runner() as runner:
            for number in range(20):
                copy = folder / str(number)
                copy.mkdir()
                try:
                    lay_out(agent / "mine.py", agent, copy, [sys.executable], runner, 0)
                except ProgramError as error:
                    one_line(error)
                    outcome = "some copies refused"
                found = [path.read_text() for path in copy.rglob("*") if path.is_file() and not path.is_symlink()]
                assert "secret" not in found
                shutil.rmtree(copy)
    finally:
        ended.set()
        changing.join()
    return outcome
