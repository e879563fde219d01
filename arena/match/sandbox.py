"""Programs in their own namespaces, with the system calls that programs need. Linux only.

bubblewrap (https://github.com/containers/bubblewrap) makes the namespaces: a program has no user of the machine, no
network and only its own processes. It can read the system's and its interpreter's files, and write its directory,
``/agent``.
"""

import ctypes
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from little_go.arena.match.limits import SandboxError, useful_line
from little_go.player.clock import BUDGET_VARIABLE

if sys.platform == "linux":
    from little_go.arena.match.system_calls import system_call_filter

# Types are checked for other systems too, which lack most of these calls.
assert sys.platform == "linux"

#: A program's directory inside.
INSIDE = "/agent"

#: The system's directories, where they exist: /bin and such may be links into /usr.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")

#: Needed of /etc: the places of libraries, and the settings of Java and of alternatives.
_SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")

#: Bytes of each directory in memory.
_MOST_SCRATCH = 64 << 20

#: The user and group of root's programs: nobody, who owns nothing.
_NOBODY = 65534

#: keyctl(2): its number by machine, and the operation that begins a session's keyring.
_KEYCTL, _JOIN_SESSION_KEYRING = {"x86_64": 250, "aarch64": 219}, 1

#: Constants of unshare(2), mount(2) and umount2(2).
_CLONE_NEWNS, _MS_BIND, _MS_REC, _MS_PRIVATE, _MNT_DETACH = 0x20000, 0x1000, 0x4000, 0x40000, 2

#: Where a root's warden can mount places for its sandboxes, and the permanent mounts by source.
_mounts: list[str] = []
_kept: dict[str, str] = {}

#: Root could change settings of the whole machine there.
_SETTINGS_OF_KERNEL = "/proc/sys"

_libc = ctypes.CDLL(None, use_errno=True)

#: Questions to a Python.
_WHERE = """import sys
print(sys.executable, sys.prefix, sys.base_prefix, *getattr(sys, "course_packages", ()), sep=chr(10))"""


def check_sandbox() -> None:
    """Raise SandboxError unless a sandbox can be made here."""
    with tempfile.TemporaryDirectory(prefix="arena-") as directory:
        words = in_sandbox(["true"], Path(directory))
        try:
            with as_nobody(words, directory) as (command, descriptor):
                done = subprocess.run(
                    command,
                    pass_fds=[descriptor],
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    preexec_fn=leave_session,
                )
        except OSError as error:
            raise SandboxError(f"no sandbox here: {words[0]} cannot be started: {error.strerror}") from None
    if done.returncode:
        said = useful_line(done.stderr.decode("utf-8", "replace")) or f"exit code {done.returncode}"
        raise SandboxError(f"no sandbox here: bwrap cannot make its namespaces ({said})")


def in_sandbox(command: Sequence[str], directory: Path, shown: Sequence[Path] = ()) -> list[str]:
    """Return the command that runs ``command`` in a sandbox, in ``directory``; ``shown``: further places to read.

    Raises SandboxError.
    """
    tool = shutil.which("bwrap")
    if tool is None:
        raise SandboxError(
            "no sandbox here: bubblewrap is not installed", "install it (Debian: apt-get install bubblewrap)"
        )
    program, places = _needs(command[0])
    separate = [f"--unshare-{kind}" for kind in ("user", "pid", "net", "ipc", "uts")]
    return [
        *(tool, *separate, "--unshare-cgroup-try", "--disable-userns", "--cap-drop", "ALL"),
        *("--uid", "1000", "--gid", "1000", "--hostname", "agent"),
        *_system(),
        *(
            "--proc",
            "/proc",
            "--ro-bind",
            "/proc/sys",
            "/proc/sys",
            "--dev",
            "/dev",
            *_scratch("/dev/shm"),
            "--remount-ro",
            "/dev",
            *_scratch("/tmp"),
        ),
        *(word for place in (*places, *map(str, shown)) for word in ("--ro-bind", place, place)),
        *("--bind", str(directory), INSIDE, "--remount-ro", "/", "--chdir", INSIDE, *_environment()),
        *("--", program, *command[1:]),
    ]


def leave_session() -> None:
    """Drop the caller's inherited keys and root's rights; for the child process.

    Raises OSError; a kernel without keys is fine.
    """
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    number = _KEYCTL.get(platform.machine())
    if number is not None:
        _libc.syscall(number, _JOIN_SESSION_KEYRING, None)


@contextmanager
def as_nobody(command: Sequence[str], directory: str) -> Iterator[tuple[list[str], int]]:
    """Yield the command of in_sandbox() for leave_session() to run, and the descriptor that it needs.

    The kernel refuses the system calls that are not listed. For root, nobody gets the directory and, after
    separate_mounts() in this process, mounts of the needed places where it can reach them. Raises SandboxError.
    """
    words = list(command)
    # Mounts next to the agent's directory are removed when the agent ends; those of the system and the interpreter
    # serve all programs of this process.
    own = f"{os.path.dirname(directory)}/"
    mounted: list[str] = []
    if os.geteuid() == 0:
        _hand_over(directory)
    try:
        if _mounts:
            for at in range(words.index("--")):
                if words[at] in ("--bind", "--ro-bind") and words[at + 1] != _SETTINGS_OF_KERNEL:
                    place = words[at + 1]
                    if place.startswith(own):
                        mounted.append(_mount(place, f"own-{len(mounted)}"))
                        words[at + 1] = mounted[-1]
                    else:
                        words[at + 1] = kept_mount(place)
        with system_call_filter() as descriptor:
            words[1:1] = ["--seccomp", str(descriptor)]
            yield words, descriptor
    finally:
        for place in mounted:
            _libc.umount2(os.fsencode(place), _MNT_DETACH)


def separate_mounts() -> None:
    """Give this process its own mounts, if it is root and may, with room for those of as_nobody()."""
    if os.geteuid() != 0 or _libc.unshare(_CLONE_NEWNS):
        return
    _libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
    place = "/mnt" if not os.getcwd().startswith("/mnt") else "/media"
    if not _libc.mount(b"none", os.fsencode(place), b"tmpfs", 0, b"mode=755"):
        _mounts.append(place)


def kept_mount(path: str) -> str:
    """Return the mount of a system path, mounted again after an upgrade replaced it; the path without own mounts.

    After separate_mounts(). User 65534 reaches it even if a folder above the path is closed to all but root.
    """
    if not _mounts:
        return path
    place = _kept.get(path)
    if place is not None and not os.path.samefile(path, place):
        _libc.umount2(os.fsencode(place), _MNT_DETACH)
        place = None
    if place is None:
        name = str(len(_kept)) if path not in _kept else os.path.basename(_kept[path])
        place = _kept[path] = _mount(path, name)
    return place


def _mount(path: str, name: str) -> str:
    place = f"{_mounts[0]}/{name}"
    if os.path.isdir(path):
        os.makedirs(place, exist_ok=True)
    else:
        Path(place).touch()
    if _libc.mount(os.fsencode(path), os.fsencode(place), None, _MS_BIND | _MS_REC, None):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), path)
    return place


def _hand_over(directory: str) -> None:
    for folder, _, names in os.walk(directory):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            if os.lstat(path).st_uid != _NOBODY:
                os.chown(path, _NOBODY, _NOBODY, follow_symlinks=False)


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
    """Find the file that starts a program, and the places that it needs to read beside the system's."""
    if program.startswith("./"):
        return program, ()
    path = shutil.which(program) or program
    places = [path]
    if Path(path).name.startswith(("python", "pypy")):
        # A Python interpreter needs more files than its own, and its name may be that of a wrapper script.
        done = subprocess.run([path, "-I", "-c", _WHERE], stdin=subprocess.DEVNULL, capture_output=True)
        words = os.fsdecode(done.stdout).splitlines()
        if done.returncode or len(words) < 3:
            raise SandboxError(
                f"cannot find the files of {program}: {useful_line(done.stderr.decode(errors='replace'))}"
            )
        path, *places = words
    outside = (place for place in dict.fromkeys(places) if not place.startswith(tuple(f"{name}/" for name in _SYSTEM)))
    return path, tuple(place for place in outside if place not in _SYSTEM)
