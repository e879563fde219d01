"""Sound programs that count their calls in a file, in five ways, are called so that their counts are right."""

import json
import sys
from pathlib import Path

import pytest

from little_go.arena.exam.outcome import ExamOutcome, sit
from little_go.arena.exam.paper import read_paper
from little_go.arena.match.host import input_text
from little_go.arena.match.limits import Limits
from little_go.arena.standings.entrants import Entrant, Terms
from little_go.solver.family import COURSE
from little_go.solver.position import move_name

pytestmark = pytest.mark.system

PAPER = read_paper()

#: A program that looks up its answer by its count of calls and by the input. If the count is wrong, it finds no answer.
PROGRAM = """
import json, os
text = open("input.txt").read()
colour, rows = text[0], text.split()[1:]
stones = "".join(rows[5:]).count("1") + "".join(rows[5:]).count("2")
first = stones == (0 if colour == "1" else 1) and "".join(rows[:5]).strip("0") == ""
{habit}
answers = json.load(open("book.json"))
open("output.txt", "w").write(answers.get("%d %s" % (count, text), "PASS"))
"""

HABITS = {
    "a number from the first call on": """
count = int(open("count").read()) + 1 if os.path.exists("count") else 0
open("count", "w").write(str(count))
""",
    "a line for each call": """
open("calls.log", "a").write("x\\n")
count = open("calls.log").read().count("x") - 1
""",
    "begun again at each first move": """
count = 0 if first else int(open("step").read()) + 1
open("step", "w").write(str(count))
""",
    "by colour": """
steps = json.load(open("steps.json")) if os.path.exists("steps.json") else {}
count = steps[colour] = steps.get(colour, -1) + 1
json.dump(steps, open("steps.json", "w"))
""",
    "the boards seen": """
os.makedirs("seen", exist_ok=True)
count = len(os.listdir("seen"))
open("seen/%d" % count, "w").write(text)
""",
}


def examined(folder: Path, habit: str) -> ExamOutcome:
    answers = {
        f"{len(question.way) // 2} {input_text(question.states[-1])}": move_name(question.accepted[0])
        for question in PAPER.whole_games
    }
    (folder / "agent.py").write_text(PROGRAM.replace("{habit}", HABITS[habit]))
    (folder / "book.json").write_text(json.dumps(answers))
    path = str(folder / "agent.py")
    return sit(Entrant(path, path), Terms(COURSE, Limits(10.0, 60.0), sys.executable), PAPER, workers=2)


@pytest.mark.parametrize(
    "habit", [pytest.param(name, marks=[pytest.mark.long] if index >= 1 else []) for index, name in enumerate(HABITS)]
)
def test_a_sound_program_that_counts_has_no_fault(tmp_path: Path, habit: str) -> None:
    outcome = examined(tmp_path, habit)
    assert outcome.with_calls
    assert len(outcome.answers) == len(PAPER.whole_games)
    assert outcome.wrong == []
    assert list(outcome.diagnosis.lines()) == ["No fault found."]
