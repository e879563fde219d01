import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from little_go.arena.__main__ import main
from little_go.arena.course.grading import NEWEST, SCHEMES, GradingPlan, Opponent, Shares
from little_go.arena.standings.entrants import BUILT_IN
from little_go.solver.bounds import COLOURS

#: The name of the agent that is graded in invented games.
ME = "me"


def grade(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["grade", *arguments], catch_exceptions=False)


def made_up(plan: GradingPlan, wins: dict[str, int], seconds: float = 0.5) -> list[dict[str, Any]]:
    """Return invented records for the plan's games: in each repetition the agent wins this many of the first games."""
    records = []
    for fixture in plan.fixtures(0):
        opponent = fixture.white if fixture.black == ME else fixture.black
        number = fixture.number % games_against(plan, opponent)
        mine = 1 if fixture.black == ME else 2
        records.append(
            {
                **{"black": fixture.black, "white": fixture.white, "number": fixture.number, "reason": "max"},
                "winner": COLOURS[mine if number < wins[opponent] else 3 - mine],
                "cpu": {"black": [seconds], "white": [seconds]},
                "killed": [],
                "moves": [],
            }
        )
    return records


def games_against(plan: GradingPlan, opponent: str) -> int:
    return sum(opponent in fixture[:2] for fixture in plan.fixtures(0)) // plan.repetitions


def points_of(year: int, opponents: Sequence[str], won: Sequence[int]) -> list[float]:
    stage = SCHEMES[year].stages[1]
    by_name = {opponent.agent: opponent for opponent in stage.opponents}
    shares, games = SCHEMES[year].shares, stage.real.games
    return [by_name[name].points(shares, wins, games) for name, wins in zip(opponents, won, strict=True)]


FIRST_STAGE = ("random", "greedy", "aggressive", "alphabeta")


@pytest.mark.parametrize("year", [2021, 2023, 2025])
def test_example_of_the_texts_since_2021(year: int) -> None:
    assert points_of(year, FIRST_STAGE, (18, 16, 14, 11)) == [25, 12, 14, 2.75]
    assert sum(points_of(year, FIRST_STAGE, (18, 16, 14, 11))) == 53.75


def test_example_of_the_text_of_2020() -> None:
    assert points_of(2020, FIRST_STAGE, (95, 85, 80, 67)) == pytest.approx([25, 12.75, 16, 6.7])
    assert sum(points_of(2020, FIRST_STAGE, (95, 85, 80, 67))) == pytest.approx(60.45)


@pytest.mark.parametrize(
    ("shares", "wins", "points"),
    [
        *(
            (Shares(90, 70), *row)
            for row in [(20, 25), (18, 25), (17, 17.0), (14, 14.0), (13, 6.5), (1, 0.5), (0, 0.0)]
        ),
        *((Shares(95, 75), *row) for row in [(20, 25), (19, 25), (18, 18.0), (15, 15.0), (14, 7.0)]),
    ],
)
def test_points_change_at_the_shares_of_the_scheme(shares: Shares, wins: int, points: float) -> None:
    assert Opponent("aggressive", 25, 20, 10).points(shares, wins, 20) == points


@pytest.mark.parametrize("year", [2020, 2021, 2023, 2025])
def test_points_change_at_90_and_at_70_per_cent(year: int) -> None:
    assert SCHEMES[year].shares == (90, 70)


def test_a_grade_has_the_shares_of_its_scheme() -> None:
    plan = GradingPlan(ME, SCHEMES[2021]._replace(shares=Shares(95, 75)), (2,), False)
    found = plan.grade(made_up(plan, {"qlearning": 19, "championship": 14}))
    assert found.best == 5 + 2 * 14 / 20
    marks = found.repetitions[0][0].marks
    assert [mark.explained() for mark in marks] == [
        "19 of 20 games won, 95 %. From 95 % on: all 5 points of 5.",
        "14 of 20 games won, 70 %. Below 75 %: 2 x 14/20 = 1.4 points of 5.",
    ]


@pytest.mark.parametrize("wins", range(21))
def test_second_stage_by_its_table(wins: int) -> None:
    qlearning, championship = SCHEMES[2025].stages[2].opponents
    share = wins / 20
    shares = SCHEMES[2025].shares
    assert qlearning.points(shares, wins, 20) == pytest.approx(5 if share >= 0.9 else 5 * share if share >= 0.7 else 0)
    assert championship.points(shares, wins, 20) == pytest.approx(
        5 if share >= 0.9 else (5 if share >= 0.7 else 2) * share
    )


@pytest.mark.parametrize(("year", "full"), [(2020, [100]), (2021, [90, 10]), (2023, [90, 10]), (2025, [90, 10])])
def test_full_points_are_those_of_the_texts(year: int, full: list[int]) -> None:
    stages = SCHEMES[year].stages.values()
    assert [sum(opponent.full for opponent in stage.opponents) for stage in stages] == full


@pytest.mark.parametrize(
    ("year", "stage", "submit", "games", "cpu"),
    [
        (2020, 1, True, 300, 3600),
        (2020, 1, False, 400, None),
        (2021, 1, True, 60, 5400),
        (2021, 1, False, 80, 7200),
        (2021, 2, True, 20, 1800),
        (2021, 2, False, 40, 3600),
        (2025, 1, True, 60, 5400),
        (2025, 1, False, 3 * 80, 7200),
        (2025, 2, True, 20, 1800),
        (2025, 2, False, 3 * 40, 3600),
    ],
)
def test_games_and_limits_are_those_of_the_texts(
    year: int, stage: int, submit: bool, games: int, cpu: float | None
) -> None:
    plan = GradingPlan(ME, SCHEMES[year], (stage,), submit)
    fixtures = plan.fixtures(0)
    assert len(fixtures) == len({fixture.key for fixture in fixtures}) == games
    for opponent in plan.opponents:
        mine = [fixture for fixture in fixtures if opponent in fixture[:2]]
        assert sum(fixture.black == ME for fixture in mine) * 2 == len(mine) == games / len(plan.opponents)
    assert SCHEMES[year].stages[stage].round(submit).cpu == cpu
    assert ("alphabeta" in plan.opponents) == (stage == 1 and not submit)


def test_colours_alternate() -> None:
    fixtures = GradingPlan(ME, SCHEMES[2025], (2,), True).fixtures(0)
    assert [fixture.black == ME for fixture in fixtures if "championship" in fixture[:2]] == [True, False] * 5


def test_an_agent_may_be_graded_against_itself() -> None:
    fixtures = GradingPlan("greedy", SCHEMES[2025], (1,), False).fixtures(0)
    assert len({fixture.key for fixture in fixtures}) == len(fixtures) == 240


def test_grade_of_all_games() -> None:
    plan = GradingPlan(ME, SCHEMES[2021], (1, 2), False)
    wins = {"random": 18, "greedy": 16, "aggressive": 14, "alphabeta": 11, "qlearning": 13, "championship": 13}
    found = plan.grade(made_up(plan, wins))
    assert found.best == pytest.approx(53.75 + 1.3)
    assert (found.games, found.full_points) == (120, 100)
    lines = found.text()
    assert lines[0] == "stage 1"
    assert lines[3].split()[:7] == ["greedy", "20", "8/10", "8/10", "80%", "12", "25"]
    assert lines[3].endswith("0.50 s  0.50 s  10.00 s  -")
    assert lines[6].split()[:7] == ["total", "80", "30/40", "29/40", "74%", "53.75", "90"]
    assert lines[6].endswith("40.00 s  (limit 7200 s)")
    assert lines[-1] == "points: 55.05 of 100"


def test_the_best_repetition_counts() -> None:
    plan = GradingPlan(ME, SCHEMES[2025], (2,), False)
    records = made_up(plan, {"qlearning": 20, "championship": 10})
    for record in records:
        if "qlearning" in (record["black"], record["white"]) and record["number"] < 20:
            record["winner"] = "White" if record["black"] == ME else "Black"
    found = plan.grade(records)
    assert found.points == [1.0, 6.0, 6.0]
    assert found.best == 6.0
    assert found.text()[-1] == "points: 6 of 10 (the best of 1, 6, 6)"


def test_over_the_limit_for_all_games_every_point_of_the_stage_is_lost() -> None:
    plan = GradingPlan(ME, SCHEMES[2021], (1, 2), True)
    wins = {"random": 20, "greedy": 20, "aggressive": 20, "qlearning": 10, "championship": 10}
    within, over = (plan.grade(made_up(plan, wins, seconds)) for seconds in (90.0, 90.01))
    assert within.best == 85
    assert over.best == 0
    assert [stage["over_time"] for stage in over.record()["repetitions"][0]["stages"]] == [True, True]
    assert "over it, all points lost" in over.text()[5]


def test_no_points_before_all_games_are_played() -> None:
    plan = GradingPlan(ME, SCHEMES[2021], (2,), False)
    found = plan.grade(made_up(plan, {"qlearning": 20, "championship": 20})[:-1])
    assert (found.games, found.best) == (39, None)
    record = found.record()["repetitions"][0]["stages"][0]
    assert [mark["points"] for mark in record["opponents"]] == [5, None]
    assert found.text()[-1] == "points: - of 10"


@pytest.mark.parametrize("year", SCHEMES)
def test_first_stage_has_only_agents_that_there_are(year: int) -> None:
    assert {opponent.agent for opponent in SCHEMES[year].stages[1].opponents} <= BUILT_IN.keys()


# The command ``little-go grade``


def test_command_prints_the_table() -> None:
    result = grade("aggressive", "--stage", "1", "--submit")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:6]] == ["opponent", "random", "greedy", "aggressive", "total"]
    newest = SCHEMES[NEWEST].stages[1]
    assert lines[5].endswith(f"(limit {newest.submit.cpu:g} s)")
    assert lines[-1].startswith("points: ")
    assert lines[-1].endswith(f" of {sum(opponent.full for opponent in newest.against(submit=True))}")


def test_command_counts_faults_of_the_agent_alone(tmp_path: Path) -> None:
    bad = "cmd:sh -c 'echo 2,2 > output.txt'"
    arguments = (bad, "--stage", "1", "--scheme", "2021", "--submit", "--json")
    result = grade(*arguments, "--out", str(tmp_path / "out"), "--workers", "2")
    record = json.loads(result.stdout)
    assert (record["scheme"], record["submit"], record["points"], record["full_points"]) == (2021, True, 0, 75)
    stage = record["repetitions"][0]["stages"][0]
    for mark in [stage, *stage["opponents"]]:
        assert set(mark["faults"]) == {"invalid_occupied"}
        assert mark["faults"]["invalid_occupied"] == mark["games"] - mark["wins"]
    assert stage["cpu"]["total"] > 0
    games = (tmp_path / "out" / "games.jsonl").read_bytes()
    # All games are kept, so none is played, and the CPU times are those of the first run.
    assert grade(*arguments, "--out", str(tmp_path / "out")).stdout == result.stdout
    assert (tmp_path / "out" / "games.jsonl").read_bytes() == games


def test_2020_says_what_its_second_stage_was() -> None:
    result = grade("random", "--scheme", "2020", "--submit", "--games", "1")
    assert "little-go class" in result.stdout.splitlines()[-1]
    refused = grade("random", "--scheme", "2020", "--stage", "2")
    assert refused.exit_code == 2
    assert "little-go class" in refused.stderr


def test_missing_opponent_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    # The table is replaced instead of changed, because an entry that is removed and restored would be the last one.
    left = {name: agent for name, agent in BUILT_IN.items() if name != "championship"}
    monkeypatch.setattr("little_go.arena.standings.entrants.BUILT_IN", {**left, "qlearning": BUILT_IN["random"]})
    result = grade("random", "--stage", "2")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: cannot use agent 'championship': ")


def test_interrupted_grade_shows_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("little_go.arena.standings.series.play_order", interrupted)
    result = grade("random", "--scheme", "2025", "--stage", "1")
    assert (result.exit_code, result.stderr) == (130, "interrupted\n")
    assert result.stdout.splitlines()[-1] == "points: - of 90 (the best of -, -, -)"


@pytest.mark.parametrize(("year", "submit"), [(year, submit) for year in SCHEMES for submit in (False, True)])
def test_a_quick_look_plays_the_first_games_of_the_grading_once(year: int, submit: bool) -> None:
    """In every scheme, the points depend on the share of games won, and the CPU limit is reduced like the games."""
    scheme = SCHEMES[year]
    whole, quick = (GradingPlan(ME, scheme, tuple(scheme.stages), submit, most) for most in (None, 4))
    assert set(quick.fixtures(7)) < set(whole.fixtures(7))
    assert all(games_against(quick, opponent) == 4 for opponent in quick.opponents)
    found = quick.grade(made_up(quick, dict.fromkeys(quick.opponents, 3)))
    opponents = [opponent for stage in scheme.stages.values() for opponent in stage.against(submit)]
    expected = [opponent.points(scheme.shares, 3, 4) for opponent in opponents]
    assert found.best == sum(expected)
    assert found.text()[-1].endswith(", by 4 games against each at most")
    for number, stage in scheme.stages.items():
        games, cpu = stage.round(submit)
        assert found.repetitions[0][number - 1].cpu_limit == (None if cpu is None else cpu * 4 / games)


def test_a_stage_is_told_when_its_games_are_played() -> None:
    plan = GradingPlan(ME, SCHEMES[2025], (1, 2), submit=False)
    records = made_up(plan, dict.fromkeys(plan.opponents, 20))
    told = [len(plan.grade(records[:games]).complete()) for games in (0, 79, 80, 119, 120, 360)]
    assert told == [0, 0, 1, 1, 2, 6]
    whole = plan.grade(records)
    tables = [line for table in whole.complete()[:2] for line in table]
    assert whole.text() == [*tables, *whole.text(printed=2)]


def test_the_command_takes_a_quick_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("little_go.arena.commands.tournament.REVIEW_NODES", 1000)
    monkeypatch.setattr("little_go.arena.commands.tournament.session_sources", lambda book: [])
    options = ["greedy", "--scheme", "2020", "--games", "1", "--plies", "6"]
    page = ["--html", str(tmp_path / "page.html")]
    done = grade(*options, *page)
    assert done.exit_code == 0, done.output
    assert done.stdout.count("opponent") == 1
    assert "by 2 games against each at most" in done.stdout
    text = (tmp_path / "page.html").read_text("utf-8")
    assert text.count("<h2>") == 1
    assert "<h2><bdi>greedy</bdi></h2>" in text
    assert grade(*options, page[0], str(tmp_path / "none" / "page.html")).exit_code == 2
