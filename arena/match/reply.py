"""A contestant's answer for one move."""

import re
import unicodedata
from typing import NamedTuple

#: Maximum length of a program's last words in messages.
_MOST_WORDS = 200

#: What a terminal takes for a command: colours, cursor movements, titles.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")

#: What lines say that tell of an error, and of what a program goes on after.
_ERROR = re.compile(
    "error|exception|cannot|could not|unable|fail|fatal|fault|not found|no such|denied|abort|panic|invalid|unknown",
    re.IGNORECASE,
)
_WARNING = re.compile("warning", re.IGNORECASE)

#: Lines of Java's that say where and not what.
_WHERE = re.compile(r"at [\w.$/<>]+\(.*\)|\.\.\. \d+ more")

#: The places that a traceback of Python's names, the last one being where it happened, and one of Java's, the first.
_PYTHON_FRAME = re.compile(r'^ *File "([^"\n]+)", line (\d{1,9})', re.MULTILINE)
_JAVA_FRAME = re.compile(r"^\s*at (?![\w.]+/)[\w.$<>]+\(([\w$]+\.java):(\d{1,9})\)", re.MULTILINE)

#: Files of Python itself.
_LIBRARY = re.compile(r"/lib/python[\d.]*/|^<")

#: Maximum length of a file name in messages.
_MOST_NAME = 40

_NO_MODULE = re.compile("ModuleNotFoundError: No module named ")


class Reply(NamedTuple):
    """A contestant's answer for one move.

    text: what ``output.txt`` reads, or None without an answer.
    cpu: seconds, user + system.
    killed: the limit of time for which the contestant was killed, ``cpu`` or ``wall``, with or without an answer.
    absence: why there is no answer: ``missing``, ``timeout``, ``resigned`` or, from a GTP engine, ``malformed``.
    complaint: what went wrong, in the contestant's own words if it has any.
    starved: whether it was killed only because the machine had no core for it (arena.match.limits.Report).
    """

    text: str | None
    cpu: float
    killed: str = ""
    absence: str = "missing"
    complaint: str = ""
    starved: bool = False


def useful_line(errors: str) -> str:
    """Return the line of a program's standard error that says what is wrong, fit for any terminal; "" without one.

    That is the exception of Python's last traceback, or else the first line that tells of an error, or else the first.
    Warnings come after both. Control characters are left out, and Java's lines on where an exception comes from. A long
    line is cut.

    >>> useful_line('Traceback:\\n  File "a.py", line 1\\n\\x1b[31mNameError: x\\x1b[0m\\nsee the manual\\n')
    'NameError: x'
    >>> useful_line("Picked up options\\npyenv: python3.7: command not found\\n\\nNote: see the help\\n")
    'pyenv: python3.7: command not found'
    """
    # What Python tells while it ends is not what ended it.
    text = _ESCAPES.sub("", errors.partition("\nException ignored in")[0])
    *_, last_frame = [None, *_PYTHON_FRAME.finditer(text)]
    lines = re.split(r"[\r\n]", text if last_frame is None else text[last_frame.end() :].partition("\n")[2])
    cleaned = [(line[:1].isspace(), _clean(line)) for line in lines]
    useful = [(indented, line) for indented, line in cleaned if line and not _WHERE.fullmatch(line)]
    plain = [line for indented, line in useful if not indented and not _WARNING.search(line)]
    wrong = plain if last_frame else [line for line in plain if _ERROR.search(line)]
    return next((line[:_MOST_WORDS] for line in (*wrong, *plain, *(line for _, line in useful))), "")


def useful_words(errors: str, alone: bool = False) -> str:
    """Return useful_line(), and for a Python or Java program the place in its own files that an exception comes from.

    alone: the program is a file without its directory; then a Python module that is not there is most often beside it.

    >>> useful_words('  File "/agent/mine.py", line 7, in <module>\\n    x\\nNameError: x')
    'NameError: x (mine.py, line 7)'
    >>> useful_words('Exception: no\\n\\tat java.base/java.util.List.get(List.java:1)\\n\\tat Mine.main(Mine.java:9)')
    'Exception: no (Mine.java, line 9)'
    """
    message = useful_line(errors)
    frames = [*_PYTHON_FRAME.findall(errors)[::-1], *_JAVA_FRAME.findall(errors)]
    file, line = next(((file, line) for file, line in frames if not _LIBRARY.search(file)), ("", ""))
    where = f" ({_clean(file.rpartition('/')[2])[:_MOST_NAME]}, line {line})" if message and file else ""
    missing = (
        "; an agent's modules come along when it is given as a directory" if alone and _NO_MODULE.match(message) else ""
    )
    return f"{message}{where}{missing}"


def _clean(line: str) -> str:
    # Categories C: control characters, those that turn the writing round, and what is no character.
    return "".join(
        " " if sign == "\t" else sign for sign in line if sign == "\t" or unicodedata.category(sign)[0] != "C"
    ).strip()
