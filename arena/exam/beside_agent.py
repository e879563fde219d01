"""Test an agent with the positions of exam_positions.json: ``pytest test_exam.py``.

``little-go exam --fixtures`` wrote this file, which does not need Little-Go. The tests look for the agent's file, which
exam_positions.json names, in this folder and in the folder above. To test another agent, set the environment variable
LITTLE_GO_AGENT to its path.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
FILE = HERE / "exam_positions.json"
EXAM: dict[str, Any] = json.loads(FILE.read_text("utf-8")) if FILE.is_file() else {"positions": []}

#: Maximum seconds of wall-clock time for a move.
PATIENCE = 30


def agent() -> Path:
    """Return the path of the agent's file."""
    named = os.environ.get("LITTLE_GO_AGENT")
    places = [Path(named)] if named else [HERE / EXAM["agent"], HERE.parent / EXAM["agent"]]
    found = [path.resolve() for path in places if path.is_file()]
    assert found, "no agent: put {} here, or set LITTLE_GO_AGENT".format(" or ".join(map(str, places)))
    return found[0]


def lay_out(program: Path, folder: Path) -> list[str]:
    """Copy the agent's whole folder, or the agent with its book and modules, and return the agent's command."""
    if EXAM["whole"]:
        shutil.copytree(str(program.parent), str(folder), ignore=shutil.ignore_patterns(".*", "__pycache__"))
    else:
        folder.mkdir()
        for path in {program, program.with_name("book.json"), *program.parent.glob("*.py")}:
            if path.is_file():
                shutil.copy(str(path), str(folder))
    return [sys.executable, program.name] if program.suffix == ".py" else [str(folder / program.name)]


def ask(command: list[str], folder: Path, text: str) -> str:
    """Call the agent as the course's host does, and return the content of output.txt."""
    (folder / "input.txt").write_text(text)
    output = folder / "output.txt"
    if output.exists():
        output.unlink()
    subprocess.run(command, cwd=str(folder), timeout=PATIENCE, stdout=subprocess.DEVNULL)
    assert output.is_file(), "the agent wrote no output.txt"
    return output.read_text().strip()


@pytest.mark.parametrize("position", EXAM["positions"], ids=[each["name"] for each in EXAM["positions"]])
def test_the_move_is_right(position: dict[str, Any], tmp_path: Path) -> None:
    """Check that the agent answers with one of the accepted moves."""
    folder = tmp_path / "agent"
    command = lay_out(agent(), folder)
    for text in position["calls"] if EXAM["calls_before"] else []:
        ask(command, folder, text)
    answer = ask(command, folder, position["input"])
    accepted = ", ".join(position["accepted"])
    assert answer in position["accepted"], "\n".join([*position["board"], "right: " + accepted, "not: " + answer])
