"""Define the limits of a program, and describe the resources that it used, its answer, and the errors that it printed.

This module imports no other module of Little-Go, and has named tuples instead of dataclasses, so that the warden starts
fast.
"""

import os
import re
import unicodedata
from typing import NamedTuple

_CORES = os.cpu_count() or 1

#: The minimum and the maximum of the seconds between two measurements of a program.
SHORTEST_PAUSE, LONGEST_PAUSE = 0.02, 0.25

#: Maximum seconds for killing a program's processes, which is repeated until no process is left.
KILLING = 10.0

#: Maximum bytes that ErrorTail stores from the beginning, and from the end, of standard error.
_MOST_HEAD, _MOST_TAIL = 1024, 3072


class RunnerError(Exception):
    """Raised if a program cannot be run. The message is one line."""


class ProgramError(ValueError):
    """Raised if no program can be made from an agent's files. The message is one line."""


class MachineError(ProgramError):
    """Raised if this machine, not the agent, is the reason why no program can be made. The message is one line."""


class SandboxError(Exception):
    """Raised if this machine cannot make a sandbox. The message is one line.

    cause: the reason why there is no sandbox. remedy: advice for the user, or "".
    """

    def __init__(self, cause: str, remedy: str = "") -> None:
        super().__init__(cause, remedy)
        self.cause, self.remedy = cause, remedy

    def __str__(self) -> str:
        return f"{self.cause}: {self.remedy}" if self.remedy else self.cause


class Limits(NamedTuple):
    """The limits of a program and all its children for one move."""

    cpu: float = 10.0  # CPU seconds, user + system, of all threads and processes
    wall: float = 30.0  # wall-clock seconds
    memory: int = 0  # maximum bytes for the data of each process, and for all memory together; 0 for no limit
    processes: int = 256  # maximum number of processes and threads at the same time

    def seconds_to_check(self, cpu: float) -> float:
        """Return the seconds until the next measurement of a program that has used ``cpu`` seconds of CPU time.

        The program cannot reach its CPU limit before that measurement, even if it uses every core.
        """
        return max((self.cpu - cpu) / _CORES, SHORTEST_PAUSE)


class Launch(NamedTuple):
    """An order to the warden to run a program."""

    command: list[str]
    directory: str
    limits: Limits
    # Whether the program runs in a sandbox, as a descendant of two processes of bubblewrap. The second process of
    # bubblewrap waits for all processes in the sandbox.
    sandboxed: bool


class Report(NamedTuple):
    """The reason why a program ended, and the resources that it used."""

    limits: Limits
    exceeded: str  # the exceeded limit, such as "cpu", or "" if the program ended by itself
    cpu: float  # CPU seconds, user + system, of the program and all its children
    wall: float  # wall-clock seconds
    waited: float = 0.0  # seconds of waiting for a core, measured only if the limit of ``wall`` was exceeded
    errors: str = ""  # the end of its standard error, in whole lines if possible
    own: float = 0.0  # CPU seconds of the warden's own process since its start

    @property
    def is_late(self) -> bool:
        """Whether the program was killed because it exceeded a limit of time."""
        return self.exceeded in ("cpu", "wall")

    @property
    def cpu_starved(self) -> bool:
        """Whether only the wall-clock limit was exceeded, and the program used or awaited a core most of the time."""
        return self.exceeded == "wall" and self.cpu < self.limits.cpu and self.cpu + self.waited > self.wall / 2

    def limit_text(self) -> str:
        """Return a clause on the exceeded limit, or "". For a limit of time, include CPU time and wall-clock time."""
        if not self.is_late:
            return self.exceeded and f"killed for {self.exceeded}"
        cpu = f"{self.cpu:.2f} s of CPU (limit {self.limits.cpu:g} s)"
        wall = f"{self.wall:.1f} s by the clock (limit {self.limits.wall:g} s)"
        if self.exceeded == "cpu":
            return f"killed for CPU time: {cpu}, {wall}"
        waited = f", {self.waited:.1f} s of them waiting for a core" if self.cpu_starved else ""
        return f"killed by the clock: {wall}{waited}, {cpu}"


class ErrorTail:
    """Stores the first and the last bytes of a program's standard error.

    Java prints the error at the beginning, and Python at the end.
    """

    def __init__(self) -> None:
        self._begin = self._end = b""
        self._is_cut = False

    def add(self, some: bytes) -> None:
        """Add output. If there is too much output, drop its middle, in whole lines if possible."""
        room = _MOST_HEAD - len(self._begin)
        self._begin, some = self._begin + some[:room], some[room:]
        self._end += some
        if len(self._end) > _MOST_TAIL:
            self._is_cut = True
            cut, end_of_line, whole = self._end[-_MOST_TAIL:].partition(b"\n")
            self._end = whole if end_of_line else cut

    def text(self) -> str:
        """Return the stored text."""
        begin = self._begin
        if self._is_cut:
            begin = b"".join(begin.rpartition(b"\n")[:2])
        return (begin + self._end).decode("utf-8", "replace")


#: Maximum number of characters of a program's error message.
_MOST_WORDS = 200

#: Matches control sequences of terminals, such as colours, cursor movements and titles.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")

#: Match words that occur in lines about errors, and in lines about warnings.
_ERROR = re.compile(
    "error|exception|cannot|could not|unable|fail|fatal|fault|not found|no such|denied|abort|panic|invalid|unknown",
    re.IGNORECASE,
)
_WARNING = re.compile("warning", re.IGNORECASE)

#: Matches a line of a Java stack trace that contains only a place in the source.
_WHERE = re.compile(r"at [\w.$/<>]+\(.*\)|\.\.\. \d+ more")

#: Match a line of a stack trace with a place in the source. In Python, the error is at the last place, and in Java at
#: the first place.
_PYTHON_FRAME = re.compile(r'^ *File "([^"\n]+)", line (\d{1,9})', re.MULTILINE)
_JAVA_FRAME = re.compile(r"^\s*at (?![\w.]+/)[\w.$<>]+\(([\w$]+\.java):(\d{1,9})\)", re.MULTILINE)

#: Matches the path of a file that belongs to Python itself.
_LIBRARY = re.compile(r"/lib/python[\d.]*/|^<")

#: Maximum number of characters of a file name in messages.
_MOST_NAME = 40

_NO_MODULE = re.compile("ModuleNotFoundError: No module named ")


class Reply(NamedTuple):
    """A contestant's reply to one call of the host.

    text: the content of ``output.txt``, or None if there is no answer. cpu: CPU seconds, user + system. killed: the
    limit of time that the contestant exceeded, ``cpu`` or ``wall``, or ""; even a killed contestant may have written an
    answer. absence: the reason why there is no answer: ``missing``, ``timeout``, ``resigned``, or for a GTP engine
    ``malformed``. complaint: a clause on the error, in the contestant's words if possible. cpu_starved: the same as in
    Report. machine_fault: a clause on another fault of this machine that may be the reason why there is no answer, or
    "".
    """

    text: str | None
    cpu: float
    killed: str = ""
    absence: str = "missing"
    complaint: str = ""
    cpu_starved: bool = False
    machine_fault: str = ""


def useful_line(errors: str) -> str:
    """Return the line of standard error that describes the error, or "" if there is no line.

    The line is the exception of the last Python traceback. If there is no traceback, the line is the first line about
    an error, or else the first line. A warning is returned only if there is no other line. Control characters are
    removed, the places in a Java stack trace are skipped, and a long line is cut.

    >>> useful_line('Traceback:\\n  File "a.py", line 1\\n\\x1b[31mNameError: x\\x1b[0m\\nsee the manual\\n')
    'NameError: x'
    >>> useful_line("Picked up options\\npyenv: python3.7: command not found\\n\\nNote: see the help\\n")
    'pyenv: python3.7: command not found'
    """
    # Skip the messages that Python prints during its shutdown, because they do not contain the cause.
    text = _ESCAPES.sub("", errors.partition("\nException ignored in")[0])
    *_, last_frame = [None, *_PYTHON_FRAME.finditer(text)]
    lines = re.split(r"[\r\n]", text if last_frame is None else text[last_frame.end() :].partition("\n")[2])
    cleaned = [(line[:1].isspace(), _clean(line)) for line in lines]
    useful = [(indented, line) for indented, line in cleaned if line and not _WHERE.fullmatch(line)]
    plain = [line for indented, line in useful if not indented and not _WARNING.search(line)]
    wrong = plain if last_frame else [line for line in plain if _ERROR.search(line)]
    return next((line[:_MOST_WORDS] for line in (*wrong, *plain, *(line for _, line in useful))), "")


def useful_words(errors: str, alone: bool = False) -> str:
    """Return the result of useful_line() and, for Python and Java, the place of the error in the agent's own files.

    alone: whether the program was copied without its directory, so that a Python module may be missing for that reason.

    >>> useful_words('  File "/agent/mine.py", line 7, in <module>\\n    x\\nNameError: x')
    'NameError: x (mine.py, line 7)'
    >>> useful_words('Exception: no\\n\\tat java.base/java.util.List.get(List.java:1)\\n\\tat Mine.main(Mine.java:9)')
    'Exception: no (Mine.java, line 9)'
    """
    message = useful_line(errors)
    frames = [*_PYTHON_FRAME.findall(errors)[::-1], *_JAVA_FRAME.findall(errors)]
    file, line = next(((file, line) for file, line in frames if not _LIBRARY.search(file)), ("", ""))
    where = f" ({_clean(file.rpartition('/')[2])[:_MOST_NAME]}, line {line})" if message and file else ""
    missing = "; no such module is next to the file" if alone and _NO_MODULE.match(message) else ""
    return f"{message}{where}{missing}"


def _clean(line: str) -> str:
    # The Unicode categories that begin with C contain control characters, changes of text direction, and
    # non-characters.
    return "".join(
        " " if sign == "\t" else sign for sign in line if sign == "\t" or unicodedata.category(sign)[0] != "C"
    ).strip()
