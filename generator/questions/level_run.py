"""The search for the values of all positions after a number of plies, block by block; a run can take days.

The file ``values`` in a run's folder has a byte for each position, in the order of the keys: its value, or OPEN. If a
run is killed, the next run resumes from this file and needs no other state.

The positions from which a move leads to a position are its parents. The positions of a block (book.files.levels) come
from the same small set of parents, whose values bound the values in the block. No move of Black increases the value, so
after Black's move the value is at most the parent's value, and after a best move it is the same. No move of White
decreases the value, so the opposite holds after White's moves.
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

from little_go.book.files.levels import Block, block_of, blocks_of, classes_with_one_less, stones_class, stones_of
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

#: The byte of a position whose value is not known yet, and the byte of a best move that is not known.
OPEN, NO_MOVE = 255, 31

#: The number of positions in a job. A job takes a few seconds, and is lost if its process is killed.
JOB_POSITIONS = 16

#: Seconds between two flushes of the mapped files to the disk. Only a crash of the machine loses the results after the
#: last flush. If the process is killed, the operating system still writes the results to the disk.
FLUSH_SECONDS = 60.0


#: The value + 24 of each position of a ply, or OPEN, by the position's index.
Values: TypeAlias = "Sequence[int] | mmap.mmap"


class PlyAnswers(NamedTuple):
    """The values + 24 (or OPEN) and the best moves (or NO_MOVE) of a ply, in the order of the keys."""

    values: Sequence[int]
    best: Sequence[int]


@dataclass(frozen=True)
class Question:
    """A position to search: its index in the ply, its key and its bounds."""

    index: int
    key: int
    lo: int
    hi: int


@dataclass(frozen=True)
class Solved:
    """The value of a position, and a best move, which is None if no best move is known."""

    index: int
    value: int
    best: int | None


@dataclass(frozen=True)
class LevelJob(Job):
    """A job: find the values of some positions of one block."""

    questions: tuple[Question, ...]

    def do(self, worker: WorkerKernel) -> list[Solved]:
        """Return the values in the order of the questions. If the search was stopped, the last values are missing."""
        found = []
        for question in self.questions:
            answer = solve(worker.kernel, question)
            if answer.value is None:
                break
            found.append(Solved(question.index, answer.value, answer.best))
        return found

    def claims(self, result: list[Solved]) -> list[tuple[Position, Answer]]:
        """Return each position with its exact answer."""
        keys = {question.index: question.key for question in self.questions}
        return [(position_of(keys[each.index]), Answer(each.value, each.value, each.best, 0)) for each in result]

    def describe(self, result: list[Solved]) -> str:
        """Return a line with the index of the first position, and the number of positions that have a value."""
        first = self.questions[0]
        return f"positions from {first.index} on: {len(result)} of {len(self.questions)}"


def solve(kernel: Kernel, question: Question) -> Answer:
    """Return an answer with the exact value, or with bounds if the search was stopped."""
    position = position_of(question.key)
    kernel.teach(position, Answer(question.lo, question.hi, None, 0))
    return kernel.value(position)


class LevelFolder:
    """The files of a run: values and best moves by index.

    Only one process can have a folder open. Use it as a context manager.
    """

    def __init__(self, folder: Path, game: Variant, ply: int, count: int) -> None:
        """Open the files, or create the files that do not exist.

        count: the number of positions. Raise JournalError if the folder belongs to a run with other parameters, and
        JournalBusy if another process has the folder open.
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
        """Flush the mapped files to the disk."""
        # The moves are flushed first, because a move without its value does no harm after a crash: the position is
        # searched again.
        self.best.flush()
        self.values.flush()

    def record(self, index: int, value: int, best: int | None) -> None:
        """Record a position's value. Raise Contradiction if a different value is recorded already."""
        if self.values[index] not in (OPEN, value - LEAST):
            raise Contradiction(
                f"position {index} has the value {self.values[index] + LEAST:+d}, but a search found {value:+d}"
            )
        self.best[index] = NO_MOVE if best is None else best
        self.values[index] = value - LEAST

    def complete(self, block: Block) -> bytes | None:
        """Return the values + 24 of a block, or None if a value is missing."""
        values = self.values[block.start : block.start + block.size]
        return None if OPEN in values else values


class Level:
    """The positions of a game after a number of plies, in blocks, and the positions of all earlier plies.

    Public attributes: ``keys``, the sorted keys of the ply; ``blocks``, each with the positions of the same White
    stones, even if Black is to move; ``earlier``, the sorted keys of each earlier ply.
    """

    def __init__(self, game: Variant, ply: int, known: PlyAnswers | None) -> None:
        """ply: the number of plies, 1 or more. known: the answers of the previous ply, or None."""
        self.game, self.ply, self._parent_answers = game, ply, known
        self.earlier = [array("Q", [key_of(game.start)])]
        for _ in range(ply):
            self.earlier.append(next_ply(self.earlier[-1]))
        self.keys = self.earlier.pop()
        self._parent_keys = self.earlier[-1]
        self.blocks = blocks_of(self.keys)

    def block_at(self, index: int) -> Block:
        """Return the block that contains the position with the given index."""
        return self.blocks[bisect_right(self.blocks, index, key=lambda block: block.start) - 1]

    def index(self, key: int) -> int:
        """Return the index of a key in the ply."""
        return bisect_left(self.keys, key)

    @cached_property
    def _parents(self) -> Mapping[int, list[int]]:
        """The indexes of the positions of the previous ply, by stones_class() of their White stones."""
        found: dict[int, list[int]] = defaultdict(list)
        for block in blocks_of(self._parent_keys):
            found[stones_class(stones_of(block.number))].extend(range(block.start, block.start + block.size))
        return found

    def parents(self, block: Block) -> Iterator[int]:
        """Yield the indexes of the positions from which a move that captures nothing may lead into a block."""
        white = stones_of(block.number)
        before = {stones_class(white)}
        if not position_of(self._parent_keys[0]).black_to_move:
            before |= classes_with_one_less(white)
        for each in sorted(before):
            yield from self._parents.get(each, ())

    def bounds(self, block: Block) -> dict[int, Answer]:
        """Return, by key, the bounds that the parents of a block's positions prove.

        Raise Contradiction if these bounds exclude each other.
        """
        found: dict[int, Answer] = {}
        if self._parent_answers is None:
            return found
        for parent in self.parents(block):
            key, value, best = (
                self._parent_keys[parent],
                self._parent_answers.values[parent],
                self._parent_answers.best[parent],
            )
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
        """Check the values of a block's parents by minimax, and return the indexes of the checked parents.

        A parent is skipped if the value after one of its moves is not known. values: the values of this ply. Raise
        Contradiction if a parent's value differs.
        """
        compared = set()
        for parent in self.parents(block) if self._parent_answers else ():
            value = self._parent_answers.values[parent] if self._parent_answers else OPEN
            here = None if value == OPEN else self._minimax(self._parent_keys[parent], values)
            if here is not None:
                compared.add(parent)
                if here != value + LEAST:
                    position = position_of(self._parent_keys[parent])
                    raise Contradiction(f"{position} has the value {value + LEAST:+d}, but its moves give {here:+d}")
        return compared

    def _minimax(self, key: int, values: Values) -> int | None:
        """Return a parent's value by minimax over its moves, or None if the value after one of them is not known."""
        answers = {}
        for move, child in children(key):
            after = position_of(child)
            value = after.margin if after.is_over else values[self.index(child)] + LEAST
            if value == OPEN + LEAST:
                return None
            answers[move] = Answer(value, value, None, 0)
        return best_of(position_of(key).black_to_move, answers).value


#: In a model of sensible play, a move that loses one point more is chosen CHANCE_BY_POINT times as often. Positions
#: with a smaller chance than LEAST_CHANCE are omitted.
CHANCE_BY_POINT, LEAST_CHANCE = 0.25, 1e-6


def chances_at(game: Variant, plies: Sequence[Sequence[int]], known: Sequence[PlyAnswers]) -> dict[int, float]:
    """Return, by key, the probability that a game between sensible players reaches each position of the last ply.

    plies: the sorted keys of each ply, from the start of the game to the last ply. known: the answers of the same
    plies.
    """
    chances = {key_of(game.start): 1.0}
    for after, there in zip(plies[1:], known[1:], strict=False):
        reached: dict[int, float] = defaultdict(float)
        for key, chance in chances.items():
            moves = [child for _, child in children(key) if not position_of(child).is_over]
            values = [there.values[bisect_left(after, child)] for child in moves]
            best = max(values) if position_of(key).black_to_move else min(values)
            shares = [CHANCE_BY_POINT ** abs(value - best) for value in values]
            for child, share in zip(moves, shares, strict=True):
                reached[child] += chance * share / sum(shares)
        chances = {key: chance for key, chance in reached.items() if chance >= LEAST_CHANCE}
    return chances


def likely_first(level: Level, known: Sequence[PlyAnswers | None]) -> list[Block]:
    """Return the blocks of a level, beginning with the blocks that sensible play reaches most often.

    Blocks whose White stones are symmetric stay together, because they have the same parents. known: the answers of
    each earlier ply. If a ply has no answers, only the White stones determine the order.
    """
    weights: dict[int, float] = defaultdict(float)
    whole = [each for each in known if each is not None]
    chances = chances_at(level.game, level.earlier, whole) if len(whole) == len(known) else {}
    for key, chance in chances.items():
        weights[stones_class(stones_of(block_of(key)))] += chance
    stones = {block: stones_class(stones_of(block.number)) for block in level.blocks}
    return sorted(level.blocks, key=lambda block: (-weights[stones[block]], stones[block], block))


class LevelRun:
    """The search of a ply, block by block. A job has some positions of one block.

    Public attributes, which count only this run: ``nodes``, the number of nodes searched; ``inferred``, the number of
    positions whose value was inferred without a search; ``compared``, the indexes of the parents whose values were
    equal to the minimax over all their moves.
    """

    def __init__(
        self, level: Level, folder: LevelFolder, order: Sequence[Block], watch: Callable[[RunProgress], None]
    ) -> None:
        """order: the blocks in the order of the search. watch: a function that is called with the state of the run."""
        self._level, self._folder, self._order, self._watch = level, folder, order, watch
        self.nodes = self.inferred = 0
        self.compared: set[int] = set()
        self._open = folder.open
        self._pace = ProgressEstimate()

    def work_out(self, crew: Crew, fill: TableUsage | None, stop: Callable[[], bool]) -> None:
        """Search the positions without a value.

        Raise Stopped if ``stop`` returned true, CrewError if the workers fail, and Contradiction if two values exclude
        each other.
        """
        started = flushed = time.monotonic()

        def should_stop() -> bool:
            # After pool.stop() the jobs in flight return the values that they have found so far.
            if stopped := stop():
                crew.pool.stop()
            return stopped

        for job_results in crew.each(self.jobs(), should_stop):
            for job_result in job_results:
                self._store_results(job_result)
            if time.monotonic() - flushed > FLUSH_SECONDS:
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
        """Record the values of a job. If their block is complete now, check the values of the block's parents."""
        found: list[Solved] = job_result.result
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
        """Yield the jobs of each block with open positions, and record the values that follow without a search."""
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
