"""The Python that runs agents: started once before the first game, and with an environment that has no packages.

The course's host has none, so that an agent which imports one must not play here. The environment is what ``python -m
venv`` makes, a link and a file of settings: so ``exit``, the agent's own modules and all of the standard library are
there, which ``-S`` and ``-I`` would take away in part.
"""

import os
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from arena.match.limits import ProgramError
from arena.match.reply import useful_line
from runtime.files import write_whole

#: What a Python is asked for. One in an environment of its own names the one that it was made with.
_WHO = """import sys
base = sys.executable
if sys.prefix != sys.base_prefix:
    name = "python%d.%d" % sys.version_info[:2]
    base = getattr(sys, "_base_executable", None) or sys.base_prefix + "/bin/" + name
print(sys.executable, base, sys.prefix, " ".join(sys.version.split()), sep=chr(10))"""

#: Seconds in which a Python must start.
_PATIENCE = 60.0


class Interpreter(NamedTuple):
    """A Python that has started.

    path: the program that runs, where the name led to a script that looks for one. base: the one that an environment is
    made with. prefix: where its packages are. version: its name for itself.
    """

    path: str
    base: str
    prefix: str
    version: str

    def command(self, directory: Path, with_packages: bool) -> list[str]:
        """Return the words that start it; the PYTHON variables of whoever runs the arena do not reach the agent.

        directory: a new one, for the environment. with_packages: whether it has those that are installed for it.
        """
        if with_packages:
            return [self.path, "-E"]
        if sys.platform == "win32":
            return [str(_made(self.base, directory)), "-E"]
        (directory / "bin").mkdir(parents=True)
        python, settings = directory / "bin" / "python", directory / "pyvenv.cfg"
        python.symlink_to(self.base)
        write_whole(settings, f"home = {os.path.dirname(self.base)}\ninclude-system-site-packages = false\n")
        # Another user's, in a sandbox of root's.
        for path, mode in ((directory, 0o755), (directory / "bin", 0o755), (settings, 0o644)):
            path.chmod(mode)
        return [str(python), "-E"]


def _made(base: str, directory: Path) -> Path:
    """Have a Python make an environment without packages; return its Python. Raises ProgramError.

    On Windows an environment's Python is a program of its own, whose name and place differ by version.
    """
    command = [base, "-I", "-m", "venv", "--without-pip", str(directory)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    for python in (directory / "Scripts" / "python.exe", directory / "bin" / "python"):
        if python.exists():
            return python
    why = useful_line(done.stderr.decode("utf-8", "replace")) or f"exit code {done.returncode}"
    raise ProgramError(f"{base} makes no environment: {why}")


def _words(name: str) -> list[str]:
    """Return the words that start the Python of this name: a program, or one with arguments, such as ``py -3.7``."""
    first, *rest = [name] if shutil.which(name) else name.split() or [name]
    path = shutil.which(first)
    if path is None:
        raise ProgramError(f"no Python interpreter {name!r}: give its path")
    return [os.path.abspath(path), *rest]


@lru_cache
def find_interpreter(name: str) -> Interpreter:
    """Start the Python of this name, and return what it says of itself. Raises ProgramError.

    A script of this name may look for a Python, as those of pyenv do, and find none.
    """
    try:
        command = [*_words(name), "-I", "-c", _WHO]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        raise ProgramError(f"the Python interpreter {name!r} does not start within {_PATIENCE:g} s") from None
    except OSError as error:
        raise ProgramError(f"the Python interpreter {name!r} does not start: {error.strerror}") from None
    words = os.fsdecode(done.stdout).splitlines()
    if done.returncode or len(words) != len(Interpreter._fields):
        why = useful_line(done.stderr.decode("utf-8", "replace")) or "it does not answer as a Python does"
        raise ProgramError(f"the Python interpreter {name!r} does not start: {why}")
    executable, base, prefix, version = words
    return Interpreter(executable, os.path.realpath(base), prefix, version)
