"""A box for commands with deliberate faults: a command can kill and delete only processes and files of its box.

bubblewrap makes the box. A command in a box runs as an ordinary user, in a separate PID namespace and with only a
loopback network. The command can read the machine's files. It can write only to the box's folder, and to empty
directories in memory that replace /tmp and some other directories. A mutant of a line that kills or deletes could do
anything to the machine, so no mutant is tried without a box.
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

# mypy checks this file for other systems too, which lack most of these calls.
assert sys.platform == "linux"

#: The user and group of a command in a box of root: nobody, who owns no file. Other users keep their user and group.
_USER = 65534 if os.geteuid() == 0 else None

_ROOT = Path(__file__).parents[2]

_PYTHON = [sys.executable, "-I", "-c"]

#: Python code that calls enter(), which replaces the process by bubblewrap.
_ENTER = "import sys; sys.path.insert(0, sys.argv.pop(1)); from tools.mutants.box import enter; enter()"

#: The directories that a box replaces by empty directories in memory. Root's home directory is included, because the
#: user nobody cannot read it, and this Python can be in it.
_EMPTY = ("/tmp", "/var/tmp", "/run", *(["/root"] if _USER is not None else []))

#: The maximum number of seconds until a killed box is empty.
_EMPTYING = 10


class NoBox(Exception):
    """Raised if the machine cannot make a box. The message is one line."""


class Box:
    """A box that runs one command at a time. The command cannot change anything outside the box's folder.

    folder: the absolute path of the box's folder.
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
        """Run a command in a directory. Return its exit code, or None if it was stopped after ``limit`` seconds.

        No process of the command remains. Raise OSError if bubblewrap cannot be started, or NoBox if it is not
        installed.
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
                # The child is the first process in the box, and all other processes in the box end with it.
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
        """Kill the command and every other process in the box."""
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
            # The tests need this interpreter and its packages.
            *(word for name in {sys.base_prefix, sys.prefix} for word in ("--ro-bind", name, name)),
            *("--bind", own, own, "--chdir", str(place)),
        ]

    def _hand_over(self) -> None:
        """If this process is root, make the user of its box the owner of the folder."""
        if _USER is not None:
            for folder, _, names in os.walk(self.folder):
                for path in (folder, *(os.path.join(folder, name) for name in names)):
                    if os.lstat(path).st_uid != _USER:
                        os.chown(path, _USER, _USER, follow_symlinks=False)


def enter() -> None:
    """Replace this process by bubblewrap, whose path and arguments are sys.argv.

    If the process is root, first change to the user nobody.
    """
    words = sys.argv[1:]
    separate_mounts()
    for at in range(words.index("--")):
        if words[at] in ("--bind", "--ro-bind") and words[at + 1] not in ("/", "/proc/sys"):
            words[at + 1] = kept_mount(words[at + 1])
    leave_session()
    os.execv(words[0], words)
