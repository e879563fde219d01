"""What the staff and the students get for a class: points that the staff gives, tables for uploads, and reviews."""

import base64
import csv
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from little_go.arena.classroom import database
from little_go.arena.classroom.basis import Basis, Cause
from little_go.arena.classroom.canvas import BadExport, canvas_table, read_canvas_export
from little_go.arena.classroom.database import StudentGames, games_of, review_game, student_review
from little_go.arena.classroom.gradebook import (
    StudentRow,
    gradescope_autograder,
    points_apart,
    rows_of,
    with_regrades,
)
from little_go.arena.classroom.plan import ClassPlan
from little_go.arena.classroom.staff_tables import Regrade
from little_go.arena.classroom.starts import Start, start_program
from little_go.arena.classroom.submissions import AgentProgram, Submission
from little_go.arena.course.course_file import course_of
from little_go.arena.review.reading import from_record
from little_go.arena.review.review import Evaluator, review
from little_go.arena.standings.entrants import Entrant, Terms
from little_go.arena.standings.tournament import Fixture, Record, play_fixture, record_of
from little_go.solver.family import COURSE
from tests.arena.classroom.page_text import PageText
from tests.arena.classroom.scripted import PROGRAM, WON_BY_BLACK, WON_BY_WHITE, ScriptedClass
from tests.arena.classroom.test_class import asked, gradebook, student_page

#: A class in which Ann wins all games, ben wins half, and cid and dee win none.
PROGRAMS = {f"{name}/my_player3.py": PROGRAM.format(name=name) for name in ("Ann Lee", "ben", "cid", "dee")}


def script(fixture: Fixture) -> str:
    black, white = fixture[:2]
    for name, wins in (("Ann Lee", True), ("ben", "random" in (black, white)), ("cid", False), ("dee", False)):
        if name in (black, white):
            return WON_BY_BLACK if wins == (name == black) else WON_BY_WHITE
    raise AssertionError


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> ScriptedClass:
    """The class, with the first points that the staff gave."""
    folder = tmp_path_factory.mktemp("audiences")
    found = ScriptedClass(folder, script, PROGRAMS)
    (folder / "regrade.csv").write_text("student;points;reason\ncid;25;Was ill <and> said so.\ndee;12,5;x\n")
    refused = found.grade(2020, "--regrade", str(folder / "regrade.csv"))
    assert refused.exit_code == 2
    (folder / "regrade.csv").write_text("student;points;reason\ncid;25;Was ill <and> said so.\n")
    done = found.grade(2020, "--regrade", str(folder / "regrade.csv"))
    assert done.exit_code == 0, done.stderr
    return found


# Points that the staff gives


def test_the_staff_s_points_are_on_both_pages_and_in_all_files(graded: ScriptedClass) -> None:
    row = gradebook(graded.out)["cid"]
    assert (row["final"], row["points"], row["regraded"], row["regrade_reason"]) == (
        "25.0",
        "0.0",
        "25.0",
        "Was ill <and> said so.",
    )
    assert row["attention"] == "points from the staff"
    assert asked(graded.out, "SELECT final, regraded FROM gradebook WHERE name = 'cid'") == [(25.0, 25.0)]
    page = student_page(graded.out, "cid")
    assert page.texts[1:3] == [
        "25 of 100 points",
        "The staff gave these points: Was ill <and> said so. The games gave 0.",
    ]
    assert "The staff gave 25 points instead: Was ill <and> said so." in page.texts
    assert "Was ill &lt;and&gt; said so." in page.html
    staff = PageText((graded.out / "index.html").read_text("utf-8"))
    assert "Points from the staff: 1" in staff.texts
    assert "cid: 25: Was ill <and> said so." in staff.texts
    assert "The staff gave" not in student_page(graded.out, "dee").html


def test_the_staff_s_points_survive_a_run_and_are_taken_back(graded: ScriptedClass, tmp_path: Path) -> None:
    again = graded.copied(tmp_path)
    assert again.grade(2020).exit_code == 0
    assert (again.played, again.explained) == ([], [])
    assert gradebook(again.out)["cid"]["final"] == "25.0"
    table = tmp_path / "regrade.csv"
    table.write_text("name,points,reason\nben,60,another look\n")
    assert again.grade(2020, "--regrade", str(table)).exit_code == 0
    assert [row["final"] for row in gradebook(again.out).values()] == ["100.0", "60.0", "25.0", "0.0"]
    table.write_text("name,points,reason\ncid,,\n")
    done = again.grade(2020, "--regrade", str(table), "--json")
    students = json.loads(done.stdout)["students"]
    assert [(each["final"], each["regraded"]) for each in students] == [(100, None), (60, 60), (0, None), (0, None)]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("ben,50,why", "give a first line such as student,points,reason"),
        ("", "give a first line such as student,points,reason"),
        ("student,points\nben,50", "give a first line such as student,points,reason"),
        ("student,points,reason\nnobody,50,why", "row 2: no student 'nobody'"),
        ("student,points,reason\nben,fifty,why", "row 2: 'fifty' is not a number of points from 0 to 100"),
        ("student,points,reason\nben,nan,why", "row 2: 'nan' is not a number of points from 0 to 100"),
        ("student,points,reason\nben,101,why", "row 2: '101' is not a number of points from 0 to 100"),
        (
            "student,points,reason\nben,50",
            "row 2: the reason is missing: write one, because the student's page shows it",
        ),
        ("student,points,reason\nben,50,a\nBen,60,b", "row 3: 'ben' has two rows: remove one of them"),
    ],
)
def test_a_bad_row_is_one_line_and_changes_nothing(
    table: str, words: str, graded: ScriptedClass, tmp_path: Path
) -> None:
    path = tmp_path / "regrade.csv"
    path.write_text(table)
    before = asked(graded.out, "SELECT * FROM regrades")
    done = graded.grade(2020, "--regrade", str(path))
    assert (done.exit_code, done.stdout, graded.played) == (2, "", [])
    assert done.stderr.splitlines()[-1].startswith(f"Error: {path}"), done.stderr
    assert done.stderr.endswith(f"{words}\n")
    assert asked(graded.out, "SELECT * FROM regrades") == before


def test_the_median_is_between_the_two_in_the_middle(graded: ScriptedClass, tmp_path: Path) -> None:
    again = graded.copied(tmp_path)
    (tmp_path / "regrade.csv").write_text("student,points,reason\nAnn Lee,25,x\nben,0,x\n")
    done = again.grade(2020, "--regrade", str(tmp_path / "regrade.csv"))
    assert done.stdout.endswith(": 4 students, 16 games, points 0 to 25, median 12.5\n")
    page = PageText((again.out / "index.html").read_text("utf-8"))
    assert "Mean 12.5, median 12.5, of 4 students." in page.texts


# Uploads


def row(name: str, points: float, **fields: Any) -> StudentRow:
    """Return the row of a student without games, with points that the staff gave."""
    submission = replace(Submission(name, key=name), **fields)
    plan = ClassPlan(course_of(2025), 0, {name: submission})
    (found,) = rows_of(plan, [], {}, {name: 1})
    return with_regrades([found], {name: Regrade(points, "as agreed")})[0]


def test_canvas_finds_each_student_by_the_numbers_of_the_export(graded: ScriptedClass) -> None:
    assert list(csv.reader(io.StringIO((graded.out / "canvas.csv").read_text("utf-8")))) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Little-Go 2020"],
        *(["Ann Lee", "", "", "", "", "100.0"], ["ben", "", "", "", "", "50.0"]),
        *(["cid", "", "", "", "", "25.0"], ["dee", "", "", "", "", "0.0"]),
    ]
    rows = [row("=Ann", 12.5, number="007", email="ann@x.org")]
    assert canvas_table(rows, "canvas", "HW 2 (1234567)").splitlines() == [
        "Student,ID,SIS User ID,SIS Login ID,Section,HW 2 (1234567)",
        "'=Ann,007,,,,12.5",
    ]
    assert canvas_table(rows, "gradescope", "A").splitlines()[1:] == ["'=Ann,,007,ann@x.org,,12.5"]


_EXPORT = """\
Student,ID,SIS User ID,SIS Login ID,Section,HW 1 (11),Homework 2 (1234567),Assignments Current Score
    Points Possible,,,,,10,100,(read only)
"Lee, Ann",501,0070,alee,A,9,,88
"Roe, Ben",502,0071,broe,A,8,,70
"Roe, Bea",503,0072,beroe,B,8,40,70
"Student, Test",504,,x,A,,,
"""


def test_canvas_s_own_export_names_the_column_and_the_people(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text(_EXPORT)
    export = read_canvas_export(path, "Homework 2")
    rows = [
        row("Ann Lee", 12.5),
        row("mystery", 50.0, number="0072"),
        row("nobody", 1.0),
        row("b", 2.0, email="broe@x"),
    ]
    table, left = export.filled(rows, "gradescope")
    assert list(csv.reader(io.StringIO(table))) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Homework 2 (1234567)"],
        ["Lee, Ann", "501", "0070", "alee", "A", "12.5"],
        ["Roe, Bea", "503", "0072", "beroe", "B", "50.0"],
        ["Roe, Ben", "502", "0071", "broe", "A", "2.0"],
    ]
    assert left == ["no row for nobody: enter their points by hand"]
    # In Canvas's form the number of a student is Canvas's. If two rows are about one person, neither gets points.
    table, left = export.filled([row("x", 3.0, number="501"), row("Lee, Ann", 4.0), row("roe", 5.0)], "canvas")
    assert table.splitlines()[1:] == ['"Lee, Ann",501,0070,alee,A,3.0']
    assert left == [
        "no row for Lee, Ann; roe: enter their points by hand",
        "no submission of Roe, Ben; Roe, Bea: their cells stay as they are",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not an export of Canvas's gradebook"),
        ("name,days\n", "not an export of Canvas's gradebook"),
        ("Student,ID\nAnn,1\n", "not exactly one column for 'Little-Go 2025', only none"),
        (_EXPORT, "not exactly one column for 'Little-Go 2025', only 'HW 1', 'Homework 2': write one of them"),
    ],
)
def test_an_export_without_the_assignment_is_refused(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text(text)
    with pytest.raises(BadExport) as caught:
        read_canvas_export(tmp_path / "e.csv", "Little-Go 2025")
    assert words in str(caught.value)


def test_points_that_are_not_there_yet_are_not_uploaded() -> None:
    submission = Submission("ben", programs={1: AgentProgram("my_player3.py", "d", Path("d"))}, upload="8")
    plan = ClassPlan(course_of(2025), 0, {"ben": submission})
    (found,) = rows_of(plan, [], {}, {"ben": 120})
    assert found.final is None
    assert canvas_table([found], "plain", "A").splitlines() == ["Student,ID,SIS User ID,SIS Login ID,Section,A"]
    with zipfile.ZipFile(io.BytesIO(gradescope_autograder([found]))) as archive:
        assert json.loads(archive.read("points.json")) == {}


def test_gradescope_s_autograder_answers_with_the_points(tmp_path: Path) -> None:
    rows = [row("Ann", 12.5, upload="101"), row("Ben", 12.5, upload="101"), row("Cid", 0.0, upload="102")]
    with zipfile.ZipFile(io.BytesIO(gradescope_autograder(rows))) as archive:
        assert {each.filename: each.external_attr >> 16 & 0o111 for each in archive.infolist()} == {
            "run_autograder": 0o111,
            "setup.sh": 0o111,
            "points.json": 0,
        }
        archive.extractall(tmp_path / "source")
    program = (tmp_path / "source" / "run_autograder").read_text().replace("/autograder/", f"{tmp_path}/")
    (tmp_path / "results").mkdir()

    def run(number: int) -> "subprocess.CompletedProcess[str]":
        # The number is one of several in the file, as Gradescope writes it.
        metadata = {"assignment": {"id": 999}, "users": [{"id": 7}], "id": number}
        (tmp_path / "submission_metadata.json").write_text(json.dumps(metadata))
        return subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True)

    assert run(101).returncode == 0
    results = json.loads((tmp_path / "results" / "results.json").read_text())
    assert (results["score"], results["output"].splitlines()[-1]) == (
        12.5,
        "The staff gave 12.5 points instead: as agreed",
    )
    assert "Ben" not in results["output"]
    (tmp_path / "results" / "results.json").unlink()
    done = run(999)
    assert (done.returncode, done.stderr) == (1, "submission 999 was not graded: it is not in points.json\n")


def test_partners_with_other_points_are_for_the_staff() -> None:
    rows = [row("Ann", 12.5, upload="101"), row("Ben", 13.0, upload="101"), row("Cid", 0.0, upload="102")]
    assert points_apart(rows) == ["101"]
    with zipfile.ZipFile(io.BytesIO(gradescope_autograder(rows))) as archive:
        assert [*json.loads(archive.read("points.json"))] == ["102"]


# Students whom the staff should check


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ here")
def test_a_compiler_s_warnings_are_for_the_staff_to_see(tmp_path: Path) -> None:
    source = '#warning "not finished"\n#include <cstdio>\nint main() { fputs("2,2", fopen("output.txt", "w")); }\n'
    (tmp_path / "my_player.cpp").write_text(source)
    start = start_program(AgentProgram("my_player.cpp", "digest", tmp_path), Terms(COURSE))
    assert isinstance(start, Start)
    (note,) = start.notes
    assert note.startswith("compiled with warnings: my_player.cpp:1:2: warning: ")
    cause = Cause(Basis.NO_PROGRAM, "nothing was handed in")
    submission = Submission("Ann", causes={2: cause}, remarks=[f"stage 1: {note}"])
    plan = ClassPlan(course_of(2025), 0, {"Ann": submission})
    (found,) = rows_of(plan, [], {"Ann": 2}, {})
    assert found.attention() == {
        "not graded": "nothing was handed in",
        "late": "2 days",
        "compiled with warnings": note.removeprefix("compiled with warnings: "),
    }


# Equal programs


def test_equal_programs_have_equal_points() -> None:
    """Two students submit the same agent, which plays random moves, and so do its opponents."""
    program = AgentProgram("my_player3.py", "digest", Path("digest"))
    submissions = {name: Submission(name, programs={1: program, 2: program}) for name in ("ann", "Ben Zed")}
    plan = ClassPlan(course_of(2020), 7, submissions, games=2)
    roster = {name: Entrant(name, "greedy") for name in submissions}
    fixtures = [each for each in plan.fixtures(submissions) if {"random", "aggressive"} & {*each[:2]}]
    roster |= {name: Entrant(name, name) for name in ("random", "aggressive")}
    records = [
        record_of(each, play_fixture(each, {name: roster[name] for name in each[:2]}, Terms(COURSE)))
        for each in fixtures
    ]
    games = {name: [each for each in records if name in (each["black"], each["white"])] for name in submissions}
    moves = [[each["moves"] for each in mine] for mine in games.values()]
    assert len(moves[0]) == 8
    assert moves[0] == moves[1]
    assert len({" ".join(game) for game in moves[0]}) == 8


# Reviews


#: A logged game of a student who plays White, with five mistakes, of which the first is late.
LOGGED = "1,4 2,2 2,0 2,3 0,2 3,1 4,1 0,3 3,2 1,2 1,0 1,1 3,3 4,3 2,4 4,2 0,4 3,4 2,1 4,0 0,1 3,0 3,3 3,2"


def test_a_class_is_reviewed_as_a_game_is(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator = Evaluator([], 20_000)
    monkeypatch.setattr(database, "_evaluator", lambda: evaluator)
    record: Record = {
        **{"black": "random", "white": "ann", "number": 1, "moves": LOGGED.split(), "winner": "White"},
        **{"reason": "max", "detail": "", "cpu": {"black": [], "white": []}, "killed": [], "seed": 1},
    }
    games = StudentGames("Ann Lee", frozenset({"ann"}), [record])
    found = student_review(games, [review_game(job) for job in games_of(games)])
    # The opponent's early mistakes would take seconds to explain. From ply 14 on all values are exact.
    alone = review(from_record("a game", record), evaluator, (2,)).mistakes
    own = [each for each in alone if each.mover == 2 and each.ply >= 14]
    assert len(own) == 5
    told = [(each["ply"], each["move"], each["kind"], each["why"]) for each in found.mistakes if each["ply"] >= 14]
    assert told == [(each.ply, each.record()["move"], each.kind, each.reason.text) for each in own if each.reason]
    assert len({kind for _, _, kind, _ in told}) > 1
    page = PageText(found.html)
    assert sum(text.startswith("As White at ply") for text in page.texts) == 3
    assert {each["mover"] for each in found.mistakes} == {"White"}
    assert "The game was reviewed" in found.html


def test_what_was_not_searched_to_the_end_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator = Evaluator([], 1)
    monkeypatch.setattr(database, "_evaluator", lambda: evaluator)
    record: Record = {
        **{"black": "random", "white": "ann", "number": 1, "moves": ["2,2", "PASS", "PASS"], "winner": "Black"},
        **{"reason": "two_passes", "detail": "", "cpu": {"black": [], "white": []}, "killed": [], "seed": 1},
    }
    games = StudentGames("ann", frozenset({"ann"}), [record, {**record, "number": 2}])
    found = student_review(games, [review_game(job) for job in games_of(games)])
    assert "In 2 games an early position was not searched to the end" in found.html
    assert "All 2 games were reviewed" in found.html


# The table of students


def test_the_list_can_be_sorted_by_keyboard_and_heard(graded: ScriptedClass) -> None:
    html = (graded.out / "index.html").read_text("utf-8")
    heads = re.findall(r"<th scope=\"col\" data-first[^>]*>(.*?)</th>", html)
    assert len(heads) == 9
    assert all(re.fullmatch(r'<button type="button">[a-z0-9 ]+</button>', head) for head in heads)
    assert html.count('aria-sort="ascending"') == 1
    assert 'role="region" aria-label="Students" tabindex="0"' in html
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    seal = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{seal}'" in html
    assert "<script" not in (graded.out / "students" / "ben.html").read_text("utf-8")


@pytest.mark.system
def test_the_list_is_sorted_in_a_browser(graded: ScriptedClass, browser: Any, violations: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto((graded.out / "index.html").as_uri())

    def names() -> list[str]:
        found: list[str] = page.eval_on_selector_all(".sortable tbody th", "each => each.map(one => one.innerText)")
        return found

    assert names() == ["Ann Lee", "ben", "cid", "dee"]
    page.get_by_role("button", name="student").click()
    assert names() == ["dee", "cid", "ben", "Ann Lee"]
    points = page.locator(".sortable thead th", has_text="points")
    points.get_by_role("button").focus()
    page.keyboard.press("Enter")
    assert (names(), points.get_attribute("aria-sort")) == (["Ann Lee", "ben", "cid", "dee"], "descending")
    page.keyboard.press("Enter")
    assert (names(), points.get_attribute("aria-sort")) == (["dee", "cid", "ben", "Ann Lee"], "ascending")
    page.get_by_role("button", name="student").click()
    assert names() == ["Ann Lee", "ben", "cid", "dee"]
    assert points.get_attribute("aria-sort") is None
    for name in ("index.html", "students/cid.html"):
        page.goto((graded.out / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert violations(page) == []
    context.close()
