"""The values of a ply: they agree with plain minimax, a killed run loses no value, and parts are never changed."""

import json
import random
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from little_go.book.files.levels import Block, max_other_stones, parts_in, place_of, read_part, stones_of
from little_go.book.store.facts import Contradiction
from little_go.generator.__main__ import main
from little_go.generator.questions.level_files import answers_by_ply, folder_of
from little_go.generator.questions.level_run import (
    NO_MOVE,
    OPEN,
    Level,
    LevelFolder,
    LevelRun,
    chances_at,
    likely_first,
)
from little_go.runtime.journal import JournalError
from little_go.solver.answer import LEAST, Answer
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE, Variant
from little_go.solver.native.twin import TwinSolver
from little_go.solver.position import PASS
from little_go.solver.symmetry import key_of, position_of
from tests.background import ROOT, run_inside

GAME = Variant(10, 2.5)

SOLVER = ExactSolver()


@cache
def value_of(key: int) -> int:
    found = SOLVER.value(position_of(key)).value
    assert found is not None
    return found


def command(name: str, out: Path, depth: int, *options: str) -> list[str]:
    memory = [] if name == "pack" else ["--table", "16MiB", "--workers", "2"]
    return ["generator", name, "--plies", str(GAME.plies), "--depth", str(depth), "--out", str(out), *memory, *options]


def level(out: Path, depth: int, *options: str) -> "subprocess.CompletedProcess[str]":
    return run_inside(main, *command("level", out, depth, *options)[1:])


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the values of the first three plies of a short game, searched one after another."""
    out = tmp_path_factory.mktemp("levels")
    for depth in (1, 2, 3):
        done = level(out, depth)
        assert done.returncode == 0, done.stderr
    assert "1,037 of 1,037 positions have values" in done.stdout
    assert "91 positions of ply 2 agree" in done.stdout
    return out


def values_of(out: Path, depth: int) -> bytes:
    return (folder_of(out, depth) / "values").read_bytes()


@pytest.mark.parametrize(("depth", "step"), [(1, 1), (2, 1), (3, 20), pytest.param(3, 1, marks=pytest.mark.long)])
def test_the_values_are_those_of_plain_minimax(found: Path, depth: int, step: int) -> None:
    todo = Level(GAME, depth, None)
    values = values_of(found, depth)
    assert len(values) == len(todo.keys)
    assert [value + LEAST for value in values[::step]] == [value_of(key) for key in todo.keys[::step]]


def test_the_kept_moves_keep_the_value(found: Path) -> None:
    todo = Level(GAME, 2, None)
    moves = (folder_of(found, 2) / "best").read_bytes()
    assert set(moves) - {NO_MOVE}
    for key, move in zip(todo.keys, moves, strict=True):
        if move != NO_MOVE:
            after = position_of(key).play(move)
            assert (after.margin if after.is_over else value_of(key_of(after))) == value_of(key)


def test_without_the_ply_before_the_values_are_the_same(found: Path, tmp_path: Path) -> None:
    assert level(tmp_path, 3).returncode == 0
    assert values_of(tmp_path, 3) == values_of(found, 3)


def test_the_ply_before_bounds_every_position(found: Path) -> None:
    todo = Level(GAME, 3, answers_by_ply(GAME, 3, found)[-1])
    bounds = {key: answer for block in todo.blocks for key, answer in todo.bounds(block).items()}
    assert sorted(bounds) == list(todo.keys)
    assert all(answer.lo <= value_of(key) <= answer.hi for key, answer in list(bounds.items())[::20])
    assert sum(answer.lo == answer.hi for answer in bounds.values()) >= 50


def test_blocks_that_sensible_play_leads_to_come_first(found: Path) -> None:
    known = answers_by_ply(GAME, 3, found)
    whole = [each for each in known if each is not None]
    todo = Level(GAME, 3, known[-1])
    chances = chances_at(GAME, todo.earlier, whole)
    assert sum(chances.values()) == pytest.approx(1.0, abs=1e-3)
    blocks = likely_first(todo, whole)
    assert sorted(blocks) == todo.blocks
    likely = max(chances, key=chances.__getitem__)
    assert position_of(likely).white == position_of(blocks[0].number << 25).white


def test_a_false_value_of_the_ply_before_is_a_contradiction(found: Path) -> None:
    known = answers_by_ply(GAME, 3, found)[-1]
    assert known is not None
    wrong = bytearray(known.values)
    wrong[50] += 1
    todo = Level(GAME, 3, known._replace(values=bytes(wrong)))
    with pytest.raises(Contradiction):
        compare(todo, values_of(found, 3))


def compare(todo: Level, values: bytes) -> None:
    for block in todo.blocks:
        todo.bounds(block)
        todo.check(block, values)


def test_a_block_without_a_search_is_compared_with_its_parents(tmp_path: Path) -> None:
    todo = Level(GAME, 2, None)
    first, *others = todo.blocks
    exact = {key: Answer(1, 1, None, 0) for key in todo.keys[first.start : first.start + first.size]}
    compared: list[Block] = []

    def check(block: Block, values: object) -> set[int]:
        compared.append(block)
        return {len(compared)}

    with pytest.MonkeyPatch.context() as patch, LevelFolder(tmp_path / "ply2", GAME, 2, len(todo.keys)) as folder:
        patch.setattr(todo, "bounds", lambda block: exact if block == first else {})
        patch.setattr(todo, "check", check)
        run = LevelRun(todo, folder, todo.blocks, lambda _: None)
        jobs = list(run.jobs())
        assert compared == [first]
        assert (run.inferred, run.compared) == (first.size, {1})
        assert folder.values[first.start : first.start + first.size] == bytes([1 - LEAST]) * first.size
    asked = [question.index for job in jobs for question in job.questions]
    assert asked == [index for block in others for index in range(block.start, block.start + block.size)]


def test_a_value_is_not_replaced_by_another(tmp_path: Path) -> None:
    with LevelFolder(tmp_path / "ply1", GAME, 1, 6) as folder:
        folder.record(2, 5, PASS)
        folder.record(2, 5, None)
        with pytest.raises(Contradiction):
            folder.record(2, 6, None)
        assert folder.open == 5


def test_a_folder_of_another_game_is_left_alone(found: Path, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="give another --out"):
        LevelFolder(folder_of(found, 2), Variant(12, 2.5), 2, 91)
    with LevelFolder(tmp_path / "ply1", GAME, 1, 6), pytest.raises(JournalError, match="another run"):
        subprocess_open(tmp_path / "ply1")


def subprocess_open(folder: Path) -> None:
    """Open a folder in another process, because a lock belongs to a process."""
    code = (
        "from pathlib import Path; from little_go.generator.questions.level_run import LevelFolder;"
        "from little_go.solver.family import Variant;"
        f"LevelFolder(Path({str(folder)!r}), Variant(10, 2.5), 1, 6)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode
    raise JournalError(done.stderr.splitlines()[-1])


@pytest.mark.system
@pytest.mark.parametrize("kills", [3, pytest.param(10, marks=pytest.mark.long)])
def test_a_run_that_is_killed_at_random_ends_with_the_same_bytes(found: Path, tmp_path: Path, kills: int) -> None:
    dice = random.Random(kills)
    last = 0
    for _ in range(kills):
        running = subprocess.Popen([sys.executable, "-m", *command("level", tmp_path, 3)], cwd=ROOT)
        values = folder_of(tmp_path, 3) / "values"
        target = last + dice.randrange(20, 80)
        while running.poll() is None and (not values.exists() or 1037 - values.read_bytes().count(OPEN) < target):
            time.sleep(0.002)
        running.send_signal(signal.SIGKILL)
        running.wait()
        done = 1037 - values.read_bytes().count(OPEN)
        # The earlier values are still there.
        assert done >= last
        last = done
    assert level(tmp_path, 3).returncode == 0
    assert values_of(tmp_path, 3) == values_of(found, 3)


def test_a_run_that_is_out_of_time_resumes(found: Path, tmp_path: Path) -> None:
    done = level(tmp_path, 3, "--budget", "0")
    assert done.returncode == 0
    assert "1,037 of 1,037" not in done.stdout
    assert level(tmp_path, 3).returncode == 0
    assert values_of(tmp_path, 3) == values_of(found, 3)


def test_finished_blocks_become_parts_that_are_not_written_again(found: Path, tmp_path: Path) -> None:
    out, parts = tmp_path / "out", tmp_path / "parts"
    todo = Level(GAME, 3, None)
    values = values_of(found, 3)
    half = todo.blocks[len(todo.blocks) // 2]
    with LevelFolder(folder_of(out, 3), GAME, 3, len(values)) as folder:
        for index in range(half.start + 1):
            folder.record(index, values[index] + LEAST, None)
        assert pack(out, parts).returncode == 0
        first = (parts / "001.part").read_bytes()
        assert read_part(parts / "001.part").block(half.number) is None or half.size == 1
        assert "no new block" in pack(out, parts).stdout
        for index in range(half.start + 1, len(values)):
            folder.record(index, values[index] + LEAST, None)
    assert pack(out, parts).returncode == 0
    assert (parts / "001.part").read_bytes() == first
    both = [read_part(path) for path in parts_in(parts)]
    assert len(both) == 2
    for block in todo.blocks:
        [placed] = [its for part in both if (its := part.block(block.number))]
        for key, value in zip(todo.keys[block.start :], values[block.start : block.start + block.size], strict=False):
            place = place_of(stones_of(key), stones_of(block.number), max_other_stones(3, block.number))
            assert place is not None
            assert placed[place] == value


def pack(out: Path, parts: Path) -> "subprocess.CompletedProcess[str]":
    return run_inside(main, *command("pack", out, 3, "--parts", str(parts))[1:])


def test_the_course_knows_its_first_plies_from_the_atlas(tmp_path: Path) -> None:
    known = answers_by_ply(COURSE, 5, tmp_path)
    assert [None if each is None else len(each.values) for each in known] == [1, 6, 91, 1037, 12397]
    assert known[0] is not None
    assert known[0].values[0] == 3 - LEAST


def test_the_folder_says_what_it_is_about(found: Path) -> None:
    assert json.loads((folder_of(found, 3) / "level.json").read_text()) == {"plies": 10, "ply": 3, "positions": 1037}


@pytest.mark.parametrize("count", [6, pytest.param(91, marks=pytest.mark.long)])
def test_a_game_of_16_plies_has_the_values_of_the_solver_s_twin(tmp_path: Path, count: int) -> None:
    """The twin is the player's own search, which shares neither the kernel nor its bounds with the run."""
    options = ["--plies", "16", "--out", str(tmp_path), "--table", "64MiB"]
    for depth in ("1", "2"):
        done = run_inside(main, "level", "--depth", depth, *options)
        assert done.returncode == 0, done.stderr
    found = dict(zip(Level(Variant(16, 2.5), 2, None).keys, values_of(tmp_path, 2), strict=True))
    for key in random.Random(16).sample(sorted(found), min(count, len(found))):
        assert TwinSolver().value(position_of(key)).value == found[key] + LEAST, position_of(key)
