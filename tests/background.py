"""Commands of ours beside a test, which can interrupt them, or inside it, which spares a start of Python."""

import logging
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


def run_inside(main: click.Command, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in this process, and tell what a process of its own would have printed and returned."""
    log = logging.getLogger("generator")
    handlers = [*log.handlers]
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    log.handlers[:] = handlers
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)
