"""Run agents by a Python in an environment in which only the course's packages can be imported.

Like an environment that ``python -m venv`` makes, this environment consists of a link and a settings file. So an agent
can use ``exit``, its own modules and the whole standard library. Python's options ``-S`` and ``-I`` would remove some
of these. A package that the course file lists, and everything that the package imports, is imported from the folder in
which it is installed for that Python. An import of any other package fails.
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

#: A program that prints the fields of Interpreter for the Python that runs the program. The base of a Python in an
#: environment is the Python with which the environment was made.
_WHO = """import sys
base = sys.executable
if sys.prefix != sys.base_prefix:
    name = "python%d.%d" % sys.version_info[:2]
    base = getattr(sys, "_base_executable", None) or sys.base_prefix + "/bin/" + name
name = {"cpython": "python"}.get(sys.implementation.name, sys.implementation.name)
own = "Lib" if sys.platform == "win32" else "lib/%s%d.%d" % ((name,) + sys.version_info[:2])
sites = [path for path in sys.path if path.endswith("-packages")]
print(sys.executable, base, own + "/site-packages", repr(sites), " ".join(sys.version.split()), sep=chr(10))"""

#: The name of the module that makes the course's packages importable. A .pth file imports this module when Python
#: starts.
_PACKAGES = "course_packages"
_FINDER = """import sys
from importlib.machinery import PathFinder

LISTED, SITES = {listed!r}, {sites!r}


class Packages:
    # All code can import the listed packages. Only the code of packages can import the other packages in SITES.

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


# A sandbox must show these folders, too.
sys.course_packages = SITES
sys.meta_path.append(Packages)
"""

#: The maximum seconds for the start of a Python interpreter.
_PATIENCE = 60.0


class Interpreter(NamedTuple):
    """The paths and the version of a Python interpreter.

    path: the interpreter's executable, even if the user gave the name of a script. base: the Python with which
    environments are made. own: the folder of packages, relative to an environment. sites: the folders in which this
    Python's packages are installed. version: the value of this Python's sys.version.
    """

    path: str
    base: str
    own: str
    sites: tuple[str, ...]
    version: str

    def installed(self) -> str:
        """Return a digest of the names and versions of the installed distributions, but not of their folders."""
        found = {path.name for site in self.sites for path in Path(site).glob("*.*-info")}
        return sha256("\n".join(sorted(found)).encode("utf-8", "surrogateescape")).hexdigest()[:16]

    def command(self, directory: Path, packages: Sequence[str] = ()) -> list[str]:
        """Make an environment, and return the words that start the environment's Python.

        directory: a new directory for the environment. packages: the packages that programs can import. Python starts
        without the caller's PYTHON variables.
        """
        if packages:
            own = directory / self.own
            own.mkdir(parents=True)
            write_whole(own / f"{_PACKAGES}.py", _FINDER.format(listed=tuple(packages), sites=list(self.sites)))
            write_whole(own / f"{_PACKAGES}.pth", f"import {_PACKAGES}\n")
            for path in (*own.iterdir(), own, *own.relative_to(directory).parents):
                (directory / path).chmod(0o644 if path.suffix in (".py", ".pth") else 0o755)
        if sys.platform == "win32":
            return [str(_make_environment(self.base, directory)), "-E"]
        (directory / "bin").mkdir(parents=True)
        python, settings = directory / "bin" / "python", directory / "pyvenv.cfg"
        python.symlink_to(self.base)
        write_whole(settings, f"home = {os.path.dirname(self.base)}\ninclude-system-site-packages = false\n")
        # If root runs the sandbox, the agent's program runs as another user, who must be able to read these files.
        for path, mode in ((directory, 0o755), (directory / "bin", 0o755), (settings, 0o644)):
            path.chmod(mode)
        return [str(python), "-E"]


def _make_environment(base: str, directory: Path) -> Path:
    """Make an environment without packages by ``python -m venv``, and return the path of the environment's Python.

    Windows needs such an environment, because there the name and the folder of an environment's Python depend on the
    version. Raise ProgramError if the command fails.
    """
    command = [base, "-I", "-m", "venv", "--without-pip", str(directory)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    for python in (directory / "Scripts" / "python.exe", directory / "bin" / "python"):
        if python.exists():
            return python
    why = useful_line(done.stderr.decode("utf-8", "replace")) or f"exit code {done.returncode}"
    raise ProgramError(f"cannot make an environment of {base}: {why}")


def _words(name: str) -> list[str]:
    """Return the words that start Python. name: a program, or a program with arguments such as ``py -3.7``.

    Raise ProgramError if there is no such program.
    """
    first, *rest = [name] if shutil.which(name) else name.split() or [name]
    path = shutil.which(first)
    if path is None:
        raise ProgramError(f"no Python interpreter {name!r}: give its path")
    return [os.path.abspath(path), *rest]


@lru_cache
def find_interpreter(name: str) -> Interpreter:
    """Start the Python interpreter of this name, and return its paths and its version.

    Python must be started, because a program of this name can be a script, such as pyenv's, that finds no Python. Raise
    ProgramError if Python does not start.
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
        why = useful_line(done.stderr.decode("utf-8", "replace")) or "it does not behave like Python"
        raise ProgramError(f"the Python interpreter {name!r} does not start: {why}")
    executable, base, own, sites, version = words
    return Interpreter(executable, os.path.realpath(base), own, tuple(literal_eval(sites)), version)


@lru_cache
def missing_packages(interpreter: Interpreter, packages: tuple[str, ...]) -> list[str]:
    """Return which of the packages are not installed for a Python interpreter."""
    if not packages:
        return []
    with tempfile.TemporaryDirectory(prefix="packages-") as folder:
        command = interpreter.command(Path(folder) / "python", packages)
        look = "import sys; from importlib.util import find_spec; print(*map(bool, map(find_spec, sys.argv[1:])))"
        done = subprocess.run([*command, "-c", look, *packages], stdin=subprocess.DEVNULL, capture_output=True)
    found = done.stdout.decode("utf-8", "replace").split()
    if len(found) != len(packages):
        why = useful_line(done.stderr.decode("utf-8", "replace")) or f"exit code {done.returncode}"
        raise ProgramError(f"the Python interpreter {interpreter.path!r} cannot list its packages: {why}")
    return [name for name, there in zip(packages, found, strict=True) if there != "True"]


def check_packages(interpreter: Interpreter, packages: tuple[str, ...]) -> None:
    """Raise ProgramError if a package is not installed for a Python interpreter."""
    if missing := missing_packages(interpreter, packages):
        raise ProgramError(
            f"the course file lists {', '.join(missing)}, which {interpreter.path} does not have: install it for that "
            "Python, or give another --python"
        )
