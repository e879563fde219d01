"""Commands of ours beside a test, which can interrupt them, or inside it, which spares a start of Python."""

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import click
from click.testing import CliRunner

ROOT = Path(__file__).parents[1]


def start(*command: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start ``python -m`` a command, all its streams being pipes; an interrupt ends it as Ctrl-C does."""
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Where the tests run in the background, children ignore interrupts unless told otherwise.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


#: Runs each argument as a command, ROOM WORD..., and prints its exit code, what it printed and what went wrong in JSON.
_TOGETHER = """
import json, sys
from click.testing import CliRunner
from tests.groups import group_of
done = []
for command in sys.argv[1:]:
    room, *words = command.split()
    result = CliRunner().invoke(group_of(room), words)
    fault = None if isinstance(result.exception, SystemExit) or result.exception is None else repr(result.exception)
    done.append((result.exit_code, result.stdout, result.stderr, fault))
print(json.dumps(done))
"""


def run_together(folder: Path, *commands: str, timeout: float = 120) -> "list[subprocess.CompletedProcess[str]]":
    """Run commands one after the other in one process beside this one, which is ended when it takes too long.

    Raises subprocess.TimeoutExpired, and AssertionError for what would be a traceback.
    """
    words = [sys.executable, "-c", _TOGETHER, *commands]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout.splitlines()[-1])
    assert [fault for *_, fault in answers if fault] == []
    pairs = zip(commands, answers, strict=True)
    return [subprocess.CompletedProcess(command, code, out, err) for command, (code, out, err, _) in pairs]


def run_inside(main: click.Command, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in this process, and tell what a process of its own would have printed and returned."""
    log = logging.getLogger("little_go.generator")
    handlers = [*log.handlers]
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    log.handlers[:] = handlers
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)
