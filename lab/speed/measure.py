"""Measure the pure-Python exact solver: the cost of "+3 or not" with an empty table, as in a call of the host."""

import contextlib
import json
import random
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from book.files.reader import BOOK_UNDECIDED, BookError, MoveBook, read_book
from runtime.release import shipped
from solver.answer import BLACK_WINS
from solver.family import COURSE
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import CENTRE, PASS, START, Position

ROOT = Path(__file__).parents[2]

#: A question is quick up to these seconds of CPU.
QUICK_SECONDS = 0.5

#: One game in this number is played at random by both sides.
_RANDOM_GAMES = 4

#: How often the side that errs plays at random; drawn for each game.
_ERROR_RATES = (0.3, 0.6, 1.0)

#: The node limit for the better side's move where the book has none; then the likeliest is played.
_GUIDE_NODES = 30_000
_GUIDE_MIB = 256

#: Games in vain, one after another, before a sample counts as impossible.
_PATIENCE = 10_000

#: The measured program: positions as lines in, [verdict, nodes, CPU seconds] as lines out.
_WORKER = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
from solver.answer import BLACK_WINS
from solver.exact import ExactSolver
from solver.position import Position
print(json.dumps("ready"), flush=True)
for line in sys.stdin:
    position = Position(*json.loads(line))
    start = time.process_time()
    answer = ExactSolver().decide(position, BLACK_WINS)
    spent = time.process_time() - start
    print(json.dumps([answer.at_least(BLACK_WINS), answer.nodes, spent]), flush=True)
"""


class MeasureError(ValueError):
    """A measurement that cannot be made; the message is one line."""


class Sample(NamedTuple):
    """The cost of one question. wins: whether Black wins. seconds: CPU."""

    position: Position
    wins: bool
    nodes: int
    seconds: float


class Summary(NamedTuple):
    """The costs of the questions with ``left`` plies left. nodes, seconds: p50, p90, p99, worst."""

    left: int
    positions: int
    nodes: list[int]
    seconds: list[float]
    quick: float


def sample_positions(left: int, count: int, seed: int) -> Iterator[Position]:
    """Yield different positions with ``left`` plies left, from games drawn by the seed.

    Three in four games start in the centre. Then one side, drawn, plays the book's move or else the native kernel's for
    "+3 or not"; so does the other side, but for a share of its moves, drawn from 0.3, 0.6 and 1, that are random
    stones. In the fourth game all moves are random, stones but for one in thirty. The sample depends on the seed, on
    the number of plies left, on book.json and the kernel. Raises MeasureError when there are not enough positions.
    """
    guide = _Guide()
    seen: set[Position] = set()
    games = last = 0
    while len(seen) < count:
        games += 1
        if games - last > _PATIENCE:
            raise MeasureError(f"no more than {len(seen)} positions with {left} plies left found")
        rng = random.Random(f"{seed} {left} {games}")
        position = _random_game(rng, left) if games % _RANDOM_GAMES == 0 else guide.game(rng, left)
        if position.left == left and position not in seen:
            seen.add(position)
            last = games
            yield position


class _Guide:
    def __init__(self) -> None:
        self._kernel = Kernel(open_table(_GUIDE_MIB))
        self._book: MoveBook | None = None
        # Without a book the sample differs, but is as good.
        with contextlib.suppress(BookError):
            self._book = read_book(str(shipped("book.json")), game=COURSE)

    def game(self, rng: random.Random, left: int) -> Position:
        position = START
        erring, rate = rng.randrange(2), rng.choice(_ERROR_RATES)
        while position.left > left:
            if position == START:
                move = CENTRE
            elif position.ply % 2 == erring and rng.random() < rate:
                move = _random_stone(position, rng)
            else:
                move = self._move(position)
            position = position.play(move)
        return position

    def _move(self, position: Position) -> int:
        entry = self._book.get(position) if self._book is not None else None
        if entry is not None and entry.verdict != BOOK_UNDECIDED and entry.move in position.legal_moves():
            return entry.move
        best = self._kernel.decide(position, BLACK_WINS, node_limit=_GUIDE_NODES).best
        return PASS if best is None else best


def _random_game(rng: random.Random, left: int) -> Position:
    position = START
    while position.left > left:
        position = position.play(PASS if position.ply and rng.random() < 1 / 30 else _random_stone(position, rng))
    return position


def _random_stone(position: Position, rng: random.Random) -> int:
    *stones, only_pass = position.legal_moves()
    return rng.choice(stones) if stones else only_pass


def measure_positions(positions: Iterator[Position], python: str) -> Iterator[Sample]:
    """Ask the exact solver about each position, with a new solver each time, in one process of ``python``.

    Raises MeasureError when that process cannot be started or dies.
    """
    command = [python, "-I", "-c", _WORKER, str(ROOT)]
    pipe = subprocess.PIPE
    try:
        worker = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    except OSError as error:
        raise MeasureError(f"{python}: {error.strerror}") from None
    with worker:
        try:
            _ask(worker, None, python)
            for position in positions:
                wins, nodes, seconds = _ask(worker, position, python)
                yield Sample(position, wins, nodes, seconds)
        finally:
            worker.kill()


def _ask(worker: "subprocess.Popen[str]", position: Position | None, python: str) -> Any:
    """Send the worker the position, if there is one, and return its next line."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert worker.stderr is not None
    line = ""
    try:
        if position is not None:
            worker.stdin.write(json.dumps(position) + "\n")
            worker.stdin.flush()
        line = worker.stdout.readline()
        return json.loads(line)
    except (BrokenPipeError, ValueError):
        worker.kill()
        said = (worker.stderr.read().strip() or line.strip() or "it died without a word").splitlines()[-1]
        raise MeasureError(f"{python} cannot run the solver: {said}") from None


def summarise(left: int, samples: Sequence[Sample]) -> Summary:
    """Return the percentiles of samples' costs, and the share of quick ones."""
    nodes = sorted(sample.nodes for sample in samples)
    seconds = sorted(sample.seconds for sample in samples)
    at = [_rank_of(share, len(samples)) for share in (0.5, 0.9, 0.99, 1.0)]
    quick = sum(spent <= QUICK_SECONDS for spent in seconds) / len(samples)
    return Summary(left, len(samples), [nodes[i] for i in at], [seconds[i] for i in at], quick)


def _rank_of(share: float, count: int) -> int:
    """Return the index of the least value that ``share`` of the values do not exceed."""
    return max(-int(-share * count // 1) - 1, 0)


def summary_record(summary: Summary, python: str, seed: int) -> dict[str, Any]:
    """Return a summary as a JSON object, with the parameters to repeat it."""
    names = ("p50", "p90", "p99", "worst")
    return {
        "left": summary.left,
        "positions": summary.positions,
        "seed": seed,
        "python": python,
        "nodes": dict(zip(names, summary.nodes, strict=True)),
        "seconds": dict(zip(names, (round(spent, 4) for spent in summary.seconds), strict=True)),
        "within_0.5_s": round(summary.quick, 4),
    }


def table_lines(summaries: Sequence[Summary]) -> list[str]:
    """Return the summaries as a table in Markdown."""
    lines = [
        "| plies left | positions | nodes p50 | p90 | p99 | worst | CPU s p50 | p90 | p99 | worst | within 0.5 s |",
        "|---:|" + "---:|" * 10,
    ]
    for left, positions, nodes, seconds, quick in summaries:
        cells = [str(left), str(positions), *(f"{n:,}" for n in nodes)]
        cells += [*(f"{spent:.3f}" for spent in seconds), f"{quick:.1%}"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines
