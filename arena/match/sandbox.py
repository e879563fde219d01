"""Run programs in their own Linux namespaces, with only the system calls that programs need.

bubblewrap (https://github.com/containers/bubblewrap) makes the namespaces. In its namespaces, a program has no network
and no rights of root, and sees only its own processes. The program can read the files of the system and of its
interpreter, and can write only to its directory, ``/agent``, and to temporary directories in memory.
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

# mypy also checks this file for other systems, which lack most of these calls.
assert sys.platform == "linux"

#: The path of a program's directory in the sandbox.
INSIDE = "/agent"

#: The system's directories. Some of these directories do not exist on every system, and some can be links into /usr.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")

#: The parts of /etc that programs need, which are the paths of libraries, and the settings of Debian's alternatives.
_SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")

#: Maximum bytes of /tmp and of /dev/shm, which are in memory.
_MOST_SCRATCH = 64 << 20

#: The number of the user "nobody" and of its group. If root runs the arena, programs run as this user, who owns no
#: files.
_NOBODY = 65534

#: The number of the system call keyctl(2) by kind of machine, and the operation that gives the process a new session
#: keyring.
_KEYCTL, _JOIN_SESSION_KEYRING = {"x86_64": 250, "aarch64": 219}, 1

#: Constants for the system calls unshare(2), mount(2) and umount2(2).
_CLONE_NEWNS, _MS_BIND, _MS_REC, _MS_PRIVATE, _MNT_DETACH = 0x20000, 0x1000, 0x4000, 0x40000, 2

#: The folder in which root's warden mounts paths for its sandboxes, or an empty list if there is no such folder.
_mounts: list[str] = []

#: Maps a path to its permanent mount.
_kept: dict[str, str] = {}

#: The folder of the kernel's settings for the whole machine. A sandbox shows this folder read-only, because root could
#: change the settings. The folder needs no separate mount, because every user can reach it.
_SETTINGS_OF_KERNEL = "/proc/sys"

_libc = ctypes.CDLL(None, use_errno=True)

#: A program that prints the paths of the Python interpreter that runs the program.
_WHERE = """import sys
print(sys.executable, sys.prefix, sys.base_prefix, *getattr(sys, "course_packages", ()), sep=chr(10))"""


def check_sandbox() -> None:
    """Raise SandboxError if this machine cannot make a sandbox."""
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
    """Return the command that runs ``command`` in a sandbox, in ``directory``.

    shown: additional paths that the program can read. Raise SandboxError if bubblewrap or a file that the command needs
    is missing.
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
    """Drop root's rights and the keyring of the caller's session. Call this function in the child process.

    A failure of keyctl(2) is ignored, because some kernels have no keyrings.
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
    """Yield a command that runs the result of in_sandbox() without root's rights, and a descriptor.

    The child process must inherit the descriptor, which contains the filter of system calls, and must call
    leave_session(). If this process is root, the user nobody becomes the owner of the directory. If separate_mounts()
    has made a folder for mounts, the command uses mounts that the user nobody can reach instead of its paths.
    """
    if os.geteuid() == 0:
        _give_to_nobody(directory)
    with _mounted_paths(command, directory) as words, system_call_filter() as descriptor:
        yield [words[0], "--seccomp", str(descriptor), *words[1:]], descriptor


@contextmanager
def _mounted_paths(command: Sequence[str], directory: str) -> Iterator[list[str]]:
    """Yield the command of a sandbox, in which a mount replaces each path that the sandbox shows.

    At the end, mounts of paths next to the agent's directory are removed, but mounts of the system's and the
    interpreter's paths are kept for the next program. If separate_mounts() has made no folder, the command stays the
    same.
    """
    words = list(command)
    beside_agent = f"{os.path.dirname(directory)}/"
    temporary: list[str] = []
    try:
        for at in _shown_paths(words) if _mounts else ():
            if words[at].startswith(beside_agent):
                temporary.append(_mount(words[at], f"own-{len(temporary)}"))
                words[at] = temporary[-1]
            else:
                words[at] = kept_mount(words[at])
        yield words
    finally:
        for place in temporary:
            _libc.umount2(os.fsencode(place), _MNT_DETACH)


def _shown_paths(words: Sequence[str]) -> list[int]:
    """Return the indices of the paths that a sandbox's command binds, except the path of the kernel's settings."""
    options = [at for at in range(words.index("--")) if words[at] in ("--bind", "--ro-bind")]
    return [at + 1 for at in options if words[at + 1] != _SETTINGS_OF_KERNEL]


def separate_mounts() -> None:
    """If this process is root and the kernel allows it, make a separate table of mounts and a folder for mounts."""
    if os.geteuid() != 0 or _libc.unshare(_CLONE_NEWNS):
        return
    _libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
    place = "/mnt" if not os.getcwd().startswith("/mnt") else "/media"
    if not _libc.mount(b"none", os.fsencode(place), b"tmpfs", 0, b"mode=755"):
        _mounts.append(place)


def kept_mount(path: str) -> str:
    """Return the permanent mount of a path. If separate_mounts() has made no folder, return the path.

    The user nobody can reach the mount even if only root can open a folder above the path. A path that an upgrade has
    replaced is mounted again.
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


def _give_to_nobody(directory: str) -> None:
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
    """Return the path that starts a program, and the paths that it reads outside of the system's directories."""
    if program.startswith("./"):
        return program, ()
    path = shutil.which(program) or program
    places = [path]
    if Path(path).name.startswith(("python", "pypy")):
        # Python also reads its library, and the command may be a script that starts Python.
        done = subprocess.run([path, "-I", "-c", _WHERE], stdin=subprocess.DEVNULL, capture_output=True)
        words = os.fsdecode(done.stdout).splitlines()
        if done.returncode or len(words) < 3:
            raise SandboxError(
                f"cannot find the files of {program}: {useful_line(done.stderr.decode(errors='replace'))}"
            )
        path, *places = words
    outside = (place for place in dict.fromkeys(places) if not place.startswith(tuple(f"{name}/" for name in _SYSTEM)))
    return path, tuple(place for place in outside if place not in _SYSTEM)
