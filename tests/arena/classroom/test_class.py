"""A class of three students with a program and one without, graded once: every text that is written about it."""

import csv
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from html import escape
from pathlib import Path
from random import Random
from typing import Any

import pytest

from little_go.arena.commands import classroom
from little_go.arena.standings.tournament import Fixture
from little_go.runtime.files import write_whole
from little_go.runtime.release import version
from little_go.solver.position import OCCUPIED, OFF_BOARD
from tests.arena.classroom.page_text import PageText
from tests.arena.classroom.scripted import PROGRAM, WON_BY_BLACK, WON_BY_WHITE, ScriptedClass, WorkHere
from tests.not_files import NOT_FILES
from tests.shell_blocks import ROOT

#: The games that are not decided by the order of strength; scripted.py explains the words.
GAMES = {
    ("Ann Lee", "random", 0): "2,2 2,2",
    ("ben", "random", 0): "0,0 2,2 PASS PASS",
    ("ben", "greedy", 0): "2,2 1,1 2,2",
    ("greedy", "ben", 1): "2,2 none",
    ("cid & co", "random", 0): "_2,2 PASS 1,1 PASS 3,3 PASS PASS",
    ("random", "cid & co", 1): "2,2 PASS! PASS",
    ("cid & co", "greedy", 0): "4,4 PASS 1,1 PASS 3,3 PASS PASS",
}

#: The agents in the order of strength. In all other games the stronger one wins.
STRENGTH = ("Ann Lee", "cid & co", "ben", "random", "greedy")

PROGRAMS = {
    "Ann Lee/my_player3.py": PROGRAM.format(name="Ann"),
    "ben/my_player3.py": "import os\n1 / 0\n",
    # This program passes. A PASS ends the game, but it is a legal move.
    "cid & co/my_player3.py": PROGRAM.format(name="cid").replace("2,2", "PASS"),
    "dee/agent.py": "",
}

QUICK = ("--games", "1")


def script(fixture: Fixture) -> str:
    wins = STRENGTH.index(fixture.black) < STRENGTH.index(fixture.white)
    return GAMES.get(fixture.key, WON_BY_BLACK if wins else WON_BY_WHITE)


@pytest.fixture(scope="module")
def printed() -> list[str]:
    """The lines that the first run printed."""
    return []


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, printed: list[str]) -> ScriptedClass:
    """The class, graded by the scheme that has a second stage."""
    found = ScriptedClass(tmp_path_factory.mktemp("class"), script, PROGRAMS)
    done = found.grade(2020, *QUICK)
    assert done.exit_code == 0, done.stderr
    printed += [line for line in done.output.splitlines() if "games reviewed" not in line]
    return found


def gradebook(out: Path) -> dict[str, dict[str, str]]:
    with open(out / "gradebook.csv", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def asked(out: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(out / "class.db")) as db:
        return db.execute(query).fetchall()


def student_page(out: Path, name: str) -> PageText:
    return PageText((out / "students" / f"{name}.html").read_text("utf-8"))


def test_each_step_is_printed(graded: ScriptedClass, printed: list[str]) -> None:
    assert printed == [
        "4 students, from a folder or zip for each",
        "12 games to play; the review of 12 games takes about 12 s after that",
        "second stage: 2 agents with 80 points or more",
        "3 games to play; the review of 6 games takes about 6 s after that",
        f"{graded.out / 'gradebook.csv'}: 4 students, 15 games, points 0 to 100, median 50",
    ]


#: By student, cells of the gradebook, by column.
CELLS: dict[str, dict[str, str]] = {
    "Ann Lee": {
        **{"student_key": "38eb6a5d5d5f6987", "program": "my_player3.py", "basis": "games"},
        **{"final": "100.0", "points": "100", "stage_1": "100", "random": "50", "greedy": "50"},
        **{"entered": "1", "pairs_won": "1", "rank": "1", "games": "7", "wins": "7"},
        **{"cpu_mean": "0.125", "cpu_max": "0.125", "cpu_total": "1.625"},
        **{"faults": "", "attention": "", "notes": ""},
    },
    "ben": {
        **{"student_key": "ad135341ed814b6f", "program": "my_player3.py", "basis": "games"},
        **{"final": "0.0", "points": "0.0", "stage_1": "0.0", "random": "0.0", "greedy": "0.0"},
        **{"entered": "0", "pairs_won": "", "rank": "", "games": "4", "wins": "1"},
        **{"cpu_mean": "0.125", "cpu_max": "0.125", "cpu_total": "0.75"},
        **{"faults": "invalid_occupied 1 missing 1", "attention": "fails at its start"},
        "notes": (
            "the first line of my_player3.py has no number and name, as in 1234567890:Your Name; no move when it was "
            "started: ZeroDivisionError: division by zero (my_player3.py, line 2); 1 game lost: played on a point "
            f"that has a stone, at ply 3 (2,2 is {OCCUPIED}); 1 game lost: wrote no move, at ply 2 (NameError: x "
            "(my_player3.py, line 2))"
        ),
    },
    "cid & co": {
        **{"student_key": "92b5be176140dc6e", "program": "my_player3.py", "basis": "games"},
        **{"final": "100.0", "points": "100", "stage_1": "100", "random": "50", "greedy": "50"},
        **{"entered": "1", "pairs_won": "0", "rank": "2", "games": "7", "wins": "4"},
        **{"cpu_mean": "0.7059", "cpu_max": "10.0", "cpu_total": "12.0"},
        **{"faults": "", "attention": ""},
        "notes": (
            "killed for time: 1 move, by the clock; answers not in the exact format: 1, such as ' 2,2' instead of i,j "
            "or PASS"
        ),
    },
    "dee": {
        **{"student_key": "f7a985a7ba15d11e", "program": "", "basis": "no program"},
        **{"final": "0.0", "points": "0.0", "stage_1": "0.0", "random": "0.0", "greedy": "0.0"},
        **{"entered": "0", "pairs_won": "", "rank": "", "games": "0", "wins": "0"},
        **{"cpu_mean": "0.0", "cpu_max": "0.0", "cpu_total": "0"},
        **{"faults": "", "attention": "not graded"},
        "notes": (
            "not graded: no program with a name from the assignment (my_player3.py, my_player.py, my_player.cpp, "
            "my_player11.cpp, my_player.java); there is agent.py"
        ),
    },
}

#: Cells that are equal for all students.
SAME_CELLS = {"number": "", "email": "", "full_points": "100", "late_days": "0", "regraded": "", "regrade_reason": ""}


def test_the_gradebook_has_the_students_in_order(graded: ScriptedClass) -> None:
    assert list(gradebook(graded.out)) == list(CELLS)


@pytest.mark.parametrize("name", CELLS)
def test_the_gradebook_has_every_cell(graded: ScriptedClass, name: str) -> None:
    """``tests/test_pins.py`` compares the header. A new column needs no change here."""
    row, expected = gradebook(graded.out)[name], CELLS[name] | SAME_CELLS
    assert {column: row[column] for column in expected} == expected


def test_the_games_are_in_turn_and_kept_as_they_were_played(graded: ScriptedClass) -> None:
    lines = [json.loads(line) for line in (graded.out / "games.jsonl").read_text("utf-8").splitlines()]
    assert [(game["black"], game["white"], game["number"]) for game in lines] == [
        ("Ann Lee", "random", 0),
        ("Ann Lee", "greedy", 0),
        ("ben", "random", 0),
        ("ben", "greedy", 0),
        ("cid & co", "random", 0),
        ("cid & co", "greedy", 0),
        ("random", "Ann Lee", 1),
        ("greedy", "Ann Lee", 1),
        ("random", "ben", 1),
        ("greedy", "ben", 1),
        ("random", "cid & co", 1),
        ("greedy", "cid & co", 1),
        ("Ann Lee", "cid & co", 0),
        ("cid & co", "Ann Lee", 0),
        ("cid & co", "Ann Lee", 1),
    ]
    assert {game["seconds"] for game in lines} == {1.5}
    # SGF files are written only if the user asks for them.
    assert not (graded.out / "sgf").exists()


def test_the_database_has_every_game_and_call(graded: ScriptedClass) -> None:
    columns = "id, black, white, number, winner, loser, reason, detail, margin, plies, moves, seconds, again"
    rows = {row[0]: row[1:] for row in asked(graded.out, f"SELECT {columns} FROM games")}
    assert len(rows) == 15
    assert rows["Ann Lee - random 0"] == (
        *("Ann Lee", "random", 0, "Black", "random", "invalid_occupied", f"2,2 is {OCCUPIED}", 1, 2, "2,2 2,2", 1.5, 0),
    )
    assert rows["random - cid & co 1"] == (
        *("random", "cid & co", 1, "White", "random", "two_passes", "", 1, 3, "2,2 PASS PASS", 1.5, 0),
    )
    assert rows["Ann Lee - cid & co 0"][3:10] == ("Black", "cid & co", "two_passes", "", 3, 7, WON_BY_BLACK)
    calls = asked(
        graded.out, "SELECT * FROM moves WHERE game IN ('greedy - ben 1', 'random - cid & co 1', 'ben - greedy 0')"
    )
    assert calls == [
        ("ben - greedy 0", 1, "ben", "Black", "2,2", 0.125, 0),
        ("ben - greedy 0", 2, "greedy", "White", "1,1", 0.125, 0),
        ("ben - greedy 0", 3, "ben", "Black", "2,2", 0.125, 0),
        ("greedy - ben 1", 1, "greedy", "Black", "2,2", 0.125, 0),
        ("greedy - ben 1", 2, "ben", "White", None, 0.125, 0),
        ("random - cid & co 1", 1, "random", "Black", "2,2", 0.125, 0),
        ("random - cid & co 1", 2, "cid & co", "White", "PASS", 10.0, 1),
        ("random - cid & co 1", 3, "random", "Black", "PASS", 0.125, 0),
    ]
    assert asked(graded.out, "SELECT count(*), sum(killed) FROM moves") == [(60, 1)]


def test_the_database_has_every_point(graded: ScriptedClass) -> None:
    assert asked(graded.out, "SELECT * FROM points") == [
        ("Ann Lee", 1, 1, "random", 2, 2, 50.0, 50, 1),
        ("Ann Lee", 1, 1, "greedy", 2, 2, 50.0, 50, 1),
        ("ben", 1, 1, "random", 2, 1, 0.0, 50, 1),
        ("ben", 1, 1, "greedy", 2, 0, 0.0, 50, 1),
        ("cid & co", 1, 1, "random", 2, 2, 50.0, 50, 1),
        ("cid & co", 1, 1, "greedy", 2, 2, 50.0, 50, 1),
    ]
    book = [[None if cell == "" else cell for cell in row.values()] for row in gradebook(graded.out).values()]
    kept = [
        [None if cell in ("", None) else str(cell) for cell in row]
        for row in asked(graded.out, "SELECT * FROM students")
    ]

    def numbers(row: list[str | None]) -> list[float | str | None]:
        return [float(cell) if cell and cell.replace(".", "", 1).isdigit() else cell for cell in row]

    assert [*map(numbers, kept)] == [*map(numbers, book)]


def test_the_views_count_for_people(graded: ScriptedClass) -> None:
    assert asked(graded.out, "SELECT * FROM hardest_opponents") == [
        ("greedy", 6, 4, 66.7, 33.33),
        ("random", 6, 5, 83.3, 33.33),
    ]
    # An opponent that played on an occupied point is not a student.
    assert asked(graded.out, "SELECT * FROM common_faults") == [
        ("invalid_occupied", 1, 1, f"2,2 is {OCCUPIED}"),
        ("missing", 1, 1, "NameError: x (my_player3.py, line 2)"),
    ]
    assert asked(graded.out, "SELECT * FROM slowest_programs") == [
        ("cid & co", 0.7059, 10.0, 12.0, "my_player3.py"),
        ("Ann Lee", 0.125, 0.125, 1.625, "my_player3.py"),
        ("ben", 0.125, 0.125, 0.75, "my_player3.py"),
    ]
    assert [row[:3] for row in asked(graded.out, "SELECT * FROM gradebook")] == [
        ("Ann Lee", 100.0, 100.0),
        ("ben", 0.0, 0.0),
        ("cid & co", 100.0, 100.0),
        ("dee", 0.0, 0.0),
    ]
    columns = "students, times, ply, board, move, best_move, cost, decisive, why"
    assert asked(graded.out, f"SELECT {columns} FROM shared_mistakes WHERE students > 1") == [
        (3, 8, 2, "...../...../..X../...../.....", "PASS", "1,1", 2, 0, "PASS gives points away. Keep them."),
        # The other student's move is 4,4, which is the same move by a symmetry.
        (2, 2, 1, "...../...../...../...../.....", "0,0", "2,2", 6, 2, "0,0 gives points away. Keep them."),
        (2, 3, 7, "...../.X.../..X../...X./.....", "PASS", None, 3, 0, "PASS gives points away. Keep them."),
    ]


def test_the_student_s_own_mistakes_are_kept(graded: ScriptedClass) -> None:
    assert asked(graded.out, "SELECT student, games FROM reviews ORDER BY student") == [
        ("Ann Lee", 7),
        ("ben", 4),
        ("cid & co", 7),
    ]
    columns = "game, ply, mover, move, best_move, cost, exact, decisive, kind, why NOT NULL"
    rows = asked(graded.out, f"SELECT student, {columns} FROM mistakes ORDER BY student, mistakes.rowid")
    assert [row[1:] for row in rows if row[0] == "ben"] == [
        ("ben - random 0", 1, "Black", "0,0", "2,2", 6, 1, 1, "leaves the centre", 1),
        ("ben - random 0", 3, "Black", "PASS", "1,2", 3, 1, 0, "passes", 1),
        ("random - ben 1", 2, "White", "PASS", "1,1", 2, 1, 0, "passes", 1),
    ]
    assert [row[1:] for row in rows if row[0] == "cid & co"] == [
        ("Ann Lee - cid & co 0", 2, "White", "PASS", "1,1", 2, 1, 0, "passes", 1),
        ("Ann Lee - cid & co 0", 6, "White", "PASS", "0,1", 1, 1, 0, "passes", 1),
        ("cid & co - Ann Lee 0", 3, "Black", "PASS", "1,1", 4, 1, 1, "passes", 1),
        ("cid & co - Ann Lee 1", 3, "Black", "PASS", "1,1", 4, 1, 1, "passes", 1),
        ("cid & co - greedy 0", 1, "Black", "4,4", "2,2", 6, 1, 1, "leaves the centre", 1),
        ("cid & co - greedy 0", 3, "Black", "1,1", "2,2", 3, 1, 1, "leaves the centre", 1),
        ("cid & co - greedy 0", 7, "Black", "PASS", None, 2, 1, 0, "passes", 1),
        ("cid & co - random 0", 7, "Black", "PASS", None, 3, 1, 0, "passes", 1),
        ("greedy - cid & co 1", 2, "White", "PASS", "1,1", 2, 1, 0, "passes", 1),
        ("random - cid & co 1", 2, "White", "PASS", "1,1", 2, 1, 0, "passes", 1),
    ]
    assert {row[2:4] for row in rows if row[0] == "Ann Lee"} == {(2, "White"), (7, "Black")}


def test_a_student_s_page_has_points_faults_and_lessons(graded: ScriptedClass) -> None:
    page = student_page(graded.out, "ben")
    marks, against, kinds = page.tables
    assert marks == [
        ["opponent", "won as Black", "won as White", "points", "of", "slowest move"],
        ["random", "0/1", "1/1", "0", "50", "0.12 s"],
        ["greedy", "0/1", "0/1", "0", "50", "0.12 s"],
    ]
    assert against[1:] == [["greedy", "0/1", "0/1", "2", "0", "0"], ["random", "0/1", "1/1", "0", "1", "11"]]
    # A fault in a won game lost the win, but a fault in a lost game did not.
    assert kinds[1:] == [
        ["plays on an occupied point", "1", "1", ""],
        ["writes no move", "1", "0", ""],
        ["leaves the centre", "1", "1", "6"],
        ["passes", "2", "0", "5"],
    ]
    assert page.texts[:12] == [
        "ben",
        "0 of 100 points",
        "the first line of my_player3.py has no number and name, as in 1234567890:Your Name",
        "no move when it was started: ZeroDivisionError: division by zero (my_player3.py, line 2)",
        f"1 game lost: played on a point that has a stone, at ply 3 (2,2 is {OCCUPIED})",
        "1 game lost: wrote no move, at ply 2 (NameError: x (my_player3.py, line 2))",
        "How the points came about",
        "random: 1 of 2 games won, 50 %. Below 70 %: no points of 50.",
        "greedy: 0 of 2 games won, 0 %. Below 70 %: 10 x 0/2 = 0 points of 50.",
        "Together: 0 + 0 = 0 points.",
        "What the games show",
        "4 games; 3 lost: 2 by a fault, 1 thrown away from a win; 5 mistakes (2 faults among them), 11 points given "
        "away.",
    ]
    assert page.texts[12:-2] == [
        "All 4 games were reviewed, move by move.",
        "Faults: each lost a game at once",
        "Wrote no move: 1 game lost",
        "Ply 2 against greedy: White wrote no move: NameError: x (my_player3.py, line 2). It lost the game at once; "
        "White was losing already (B+0.5).",
        "The program must write its move to output.txt before it ends. If it ends without a move, it has lost.",
        "Played on a point that has a stone: 1 game lost",
        "Ply 3 against greedy: Black played 2,2, where there is a stone already. It lost the game at once; Black "
        "was winning (B+0.5).",
        "A stone may only be put on an empty point.",
        "Three lessons from your games",
        "As Black at ply 1: play 2,2, not 0,0",
        "0,0 gives away 6 points and the win (leaves the centre).",
        "0,0 gives points away. Keep them.",
        "As Black at ply 3: play 1,2, not PASS",
        "PASS gives away 3 points (passes).",
        "PASS gives points away. Keep them.",
        "As White at ply 2: play 1,1, not PASS",
        "PASS gives away 2 points (passes).",
        "PASS gives points away. Keep them.",
        "Opponents",
        "Faults and mistakes by kind",
        "What the words mean",
    ]


def test_a_page_has_the_rank_and_the_other_has_no_games(graded: ScriptedClass) -> None:
    first, second = student_page(graded.out, "Ann Lee"), student_page(graded.out, "cid _ co 7b785c115bcb")
    assert first.texts[:7] == [
        "Ann Lee",
        "100 of 100 points",
        "How the points came about",
        "random: 2 of 2 games won, 100 %. From 90 % on: all 50 points of 50.",
        "greedy: 2 of 2 games won, 100 %. From 90 % on: all 50 points of 50.",
        "Together: 50 + 50 = 100 points.",
        "Second stage: rank 1 of 2, with 1 WIN.",
    ]
    assert "2 lessons from your games" in first.texts
    assert second.texts[:4] == [
        "cid & co",
        "100 of 100 points",
        "killed for time: 1 move, by the clock",
        "answers not in the exact format: 1, such as ' 2,2' instead of i,j or PASS",
    ]
    assert second.tables[0][1] == ["random", "1/1", "1/1", "50", "50", "10.00 s"]
    assert second.tables[1][1:] == [
        ["another student", "0/2", "0/1", "0", "2", "11"],
        ["greedy", "1/1", "1/1", "0", "0", "13"],
        ["random", "1/1", "1/1", "0", "0", "5"],
    ]
    # The first lessons are the worst mistakes of each kind, and then come the worst of the others.
    assert [text for text in second.texts if " at ply " in text] == [
        "As Black at ply 3: play 1,1, not PASS",
        "As Black at ply 1: play 2,2, not 4,4",
        "As Black at ply 3: play 2,2, not 1,1",
    ]
    assert (
        "PASS gives away 4 points and the win (passes). Played 2 times; 2 won games given away by it." in second.texts
    )
    none = student_page(graded.out, "dee")
    assert none.texts[:3] == ["dee", "0 of 100 points", gradebook(graded.out)["dee"]["notes"]]
    assert none.texts[3:] == ["How the points came about", "No game was played, so there are no points."]
    assert none.tables == []


def test_no_student_s_page_names_another(graded: ScriptedClass) -> None:
    names = gradebook(graded.out).keys()
    pages = [path.read_text("utf-8") for path in (graded.out / "students").iterdir()]
    named = [{name for name in names if f"<bdi>{escape(name)}</bdi>" in page or name in page} for page in pages]
    assert sorted(map(len, named)) == [1, 1, 1, 1]


def test_the_staff_s_page_has_the_whole_class(graded: ScriptedClass) -> None:
    page = PageText((graded.out / "index.html").read_text("utf-8"))
    students, points, opponents, faults, slowest = page.tables
    assert points == [
        ["points", "students"],
        ["100", "2"],
        *([f"{low} to {low + 9}", "0"] for low in range(90, 0, -10)),
        ["0 to 9", "2"],
    ]
    assert opponents == [
        ["opponent", "games", "won by the class", "mean points"],
        ["greedy", "6", "66.7 %", "33.33"],
        ["random", "6", "83.3 %", "33.33"],
    ]
    assert faults == [
        ["fault", "students", "games", "for example"],
        ["plays on an occupied point", "1", "1", f"2,2 is {OCCUPIED}"],
        ["writes no move", "1", "1", "NameError: x (my_player3.py, line 2)"],
    ]
    assert slowest == [
        ["student", "slowest move", "mean", "program"],
        ["cid & co", "10.00 s", "0.71 s", "my_player3.py"],
        ["Ann Lee", "0.12 s", "0.12 s", "my_player3.py"],
        ["ben", "0.12 s", "0.12 s", "my_player3.py"],
    ]
    head = ["student", "points", "stage 1", "rank", "days late", "faults", "won", "slowest move", "notes"]
    assert students[0] == head
    assert [row[:-1] for row in students[1:]] == [
        ["Ann Lee", "100", "100", "1", "", "", "7/7", "0.12 s"],
        ["ben", "0", "0", "-", "", "2", "1/4", "0.12 s"],
        ["cid & co", "100", "100", "2", "", "", "4/7", "10.00 s"],
        ["dee", "0", "0", "-", "", "", "", ""],
    ]
    begin, end = page.texts.index("Students") + 1, page.texts.index("Points")
    notes = [row["notes"] for row in gradebook(graded.out).values() if row["notes"]]
    assert "; ".join(page.texts[begin:end]) == "; ".join(notes)
    assert page.texts[:begin] + page.texts[end:] == [
        "The class",
        "4 students, 15 games, points 0 to 100, median 50",
        "To check first",
        "Not graded: 1",
        "dee: no program with a name from the assignment (my_player3.py, my_player.py, my_player.cpp, my_player11.cpp, "
        "my_player.java); there is agent.py",
        "Fails at its start: 1",
        "ben: no move when it was started: ZeroDivisionError: division by zero (my_player3.py, line 2)",
        "Students",
        "Points",
        "Mean 50.0, median 50, of 4 students.",
        "Hardest opponents",
        "Common faults",
        "Slowest programs",
        "Mistakes that the class shares",
        *("3 students, ply 2: PASS instead of 1,1", "costs up to 2", "PASS gives points away. Keep them."),
        *(
            "2 students, ply 1: 0,0 instead of 2,2",
            "costs up to 6 and the win, 2 times",
            "0,0 gives points away. Keep them.",
        ),
        *("2 students, ply 7: PASS", "costs up to 3", "PASS gives points away. Keep them."),
    ]
    assert "0,0 is a mistake, 2,2 is better" in page.html
    assert re.search(r"PASS is a mistake\W*<", page.html)
    ann, cid = "Ann%20Lee", "cid%20_%20co%207b785c115bcb"
    names = ("dee", "ben", ann, "ben", cid, "dee", cid, ann, "ben")
    assert page.links == [f"students/{name}.html" for name in names]


def test_the_settings_and_starts_are_kept(graded: ScriptedClass) -> None:
    settings = json.loads((graded.out / "class.json").read_text("utf-8"))
    assert (settings["scheme"], settings["seed"], settings["sandbox"], settings["strict"]) == (2020, 0, False, False)
    assert settings["little_go"] == version()
    head, *starts = map(json.loads, (graded.out / "starts.jsonl").read_text("utf-8").splitlines())
    assert head["cpu"] == 10.0
    notes = sorted((notes for _, _, notes, _ in starts), key=len)
    assert notes == [
        [],
        [],
        ["no move when it was started: ZeroDivisionError: division by zero (my_player3.py, line 2)"],
    ]
    assert all(identity for _, identity, _, _ in starts)
    assert {path.name for path in (graded.out / "programs").iterdir()} == {digest for digest, _, _, _ in starts}


# Later runs


@pytest.fixture
def again(graded: ScriptedClass, tmp_path: Path) -> ScriptedClass:
    """A copy of the graded class, which a test grades again."""
    return graded.copied(tmp_path)


def written(out: Path) -> dict[str, str]:
    """Return the contents of all pages and of the gradebook."""
    files = [out / "gradebook.csv", out / "index.html", *(out / "students").iterdir()]
    return {path.name: path.read_text("utf-8") for path in files}


def test_a_second_run_plays_and_reviews_nothing(again: ScriptedClass, graded: ScriptedClass) -> None:
    done = again.grade(2020, *QUICK)
    assert (done.exit_code, again.played, again.explained) == (0, [], [])
    assert written(again.out) == written(graded.out)
    assert "played again" not in done.stderr
    other = again.grade(2020, *QUICK, "--seed", "1")
    assert other.exit_code == 2
    assert (
        f"{again.out / 'class.json'} belongs to a run with seed 0 instead of 1: give the same, or another --out"
        in other.stderr
    )


def test_who_has_changed_plays_again_alone(again: ScriptedClass, graded: ScriptedClass) -> None:
    again.hand_in("ben/my_player3.py", PROGRAM.format(name="ben"))
    (again.submissions / "dee" / "agent.py").unlink()
    (again.submissions / "dee").rmdir()
    done = again.grade(2020, *QUICK)
    assert "4 games of submissions that have changed: played again" in done.stderr
    assert [fixture.key for fixture in again.played] == [
        *(("ben", "random", 0), ("ben", "greedy", 0), ("random", "ben", 1), ("greedy", "ben", 1)),
    ]
    rows = gradebook(again.out)
    assert [*rows] == ["Ann Lee", "ben", "cid & co"]
    assert (
        rows["ben"]["notes"]
        == f"1 game lost: played on a point that has a stone, at ply 3 (2,2 is {OCCUPIED}); 1 game lost: wrote no "
        "move, at ply 2 (NameError: x (my_player3.py, line 2))"
    )
    # Games that have not changed are not reviewed again.
    assert again.explained == []
    assert asked(again.out, "SELECT count(*) FROM students") == [(3,)]
    again.script = lambda fixture: "2,2 2,2" if fixture.black == "ben" else script(fixture)
    again.hand_in("ben/my_player3.py", PROGRAM.format(name="ben") + "#\n")
    again.grade(2020, *QUICK)
    assert gradebook(again.out)["ben"]["points"] == "55.0"
    index = (again.out / "index.html").read_text("utf-8").partition("<h2>Points</h2>")[2]
    # Two of three students are in the highest range. The length of a bar is its share of the longest bar.
    assert re.findall(r"--share: (\d+)%[^>]*>(\d+)", index) == [("100", "2"), ("50", "1")]
    assert {mistake.ply for mistake in again.explained} == {2}
    assert asked(again.out, "SELECT game FROM mistakes WHERE student = 'ben'") == [("random - ben 1",)]


def test_only_the_named_student_plays(again: ScriptedClass) -> None:
    for name in ("ben", "cid & co"):
        again.hand_in(f"{name}/my_player3.py", PROGRAM.format(name=f"new {name}"))
    done = again.grade(2020, *QUICK, "--only", "cid & co")
    assert done.exit_code == 0
    # The games of a student whose program has changed are neither played again nor counted, but none of them is lost.
    assert {fixture.black for fixture in again.played} == {"cid & co", "random", "greedy"}
    assert len(again.played) == 4
    assert "The second stage waits until all games of the first stage are played." in done.stderr
    row = gradebook(again.out)["ben"]
    assert (row["notes"], row["points"], row["final"], row["games"]) == ("0 of 4 games played", "", "", "0")
    assert student_page(again.out, "ben").texts[1] == "- of 100 points"
    assert len((again.out / "games.jsonl").read_text("utf-8").splitlines()) == 15
    refused = again.grade(2020, *QUICK, "--only", "nobody")
    assert (refused.exit_code, refused.stderr.splitlines()[-1]) == (
        2,
        "Error: no student 'nobody': the gradebook has the names",
    )


def test_reviews_of_a_student_who_is_gone_are_gone(again: ScriptedClass) -> None:
    (again.submissions / "ben" / "my_player3.py").unlink()
    (again.submissions / "ben").rmdir()
    assert again.grade(2020, *QUICK).exit_code == 0
    assert asked(again.out, "SELECT student FROM reviews ORDER BY student") == [("Ann Lee",), ("cid & co",)]
    assert asked(again.out, "SELECT DISTINCT student FROM mistakes ORDER BY student") == [("Ann Lee",), ("cid & co",)]
    assert asked(again.out, "SELECT count(*) FROM games") == [(11,)]


def test_ctrl_c_writes_the_gradebook_alone(again: ScriptedClass, graded: ScriptedClass) -> None:
    again.hand_in("ben/my_player3.py", PROGRAM.format(name="ben"))

    def interrupted(fixture: Fixture) -> str:
        if fixture.key == ("random", "ben", 1):
            raise KeyboardInterrupt
        return script(fixture)

    again.script = interrupted
    done = again.grade(2020, *QUICK)
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (130, "interrupted")
    assert gradebook(again.out)["ben"]["notes"].startswith("2 of 4 games played; 1 game lost: played on a point")
    pages = written(again.out)
    del pages["gradebook.csv"]
    assert pages == {name: page for name, page in written(graded.out).items() if name != "gradebook.csv"}
    again.script = script
    assert again.grade(2020, *QUICK).exit_code == 0
    assert [fixture.key for fixture in again.played] == [("random", "ben", 1), ("greedy", "ben", 1)]


@pytest.mark.parametrize("kind", NOT_FILES)
@pytest.mark.parametrize("name", ["class.json", "starts.jsonl"])
def test_what_is_no_file_is_refused(name: str, kind: str, again: ScriptedClass) -> None:
    (again.out / name).unlink()
    NOT_FILES[kind](again.out / name)
    done = again.grade(2020, *QUICK)
    assert (done.exit_code, done.stdout, again.played) == (2, "", [])
    assert done.stderr.splitlines()[-1].startswith(f"Error: {again.out / name}: "), done.stderr


def test_submissions_in_a_pipe_are_refused(again: ScriptedClass, tmp_path: Path) -> None:
    NOT_FILES["pipe"](tmp_path / "pipe")
    again.submissions = tmp_path / "pipe"
    done = again.grade(2020, *QUICK)
    assert (done.exit_code, done.stderr) == (2, f"Error: '{tmp_path / 'pipe'}' is neither a folder nor a file\n")


def overwritten(start: int, length: int, seed: int = 0) -> Callable[[Path], None]:
    """Return a function that writes random bytes into a file, from a place on, in hundredths of the file."""

    def damage(path: Path) -> None:
        content = bytearray(path.read_bytes())
        place = len(content) * start // 100
        content[place : place + length] = Random(seed).randbytes(length)
        path.write_bytes(content)

    return damage


def cut(parts: int) -> Callable[[Path], None]:
    """Return a function that shortens a file to a number of hundredths of it."""
    return lambda path: os.truncate(path, path.stat().st_size * parts // 100)


def changed(statements: str) -> Callable[[Path], None]:
    """Return a function that changes a database."""

    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path)) as db:
            db.executescript(statements)

    return damage


def replaced(kind: str) -> Callable[[Path], None]:
    """Return a function that replaces a file by something else."""

    def damage(path: Path) -> None:
        path.unlink()
        NOT_FILES[kind](path)

    return damage


#: Kinds of damage to the database of a class, after each of which a run must refuse it.
DAMAGE: dict[str, Callable[[Path], None]] = {
    **{f"replaced by a {kind}": replaced(kind) for kind in NOT_FILES},
    **{f"cut to {parts} %": cut(parts) for parts in (1, 20, 50, 80)},
    "the head overwritten": overwritten(0, 16),
    "the first page overwritten": overwritten(0, 4096),
    "all random": overwritten(0, 100_000),
    "text": lambda path: write_whole(path, "name,points\n" * 1000),
    "reviews without a column": changed("ALTER TABLE reviews DROP COLUMN digest"),
    "reviews with other names": changed("ALTER TABLE reviews RENAME COLUMN html TO text"),
    "reviews are a view": changed("DROP TABLE reviews; CREATE VIEW reviews AS SELECT name AS student FROM students"),
    "mistakes without a column": changed("DROP VIEW shared_mistakes; ALTER TABLE mistakes DROP COLUMN why"),
    "mistakes are a view": changed("DROP TABLE mistakes; CREATE VIEW mistakes AS SELECT * FROM students"),
    "students are a view": changed("DROP TABLE students; CREATE VIEW students AS SELECT 1 AS name"),
    "the gradebook is a table": changed("DROP VIEW gradebook; CREATE TABLE gradebook (name)"),
    "no text": changed("UPDATE reviews SET digest = CAST(x'ff00fe' AS TEXT)"),
    "numbers for texts": changed("UPDATE reviews SET html = 3, games = 'many'"),
    "blobs for texts": changed("UPDATE reviews SET html = x'ff'"),
    "blobs for boards": changed("UPDATE mistakes SET board = x'ff', cost = 'dear'"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_database_is_one_line(kind: str, again: ScriptedClass) -> None:
    path = again.out / "class.db"
    DAMAGE[kind](path)
    done = again.grade(2020, *QUICK)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(f"Error: {path}: "), done.stderr


@pytest.mark.parametrize("seed", range(12))
def test_random_bytes_in_a_database_are_no_traceback(seed: int, again: ScriptedClass) -> None:
    path, rng = again.out / "class.db", Random(seed)
    overwritten(rng.randrange(1, 100), 1 << rng.randrange(12), seed)(path)
    done = again.grade(2020, *QUICK)
    assert done.exit_code == 0 or done.stderr.splitlines()[-1].startswith(f"Error: {path}: "), done.stderr


def test_an_empty_database_is_made(again: ScriptedClass) -> None:
    os.truncate(again.out / "class.db", 0)
    assert again.grade(2020, *QUICK).exit_code == 0
    assert asked(again.out, "SELECT count(*) FROM games") == [(15,)]


def test_a_database_that_is_in_use_is_not_to_be_moved_away(
    again: ScriptedClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(again.out / "class.db", isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0))
        done = again.grade(2020, *QUICK)
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (2, f"Error: {again.out / 'class.db'}: database is locked")


@pytest.mark.parametrize("at_work", ["start_program", "review_game"])
def test_a_killed_worker_is_one_line(at_work: str, again: ScriptedClass, monkeypatch: pytest.MonkeyPatch) -> None:
    again.hand_in("ben/my_player3.py", PROGRAM.format(name="ben"))
    (again.out / "class.db").unlink()

    def killed(self: WorkHere, function: Callable[..., Any], *given: Any) -> "Future[Any]":
        if getattr(function, "func", function).__name__ != at_work:
            return submit(self, function, *given)
        self._jobs += 1
        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("A process in the process pool was terminated abruptly"))
        return future

    submit = WorkHere.submit
    monkeypatch.setattr(WorkHere, "submit", killed)
    done = again.grade(2020, *QUICK)
    assert (done.exit_code, done.stdout) == (2, "")
    assert (
        done.stderr.splitlines()[-1]
        == "Error: a worker was killed, 6 times at the same work: start the same command again"
    )


#: The beginning of another run that uses the same output directory.
SECOND = """
import sys
from pathlib import Path
from little_go.arena.standings.tournament import GamesFolder, TournamentError
try:
    GamesFolder(Path(sys.argv[1]))
except TournamentError as error:
    print(error)
"""


@pytest.mark.parametrize("step", ["write_gradebook", "write_pages"])
def test_no_other_run_begins_while_one_writes(step: str, again: ScriptedClass, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = []

    def second(*_: object) -> None:
        run = [sys.executable, "-c", SECOND, str(again.out)]
        refused.append(subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout)

    monkeypatch.setattr(classroom, step, second)
    assert again.grade(2020, *QUICK).exit_code == 0
    assert refused == [f"'{again.out}' is in use by another run: choose another --out, or wait\n"]


def test_another_database_is_not_written(again: ScriptedClass) -> None:
    (again.out / "class.db").unlink()
    with closing(sqlite3.connect(again.out / "class.db")) as db:
        db.execute("CREATE TABLE mine (a)")
    done = again.grade(2020, *QUICK)
    assert done.exit_code == 2
    assert done.stderr.endswith("/out/class.db: not a class's database: move it away\n")


# Two stages with a program each, repetitions, limits of CPU for all games, and late days

TWO_STAGES = {
    "Ann Lee/stage1/my_player3.py": PROGRAM.format(name="Ann"),
    "Ann Lee/stage2/my_player3.py": PROGRAM.format(name="Ann").replace("2,2", "7,7"),
    "ben/my_player3.py": PROGRAM.format(name="ben"),
}


def by_stages(fixture: Fixture) -> str:
    """Ann loses one of the first two games against random. One call of ben is killed in each repetition."""
    if fixture.key == ("random", "Ann Lee", 1):
        return WON_BY_BLACK
    if fixture.key == ("ben", "alphabeta", 0):
        return "late"
    return WON_BY_BLACK if fixture.number % 2 == 0 else "2,2 PASS! PASS" if fixture.white == "ben" else WON_BY_WHITE


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> ScriptedClass:
    """The class, graded by a scheme with two stages that are played twice."""
    folder = tmp_path_factory.mktemp("staged")
    found = ScriptedClass(folder, by_stages, TWO_STAGES)
    (folder / "late.csv").write_text("name,days\nAnn Lee,0.5\n", "utf-8")
    done = found.grade(2025, "--late", str(folder / "late.csv"))
    assert done.exit_code == 0, done.stderr
    return found


def test_the_best_repetition_counts_less_the_days_late(staged: ScriptedClass) -> None:
    row = gradebook(staged.out)["Ann Lee"]
    # In the first repetition, one of two games against random is lost, and so are 50 points.
    assert (row["points"], row["final"], row["late_days"], row["full_points"]) == ("100", "80.0", "1", "100")
    assert (row["stage_1"], row["stage_2"], row["random"], row["greedy"], row["alphabeta"]) == (
        "90",
        "10",
        "50",
        "40",
        "10",
    )
    assert (row["games"], row["wins"]) == ("12", "11")
    assert row["notes"].split("; ") == [
        f"stage 2: its first move does not count: 7,7 is {OFF_BOARD}",
        "1 day late: 20 % of the points taken away",
    ]
    page = student_page(staged.out, "Ann Lee")
    assert page.texts[1:12] == [
        "80 of 100 points",
        f"stage 2: its first move does not count: 7,7 is {OFF_BOARD}",
        "How the points came about",
        "random: 2 of 2 games won, 100 %. From 90 % on: all 50 points of 50.",
        "greedy: 2 of 2 games won, 100 %. From 90 % on: all 40 points of 40.",
        "Stage 1: all games took 1.2 s of CPU, and may take 12 s.",
        "alphabeta: 2 of 2 games won, 100 %. From 90 % on: all 10 points of 10.",
        "Stage 2: all games took 0.6 s of CPU, and may take 4 s.",
        "Together: 50 + 40 + 10 = 100 points.",
        "All games were played 2 times, and the best result counts: 50, 100. The numbers above are from the best "
        "repetition.",
        "1 day late, each of which takes 20 % away: 100 x 0.8 = 80 points.",
    ]
    points = asked(
        staged.out, "SELECT repetition, stage, opponent, points, counts FROM points WHERE student = 'Ann Lee'"
    )
    assert points == [
        *((1, 1, "random", 0.0, 0), (1, 1, "greedy", 40.0, 0), (1, 2, "alphabeta", 10.0, 0)),
        *((2, 1, "random", 50.0, 1), (2, 1, "greedy", 40.0, 1), (2, 2, "alphabeta", 10.0, 1)),
    ]


def test_each_stage_has_its_program(staged: ScriptedClass) -> None:
    players = {name for fixture in staged.played for name in fixture[:2]} - {"random", "greedy", "alphabeta"}
    assert players == {"Ann Lee", "Ann Lee (stage 2)", "ben"}
    assert all("alphabeta" in fixture[:2] for fixture in staged.played if "Ann Lee (stage 2)" in fixture[:2])
    assert asked(staged.out, "SELECT count(*) FROM games WHERE loser = 'Ann Lee'") == [(1,)]
    assert len(list((staged.out / "programs").iterdir())) == 3


def test_a_stage_over_its_limit_of_cpu_has_no_points(staged: ScriptedClass) -> None:
    row = gradebook(staged.out)["ben"]
    assert (row["points"], row["stage_1"], row["stage_2"], row["faults"]) == ("0.0", "0.0", "0.0", "timeout 1")
    assert row["notes"].split("; ") == [
        "stage 1: over the limit of 12 s of CPU for all games, all points lost",
        "stage 2: over the limit of 4 s of CPU for all games, all points lost",
        "1 game lost: took too long for a move, at ply 1 (killed for time)",
        "killed for time: 7 moves, 6 of them by the clock",
    ]
    page = student_page(staged.out, "ben")
    assert page.tables[0][1] == ["random", "1/1", "1/1", "0", "50", "10.00 s"]
    assert [text for text in page.texts if text.startswith("Stage ")] == [
        "Stage 1: all games took 21.0 s of CPU, and may take 12 s: all its points are lost.",
        "Stage 2: all games took 20.0 s of CPU, and may take 4 s: all its points are lost.",
    ]
    assert "Took too long for a move: 1 game lost" in page.texts


def test_the_list_of_students_has_both_stages(staged: ScriptedClass) -> None:
    page = PageText((staged.out / "index.html").read_text("utf-8"))
    assert [row[:7] for row in page.tables[0]] == [
        ["student", "points", "stage 1", "stage 2", "days late", "faults", "won"],
        ["Ann Lee", "80", "90", "10", "1", "", "11/12"],
        ["ben", "0", "0", "0", "", "1", "11/12"],
    ]
    assert page.texts[2:9] == [
        "To check first",
        "Fails at its start: 1",
        f"Ann Lee: its first move does not count: 7,7 is {OFF_BOARD}",
        "Over the CPU limit: 1",
        "ben: stage 1, stage 2",
        "Late: 1",
        "Ann Lee: 1 day",
    ]
