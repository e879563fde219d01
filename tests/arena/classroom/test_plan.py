"""The pairings of a class, the second stage of 2020, days late, and the estimate of the time that is left."""

import re
from collections import Counter
from dataclasses import replace
from datetime import datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from little_go.arena.classroom.basis import Basis, Cause
from little_go.arena.classroom.class_run import seconds_left
from little_go.arena.classroom.gradebook import Loss, open_text, rows_of, to_csv
from little_go.arena.classroom.places import SubmittedFile
from little_go.arena.classroom.plan import ClassPlan, Ranking, enters, pair_fixtures, rank
from little_go.arena.classroom.staff_tables import BadLateDays, Regrade, days_after, read_late_days
from little_go.arena.classroom.submissions import Submission
from little_go.arena.course.course_file import course_of
from little_go.arena.standings.tally import AgentRow
from little_go.arena.standings.tournament import Fixture
from tests.arena.classroom.reading import read_here


def submission(name: str, *sources: bytes, year: int = 2025) -> Submission:
    """Return a submission with a program for each stage."""
    parts = [SubmittedFile(f"stage{at}/my_player3.py", 1, partial(BytesIO, it)) for at, it in enumerate(sources, 1)]
    return read_here(Submission(name, parts), year)


def plan_of(*submissions: Submission, year: int = 2025, games: int | None = None) -> ClassPlan:
    return ClassPlan(course_of(year), 7, {each.name: each for each in submissions}, games)


def record(fixture: Fixture, winner: str, **more: Any) -> dict[str, Any]:
    told = {"black": fixture.black, "white": fixture.white, "number": fixture.number, "winner": winner, "reason": "max"}
    return {**told, "cpu": {"black": [0.25], "white": [0.5]}, "killed": [], **more}


@pytest.mark.parametrize(("year", "games"), [(2025, 360), (2023, 120), (2021, 120), (2020, 400)])
def test_all_games_of_the_scheme_are_played(year: int, games: int) -> None:
    plan = plan_of(submission("ann", b"a", b"a"), submission("random r", b"b", b"c"), year=year)
    fixtures = plan.fixtures(plan.submissions)
    assert len(fixtures) == len(set(fixtures)) == 2 * games
    mine = Counter(fixture.black for fixture in fixtures)
    assert mine["ann"] == games // 2
    if year != 2020:
        assert mine["random r"] + mine["random r (stage 2)"] == games // 2
        second = {fixture.white for fixture in fixtures if fixture.black == "random r (stage 2)"}
        assert second == {"qlearning", "championship"}


def test_any_part_of_the_games_has_everybody_s_share() -> None:
    plan = plan_of(*(submission(name, b"a", b"a") for name in "abcdefgh"))
    fixtures = plan.fixtures(plan.submissions)
    tenth = fixtures[: len(fixtures) // 10]
    for player in [*"abcdefgh", "random", "greedy", "aggressive", "alphabeta", "qlearning", "championship"]:
        share = sum(player in each[:2] for each in tenth) / sum(player in each[:2] for each in fixtures)
        assert 0.08 < share < 0.12, player


def test_a_stage_without_a_program_has_no_points() -> None:
    plan = plan_of(submission("ann", b"a"))
    fixtures = plan.fixtures(["ann"])
    assert len(fixtures) == 240
    records = [record(each, "Black" if each.black == "ann" else "White") for each in fixtures]
    (row,) = rows_of(plan, records, {}, {"ann": 240})
    assert (row.points, row.record()["stage_2"], row.record()["full_points"]) == (90, 0, 100)


def test_the_best_of_three_counts_and_late_days_are_taken_away() -> None:
    plan = plan_of(submission("ann", b"a", b"a"))
    fixtures = plan.fixtures(["ann"])
    records = []
    for each in fixtures:
        repetition = each.number // 20
        # The agent wins all games of the second repetition, and in every repetition all games against random.
        won = repetition == 1 or "random" in each[:2]
        records.append(record(each, "Black" if (each.black == "ann") == won else "White"))
    (row,) = rows_of(plan, records, {"ann": 2}, {"ann": 360})
    assert row.grade is not None
    assert row.grade.points == [25, 100, 25]
    assert (row.points, row.final, row.record()["championship"]) == (100, 60, 5)
    assert "2 days late: 40 % of the points taken away" in row.notes()
    (open_row,) = rows_of(plan, records[:-1], {}, {"ann": 360})
    assert (open_row.points, open_row.final) == (None, None)
    assert "359 of 360 games played" in open_row.notes()


@pytest.mark.parametrize(
    ("changed", "notes"),
    [
        ({}, []),
        ({"expected": 1}, ["0 of 1 game played"]),
        ({"expected": 1200}, ["0 of 1,200 games played"]),
        ({"expected": 1200, "grade": None}, []),
        ({"repeated": 1}, ["1 game played again, because the machine was busy"]),
        ({"repeated": 2}, ["2 games played again, because the machine was busy"]),
        ({"days": 1}, ["1 day late: 20 % of the points taken away"]),
        ({"days": 6}, ["6 days late: 100 % of the points taken away"]),
        ({"regrade": Regrade(7.5, "a bus strike")}, ["the staff gave 7.5 points: a bus strike"]),
        ({"results": AgentRow(killed=3, by_clock=1)}, ["killed for time: 3 moves, 1 of them by the clock"]),
        (
            {"results": AgentRow(inexact=Counter({"2, 2": 2, "pass": 1}))},
            ["answers not in the exact format: 3, such as"],
        ),
        (
            {
                "losses": [
                    Loss("invalid_occupied", "", 8, "random"),
                    *(Loss("missing", "", at, "random") for at in (5, 3)),
                ]
            },
            [
                "2 games lost: wrote no move, first at ply 3",
                "1 game lost: played on a point that has a stone, at ply 8",
            ],
        ),
        ({"ranking": Ranking({}, {"ann": 1, "ben": 2}, Counter(), [("ben", "cid")])}, []),
        (
            {"ranking": Ranking({}, {"ann": 1, "ben": 2}, Counter(), [("ann", "ben"), ("ben", "cid"), ("cid", "ann")])},
            ["second stage: 2 pairs not all played"],
        ),
        (
            {"ranking": Ranking({}, {"ann": 1, "ben": 1, "cid": 1, "dee": 4}, Counter(), [("ann", "ben")])},
            ["rank shared with ben, cid", "second stage: 1 pair not all played"],
        ),
    ],
)
def test_the_notes_of_a_row(changed: dict[str, Any], notes: list[str]) -> None:
    (row,) = rows_of(plan_of(submission("ann", b"a", b"a")), [], {}, {"ann": 1})
    found = replace(row, **{"expected": 0, **changed}).notes()
    assert len(found) == len(notes)
    assert all(note.startswith(beginning) for note, beginning in zip(found, notes, strict=True)), found


def test_the_points_are_explained() -> None:
    plan = plan_of(submission("ann", b"a", b"a"))
    fixtures = [each for each in plan.fixtures(["ann"]) if "random" in each[:2]]
    records = [record(each, "Black" if each.black == "ann" else "White") for each in fixtures]
    (row,) = rows_of(plan, records[:-1], {}, {"ann": 360})
    lines = row.explained()
    assert any(re.fullmatch(r"greedy: 0 of \d+ games played, no points yet\.", line) for line in lines), lines
    assert any(line.endswith("not yet known. The numbers above are from the best repetition.") for line in lines), lines
    late = replace(row, grade=None, days=1, regrade=Regrade(7.5, "a bus strike")).explained()
    assert late == [
        "No game was played, so there are no points.",
        "1 day late, each of which takes 20 % away: 0 x 0.8 = 0 points.",
        "The staff gave 7.5 points instead: a bus strike",
    ]
    ranking = Ranking({"ann": 3, "ben": 1}, {"ann": 1, "ben": 2}, Counter(), [])
    second = replace(row, ranking=ranking).explained()
    assert second[-1] == "Second stage: rank 1 of 2, with 3 WINs."


@pytest.mark.parametrize(
    ("reason", "moves", "loss"),
    [
        ("invalid_occupied", ["2,2", "2,2"], Loss("invalid_occupied", "why", 2, "ann")),
        # The record has no move if the answer is missing.
        ("missing", ["2,2"], Loss("missing", "why", 2, "ann")),
        ("max", ["2,2"] * 24, None),
    ],
)
def test_a_loss_is_at_the_ply_of_its_fault(reason: str, moves: list[str], loss: Loss | None) -> None:
    plan = plan_of(submission("ann", b"a"), submission("ben", b"b"))
    (fixture, *_) = (each for each in plan.fixtures(["ann"]) if each.black == "ann")
    played = record(fixture._replace(white="ben"), "Black", reason=reason, moves=moves, detail="why", again=1)
    ann, ben = rows_of(plan, [played], {}, {})
    assert (ann.losses, list(ben.losses)) == ([], [loss] if loss else [])
    assert (ann.repeated, ben.results.games.total(), ben.results.wins.total()) == (1, 1, 0)


@pytest.mark.parametrize("ranked", [False, True])
def test_the_second_stage_has_columns_only_in_2020(ranked: bool) -> None:
    ranking = Ranking({"ann": 3, "ben": 1}, {"ann": 1, "ben": 2}, Counter(), []) if ranked else None
    (row,) = rows_of(plan_of(submission("ann", b"a", b"a"), year=2020), [], {}, {})
    found = replace(row, ranking=ranking).record()
    columns = ("entered", "pairs_won", "rank")
    assert tuple(found[name] for name in columns) == ((True, 3, 1) if ranked else (False, None, None))
    (other,) = rows_of(plan_of(submission("ann", b"a", b"a")), [], {}, {})
    assert not other.record().keys() & {*columns}


def test_no_cell_is_a_formula() -> None:
    plan = plan_of(submission("=HYPERLINK(1)", b"a", b"a"))
    (row,) = rows_of(plan, [], {}, {})
    row.submission.note("-1; a\nb")
    text = to_csv([row])
    assert "\n'=HYPERLINK(1)," in text
    assert text.endswith(",'-1; a b\n")


# The second stage of 2020

FIVE = ["ann", "ben", "cid", "dee", "eve"]


def test_eleven_games_a_pair_and_the_extra_chance_to_move_first_by_the_seed() -> None:
    fixtures = pair_fixtures(FIVE, 3)
    assert len(fixtures) == len(set(fixtures)) == 110
    firsts = Counter(fixture[:2] for fixture in fixtures)
    assert set(firsts.values()) == {5, 6}
    lots = {pair for pair, count in firsts.items() if count == 6}
    assert len(lots) == 10
    assert all(pair[::-1] not in lots for pair in lots)
    assert fixtures == pair_fixtures(FIVE[::-1], 3)
    drawn = [tuple(sorted({each[:2] for each in pair_fixtures(FIVE, seed) if each.number == 5})) for seed in range(40)]
    assert len(set(drawn)) > 30
    # Another student does not change who begins in the last game of the other pairs.
    assert lots <= {each[:2] for each in pair_fixtures([*FIVE, "fay"], 3) if each.number == 5}


def test_the_second_stage_by_hand() -> None:
    # The wins of the first over the second in 11 games, written by hand; the comments count the WINs.
    won = {
        ("ann", "ben"): 6,  # ann 1
        ("ann", "cid"): 11,  # ann 2
        ("ann", "dee"): 5,  # dee 1
        ("ann", "eve"): 7,  # ann 3
        ("ben", "cid"): 4,  # cid 1
        ("ben", "dee"): 6,  # ben 1
        ("ben", "eve"): 0,  # eve 1
        ("cid", "dee"): 5,  # dee 2
        ("cid", "eve"): 6,  # cid 2
        ("dee", "eve"): 10,  # dee 3
    }
    fixtures = pair_fixtures(FIVE, 1)
    left = dict(won)
    records = []
    for fixture in fixtures:
        first, second = sorted(fixture[:2])
        winner = first if left[first, second] > 0 else second
        left[first, second] -= 1
        records.append(record(fixture, "Black" if fixture.black == winner else "White"))
    found = rank(FIVE, fixtures, records)
    assert found.wins == {"ann": 3, "ben": 1, "cid": 2, "dee": 3, "eve": 1}
    assert found.ranks == {"ann": 1, "dee": 1, "cid": 3, "ben": 4, "eve": 4}
    assert found.tied("ann") == ["dee"]
    assert found.tied("cid") == []
    assert {pair: found.games[pair] for pair in won} == won
    assert found.open == []
    # By games, ann has 29 and dee 27, but equal WINs share a rank.
    part = rank(FIVE, fixtures, records[:-1])
    assert part.open == [("dee", "eve")]
    assert part.wins["dee"] == 2


def test_who_enters() -> None:
    assert [enters(points) for points in (None, 79.99, 80, 79.9999999999999, 100)] == [False, False, True, True, True]


# Late days


def students() -> list[Submission]:
    people = {"Ann Lee": ("0012", "ann@example.org"), "Ben": ("0013", ""), "Cid": ("0012", "")}
    return [Submission(name, number=number, email=email) for name, (number, email) in people.items()]


@pytest.mark.parametrize(
    ("table", "days", "left"),
    [
        ("name,days\nann lee,2\nBen,0.5\n", {"Ann Lee": 2, "Ben": 1}, ()),
        ("\ufeffemail, late days\n\nann@example.org, 1 \n", {"Ann Lee": 1}, ()),
        ("days,number\n3,0013\n", {"Ben": 3}, ()),
        ("name,days,reason,email\nBen,1,ill,b@example.org\nAnn Lee,2\n", {"Ben": 1, "Ann Lee": 2}, ("reason", "email")),
        ("Name;Days\nBen;1\n", {"Ben": 1}, ()),
        ("name\tdays\tnumber\nBenno\t1\t0013\n", {"Ben": 1}, ("name",)),
        ("number,name,days\n,Ben,1\n0012,Ann Lee,2\n99,Cid,3\n", {"Ben": 1, "Ann Lee": 2, "Cid": 3}, ("number",)),
        (
            "name,,days\nBen,,1,ill, again\nAnn Lee,x,2\n",
            {"Ben": 1, "Ann Lee": 2},
            ("ill", "again", "x"),
        ),
    ],
)
def test_late_days(tmp_path: Path, table: str, days: dict[str, int], left: tuple[str, ...]) -> None:
    (tmp_path / "late.csv").write_text(table, "utf-8")
    assert read_late_days(tmp_path / "late.csv", students()) == (days, [*left])


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("name,days\nNobody,1\n", "row 2: no student 'Nobody'"),
        ("name,email,days\nBen,ann@example.org,1\n", "its columns are about several students: 'Ann Lee', 'Ben'"),
        ("number,days\n0012,1\n", "several students are '0012'"),
        ("name,days\nBen,soon\n", "'soon' is not a number of days"),
        ("name,days\nBen,-1\n", "'-1' is not a number of days"),
        ("name,days\nBen\n", "'' is not a number of days"),
        ("name,days\nBen,1\nben,2\n", "'Ben' has two rows: remove one of them"),
        ("a,b\n1,2\n", "give a first line such as name,days"),
        ("", "give a first line such as name,days"),
    ],
)
def test_a_bad_table_of_late_days_is_one_line(tmp_path: Path, table: str, words: str) -> None:
    (tmp_path / "late.csv").write_text(table, "utf-8")
    with pytest.raises(BadLateDays, match=words):
        read_late_days(tmp_path / "late.csv", students())
    with pytest.raises(BadLateDays, match="cannot be read"):
        read_late_days(tmp_path / "none.csv", students())


# The estimate of the time that is left


def test_after_a_tenth_of_the_games_the_time_is_known() -> None:
    """The games take from 10 ms to 30 s, depending on student and opponent, on two workers."""
    plan = plan_of(*(submission(f"s{number}", b"a", b"a") for number in range(20)))
    fixtures = plan.fixtures(plan.submissions)

    def seconds(fixture: Fixture) -> float:
        cost = {"championship": 20.0, "alphabeta": 3.0, "qlearning": 0.5}
        return sum(cost.get(name, (int(name[1:]) ** 2 / 40 if name[1:].isdigit() else 0.01)) for name in fixture[:2])

    total = sum(map(seconds, fixtures)) / 2
    clock = 0.0
    for number, fixture in enumerate(fixtures, 1):
        clock += seconds(fixture) / 2
        if number % 100 == 0 and number >= len(fixtures) // 10:
            left = seconds_left(number, len(fixtures), clock)
            assert left is not None
            assert 1 / 1.1 < (clock + left) / total < 1.1


def test_before_anything_is_known_nothing_is_forecast() -> None:
    assert seconds_left(0, 9, 100.0) is None
    assert seconds_left(8, 9, 1.0) is None


def test_late_names_of_any_normal_form(tmp_path: Path) -> None:
    (tmp_path / "late.csv").write_text("name|days\nJu\u0308rgen  Ma\u0308r|2\n", "utf-8")
    late = read_late_days(tmp_path / "late.csv", [Submission("J\u00fcrgen M\u00e4r")])
    assert late[0] == {"J\u00fcrgen M\u00e4r": 2}


def test_days_late_by_an_export() -> None:
    def came(name: str, submitted: str = "", late: bool = False) -> Submission:
        return Submission(name, submitted=submitted, late=late)

    found = [
        came("in time", "2023-10-26 06:59:00.000000000 Z"),
        came("a second", "2023-10-26 06:59:01.123456000 Z"),
        came("a day", "2023-10-27 06:59:00 Z"),
        came("more", "2023-10-27 00:00:01 -07:00"),
        came("no zone", "2023-10-26 07:00:00"),
        came("canvas", late=True),
        came("unread", "yesterday"),
        came("no time"),
    ]
    due = datetime.fromisoformat("2023-10-25T23:59:00-07:00")
    assert days_after(due, found) == {"a second": 1, "a day": 1, "more": 2, "no zone": 1, "canvas": 1}
    notes = {each.name: each.all_notes for each in found if each.all_notes}
    assert notes.keys() == {"canvas", "unread"}


def test_opponents_have_the_same_dice_for_all() -> None:
    plan = plan_of(submission("ann", b"a", b"a"), submission("ben", b"a", b"a"))
    dice: dict[str, dict[tuple[str, int], int]] = {"ann": {}, "ben": {}}
    for black, white, number, seed in plan.fixtures(plan.submissions):
        student, opponent = (black, white) if black in dice else (white, black)
        dice[student][opponent, number] = seed
    assert dice["ann"] == dice["ben"]
    assert len(set(dice["ann"].values())) == len(dice["ann"]) == 360


@pytest.mark.parametrize(
    ("changed", "reasons"),
    [
        ({}, {}),
        ({"expected": 1200}, {"games not played": "1,200 of 1,200 games"}),
        ({"expected": 1}, {"games not played": "1 of 1 game"}),
        ({"grade": None, "expected": 1}, {"not graded": "it has no program"}),
        ({"days": 1}, {"late": "1 day"}),
        ({"regrade": Regrade(7.125, "a bus strike")}, {"points from the staff": "7.12: a bus strike"}),
        (
            {"days": 2, "expected": 1, "regrade": Regrade(0.0, "copied")},
            {"games not played": "1 of 1 game", "late": "2 days", "points from the staff": "0: copied"},
        ),
    ],
)
def test_why_the_staff_should_check_a_student(changed: dict[str, Any], reasons: dict[str, str]) -> None:
    (row,) = rows_of(plan_of(submission("ann", b"a", b"a")), [], {}, {"ann": 1})
    found = replace(row, **{"expected": 0, **changed})
    assert list(found.attention().items()) == list(reasons.items())
    assert found.record()["attention"] == "; ".join(reasons)


def test_the_reasons_of_a_submission_are_without_their_stages() -> None:
    (row,) = rows_of(plan_of(submission("ann", b"a", b"a")), [], {}, {"ann": 1})
    row.submission.note("stage 2: compiled with warnings: x.cpp:1: unused")
    row.submission.staff_notes += ["the same files as ben", "handed in together with cid"]
    assert replace(row, expected=0).attention() == {
        "the same files": "ben",
        "partners": "cid",
        "compiled with warnings": "x.cpp:1: unused",
    }


def test_numbers_of_the_gradebook_are_rounded() -> None:
    plan = plan_of(submission("ann", b"a", b"a"))
    fixtures = [each for each in plan.fixtures(["ann"]) if "random" in each[:2]]
    cpu = {"black": [1 / 3], "white": [1 / 3]}
    records = [record(each, "Black" if each.black == "ann" else "White", cpu=cpu) for each in fixtures]
    (row,) = rows_of(plan, records[:2], {}, {"ann": 360})
    found = replace(row, regrade=Regrade(2 / 3, "x")).record()
    assert (found["cpu_mean"], found["cpu_max"], found["cpu_total"]) == (0.3333, 0.3333, 0.667)
    assert (found["final"], found["regraded"], found["points"], found["regrade_reason"]) == (0.6667, 0.6667, None, "x")
    assert (found["games"], found["wins"], found["late_days"], found["full_points"]) == (2, 2, 0, 100)
    assert found["greedy"] is None
    nobody = replace(row, grade=None).record()
    assert (nobody["greedy"], nobody["stage_1"], nobody["program"]) == (0.0, 0.0, "my_player3.py")
    assert "The staff gave 0.67 points instead: x" in replace(row, regrade=Regrade(2 / 3, "x")).explained()


def test_students_without_points_are_named() -> None:
    ann, ben, cid = rows_of(plan_of(*(submission(name, b"a", b"a") for name in ("ann", "ben", "cid"))), [], {}, {})
    assert open_text([ann, ben, cid]) == ""
    missing, ours = Cause(Basis.NOT_PROVIDED, "it imports read"), Cause(Basis.OUR_FAULT, "the disk is full")
    ann.submission.causes, ben.submission.causes, cid.submission.causes = {1: missing}, {1: ours}, {1: ours}
    assert open_text([ann]) == "1 student without points (ann): it imports read"
    assert open_text([ann, ben, cid]) == (
        "1 student without points (ann): it imports read; 2 students without points (ben, cid): the disk is full: give"
        " the same command again when that has ended"
    )
    assert open_text([replace(ann, regrade=Regrade(1.0, "x"))]) == ""
    assert ann.points is None
    assert ann.explained() == ["There are no points yet, through no fault of yours."]
    assert [row.basis for row in (ann, ben, replace(ben, regrade=Regrade(1.0, "x")))] == [
        Basis.NOT_PROVIDED,
        Basis.OUR_FAULT,
        Basis.STAFF,
    ]


def test_rows_about_nobody_can_be_collected(tmp_path: Path) -> None:
    (tmp_path / "late.csv").write_text("name,days\nNobody,1\nBen,2\nNone,3\n", "utf-8")
    unknown: list[str] = []
    assert read_late_days(tmp_path / "late.csv", students(), unknown) == ({"Ben": 2}, [])
    assert unknown == ["row 2: no student 'Nobody'", "row 4: no student 'None'"]
