"""Make a program from an agent's source, and open the runner that runs programs within limits.

A source is a Python, Java or C++ file, or a directory with such a file. The course's commands compile and start the
source: ``javac FILE``, then ``java CLASS``; ``g++ -std=c++17 -O2 *.cpp -o exe``, then ``./exe``. (The course's own
scripts use ``-O2``, and ``-std=c++0x`` for ``my_player11.cpp``.)
"""

import os
import re
import shlex
import shutil
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Protocol, TypeAlias

from little_go.arena.match.copying import copy_program, entries, plain_files
from little_go.arena.match.limits import (
    Limits,
    MachineError,
    ProgramError,
    Report,
    RunnerError,
    SandboxError,
    useful_line,
)
from little_go.arena.match.machine import MachineWatch
from little_go.arena.match.provided import COURSE_MODULES, ProvidedFile, provide
from little_go.arena.match.python_source import modules_beside
from little_go.notation.host_file import INPUT_FILE, OUTPUT_FILE
from little_go.runtime.files import MIB, read_file, sha256_of, write_whole


class Runner(Protocol):
    """Runs one program at a time. The context manager removes the runner's directory."""

    @property
    def home(self) -> Path:
        """The runner's directory, which exists until close()."""

    @property
    def own_cpu(self) -> float:
        """The CPU seconds that the runner itself used outside of this process, up to the end of the last program."""

    def check(self, command: Sequence[str], directory: Path) -> None:
        """Raise SandboxError if the command cannot run in a sandbox."""

    def run(self, command: Sequence[str], directory: Path, limits: Limits, shown: Sequence[Path] = ()) -> Report:
        """Run ``command`` in ``directory`` until it ends or exceeds a limit, and then kill all children of the command.

        shown: additional paths that the command can read in a sandbox. Standard input is empty, and standard output is
        discarded. Raise RunnerError if the command cannot be started or has killed its runner, and SandboxError if the
        command cannot run in a sandbox.
        """

    def close(self) -> None:
        """Remove the directory, and end all started processes."""

    def __enter__(self) -> "Runner": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


#: A sentence on the protection that this system's runner does not have, or "" on Linux.
LACKING = (
    "" if sys.platform == "linux" else "Programs run without a sandbox or a memory limit: this system has neither."
)


def open_runner(sandboxed: bool = False) -> Runner:
    """Return a runner for this system. sandboxed: whether programs run in a sandbox.

    Raise RunnerError if the runner does not start, and SandboxError if this system has no sandbox.
    """
    if sys.platform == "linux":
        from little_go.arena.match.process import WardenRunner

        return WardenRunner(sandboxed)
    from little_go.arena.match.plain_runner import PlainRunner

    if sandboxed:
        raise SandboxError(_NO_SANDBOX)
    return PlainRunner()


def require_sandbox() -> None:
    """Raise SandboxError if this machine cannot make a sandbox."""
    if sys.platform == "linux":
        from little_go.arena.match.sandbox import check_sandbox

        check_sandbox()
    else:
        raise SandboxError(_NO_SANDBOX)


_NO_SANDBOX = "no sandbox here: only Linux has one"


#: The file names of programs in the course's assignments. If a directory contains several of these files, the first
#: file in this order is used.
NAMES = ("my_player3.py", "my_player.py", "my_player.cpp", "my_player11.cpp", "my_player.java")

#: The suffixes of source files in the languages of the course.
SUFFIXES = (".py", ".java", ".cpp")

#: The limits of time for a compiler. The compiler has the same limit of memory as the agent.
_COMPILING = Limits(cpu=120.0, wall=300.0)

#: Maps a path relative to the program's directory to the content of the file.
_Files: TypeAlias = dict[str, bytes]

#: The names of the packages that this system needs for Java agents, and for C++ agents.
_SOURCE_OF_TOOLS = {
    "darwin": ("a JDK, such as Temurin", "xcode-select --install"),
    "win32": ("a JDK, such as Temurin", "MSYS2: mingw-w64-x86_64-gcc"),
}.get(sys.platform, ("Debian: default-jdk-headless", "Debian: g++"))

#: Maximum bytes of a program's file or of a compiler's output.
_MOST = 1024 * MIB

#: Matches a warning of g++ or javac, and a note of javac.
_WARNING = re.compile(r"\bwarning: |^Note: ")


#: Maps a command and its sources to the compiled files and the compiler's warnings, which all games of a run reuse.
_compiled: dict[tuple[object, ...], tuple[_Files, str]] = {}


def command_words(agent: str, prefix: str) -> list[str]:
    """Return the words of an agent's command without the prefix, and with the full path of the program.

    The command is split into words as a shell would split it, but no shell runs it. Raise ProgramError if the command
    cannot be split, or if there is no such program.
    """
    try:
        words = _split(agent.removeprefix(prefix))
    except ValueError as error:
        raise ProgramError(f"cannot read the command: {error}") from None
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise ProgramError(f"no program {words[0] if words else ''!r}")
    return [os.path.abspath(program), *words[1:]]


def _split(command: str) -> list[str]:
    """Split a command into words. On Windows a backslash is part of a word."""
    if sys.platform != "win32":
        return shlex.split(command)
    return [word.strip('"') for word in shlex.split(command, posix=False)]


def find_source(path: Path, file: str = "") -> Path:
    """Return the path of an agent's source file.

    path: the source file or its directory. file: the name of the file in the directory. If file is "", the result is
    the first of NAMES that the directory contains, or else the directory's only source file. Raise ProgramError if
    there is no such file.
    """
    if path.is_dir():
        return path / _entry(path, file)
    if path.suffix not in SUFFIXES:
        raise ProgramError(f"{str(path)!r} is not a .py, .java or .cpp file: start other programs with cmd:COMMAND")
    return path


class PreparedAgent(NamedTuple):
    """An agent that is ready to play in its directory.

    command: the words that start the agent in the directory. digest: a digest of the agent's files after they were
    copied. warnings: the compiler's warnings, or "".
    """

    command: list[str]
    digest: str
    warnings: str = ""


def lay_out(
    source: Path,
    whole: Path | None,
    directory: Path,
    python: Sequence[str],
    runner: Runner,
    memory: int,
    *,
    alone: bool = False,
    beside: Sequence[str] | None = None,
    provided: Sequence[ProvidedFile] = (),
) -> PreparedAgent:
    """Copy an agent into an empty directory, and compile it there.

    source: the program's file. whole: the directory around it that is copied; None if only the file, its modules and a
    ``book.json`` next to it are copied. python: the words that start Python. memory: the maximum bytes of memory for
    the compiler; 0 for no limit. alone: whether a C++ file is compiled without the other C++ files next to it. beside:
    patterns of the other files that are copied; None for all files. provided: the files that the course provides. Raise
    ProgramError if the agent cannot be copied or compiled.
    """
    program = Path(source.name) if whole is None else source.relative_to(whole)
    copy_program(source, whole, directory, beside, modules_beside(source) if whole is None else ())
    provide(provided, (directory / program).parent)
    digest = directory_digest(directory)
    command, warnings = _prepared(program, directory, python, runner, memory, alone=alone)
    return PreparedAgent(command, digest, warnings)


def _prepared(
    program: Path, directory: Path, python: Sequence[str], runner: Runner, memory: int, *, alone: bool
) -> tuple[list[str], str]:
    """Compile an agent if its language requires it, and return the agent's command and the compiler's warnings."""
    folder = program.parent
    beside = sorted(str(folder / path.name) for path in (directory / folder).glob("*.cpp"))
    sources = beside if program.suffix == ".cpp" and not alone else [str(program)]
    for name in sources:
        # A compiler would read such a name as an option, or as a file of options, even with ./ before the name, because
        # g++ passes the name on to other programs.
        if name.startswith(("-", "@")):
            raise ProgramError(f"{name!r} is not a valid name for a program's file")
    if program.suffix == ".java":
        made = str(program.with_suffix(".class"))
        warnings = _compile(program, [_tool("javac"), str(program)], made, directory, runner, memory)
        return [_tool("java"), *(() if folder == Path() else ("-cp", str(folder))), program.stem], warnings
    if program.suffix == ".cpp":
        made = "exe.exe" if sys.platform == "win32" else "exe"
        command = [_tool("g++"), "-std=c++17", "-O2", *sources, "-o", made]
        warnings = _compile(program, command, made, directory, runner, memory)
        # Windows resolves a relative path from the directory of this process, not from the program's directory.
        return [str(directory / made) if sys.platform == "win32" else f"./{made}"], warnings
    return [*python, str(program)], ""


def command_digest(words: Sequence[str]) -> str:
    """Return a digest of a command's words and of the files that the words name."""
    digest = sha256()
    for word in words:
        digest.update(os.fsencode(word) + b"\0")
        with suppress(OSError, ValueError):
            if os.path.isfile(word):
                digest.update(bytes.fromhex(sha256_of(word, _MOST)))
    return digest.hexdigest()


def directory_digest(directory: Path) -> str:
    """Return a digest of a directory's files, except the files that the host and Python write there.

    The digest does not depend on the umask of the process that copied the files.
    """
    digest = sha256()
    for entry in sorted(entries(directory), key=lambda entry: entry.path):
        path = Path(entry.path).relative_to(directory)
        if str(path) in (INPUT_FILE, OUTPUT_FILE) or "__pycache__" in path.parts:
            continue
        found = entry.stat(follow_symlinks=False)
        mode = stat.S_IFMT(found.st_mode) | (0o111 if found.st_mode & stat.S_IXUSR else 0)
        digest.update(os.fsencode(path.as_posix()) + b"\0" + b"%o" % mode + b"\0")
        if entry.is_symlink():
            digest.update(os.fsencode(os.readlink(entry.path)) + b"\0")
        elif entry.is_file():
            digest.update(bytes.fromhex(sha256_of(entry.path, _MOST)))
    return digest.hexdigest()


def _entry(directory: Path, file: str) -> str:
    if file:
        inside = ".." not in Path(file).parts and not Path(file).is_absolute()
        if inside and (directory / file).is_file() and Path(file).suffix in SUFFIXES:
            return file
        raise ProgramError(f"no .py, .java or .cpp file {file!r} in {str(directory)!r}")
    given = {f"{name}.py" for name in COURSE_MODULES}
    files = (path for path in directory.iterdir() if path.suffix in SUFFIXES and path.is_file())
    programs = [path.name for path in files if path.name not in given]
    for name in NAMES:
        if name in programs:
            return name
    if len(programs) == 1:
        return programs[0]
    raise ProgramError(
        f"{str(directory)!r} has no file with one of the course's names, such as {NAMES[0]}: name the file as DIR:FILE"
    )


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise MachineError(f"no {name} found, which this agent needs: install it ({_SOURCE_OF_TOOLS[name == 'g++']})")
    return path


def _compile(source: Path, command: list[str], made: str, directory: Path, runner: Runner, memory: int) -> str:
    """Run a compiler, or reuse its output for the same files. Return the compiler's warnings."""
    before = set(plain_files(directory))
    key = (*command, *sorted((str(path.relative_to(directory)), read_file(path, _MOST)) for path in before))
    if key not in _compiled:
        watch = MachineWatch(directory)
        try:
            usage = runner.run(command, directory, _COMPILING._replace(memory=memory))
        except RunnerError as error:
            raise MachineError(f"{source.name}: {error}") from None
        # Ignore everything except plain files, because a compiler can run the agent's code, which can write anything.
        after = {str(path.relative_to(directory)): path for path in plain_files(directory) if path not in before}
        if made not in after:
            if ours := "our machine was too busy" if usage.cpu_starved else watch.fault(usage.errors):
                raise MachineError(f"{source.name} was not compiled: {ours}")
            why = usage.limit_text() or _first_error(usage.errors)
            raise ProgramError(f"{source.name} does not compile: {why}")
        files = {name: read_file(path, _MOST) for name, path in after.items()}
        _compiled[key] = files, _warnings(usage.errors)
        return _compiled[key][1]
    files, warnings = _compiled[key]
    for name, content in files.items():
        place = directory / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        write_whole(place, content)
        place.chmod(0o755)
    return warnings


def _warnings(errors: str) -> str:
    """Return a compiler's warnings as a printable clause, or ""."""
    found = [line for line in errors.splitlines() if _WARNING.search(line)]
    if not found:
        return ""
    return useful_line(found[0]) + (f" (the first of {len(found)})" if len(found) > 1 else "")


def _first_error(errors: str) -> str:
    line = next((line for line in errors.splitlines() if "error" in line), "")
    return useful_line(line) or useful_line(errors) or "a Java file must contain the class with the file's name"
