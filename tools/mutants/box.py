"""A box for commands whose code was changed on purpose: what they kill, delete or call is their own.

bubblewrap makes it: an ordinary user, a PID namespace of its own, a network of one loopback device, and the machine's
files to read. Only the box's folder can be written, and empty directories in memory in place of /tmp and some others.
A mutant of a line that kills or deletes can ask the kernel for anything: without a box none is tried.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

import psutil

from little_go.arena.match.sandbox import kept_mount, leave_session, separate_mounts

# Types are checked for other systems too, which lack most of these calls.
assert sys.platform == "linux"

#: The user and group of root's boxes: nobody, who owns nothing. Others keep theirs.
_USER = 65534 if os.geteuid() == 0 else None

_ROOT = Path(__file__).parents[2]

_PYTHON = [sys.executable, "-I", "-c"]

#: Becomes bubblewrap, given its path and arguments.
_ENTER = "import sys; sys.path.insert(0, sys.argv.pop(1)); from tools.mutants.box import enter; enter()"

#: What a box has empty, in memory. Root's home would be closed to nobody, and this Python may be in it.
_EMPTY = ("/tmp", "/var/tmp", "/run", *(["/root"] if _USER is not None else []))

#: Seconds until a killed box is empty.
_EMPTYING = 10


class NoBox(Exception):
    """No box can be made here; the message is one line."""


class Box:
    """Runs one command at a time; nothing outside its folder can be changed.

    folder: an absolute path.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: subprocess.Popen[bytes] | None = None

    def check(self) -> None:
        """Raise NoBox unless a command can run in the folder."""
        with open(os.devnull, "wb") as nothing:
            try:
                code = self.run(["true"], self.folder, {}, nothing, 60)
            except OSError as error:
                raise NoBox(f"mutants run only in a box: {error.filename}: {error.strerror}") from None
        if code:
            raise NoBox(f"mutants run only in a box: bwrap cannot make its namespaces, or use {self.folder}")

    def run(
        self, command: list[str], place: Path, environment: Mapping[str, str], output: IO[bytes], limit: float | None
    ) -> int | None:
        """Run a command in a directory; return its code, or None if it was stopped after ``limit`` seconds.

        Nothing of it is left. Raises OSError if bubblewrap cannot be started, NoBox if it is not installed.
        """
        tool = shutil.which("bwrap")
        if tool is None:
            raise NoBox("mutants run only in a box: bubblewrap is not installed: apt-get install bubblewrap")
        self._hand_over()
        reading, writing = os.pipe()
        inside: list[psutil.Process] = []
        try:
            with open(reading, "rb") as told:
                self._running = subprocess.Popen(
                    [
                        *_PYTHON,
                        _ENTER,
                        str(_ROOT),
                        tool,
                        "--info-fd",
                        str(writing),
                        *self._walls(place),
                        "--",
                        *command,
                    ],
                    cwd="/",
                    env=dict(environment),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    pass_fds=[writing],
                    start_new_session=True,
                )
                os.close(writing)
                # The box's first process: all others in it end with it.
                with suppress(ValueError, psutil.NoSuchProcess):
                    inside.append(psutil.Process(json.loads(told.read())["child-pid"]))
            return self._running.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.stop()
            psutil.wait_procs(inside, timeout=_EMPTYING)
            self._running = None

    def stop(self) -> None:
        """Kill the command, and with it everything in the box."""
        running = self._running
        if running is not None and running.poll() is None:
            running.kill()
            running.wait()

    def _walls(self, place: Path) -> list[str]:
        separate = [f"--unshare-{kind}" for kind in ("user", "pid", "net", "ipc", "uts")]
        own = str(self.folder)
        return [
            *(*separate, "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
            *("--ro-bind", "/", "/", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"),
            *(word for name in _EMPTY if os.path.isdir(name) for word in ("--tmpfs", name)),
            # The tests import this interpreter's packages.
            *(word for name in {sys.base_prefix, sys.prefix} for word in ("--ro-bind", name, name)),
            *("--bind", own, own, "--chdir", str(place)),
        ]

    def _hand_over(self) -> None:
        """Give root's box its folder."""
        if _USER is not None:
            for folder, _, names in os.walk(self.folder):
                for path in (folder, *(os.path.join(folder, name) for name in names)):
                    if os.lstat(path).st_uid != _USER:
                        os.chown(path, _USER, _USER, follow_symlinks=False)


def enter() -> None:
    """Become nobody, if this is root, and then bubblewrap: its path and arguments are those of this process."""
    words = sys.argv[1:]
    separate_mounts()
    for at in range(words.index("--")):
        if words[at] in ("--bind", "--ro-bind") and words[at + 1] not in ("/", "/proc/sys"):
            words[at + 1] = kept_mount(words[at + 1])
    leave_session()
    os.execv(words[0], words)
