"""If a worker of a command is killed at a random instant, the output stays the same."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import psutil
import pytest

from tests.shell_blocks import ROOT

PROGRAM = "open('output.txt', 'w').write('2,2')\n"

#: The maximum number of seconds of a command.
MOST = 200

#: Each command whose workers are processes, and the maximum number of seconds after its first worker starts when a
#: worker is killed; {place} is a separate folder. solve, run and atlas are missing because they search in threads, and
#: certificate because it checks like check.
COMMANDS = {
    "exam": ("exam greedy --positions 40 --workers 2 --json", 0.3),
    "tournament": ("tournament greedy random --games 100 --seed 1 --workers 2", 0.5),
    "check": ("check after-1-2-at-most-0 --sample 2000 --workers 2", 2.0),
    "class": ("class {place}/in --scheme 2020 --games 1 --no-sandbox --workers 2 --json --out {place}/out", 3.0),
    "grade": ("grade greedy --games 1 --workers 2", 1.0),
    "closure": (
        "generator closure --plies 14 --colour white --left 13 --workers 2 --table 16MiB --db {place}/a.db",
        1.0,
    ),
    "verify": (
        "proof verify --player {place}/made/my_player3.py --book {place}/made/book.json --colour white --workers 2",
        0.3,
    ),
    "make": ("make --plies 14 --komi 0.5 --out {place}/made --workers 2 --table 16MiB", 4.0),
}

#: By command, the command that makes its input files.
BEFORE = {
    "closure": "solve --plies 14 --workers 1 --table 16MiB --db {place}/a.db",
    "verify": "make --plies 16 --komi 6.5 --out {place}/made --workers 2 --table 16MiB",
}


class TooLate(Exception):
    """The command had ended before a worker was killed."""


def answer(name: str, place: Path, kill: float | None) -> str:
    """Return the output of a command. kill: the seconds after its first worker when a worker is killed, or None.

    Raises TooLate.
    """
    words, _ = COMMANDS[name]
    (place / "in" / "ann").mkdir(parents=True)
    (place / "in" / "ann" / "my_player3.py").write_text(PROGRAM)
    if name in BEFORE:
        subprocess.run(command(BEFORE[name], place), cwd=ROOT, check=True, capture_output=True, timeout=MOST)
    process = subprocess.Popen(
        command(words, place), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        try:
            killed = kill is not None and kill_a_worker(process.pid, kill)
            printed, errors = process.communicate(timeout=MOST)
        finally:
            process.kill()
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    if kill is not None and not killed:
        raise TooLate
    # The lines of a closure's levels go to standard error.
    levels = re.findall(r"white, ply.*", errors) if name == "closure" else []
    return re.sub(
        r"CPU.*|\"seconds\".*|\"?cpu.*|[0-9.]+ (m?s|min|nodes|M nodes)\b.*|proof\.db: .*",
        "",
        "\n".join([printed, *levels]).replace(str(place), ""),
    )


def command(words: str, place: Path) -> list[str]:
    return [sys.executable, "-m", "little_go", *words.format(place=place).split()]


def kill_a_worker(parent: int, after: float) -> bool:
    """Kill a worker of a process, a few seconds after the first one has started."""
    deadline = time.monotonic() + MOST
    while time.monotonic() < deadline:
        if not psutil.pid_exists(parent) or psutil.Process(parent).status() == psutil.STATUS_ZOMBIE:
            return False
        if workers := workers_of(parent):
            time.sleep(after)
            for worker in workers_of(parent) or workers:
                try:
                    os.kill(worker, signal.SIGKILL)
                except ProcessLookupError:
                    continue
                return True
            return False
        time.sleep(0.01)
    return False


def workers_of(parent: int) -> list[int]:
    """Return the IDs of the processes that a command has forked."""
    try:
        mine = psutil.Process(parent).cmdline()
        return [child.pid for child in psutil.Process(parent).children() if child.cmdline() == mine]
    except psutil.Error:
        return []


@pytest.mark.system
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 10))])
@pytest.mark.parametrize(
    "name",
    [each if each in ("exam", "tournament") else pytest.param(each, marks=pytest.mark.long) for each in COMMANDS],
)
def test_a_killed_worker_changes_no_answer(name: str, seed: int, tmp_path: Path) -> None:
    after = Random(f"{name} {seed}").uniform(0, COMMANDS[name][1])
    for attempt in range(8):
        try:
            killed = answer(name, tmp_path / f"killed-{attempt}", after / 2**attempt)
            break
        except TooLate:
            # On a fast machine the command ends before the kill, so the next attempt kills earlier.
            continue
    else:
        pytest.fail("the command had ended each time")
    assert killed == answer(name, tmp_path / "whole", None)
