"""A signal that ends a command: what the command has made is removed first."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FunctionType

import pytest

from little_go.runtime.ctrl_c import interruptible
from tests.shell_blocks import ROOT


@pytest.mark.parametrize(("number", "ends"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)])
def test_a_signal_while_a_temporary_folder_is_made_leaves_no_folder(
    number: signal.Signals, ends: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mkdir = os.mkdir

    def mkdir_with_signal(path: str, mode: int = 0o777) -> None:
        mkdir(path, mode)
        signal.raise_signal(number)

    def work() -> None:
        with interruptible(), TemporaryDirectory(dir=tmp_path):
            time.sleep(5)

    monkeypatch.setattr(os, "mkdir", mkdir_with_signal)
    with pytest.raises(ends):
        work()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("module", "platform"), [("weakref", sys.platform), ("_weakrefset", sys.platform), ("weakref", "win32")]
)
def test_a_signal_in_the_callback_of_a_weak_reference_is_not_lost(
    module: str, platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    calls: list[str] = []

    def remove() -> None:
        signal.raise_signal(signal.SIGINT)
        calls.append("whole")

    names = {"__name__": module, "signal": signal}
    callback = FunctionType(remove.__code__, names, closure=remove.__closure__)

    def work() -> None:
        with interruptible():
            callback()
            # On Windows, the signal does not interrupt a call that waits.
            for _ in range(500):
                time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert calls == ["whole"]


def test_ctrl_c_before_the_work_ends_the_process_and_loses_no_output() -> None:
    program = """
import signal
from little_go.runtime.ctrl_c import ending_at_once
signal.signal(signal.SIGINT, signal.default_int_handler)
with ending_at_once():
    print("printed before")
    signal.raise_signal(signal.SIGINT)
    print("went on")
"""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "printed before\n", "interrupted\n")
