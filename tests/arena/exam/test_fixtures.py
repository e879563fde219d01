"""The files that a student keeps next to the agent: pytest calls the agent for the positions, without Little-Go."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from little_go.arena.exam.paper import PASS_WINS, POSITIONS_FILE, TEST_FILE, write_fixtures
from tests.shipped import exam_questions

QUESTIONS = [question for question in exam_questions() if question.theme in (PASS_WINS, "endgames")][::24]

#: An agent that passes at the third call of a game and later.
COUNTING = """
import os
count = int(open("count").read()) if os.path.exists("count") else 0
open("count", "w").write(str(count + 1))
open("output.txt", "w").write("PASS" if count > 2 else "9,9")
"""


#: The folders of students, and whether the agent in each gets the calls before a position.
FOLDERS = {"counting": True, "at once": False}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The students' folders, and the text that pytest prints about all of them in one run."""
    root = tmp_path_factory.mktemp("students")
    for name, with_calls in FOLDERS.items():
        paths = write_fixtures(QUESTIONS, "somewhere/my_agent.py", with_calls, root / name)
        assert [path.name for path in paths] == [POSITIONS_FILE, TEST_FILE]
        (root / name / "my_agent.py").write_text(COUNTING)
    passes = [question for question in QUESTIONS if question.theme == PASS_WINS]
    write_fixtures(passes, "greedy", False, root / "above" / "tests")
    (root / "above" / "my_player3.py").write_text("open('output.txt', 'w').write('PASS')")
    write_fixtures(QUESTIONS[:1], "alice.py", False, root / "missing")
    files = [str(path.relative_to(root)) for path in sorted(root.rglob(TEST_FILE))]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "-rA", *files]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    return root, done.stdout


def count(asked: tuple[Path, str], folder: str) -> tuple[int, int]:
    """Return the numbers of tests of a folder that passed and failed."""
    words = re.findall(rf"^(PASSED|FAILED) {folder}/", asked[1], re.MULTILINE)
    return words.count("PASSED"), words.count("FAILED")


@pytest.mark.parametrize("name", FOLDERS)
def test_pytest_asks_the_agent(asked: tuple[Path, str], name: str) -> None:
    positions = json.loads((asked[0] / name / POSITIONS_FILE).read_text())["positions"]
    passes = sum("PASS" in each["accepted"] for each in positions)
    assert passes
    assert count(asked, name) == ((passes, len(QUESTIONS) - passes) if FOLDERS[name] else (0, len(QUESTIONS)))


def test_the_agent_may_lie_in_the_folder_above(asked: tuple[Path, str]) -> None:
    passes = [question for question in QUESTIONS if question.theme == PASS_WINS]
    assert count(asked, "above/tests") == (len(passes), 0)


def test_without_an_agent_it_says_what_is_missing(asked: tuple[Path, str]) -> None:
    assert count(asked, "missing") == (0, 1)
    assert "no agent: put" in asked[1]
    assert "alice.py" in asked[1]
