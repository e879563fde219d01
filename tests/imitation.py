"""Imitate another system for ``little-go``: ``python tests/imitation.py darwin|win32 WORD …``.

The modules and functions that the other system lacks are removed before the project is imported, and again in each
worker process and each ``little-go`` that the command starts. Python's own library is imported first, because it must
stay as on this system. A real Windows has more differences: paths, the console, and the start of programs.
"""

import builtins
import fcntl
import multiprocessing
import os
import subprocess
import sys
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

#: Third-party modules that check the system when they are imported.
FIRST = (
    "asyncio",
    "click",
    "concurrent.futures.process",
    "ctypes",
    "getpass",
    "multiprocessing.heap",
    "multiprocessing.popen_spawn_posix",
    "multiprocessing.synchronize",
    "platformdirs.unix",
    "psutil",
    "rich.console",
    "shutil",
    "sqlite3",
    "sqlite_utils",
    "subprocess",
    "tempfile",
    "uuid",
    "webbrowser",
)

_LINUX_ALONE = {
    "os": "eventfd getrandom memfd_create pidfd_open posix_fallocate sched_getaffinity setresgid setresuid splice",
    "mmap": "MADV_HUGEPAGE",
    "select": "epoll",
}
_UNIX_ALONE = {
    "os": "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK chown fchmod fork forkpty geteuid getuid killpg mkfifo mknod "
    "openpty posix_spawn posix_spawnp pwrite set_blocking setgroups setpriority setsid statvfs sysconf wait4",
    "mmap": "MAP_ANONYMOUS MAP_PRIVATE MAP_SHARED",
    "select": "poll",
    "signal": "SIGALRM SIGHUP alarm pthread_kill",
}

#: By system, the modules and the attributes that it lacks.
LACKS: dict[str, tuple[tuple[str, ...], tuple[dict[str, str], ...]]] = {
    "darwin": ((), (_LINUX_ALONE,)),
    "win32": (("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"), (_LINUX_ALONE, _UNIX_ALONE)),
}

#: The environment variable that states the imitated system to child processes.
SYSTEM_VARIABLE = "LITTLE_GO_IMITATES"

#: Folders that only Linux has.
_LINUX_FOLDERS = ("/proc", "/dev/shm", "/sys")


class _Nowhere:
    """An import finder that fails for some modules."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name in self._names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def _msvcrt() -> ModuleType:
    """Return a substitute for the Windows module that locks files."""
    module, lock, flags = ModuleType("msvcrt"), fcntl.lockf, fcntl.LOCK_EX | fcntl.LOCK_NB
    vars(module).update(LK_NBLCK=2, locking=lambda descriptor, mode, length: lock(descriptor, flags, length))
    return module


def _without_folders(function: Any) -> Any:
    def call(path: Any = ".", *arguments: Any, **named: Any) -> Any:
        is_ours = "psutil" not in sys._getframe(1).f_code.co_filename
        if is_ours and isinstance(path, str | os.PathLike) and os.fspath(path).startswith(_LINUX_FOLDERS):
            raise FileNotFoundError(2, "No such file or directory", os.fspath(path))
        return function(path, *arguments, **named)

    return call


class _Popen(subprocess.Popen[Any]):
    """A Popen that imitates the same system if a command of the project starts another one."""

    def __init__(self, command: Any, *arguments: Any, **named: Any) -> None:
        if isinstance(command, list) and command[:2] == [sys.executable, "-c"] and "little_go" in command[2]:
            command = [sys.executable, __file__, os.environ[SYSTEM_VARIABLE], *command[3:]]
        super().__init__(command, *arguments, **named)


def imitate(system: str) -> None:
    """Remove the modules and attributes that a system lacks, and start processes as on that system."""
    for name in FIRST:
        import_module(name)
    modules, groups = LACKS[system]
    for group in groups:
        for module, names in group.items():
            for name in names.split():
                vars(import_module(module)).pop(name, None)
    for name in modules:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, _Nowhere(modules))
    if system == "win32":
        sys.modules["msvcrt"] = _msvcrt()
    for place, name in ((builtins, "open"), (os, "open"), (os, "listdir"), (os, "scandir"), (os, "readlink")):
        setattr(place, name, _without_folders(getattr(place, name)))
    # These modules check the system whenever a lock is sent to another process or a program is searched.
    for name in ("multiprocessing.synchronize", "shutil"):
        vars(import_module(name))["sys"] = SimpleNamespace(**vars(sys))
    sys.platform = system
    # The folder for shared memory exists only on Linux.
    vars(import_module("multiprocessing.heap"))["Arena"]._dir_candidates = []
    multiprocessing.set_start_method("spawn", force=True)
    vars(subprocess)["Popen"] = _Popen


if __name__ == "__mp_main__":
    # A worker imports its parent's program under this name before it gets its first job.
    imitate(os.environ[SYSTEM_VARIABLE])

if __name__ == "__main__":
    os.environ[SYSTEM_VARIABLE] = sys.argv.pop(1)
    imitate(os.environ[SYSTEM_VARIABLE])
    # The imported package is the installed one, which is the clone in the clone's environment.
    del sys.path[0]
    from little_go.__main__ import main

    main(prog_name="little-go")
