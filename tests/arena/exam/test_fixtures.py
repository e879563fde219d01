"""What a student keeps beside the agent: pytest asks it the positions, without Little-Go."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arena.exam.fixtures import POSITIONS_FILE, TEST_FILE, write_fixtures
from arena.exam.paper import PASS_WINS, read_exam

QUESTIONS = [question for question in read_exam() if question.theme in (PASS_WINS, "endgames")][::24]

#: Passes at the third call of a game, or later.
COUNTING = """
import os
count = int(open("count").read()) if os.path.exists("count") else 0
open("count", "w").write(str(count + 1))
open("output.txt", "w").write("PASS" if count > 2 else "9,9")
"""


def run(folder: Path) -> tuple[int, int]:
    """Return how many tests passed and failed."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line", TEST_FILE]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    counts = {
        word: int(number) for number, word in (part.split()[:2] for part in done.stdout.splitlines()[-1].split(", "))
    }
    return counts.get("passed", 0), counts.get("failed", 0)


@pytest.mark.parametrize("with_calls", [False, True])
def test_pytest_asks_the_agent(tmp_path: Path, with_calls: bool) -> None:
    (tmp_path / "my_agent.py").write_text(COUNTING)
    paths = write_fixtures(QUESTIONS, "somewhere/my_agent.py", with_calls, tmp_path)
    assert [path.name for path in paths] == [POSITIONS_FILE, TEST_FILE]
    passes = sum("PASS" in each["accepted"] for each in json.loads(paths[0].read_text())["positions"])
    assert passes
    expected = (passes, len(QUESTIONS) - passes) if with_calls else (0, len(QUESTIONS))
    assert run(tmp_path) == expected


def test_the_agent_may_lie_in_the_folder_above(tmp_path: Path) -> None:
    (tmp_path / "my_player3.py").write_text("open('output.txt', 'w').write('PASS')")
    passes = [question for question in QUESTIONS if question.theme == PASS_WINS]
    write_fixtures(passes, "greedy", False, tmp_path / "tests")
    assert run(tmp_path / "tests") == (len(passes), 0)


def test_without_an_agent_it_says_what_is_missing(tmp_path: Path) -> None:
    write_fixtures(QUESTIONS[:1], "alice.py", False, tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", TEST_FILE], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 1
    assert "no agent: put" in done.stdout
    assert "alice.py" in done.stdout
