"""A program's limits and resources, its answer for a move, and the errors that it prints.

So that the warden starts fast, this module imports no other module of Little-Go, and uses named tuples instead of
dataclasses.
"""

import os
import re
import unicodedata
from typing import NamedTuple

_CORES = os.cpu_count() or 1

#: Seconds between two measurements of a program: the minimum, if it is close to a limit, and the maximum.
SHORTEST_PAUSE, LONGEST_PAUSE = 0.02, 0.25

#: Maximum seconds for which killing is repeated if a process is still there.
KILLING = 10.0

#: Maximum bytes that are kept from the beginning and from the end of standard error.
_MOST_HEAD, _MOST_TAIL = 1024, 3072


class RunnerError(Exception):
    """Raised if a program cannot be run; the message is one line."""


class ProgramError(ValueError):
    """Raised if no program can be made from an agent's files; the message is one line."""


class MachineError(ProgramError):
    """Raised if this machine, not the agent, is the reason why no program can be made; the message is one line."""


class SandboxError(Exception):
    """Raised if this machine cannot make a sandbox; the message is one line.

    cause: the reason. remedy: advice for the user, or "".
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
    memory: int = 0  # bytes of each process's data, and of the memory of all processes together; 0 for no limit
    processes: int = 256  # maximum number at once, including threads

    def seconds_to_check(self, cpu: float) -> float:
        """Return the seconds until the next measurement of a program that has taken ``cpu`` seconds.

        The program cannot reach its limit earlier, even if it uses every core.
        """
        return max((self.cpu - cpu) / _CORES, SHORTEST_PAUSE)


class Launch(NamedTuple):
    """The warden's order to run a program."""

    command: list[str]
    directory: str
    limits: Limits
    # whether it runs in a sandbox: below two processes of bubblewrap, the second of which waits for all others there
    sandboxed: bool


class Report(NamedTuple):
    """The way in which a program ended, and the resources that it took."""

    limits: Limits
    exceeded: str  # the exceeded limit, such as "cpu"; "" if it ended by itself
    cpu: float  # seconds, user + system, with all children
    wall: float  # seconds on the clock
    waited: float = 0.0  # seconds of ``wall`` for which it waited for a core; only measured if the clock ended it
    errors: str = ""  # the end of its standard error, in whole lines if possible
    own: float = 0.0  # CPU seconds of the warden itself since its start

    @property
    def is_late(self) -> bool:
        """Whether the program was killed because of a limit of time."""
        return self.exceeded in ("cpu", "wall")

    @property
    def cpu_starved(self) -> bool:
        """Whether the process got too little CPU: the clock ended it, and it waited longer for a core than it slept."""
        return self.exceeded == "wall" and self.cpu < self.limits.cpu and self.cpu + self.waited > self.wall / 2

    def limit_text(self) -> str:
        """Return a clause on the exceeded limit, or "". For a limit of time, it has CPU and wall-clock time."""
        if not self.is_late:
            return self.exceeded and f"killed for {self.exceeded}"
        cpu = f"{self.cpu:.2f} s of CPU (limit {self.limits.cpu:g} s)"
        wall = f"{self.wall:.1f} s by the clock (limit {self.limits.wall:g} s)"
        if self.exceeded == "cpu":
            return f"killed for CPU time: {cpu}, {wall}"
        waited = f", {self.waited:.1f} s of them waiting for a core" if self.cpu_starved else ""
        return f"killed by the clock: {wall}{waited}, {cpu}"


class ErrorTail:
    """The beginning and the end of a program's standard error, because Java prints the error first and Python last."""

    def __init__(self) -> None:
        self._begin = self._end = b""
        self._is_cut = False

    def add(self, some: bytes) -> None:
        """Add output, and store whole lines if possible."""
        room = _MOST_HEAD - len(self._begin)
        self._begin, some = self._begin + some[:room], some[room:]
        self._end += some
        if len(self._end) > _MOST_TAIL:
            self._is_cut = True
            cut, end_of_line, whole = self._end[-_MOST_TAIL:].partition(b"\n")
            self._end = whole if end_of_line else cut

    def text(self) -> str:
        """Return the text that was kept."""
        begin = self._begin
        if self._is_cut:
            begin = b"".join(begin.rpartition(b"\n")[:2])
        return (begin + self._end).decode("utf-8", "replace")


#: Maximum length of a program's error message.
_MOST_WORDS = 200

#: Terminal commands: colours, cursor movements, titles.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")

#: Words that occur in lines about errors, and in lines about warnings.
_ERROR = re.compile(
    "error|exception|cannot|could not|unable|fail|fatal|fault|not found|no such|denied|abort|panic|invalid|unknown",
    re.IGNORECASE,
)
_WARNING = re.compile("warning", re.IGNORECASE)

#: The lines of a Java stack trace that contain only a place in the source.
_WHERE = re.compile(r"at [\w.$/<>]+\(.*\)|\.\.\. \d+ more")

#: A line of a stack trace with a place in the source. The error is at Python's last place and at Java's first.
_PYTHON_FRAME = re.compile(r'^ *File "([^"\n]+)", line (\d{1,9})', re.MULTILINE)
_JAVA_FRAME = re.compile(r"^\s*at (?![\w.]+/)[\w.$<>]+\(([\w$]+\.java):(\d{1,9})\)", re.MULTILINE)

#: Paths of files that belong to Python itself.
_LIBRARY = re.compile(r"/lib/python[\d.]*/|^<")

#: Maximum length of a file name in messages.
_MOST_NAME = 40

_NO_MODULE = re.compile("ModuleNotFoundError: No module named ")


class Reply(NamedTuple):
    """A contestant's reply to one call of the host.

    text: the content of ``output.txt``, or None if there is no answer. cpu: CPU seconds, user + system. killed: the
    limit of time for which the contestant was killed, ``cpu`` or ``wall``, or ""; there may be an answer nevertheless.
    absence: why there is no answer: ``missing``, ``timeout``, ``resigned``, or ``malformed`` for a GTP engine.
    complaint: a clause on the error, in the contestant's words if possible. cpu_starved: the same as in Report.
    machine_fault: a clause on another fault of this machine that may have cost the answer, or "".
    """

    text: str | None
    cpu: float
    killed: str = ""
    absence: str = "missing"
    complaint: str = ""
    cpu_starved: bool = False
    machine_fault: str = ""


def useful_line(errors: str) -> str:
    """Return the line of standard error that describes the error, in printable characters, or "".

    This is the exception of Python's last traceback, else the first line about an error, else the first line; a warning
    is returned only if there is no other line. Control characters and the places in a Java stack trace are removed, and
    a long line is cut.

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
    """Return the result of useful_line(), and for Python and Java the place of the error in the agent's own files.

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
    missing = "; no such module is beside the file" if alone and _NO_MODULE.match(message) else ""
    return f"{message}{where}{missing}"


def _clean(line: str) -> str:
    # Unicode's categories that begin with C: control characters, changes of text direction, and non-characters.
    return "".join(
        " " if sign == "\t" else sign for sign in line if sign == "\t" or unicodedata.category(sign)[0] != "C"
    ).strip()
