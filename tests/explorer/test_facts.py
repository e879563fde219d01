"""Every bound that the page states is true, in any order of questions and with any node limit.

The page's modules run in Node.js with its worker, kernel and tables. Their bounds are compared with exact values from
the native kernel, which has a separate table.
"""

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from little_go.book.files.reader import read_book
from little_go.book.files.shipped import LINES
from little_go.explorer.build import SOURCES
from little_go.notation.record import from_record, to_record
from little_go.solver.answer import LEAST, MOST
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import START, Position, move_name, play_all
from little_go.solver.symmetry import SYMMETRIES, canonical_key, transform
from tools.browsing import ROOT

pytestmark = pytest.mark.system

#: Plies left at the first position of a session. The native kernel finds every value at once in such late positions.
LEFT = (9, 14)

#: Node limits of a slice, and of a search.
SLICES = (5, 30, 200, 1000)
NODES = (1, 30, 300, 3000)

#: By question: its relative frequency.
QUESTIONS = {"decide": 6, "survey": 4, "exact": 2, "verdict": 1, "about": 1, "keeping": 2, "line": 1, "perfect": 2}


class Session(NamedTuple):
    """Positions, and questions about them in order. The first ``line`` positions follow each other in a game."""

    positions: list[Position]
    line: int
    questions: list[dict[str, Any]]


def first_positions(rng: random.Random) -> Iterator[Position]:
    """Yield positions with few plies left, alternately at random, from the book, and near a line of best play."""
    book = sorted(read_book(str(ROOT / "book.json"), game=COURSE).items())
    late = [position for position, _ in book if LEFT[0] <= position.left <= LEFT[1]]
    while True:
        yield walked(rng, START, rng.randint(*LEFT))
        yield rng.choice(late)
        line = rng.choice(LINES)
        whole = [*line.way, *line.moves]
        stem = play_all(START, whole[: rng.randint(START.left - LEFT[1], START.left - LEFT[0])])
        yield walked(rng, stem, stem.left - rng.randint(0, 1))


def walked(rng: random.Random, position: Position, left: int) -> Position:
    """Return a position with ``left`` plies left after random moves. If a game ends earlier, begin again."""
    while True:
        current = position
        while current.left > left and not current.is_over:
            moves = current.legal_moves()
            current = current.play(rng.choice(moves if rng.random() < 0.1 else moves[:-1] or moves))
        if not current.is_over:
            return current


def sessions(seed: int) -> Iterator[Session]:
    """Yield sessions without end. Each has a line, siblings of its positions, symmetric copies and random questions."""
    rng = random.Random(seed)
    for first in first_positions(rng):
        line = [first]
        while len(line) < 4 and not (after := line[-1].play(rng.choice(line[-1].legal_moves()))).is_over:
            line.append(after)
        siblings = [parent.play(rng.choice(parent.legal_moves())) for parent in line[:-1]]
        copies = [transform(rng.randrange(1, SYMMETRIES), rng.choice(line)) for _ in range(2)]
        positions = [*line, *(each for each in siblings if not each.is_over), *copies]
        names = rng.choices([*QUESTIONS], [*QUESTIONS.values()], k=4 * len(positions))
        yield Session(positions, len(line), [question(rng, name, len(positions)) for name in names])


def question(rng: random.Random, name: str, positions: int) -> dict[str, Any]:
    """Return a question about one of the positions. It has the parameters of all kinds of questions."""
    limits = {"slice": rng.choice(SLICES), "nodes": rng.choice(NODES), "answers": rng.choice((1, 3, 10, 40))}
    return {"name": name, "at": rng.randrange(positions), "above": rng.randint(-3, 4), **limits}


class Truth:
    """Exact values from the native kernel."""

    def __init__(self) -> None:
        self.kernel = Kernel(open_table(256))
        self.values: dict[int, int] = {}

    def of(self, position: Position) -> int:
        """Return the value of a position: Black's stones minus White's."""
        if position.is_over:
            return position.margin
        key = canonical_key(position)
        if key not in self.values:
            value = self.kernel.value(position).value
            assert value is not None
            self.values[key] = value
        return self.values[key]


@pytest.fixture
def node(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A Node.js process with the page's modules. It reads sessions and writes answers."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("no Node.js here: the page's modules run in it")
    modules = tmp_path / "modules"
    shutil.copytree(ROOT / SOURCES, modules)
    (modules / "package.json").write_text('{"type": "module"}')
    driver = Path(__file__).with_name("campaign.mjs")
    command = [program, str(driver), str(ROOT / "explorer.html"), str(modules)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
            process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0


def told_by(node: subprocess.Popen[str], session: Session) -> Iterator[dict[str, Any]]:
    """Send a session to Node.js, and yield its answer after each question."""
    assert node.stdin is not None
    assert node.stdout is not None
    records = [to_record(position, COURSE) for position in session.positions]
    print(json.dumps(session._asdict() | {"positions": records}), file=node.stdin, flush=True)
    for _ in session.questions:
        line = node.stdout.readline()
        assert line, "Node.js has ended"
        yield json.loads(line)


class Campaign:
    """A series of sessions, with the false answers.

    Public attributes: ``answers``, the number of different bounds and moves that were stated within a session, over all
    sessions; ``faults``, a line for each false answer; ``asked``, the number of searches; ``cut``, the number of
    searches that reached their limit.
    """

    def __init__(self, node: subprocess.Popen[str]) -> None:
        self.node, self.truth = node, Truth()
        self.answers, self.asked, self.cut = 0, 0, 0
        self.faults: list[str] = []

    def run(self, answers: int, seed: int) -> None:
        """Run sessions until ``answers`` different answers were given."""
        for session in sessions(seed):
            said: set[tuple[Position, int | None, int, int]] = set()
            for asked, told in zip(session.questions, told_by(self.node, session), strict=True):
                self.asked += told["isCut"] is not None
                self.cut += told["isCut"] is True
                for each in {*read_bounds(told), *read_moves(told)} - said:
                    said.add(each)
                    self._check(asked, *each)
            self.answers += len(said)
            if self.answers >= answers:
                return

    def _check(self, asked: dict[str, Any], position: Position, move: int | None, lo: int, hi: int) -> None:
        after = position if move is None else position.play(move)
        value = self.truth.of(after)
        if not lo <= value <= hi:
            of = "its value" if move is None else move_name(move)
            self.faults.append(f"{asked}: {position}: {of} is told {lo} to {hi}, and is {value}")


def read_bounds(told: dict[str, Any]) -> Iterator[tuple[Position, int | None, int, int]]:
    for record, lo, hi in told["bounds"]:
        if (lo, hi) != (LEAST, MOST):
            yield from_record(record, COURSE), None, lo, hi


def read_moves(told: dict[str, Any]) -> Iterator[tuple[Position, int | None, int, int]]:
    for record, move, lo, hi in told["moves"]:
        yield from_record(record, COURSE), move, lo, hi


@pytest.mark.parametrize(
    ("answers", "seed"), [(2_000, 1), pytest.param(50_000, 2, marks=pytest.mark.long)], ids=["2000", "50000"]
)
def test_nothing_false_is_told(node: subprocess.Popen[str], answers: int, seed: int) -> None:
    campaign = Campaign(node)
    campaign.run(answers, seed)
    # Contradicting bounds, lo > hi, are false for every value, so they would be among the faults.
    assert campaign.faults == []
    assert campaign.answers >= answers
    assert campaign.cut > campaign.asked / 2, "most searches should be cut, or the test shows little"
