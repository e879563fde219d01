"""A class of 60, by both runners and in three forms, killed 20 times: all rows of the gradebook stay the same."""

import csv
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.arena.classroom.kinds import zipped
from tools.class_demo import write_class
from tools.loopback import Loopback

pytestmark = [pytest.mark.system, pytest.mark.long]

ROOT = Path(__file__).parents[3]

STUDENTS = 60

#: A course with few games against opponents that take little time, in two stages.
COURSE = """
scheme = 2025
repetitions = 1
[stage1]
games = 2
[stage1.opponents]
greedy = { full = 90, fair = 60, poor = 30 }
[stage2]
games = 2
[stage2.opponents]
random = { full = 10, fair = 5, poor = 2 }
"""

#: Reviews are switched off, because they take hours for this class and are not part of the gradebook.
WITHOUT_REVIEWS = """
from little_go.arena.commands import classroom
classroom.REVIEWED = 0
from little_go.arena.__main__ import main
main()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The class in its three forms, and the course file."""
    top = tmp_path_factory.mktemp("sixty")
    write_class(top / "folder", STUDENTS)
    # Only one player of Little-Go keeps its book, because it takes ten times as long as another agent.
    for book in sorted((top / "folder").glob("*/book.json"))[1:]:
        book.unlink()
        program = book.with_name("my_player3.py")
        program.write_text(f"# 1234567890:{book.parent.name}\nopen('output.txt', 'w').write('PASS')\n")
    (top / "course.toml").write_text(COURSE)
    files = {
        path.relative_to(top / "folder").as_posix(): path.read_bytes()
        for path in sorted((top / "folder").rglob("*"))
        if path.is_file()
    }
    (top / "zip").with_suffix(".zip").write_bytes(zipped([(f"submissions/{name}", files[name]) for name in files]))
    names = sorted(path.name for path in (top / "folder").iterdir())
    for number, name in enumerate(names):
        shutil.copytree(top / "folder" / name, top / "export" / f"submission_{number}")
    lines = [f"submission_{number}:\n  :submitters:\n  - :name: {name}" for number, name in enumerate(names)]
    (top / "export" / "submission_metadata.yml").write_text("\n".join(["---", *lines, ""]))
    return top


def start(folder: Path, form: str, out: Path, more: Sequence[str] = ()) -> "subprocess.Popen[str]":
    words = ["class", str(folder / form), "--course", str(folder / "course.toml"), "--out", str(out), *more]
    command = [sys.executable, "-c", WITHOUT_REVIEWS, *words, "--workers", "2"]
    return subprocess.Popen(
        command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def finish(process: "subprocess.Popen[str]") -> str:
    _, errors = process.communicate(timeout=3600)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    return errors


def games(out: Path) -> int:
    file = out / "games.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def rows(out: Path) -> dict[str, dict[str, str]]:
    """Return the gradebook without times, and without keys, because these depend on the form."""
    with open(out / "gradebook.csv", newline="") as file:
        found = list(csv.DictReader(file))
    names = [row["name"] for row in found]
    assert len(names) == len(set(names)) == STUDENTS
    assert {path.stem for path in (out / "students").iterdir()} == set(names)
    return {
        row["name"]: {key: row[key] for key in row if key != "student_key" and not key.startswith("cpu_")}
        for row in found
    }


@pytest.fixture(scope="module")
def graded(folder: Path) -> Path:
    """The class, graded without an interruption."""
    finish(start(folder, "folder", folder / "graded"))
    return folder / "graded"


def kill_at_random(folder: Path, form: str, out: Path, more: Sequence[str], kills: int, total: int) -> None:
    """Kill a run by SIGKILL at random instants during all its parts: reading, starting, playing and writing."""
    rng, killed = random.Random(f"{form} {more and 'cluster'}"), 0
    while killed < kills:
        process = start(folder, form, out, more)
        before, share = games(out), rng.choice([0.0, rng.random() / 2, rng.random(), 1.0])
        wanted = before + share * (total - before)
        while process.poll() is None and games(out) < wanted:
            time.sleep(0.02)
        deadline = time.monotonic() + rng.choice([0.3, 2.0, 6.0]) * rng.random()
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        process.kill()
        process.communicate()
        killed += process.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("form", "cluster", "kills"),
    [
        ("folder", False, 4),
        ("zip.zip", False, 4),
        ("export", False, 3),
        ("folder", True, 3),
        ("zip.zip", True, 3),
        ("export", True, 3),
    ],
)
def test_sixty_students_have_the_same_gradebook(
    folder: Path, graded: Path, tmp_path: Path, form: str, cluster: bool, kills: int
) -> None:
    out, workers = tmp_path / "out", Loopback(tmp_path, 2) if cluster else None
    try:
        more = ["--scheduler", workers.address] if workers else []
        if workers:
            workers.wait_for_workers()
        kill_at_random(folder, form, out, more, kills, games(graded))
        errors = finish(start(folder, form, out, more))
    finally:
        if workers:
            workers.close()
    assert f"{STUDENTS} students, from " in errors
    assert rows(out) == rows(graded)
    assert games(out) == games(graded) > 3 * STUDENTS
