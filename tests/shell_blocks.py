"""Run the blocks of commands in the documents, and compare the output with the shown output.

The convention for writers of documents:

- In a block marked ``console``, a line ``$ COMMAND`` is a command for bash; ``\\\\`` at its end continues it. The lines
  up to the next command are its standard output, or its standard output and standard error together. If there are no
  lines, the command must only succeed.
- A line ``…`` stands for any lines, and ``…`` within a line for any text. A time, such as ``0.11 s`` or ``1 min 2 s``,
  stands for any time, and any number of blanks for any other number of blanks.
- A command must fail if a line of its shown output starts with ``Error:`` or ``Usage:``, and must succeed otherwise.
- A command is not run if its comment gives a reason: ``# 4 min``, ``# 2 h``, ``# minutes``, ``# until Ctrl-C``, ``#
  asks …``, ``# needs …``, ``# on …``. A block is not run if the line above it is ``<!-- not run: WHY -->``.
- If the comment states the seconds of a command, ``# 20 s``, only the long tests run it.
- A block marked ``python`` is run too. With ``>>>`` it is a doctest.

All blocks of a document run in one directory, in their order, and its Python blocks in one interpreter. Each console
block has a shell of its own.

Commands that are not run, and commands in prose (`` `little-go COMMAND --OPTION` ``), may have only options that exist.
"""

import contextlib
import doctest
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]

#: The documents whose blocks are run.
DOCUMENTS = sorted(
    path.relative_to(ROOT)
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("data/*.md")]
    if path.name not in ("CHANGELOG.md", "DECISIONS.md")
)

#: The program that a reader's machine may lack.
_OPTIONAL = "bwrap"

#: The sign that stands for any text.
ANYTHING = "…"

#: The number of seconds after which a hanging command is killed.
_PATIENCE = 900

#: Files of a clone that a new clone does not have. Compiled files are kept, including Python's. `*.pyc.*` is the name
#: of a compiled file while another process writes it.
_NOT_FRESH = (
    "*.pyc.*",
    ".git",
    ".venv*",
    ".*_cache",
    ".hypothesis",
    "build",
    "demo",
    "*.db",
    "*.db-*",
    "*.log",
    "*.tmp",
)

_FENCE = re.compile(
    r"^(?:<!-- not run: (?P<why>[^\n]*) -->\n)?```(?P<kind>console|python)\n(?P<body>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_NOT_RUN = re.compile(r"\s# (?:.*?\d\+? ?(?:min|h)\b|(?:.*, )?needs |minutes|hours|until |asks |on )")
_SECONDS = re.compile(r"\s# \d+ s\b")
_TIME = re.compile(r"\d[\d,.]* +(?:µs|ms|s|min|h)\b(?: +\d[\d,.]* +(?:µs|ms|s|min|h)\b)*")
_ANY_TIME = r"\d[\d,.]* +(?:µs|ms|s|min|h)\b(?: +\d[\d,.]* +(?:µs|ms|s|min|h)\b)*"
_MARK = "<<end of command {}: "


class Step(NamedTuple):
    """A command with its shown output, or a Python block.

    line: its line in the document, from 1. why: the reason why it is not run, or "" if it is run. long: whether it
    takes long.
    """

    kind: str
    line: int
    command: str
    shown: str
    why: str
    long: bool = False


class Block(NamedTuple):
    """The steps of a block. The steps of a console block share a shell."""

    kind: str
    steps: list[Step]


def blocks_of(text: str) -> list[Block]:
    """Return the blocks of a document for a shell or for Python, in order."""
    return [_block(found, text) for found in _FENCE.finditer(text)]


def _block(found: re.Match[str], text: str) -> Block:
    kind, why, body = found["kind"], found["why"] or "", found["body"]
    line = text.count("\n", 0, found.start("body")) + 1
    if kind == "python":
        return Block(kind, [Step(kind, line, body, "", why)])
    return Block(kind, list(_commands(body.splitlines(), line, why)))


def _commands(lines: list[str], first: int, why: str) -> Iterator[Step]:
    at = 0
    while at < len(lines):
        start = at
        if not lines[at].startswith("$ "):
            raise ValueError(f"line {first + at}: output without a command: {lines[at]!r}")
        while lines[at].endswith("\\"):
            at += 1
        end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("$ ")), len(lines))
        command = "\n".join(lines[start : at + 1]).removeprefix("$ ")
        said = _NOT_RUN.search(command)
        shown = "\n".join(lines[at + 1 : end])
        long = _SECONDS.search(command) is not None
        yield Step("console", first + start, command, shown, why or (said[0].strip() if said else ""), long)
        at = end


def must_fail(step: Step) -> bool:
    """Return whether the shown output is the output of a command that fails."""
    return re.search(r"^(?:Error|Usage):", step.shown, re.MULTILINE) is not None


def fits(shown: str, output: str) -> bool:
    """Return whether an output matches the shown output; every output matches if none is shown."""
    if not shown:
        return True
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == ANYTHING else _line_pattern(line) + r" *\n" for line in shown.splitlines()
    )
    # Documents omit trailing blank lines.
    return re.fullmatch(pattern, "\n".join(output.rstrip().splitlines()) + "\n") is not None


def _line_pattern(line: str) -> str:
    """Return a regular expression for a shown line of output."""
    pattern, at, line = "", 0, line.rstrip()
    for found in _TIME.finditer(line):
        pattern += _text_pattern(line[at : found.start()]) + _ANY_TIME
        at = found.end()
    return pattern + _text_pattern(line[at:])


def _text_pattern(text: str) -> str:
    parts = (re.split(r" +", part) for part in text.split(ANYTHING))
    return ".*".join(" +".join(map(re.escape, words)) for words in parts)


def lay_out(directory: Path) -> None:
    """Make a directory like a fresh clone after ``make setup``."""
    shutil.copytree(ROOT, directory, ignore=shutil.ignore_patterns(*_NOT_FRESH), symlinks=True)
    # The environment consists of links, but has its own marks for make. If the sources here were newer than the real
    # marks, make would install this clone into the real environment.
    (directory / ".venv").mkdir()
    for entry in Path(sys.prefix).glob("[!.]*"):
        (directory / ".venv" / entry.name).symlink_to(entry)
    for mark in (".packages", ".kernel"):
        (directory / ".venv" / mark).touch()


def run_document(blocks: list[Block], directory: Path, long: bool = False) -> list[str]:
    """Run the blocks in a directory; return a text for each step whose output differs.

    long: whether to run the long steps too.
    """
    wrong: list[str] = []
    with Interpreter(directory) as interpreter:
        for block in blocks:
            todo = [step for step in block.steps if not step.why and (long or not step.long)]
            if not todo:
                continue
            if block.kind == "python":
                wrong += [_report(step, problem) for step in todo if (problem := interpreter.run(step.command))]
            else:
                wrong += _run_console(todo, directory)
    return wrong


def _report(step: Step, problem: str) -> str:
    return f"line {step.line}: {step.command.strip()}\n{problem}"


def _run_console(steps: list[Step], directory: Path) -> Iterator[str]:
    output, errors = _shell(steps, directory)
    for number, step in enumerate(steps):
        mark = "\n" + _MARK.format(number)
        said, found, rest = output.partition(mark)
        complaints, _, errors = errors.partition(mark + "\n")
        if not found:
            yield _report(step, f"ended the shell, or took more than {_PATIENCE} s:\n{said}{complaints}")
            return
        code, _, output = rest.partition(">>\n")
        if (code != "0") != must_fail(step):
            yield _report(step, f"exit code {code}:\n{said}{complaints}")
        elif not any(fits(step.shown, text) for text in (said, said + complaints, complaints + said)):
            yield _report(step, f"--- shown:\n{step.shown}\n--- now:\n{said}{complaints}")


def _shell(steps: list[Step], directory: Path) -> tuple[str, str]:
    """Run commands in one shell; return their standard output and standard error, with a mark after each command."""
    marks = (
        f"printf '\\n{_MARK.format(number)}%s>>\\n' $?; printf '\\n{_MARK.format(number)}\\n' >&2"
        for number in range(len(steps))
    )
    script = "\n".join(f"{step.command}\n{mark}" for step, mark in zip(steps, marks, strict=True))
    shell = subprocess.Popen(
        ["bash", "-c", script],
        cwd=directory,
        env=environment(directory),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        return shell.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(shell.pid, signal.SIGKILL)
        return shell.communicate()


def _without(program: str, folder: Path, place: Path) -> Path:
    """Return a folder of PATH, or if it contains a program, a new folder with links to all other programs."""
    if not (folder / program).exists():
        return folder
    links = place / f"programs{str(folder).replace(os.sep, '-')}"
    if not links.exists():
        links.mkdir()
        for each in folder.iterdir():
            if each.name != program:
                (links / each.name).symlink_to(each)
    return links


def environment(directory: Path) -> dict[str, str]:
    """Return the variables of a command in a directory of lay_out()."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON", "LITTLE_GO"))}
    found = os.environ["PATH"].split(os.pathsep)
    # bubblewrap is optional, so the blocks of a document must not need it.
    found = [str(_without(_OPTIONAL, Path(each), directory.parent)) for each in found]
    path = os.pathsep.join([str(Path(sys.executable).parent), *found, "/usr/games"])
    return kept | {"PATH": path, "COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb", "PYTHONPATH": str(directory)}


class Interpreter:
    """A separate process of Python that runs blocks one after another. It is started for the first block."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Interpreter":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.communicate()

    def run(self, source: str) -> str:
        """Run a block; return a description of the fault, or ""."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, __file__],
                cwd=self._directory,
                env=environment(self._directory),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(source) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        return json.loads(answer) if answer else "the interpreter ended"


def _serve() -> None:
    """Read blocks as lines of JSON from standard input, run them, and print for each a line of JSON with the fault."""
    # The folder of this file is removed from the path, because its packages have the names of the tested packages.
    sys.path[0] = os.getcwd()
    answers, names = os.fdopen(os.dup(1), "w"), {"__name__": "__main__"}
    for line in sys.stdin:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            problem = _attempt(json.loads(line), names)
        print(json.dumps(f"{problem}\n{said.getvalue()}" if problem else ""), file=answers, flush=True)


def _attempt(source: str, names: dict[str, Any]) -> str:
    try:
        if ">>> " not in source:
            exec(compile(source, "<block>", "exec"), names)
            return ""
        # doctest compares in ASCII.
        doctest.ELLIPSIS_MARKER = ascii(ANYTHING)[1:-1]  # type: ignore[misc]
        example = doctest.DocTestParser().get_doctest(source, names, "block", None, 0)
        # get_doctest() copies the globals, so they are assigned here.
        example.globs = names
        failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, clear_globs=False)
    except Exception:
        return traceback.format_exc()
    return "not as shown" if failed else ""


if __name__ == "__main__":
    _serve()
