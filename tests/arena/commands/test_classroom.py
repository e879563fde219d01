"""``little-go class``: every row of the gradebook is right, even if processes are killed, and all outputs agree."""

import csv
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from little_go.arena.__main__ import main
from little_go.arena.classroom import outputs
from little_go.arena.course.grading import SCHEMES
from tests.arena.classroom.referee import TABLE, points_of, winner_of
from tools.class_demo import write_class
from tools.loopback import Loopback, children

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[3]

#: Options for opponents that take little time.
QUICK = ("--scheme", "2020", "--games", "1", "--workers", "2")


def few_reviews(patch: pytest.MonkeyPatch, most: int = 1) -> None:
    """Review only this many games of each student, because these tests are not about reviews."""
    games_of_all = outputs.student_games
    patch.setattr(
        outputs,
        "student_games",
        lambda graded: [replace(each, records=each.records[:most]) for each in games_of_all(graded)],
    )


@pytest.fixture(autouse=True)
def one_review(monkeypatch: pytest.MonkeyPatch) -> None:
    few_reviews(monkeypatch)


def grade(folder: Path, out: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["class", str(folder), "--out", str(out), *options], catch_exceptions=False)


def gradebook(out: Path) -> dict[str, dict[str, str]]:
    with open(out / "gradebook.csv", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def games(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]


def verdicts(out: Path) -> dict[tuple[str, str, int], tuple[str, str]]:
    return {
        (each["black"], each["white"], each["number"]): (each["winner"], " ".join(each["moves"])) for each in games(out)
    }


def without_times(rows: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    return {name: {key: row[key] for key in row if not key.startswith("cpu_")} for name, row in rows.items()}


def check_against_referee(out: Path, year: int, games_each: int) -> int:
    """Judge all games again, and compute each row's points by the assignment's tables; return the rows with games."""
    kept, rows = games(out), gradebook(out)
    for game in kept:
        absent = game["reason"] in ("missing", "timeout", "malformed")
        assert winner_of(game["moves"], absent) == game["winner"], game
    opponents = [each.agent for stage in SCHEMES[year].stages.values() for each in stage.opponents]
    graded = 0
    for name, row in rows.items():
        mine = [
            game
            for game in kept
            if name in (game["black"], game["white"]) and {*opponents} & {game["black"], game["white"]}
        ]
        if not mine:
            assert float(row["final"]) == 0, row
            assert "not graded" in row["notes"], row
            continue
        graded += 1
        assert len(mine) == games_each * len(opponents)
        points = {opponent: points_of(mine, name, opponent, year) for opponent in opponents}
        assert {opponent: float(row[opponent]) for opponent in opponents} == pytest.approx(points, abs=1e-3), name
        assert float(row["points"]) == pytest.approx(sum(points.values()), abs=1e-3)
        every = [game for game in kept if name in (game["black"], game["white"])]
        won = sum(game["winner"] == ("Black" if game["black"] == name else "White") for game in every)
        assert (int(row["games"]), int(row["wins"])) == (len(every), won)
        cpu = [second for game in every for second in game["cpu"]["black" if game["black"] == name else "white"]]
        assert float(row["cpu_total"]) == pytest.approx(sum(cpu), abs=0.01)
    return graded


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class with a student of each kind, and with two students who submit the same program."""
    folder = tmp_path_factory.mktemp("class") / "submissions"
    write_class(folder, 11)
    shutil.rmtree(folder / "student 08")
    shutil.copytree(folder / "student 06", folder / "student 12")
    return folder


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, submissions: Path) -> Path:
    """The class, graded without an interruption."""
    out = tmp_path_factory.mktemp("graded") / "out"
    with pytest.MonkeyPatch.context() as patch:
        few_reviews(patch)
        done = grade(submissions, out, *QUICK)
    assert done.exit_code == 0, done.stderr
    return out


def test_the_gradebook_is_right_in_every_row(graded: Path) -> None:
    assert check_against_referee(graded, 2020, 2) >= 8
    rows = gradebook(graded)
    assert "wrote no move" in rows["student 05"]["notes"]
    assert "ZeroDivisionError" in rows["student 05"]["notes"]
    assert "invalid_occupied" in rows["student 06"]["faults"]
    assert "the same files as student 12" in rows["student 06"]["notes"]
    assert "no program with a name from the assignment" in rows["student 11"]["notes"]


def test_database_and_pages_say_what_the_gradebook_says(graded: Path) -> None:
    rows = gradebook(graded)
    with closing(sqlite3.connect(graded / "class.db")) as db:
        found = dict(db.execute("SELECT name, final FROM gradebook"))
        counted = dict(db.execute("SELECT student, sum(points) FROM points WHERE counts GROUP BY student"))
        moves = dict(db.execute("SELECT game, group_concat(move, ' ') FROM moves WHERE move NOT NULL GROUP BY game"))
        (many,) = db.execute("SELECT count(*) FROM games").fetchone()
        views = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")]
        assert all(db.execute(f"SELECT * FROM {view}").fetchall() for view in views if view != "shared_mistakes")
        (mistakes,) = db.execute("SELECT count(*) FROM mistakes").fetchone()
    assert found == {name: float(row["final"]) for name, row in rows.items()}
    assert all(float(rows[name]["points"]) == pytest.approx(points, abs=1e-3) for name, points in counted.items())
    kept = games(graded)
    assert many == len(kept)
    assert moves == {f"{g['black']} - {g['white']} {g['number']}": " ".join(g["moves"]) for g in kept if g["moves"]}
    assert mistakes > 0
    index = (graded / "index.html").read_text()
    for name, row in rows.items():
        page = (graded / "students" / f"{name}.html").read_text()
        assert f"<b>{float(row['final']):g} of 100 points</b>" in page
        assert f'href="students/{name.replace(" ", "%20")}.html"' in index


@pytest.mark.long
def test_the_same_seed_gives_the_same_verdicts(graded: Path, submissions: Path, tmp_path: Path) -> None:
    done = grade(submissions, tmp_path / "out", *QUICK[:-1], "1", "--json")
    assert done.exit_code == 0
    assert verdicts(tmp_path / "out") == verdicts(graded)
    assert without_times(gradebook(tmp_path / "out")) == without_times(gradebook(graded))
    told = {each["name"]: each for each in json.loads(done.stdout)["students"]}
    assert told.keys() == gradebook(graded).keys()
    other = grade(submissions, tmp_path / "out", *QUICK, "--seed", "1")
    assert other.exit_code == 2
    assert "belongs to a run with seed 0 instead of 1" in other.stderr


@pytest.mark.long
def test_who_has_changed_is_graded_again_and_nobody_else(graded: Path, submissions: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "submissions", tmp_path / "out"
    shutil.copytree(submissions, folder)
    shutil.copytree(graded, out)
    before = {(g["black"], g["white"], g["number"]): g for g in games(out)}
    write_class(tmp_path / "others", 2)
    shutil.copy(tmp_path / "others" / "student 02" / "my_player3.py", folder / "student 06")
    (folder / "student 07" / "my_player3.py").write_text("# 1234567890:x\n1 / 0\n")
    only = grade(folder, out, *QUICK, "--only", "student 07")
    assert only.exit_code == 0
    assert "0 of 8 games played" in gradebook(out)["student 06"]["notes"]
    assert "8 games lost: wrote no move, " in gradebook(out)["student 07"]["notes"]
    done = grade(folder, out, *QUICK)
    assert "8 games of submissions that have changed: played again" in done.stderr
    check_against_referee(out, 2020, 2)
    after = {(g["black"], g["white"], g["number"]): g for g in games(out)}
    changed = {key for key in after if before.get(key) != after[key]}
    assert {name for key in changed for name in key[:2] if str(name).startswith("student")} == {
        "student 06",
        "student 07",
    }
    assert grade(folder, out, *QUICK, "--only", "nobody").exit_code == 2


@pytest.mark.long
def test_in_2020_the_second_stage_follows(tmp_path: Path) -> None:
    """Three students win all games and enter the second stage; the games of pairs and the ranks are counted here."""
    write_class(tmp_path / "class", 8)
    for number in (1, 2, 3, 4, 5, 6, 7):
        shutil.rmtree(tmp_path / "class" / f"student {number:02}")
    for name in ("ann", "ben"):
        shutil.copytree(tmp_path / "class" / "student 08", tmp_path / "class" / name)
    done = grade(tmp_path / "class", tmp_path / "out", *QUICK)
    assert done.exit_code == 0, done.stderr
    rows, kept = gradebook(tmp_path / "out"), games(tmp_path / "out")
    entered = [name for name, row in rows.items() if float(row["points"]) >= 80]
    assert len(entered) == 3, rows
    wins = dict.fromkeys(entered, 0)
    for at, first in enumerate(entered):
        for second in entered[at + 1 :]:
            pair = [game for game in kept if {game["black"], game["white"]} == {first, second}]
            assert len(pair) == 3
            assert {game["black"] for game in pair} == {first, second}
            mine = sum(winner_of(g["moves"], False) == ("Black" if g["black"] == first else "White") for g in pair)
            wins[first if mine >= 2 else second] += 1
    assert {name: int(rows[name]["pairs_won"]) for name in entered} == wins
    ranks = {name: 1 + sum(other > wins[name] for other in wins.values()) for name in entered}
    assert {name: int(rows[name]["rank"]) for name in entered} == ranks
    for name in entered:
        assert ("rank shared with" in rows[name]["notes"]) == (list(ranks.values()).count(ranks[name]) > 1)


# Interruptions


def start(folder: Path, out: Path, *options: str) -> "subprocess.Popen[str]":
    words = [sys.executable, "-m", "little_go.arena", "class", str(folder), "--out", str(out), *options]
    return subprocess.Popen(
        words, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def killed_at_random(submissions: Path, out: Path, kills: int, seed: int) -> None:
    """Kill a run this many times by SIGKILL, at instants that a seed determines, in all its parts."""
    rng = random.Random(seed)
    for _ in range(kills):
        process = start(submissions, out, *QUICK)
        before = len((out / "games.jsonl").read_bytes()) if (out / "games.jsonl").exists() else 0
        deadline = time.monotonic() + 60
        grown = rng.choice([0, 1, 1, 3000, 9000])
        while process.poll() is None and time.monotonic() < deadline:
            size = len((out / "games.jsonl").read_bytes()) if (out / "games.jsonl").exists() else 0
            if size >= before + grown:
                break
            time.sleep(0.02)
        time.sleep(rng.random() / 2)
        process.kill()
        process.communicate()


@pytest.mark.early
@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.long)])
def test_killed_at_random_instants_the_gradebook_is_the_same(
    graded: Path, submissions: Path, tmp_path: Path, kills: int
) -> None:
    """With one kill, four students are enough; their games and rows do not depend on other students."""
    folder, out = tmp_path / "submissions", tmp_path / "out"
    few = ["student 01", "student 05", "student 06", "student 12"]
    students = few if kills == 1 else [each.name for each in submissions.iterdir()]
    for name in students:
        shutil.copytree(submissions / name, folder / name)
    killed_at_random(folder, out, kills, kills)
    done = grade(folder, out, *QUICK)
    assert done.exit_code == 0, done.stderr
    expected = without_times(gradebook(graded))
    assert without_times(gradebook(out)) == {name: expected[name] for name in students}
    assert verdicts(out) == {key: each for key, each in verdicts(graded).items() if {*key[:2]} & {*students}}


def test_ctrl_c_leaves_a_gradebook_of_what_was_played(submissions: Path, tmp_path: Path) -> None:
    process = start(submissions, tmp_path / "out", *QUICK)
    games_file = tmp_path / "out" / "games.jsonl"
    while process.poll() is None and not (games_file.exists() and games_file.stat().st_size):
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert any("of 8 games played" in row["notes"] for row in gradebook(tmp_path / "out").values())


# Workers of a cluster


@pytest.mark.long
@pytest.mark.parametrize("killed", [False, True])
def test_a_cluster_gives_the_same_gradebook(graded: Path, submissions: Path, tmp_path: Path, killed: bool) -> None:
    cluster, out = Loopback(tmp_path, 2), tmp_path / "out"
    try:
        process = start(submissions, out, *QUICK, "--scheduler", cluster.address)
        while killed and process.poll() is None:
            if (out / "games.jsonl").exists() and (out / "games.jsonl").read_bytes().count(b"\n") >= 20:
                for pid in children(cluster.workers[0].pid):
                    os.kill(pid, signal.SIGKILL)
                break
            time.sleep(0.05)
        _, errors = process.communicate(timeout=900)
    finally:
        cluster.close()
    assert process.returncode == 0, errors
    assert verdicts(out) == verdicts(graded)
    assert len(games(out)) == len(verdicts(out))
    assert without_times(gradebook(out)) == without_times(gradebook(graded))


def test_without_a_scheduler_one_line_says_so(submissions: Path, tmp_path: Path) -> None:
    done = grade(submissions, tmp_path / "out", *QUICK, "--scheduler", "nonsense://x")
    assert done.exit_code == 2
    assert "is not a scheduler's address" in done.stderr.splitlines()[-1]


@pytest.mark.long
def test_a_few_students_by_the_newest_text(tmp_path: Path) -> None:
    """The opponents of the newest text take minutes."""
    write_class(tmp_path / "class", 3)
    done = grade(tmp_path / "class", tmp_path / "out", "--scheme", "2025", *QUICK[2:])
    assert done.exit_code == 0, done.stderr
    assert check_against_referee(tmp_path / "out", 2025, 2) == 3


# A class of 60


@pytest.mark.long
def test_a_class_of_sixty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All kinds several times, by the year whose opponents take least time; only the gradebook is checked."""
    few_reviews(monkeypatch, 0)
    folder, out = tmp_path / "class", tmp_path / "out"
    write_class(folder, 53)
    for agent in TABLE:
        place = folder / f"built-in {agent}"
        place.mkdir()
        (place / "my_player3.py").write_text(BUILT_IN.format(root=str(ROOT), agent=agent))
    shutil.copytree(folder / "built-in greedy", folder / "built-in greedy again")
    done = grade(folder, out, *QUICK, "--no-sandbox")
    assert done.exit_code == 0, done.stderr
    rows = gradebook(out)
    assert len(rows) == 60
    assert check_against_referee(out, 2020, 2) >= 50
    assert "the same files as built-in greedy again" in rows["built-in greedy"]["notes"]


#: A student's program that is a built-in agent, whose random numbers follow from the board.
BUILT_IN = """# 1234567890:built in
import sys
sys.path.insert(0, {root!r})
from random import Random
from little_go.arena.agents.{agent} import choose
from little_go.notation.host_file import parse_question
from little_go.solver.family import COURSE
from little_go.solver.position import move_name
content = open("input.txt", "rb").read()
question = parse_question(content, COURSE)
move = choose(question.position(question.least_ply), Random(content))
open("output.txt", "w").write(move_name(move))
"""
