"""A fixed workload that measures the kernel's speed and detects changes of the search tree.

A kernel with an empty table answers the same questions in the same order, so the number of nodes is the same in every
run and on every machine. The message of a commit that changes the search ends with ``Bench: <nodes>``, as ``python -m
lab bench`` prints it, and any other message ends with ``No functional change``. A test compares the kernel's number of
nodes with the newest message.
"""

import mmap
import random
import time
import zlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from little_go.solver.answer import BLACK_WINS, Answer
from little_go.solver.native.kernel import Kernel, perft
from little_go.solver.native.moves import MoveSolver
from little_go.solver.native.table import open_table
from little_go.solver.position import GAME_PLIES, PASS, START, Position, start_of

TABLE_MIB = 256
PERFT_DEPTH = 7
GAMES = range(8, 21, 2)
POSITIONS = {12: 10, 11: 10}
EXACT_POSITIONS = {14: 10, 15: 10, 16: 10, 17: 5, 18: 5, 19: 3}
MOVES_TABLE_MIB = 1024
MOVES_POSITIONS = {14: 6, 15: 4, 16: 4, 17: 2, 18: 2, 19: 1, 20: 1}
SEED = 561


class Part(NamedTuple):
    """Questions that are measured together, one for each position.

    threshold: the question asks whether the value is ``threshold`` or more; None to ask for the exact value.
    """

    name: str
    positions: list[Position]
    threshold: int | None


class Measure(NamedTuple):
    """The cost of a part of the workload.

    seconds: CPU time of all threads, which hardly depends on other programs. waited: wall-clock seconds.
    """

    name: str
    result: str
    nodes: int
    seconds: float
    waited: float


class _Stopwatch:
    """A stopwatch for CPU and wall-clock time: a context manager that can be used repeatedly."""

    def __init__(self) -> None:
        self.seconds = self.waited = 0.0

    def __enter__(self) -> None:
        self.seconds -= time.process_time()
        self.waited -= time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.process_time()
        self.waited += time.perf_counter()


def leaves_per_second() -> float:
    """Return the number of leaves per second that the kernel counts in a perft of the empty board."""
    start = time.process_time()
    leaves = perft(START, PERFT_DEPTH)
    return leaves / (time.process_time() - start)


def questions() -> Iterator[Part]:
    """Yield the fixed questions, in the order in which a kernel answers them."""
    for plies in GAMES:
        yield Part(f"{plies} plies, {BLACK_WINS:+d}?", [start_of(plies)], BLACK_WINS)
    yield from exact_questions(POSITIONS)


def answers_of(kernel: Kernel, part: Part) -> list[Answer]:
    """Return the kernel's answers to the questions in one part of the benchmark."""
    if part.threshold is None:
        return [kernel.value(position) for position in part.positions]
    return [kernel.decide(position, part.threshold) for position in part.positions]


def exact_questions(numbers: Mapping[int, int] = EXACT_POSITIONS) -> Iterator[Part]:
    """Yield questions about exact values. numbers: the number of positions by plies left."""
    rng = random.Random(SEED)
    for left, number in numbers.items():
        positions = [_random_position(rng, left) for _ in range(number)]
        yield Part(f"{number} positions, {left} left", positions, None)


def measure_exact() -> Iterator[Measure]:
    """Find exact values, each with an empty table, and yield a measure for each number of plies left."""
    for part in exact_questions():
        watch, nodes, values = _Stopwatch(), 0, []
        for position in part.positions:
            kernel = Kernel(_touched_table(TABLE_MIB))
            with watch:
                answer = kernel.value(position)
            nodes += answer.nodes
            values.append(f"{answer.lo:+d}")
        yield Measure(part.name, " ".join(values), nodes, watch.seconds, watch.waited)


def measure_moves(threads: int, table_mib: int) -> Iterator[Measure]:
    """Find the exact values of all moves of each position with an empty table, and yield measures as measure_exact().

    threads: the number of threads, which share the table and the moves. The last word of a result is a checksum of all
    values.
    """
    for part in exact_questions(MOVES_POSITIONS):
        watch, nodes, bests, checksum = _Stopwatch(), 0, [], 0
        for position in part.positions:
            solver = MoveSolver(_touched_table(table_mib), threads)
            with watch:
                values = [answer.lo for answer in solver.solve(position).values()]
            nodes += solver.nodes
            bests.append(f"{(max if position.black_to_move else min)(values):+d}")
            checksum = zlib.crc32(repr(values).encode(), checksum)
        yield Measure(part.name, f"{' '.join(bests)}  {checksum:08x}", nodes, watch.seconds, watch.waited)


def measure_search() -> Iterator[Measure]:
    """Measure a kernel on the fixed questions, and yield a measure for each part."""
    kernel = Kernel(_touched_table(TABLE_MIB))
    for part in questions():
        watch = _Stopwatch()
        with watch:
            answers = answers_of(kernel, part)
        results = " ".join(_result(answer, part.threshold) for answer in answers)
        nodes = sum(answer.nodes for answer in answers)
        yield Measure(part.name, results, nodes, watch.seconds, watch.waited)


def _touched_table(mib: int) -> mmap.mmap:
    """Return an empty table whose pages are already mapped, because mapping takes longer than the search."""
    table = open_table(mib)
    for page in range(0, len(table), mmap.PAGESIZE):
        table[page] = 0
    return table


def _result(answer: Answer, threshold: int | None) -> str:
    if threshold is None:
        return f"{answer.lo:+d}"
    return "yes" if answer.at_least(threshold) else "no"


def _random_position(rng: random.Random, left: int) -> Position:
    """Return a position with ``left`` plies left, 1 to 23, from random play on the empty board."""
    position = START
    while position.left > left:
        # PASS is excluded, so that the game does not end early. Unlike choice(), random() is the same in every version
        # of Python.
        moves = position.legal_moves()[:-1]
        position = position.play(moves[int(rng.random() * len(moves))]) if moves else START
    return position


#: Whether Black and White make errors, by the number of the game modulo 3.
_ERRS = ((True, True), (True, False), (False, True))


def drawn_positions(games: int, seed: int = 0) -> list[list[Position]]:
    """Return positions of games after 0 to 23 plies: for each ply a list with a position from each of ``games`` games.

    In each game, one side or both sides make errors. A side that makes errors plays random stones. A side that makes no
    errors plays the stone with the best margin after the opponent's best reply; among equal stones it chooses at
    random. So the positions depend only on the rules and the seed.
    """
    rng = random.Random(SEED + seed)
    lines = [_game(rng, _ERRS[game % len(_ERRS)]) for game in range(games)]
    return [list(positions) for positions in zip(*lines, strict=True)]


def _game(rng: random.Random, errs: tuple[bool, bool]) -> list[Position]:
    positions = [START]
    while len(positions) < GAME_PLIES:
        position = positions[-1]
        stones = [move for move in position.legal_moves() if move != PASS]
        if not errs[position.ply % 2]:
            worth = {move: _worth(position, move) for move in stones}
            stones = [move for move in stones if worth[move] == max(worth.values())]
        # random() is the same in every version of Python, but choice() is not.
        after = position.play(stones[int(rng.random() * len(stones))] if stones else PASS)
        # A game that ends early, or in which neither side can play a stone, is replaced by another game.
        positions = [START] if after.is_over and len(positions) < GAME_PLIES else [*positions, after]
    return positions


def _worth(position: Position, move: int) -> int:
    """Return the mover's stones minus the opponent's after a move and the reply that minimizes this difference."""
    after = position.play(move)
    replies = [after] if after.is_over else [after.play(reply) for reply in after.legal_moves()]
    sign = 1 if position.black_to_move else -1
    return min(sign * (each.black.bit_count() - each.white.bit_count()) for each in replies)
