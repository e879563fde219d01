"""Programs in namespaces of their own, made by bubblewrap (https://github.com/containers/bubblewrap). Linux only.

In there a program is no user of the machine's, and sees no process but its own and no network. Of the files it sees the
system's and its interpreter's, read-only, and its directory as ``/agent``, which it may write.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from arena.match.reply import last_line
from player.clock import BUDGET_VARIABLE

#: Where a program finds its directory.
INSIDE = "/agent"

#: The system's directories, as far as there are any: /bin and such may be links into /usr.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")

#: What of /etc programs need: the libraries' places, and the set-up of Java and of names for programs.
_SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")

#: Bytes of each directory that is kept in memory.
_MOST_SCRATCH = 64 << 20

#: What a Python is asked for.
_WHERE = "import sys; print(sys.executable, sys.prefix, sys.base_prefix, sep='\\n')"


class SandboxError(Exception):
    """There can be no sandbox here; the message is one line."""


def check_sandbox() -> None:
    """Raise SandboxError unless a sandbox can be made here."""
    with tempfile.TemporaryDirectory(prefix="arena-") as directory:
        done = subprocess.run(in_sandbox(["true"], Path(directory)), stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode:
        words = last_line(done.stderr.decode("utf-8", "replace")) or f"exit code {done.returncode}"
        raise SandboxError(f"no sandbox: bwrap cannot make its namespaces here ({words})")


def in_sandbox(command: Sequence[str], directory: Path) -> list[str]:
    """Return the command that runs ``command`` in a sandbox, in ``directory``. Raises SandboxError."""
    tool = shutil.which("bwrap")
    if tool is None:
        raise SandboxError("no sandbox: bwrap is not installed; install it (Debian: bubblewrap) or leave out --sandbox")
    program, places = _needs(command[0])
    separate = [f"--unshare-{kind}" for kind in ("user", "pid", "net", "ipc", "uts")]
    return [
        *(tool, *separate, "--unshare-cgroup-try", "--disable-userns", "--cap-drop", "ALL"),
        *("--uid", "1000", "--gid", "1000", "--hostname", "agent"),
        *_system(),
        *("--proc", "/proc", "--dev", "/dev", *_scratch("/dev/shm"), "--remount-ro", "/dev", *_scratch("/tmp")),
        *(word for place in places for word in ("--ro-bind", place, place)),
        *("--bind", str(directory), INSIDE, "--remount-ro", "/", "--chdir", INSIDE, *_environment()),
        *("--", program, *command[1:]),
    ]


def _system() -> Iterator[str]:
    for name in _SYSTEM:
        if os.path.islink(name):
            yield from ("--symlink", os.readlink(name), name)
        elif os.path.isdir(name):
            yield from ("--ro-bind", name, name)
    for path in (*map(Path, _SETTINGS), *Path("/etc").glob("java*")):
        if path.exists():
            yield from ("--ro-bind", str(path), str(path))


def _scratch(place: str) -> tuple[str, ...]:
    return "--size", str(_MOST_SCRATCH), "--tmpfs", place


def _environment() -> Iterator[str]:
    kept = {name: os.environ[name] for name in (BUDGET_VARIABLE,) if name in os.environ}
    yield "--clearenv"
    for name, value in {"PATH": "/usr/bin:/bin", "HOME": INSIDE, "LANG": "C.UTF-8", **kept}.items():
        yield from ("--setenv", name, value)


@lru_cache
def _needs(program: str) -> tuple[str, tuple[str, ...]]:
    """Find the file that starts a program, and the places beside the system's that it needs to read."""
    if program.startswith("./"):
        return program, ()
    path = shutil.which(program) or program
    places = [path]
    if Path(path).name.startswith(("python", "pypy")):
        # A Python is more than its file, and what is called so may be a script that looks for one.
        done = subprocess.run([path, "-I", "-c", _WHERE], stdin=subprocess.DEVNULL, capture_output=True)
        words = os.fsdecode(done.stdout).splitlines()
        if done.returncode or len(words) != 3:
            raise SandboxError(f"cannot find the files of {program}: {last_line(done.stderr.decode(errors='replace'))}")
        path, *places = words
    outside = (place for place in dict.fromkeys(places) if not place.startswith(tuple(f"{name}/" for name in _SYSTEM)))
    return path, tuple(place for place in outside if place not in _SYSTEM)
