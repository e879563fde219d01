import json
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from little_go.arena.__main__ import main
from little_go.arena.commands.train import OPPONENTS
from little_go.arena.learning.learner import Learner, LearningSettings
from little_go.arena.learning.littlego import MEASURED_AGAINST, Point, Run, TrainingPlan, open_table
from tests.background import start

#: Options for a small and fast run, with a measurement after every fourth game.
QUICK = ("--every", "4", "--test-games", "2", "--against", "self", "--against", "greedy")
PLAN = TrainingPlan(LearningSettings(), 3, ("self", "greedy"), 4, 2)


def train(out: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["train", "--out", str(out), *QUICK, *arguments], catch_exceptions=False)


def begin(plan: TrainingPlan = PLAN) -> Run:
    return Run(plan, OPPONENTS, Learner(plan.settings))


def played(run: Run, episodes: int) -> Run:
    while run.episodes < episodes:
        run.step()
    return run


# A run


def test_a_run_measures_now_and_then() -> None:
    run = played(begin(), 13)
    assert [point.episodes for point in run.points] == [4, 8, 12]
    assert all(run.learner.visits[key] for key in run.learner.values)


def test_seed_decides_what_is_learnt() -> None:
    plans = [PLAN, PLAN, TrainingPlan(LearningSettings(), 4, PLAN.against, 4, 2)]
    first, second, other = (played(begin(plan), 3).learner.values for plan in plans)
    assert first == second != other


def test_opponents_take_turns_with_both_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def note(game: object, learner: object, player: int, opponent: object, rng: object) -> int:
        seen.append((player, opponent))
        return 1

    monkeypatch.setattr("little_go.arena.learning.littlego.train_game", note)
    played(begin(TrainingPlan(LearningSettings(), 0, ("self", "greedy"), 99, 1)), 6)
    greedy = OPPONENTS["greedy"]
    assert seen == [(1, None), (2, None), (1, greedy), (2, greedy), (1, None), (2, None)]


def test_the_learner_is_measured_with_both_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[int, int]] = []

    def play(game: object, policies: dict[int, object], rng: object) -> int:
        ((mine, _),) = [(side, each) for side, each in policies.items() if each not in OPPONENTS.values()]
        seen.append((mine, len(policies)))
        return 1

    monkeypatch.setattr("little_go.arena.learning.littlego.play_out", play)
    run = played(begin(TrainingPlan(LearningSettings(), 0, ("self",), 1, 3)), 1)
    assert seen == [(1, 2), (2, 2), (1, 2)] * 4
    assert run.points == [Point(1, dict.fromkeys(MEASURED_AGAINST, 2 / 3))]


def test_table_leaves_out_what_was_learnt_seldom() -> None:
    run = played(begin(), 6)
    assert len(run.table(1)) == len(run.learner.values) > len(run.table(2)) > 0
    assert all(run.learner.visits[key] >= 2 for key in run.table(2).values)


# The command


def test_the_command_writes_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("little_go.arena.commands.train.LEAST_VISITS", 1)
    out = tmp_path / "q.json"
    result = train(out, "--episodes", "8")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["episodes", "random", "greedy", "aggressive", "alphabeta"]
    assert [line.split()[0] for line in lines[1:]] == ["4", "8", "8"]
    assert f"{len(open_table(out)):,} values learnt" in lines[-1]
    assert {path.name for path in tmp_path.iterdir()} == {"q.json"}


def test_equal_options_give_an_equal_table(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    assert train(first, "--episodes", "5").stdout == train(second, "--episodes", "5").stdout
    assert first.read_bytes() == second.read_bytes()


def test_json_has_a_line_for_each_measurement(tmp_path: Path) -> None:
    records = [json.loads(line) for line in train(tmp_path / "q", "--episodes", "8", "--json").stdout.splitlines()]
    assert [record["episodes"] for record in records] == [4, 8]
    assert records[0]["won"].keys() == {"random", "greedy", "aggressive", "alphabeta"}


@pytest.mark.system
def test_an_interrupted_run_leaves_nothing(tmp_path: Path) -> None:
    run = start("arena", "train", "--out", str(tmp_path / "q"), *QUICK, "--episodes", "1000000")
    assert run.stderr is not None
    # The first progress shows that the command is running.
    assert "games" in run.stderr.readline()
    run.send_signal(signal.SIGINT)
    stdout, stderr = run.communicate(timeout=50)
    assert (run.returncode, stdout, stderr.splitlines()[-1]) == (130, "", "interrupted")
    assert not list(tmp_path.iterdir())
