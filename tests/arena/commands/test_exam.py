"""The command ``little-go exam``, as a user calls it."""

import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from little_go.__main__ import main
from little_go.arena.exam.marking import ExamCandidate, MarkedAnswer
from little_go.arena.exam.paper import POSITIONS_FILE, TEST_FILE, TOPICS, ExamQuestion, read_paper
from little_go.book.files.reader import read_book
from little_go.notation.record import from_record
from little_go.solver.family import COURSE

ROOT = Path(__file__).parents[3]


def exam(*words: str) -> Result:
    return CliRunner().invoke(main, ["exam", *words])


def test_points_by_theme() -> None:
    done = exam("greedy", "--positions", "16", "--full")
    assert done.exit_code == 0
    assert "total" in done.stdout.splitlines()[-1]
    assert all(theme in done.stdout for theme in TOPICS)


def test_the_help_text_lists_the_themes() -> None:
    assert f"THEME is one of these: {', '.join(TOPICS)}." in " ".join(exam("--help").stdout.split())


def test_one_theme_alone() -> None:
    record = json.loads(exam("random", "--theme", "endgames", "--json").stdout)
    assert [each["theme"] for each in record["themes"]] == ["endgames"]
    assert record["full_points"] == sum(question.theme == "endgames" for question in read_paper().single)
    assert 0 < record["points"] < record["full_points"]


def test_a_program_that_counts_gets_the_calls_before_and_is_told_once(tmp_path: Path) -> None:
    counting = tmp_path / "counting.py"
    counting.write_text("open('count', 'a').write('x')\nopen('output.txt', 'w').write('PASS')\n")
    done = exam(str(counting), "--positions", "8", "--json")
    assert json.loads(done.stdout)["calls_before"] is True
    assert done.stderr.count("leaves files behind") == 1


def test_files_are_written(tmp_path: Path) -> None:
    page, folder = tmp_path / "page.html", tmp_path / "tests"
    done = exam("greedy", "--positions", "8", "--html", str(page), "--fixtures", str(folder))
    assert done.exit_code == 0
    assert page.read_text().startswith("<!doctype html>")
    assert {path.name for path in folder.iterdir()} == {POSITIONS_FILE, TEST_FILE}
    assert len(json.loads((folder / POSITIONS_FILE).read_text())["positions"]) == 8


def test_our_player_answers_some_right() -> None:
    record = json.loads(exam(str(ROOT / "my_player3.py"), "--positions", "8", "--json").stdout)
    assert record["points"] == record["full_points"] == 8


@pytest.mark.long
def test_our_player_errs_only_where_its_book_ends() -> None:
    """The whole games of the paper are logged ones, so they leave its book before it can search to the end."""
    record = json.loads(exam(str(ROOT / "my_player3.py"), "--json").stdout)
    book = read_book(str(ROOT / "book.json"), COURSE)
    wrong = [from_record(each["position"], COURSE) for each in record["answers"] if not each["right"]]
    assert len(wrong) < 10
    assert [position for position in wrong if position.ply > 5 or book.get(position) is not None] == []


@pytest.mark.long
def test_championship_is_next_to_perfect() -> None:
    record = json.loads(exam("championship", "--json").stdout)
    assert record["built_in"]["alphabeta"] < record["points"] < record["full_points"]


def be_killed(examinee: ExamCandidate, sitting: Sequence[ExamQuestion]) -> list[MarkedAnswer]:
    """Kill the worker that calls the agent, as the system does if memory is exhausted."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_a_killed_worker_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("little_go.arena.exam.marking.ask", be_killed)
    done = exam("greedy", "--positions", "2", "--workers", "2")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "Error: a worker was killed, 6 times at the same work: start the same command again\n"
