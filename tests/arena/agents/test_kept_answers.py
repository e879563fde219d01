"""The cache of championship's answers: they equal a search's, other processes find them, and other agents do not."""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest

from little_go.arena.agents import championship
from little_go.arena.agents.championship import KeptAnswers, digest_of_sources
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import Position


def positions(seed: int, ply: int, count: int) -> list[Position]:
    """Return positions of random games."""
    rng, found = Random(seed), list[Position]()
    while len(found) < count:
        position = Position()
        while position.ply < ply and not position.is_over:
            position = position.play(rng.choice(position.legal_moves()))
        if not position.is_over:
            found.append(position)
    return found


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the cache, which keeps all answers in this test."""
    path = tmp_path / "cache" / "championship.db"
    monkeypatch.setattr(championship, "ANSWERS", str(path))
    monkeypatch.setattr(championship, "WORTH_KEEPING", 0)
    monkeypatch.setattr(championship, "SMALL_NODES", 0)
    return path


def answers(asked: list[Position]) -> list[list[int]]:
    """Return the candidates as a new process returns them."""
    championship.candidates.cache_clear()
    found = [championship.candidates(position, COURSE) for position in asked]
    championship.candidates.cache_clear()
    return found


def no_search(position: Position, *_: object) -> list[int]:
    raise AssertionError(f"searched: {position}")


def test_kept_answers_are_those_of_the_search(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [*positions(1, 14, 12), *positions(2, 17, 12), *positions(3, 20, 12)]
    searched = answers(asked)
    assert answers(asked) == searched
    monkeypatch.setattr(championship, "_search", no_search)
    assert answers(asked) == searched
    file.unlink()
    with pytest.raises(AssertionError, match="searched"):
        answers(asked[:1])


def test_only_what_takes_nodes_is_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(championship, "WORTH_KEEPING", 1 << 40)
    answers(positions(1, 20, 3))
    assert not file.exists()


@pytest.mark.parametrize("name", ["NODES", "FIRST_ROUND", "DEPTH"])
def test_answers_of_another_agent_are_not_found(file: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    asked = positions(4, 18, 3)
    answers(asked)
    monkeypatch.setattr(championship, name, getattr(championship, name) - 1)
    monkeypatch.setattr(championship, "_search", no_search)
    with pytest.raises(AssertionError, match="searched"):
        answers(asked)


def test_sources_and_the_kernel_make_the_agent(tmp_path: Path) -> None:
    digests = set()
    for name in ("a.py", "b.py", "kernel.so", "notes.txt"):
        (tmp_path / name).write_text("x")
        digest_of_sources.cache_clear()
        digests.add(digest_of_sources((tmp_path,)))
    (tmp_path / "a.py").write_text("y")
    digest_of_sources.cache_clear()
    digests.add(digest_of_sources((tmp_path,)))
    digest_of_sources.cache_clear()
    assert len(digests) == 4


@pytest.mark.system
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_a_small_table_gives_the_same_answers(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = 0
    for position in (each for ply in range(9, 23) for each in positions(seed, ply, 3 if seed == 1 else 30)):
        with suppress(championship._TooMany):
            moves = championship._search(position, championship._SmallKernel(), COURSE)
            kernel = Kernel(open_table(championship._TABLE_MIB))
            assert moves == championship._search(position, kernel, COURSE)
            assert kernel.nodes < championship.FIRST_ROUND
            found += 1
    assert found > 20
    monkeypatch.setattr(championship, "SMALL_NODES", 3)
    with pytest.raises(championship._TooMany):
        championship._search(positions(seed, 12, 1)[0], championship._SmallKernel(), COURSE)


def changed(statement: str) -> Callable[[Path], object]:
    def change(path: Path) -> None:
        with closing(sqlite3.connect(path)) as db, db:
            db.execute(statement)

    return change


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "no database": lambda path: path.write_bytes(b"x" * 8192),
    "a directory": folder,
    "no table": changed("DROP TABLE answers"),
    "no moves": changed("UPDATE answers SET moves = ''"),
    "no numbers": changed("UPDATE answers SET moves = 'a b'"),
    "bytes": changed("UPDATE answers SET moves = x'ff00'"),
    "nothing": changed("UPDATE answers SET moves = NULL"),
    "moves that are not legal": changed("UPDATE answers SET moves = '99'"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_file_changes_no_answer(file: Path, kind: str) -> None:
    asked = positions(5, 18, 4)
    searched = answers(asked)
    DAMAGE[kind](file)
    assert answers(asked) == searched
    assert answers(asked) == searched


def _keep(path: Path, first: int) -> None:
    kept = KeptAnswers(path, "maker")
    for number in range(first, first + 40):
        kept.keep(str(number), [number])


@pytest.mark.system
def test_processes_keep_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    spawn = get_context("spawn")
    workers = [spawn.Process(target=_keep, args=(path, first)) for first in (0, 20, 40)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        worker.close()
    kept = KeptAnswers(path, "maker")
    assert [kept.find(str(number)) for number in range(81)] == [*([number] for number in range(80)), None]
    assert KeptAnswers(path, "other").find("1") is None
