"""No submission stops the grading of the others, and each student is exactly once in every output."""

import csv
import json
import os
import resource
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from little_go.arena.classroom import outputs
from little_go.arena.classroom.exports import read_class
from little_go.arena.classroom.gradebook import to_csv
from little_go.arena.classroom.outputs import IncompleteClass, check_whole
from little_go.arena.classroom.pages import page_name
from little_go.arena.classroom.submission_reader import SubmissionReader
from little_go.arena.classroom.submissions import Submission
from little_go.arena.classroom.unpacking import READ_FILE
from little_go.arena.match.limits import Limits, Report
from little_go.arena.match.programs import open_runner
from tests.arena.classroom.kinds import AGENT, GRADED, NOT_GRADED, damaged, in_folder
from tests.arena.classroom.reading import RunnerHere, read_here, reading
from tests.arena.classroom.scripted import ScriptedClass

#: The kinds that would cost this process too much, so that only the reader's separate process reads them.
_BOMBS = {"300 MiB", "understated", "overlapping", "20 MB of x=1 in a zip", "9,000 empty files", "20,000 files"}
_BOMBS |= {"list of 25 MB", "list of 5 million", "window of 4 GiB", "ratio", "12,000 archives in each other"}


@pytest.mark.parametrize("kind", sorted(GRADED.keys() - _BOMBS))
def test_what_can_be_graded_is(tmp_path: Path, kind: str) -> None:
    in_folder({"my_player3.py": AGENT + b"#"})(tmp_path, "other")
    in_folder({"my_player3.py": AGENT + b"##"})(tmp_path, "third")
    GRADED[kind](tmp_path, "mal")
    found = {each.name: read_here(each) for each in read_class(tmp_path).students}
    assert found.keys() == {"mal", "other", "third"}
    assert found["mal"].programs.keys() == {1, 2}, found["mal"].notes
    assert not found["other"].notes


def test_a_strict_umask_changes_no_program(tmp_path: Path) -> None:
    digests = []
    for umask in (0o022, 0o077):
        folder = tmp_path / str(umask)
        folder.mkdir()
        before = os.umask(umask)
        try:
            in_folder({"my_player3.py": AGENT + b"###", "data/more/a.txt": b"1"})(folder, "mal")
            (folder / "mal" / "my_player3.py").chmod(0o777 & ~umask)
            (mal,) = (read_here(each) for each in read_class(folder).students)
        finally:
            os.umask(before)
        digests.append(mal.programs[1].digest)
    assert digests[0] == digests[1]


@pytest.mark.parametrize("kind", sorted(NOT_GRADED.keys() - _BOMBS))
def test_what_cannot_be_graded_is_a_note(tmp_path: Path, kind: str) -> None:
    in_folder({"my_player3.py": AGENT + b"#"})(tmp_path, "other")
    in_folder({"my_player3.py": AGENT + b"##"})(tmp_path, "third")
    NOT_GRADED[kind](tmp_path, "mal")
    found = {each.name: read_here(each) for each in read_class(tmp_path).students}
    assert len(found) == 3
    (mal,) = (each for name, each in found.items() if name.startswith("mal"))
    assert not mal.programs
    assert any("not graded: " in note and note.isprintable() for note in mal.notes), mal.notes
    assert found["other"].programs.keys() == found["third"].programs.keys() == {1, 2}


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_archive_has_a_program_or_a_note(tmp_path: Path, seed: int) -> None:
    name, kind = damaged(seed)
    in_folder({"my_player3.py": AGENT + b"#"})(tmp_path, "other")
    kind(tmp_path, name)
    found = {each.name: read_here(each) for each in read_class(tmp_path).students}
    assert found.keys() == {name, "other"}
    assert found[name].programs or any("not graded: " in note for note in found[name].notes)


def test_all_kinds_are_rows_of_a_graded_class(tmp_path: Path) -> None:
    graded = ScriptedClass(tmp_path, lambda fixture: "2,2 PASS 1,1 PASS 3,3 PASS PASS", {})
    graded.submissions.mkdir()
    kinds = {name: GRADED[name] for name in ("sound", "late.csv of its own", "1,000 elif", "latin-1 name")} | NOT_GRADED
    for name in kinds.keys() - _BOMBS:
        kinds[name](graded.submissions, name)
    for seed in range(3):
        name, kind = damaged(seed)
        kind(graded.submissions, name)
    names = {each.name for each in read_class(graded.submissions).students}
    done = graded.grade(2020)
    assert done.exit_code == 0, done.output
    with open(graded.out / "gradebook.csv", encoding="utf-8", newline="") as file:
        rows = [row["name"] for row in csv.DictReader(file)]
    with closing(sqlite3.connect(graded.out / "class.db")) as database:
        there = [name for (name,) in database.execute("SELECT name FROM students")]
    assert sorted(rows) == sorted(there) == sorted(names)
    assert {path.name for path in (graded.out / "students").iterdir()} == set(map(page_name, names))
    assert "late.csv of its own: late.csv: the course does not allow it\n" in (graded.out / "left_out.txt").read_text()


def test_a_row_that_is_missing_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = {f"{name}/my_player3.py": "# 1234567890:x\nopen('output.txt', 'w').write('2,2')\n" for name in "ab"}
    graded = ScriptedClass(tmp_path, lambda fixture: "2,2 PASS 1,1 PASS 3,3 PASS PASS", programs)
    assert graded.grade(2020).exit_code == 0
    check_whole(["a", "b"], graded.out, pages=True)
    for found, words in ((["a"], "repeats b"), (["a", "b", "c"], "lacks c"), (["a", "b", "b"], "share a page")):
        with pytest.raises(IncompleteClass, match=words):
            check_whole(found, graded.out, pages=True)
    (graded.out / "students" / "b.html").unlink()
    with pytest.raises(IncompleteClass, match=r"students lacks b\.html"):
        check_whole(["a", "b"], graded.out, pages=True)
    monkeypatch.setattr(outputs, "page_name", lambda name: "same.html")
    with pytest.raises(IncompleteClass, match="two students share a page"):
        check_whole(["a", "b"], graded.out, pages=True)


def test_a_row_that_is_lost_ends_the_run_with_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = {f"{name}/my_player3.py": "# 1234567890:x\nopen('output.txt', 'w').write('2,2')\n" for name in "ab"}
    graded = ScriptedClass(tmp_path, lambda fixture: "2,2 PASS 1,1 PASS 3,3 PASS PASS", programs)
    monkeypatch.setattr(outputs, "to_csv", lambda rows: to_csv(rows[:1]))
    done = graded.grade(2020)
    assert done.exit_code == 1
    assert done.output.splitlines()[-1] == f"Error: {graded.out / 'gradebook.csv'} lacks b: please report this"


def test_the_process_s_end_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handed = Submission("mal", read_class(_class_of_one(tmp_path / "class")).students[0].parts)
    own, ours = "not graded: its files cannot be opened", "no points yet: our machine did not open it"
    for report, words in (
        (Report(Limits(), "memory", 1.0, 1.0), f"{own}: that takes more than 384 MiB of memory"),
        (Report(Limits(), "cpu", 9.0, 9.0), f"{own}: that takes more than 8 s"),
        (Report(Limits(), "", 0.1, 1.0, errors="Traceback\nKilled\x1b[2J\n"), f"{ours}: Killed\\x1b[2J"),
        (Report(Limits(), "", 0.1, 1.0), f"{ours}: the process that opens them ended early"),
        (Report(Limits(), "wall", 0.1, 60.0), "no points yet: our machine was too busy to open it"),
    ):
        runner = RunnerHere(tmp_path)
        monkeypatch.setattr(runner, "run", lambda *_, report=report: report)
        found = SubmissionReader(reading(), tmp_path / "programs", runner).read(handed)
        assert found.notes == [words]
        assert not found.programs


def _class_of_one(top: Path) -> Path:
    top.mkdir()
    in_folder({"my_player3.py": AGENT})(top, "ann")
    return top


@pytest.mark.parametrize(
    "answer", ["[]", "{}", "{", '{"programs": {"1": [7, "my_player3.py"]}, "notes": [], "dropped": []}']
)
def test_a_damaged_answer_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    handed = Submission("mal", read_class(_class_of_one(tmp_path / "class")).students[0].parts)
    runner = RunnerHere(tmp_path)

    def run(command: object, directory: Path, *_: object) -> Report:
        (directory / READ_FILE).write_text(answer)
        return Report(Limits(), "", 0.0, 0.0)

    monkeypatch.setattr(runner, "run", run)
    found = SubmissionReader(reading(), tmp_path / "programs", runner).read(handed)
    assert not found.programs
    assert found.notes == ["no points yet: the result of the process that read it was damaged"]


@pytest.mark.parametrize("kind", ["zip", "list of 25 MB", "window of 4 GiB"])
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the warden")
def test_the_reader_s_own_process(tmp_path: Path, kind: str) -> None:
    {**GRADED, **NOT_GRADED}[kind](tmp_path, "mal")
    in_folder({"my_player3.py": AGENT + b"#"})(tmp_path, "other")
    mal, _ = read_class(tmp_path).students
    with open_runner() as runner:
        found = SubmissionReader(reading(), tmp_path / "programs", runner).read(mal)
        assert not list(runner.home.iterdir())
    assert bool(found.programs) == (kind in GRADED), found.notes


@pytest.mark.system
@pytest.mark.long
def test_120_kinds_in_512_mib_and_10_s_each(tmp_path: Path) -> None:
    kinds = {**GRADED, **NOT_GRADED}
    kinds |= dict(map(damaged, range(120 - len(kinds))))
    assert len(kinds) == 120
    submissions = tmp_path / "class"
    submissions.mkdir()
    for name, kind in kinds.items():
        kind(submissions, name)
    words = [sys.executable, "-m", "little_go.arena", "class", "--check", "--json", str(submissions), "--workers", "1"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=10 * len(kinds), check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    students = json.loads(done.stdout)["students"]
    assert len(students) == len({each["name"].casefold() for each in students}) == len(kinds)
    by_name = {each["name"]: each for each in students}
    for name in GRADED:
        assert by_name[name]["graded"], by_name[name]
    for each in students:
        assert each["graded"] or "not graded: " in each["notes"], each
    # This is the memory of the largest process, which a limit of 384 MiB ends.
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10 < 512
