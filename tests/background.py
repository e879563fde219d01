"""Run the project's commands for a test: in another process, which can be interrupted, or in this process, which is
faster.
"""

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
    """Start ``python -m`` with a command; all its streams are pipes, and an interrupt ends it as Ctrl-C does."""
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # If the tests run in the background, child processes ignore interrupts by default.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


#: A program that runs each argument as a command, ROOM WORD…, and prints in JSON its exit code, its output and its
#: error.
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
    """Run commands one after the other in one other process, which is killed if it takes too long.

    Raises subprocess.TimeoutExpired, and AssertionError if a command would print a traceback.
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
    """Run a command in this process, and return the output and exit code that a separate process would have."""
    log = logging.getLogger("little_go.generator")
    handlers = [*log.handlers]
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    log.handlers[:] = handlers
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)
