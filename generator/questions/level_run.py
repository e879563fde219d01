"""The values of all positions after one number of plies, which runs of days find block by block.

A run's folder has a byte for each position, in the order of the keys: its value, or OPEN. That is all that a run must
keep: it resumes by opening the file, whatever killed it, and there is no tree to build. A block's positions come from
the same few positions one ply before, whose values bound theirs. Black's move never gains anything for Black, so the
position after it is worth at most as much as each position before it, and exactly as much after a best move.
"""

import mmap
import time
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeAlias

from little_go.book.files.levels import Block, block_of, blocks_of, one_less, stones_class, stones_of
from little_go.book.store.facts import Contradiction
from little_go.generator.questions.atlas_run import ProgressEstimate, RunProgress, TableUsage
from little_go.generator.workers.search_crew import Crew
from little_go.generator.workers.worker import Job, JobResult, WorkerKernel
from little_go.runtime.files import map_bytes, open_to_add, try_lock
from little_go.runtime.journal import JournalBusy, check_head
from little_go.solver.answer import LEAST, Answer
from little_go.solver.bounds import UNKNOWN, after_move, best_of
from little_go.solver.family import Variant
from little_go.solver.native.kernel import Kernel, children, next_ply
from little_go.solver.position import Position
from little_go.solver.symmetry import key_of, position_of

#: A position whose value is not known yet, and a best move that is not known.
OPEN, NO_MOVE = 255, 31

#: Positions of a job: some seconds of work, and what is lost if a process is killed.
JOB_POSITIONS = 16

#: Seconds between two writes of what was found to the disk; a process that is killed loses nothing of it meanwhile.
FLUSH = 60.0


#: The values of a ply by index.
Values: TypeAlias = "Sequence[int] | mmap.mmap"


class Known(NamedTuple):
    """What is known of a ply: values + 24 or OPEN, and best moves or NO_MOVE, in the order of the keys."""

    values: Sequence[int]
    best: Sequence[int]


@dataclass(frozen=True)
class Question:
    """A position to search: its index in the ply, and its bounds."""

    index: int
    key: int
    lo: int
    hi: int


@dataclass(frozen=True)
class Found:
    """The value of a position, and a move that keeps it or None."""

    index: int
    value: int
    best: int | None


@dataclass(frozen=True)
class LevelJob(Job):
    """Some positions of a block, whose values are to be found."""

    questions: tuple[Question, ...]

    def do(self, worker: WorkerKernel) -> list[Found]:
        """Return the values, up to the one at which the search was stopped."""
        found = []
        for question in self.questions:
            answer = solve(worker.kernel, question)
            if answer.value is None:
                break
            found.append(Found(question.index, answer.value, answer.best))
        return found

    def claims(self, result: list[Found]) -> list[tuple[Position, Answer]]:
        """Return the values as answers."""
        keys = {question.index: question.key for question in self.questions}
        return [(position_of(keys[each.index]), Answer(each.value, each.value, each.best, 0)) for each in result]

    def describe(self, result: list[Found]) -> str:
        """Return the first position and how many are solved."""
        first = self.questions[0]
        return f"positions from {first.index} on: {len(result)} of {len(self.questions)}"


def solve(kernel: Kernel, question: Question) -> Answer:
    """Find a value; the answer has none if the search was stopped."""
    position = position_of(question.key)
    kernel.teach(position, Answer(question.lo, question.hi, None, 0))
    return kernel.value(position)


class LevelFolder:
    """A run's files of a ply: values and best moves by index. A context manager; one process at a time has it open."""

    def __init__(self, folder: Path, game: Variant, ply: int, count: int) -> None:
        """Open the files, or make them.

        count: the number of positions. Raises JournalError for another run's folder, and OSError.
        """
        folder.mkdir(parents=True, exist_ok=True)
        remedy = "give another --out"
        check_head(folder / "level.json", {"plies": game.plies, "ply": ply, "positions": count}, remedy)
        self._lock = open_to_add(folder / "level.lock", new=True)
        if not try_lock(self._lock):
            self._lock.close()
            raise JournalBusy(f"{folder}: another run has locked it: wait until that has ended")
        self.values = map_bytes(folder / "values", count, OPEN)
        self.best = map_bytes(folder / "best", count, NO_MOVE)
        self.count = count

    def __enter__(self) -> "LevelFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()
        self.values.close()
        self.best.close()
        self._lock.close()

    @property
    def open(self) -> int:
        """The number of positions without a value."""
        return self.values[:].count(OPEN)

    def flush(self) -> None:
        """Write what was found to the disk."""
        # A move without its value does no harm.
        self.best.flush()
        self.values.flush()

    def record(self, index: int, value: int, best: int | None) -> None:
        """Note a position's value; raises Contradiction if it has another one."""
        if self.values[index] not in (OPEN, value - LEAST):
            raise Contradiction(f"position {index} has the value {self.values[index] + LEAST:+d}, and now {value:+d}")
        self.best[index] = NO_MOVE if best is None else best
        self.values[index] = value - LEAST

    def complete(self, block: Block) -> bytes | None:
        """Return the values + 24 of a block, or None if some are open."""
        values = self.values[block.start : block.start + block.size]
        return None if OPEN in values else values


class Level:
    """The positions of a game after a number of plies, in blocks, and those before them.

    Public attributes: ``keys``, sorted; ``blocks``, of the same White stones each, whoever is to move; ``earlier``, the
    sorted keys of each ply before.
    """

    def __init__(self, game: Variant, ply: int, known: Known | None) -> None:
        """ply: 1 or more. known: what is known of the ply before, or None."""
        self.game, self.ply, self._known = game, ply, known
        self.earlier = [array("Q", [key_of(game.start)])]
        for _ in range(ply):
            self.earlier.append(next_ply(self.earlier[-1]))
        self.keys = self.earlier.pop()
        self._before = self.earlier[-1]
        self.blocks = blocks_of(self.keys)

    def block_at(self, index: int) -> Block:
        """Return the block of the position with an index."""
        return self.blocks[bisect_right(self.blocks, index, key=lambda block: block.start) - 1]

    def index(self, key: int) -> int:
        """Return the index of a position's key."""
        return bisect_left(self.keys, key)

    @cached_property
    def _parents(self) -> Mapping[int, list[int]]:
        """The indexes of the positions before, by the class of their White stones."""
        found: dict[int, list[int]] = defaultdict(list)
        for block in blocks_of(self._before):
            found[stones_class(stones_of(block.number))].extend(range(block.start, block.start + block.size))
        return found

    def parents(self, block: Block) -> Iterator[int]:
        """Yield the indexes of the positions from which a move without captures may lead to a block's positions."""
        white = stones_of(block.number)
        before = {stones_class(white)}
        if not position_of(self._before[0]).black_to_move:
            before |= one_less(white)
        for each in sorted(before):
            yield from self._parents.get(each, ())

    def bounds(self, block: Block) -> dict[int, Answer]:
        """Return by key what the positions before a block's prove of it; raises Contradiction."""
        found: dict[int, Answer] = {}
        if self._known is None:
            return found
        for parent in self.parents(block):
            key, value, best = self._before[parent], self._known.values[parent], self._known.best[parent]
            if value == OPEN:
                continue
            here = Answer(value + LEAST, value + LEAST, None, 0)
            black = position_of(key).black_to_move
            for move, child in children(key):
                if block_of(child) == block.number:
                    bounds = after_move(black, here, move == best)
                    old = found.get(child, UNKNOWN)
                    found[child] = Answer(max(old.lo, bounds.lo), min(old.hi, bounds.hi), None, 0)
        if wrong := [key for key, answer in found.items() if answer.lo > answer.hi]:
            raise Contradiction(f"the positions before {position_of(wrong[0])} contradict each other")
        return found

    def check(self, block: Block, values: Values) -> set[int]:
        """Compare positions before a block, all of whose moves are known, with minimax, and return their indexes.

        values: of this ply, + 24 or OPEN. Raises Contradiction.
        """
        compared = set()
        for parent in self.parents(block) if self._known else ():
            value = self._known.values[parent] if self._known else OPEN
            here = None if value == OPEN else self._minimax(self._before[parent], values)
            if here is not None:
                compared.add(parent)
                if here != value + LEAST:
                    raise Contradiction(
                        f"{position_of(self._before[parent])} is worth {value + LEAST:+d}, but {here:+d} by its moves"
                    )
        return compared

    def _minimax(self, key: int, values: Values) -> int | None:
        """Return the value of a position before by those of its moves, or None if one is open."""
        answers = {}
        for move, child in children(key):
            after = position_of(child)
            value = after.margin if after.is_over else values[self.index(child)] + LEAST
            if value == OPEN + LEAST:
                return None
            answers[move] = Answer(value, value, None, 0)
        return best_of(position_of(key).black_to_move, answers).value


#: A move that loses a point more is chosen by a sensible player this many times as often. Positions that are reached
#: less often than LEAST_REACH are left out.
CHANCE_BY_POINT, LEAST_REACH = 0.25, 1e-6


def reach(game: Variant, plies: Sequence[Sequence[int]], known: Sequence[Known]) -> dict[int, float]:
    """Return by key how often sensible players come to positions of the last of some plies.

    plies: the sorted keys of each ply from the start on. known: of the same plies.
    """
    chances = {key_of(game.start): 1.0}
    for after, there in zip(plies[1:], known[1:], strict=False):
        reached: dict[int, float] = defaultdict(float)
        for key, chance in chances.items():
            moves = [child for _, child in children(key) if not position_of(child).is_over]
            worth = [there.values[bisect_left(after, child)] for child in moves]
            best = max(worth) if position_of(key).black_to_move else min(worth)
            shares = [CHANCE_BY_POINT ** abs(value - best) for value in worth]
            for child, share in zip(moves, shares, strict=True):
                reached[child] += chance * share / sum(shares)
        chances = {key: chance for key, chance in reached.items() if chance >= LEAST_REACH}
    return chances


def sensible_first(level: Level, known: Sequence[Known | None]) -> list[Block]:
    """Return the blocks of a level, those first to which sensible play leads; of the same White stones side by side.

    known: of each ply before; if one is not known, only the White stones order the blocks.
    """
    weights: dict[int, float] = defaultdict(float)
    whole = [each for each in known if each is not None]
    chances = reach(level.game, level.earlier, whole) if len(whole) == len(known) else {}
    for key, chance in chances.items():
        weights[stones_class(stones_of(block_of(key)))] += chance
    stones = {block: stones_class(stones_of(block.number)) for block in level.blocks}
    return sorted(level.blocks, key=lambda block: (-weights[stones[block]], stones[block], block))


class LevelRun:
    """The search of a ply: its blocks one after another, some positions at a time.

    Public attributes, of this run: ``nodes``; ``inferred``, the number of positions whose value followed without a
    search; and ``compared``, the positions of the ply before whose value agreed with those of all their moves, as
    indexes.
    """

    def __init__(
        self, level: Level, folder: LevelFolder, order: Sequence[Block], watch: Callable[[RunProgress], None]
    ) -> None:
        """order: the blocks, the first to search first. watch: shown the state of the run."""
        self._level, self._folder, self._order, self._watch = level, folder, order, watch
        self.nodes = self.inferred = 0
        self.compared: set[int] = set()
        self._open = folder.open
        self._pace = ProgressEstimate()

    def work_out(self, crew: Crew, fill: TableUsage | None, stop: Callable[[], bool]) -> None:
        """Search what is open; raises Stopped, CrewError, Contradiction and OSError."""
        started = flushed = time.monotonic()

        def asked() -> bool:
            # The jobs in flight return the values that they have.
            if stopped := stop():
                crew.pool.stop()
            return stopped

        for job_results in crew.each(self.jobs(), asked):
            for job_result in job_results:
                self._store_results(job_result)
            if time.monotonic() - flushed > FLUSH:
                flushed = time.monotonic()
                self._folder.flush()
            self.nodes = crew.live_nodes
            workers = crew.pool.workers
            left = self._pace.left(self._open, workers, 0.0)
            done, share = self._folder.count - self._open, None if fill is None else fill.share()
            seconds = time.monotonic() - started
            self._watch(
                RunProgress(self._level.ply, done, self._folder.count, self.nodes, seconds, share, left, workers)
            )

    def _store_results(self, job_result: JobResult) -> None:
        """Record values; when a block is complete, compare the positions before it. Raises Contradiction."""
        found: list[Found] = job_result.result
        for each in found:
            self._folder.record(each.index, each.value, each.best)
            self._pace.add(job_result.seconds / len(found))
        self._open -= len(found)
        if found:
            self._compare(self._level.block_at(found[0].index))

    def _compare(self, block: Block) -> None:
        if self._folder.complete(block) is not None:
            self.compared |= self._level.check(block, self._folder.values)

    def jobs(self) -> Iterator[LevelJob]:
        """Yield the work of each block with open positions, and record what needs no search."""
        for block in self._order:
            if self._folder.complete(block) is None:
                questions = [question for question in self._questions(block) if not self._infer(question)]
                if not questions:
                    self._compare(block)
                for at in range(0, len(questions), JOB_POSITIONS):
                    yield LevelJob(tuple(questions[at : at + JOB_POSITIONS]))

    def _questions(self, block: Block) -> Iterator[Question]:
        bounds = self._level.bounds(block)
        for index in range(block.start, block.start + block.size):
            if self._folder.values[index] == OPEN:
                key = self._level.keys[index]
                answer = bounds.get(key, UNKNOWN)
                yield Question(index, key, answer.lo, answer.hi)

    def _infer(self, question: Question) -> bool:
        if question.lo < question.hi:
            return False
        self._folder.record(question.index, question.lo, None)
        self.inferred += 1
        self._open -= 1
        return True
