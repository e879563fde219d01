import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.__main__ import main
from arena.standings.entrants import Entrant, Terms
from arena.standings.lines import Standings
from arena.standings.tournament import TournamentError, play_fixtures, schedule

ROOT = Path(__file__).parents[3]
THREE = ("aggressive", "greedy", "random")


def tournament(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tournament", *arguments], catch_exceptions=False)


def games_in(directory: Path) -> list[dict[str, Any]]:
    """Return the games without their CPU times, in an order of their own."""
    records = [json.loads(line) for line in (directory / "games.jsonl").read_text().splitlines()]
    for record in records:
        del record["cpu"]
    return sorted(records, key=lambda record: (record["black"], record["white"], record["number"]))


def test_schedule_is_a_round_robin_with_both_colours() -> None:
    fixtures = schedule(THREE, 2, 5)
    assert len({fixture.key for fixture in fixtures}) == len(fixtures) == 3 * 2 * 2
    assert len({fixture.seed for fixture in fixtures}) == len(fixtures)
    assert {fixture.number for fixture in fixtures[:6]} == {0}


def test_chance_of_a_game_depends_on_nothing_but_seed_pair_and_number() -> None:
    assert set(schedule(("greedy", "random"), 1, 5)) < set(schedule(THREE, 3, 5))
    assert not set(schedule(THREE, 3, 5)) & set(schedule(THREE, 3, 6))


def test_games_are_the_same_for_any_number_of_jobs(tmp_path: Path) -> None:
    for jobs in ("1", "3"):
        assert tournament(*THREE, "--games", "4", "--jobs", jobs, "--out", str(tmp_path / jobs)).exit_code == 0
    assert games_in(tmp_path / "1") == games_in(tmp_path / "3")
    assert len(games_in(tmp_path / "1")) == len(list((tmp_path / "3" / "sgf").iterdir())) == 24


def test_text_has_wins_elo_and_cpu() -> None:
    result = tournament(*THREE, "--games", "5")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("wins (as Black + as White)")
    assert lines[1].startswith("1 aggressive")
    assert "/10 (" in lines[1]
    assert lines[5].split()[:2] == ["agent", "wins"]
    assert lines[6].split()[:2] == ["1", "aggressive"]
    assert " ms " in lines[6]


def test_json_adds_up() -> None:
    record = json.loads(tournament(*THREE, "--games", "3", "--json").stdout)
    assert record["games"] == sum(pair["games"] for pair in record["pairs"]) == 18
    assert sum(agent["wins"] for agent in record["agents"]) == 18
    for agent in record["agents"]:
        assert agent["games"] == agent["black"]["games"] + agent["white"]["games"] == 12
        assert agent["elo"][1] < agent["elo"][0] < agent["elo"][2]
        assert agent["cpu"]["calls"] == 12 * 12
        assert 0 < agent["cpu"]["mean"] <= agent["cpu"]["max"]


def test_faults_are_counted_by_kind(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("open('output.txt', 'w').write('2,2')")
    (tmp_path / "none.py").write_text("")
    paths = [str(tmp_path / "bad.py"), str(tmp_path / "none.py")]
    record = json.loads(tournament(*paths, "greedy", "--games", "1", "--json").stdout)
    faults = {agent["name"]: agent["faults"] for agent in record["agents"]}
    assert faults[paths[0]] == {"invalid_occupied": 2}
    assert faults[paths[1]] == {"missing": 4}
    assert faults["greedy"] == {}
    out = tmp_path / "out"
    assert "invalid_occupied 2" in tournament(*paths, "greedy", "--games", "1", "--out", str(out)).stdout
    assert len(list((out / "sgf").iterdir())) == 6


def test_killed_calls_are_counted() -> None:
    games = [
        {
            "black": "a",
            "white": "b",
            "winner": 1,
            "reason": "timeout",
            "killed": [2],
            "cpu": {"black": [1.0], "white": [3.0]},
        }
    ]
    lines = Standings(("a", "b"), games).lines
    assert (lines["a"].killed, lines["b"].killed) == (0, 1)
    assert lines["b"].faults == {"timeout": 1}
    *table, blank, why = Standings(("a", "b"), games).text()
    assert "timeout 1 (killed for time: 1)" in table[-1]
    assert (blank, why) == ("", "b: timeout 1")


@pytest.mark.parametrize("command", ["play", "tournament", "grade"])
def test_answers_not_to_the_letter_are_taken_and_told_or_lose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    # The smallest grading has 20 games a stage.
    monkeypatch.setattr("arena.course.grading._numbers", lambda repetition, games: range(2))
    agent = tmp_path / "sloppy.py"
    agent.write_text("open('output.txt', 'w').write('2, 2')")
    arguments = {
        "play": ["play", "--black", str(agent), "--white", "random", "--games", "4", "--no-boards"],
        "tournament": ["tournament", str(agent), "random", "--games", "1"],
        "grade": ["grade", "--agent", str(agent), "--scheme", "2020", "--submit"],
    }[command]
    lenient = CliRunner().invoke(main, arguments, catch_exceptions=False).stdout
    strict = CliRunner().invoke(main, [*arguments, "--strict"], catch_exceptions=False).stdout
    assert "not to the letter: " in lenient
    assert "malformed" not in lenient
    assert "not to the letter: " not in strict
    assert "output.txt reads '2, 2', not to the letter" in strict


@pytest.mark.parametrize("command", ["play", "tournament", "grade"])
def test_the_table_says_why_an_agent_wrote_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("arena.course.grading._numbers", lambda repetition, games: range(2))
    agent = tmp_path / "broken.py"
    agent.write_text("import sys\nfrom host import GO\n")
    arguments = {
        "play": ["play", "--black", str(agent), "--white", "random", "--games", "4", "--no-boards"],
        "tournament": ["tournament", str(agent), "random", "--games", "1"],
        "grade": ["grade", "--agent", str(agent), "--scheme", "2020", "--submit"],
    }[command]
    out = CliRunner().invoke(main, arguments, catch_exceptions=False).stdout
    assert "ModuleNotFoundError: No module named 'host'" in out


def test_games_played_are_not_played_again(tmp_path: Path) -> None:
    tournament("greedy", "random", "--games", "2", "--out", str(tmp_path))
    early = (tmp_path / "games.jsonl").read_bytes()
    result = tournament(*THREE, "--games", "3", "--out", str(tmp_path))
    late = (tmp_path / "games.jsonl").read_bytes()
    assert late.startswith(early)
    assert len(games_in(tmp_path)) == 18
    assert tournament(*THREE, "--games", "3", "--out", str(tmp_path)).stdout == result.stdout
    assert (tmp_path / "games.jsonl").read_bytes() == late


def test_half_written_line_is_played_again(tmp_path: Path) -> None:
    arguments = ("greedy", "random", "--games", "2", "--out", str(tmp_path))
    tournament(*arguments)
    whole = games_in(tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    assert tournament(*arguments).exit_code == 0
    assert games_in(tmp_path) == whole


@pytest.mark.parametrize("content", [b"nonsense\n", b"{}\n", b"[1]\n"])
def test_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "games.jsonl").write_bytes(content)
    result = tournament("greedy", "random", "--out", str(tmp_path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "line 1 is no game of a tournament" in result.stderr
    assert (tmp_path / "games.jsonl").read_bytes() == content


def test_games_of_another_seed_are_refused(tmp_path: Path) -> None:
    tournament("greedy", "random", "--games", "1", "--out", str(tmp_path))
    result = tournament("greedy", "random", "--games", "1", "--seed", "1", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "another --seed" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["greedy", "nobody"], "no agent 'nobody'"),
        (["greedy"], "two agents or more"),
        (["greedy", "random", "greedy"], "each named once"),
        (["greedy", "human"], "a person cannot play"),
        (["greedy", __file__, "--python", "no-python"], "no Python interpreter"),
        (["greedy", "random", "--out", f"{__file__}/x"], "cannot use"),
    ],
)
def test_bad_usage_exits_2_with_one_line(arguments: list[str], words: str) -> None:
    result = tournament(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_killed_worker_is_an_error_in_one_line() -> None:
    fixtures = schedule(("greedy", "random"), 2000, 0)
    games = play_fixtures(fixtures, {name: Entrant(name, name) for name in ("greedy", "random")}, Terms(), 2)
    next(games)
    worker = multiprocessing.active_children()[0]
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    with pytest.raises(TournamentError, match="a worker was killed"):
        list(games)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupted_tournament_ends_its_programs_and_goes_on_later(tmp_path: Path, jobs: str) -> None:
    program = tmp_path / "player.py"
    program.write_text(
        "import os, time\n"
        "open(os.environ['PIDS'], 'a').write(f'{os.getpid()}\\n')\n"
        "time.sleep(60 if os.path.exists(os.environ['SLOW']) else 0)\n"
        "open('output.txt', 'w').write('PASS')\n"
    )
    slow, pids, out = tmp_path / "slow", tmp_path / "pids", tmp_path / "out"
    slow.touch()
    command = [sys.executable, "-m", "arena", "tournament", str(program), "greedy", "--games", "2", "--out", str(out)]
    environment = {**os.environ, "SLOW": str(slow), "PIDS": str(pids)}
    run = subprocess.Popen(
        [*command, "--jobs", jobs],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Where the tests run in the background, children ignore interrupts unless told otherwise.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 50
    while not (pids.exists() and pids.read_text().endswith("\n")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=30)
    # On a busy machine the progress may have been told as well.
    assert (run.returncode, err.splitlines()[-1]) == (130, "interrupted")
    assert "Traceback" not in err
    for pid in pids.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
    slow.unlink()
    again = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert again.returncode == 0, again.stderr
    assert len(games_in(out)) == 4
