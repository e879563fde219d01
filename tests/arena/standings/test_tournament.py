import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from little_go.arena.__main__ import main
from little_go.arena.standings.standings import Standings
from little_go.arena.standings.tournament import LOCK_FILE, schedule
from little_go.runtime.journal import Journal
from little_go.solver.position import OFF_BOARD
from tests.background import start
from tests.options import option_of
from tools.programs import script_pythons

ROOT = Path(__file__).parents[3]
THREE = ("aggressive", "greedy", "random")

#: The option that plays games of changed agents again.
AGAIN = option_of(main.commands["tournament"], "play stored games again")

#: The message about kept games, between their number and the names of the agents that have changed.
DO_NOT_COUNT = "games do not count, because the files, the interpreter or the limits of"


def tournament(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tournament", *arguments], catch_exceptions=False)


def writing(text: str) -> str:
    """Return an agent that answers with a text. It is a shell, which starts faster than Python."""
    return f"cmd:sh -c 'printf \"{text}\" > output.txt'"


def games_in(directory: Path) -> list[dict[str, Any]]:
    """Return the games without their CPU times, in a fixed order."""
    records = [json.loads(line) for line in (directory / "games.jsonl").read_text().splitlines()]
    for record in records:
        del record["cpu"], record["seconds"], record["digest"]
    return sorted(records, key=lambda record: (record["black"], record["white"], record["number"]))


def test_schedule_is_a_round_robin_with_both_colours() -> None:
    fixtures = schedule(THREE, 2, 5)
    assert len({fixture.key for fixture in fixtures}) == len(fixtures) == 3 * 2 * 2
    assert len({fixture.seed for fixture in fixtures}) == len(fixtures)
    assert {fixture.number for fixture in fixtures[:6]} == {0}


def test_chance_of_a_game_depends_on_nothing_but_seed_pair_and_number() -> None:
    assert set(schedule(("greedy", "random"), 1, 5)) < set(schedule(THREE, 3, 5))
    assert not set(schedule(THREE, 3, 5)) & set(schedule(THREE, 3, 6))


@pytest.mark.system
def test_games_are_the_same_for_any_number_of_jobs(tmp_path: Path) -> None:
    for jobs in ("1", "3"):
        assert tournament(*THREE, "--games", "4", "--workers", jobs, "--out", str(tmp_path / jobs)).exit_code == 0
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
    agents = [f"bad={writing('2,2')}", "none=cmd:true"]
    record = json.loads(tournament(*agents, "greedy", "--games", "1", "--json").stdout)
    faults = {agent["name"]: agent["faults"] for agent in record["agents"]}
    assert faults == {"bad": {"invalid_occupied": 2}, "none": {"missing": 4}, "greedy": {}}
    out = tmp_path / "out"
    assert "invalid_occupied 2" in tournament(*agents, "greedy", "--games", "1", "--out", str(out)).stdout
    assert len(list((out / "sgf").iterdir())) == 6


def test_killed_calls_are_counted() -> None:
    games = [
        {
            "black": "a",
            "white": "b",
            "winner": "Black",
            "reason": "timeout",
            "killed": [2],
            "cpu": {"black": [1.0], "white": [3.0]},
        }
    ]
    lines = Standings(("a", "b"), games).rows
    assert (lines["a"].killed, lines["b"].killed) == (0, 1)
    assert lines["b"].faults == {"timeout": 1}
    *table, blank, why = Standings(("a", "b"), games).text()
    assert "timeout 1 (killed for time: 1 move, for CPU)" in table[-1]
    assert (blank, why) == ("", "b: timeout 1")


def few_games(command: str, agent: str) -> list[str]:
    """Return the words of a command that plays some games of an agent."""
    return {
        "play": ["play", "--black", agent, "--white", "random", "--games", "4", "--no-boards"],
        "tournament": ["tournament", agent, "random", "--games", "1"],
        "grade": ["grade", agent, "--scheme", "2020", "--submit", "--games", "2"],
    }[command]


@pytest.mark.parametrize("command", ["play", "tournament", "grade"])
def test_answers_not_to_the_letter_are_taken_and_told_or_lose(command: str) -> None:
    arguments = few_games(command, writing("2, 2"))
    lenient = CliRunner().invoke(main, arguments, catch_exceptions=False).stdout
    strict = CliRunner().invoke(main, [*arguments, "--strict"], catch_exceptions=False).stdout
    assert re.search(r"not in the exact format: (Black )?\d+, such as '2, 2' instead of i,j or PASS", lenient)
    assert "malformed" not in lenient
    assert "not in the exact format: " not in strict
    assert "output.txt reads '2, 2' instead of i,j or PASS" in strict


@pytest.mark.parametrize("command", ["play", "tournament", "grade"])
def test_the_table_says_why_an_agent_wrote_nothing(tmp_path: Path, command: str) -> None:
    agent = tmp_path / "broken.py"
    agent.write_text("import sys\nfrom game_of_mine import GO\n")
    arguments = few_games(command, str(agent))
    out = CliRunner().invoke(main, arguments, catch_exceptions=False).stdout
    assert "ModuleNotFoundError: No module named 'game_of_mine'" in out


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


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"nonsense\n", "no run wrote it"),
        (b"{}\n", "it is not a game of a tournament"),
        (b"[1]\n", "it is not a game of a tournament"),
    ],
)
def test_damaged_file_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "games.jsonl").write_bytes(content)
    result = tournament("greedy", "random", "--out", str(tmp_path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"line 1 is broken or forged: {why}" in result.stderr
    assert (tmp_path / "games.jsonl").read_bytes() == content


def test_games_of_another_seed_are_refused(tmp_path: Path) -> None:
    tournament("greedy", "random", "--games", "1", "--out", str(tmp_path))
    result = tournament("greedy", "random", "--games", "1", "--seed", "1", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "another --seed" in result.stderr


@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.system), "2"])
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
    command = ["arena", "tournament", str(program), "greedy", "--games", "2", "--out", str(out)]
    environment = {**os.environ, "SLOW": str(slow), "PIDS": str(pids)}
    run = start(*command, "--workers", jobs, env=environment)
    deadline = time.monotonic() + 50
    while not (pids.exists() and pids.read_text().endswith("\n")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=30)
    # On a busy machine the progress may have been printed, too.
    assert (run.returncode, err.splitlines()[-1]) == (130, "interrupted")
    assert "Traceback" not in err
    for pid in pids.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
    slow.unlink()
    again = start(*command, env=environment)
    _, err = again.communicate(timeout=60)
    assert again.returncode == 0, err
    assert len(games_in(out)) == 4


# Kept games


def kept(directory: Path) -> list[dict[str, Any]]:
    tournament("greedy", "random", "--games", "2", "--out", str(directory))
    records = [json.loads(line) for line in (directory / "games.jsonl").read_text().splitlines()]
    # Records have no digest if an older version wrote them, or if a person has changed them.
    return [{key: value for key, value in record.items() if key != "digest"} for record in records]


def resumed(directory: Path, records: list[dict[str, Any]], *options: str) -> Result:
    (directory / "games.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return tournament("greedy", "random", "--games", "2", "--out", str(directory), *options)


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "winner": (lambda game: game.update(winner="White" if game["winner"] == "Black" else "Black"), "wins it, not"),
    "reason": (lambda game: game.update(reason="two_passes"), "ends by max, not by 'two_passes'"),
    "board": (lambda game: game.update(final="1" * 25), "its last board is"),
    "margin": (lambda game: game.update(margin=25), "with a margin of"),
    "moves": (lambda game: game["moves"].pop(), "but the game is not over there"),
    "resigned": (
        lambda game: (game["moves"].pop(), game.update(reason="resigned", winner="White")),
        "wins it, not White",
    ),
    "more moves": (lambda game: game["moves"].append("PASS"), "continues after its end at ply 24"),
    "illegal": (lambda game: game["moves"].__setitem__(2, game["moves"][0]), "continues after its end at ply 3"),
    "no move": (lambda game: game["moves"].__setitem__(2, "z9"), "ply 3 reads 'z9', which is not a move"),
    "number as a move": (lambda game: game["moves"].__setitem__(2, 7), "a move is not a text"),
    "cpu": (lambda game: game["cpu"]["black"].pop(), "no CPU times for black's 12 calls"),
    "cpu text": (lambda game: game["cpu"]["white"].__setitem__(0, "x"), "a CPU time of white is not a number"),
    "killed": (lambda game: game.update(killed=[25]), "killed contains a ply"),
    "inexact": (lambda game: game.update(inexact={"99": "2, 2"}), "inexact contains a ply"),
    "key": (lambda game: game.pop("margin"), "margin is missing"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_or_broken_record_is_named(tmp_path: Path, name: str) -> None:
    forge, words = FORGERIES[name]
    games = kept(tmp_path)
    assert games[2]["reason"] == "max"
    forge(games[2])
    result = resumed(tmp_path, games)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "line 3 is broken or forged" in result.stderr
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert resumed(tmp_path, [*games[:2], *games[3:]]).exit_code == 0


def test_a_game_that_is_there_twice_is_named(tmp_path: Path) -> None:
    games = kept(tmp_path)
    assert "of greedy - random is there twice" in resumed(tmp_path, [*games, games[0]]).stderr


# Kept games of agents that have changed


def writes(path: Path, text: str) -> None:
    path.write_text(f"open('output.txt', 'w').write('{text}')\n")


@pytest.mark.parametrize("command", ["tournament", "grade"])
def test_games_of_another_agent_of_the_name_are_named_and_do_not_count(tmp_path: Path, command: str) -> None:
    bob, out = tmp_path / "bob.py", tmp_path / "gr"
    words = {
        "tournament": ["tournament", f"bob={bob}", "greedy", "--games", "1"],
        "grade": ["grade", f"bob={bob}", "--scheme", "2020", "--submit", "--games", "1"],
    }[command]

    def run(*more: str) -> Result:
        return CliRunner().invoke(main, [*words, "--out", str(out), *more], catch_exceptions=False)

    writes(bob, "7,7")
    first = run()
    assert (first.exit_code, "invalid_off_board" in first.stdout) == (0, True)
    assert run().stdout == first.stdout
    writes(bob, "8,8")
    changed = run()
    kept = (out / "games.jsonl").read_text()
    assert changed.exit_code == 1
    (line,) = [line for line in changed.stderr.splitlines() if line.startswith("Error: ")]
    assert f"{out}: {len(kept.splitlines())} {DO_NOT_COUNT} 'bob'," in line
    assert f"{AGAIN} plays them again" in line
    assert "invalid_off_board" not in changed.stdout
    assert "7,7" in kept
    (out / "review.txt").write_text("of the games of before")
    again = run(AGAIN)
    assert not (out / "review.txt").exists()
    assert (again.exit_code, f"8,8 is {OFF_BOARD}" in again.stdout) == (0, True)
    kept = (out / "games.jsonl").read_text()
    assert "7,7" not in kept
    assert run(AGAIN).stdout == again.stdout
    assert (out / "games.jsonl").read_text() == kept


@pytest.mark.parametrize(("method", "again"), [("add", False), ("keep", True)])
def test_a_disk_that_is_full_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, again: bool
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    out, bob = tmp_path / "out", tmp_path / "bob.py"
    command = ["tournament", f"bob={bob}", "random", "--games", "1", "--out", str(out), *([AGAIN] * again)]
    writes(bob, "7,7")
    if again:
        assert CliRunner().invoke(main, command).exit_code == 0
        writes(bob, "8,8")
    monkeypatch.setattr(Journal, method, fail)
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 2
    assert done.stderr.splitlines()[-1] == f"Error: cannot write to '{out}': No space left on device"


def another_book(folder: Path) -> list[str]:
    (folder / "book.json").write_text("{}")
    return []


def another_module(folder: Path) -> list[str]:
    (folder / "rules.py").write_text("SIZE = 6\n")
    return []


def another_interpreter(folder: Path) -> list[str]:
    (folder.parent / "python").write_text(f'#!/bin/sh\nexec {OTHER_PYTHON} "$@"\n')
    (folder.parent / "python").chmod(0o755)
    return ["--python", str(folder.parent / "python")]


def listed_package(folder: Path) -> list[str]:
    (folder.parent / "course.toml").write_text('packages = ["click"]\n')
    return ["--course", str(folder.parent / "course.toml")]


#: Any Python except the one that runs this.
OTHER_PYTHON = next(
    (path for version, path in sorted(script_pythons().items()) if path != sys.executable), sys.executable
)


@pytest.mark.parametrize(
    "change",
    [
        another_book,
        another_module,
        pytest.param(
            another_interpreter,
            marks=pytest.mark.skipif(sys.executable == OTHER_PYTHON, reason="no other Python here"),
        ),
        lambda folder: ["--cpu", "9"],
        lambda folder: ["--wall", "9"],
        listed_package,
        lambda folder: ["--strict"],
    ],
    ids=["book", "module", "interpreter", "cpu", "wall", "packages", "strict"],
)
def test_all_that_an_agent_is_makes_its_games_its_own(tmp_path: Path, change: Callable[[Path], list[str]]) -> None:
    bob = tmp_path / "bob"
    bob.mkdir()
    writes(bob / "my_player3.py", "2, 2")
    words = [f"bob={bob}", "greedy", "--games", "1", "--out", str(tmp_path / "out")]
    assert tournament(*words).exit_code == 0
    (bob / "output.txt").write_text("left by a trial")
    assert tournament(*words).exit_code == 0
    result = tournament(*words, *change(bob))
    assert (result.exit_code, f"2 {DO_NOT_COUNT} 'bob'," in result.stderr) == (1, True)
    assert tournament(*words, *change(bob), AGAIN).exit_code == 0


def test_games_that_do_not_say_who_played_do_not_count(tmp_path: Path) -> None:
    games = kept(tmp_path)
    for game in games:
        del game["identities"]
    result = resumed(tmp_path, games)
    assert (result.exit_code, f"4 {DO_NOT_COUNT} 'greedy', 'random'," in result.stderr) == (1, True)


def test_games_of_the_agents_that_are_the_same_count(tmp_path: Path) -> None:
    bob = tmp_path / "bob.py"
    words = [f"bob={bob}", "greedy", "random", "--games", "1", "--out", str(tmp_path / "out"), "--json"]
    writes(bob, "7,7")
    tournament(*words)
    writes(bob, "8,8")
    result = tournament(*words)
    assert json.loads(result.stdout)["games"] == 2
    assert f"4 {DO_NOT_COUNT} 'bob'," in result.stderr


def test_an_agent_that_is_changed_while_it_plays_is_named(tmp_path: Path) -> None:
    bob = tmp_path / "bob.py"
    bob.write_text(f"open({str(bob)!r}, 'a').write('# more')\nopen('output.txt', 'w').write('7,7')\n")
    result = tournament(f"bob={bob}", "greedy", "--games", "2", "--out", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == (
        "Error: 'bob' has changed since its first game: give the same command again"
    )


# Games that the clock ended on a busy machine


def test_records_of_every_kind_of_end_are_borne_out(tmp_path: Path) -> None:
    agents = {"silent": "cmd:true", "loose": writing("2, 2"), "far": writing("7,7"), "words": writing("centre")}
    arguments = [*(f"{name}={agent}" for name, agent in agents.items()), "--games", "1", "--out", str(tmp_path / "out")]
    first = tournament(*arguments)
    assert first.exit_code == 0, first.stderr
    assert tournament(*arguments).stdout == first.stdout


RUN = [
    sys.executable,
    "-m",
    "arena",
    "tournament",
    "greedy",
    "slow={}",
    "--games",
    "1",
    "--out",
    "{}",
    "--workers",
    "{}",
]


@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.system), "2"])
def test_one_run_at_a_time_keeps_games_in_a_directory(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "slow.py").write_text("import os, time; open(os.environ['STARTED'], 'w').close(); time.sleep(60)")
    out, started = tmp_path / "out", tmp_path / "started"
    values = iter([str(tmp_path / "slow.py"), str(out), jobs])
    command = [word.format(next(values)) if "{}" in word else word for word in RUN]
    run = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "STARTED": str(started)}, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 50
    while not started.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    second = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (second.returncode, second.stdout) == (2, "")
    assert second.stderr == f"Error: '{out}' is in use by another run: choose another --out, or wait\n"
    run.kill()
    run.wait()
    # The lock does not belong to the workers, which are forked from the run and may live a little longer.
    assert tournament("greedy", "random", "--games", "1", "--out", str(out)).exit_code == 0


def processes_with(mark: str) -> list[str]:
    """Return the command lines of the processes that have the mark in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text())
        except OSError:
            continue
    return [line for line in found if line]


@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.system), "2"])
@pytest.mark.parametrize("number", [pytest.param(signal.SIGTERM, marks=pytest.mark.system), signal.SIGKILL])
def test_nothing_stays_of_a_run_that_is_killed(tmp_path: Path, jobs: str, number: int) -> None:
    (tmp_path / "slow.py").write_text(
        "import os, time\nopen(os.environ['STARTED'], 'w').close()\nos.fork() or os.setsid()\ntime.sleep(60)\n"
    )
    (tmp_path / "engine.py").write_text(
        "import sys\nfor line in sys.stdin:\n    number = line.split()[0]\n    print(f'={number} A1\\n', flush=True)\n"
    )
    homes, started, mark = tmp_path / "homes", tmp_path / "started", f"test-{os.getpid()}-{jobs}-{number}"
    homes.mkdir()
    engine = f"engine=gtp:{sys.executable} -I -S {tmp_path / 'engine.py'}"
    command = [
        sys.executable,
        "-m",
        "little_go.arena",
        "tournament",
        f"slow={tmp_path / 'slow.py'}",
        engine,
        "--workers",
        jobs,
    ]
    run = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "STARTED": str(started), "TMPDIR": str(homes), "MARK": mark},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 50
    while not started.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert list(homes.iterdir())
    assert len(processes_with(mark)) > 2
    run.send_signal(number)
    run.wait()
    while processes_with(mark) or any(homes.iterdir()):
        assert time.monotonic() < deadline, processes_with(mark)
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name in ("games.jsonl", "lock") for kind in ("pipe", "folder")] + [("games.jsonl", "device")],
)
def test_what_is_no_file_in_a_games_directory_is_refused_at_once(tmp_path: Path, kind: str, name: str) -> None:
    out = tmp_path / "out"
    assert tournament("random", "greedy", "--games", "1", "--out", str(out)).exit_code == 0
    path = out / (LOCK_FILE if name == "lock" else name)
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    command = [
        sys.executable,
        "-m",
        "little_go.arena",
        "tournament",
        "random",
        "greedy",
        "--games",
        "1",
        "--out",
        str(out),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert f"cannot use '{out}'" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("place", ["random-greedy-0000.sgf", "random-greedy-0000.sgf.tmp"])
def test_no_sgf_is_written_through_a_link_or_into_a_pipe(tmp_path: Path, place: str) -> None:
    other, sgf = tmp_path / "other", tmp_path / "out" / "sgf"
    other.write_text("mine")
    sgf.mkdir(parents=True)
    (sgf / place).symlink_to(other)
    os.mkfifo(sgf / "greedy-random-0000.sgf.tmp")
    assert tournament("random", "greedy", "--games", "1", "--out", str(tmp_path / "out")).exit_code == 0
    assert other.read_text() == "mine"
    assert (sgf / "random-greedy-0000.sgf").read_bytes().startswith(b"(;")


def test_a_name_that_no_terminal_should_get_is_shown_in_other_signs(tmp_path: Path) -> None:
    out = tmp_path / "out"
    game = ("--games", "1", "--plies", "4")
    assert tournament("random", "greedy", *game, "--out", str(out)).exit_code == 0
    record = json.loads((out / "games.jsonl").read_text().splitlines()[0])
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps({**record, "black": "\ud800\x1b]0;mine\x07\0\u202e"}) + "\n")
    for words in ([], ["--json"], ["--html", str(tmp_path / "page.html")], ["--sgf", str(tmp_path / "game.sgf")]):
        done = CliRunner().invoke(main, ["review", "--nodes", "1000", *words, str(path)], catch_exceptions=False)
        assert done.exit_code == 0, done.stderr
        for sign in (b"\x1b", b"\0", "\u202e".encode()):
            assert sign not in done.stdout_bytes + done.stderr_bytes
