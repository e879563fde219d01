"""Run the programs that a release is made by, and describe in one line how one of them failed."""

import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

#: The first line that compilers, setuptools and Python's own exceptions name an error in.
_ERROR = re.compile(r"^(?:.*[:\s])?(?:fatal )?error: ", re.MULTILINE)


class ToolError(click.ClickException):
    """A step that failed; the message is one line, ``output`` all that its program printed, which may be empty."""

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


def run_program(words: Iterable[str | Path], directory: Path, environment: Mapping[str, str]) -> str:
    """Return what a program prints; raises ToolError for one that is missing or that fails."""
    command = [str(word) for word in words]
    try:
        done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ToolError(f"{command[0]}: {error.strerror}") from None
    if done.returncode:
        printed = done.stdout + done.stderr
        failure = f"{' '.join(command)}\nended with {done.returncode}:\n{printed}"
        raise ToolError(error_line(printed) or f"{Path(command[0]).name} ended with {done.returncode}", failure)
    return done.stdout


def error_line(printed: str) -> str:
    """Return the line that names an error: the first with the word, or else the last one.

    >>> error_line("In file a.c:\\na.c:1:2: error: no b\\n1 error generated.\\nerror: gcc failed")
    'a.c:1:2: error: no b'
    >>> error_line("Traceback:\\nValueError: no b\\n")
    'ValueError: no b'
    """
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return next((line for line in lines if _ERROR.match(line)), lines[-1] if lines else "")
