"""The oracle of explain.c that searches with a kernel finds true values, and keeps the node limit."""

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from little_go.solver.position import Position
from tests.solver.lines import NO_GUESS, NO_KO
from tests.solver.positions import known_positions

SOURCE = Path(__file__).with_name("searcher.c")
NATIVE = SOURCE.parents[2] / "solver" / "native"

NO_LIMIT = (1 << 64) - 1

#: With a limit of a few nodes, a search stops soon after it.
FEW, SOON_AFTER = 20, 120


class Seen(ctypes.Structure):
    """The struct Position of kernel.h."""

    _fields_ = (
        ("me", ctypes.c_uint32),
        ("opp", ctypes.c_uint32),
        ("ko", ctypes.c_int),
        ("left", ctypes.c_int),
        ("pass_ends", ctypes.c_bool),
    )


class Found(NamedTuple):
    """An answer of the oracle, or None if it found no answer, and the number of searched nodes."""

    answer: int | None
    nodes: int


class Searcher:
    """The compiled oracle with an empty table."""

    def __init__(self, library: Path) -> None:
        self._compiled = ctypes.CDLL(str(library))
        self._compiled.ask.restype = ctypes.c_bool
        self._compiled.open_stones.restype = ctypes.c_uint32
        self._compiled.open_kernel()

    def ask(self, position: Position, goal: int, limit: int) -> Found:
        """Ask for a value, or whether it reaches a goal, from the mover's side."""
        me, opp = _sides(position)
        ko = NO_KO if position.ko is None else position.ko
        seen = Seen(me, opp, ko, position.left, position.pass_ends)
        answer, nodes = ctypes.c_int(), ctypes.c_uint64()
        given = (ctypes.byref(seen), goal, ctypes.c_uint64(limit), ctypes.byref(answer), ctypes.byref(nodes))
        return Found(answer.value if self._compiled.ask(*given) else None, nodes.value)

    @property
    def open(self) -> tuple[int, int]:
        """The mover's stones and the plies left of the last position without an answer."""
        return self._compiled.open_stones(), self._compiled.open_left()


def _sides(position: Position) -> tuple[int, int]:
    return (position.black, position.white) if position.black_to_move else (position.white, position.black)


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    if not shutil.which("gcc"):
        pytest.skip("no gcc here to compile the oracle")
    library = tmp_path_factory.mktemp("searcher") / "searcher.so"
    subprocess.run(["gcc", "-O0", "-shared", "-fPIC", f"-I{NATIVE}", SOURCE, "-o", library], check=True)
    return Searcher(library)


@pytest.mark.parametrize("left", [8, 9, 10])
def test_the_oracle_of_the_page(left: int, searcher: Searcher) -> None:
    """Without nodes it finds only what the table has. An answer is true, even if a limit could stop the search."""
    stopped = 0
    for position, blacks_value, _ in known_positions(left)[20:28]:
        value = blacks_value if position.black_to_move else -blacks_value
        assert searcher.ask(position, NO_GUESS, 0) == (None, 0)
        assert searcher.open == (_sides(position)[0], left)
        for goal in (NO_GUESS, value, value + 1):
            found = searcher.ask(position, goal, FEW)
            assert found.answer in (None, value if goal == NO_GUESS else value >= goal)
            assert found.nodes < SOON_AFTER
            stopped += found.answer is None
        for goal in (value, value + 1):
            assert searcher.ask(position, goal, NO_LIMIT).answer == (value >= goal)
            assert searcher.ask(position, goal, 0) == (value >= goal, 0)
        assert searcher.ask(position, value - 1, 0) == (1, 0)
        assert searcher.ask(position, value + 2, 0) == (0, 0)
        assert searcher.ask(position, NO_GUESS, NO_LIMIT).answer == value
        assert searcher.ask(position, NO_GUESS, 0) == (value, 0)
    assert stopped > 5
