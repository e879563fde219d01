"""The Python that runs agents, in an environment with the course's packages alone.

Like that of ``python -m venv``, the environment is a link and a settings file: it keeps ``exit``, the agent's own
modules and the standard library, parts of which ``-S`` and ``-I`` remove. Packages listed in a course file are found
where they are installed for that Python, with all that they import; importing another one fails.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from ast import literal_eval
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from little_go.arena.match.limits import ProgramError, useful_line
from little_go.runtime.files import write_whole

#: Questions to a Python. One in an environment names its base.
_WHO = """import sys
base = sys.executable
if sys.prefix != sys.base_prefix:
    name = "python%d.%d" % sys.version_info[:2]
    base = getattr(sys, "_base_executable", None) or sys.base_prefix + "/bin/" + name
name = {"cpython": "python"}.get(sys.implementation.name, sys.implementation.name)
own = "Lib" if sys.platform == "win32" else "lib/%s%d.%d" % ((name,) + sys.version_info[:2])
sites = [path for path in sys.path if path.endswith("-packages")]
print(sys.executable, base, own + "/site-packages", repr(sites), " ".join(sys.version.split()), sep=chr(10))"""

#: A module of this name, imported by a .pth file, starts an environment with packages.
_PACKAGES = "course_packages"
_FINDER = """import sys
from importlib.machinery import PathFinder

LISTED, SITES = {listed!r}, {sites!r}


class Packages:
    # The listed packages, for all; what is beside them, for code of packages.

    @staticmethod
    def find_spec(name, path=None, target=None):
        if path is not None or not (name in LISTED or asked_by_package()):
            return None
        return PathFinder.find_spec(name, SITES)

    @staticmethod
    def find_distributions(context=None):
        from importlib.metadata import DistributionFinder, MetadataPathFinder

        wanted = DistributionFinder.Context(name=context and context.name, path=SITES)
        return MetadataPathFinder.find_distributions(wanted)


def asked_by_package():
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename.startswith(tuple(SITES)):
            return True
        frame = frame.f_back
    return False


# What a sandbox shows beside the environment.
sys.course_packages = SITES
sys.meta_path.append(Packages)
"""

#: Seconds in which a Python must start.
_PATIENCE = 60.0


class Interpreter(NamedTuple):
    """A Python that has started.

    path: its program, also where the name led to a script. base: the Python that environments are made with. own: an
    environment's folder of packages. sites: this one's folders. version: as it prints it.
    """

    path: str
    base: str
    own: str
    sites: tuple[str, ...]
    version: str

    def installed(self) -> str:
        """Return a digest of the installed distributions and their versions, wherever the environment lies."""
        found = {path.name for site in self.sites for path in Path(site).glob("*.*-info")}
        return sha256("\n".join(sorted(found)).encode("utf-8", "surrogateescape")).hexdigest()[:16]

    def command(self, directory: Path, packages: Sequence[str] = ()) -> list[str]:
        """Return the words that start it without the caller's PYTHON variables.

        directory: a new one, for the environment. packages: importable by programs.
        """
        if packages:
            own = directory / self.own
            own.mkdir(parents=True)
            write_whole(own / f"{_PACKAGES}.py", _FINDER.format(listed=tuple(packages), sites=list(self.sites)))
            write_whole(own / f"{_PACKAGES}.pth", f"import {_PACKAGES}\n")
            for path in (*own.iterdir(), own, *own.relative_to(directory).parents):
                (directory / path).chmod(0o644 if path.suffix in (".py", ".pth") else 0o755)
        if sys.platform == "win32":
            return [str(_made(self.base, directory)), "-E"]
        (directory / "bin").mkdir(parents=True)
        python, settings = directory / "bin" / "python", directory / "pyvenv.cfg"
        python.symlink_to(self.base)
        write_whole(settings, f"home = {os.path.dirname(self.base)}\ninclude-system-site-packages = false\n")
        # In a sandbox of root's, another user reads them.
        for path, mode in ((directory, 0o755), (directory / "bin", 0o755), (settings, 0o644)):
            path.chmod(mode)
        return [str(python), "-E"]


def _made(base: str, directory: Path) -> Path:
    """Let a Python make an environment without packages; return its Python. Raises ProgramError.

    On Windows an environment's Python is a program, whose name and place differ by version.
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
    """Start the Python of this name, and return its description. Raises ProgramError.

    A script of this name, such as pyenv's, may find no Python.
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
    executable, base, own, sites, version = words
    return Interpreter(executable, os.path.realpath(base), own, tuple(literal_eval(sites)), version)


@lru_cache
def missing_packages(interpreter: Interpreter, packages: tuple[str, ...]) -> list[str]:
    """Return the packages that are not installed for a Python. Raises ProgramError."""
    if not packages:
        return []
    with tempfile.TemporaryDirectory(prefix="packages-") as folder:
        command = interpreter.command(Path(folder) / "python", packages)
        look = "import sys; from importlib.util import find_spec; print(*map(bool, map(find_spec, sys.argv[1:])))"
        done = subprocess.run([*command, "-c", look, *packages], stdin=subprocess.DEVNULL, capture_output=True)
    found = done.stdout.decode("utf-8", "replace").split()
    if len(found) != len(packages):
        why = useful_line(done.stderr.decode("utf-8", "replace")) or f"exit code {done.returncode}"
        raise ProgramError(f"the Python interpreter {interpreter.path!r} cannot look for packages: {why}")
    return [name for name, there in zip(packages, found, strict=True) if there != "True"]


def check_packages(interpreter: Interpreter, packages: tuple[str, ...]) -> None:
    """Raise ProgramError, in one line, for packages that are not installed for a Python."""
    if missing := missing_packages(interpreter, packages):
        raise ProgramError(
            f"the course file lists {', '.join(missing)}, which {interpreter.path} has not: install it for that "
            "Python, or give another --python"
        )
