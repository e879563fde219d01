"""``little-go class --check`` lists a class, and neither plays a game nor writes a file."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from little_go.arena.__main__ import main
from little_go.arena.classroom import class_run, submission_reader
from little_go.arena.classroom.starts import compile_program
from tests.arena.classroom.kinds import AGENT, in_folder
from tests.arena.classroom.reading import open_runner_here


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission_reader, "open_runner", open_runner_here)
    monkeypatch.setattr(class_run, "compile_program", lambda *_: None)


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    top = tmp_path / "class"
    top.mkdir()
    in_folder({"my_player3.py": AGENT + b"import numpy, json, helper\n", "helper.py": b""})(top, "ann")
    in_folder({"my_player.cpp": b"// 1234567890:Ben\nint main() {}\n"})(top, "ben")
    in_folder({"my_player.cpp": b"// 1234567890:Ben\nint main() {}\n"})(top, "cid")
    in_folder({"player.py": AGENT})(top, "dee")
    in_folder({"stage1/my_player3.py": AGENT, "stage2/my_player.java": b"//"})(top, "eve")
    (top / "README.md").write_text("")
    (tmp_path / "late.csv").write_text("name;days\nann;2\nfay;1\n")
    return top


def check(*words: str) -> Result:
    return CliRunner().invoke(main, ["class", "--check", "--no-sandbox", *words], catch_exceptions=False)


def test_a_class_as_json(submissions: Path) -> None:
    done = check(str(submissions), "--json", "--late", str(submissions.parent / "late.csv"))
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["form"] == "plain"
    students = {each["name"]: each for each in found["students"]}
    assert {name: each["program"] for name, each in students.items()} == {
        "ann": "my_player3.py",
        "ben": "my_player.cpp",
        "cid": "my_player.cpp",
        "dee": "",
        "eve": "stage 1: my_player3.py; stage 2: my_player.java",
    }
    assert [each["language"] for each in students.values()] == ["Python", "C++", "C++", "", "Python; Java"]
    assert [each["graded"] for each in students.values()] == [True, True, True, False, True]
    assert students["ann"]["imports"] == ["numpy"]
    assert students["ann"]["late_days"] == 2
    assert students["dee"]["notes"].startswith("not graded: no program with a name from the assignment")
    assert found["late_unknown"] == ["row 3: no student 'fay'"]
    assert found["same_files"] == [["ben", "cid"]]
    assert found["left_out"] == [{"path": "README.md", "cause": "not a student's"}]
    assert sorted(path.name for path in submissions.parent.iterdir()) == ["class", "late.csv"]


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ here")
def test_a_program_that_does_not_compile_has_a_note(submissions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_run, "compile_program", compile_program)
    in_folder({"my_player.cpp": b"int main( {\n"})(submissions, "fay")
    in_folder({"my_player.cpp": b"int main( {\n"})(submissions, "gil")
    (submissions / "eve" / "stage2" / "my_player.java").unlink()
    students = {each["name"]: each for each in json.loads(check(str(submissions), "--json").stdout)["students"]}
    assert [each["graded"] for each in students.values()] == [True, True, True, False, True, False, False]
    assert students["fay"]["notes"].startswith("not graded: my_player.cpp does not compile: my_player.cpp:1:")


def test_a_class_as_text(submissions: Path) -> None:
    done = check(str(submissions), "--late", str(submissions.parent / "late.csv"))
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["student", "program", "language", "imports", "days", "late"]
    assert lines[1].split() == ["ann", "my_player3.py", "Python", "numpy", "2"]
    assert "  ben: the same files as cid" in lines
    assert lines[lines.index("late table:") + 1] == "  row 3: no student 'fay'"
    assert lines[lines.index("left out:") + 1] == "  README.md: not a student's"
    assert lines[-1] == "5 students, 4 with a program, from a folder or zip for each"


def test_a_file_that_is_left_out_is_listed_once(submissions: Path) -> None:
    """A program that plays in both stages is read once for each stage."""
    in_folder({"README.md": b"", "hw2/my_player3.py": AGENT})(submissions, "gil")
    found = json.loads(check(str(submissions), "--json").stdout)
    mine = [each["path"] for each in found["left_out"] if each["path"].startswith("gil")]
    assert mine == ["gil: README.md"]


def test_thousands_of_strays_are_a_few_lines(submissions: Path) -> None:
    for number in range(3000):
        (submissions / f"{number}.csv").write_text("")
    done = check(str(submissions))
    assert "and 2,981 more: --json lists all" in done.stdout
    assert max(map(len, done.output.splitlines())) < 200
    assert len(done.output.splitlines()) < 50


def test_packages_and_files_are_those_of_the_course_file(submissions: Path) -> None:
    course = submissions.parent / "course.toml"
    (submissions / "ann" / "table.bin").touch()
    notes = []
    for content in (
        None,
        "scheme = 2025",
        'packages = ["click"]',
        'packages = ["click", "numpy"]\nfiles = ["helper.*", "*.bin"]',
    ):
        if content is not None:
            course.write_text(content)
        more = [] if content is None else ["--course", str(course)]
        students = json.loads(check(str(submissions), "--json", *more).stdout)["students"]
        notes.append(students[0]["notes"])
    out = "omitted, because the course allows only *.py, *.java, *.cpp, *.json, *.txt: table.bin"
    imports, add = "my_player3.py: imports numpy (line 3), ", ": add it there, or do without it"
    assert notes == [
        f"{out}; {imports}a package that no course file lists (--course FILE, under packages){add}",
        f"{out}; {imports}and the course file lists no packages (under packages){add}",
        f"{out}; {imports}and the course file lists only click (under packages){add}",
        "",
    ]


def test_days_late_are_counted_by_the_course_file(submissions: Path) -> None:
    """Canvas marks the submissions that are late."""
    export = submissions.parent / "export"
    export.mkdir()
    (export / "doeann_LATE_12_345_my_player3.py").write_bytes(AGENT)
    (export / "roeben_13_346_my_player3.py").write_bytes(AGENT + b"#")
    course = submissions.parent / "course.toml"
    for due, days in (("scheme = 2025", [0, 0]), ("due = 2025-10-25T23:59:00-07:00", [1, 0])):
        course.write_text(due)
        found = json.loads(check(str(export), "--json", "--course", str(course)).stdout)
        assert [each["late_days"] for each in found["students"]] == days


def test_first_lines_of_2020(submissions: Path) -> None:
    (submissions / "ann" / "my_player3.py").write_text("print()\n")
    found = json.loads(check(str(submissions), "--json", "--scheme", "2020").stdout)
    notes = {each["name"]: each["notes"] for each in found["students"]}
    assert "the first line of my_player3.py has no number and name" in notes["ann"]
    assert "first line" not in notes["ben"]


def test_what_is_wanting_is_one_line(submissions: Path) -> None:
    words = ["class", "--no-sandbox", str(submissions)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "give --out" in done.output
    done = CliRunner().invoke(main, ["class"])
    assert done.exit_code == 2
    assert "give SUBMISSIONS" in done.output


@pytest.mark.system
@pytest.mark.usefixtures("hangup_ends")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_check_that_is_ended_leaves_no_folder(number: int, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    for name in ("ann", "ben"):
        (tmp_path / "submissions" / name).mkdir(parents=True)
        (tmp_path / "submissions" / name / "my_player3.py").write_bytes(AGENT)
    command = [sys.executable, "-m", "little_go", "class", str(tmp_path / "submissions"), "--check", "--no-sandbox"]
    with subprocess.Popen(command, env={**os.environ, "TMPDIR": str(temporary)}, stderr=subprocess.PIPE) as process:
        while not list(temporary.glob("class-*")):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(number)
        assert process.stderr is not None
        said = process.stderr.read()
    assert (process.returncode, said) == (128 + number, b"interrupted\n" if number == signal.SIGINT else b"")
    assert list(temporary.iterdir()) == []
