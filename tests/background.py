"""Commands of ours beside a test, which can interrupt them."""

import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

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
