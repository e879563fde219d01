"""The view and the rights of a program in a sandbox, with real processes. Skipped if no sandbox can be made here."""

import ctypes
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from little_go.arena.__main__ import main
from little_go.arena.commands.game_options import _has_sandbox
from little_go.arena.match.contestant import FunctionContestant, ProgramContestant
from little_go.arena.match.control_group import make_group
from little_go.arena.match.host import OPENING
from little_go.arena.match.limits import Limits, Report, SandboxError
from little_go.arena.match.play import play_game
from little_go.arena.match.process import WardenRunner
from little_go.arena.match.sandbox import check_sandbox, in_sandbox
from little_go.arena.match.system_calls import _MACHINES, allowed_calls
from little_go.arena.standings.entrants import Entrant, Terms, UnknownAgent, open_contestant, parse_entrant
from little_go.solver.family import COURSE
from tests.arena.helpers import AMPLE, PYTHON, ROUNDED, children
from tests.arena.match.test_hostile import HOSTILE, SHORT
from tests.arena.match.test_process import BURN, FORKED_TWICE

pytestmark = pytest.mark.system

try:
    check_sandbox()
    WHY = ""
except SandboxError as error:
    WHY = str(error)

ROOT = Path(__file__).parents[3]

needs_sandbox = pytest.mark.skipif(bool(WHY), reason=WHY)

ENOUGH = AMPLE._replace(memory=1 << 29)


@pytest.fixture
def shared_path() -> Iterator[Path]:
    """A directory that every user of the machine can reach, which is not true of pytest's directories."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


def run(source: str, limits: Limits = ENOUGH, files: dict[str, str] | None = None) -> tuple[Report, str]:
    """Run a source in a sandbox, and return the report and the text that it has written to the file ``said``."""
    with WardenRunner(sandboxed=True) as runner:
        for name, content in (files or {}).items():
            (runner.home / name).write_text(content)
        usage = runner.run([*PYTHON, "-c", BURN + dedent(source)], runner.home, limits)
        said = runner.home / "said"
        return usage, said.read_text() if said.exists() else usage.errors


@needs_sandbox
def test_a_program_sees_its_own_directory() -> None:
    _, said = run("open('said', 'w').write(os.getcwd() + open('table').read())", files={"table": " of its own"})
    assert said == "/agent of its own"


@needs_sandbox
def test_a_program_sees_no_process_but_its_own() -> None:
    _, said = run("open('said', 'w').write(' '.join(p for p in os.listdir('/proc') if p.isdigit()))")
    assert said.split() == ["1", "2"]


@needs_sandbox
def test_a_program_cannot_end_what_runs_it() -> None:
    # Even if the sandbox does not work, the program must do no harm.
    source = """
    os.getpid() < 9 or sys.exit('no sandbox')
    if os.fork():
        os.kill(-1, 9)
        open('said', 'w').write('still here')
    time.sleep(1)
    """
    usage, said = run(source)
    assert (usage.exceeded, said) == ("", "still here")


@needs_sandbox
def test_a_program_sees_no_files_of_the_machines_user(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    places = (str(tmp_path / "secret"), os.path.join(os.getcwd(), "tests"))
    source = f"open('said', 'w').write(repr([os.path.exists(place) for place in {places}]))"
    assert run(source)[1] == "[False, False]"


@needs_sandbox
def test_a_program_sees_nothing_of_its_opponent() -> None:
    with WardenRunner(sandboxed=True) as opponent:
        (opponent.home / "agent.py").touch()
        _, said = run(f"open('said', 'w').write(str(os.path.exists({str(opponent.home)!r})))")
    assert said == "False"


@needs_sandbox
@pytest.mark.parametrize("place", ["/", "/usr", "/dev", "/etc", sys.prefix])
def test_a_program_writes_nowhere_but_in_its_directory(place: str) -> None:
    source = f"""
    try:
        open({place!r} + '/written', 'w')
    except OSError as error:
        open('said', 'w').write('no')
    """
    assert run(source)[1] == "no"


@needs_sandbox
def test_a_file_that_an_upgrade_replaces_is_seen_by_the_next_call(shared_path: Path) -> None:
    tool, new = shared_path / "tool", shared_path / "new"
    said = []
    with WardenRunner(sandboxed=True) as runner:
        directory = runner.home / "agent"
        directory.mkdir()
        for word in ("old", "old", "new", "new"):
            new.write_text(f"#!/bin/sh\necho {word} > said\n")
            new.chmod(0o755)
            if word not in said:
                new.replace(tool)
            usage = runner.run([str(tool)], directory, ENOUGH)
            said.append((directory / "said").read_text().strip() if (directory / "said").exists() else usage.errors)
    assert said == ["old", "old", "new", "new"]


@needs_sandbox
def test_a_program_has_no_network() -> None:
    source = """
    open('said', 'w').write(' '.join(line.split()[0] for line in open('/proc/net/dev').readlines()[2:]))
    """
    assert run(source)[1] == "lo:"


@needs_sandbox
def test_a_program_gets_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "of the user's")
    monkeypatch.setenv("LITTLE_GO_CPU", "1")
    _, said = run("open('said', 'w').write(' '.join(sorted(os.environ)))")
    assert said == "HOME LANG LITTLE_GO_CPU PATH PWD"


@needs_sandbox
def test_no_process_in_the_sandbox_shows_the_users_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "of the user's")
    source = """
    shown = [open(f'/proc/{number}/environ').read() for number in os.listdir('/proc') if number.isdigit()]
    open('said', 'w').write(str(['SECRET' in each for each in shown]))
    """
    assert run(source)[1] == "[False, False]"


@needs_sandbox
def test_a_program_makes_no_namespace_of_its_own() -> None:
    source = """
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    open('said', 'w').write(str(libc.unshare(0x10000000)) + os.strerror(ctypes.get_errno()))
    """
    assert run(source)[1] == "-1Function not implemented"


@needs_sandbox
def test_a_program_has_unix_sockets_and_no_others() -> None:
    """The program tries all families for which Linux has numbers, and more, each with four types."""
    source = """
    import ctypes, errno
    libc = ctypes.CDLL(None, use_errno=True)
    both = (ctypes.c_int * 2)()
    found = {}
    for family in range(64):
        for kind in (1, 2, 3, 5):
            for made in (libc.socket(family, kind, 0), libc.socketpair(family, kind, 0, both)):
                found.setdefault(family, set()).add('made' if made >= 0 else errno.errorcode[ctypes.get_errno()])
    made = [family for family, outcomes in found.items() if 'made' in outcomes]
    others = set().union(*(outcomes for family, outcomes in found.items() if family not in made))
    open('said', 'w').write(f"{made} {others}")
    """
    assert run(source)[1] == f"[{int(socket.AF_UNIX)}] {{'EAFNOSUPPORT'}}"


@needs_sandbox
@pytest.mark.skipif(
    platform.machine() not in _MACHINES, reason="the numbers of system calls are not known for this machine"
)
def test_system_calls_that_are_not_listed_are_refused() -> None:
    """Each other number is called with arguments that no call accepts; keyctl and io_uring's calls are among them."""
    listed = set(allowed_calls(_MACHINES[platform.machine()][1]).values())
    assert not listed & {425, 426, 427}
    if platform.machine() == "x86_64":
        # If a program makes the calls of the kernel's probes, the kernel ends it without running the filter.
        listed |= {335, 336}
    source = f"""
    import ctypes, errno
    libc = ctypes.CDLL(None, use_errno=True)
    outcomes = set()
    for number in sorted(set(range(600)) - {listed}):
        outcomes.add((libc.syscall(number, -1, -1, -1, -1, -1, -1), errno.errorcode[ctypes.get_errno()]))
    open('said', 'w').write(repr(outcomes))
    """
    assert run(source)[1] == "{(-1, 'ENOSYS')}"


@needs_sandbox
def test_cpu_counts_after_a_double_fork() -> None:
    source = """
    reading, writing = os.pipe()
    if not os.fork():
        os.setsid()
        if not os.fork():
            burn(0.3)
            os.write(writing, b'.')
            time.sleep(60)
        os._exit(0)
    os.wait()
    os.read(reading, 1)
    """
    usage, _ = run(source)
    assert not usage.exceeded
    assert usage.cpu >= 0.3 - ROUNDED


@needs_sandbox
def test_the_cpu_limit_holds_after_a_double_fork() -> None:
    usage, _ = run(FORKED_TWICE, ENOUGH._replace(cpu=0.3))
    assert usage.exceeded == "cpu"
    assert 0.3 <= usage.cpu < 5


@needs_sandbox
def test_memory_is_limited() -> None:
    usage, _ = run("b' ' * (1 << 28)", ENOUGH._replace(memory=1 << 27))
    assert usage.errors.endswith("MemoryError\n")


#: Ways to more memory than 256 MiB that RLIMIT_DATA does not count. Each takes 768 MiB.
UNSEEN = {
    "of a file without a name": """
        file = open(os.memfd_create('large'), 'wb')
        for _ in range(768):
            file.write(bytes(1 << 20))
    """,
    "shared and no more resident": """
        import mmap
        kept = []
        for _ in range(12):
            kept.append(mmap.mmap(-1, 1 << 26))
            kept[-1].write(bytes(1 << 26))
            kept[-1].madvise(mmap.MADV_DONTNEED)
    """,
    "mapped and closed": """
        import mmap
        kept = []
        for _ in range(12):
            descriptor = os.memfd_create('large')
            os.truncate(descriptor, 1 << 26)
            kept.append(mmap.mmap(descriptor, 1 << 26))
            os.pwrite(descriptor, bytes(1 << 26), 0)
            os.close(descriptor)
    """,
    "of several processes": """
        for _ in range(12):
            if not os.fork():
                kept = b' ' * (1 << 26)
                time.sleep(5)
                os._exit(0)
    """,
    "scratch and data": """
        for place in ('/tmp', '/dev/shm'):
            with open(place + '/large', 'wb') as file:
                file.write(bytes(60 << 20))
        kept = b' ' * (200 << 20)
    """,
}


@needs_sandbox
@pytest.mark.parametrize("way", UNSEEN)
def test_memory_is_limited_where_nothing_counts_it(way: str) -> None:
    source = dedent(UNSEEN[way]) + "time.sleep(60)\nopen('said', 'w').write('had it')"
    usage, said = run(source, ENOUGH._replace(memory=1 << 28))
    assert (usage.exceeded, said) == ("memory", "")


@needs_sandbox
def test_a_control_group_keeps_the_limit_that_no_look_can_see() -> None:
    group = make_group(1 << 28)
    if group is None:
        pytest.skip("no control group can be made here")
    group.remove()
    # These files have no name and are open in no process, because they are being sent from one socket to another.
    source = """
    import array, socket
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for _ in range(12):
        descriptor = os.memfd_create('large')
        one.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [descriptor]))])
        for _ in range(64):
            os.write(descriptor, bytes(1 << 20))
        os.close(descriptor)
    time.sleep(1)
    open('said', 'w').write('had it')
    """
    usage, said = run(source, ENOUGH._replace(memory=1 << 28))
    assert (usage.exceeded, said) == ("memory", "")


@needs_sandbox
def test_shared_memory_counts_once() -> None:
    source = """
    import mmap
    kept = mmap.mmap(-1, 160 << 20)
    kept.write(bytes(160 << 20))
    for _ in range(3):
        if not os.fork():
            sum(kept[::4096])
            time.sleep(1)
            os._exit(0)
    for _ in range(3):
        os.wait()
    open('said', 'w').write('fine')
    """
    usage, said = run(source, ENOUGH._replace(memory=1 << 28))
    assert (usage.exceeded, said) == ("", "fine")


@needs_sandbox
def test_scratch_memory_is_limited() -> None:
    source = """
    try:
        for place in ('/tmp', '/dev/shm'):
            with open(place + '/large', 'wb') as file:
                for _ in range(128):
                    file.write(b' ' * (1 << 20))
    except OSError as error:
        open('said', 'w').write(error.strerror)
    """
    assert run(source)[1] == "No space left on device"


@needs_sandbox
@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ here")
def test_compiling_has_the_agents_memory(tmp_path: Path) -> None:
    (tmp_path / "agent.cpp").write_text("#include <string>\n#include <vector>\nint main() { }\n")
    agent = Entrant("agent", str(tmp_path / "agent.cpp"))
    terms = Terms(COURSE, ENOUGH._replace(memory=16 << 20), sandboxed=True)
    with pytest.raises(UnknownAgent, match=r"does not compile: .*memory"), open_contestant(agent, terms):
        pass


#: The result of each hostile agent as Black in a sandbox, where there is no other directory and no warden.
REASONS = {
    "closes_its_directory": "invalid_occupied",
    "control_characters": "missing",
    "deep_directory": "missing",
    "deletes_its_directory": "missing",
    "directory_for_input": "invalid_occupied",
    "directory_for_output": "missing",
    "fifo_for_input": "missing",
    "fifo_for_output": "missing",
    "floods_output": "invalid_occupied",
    "floods_stderr": "timeout",
    "floods_stdout": "invalid_occupied",
    "forks_and_leaves": "invalid_occupied",
    "forks_many": "missing",
    "ignores_signals": "invalid_occupied",
    "kills_its_parent": "missing",
    "link_for_output": "missing",
    "link_to_itself": "missing",
    "replaces_its_directory": "missing",
    "stops_its_parent": "invalid_occupied",
    "stops_itself": "invalid_occupied",
}


@needs_sandbox
@pytest.mark.parametrize("name", sorted(path.stem for path in HOSTILE.glob("*.py") if path.stem != "conftest"))
def test_hostile_agents_in_a_sandbox(name: str) -> None:
    endless = ("floods_stderr", "floods_stdout", "ignores_signals", "stops_itself")
    limits = SHORT if name in endless else ENOUGH
    with WardenRunner(sandboxed=True) as runner:
        directory = runner.home / "agent"
        directory.mkdir()
        (directory / "agent.py").write_bytes((HOSTILE / f"{name}.py").read_bytes())
        black = ProgramContestant(name, [*PYTHON, "agent.py"], directory, limits, runner)
        game = play_game(
            black, FunctionContestant("other", lambda position, rng: position.legal_moves()[0]), game=COURSE
        )
    assert game.result.reason == REASONS[name]
    assert not runner.home.exists()
    assert children() == set()


PROGRAMS = Path(__file__).parents[1] / "agents" / "programs"
AGENTS = {
    "python": f"{PROGRAMS / 'directory'}",
    "java": f"{PROGRAMS / 'my_player.java'}",
    "cpp": f"{PROGRAMS / 'my_player.cpp'}",
    "shell": "cmd:sh -c 'echo PASS > output.txt'",
}
needs_compilers = pytest.mark.skipif(
    not (shutil.which("javac") and shutil.which("g++")), reason="no javac or no g++ here"
)


@needs_sandbox
@needs_compilers
@pytest.mark.parametrize(("agent", "move"), [*zip(AGENTS, ("2,2", "4,4", "0,0", "PASS"), strict=True)])
def test_python_java_cpp_and_commands_play_in_a_sandbox(agent: str, move: str) -> None:
    with open_contestant(parse_entrant(AGENTS[agent]), Terms(COURSE, ENOUGH, sandboxed=True)) as contestant:
        assert (contestant.reply(OPENING).text or "").strip() == move


@needs_sandbox
@needs_compilers
@pytest.mark.long
def test_a_tournament_in_sandboxes() -> None:
    agents = [f"{name}={agent}" for name, agent in AGENTS.items()]
    result = CliRunner().invoke(
        main, ["tournament", *agents, "--games", "1", "--json", "--sandbox"], catch_exceptions=False
    )
    assert result.exit_code == 0, result.stderr
    record = json.loads(result.stdout)
    assert {agent["name"]: agent["faults"] for agent in record["agents"]} == {
        "python": {},
        "java": {},
        "cpp": {},
        "shell": {},
    }


@needs_sandbox
def test_our_player_plays_in_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITTLE_GO_CPU", "0.2")
    player = Path(__file__).parents[3] / "my_player3.py"
    result = CliRunner().invoke(
        main, ["play", "--black", f"me={player}", "--white", "greedy", "--sandbox"], catch_exceptions=False
    )
    assert "Black wins 1, White wins 0" in result.stdout


@needs_sandbox
def test_an_engine_is_refused() -> None:
    result = CliRunner().invoke(main, ["play", "--black", "gtp:true", "--white", "greedy", "--sandbox"])
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "engines run only without --sandbox" in result.stderr


def test_without_bubblewrap_one_line_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = CliRunner().invoke(main, ["play", "--black", "greedy", "--white", "greedy", "--sandbox"])
    assert (result.exit_code, result.stderr) == (
        2,
        "Error: no sandbox here: bubblewrap is not installed: install it (Debian: apt-get install bubblewrap), or omit "
        "--sandbox, and programs run with all your rights\n",
    )


def test_strangers_programs_without_a_sandbox_run_with_a_line_of_warning(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The warning contains no option that the user did not give, and contains the way to get a sandbox."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not _has_sandbox()
    assert capsys.readouterr().err == (
        "no sandbox here: bubblewrap is not installed, so programs will run with all your rights: install it (Debian: "
        "apt-get install bubblewrap), or accept this with --no-sandbox\n"
    )


def test_without_namespaces_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shared_path: Path
) -> None:
    tool = shared_path / "bwrap"
    tool.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(shared_path), prepend=os.pathsep)
    with pytest.raises(SandboxError, match=r"cannot make its namespaces \(bwrap: No permissions"):
        check_sandbox()
    assert in_sandbox(["true"], tmp_path)[0] == str(tool)


#: A program that reports what it could change on the machine. It writes each value as it is, so it changes nothing.
CHANGES = """
    done = []
    for name in ("fs/lease-break-time", "kernel/core_pattern", "vm/overcommit_memory", "kernel/panic"):
        try:
            os.close(os.open("/proc/sys/" + name, os.O_WRONLY))
            done.append(name)
        except OSError:
            pass
    for number in (0, 1, 2):
        try:
            os.fchmod(number, os.fstat(number).st_mode & 0o7777)
            if number < 2:
                done.append(number)
        except OSError:
            pass
    for name in ("null", "zero", "full", "random", "urandom", "tty"):
        try:
            os.chmod("/dev/" + name, 0o666)
            done.append(name)
        except OSError:
            pass
    open("said", "w").write(repr(done))
"""


@needs_sandbox
def test_a_program_changes_no_setting_and_no_device_of_the_machine() -> None:
    assert run(CHANGES)[1] == "[]"


def run_as_nobody(place: Path, source: str, limits: Limits) -> list[str]:
    """Run a source in the sandbox of an ordinary user, who can make no control group.

    Return the exceeded limit, and the lines that the source has written. place: a directory that this user can reach.
    """
    python = "/usr/bin/python3"
    if os.geteuid() != 0 or not shutil.which("setpriv") or not os.path.exists(python):
        pytest.skip("only root can become an ordinary user, with util-linux and the system's Python")
    version = "import sys; print(*sys.version_info[:2])"
    found = subprocess.run([python, "-c", version], capture_output=True, text=True)
    if tuple(map(int, found.stdout.split())) < (3, 10):
        pytest.skip("the system's Python is too old")
    for room in ("arena", "player", "runtime", "solver", "notation", "book"):
        shutil.copytree(ROOT / room, place / "little_go" / room)
    shutil.copy(ROOT / "little_go/__init__.py", place / "little_go")
    (place / "probe.py").write_text(BURN + dedent(source))
    program = f"""
import sys
sys.path.insert(0, {str(place)!r})
from little_go.arena.match.process import WardenRunner
from little_go.arena.match.limits import Limits
with WardenRunner(sandboxed=True) as runner:
    usage = runner.run([{python!r}, "-c", open("probe.py").read()], runner.home, Limits(*{tuple(limits)!r}))
    print(usage.exceeded)
    print((runner.home / "said").read_text() if (runner.home / "said").exists() else usage.errors)
"""
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", python, "-c", program]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


@needs_sandbox
def test_a_program_of_an_ordinary_user_changes_nothing_either(shared_path: Path) -> None:
    assert run_as_nobody(shared_path, CHANGES, ENOUGH) == ["", "[]"]


#: Ways to 768 MiB of memory that are not visible in /proc.
UNSEEN_BY_PROCESS = {
    "of processes whose first threads have ended": """
        import ctypes, threading
        def hold():
            time.sleep(0.5)
            kept = [b' ' * (1 << 26) for _ in range(3)]
            time.sleep(3)
            os._exit(0)
        for _ in range(4):
            if not os.fork():
                threading.Thread(target=hold).start()
                ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
        for _ in range(4):
            os.wait()
    """,
    "of a file, in a process whose first thread has ended": """
        import ctypes, threading
        def hold():
            time.sleep(0.5)
            file = open(os.memfd_create('large'), 'wb')
            for _ in range(768):
                file.write(bytes(1 << 20))
            time.sleep(3)
            open('said', 'w').write('had it')
            os._exit(0)
        if not os.fork():
            threading.Thread(target=hold).start()
            ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
        os.wait()
    """,
}


@needs_sandbox
@pytest.mark.parametrize("way", UNSEEN_BY_PROCESS)
def test_memory_of_threads_is_watched_where_no_control_group_counts_it(way: str, shared_path: Path) -> None:
    source = dedent(UNSEEN_BY_PROCESS[way]) + "\nopen('said', 'w').write('had it')"
    assert run_as_nobody(shared_path, source, ENOUGH._replace(memory=1 << 28))[0] == "memory"


@needs_sandbox
def test_no_segment_of_shared_memory_is_made(shared_path: Path) -> None:
    source = """
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    made = libc.shmget(0, 1 << 26, 0o1600)
    open('said', 'w').write(f"{made} {ctypes.get_errno()}")
    """
    assert run(source)[1] == "-1 38"
    assert run_as_nobody(shared_path, source, ENOUGH) == ["", "-1 38"]


@needs_sandbox
def test_threads_count_as_processes() -> None:
    source = """
    import threading
    threading.stack_size(65536)
    for _ in range(400):
        threading.Thread(target=time.sleep, args=(2,), daemon=True).start()
    time.sleep(1.5)
    open('said', 'w').write('had them')
    """
    usage, said = run(source)
    assert (usage.exceeded, said) == ("processes", "")


@needs_sandbox
def test_a_program_has_none_of_the_callers_keys_and_leaves_none() -> None:
    number = {"x86_64": (248, 250), "aarch64": (217, 219)}.get(platform.machine())
    if number is None:
        pytest.skip("the numbers of system calls are not known for this machine")
    add_key, keyctl = number
    libc = ctypes.CDLL(None)
    session = -3
    if libc.syscall(add_key, b"user", b"little-go:ticket", b"secret", 6, session) < 0:
        pytest.skip("this kernel keeps no keys")
    source = f"""
    import ctypes
    libc = ctypes.CDLL(None)
    found = libc.syscall({keyctl}, 10, {session}, b"user", b"little-go:ticket", 0)
    libc.syscall({add_key}, b"user", b"little-go:left", b"x", 1, {session})
    open("said", "w").write(str(found))
    """
    assert run(source)[1] == "-1"
    assert libc.syscall(keyctl, 10, session, b"user", b"little-go:left", 0) == -1
