"""Programs in their own namespaces and control groups. Linux only.

bubblewrap (https://github.com/containers/bubblewrap) makes the namespaces: a program has no user of the machine, no
network and only its own processes. It can read the system's and its interpreter's files, and write its directory,
``/agent``.

A control group is the kernel's limit on the memory of a program and its children. Version 2: beside this process's
group, if the parent is delegated with the memory controller (a desktop's terminal, `systemd-run --user --scope`, root
in a session). Version 1: below it, for root. Elsewhere only the warden measures memory.
"""

import ctypes
import errno
import os
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path

from arena.match.limits import SandboxError, useful_line
from player.clock import BUDGET_VARIABLE

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

#: Machines whose calls are filtered: the kernel's number (AUDIT_ARCH), and the number of shmget(2).
_FILTERED = {"x86_64": (0xC000003E, 29), "aarch64": (0xC00000B7, 194)}

_libc = ctypes.CDLL(None, use_errno=True)

#: Questions to a Python.
_WHERE = """import sys
print(sys.executable, sys.prefix, sys.base_prefix, *getattr(sys, "course_packages", ()), sep=chr(10))"""


def check_sandbox() -> None:
    """Raise SandboxError unless a sandbox can be made here."""
    with tempfile.TemporaryDirectory(prefix="arena-") as directory:
        if os.geteuid() == 0:
            _hand_over(directory)
        command = in_sandbox(["true"], Path(directory))
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, preexec_fn=leave_session)
        except OSError as error:
            raise SandboxError(f"no sandbox here: {command[0]} cannot be started: {error.strerror}") from None
    if done.returncode:
        words = useful_line(done.stderr.decode("utf-8", "replace")) or f"exit code {done.returncode}"
        raise SandboxError(f"no sandbox here: bwrap cannot make its namespaces ({words})")


def in_sandbox(command: Sequence[str], directory: Path, shown: Sequence[Path] = ()) -> list[str]:
    """Return the command that runs ``command`` in a sandbox, in ``directory``; ``shown``: further places to read.

    Raises SandboxError.
    """
    tool = shutil.which("bwrap")
    if tool is None:
        raise SandboxError(
            "no sandbox here: bwrap is not installed; install it (Debian: bubblewrap) or leave out --sandbox"
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
def as_nobody(command: Sequence[str], directory: str) -> Iterator[tuple[list[str], list[int]]]:
    """Yield the command of in_sandbox() for leave_session() to run, and the descriptors that it needs.

    Only after separate_mounts() in this process. The kernel refuses calls that would allocate uncounted memory. For
    root, nobody gets the directory, and mounts of the needed places where it can reach them.
    """
    words = list(command)
    # Mounts beside the agent end with it; those of system and interpreter serve all programs of this process.
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
                        words[at + 1] = _kept_mount(place)
        with _filter() as passed:
            words[1:1] = [word for descriptor in passed for word in ("--seccomp", str(descriptor))]
            yield words, passed
    finally:
        for place in mounted:
            _libc.umount2(os.fsencode(place), _MNT_DETACH)


@contextmanager
def _filter() -> Iterator[list[int]]:
    """Yield descriptors of a filter that refuses shmget(2), whose memory outlives its users; none on other machines."""
    if platform.machine() not in _FILTERED:
        yield []
        return
    machine, shmget = _FILTERED[platform.machine()]
    # Of struct seccomp_data: the call's number at 0, the machine at 4. Other machines' calls, and x32's, are refused.
    load, equal, at_least, result = 0x20, 0x15, 0x35, 0x06
    program = [
        *((load, 0, 0, 4), (equal, 0, 3, machine), (load, 0, 0, 0)),
        *((at_least, 1, 0, 0x40000000), (equal, 0, 1, shmget)),
        *((result, 0, 0, 0x50000 | errno.ENOSYS), (result, 0, 0, 0x7FFF0000)),
    ]
    descriptor = os.memfd_create("filter")
    try:
        os.write(descriptor, b"".join(struct.pack("=HBBI", *step) for step in program))
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield [descriptor]
    finally:
        os.close(descriptor)


def separate_mounts() -> None:
    """Give this process its own mounts, if it is root and may, with room for those of as_nobody()."""
    if os.geteuid() != 0 or _libc.unshare(_CLONE_NEWNS):
        return
    _libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
    place = "/mnt" if not os.getcwd().startswith("/mnt") else "/media"
    if not _libc.mount(b"none", os.fsencode(place), b"tmpfs", 0, b"mode=755"):
        _mounts.append(place)


def _kept_mount(path: str) -> str:
    """Return the mount of a system path, mounted again after an upgrade replaced it."""
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
        # A Python needs more than its file, and its name may be that of a script.
        done = subprocess.run([path, "-I", "-c", _WHERE], stdin=subprocess.DEVNULL, capture_output=True)
        words = os.fsdecode(done.stdout).splitlines()
        if done.returncode or len(words) < 3:
            raise SandboxError(
                f"cannot find the files of {program}: {useful_line(done.stderr.decode(errors='replace'))}"
            )
        path, *places = words
    outside = (place for place in dict.fromkeys(places) if not place.startswith(tuple(f"{name}/" for name in _SYSTEM)))
    return path, tuple(place for place in outside if place not in _SYSTEM)


# Types are checked for other systems too, which lack most of these calls.
assert sys.platform == "linux"

#: By version: the files of the memory limit, of the limit with swap, and of the count of kills.
_GROUP_FILES = {
    2: ("memory.max", "memory.swap.max", "memory.events"),
    1: ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"),
}


class ControlGroup:
    """A program's own control group."""

    def __init__(self, place: Path, version: int, limit: int) -> None:
        """Make it with a limit in bytes; raises OSError."""
        most, swapped, self._counts = _GROUP_FILES[version]
        self._path = Path(tempfile.mkdtemp(prefix="arena-", dir=place))
        try:
            (self._path / most).write_text(str(limit))
            with suppress(OSError):
                # Not every kernel counts swap; in version 1 the file limits the sum of memory and swap.
                (self._path / swapped).write_text(str(limit if version == 1 else 0))
            self._procs = os.open(self._path / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        except OSError:
            self._path.rmdir()
            raise

    def enter(self) -> None:
        """Move this process into the group."""
        os.write(self._procs, b"0")

    @property
    def has_killed(self) -> bool:
        """Whether the kernel has killed a process here for its memory."""
        with suppress(OSError):
            rows = dict(row.split() for row in (self._path / self._counts).read_text().splitlines())
            return int(rows.get("oom_kill", 0)) > 0
        return False

    def remove(self) -> None:
        """Remove the group after its processes ended, if possible."""
        os.close(self._procs)
        with suppress(OSError):
            self._path.rmdir()


def group_of(limit: int) -> ControlGroup | None:
    """Return a new group with a limit in bytes, or None where none can be made."""
    for place, version in _group_places():
        with suppress(OSError):
            return ControlGroup(place, version, limit)
    return None


@cache
def _group_places() -> tuple[tuple[Path, int], ...]:
    return tuple(_found_places())


def _found_places() -> Iterator[tuple[Path, int]]:
    with suppress(OSError, ValueError):
        own: dict[str, str] = {}
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            own |= dict.fromkeys(controllers.split(","), path.lstrip("/"))
        for line in Path("/proc/self/mounts").read_text().splitlines():
            _, mount, kind, options, *_ = line.split(" ")
            if kind == "cgroup2" and "" in own:
                group = Path(mount, own[""])
                parent = group if group == Path(mount) else group.parent
                if "memory" in (parent / "cgroup.subtree_control").read_text().split():
                    yield parent, 2
            elif kind == "cgroup" and "memory" in options.split(",") and "memory" in own:
                yield Path(mount, own["memory"]), 1
