"""An exam as tests for a student's agent: the positions as JSON, and a file for pytest."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena.exam.paper import ExamQuestion
from arena.match.host import input_text
from arena.match.programs import NAMES
from runtime.files import MIB, read_text, write_whole
from solver.position import move_name

#: The files written; the second asks the agent.
POSITIONS_FILE, TEST_FILE = "exam_positions.json", "test_exam.py"

#: The source of the second.
_CODE = Path(__file__).with_name("beside_agent.py")


def write_fixtures(questions: Iterable[ExamQuestion], agent: str, with_calls: bool, folder: Path) -> list[Path]:
    """Write both files into a folder, each whole or not at all, and return their paths; raises OSError.

    agent: as on the command line; for one that is not a file, the tests ask the course's file name. with_calls: whether
    it gets the calls of the game before each position.
    """
    path = Path(agent)
    content = {
        "agent": NAMES[0] if path.is_dir() or not path.suffix else path.name,
        "whole": path.is_dir(),
        "calls_before": with_calls,
        "positions": [_record(question) for question in questions],
    }
    folder.mkdir(parents=True, exist_ok=True)
    files = {POSITIONS_FILE: json.dumps(content, indent=1) + "\n", TEST_FILE: read_text(_CODE, MIB)}
    for name, text in files.items():
        write_whole(folder / name, text)
    return [folder / name for name in files]


def _record(question: ExamQuestion) -> dict[str, Any]:
    *before, asked = question.states
    return {
        "name": f"{question.number:03} {question.theme}, {question.topic}",
        "board": question.position.diagram().split("\n"),
        "input": input_text(asked),
        "calls": [input_text(state) for state in before if state.position.mover == asked.position.mover],
        "accepted": list(map(move_name, question.accepted)),
    }
