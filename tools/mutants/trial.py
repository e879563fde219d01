"""A copy of the project in a sandbox, in which mutants are tried one after another."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from little_go.explorer.build import MAKERS
from little_go.player.build import SCRIPT
from tools.mutants.box import Box
from tools.mutants.edits import Mutant, apply
from tools.mutants.rooms import Room
from tools.reading_js import SOURCES as TRANSLATED

KILLED, TIMEOUT, SURVIVED = "killed", "timeout", "survived"

#: The time limit of a mutant's tests, as a multiple of their time without the mutant.
PATIENCE = 5

#: The time limit of a mutant's build, in seconds.
_BUILD = 300

#: pytest's exit codes if all tests passed, if some tests failed, and if no tests were found.
_PASSED, _FAILED, _NONE = 0, 1, 5

_SELECTED = ["-q", "-x", "--tb=no", "-p", "no:cacheprovider", "-m", "not long and not system"]

C_SUFFIXES = (".c", ".h")

#: The compiled modules of C sources whose names differ from the module's name. All files whose names begin with
#: "kernel" belong to the module kernel.
_EXTENSIONS = {"cpu_builds": "kernel", "sentences": "explain"}

#: A modification time that is later than the modification time of any file.
_LATE = 2**31


class Baseline(NamedTuple):
    """The measured times of a room's tests without a mutant.

    start: the seconds before the first test and after the last test. files: the seconds of each test file, by file.
    longest: the seconds of the slowest test, because any test can be the test that creates the fixtures of the session.
    failing: the failing tests, which are omitted.
    """

    start: float
    files: dict[str, float]
    longest: float
    failing: tuple[str, ...]

    def limit(self, stage: list[str]) -> float:
        """Return the number of seconds after which the tests of a stage count as hanging."""
        kept = {name for name in stage if not name.startswith("--")}
        left = {name.partition("=")[2] for name in stage if name.startswith("--ignore=")}
        own = sum(
            seconds
            for file, seconds in self.files.items()
            if any(_is_in(file, name) for name in kept) and not any(_is_in(file, name) for name in left)
        )
        return PATIENCE * (self.start + self.longest + own)


class Outcome(NamedTuple):
    """The result of trying a mutant. by: the test or build that failed, or "" if the mutant survived."""

    status: str
    by: str
    seconds: float


class BrokenRoom(Exception):
    """Raised if the tests of a room fail to start even without a mutant. The message contains pytest's last lines."""


def take_snapshot(root: Path, folder: Path) -> None:
    """Copy a project's current files, committed or not, to a new folder."""
    for name in _files(root):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, target, follow_symlinks=False)


class Copy:
    """A copy of a snapshot, and a Python that imports the copy instead of the original."""

    def __init__(self, snapshot: Path, folder: Path) -> None:
        """Make the copy. folder: an empty folder for all files of the tests. Raise NoBox if no box can be made."""
        self._pristine, self.root = snapshot, folder / "clone"
        self._folder = folder
        shutil.copytree(self._pristine, self.root, symlinks=True)
        self._stamps = {file: _stamp(self.root / file) for file in _names(self._pristine)}
        # An outer folder comes before the folders in it.
        self._folders = sorted({str(parent) for file in self._stamps for parent in Path(file).parents} - {"."})
        self._box = Box(folder)
        self._box.check()
        self._python = _environment(self.root)
        self._renew_scratch()

    def baseline(self, room: Room) -> Baseline:
        """Run a room's tests without a mutant, and return their times. Raise BrokenRoom if the tests cannot start."""
        report = self._folder / "junit.xml"
        selected = [word for word in _SELECTED if word != "-x"]
        started = time.monotonic()
        code, output = self._pytest(
            [*selected, *room.tests, f"--junit-xml={report}", "-o", "junit_family=xunit1"], None
        )
        seconds = time.monotonic() - started
        if code not in (_PASSED, _FAILED):
            raise BrokenRoom(f"{room.name}: pytest ends with {code}:\n{output[-2000:]}")
        costs: dict[str, float] = {}
        longest = 0.0
        for case in ElementTree.parse(report).iter("testcase"):
            own, file = float(case.get("time", 0)), case.get("file", "")
            costs[file] = costs.get(file, 0.0) + own
            longest = max(longest, own)
        self._repair()
        return Baseline(max(seconds - sum(costs.values()), 1.0), costs, longest, tuple(_failures(output)))

    def try_out(self, mutant: Mutant, room: Room, baseline: Baseline) -> Outcome:
        """Plant a mutant, build the files that contain it, run the tests, and remove the mutant again.

        The tests that are most closely related to the mutant run first.
        """
        started = time.monotonic()
        file = self.root / mutant.path
        file.write_bytes(apply(file.read_bytes(), mutant.edit))
        # Python uses a cached module if the source has the same size and was changed in the same second.
        second = max(int(time.time()), self._stamps[mutant.path][1] // 10**9 + 1)
        os.utime(file, (second, second))
        try:
            status, by = self._status(mutant, room, baseline)
        finally:
            self._repair()
        return Outcome(status, by, round(time.monotonic() - started, 1))

    def _status(self, mutant: Mutant, room: Room, baseline: Baseline) -> tuple[str, str]:
        if Path(mutant.path).suffix in C_SUFFIXES:
            self._age_modules(mutant.path)
        for command in builds(mutant.path, self.root):
            code, _ = self._run([str(self._python), *command], _BUILD)
            if code != 0:
                return (TIMEOUT if code is None else KILLED), " ".join(command)
        left_out = [f"--deselect={name}" for name in baseline.failing]
        for stage in stages(mutant.path, room, self.root):
            code, output = self._pytest([*_SELECTED, *stage, *left_out], baseline.limit(stage))
            if code is None:
                return TIMEOUT, stage[0]
            if code not in (_PASSED, _NONE):
                return KILLED, next(_failures(output), f"{stage[0]}: pytest ends with {code}")
        return SURVIVED, ""

    def _age_modules(self, path: str) -> None:
        """Make all compiled modules newer than their sources, except the module of one C source."""
        for module in self.root.glob("solver/native/*.so"):
            if module.name.partition(".")[0] != extension_of(path):
                os.utime(module, (_LATE, _LATE))

    def _pytest(self, arguments: list[str], limit: float | None) -> tuple[int | None, str]:
        return self._run([str(self._python), "-m", "pytest", *arguments], limit)

    def _run(self, command: list[str], limit: float | None) -> tuple[int | None, str]:
        """Run a command in the copy.

        Return its exit code, or None if it was stopped after ``limit`` seconds, and its output.
        """
        with tempfile.TemporaryFile() as output:
            code = self._box.run(command, self.root, self._environment(), output, limit)
            output.seek(0)
            return code, output.read().decode("utf-8", "replace")

    def stop(self) -> None:
        """Kill the command that runs in this copy."""
        self._box.stop()

    def _environment(self) -> dict[str, str]:
        scratch = self._folder / "scratch"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "XDG_", "PYTEST"))}
        return {
            **kept,
            "PATH": f"{self._python.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "HOME": str(scratch / "home"),
            "TMPDIR": str(scratch / "tmp"),
            "VIRTUAL_ENV": str(self._python.parents[1]),
        }

    def _repair(self) -> None:
        """Restore all files that a mutant, its build or its tests have changed, and remove their temporary files."""
        # Remove links and files that have replaced a folder, because otherwise files elsewhere could be changed.
        for folder in (self._folder / "scratch", self.root, *(self.root / name for name in self._folders)):
            if folder.is_symlink() or folder.is_file():
                folder.unlink()
        for name, stamp in self._stamps.items():
            if _stamp(self.root / name) != stamp:
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                (self.root / name).unlink(missing_ok=True)
                shutil.copy2(self._pristine / name, self.root / name)
        shutil.rmtree(self.root / ".hypothesis", ignore_errors=True)
        self._renew_scratch()

    def _renew_scratch(self) -> None:
        shutil.rmtree(self._folder / "scratch", ignore_errors=True)
        for name in ("home", "tmp"):
            (self._folder / "scratch" / name).mkdir(parents=True, exist_ok=True)


def extension_of(path: str) -> str:
    """Return the name of the compiled module that contains a C source."""
    stem = Path(path).stem
    return "kernel" if stem.startswith("kernel") else _EXTENSIONS.get(stem, stem)


def stages(path: str, room: Room, root: Path) -> list[list[str]]:
    """Return the arguments for pytest for each stage of the tests.

    The stages are the tests that are named like the file, the tests of the file's folder, and the other tests of the
    room.
    """
    source = Path(path)
    found: list[list[str]] = []
    tests = Path("tests", source.parent)
    named = tests / f"test_{source.stem}.py"
    done: list[str] = []
    for place, is_there in ((named, (root / named).is_file()), (tests, (root / tests).is_dir())):
        if is_there and place.as_posix() not in room.tests:
            found.append([place.as_posix(), *(f"--ignore={name}" for name in done)])
            done.append(place.as_posix())
    return [*found, [*room.tests, *(f"--ignore={name}" for name in done)]]


def builds(path: str, root: Path) -> list[list[str]]:
    """Return the arguments for Python of the builds that a changed source needs before its tests run."""
    if Path(path).suffix in C_SUFFIXES:
        return [["setup.py", "-q", "build_ext", "--inplace"]]
    found: list[list[str]] = []
    if path in TRANSLATED:  # The test that compares the page's modules with their sources must not kill every mutant.
        found.append(["-m", "tools.reading_js"])
    if found or Path(path).suffix == ".js" or path in MAKERS:
        found.append(["-m", "explorer", "build"])
    # The header of the built script lists its sources.
    script = root / SCRIPT
    if script.is_file() and f"\n    {path}\n" in script.read_text("utf-8"):
        found.append(["-m", "player", "build"])
    return found


def _failures(output: str) -> Iterator[str]:
    """Yield the failed tests that pytest's last lines list, and the files in which pytest found an error."""
    yield from (found[1] for found in re.finditer(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE))


def _files(root: Path) -> Iterator[str]:
    """Yield the tracked files, the untracked files that are not ignored, and the compiled modules."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        check=True,
    )
    names = [name for name in listed.stdout.decode().split("\0") if name]
    yield from (name for name in names if (root / name).is_file() or (root / name).is_symlink())
    yield from (file.relative_to(root).as_posix() for file in root.glob("solver/native/*.so"))


def _names(root: Path) -> Iterator[str]:
    yield from (file.relative_to(root).as_posix() for file in root.rglob("*") if file.is_file())


def _stamp(file: Path) -> tuple[int, int]:
    try:
        status = file.stat()
    except OSError:
        return -1, -1
    return status.st_size, status.st_mtime_ns


def _environment(clone: Path) -> Path:
    """Return the Python of a new virtual environment with the packages of this environment, but without the clone."""
    folder = clone / ".venv"
    venv.create(folder, symlinks=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    # A .pth file adds the folder with the packages. Python ignores the .pth files in that folder, so it does not find
    # the original clone.
    (packages / "mutants.pth").write_text(f"{clone}\n{sysconfig.get_path('purelib')}\n", "utf-8")
    python = folder / "bin" / "python"
    for script in Path(sys.executable).parent.iterdir():
        target = python.with_name(script.name)
        if target.exists() or not script.is_file():
            continue
        with script.open("rb") as file:
            is_python = Path(os.fsdecode(file.readline(1000)[2:].rstrip())).parent == script.parent
            rest = file.read() if is_python else b""
        if is_python:
            target.write_bytes(f"#!{python}\n".encode() + rest)
            target.chmod(0o755)
        else:
            target.symlink_to(script)
    return python


def _is_in(file: str, name: str) -> bool:
    return f"{file}/".startswith(f"{name}/")
