import json
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.__main__ import main
from arena.commands.train import OPPONENTS
from arena.learning.learner import LearningSettings
from arena.learning.learnt import open_table
from arena.learning.run import CheckpointError, Run, TrainingPlan, open_run
from tests.background import start

#: Small and quick: a measurement every fourth game.
QUICK = ("--every", "4", "--test-games", "2", "--against", "self", "--against", "greedy")
PLAN = TrainingPlan(LearningSettings(), 3, ("self", "greedy"), 4, 2)


def train(out: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["train", "--out", str(out), *QUICK, *arguments], catch_exceptions=False)


def played(run: Run, episodes: int) -> Run:
    while run.episodes < episodes:
        run.step()
    return run


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """Return the checkpoint of six episodes, the last measurement after four."""
    path = tmp_path / "checkpoint"
    played(open_run(PLAN, OPPONENTS, path), 6).save(path)
    return path


# A run


def test_run_that_was_stopped_learns_the_same(checkpoint: Path, tmp_path: Path) -> None:
    resumed = played(open_run(PLAN, OPPONENTS, checkpoint), 12)
    whole = played(open_run(PLAN, OPPONENTS, tmp_path / "none"), 12)
    assert resumed.learner.values == whole.learner.values
    assert resumed.learner.visits == whole.learner.visits
    assert resumed.points == whole.points
    assert [point.episodes for point in whole.points] == [4, 8, 12]


def test_seed_decides_what_is_learnt(tmp_path: Path) -> None:
    plans = [PLAN, PLAN, TrainingPlan(LearningSettings(), 4, PLAN.against, 4, 2)]
    first, second, other = (played(open_run(plan, OPPONENTS, tmp_path / "none"), 3).learner.values for plan in plans)
    assert first == second != other


def test_opponents_take_turns_with_both_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def note(game: object, learner: object, player: int, opponent: object, rng: object) -> int:
        seen.append((player, opponent))
        return 1

    monkeypatch.setattr("arena.learning.run.train_game", note)
    played(open_run(TrainingPlan(LearningSettings(), 0, ("self", "greedy"), 99, 1), OPPONENTS, tmp_path / "none"), 6)
    greedy = OPPONENTS["greedy"]
    assert seen == [(1, None), (2, None), (1, greedy), (2, greedy), (1, None), (2, None)]


def test_table_leaves_out_what_was_learnt_seldom(checkpoint: Path) -> None:
    run = open_run(PLAN, OPPONENTS, checkpoint)
    assert len(run.table(1)) == len(run.learner.values) > len(run.table(2)) > 0
    assert all(run.learner.visits[key] >= 2 for key in run.table(2).values)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("nonsense", "not JSON"),
        ("[]", "not a checkpoint of a training run"),
        ("{}", "not a checkpoint of a training run"),
        ('{"format": 2}', "checkpoint of format 2"),
    ],
)
def test_damaged_checkpoint_is_refused(tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "c").write_text(content)
    with pytest.raises(CheckpointError, match=words):
        open_run(PLAN, OPPONENTS, tmp_path / "c")


def test_checkpoint_without_its_values_is_refused(checkpoint: Path) -> None:
    record = json.loads(checkpoint.read_text())
    checkpoint.write_text(json.dumps({**record, "learnt": [[1, "x", 2]]}))
    with pytest.raises(CheckpointError, match="not a checkpoint of a training run"):
        open_run(PLAN, OPPONENTS, checkpoint)


def test_checkpoint_of_another_plan_is_refused(checkpoint: Path) -> None:
    with pytest.raises(CheckpointError, match="other seed, every;"):
        open_run(TrainingPlan(LearningSettings(), 4, PLAN.against, 5, 2), OPPONENTS, checkpoint)


# The command


def test_command_writes_table_and_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.commands.train.LEAST_VISITS", 1)
    out = tmp_path / "q.json"
    result = train(out, "--episodes", "8")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["episodes", "random", "greedy", "aggressive", "alphabeta"]
    assert [line.split()[0] for line in lines[1:]] == ["4", "8", "8"]
    assert f"{len(open_table(out)):,} values learnt" in lines[-1]
    assert {path.name for path in tmp_path.iterdir()} == {"q.json", "q.json.checkpoint"}


def test_more_episodes_go_on(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    train(first, "--episodes", "5")
    resumed = train(first, "--episodes", "8")
    assert resumed.stdout == train(second, "--episodes", "8").stdout
    assert first.read_bytes() == second.read_bytes()
    assert train(first, "--episodes", "8").stdout == resumed.stdout


def test_json_has_a_line_for_each_measurement(tmp_path: Path) -> None:
    records = [json.loads(line) for line in train(tmp_path / "q", "--episodes", "8", "--json").stdout.splitlines()]
    assert [record["episodes"] for record in records] == [4, 8]
    assert records[0]["won"].keys() == {"random", "greedy", "aggressive", "alphabeta"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seed", "9"], "other seed"),
        (["--alpha", "0.5"], "other settings"),
    ],
)
def test_bad_usage_exits_2_with_one_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    train(tmp_path / "q", "--episodes", "4")
    result = train(tmp_path / "q", "--episodes", "4", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--against", "human"], ["--episodes", "0"], ["--epsilon", "2"]])
def test_bad_options_exit_2(tmp_path: Path, arguments: list[str]) -> None:
    result = train(tmp_path / "q", *arguments)
    assert result.exit_code == 2
    assert arguments[0] in result.stderr


def test_interrupted_run_goes_on_to_the_same_table(tmp_path: Path) -> None:
    out = tmp_path / "q"
    run = start("arena", "train", "--out", str(out), *QUICK, "--episodes", "1000000")
    assert run.stderr is not None
    # The first sign of progress: it is at work.
    assert "games" in run.stderr.readline()
    run.send_signal(signal.SIGINT)
    stdout, stderr = run.communicate(timeout=50)
    assert (run.returncode, stderr.splitlines()[-1]) == (130, "interrupted")
    assert "Traceback" not in stderr
    assert not out.exists()
    done = json.loads((tmp_path / "q.checkpoint").read_text())["episodes"]
    assert f"{done:,} episodes" in stdout
    again = train(out, "--episodes", str(done + 3))
    assert again.exit_code == 0
    assert again.stdout == train(tmp_path / "other", "--episodes", str(done + 3)).stdout
    assert out.read_bytes() == (tmp_path / "other").read_bytes()
