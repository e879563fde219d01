"""Four kinds of users reach their goal from a new clone in at most five commands, without a database and bubblewrap."""

import csv
import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.shell_blocks import ROOT, environment, lay_out

pytestmark = pytest.mark.system

#: The maximum number of commands of a path.
MOST_COMMANDS = 5

#: An agent that loses by its second move, because reviews of long games take minutes.
AGENT = """
open("output.txt", "w").write("2,2")
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a directory like a new clone after ``make setup``."""
    lay_out(tmp_path / "clone")
    assert not list((tmp_path / "clone").glob("*.db"))
    return tmp_path / "clone"


def walk(clone: Path, *commands: str) -> list[str]:
    """Run the commands of a path in a shell; return the standard output of each."""
    assert len(commands) <= MOST_COMMANDS
    said = []
    for command in commands:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=clone,
            env=environment(clone),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr
        said.append(done.stdout)
    return said


def test_a_student_gets_two_checked_files_to_upload_that_win(clone: Path) -> None:
    doctor, played, graded = walk(
        clone,
        "little-go doctor my_player3.py",
        "little-go play --black my_player3.py --white greedy --games 2 --no-boards",
        "little-go grade my_player3.py --scheme 2020 --submit --games 1 --json",
    )
    uploaded = ("my_player3.py", "book.json")
    assert doctor.count("the shipped one") == len(uploaded)
    assert "wrong" not in doctor
    assert played.startswith("2 games: Black wins 2, White wins 0\n")
    assert json.loads(graded)["points"]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "Upload `my_player3.py` and `book.json` (" in readme


@pytest.mark.early
def test_staff_gets_a_gradebook_of_a_folder_of_zips(clone: Path) -> None:
    (clone / "zips").mkdir()
    names = ["ann", "bob", "eve"]
    for name in names:
        with zipfile.ZipFile(clone / "zips" / f"{name}.zip", "w") as packed:
            packed.writestr("my_player3.py", f"# {name}\n{AGENT}")
    walk(
        clone,
        "little-go class --new course.toml",
        "little-go class zips --course course.toml --no-sandbox --check",
        "little-go class zips --course course.toml --no-sandbox --games 1 --out graded",
    )
    with (clone / "graded" / "gradebook.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == names
    assert all(row["final"] for row in rows)
    assert {page.stem for page in (clone / "graded" / "students").glob("*.html")} >= set(names)


def test_a_builder_with_many_workers_gets_a_checked_player(clone: Path) -> None:
    """The path uses sixteen workers on the available cores."""
    made, checked, played, status = walk(
        clone,
        "little-go make --plies 8 --komi 0.5 --workers 16 --out eight",
        "little-go check eight/*.cert.gz --workers 16",
        "little-go play --plies 8 --komi 0.5 --black random --white eight/my_player3.py --no-boards",
        "little-go status --db eight/proof.db --json",
    )
    assert "White wins" in made
    assert "proved" in checked
    assert "White wins 1" in played
    assert json.loads(status)["game"] == {"plies": 8, "komi": 0.5}


def test_an_analyst_gets_values_by_command_python_and_sql(clone: Path) -> None:
    query = "SELECT count(*) FROM positions_view WHERE value = 3"
    asked, _, in_python, in_sql = walk(
        clone,
        "little-go query 2,2 1,1 --json",
        "little-go import",
        "python -c \"from little_go import open_book; print(open_book()['2,2 1,1'].worth)\"",
        f"python -c \"import sqlite3; print(*sqlite3.connect('book.db').execute('{query}').fetchone())\"",
    )
    assert json.loads(asked)["value"] == 3
    assert in_python == "B+0.5\n"
    assert int(in_sql) > 0
