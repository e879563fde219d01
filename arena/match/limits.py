"""A program's limits and resources, its answer for a move, and the errors that it prints.

Imports nothing of ours, and uses named tuples instead of dataclasses, to start the warden fast.
"""

import os
import re
import unicodedata
from typing import NamedTuple

_CORES = os.cpu_count() or 1

#: Seconds between two measurements of a program close to a limit, and of others.
SHORTEST_PAUSE, LONGEST_PAUSE = 0.02, 0.25

#: Seconds of repeated killing, should something resist.
KILLING = 10.0

#: Bytes kept of the beginning and of the end of standard error.
_MOST_HEAD, _MOST_TAIL = 1024, 3072


class RunnerError(Exception):
    """A program that cannot be run; the message is one line."""


class ProgramError(ValueError):
    """An agent that cannot be prepared as a program; the message is one line."""


class MachineError(ProgramError):
    """A program that this machine cannot prepare, though nothing is wrong with it; the message is one line."""


class SandboxError(Exception):
    """A sandbox cannot be made here; the message is one line.

    cause: why not. remedy: what the user can do, "" if nothing is known.
    """

    def __init__(self, cause: str, remedy: str = "") -> None:
        super().__init__(cause, remedy)
        self.cause, self.remedy = cause, remedy

    def __str__(self) -> str:
        return f"{self.cause}: {self.remedy}" if self.remedy else self.cause


class Limits(NamedTuple):
    """The limits of a program and all its children for one move."""

    cpu: float = 10.0  # seconds, user + system, of all threads and processes
    wall: float = 30.0  # seconds on the clock
    memory: int = 0  # bytes: of each process's data, and of all in memory; 0 for no limit
    processes: int = 256  # at once, threads included

    def seconds_to_check(self, cpu: float) -> float:
        """Return the seconds until the next measurement of a program that has taken ``cpu`` seconds.

        With every core at work it reaches its limit no sooner.
        """
        return max((self.cpu - cpu) / _CORES, SHORTEST_PAUSE)


class Launch(NamedTuple):
    """A program to run."""

    command: list[str]
    directory: str
    limits: Limits
    # whether it runs below two processes of bubblewrap, the second of which waits for all others in the sandbox
    sandboxed: bool


class Report(NamedTuple):
    """The end of a program, and its resources."""

    limits: Limits
    exceeded: str  # the exceeded limit, such as "cpu"; "" if it ended by itself
    cpu: float  # seconds, user + system, with all children
    wall: float  # seconds on the clock
    waited: float = 0.0  # seconds of these without a core, if the clock ended it
    errors: str = ""  # the end of its standard error, in whole lines if possible
    own: float = 0.0  # seconds of CPU of the warden since its start

    @property
    def is_late(self) -> bool:
        """Whether it was killed for a limit of time."""
        return self.exceeded in ("cpu", "wall")

    @property
    def cpu_starved(self) -> bool:
        """Whether the process was starved of CPU: the clock ended it, and it waited for a core more than it slept."""
        return self.exceeded == "wall" and self.cpu < self.limits.cpu and self.cpu + self.waited > self.wall / 2

    def limit_text(self) -> str:
        """Describe the exceeded limit, a limit of time with both figures; "" for none."""
        if not self.is_late:
            return self.exceeded and f"killed for {self.exceeded}"
        cpu = f"{self.cpu:.2f} s of CPU (limit {self.limits.cpu:g} s)"
        wall = f"{self.wall:.1f} s by the clock (limit {self.limits.wall:g} s)"
        if self.exceeded == "cpu":
            return f"killed for CPU time: {cpu}, {wall}"
        waited = f", {self.waited:.1f} s of them waiting for a core" if self.cpu_starved else ""
        return f"killed by the clock: {wall}{waited}, {cpu}"


class ErrorTail:
    """The beginning and the end of a program's standard error: Java begins with the error, Python ends with it."""

    def __init__(self) -> None:
        self._begin = self._end = b""
        self._is_cut = False

    def add(self, some: bytes) -> None:
        """Add output; keep whole lines if possible."""
        room = _MOST_HEAD - len(self._begin)
        self._begin, some = self._begin + some[:room], some[room:]
        self._end += some
        if len(self._end) > _MOST_TAIL:
            self._is_cut = True
            cut, end_of_line, whole = self._end[-_MOST_TAIL:].partition(b"\n")
            self._end = whole if end_of_line else cut

    def text(self) -> str:
        """Return the kept text."""
        begin = self._begin
        if self._is_cut:
            begin = b"".join(begin.rpartition(b"\n")[:2])
        return (begin + self._end).decode("utf-8", "replace")


#: Maximum length of a program's error message.
_MOST_WORDS = 200

#: Terminal commands: colours, cursor movements, titles.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")

#: Words of lines about errors and warnings.
_ERROR = re.compile(
    "error|exception|cannot|could not|unable|fail|fatal|fault|not found|no such|denied|abort|panic|invalid|unknown",
    re.IGNORECASE,
)
_WARNING = re.compile("warning", re.IGNORECASE)

#: Java's lines of places.
_WHERE = re.compile(r"at [\w.$/<>]+\(.*\)|\.\.\. \d+ more")

#: Places in a traceback: Python's last and Java's first is that of the error.
_PYTHON_FRAME = re.compile(r'^ *File "([^"\n]+)", line (\d{1,9})', re.MULTILINE)
_JAVA_FRAME = re.compile(r"^\s*at (?![\w.]+/)[\w.$<>]+\(([\w$]+\.java):(\d{1,9})\)", re.MULTILINE)

#: Files of Python itself.
_LIBRARY = re.compile(r"/lib/python[\d.]*/|^<")

#: Maximum length of a file name in messages.
_MOST_NAME = 40

_NO_MODULE = re.compile("ModuleNotFoundError: No module named ")


class Reply(NamedTuple):
    """A contestant's answer for one move.

    text: of ``output.txt``, or None. cpu: seconds, user + system. killed: the limit of time that killed it, ``cpu`` or
    ``wall``, with or without an answer. absence: the reason for None: ``missing``, ``timeout``, ``resigned``, or from a
    GTP engine ``malformed``. complaint: the error, in the contestant's words if possible. cpu_starved: as in
    arena.match.limits.Report. machine_fault: a clause on another fault of this machine that may have cost the answer.
    """

    text: str | None
    cpu: float
    killed: str = ""
    absence: str = "missing"
    complaint: str = ""
    cpu_starved: bool = False
    machine_fault: str = ""


def useful_line(errors: str) -> str:
    """Return the printable line of standard error that names the error; "" without one.

    That is the exception of Python's last traceback, else the first line about an error, else the first line, with
    warnings last. Control characters and Java's lines of places are removed, and a long line is cut.

    >>> useful_line('Traceback:\\n  File "a.py", line 1\\n\\x1b[31mNameError: x\\x1b[0m\\nsee the manual\\n')
    'NameError: x'
    >>> useful_line("Picked up options\\npyenv: python3.7: command not found\\n\\nNote: see the help\\n")
    'pyenv: python3.7: command not found'
    """
    # Python's messages during its shutdown are not the cause.
    text = _ESCAPES.sub("", errors.partition("\nException ignored in")[0])
    *_, last_frame = [None, *_PYTHON_FRAME.finditer(text)]
    lines = re.split(r"[\r\n]", text if last_frame is None else text[last_frame.end() :].partition("\n")[2])
    cleaned = [(line[:1].isspace(), _clean(line)) for line in lines]
    useful = [(indented, line) for indented, line in cleaned if line and not _WHERE.fullmatch(line)]
    plain = [line for indented, line in useful if not indented and not _WARNING.search(line)]
    wrong = plain if last_frame else [line for line in plain if _ERROR.search(line)]
    return next((line[:_MOST_WORDS] for line in (*wrong, *plain, *(line for _, line in useful))), "")


def useful_words(errors: str, alone: bool = False) -> str:
    """Return useful_line(), with the place in the agent's own files for a Python or Java program.

    alone: whether the program is a file without its directory, beside which a missing Python module usually is.

    >>> useful_words('  File "/agent/mine.py", line 7, in <module>\\n    x\\nNameError: x')
    'NameError: x (mine.py, line 7)'
    >>> useful_words('Exception: no\\n\\tat java.base/java.util.List.get(List.java:1)\\n\\tat Mine.main(Mine.java:9)')
    'Exception: no (Mine.java, line 9)'
    """
    message = useful_line(errors)
    frames = [*_PYTHON_FRAME.findall(errors)[::-1], *_JAVA_FRAME.findall(errors)]
    file, line = next(((file, line) for file, line in frames if not _LIBRARY.search(file)), ("", ""))
    where = f" ({_clean(file.rpartition('/')[2])[:_MOST_NAME]}, line {line})" if message and file else ""
    missing = "; no such module is beside the file" if alone and _NO_MODULE.match(message) else ""
    return f"{message}{where}{missing}"


def _clean(line: str) -> str:
    # Categories C: control characters, changes of text direction, and non-characters.
    return "".join(
        " " if sign == "\t" else sign for sign in line if sign == "\t" or unicodedata.category(sign)[0] != "C"
    ).strip()
