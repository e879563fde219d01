"""A contestant's answer for one move."""

import re
import unicodedata
from typing import NamedTuple

#: As much of a program's last words as anyone reads.
_MOST_WORDS = 200

#: What a terminal takes for a command: colours, cursor movements, titles.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")

#: Lines of Java's that say where and not what.
_WHERE = re.compile(r"at [\w.$/<>]+\(.*\)|\.\.\. \d+ more")

#: The places that a traceback of Python's names, the last one being where it happened, and one of Java's, the first.
_PYTHON_FRAME = re.compile(r'^ *File "([^"\n]+)", line (\d{1,9})', re.MULTILINE)
_JAVA_FRAME = re.compile(r"^\s*at (?![\w.]+/)[\w.$<>]+\(([\w$]+\.java):(\d{1,9})\)", re.MULTILINE)

#: Files of Python itself.
_LIBRARY = re.compile(r"/lib/python[\d.]*/|^<")

#: As much of a file's name as anyone reads.
_MOST_NAME = 40

_NO_MODULE = re.compile("ModuleNotFoundError: No module named ")


class Reply(NamedTuple):
    """A contestant's answer for one move.

    text: what ``output.txt`` reads, or None without an answer.
    cpu: seconds, user + system.
    killed: whether the contestant was killed for time, with or without an answer.
    absence: why there is no answer: ``missing``, ``timeout``, ``resigned`` or, from a GTP engine, ``malformed``.
    complaint: what went wrong in the contestant's own words, "" without any.
    """

    text: str | None
    cpu: float
    killed: bool = False
    absence: str = "missing"
    complaint: str = ""


def last_line(errors: str) -> str:
    """Return the last line of a program's standard error that says something, fit for any terminal; "" without one.

    Control characters are left out, and Java's lines on where an exception comes from. A long line is cut.

    >>> last_line("Traceback\\n\\x1b[31mNameError: name 'x'\\x1b[0m\\n\\n")
    "NameError: name 'x'"
    """
    lines = [_clean(line) for line in re.split(r"[\r\n]", _ESCAPES.sub("", errors))]
    said = [line for line in lines if line and not _WHERE.fullmatch(line)]
    return said[-1][:_MOST_WORDS] if said else ""


def last_words(errors: str, alone: bool = False) -> str:
    """Return last_line(), and for a Python or Java program the place in its own files that an exception comes from.

    alone: the program is a file without its directory; then a Python module that is not there is most often beside it.

    >>> last_words('  File "/agent/mine.py", line 7, in <module>\\n    x\\nNameError: x')
    'NameError: x (mine.py, line 7)'
    >>> last_words('Exception: no\\n\\tat java.base/java.util.List.get(List.java:1)\\n\\tat Mine.main(Mine.java:9)')
    'Exception: no (Mine.java, line 9)'
    """
    told = last_line(errors)
    frames = [*_PYTHON_FRAME.findall(errors)[::-1], *_JAVA_FRAME.findall(errors)]
    file, line = next(((file, line) for file, line in frames if not _LIBRARY.search(file)), ("", ""))
    where = f" ({_clean(file.rpartition('/')[2])[:_MOST_NAME]}, line {line})" if told and file else ""
    missing = (
        "; an agent's modules come along when it is given as a directory" if alone and _NO_MODULE.match(told) else ""
    )
    return f"{told}{where}{missing}"


def _clean(line: str) -> str:
    # Categories C: control characters, those that turn the writing round, and what is no character.
    return "".join(
        " " if sign == "\t" else sign for sign in line if sign == "\t" or unicodedata.category(sign)[0] != "C"
    ).strip()
