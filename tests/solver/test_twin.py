"""The C twin of the player's solver has the same answers, moves and nodes, also if a limit stops the search."""

import ctypes
import random
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from little_go.solver import exact
from little_go.solver.answer import LEAST, MOST
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.native.twin import SCRIPT_RATE, TwinSolver
from little_go.solver.position import GAME_PLIES, PASS, START, Position

NATIVE = Path(__file__).parents[2] / "solver" / "native"


def random_position(rng: random.Random, left: int) -> Position:
    """Return a position of a random game with some PASSes."""
    while True:
        position = START
        while position.left > left and not position.is_over:
            stones = position.legal_moves()[:-1]
            passes = not stones or (rng.random() < 0.08 and not position.pass_ends)
            position = position.play(PASS if passes else rng.choice(stones))
        if not position.is_over:
            return position


def compare(rng: random.Random, position: Position) -> None:
    """Compare both solvers on several questions, because the table of one question is used for the next."""
    plain, twin = ExactSolver(), TwinSolver()
    for _ in range(rng.randint(1, 3)):
        threshold = rng.choice([3, 3, 3, -2, 0, 5])
        limit = rng.choice([None if position.left < 12 else 30_000, rng.randint(0, 3000)])
        assert plain.decide(position, threshold, limit) == twin.decide(position, threshold, limit), position
        assert plain.nodes == twin.nodes
    if position.left < 8:
        assert plain.value(position) == twin.value(position), position


@pytest.mark.parametrize("left", range(1, 15))
def test_same_nodes_in_the_same_order(left: int) -> None:
    rng = random.Random(left)
    for _ in range(20 if left < 11 else 4 if left < 13 else 2):
        compare(rng, random_position(rng, left))


def test_same_most_promising_move_after_a_ko_if_another_question_is_stopped() -> None:
    rng = random.Random(25)
    promising = 0
    for _ in range(20):
        while (position := random_position(rng, rng.randint(8, 10))).ko is None:
            pass
        plain, twin = ExactSolver(), TwinSolver()
        for threshold, limit in ((-2, 20_000), (6, 20)):
            answer = plain.decide(position, threshold, limit)
            assert answer == twin.decide(position, threshold, limit), position
        promising += (answer.lo, answer.hi) == (LEAST, MOST) and answer.best != position.legal_moves()[0]
    assert promising > 3


@pytest.mark.long
def test_same_on_20_000_positions() -> None:
    rng = random.Random(20_000)
    for _ in range(20_000):
        compare(rng, random_position(rng, rng.randint(3, 12)))


#: The limits are so small that searches of some thousand nodes reach them.
SMALL = {"TABLE_LIMIT": 300, "HINT_LIMIT": 100, "CACHE_LIMIT": 700}

#: The heads of the table begin with 16, so that a search of some thousand nodes makes them larger several times.
FEW_HEADS = {"LEAST_BITS": 4}


def small_search(folder: Path) -> type:
    """Compile the search with the small limits; return a class like ExactSearch."""
    text = (NATIVE / "twin_search.h").read_text("utf-8")
    for name, limit in (SMALL | FEW_HEADS).items():
        text, found = re.subn(rf"\b{name} = \d+", f"{name} = {limit}", text)
        assert found == 1
    (folder / "twin_search.h").write_text(text, "utf-8")
    (folder / "twin_search.c").write_bytes((NATIVE / "twin_search.c").read_bytes())
    source, library = folder / "small.c", folder / "small.so"
    source.write_text(
        '#include "twin_search.c"\nconst unsigned long exact_bytes = sizeof(Exact);\n'
        "int was_stopped(const Exact *exact) { return exact->stopped; }\n"
    )
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-I", NATIVE, source, "-o", library], check=True)
    compiled = ctypes.CDLL(str(library))
    # Each search gets the memory of the search before, as in twin_search.pyx.
    memory = ctypes.create_string_buffer(ctypes.c_ulong.in_dll(compiled, "exact_bytes").value)

    class SmallSearch:
        def __init__(self) -> None:
            self._memory = memory
            compiled.exact_reset(self._memory)

        def run(
            self, me: int, opp: int, ko: int, left: int, margin: int, goal: int, limit: int
        ) -> tuple[int, int | None, int, bool]:
            move, nodes = ctypes.c_uint32(), ctypes.c_uint64.from_buffer(self._memory)
            before = nodes.value
            given = (me, opp, ko, left, margin, goal, ctypes.c_uint64(limit), ctypes.byref(move))
            bound = compiled.exact_search(self._memory, *given)
            found = None if move.value == 0xFFFFFFFF else move.value
            return bound, found, nodes.value - before, bool(compiled.was_stopped(self._memory))

    return SmallSearch


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc here to compile the search with small tables")
def test_same_where_small_tables_are_emptied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits of all three tables are reached many times, and the entries with the fewest plies left are removed
    first.
    """
    for name, limit in SMALL.items():
        monkeypatch.setattr(exact, f"_{name}", limit)
    trims, trim = [], exact._trim

    def counted(tables: list[dict[int, tuple[int, int]]]) -> None:
        before = sum(map(len, tables))
        trim(tables)
        trims.append(before > sum(map(len, tables)) > 0)

    monkeypatch.setattr(exact, "_trim", counted)
    monkeypatch.setattr("little_go.solver.native.twin.ExactSearch", small_search(tmp_path))
    rng = random.Random(7)
    for left in (10, 11, 12, 12, 13, 13):
        compare(rng, random_position(rng, left))
    assert sum(trims) > 10


@pytest.mark.long
def test_same_where_tables_are_emptied() -> None:
    # The search has far more nodes than the table can store, and many more groups than the cache.
    position = START.play(12)
    plain, twin = ExactSolver(), TwinSolver()
    assert plain.decide(position, 3, 4_000_000) == twin.decide(position, 3, 4_000_000)
    assert plain.decide(position.play(7), 3, 200_000) == twin.decide(position.play(7), 3, 200_000)


def test_new_solver_knows_nothing() -> None:
    rng = random.Random(5)
    for _ in range(20):
        position = random_position(rng, 9)
        first = TwinSolver().decide(position, 3)
        assert first == TwinSolver().decide(position, 3) == ExactSolver().decide(position, 3)


def test_solvers_do_not_share() -> None:
    one, other = TwinSolver(), TwinSolver()
    position = random_position(random.Random(6), 10)
    assert one.decide(position, 3) == other.decide(position, 3)
    assert one.nodes == other.nodes


def test_deadline_is_so_many_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "process_time", lambda: 7.0)
    position = Position(ply=GAME_PLIES - 20)
    solver = TwinSolver()
    answer = solver.decide(position, 3, cpu_deadline=7.2)
    assert COURSE.winner(answer) is None
    # The limits are checked between positions, and each position may add its moves before the next check.
    assert answer.nodes == pytest.approx(0.2 * SCRIPT_RATE, abs=0.01 * SCRIPT_RATE)
    assert solver.decide(position, 3, cpu_deadline=6.0).nodes == 0
