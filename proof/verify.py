"""Walk through every game that can happen to the player, to check that the player never gives up a win.

The player is the built script, which is loaded from its file. From the start of the game, its side plays the script's
moves, and the other side plays every legal move, ply by ply. Symmetric positions count as one. If the script claims
that a position is won, it must also claim a win after every reply. Up to the last ply of the book, a claim may come
from the book or from the script's exact search. After this ply a claim must come from the exact search, with an empty
memory for each position, as in a real call. So every claimed win is proved by searches that ran to the end. The walk
continues from a later position if the book contains it.

If the script contains our exact solver, its twin in C (solver.native.twin) answers instead. The twin searches the same
nodes in the same order, so it finds the same moves. The script itself is also called for one in SAMPLE positions, and
for the longest search of each ply.
"""

import importlib.util
import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from little_go.book.files.reader import BOOK_LOSS, BOOK_WIN
from little_go.crew.jobs import Crew, in_order, processes
from little_go.notation.record import to_record
from little_go.runtime.files import MIB, read_file, read_text, sha256_of
from little_go.runtime.hints import command_line
from little_go.runtime.journal import Journal
from little_go.solver import exact
from little_go.solver.answer import Bounds
from little_go.solver.bounds import COLOURS
from little_go.solver.family import COURSE, Variant
from little_go.solver.native.twin import TwinSolver
from little_go.solver.position import Position, move_name
from little_go.solver.symmetry import canonical_key, position_of

#: The maximum size of a script, in bytes.
_MOST = 16 * MIB

#: The number of positions in a job.
BATCH = 50

#: For one in this many positions, the script is also called without the twin.
SAMPLE = 100

#: The script's time for a move, in seconds, which is longer than needed because the walk measures the needed time.
CLOCK = 9.5


class WalkFailure(Exception):
    """Raised if the player gives up a win. The message contains the position."""


class ScriptError(Exception):
    """Raised if a player's script or book cannot be loaded. The message is one line."""


@dataclass(frozen=True)
class WalkStep:
    """The script's move in a position, and its source.

    key: the canonical key of the position. move: the move in canonical orientation. source, winner, nodes: the fields
    of the script's Choice. seconds: the CPU seconds without loading, or 0 if the twin answered.
    """

    key: int
    move: int
    source: str
    winner: int | None
    nodes: int
    seconds: float


@dataclass
class Ply:
    """The numbers of positions and moves that verify() counts at one ply.

    won, lost, open: the numbers of positions, by the script's claim for its side. moves_by: the numbers of positions,
    by the source of the move. most_nodes, most_seconds: the maxima over the exact searches, except in lost positions,
    where no move can be wrong.
    """

    ply: int
    won: int = 0
    lost: int = 0
    open: int = 0
    moves_by: dict[str, int] = field(default_factory=dict)
    most_nodes: int = 0
    most_seconds: float = 0.0

    @property
    def positions(self) -> int:
        """The number of positions of the walk at this ply."""
        return self.won + self.lost + self.open


class Script:
    """A player's script that is loaded with its book."""

    def __init__(self, script: Path, book: Path) -> None:
        """Load the script and the book. Raise ScriptError if one of the files cannot be loaded."""
        self._module = _load(script)
        self.sha256 = sha256_of(script, _MOST)
        self._twin = _with_twin(script)
        #: An older script has no constant GAME, and plays the course's game.
        self.game = Variant(*getattr(self._module, "GAME", COURSE))
        try:
            self._book = self._call(self._module.read_book, str(book))
        except self._module.BookError as error:
            raise ScriptError(str(error)) from None
        #: By canonical key, the book's move, and the winner according to the book, or None.
        self.known = {
            canonical_key(position): (
                entry.move,
                {BOOK_WIN: position.mover, BOOK_LOSS: 3 - position.mover}.get(entry.verdict),
            )
            for position, entry in self._book.items()
        }

    def last_ply(self, colour: int) -> int:
        """Return the last ply at which the book has a position with this colour to move, or -1."""
        return max((position.ply for position, _ in self._book.items() if position.mover == colour), default=-1)

    def matches_book(self, step: WalkStep) -> bool:
        """Return whether a step agrees with the book: it has the book's move and winner, or both its position and its
        source are not from the book.
        """
        known = self.known.get(step.key)
        if known is None or step.source != "book":
            return known is None and step.source != "book"
        return (step.move, step.winner) == known

    def answer(self, key: int, beyond: bool, without_twin: bool) -> WalkStep:
        """Return the script's step in a position. If ``beyond`` is set, return the answer of the script's exact search.

        A position in the book always has the book's step. beyond: whether the position is after the book's last ply.
        without_twin: whether to call the script itself instead of its twin. Raise WalkFailure if the script and the
        twin differ in a position of the sample.
        """
        ask = self._judge if beyond and key not in self.known else self._step
        if without_twin or self._twin is None:
            return ask(self._module, key)
        step = replace(ask(self._twin, key), seconds=0.0)
        if key % SAMPLE:
            return step
        plain = ask(self._module, key)
        if not _can_be_equal(plain, step):
            raise WalkFailure(f"the search in C differs from the script's: {step}, {plain}")
        return plain

    def _step(self, module: ModuleType, key: int) -> WalkStep:
        position = module.position_of(key)
        started = time.process_time()
        choice = self._call(module.choose_move, position, module.Clock(CLOCK, started), self._book)
        seconds = time.process_time() - started
        return WalkStep(key, choice.move, choice.source, choice.winner, choice.nodes, seconds)

    def _judge(self, module: ModuleType, key: int) -> WalkStep:
        started = time.process_time()
        answer = self._call(module.decide_turned, module.ExactSolver(), module.position_of(key))
        seconds = time.process_time() - started
        return WalkStep(
            key, answer.best, "exact", self.game.winner(Bounds(answer.lo, answer.hi)), answer.nodes, seconds
        )

    def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the script with the script's game.

        Functions of an older script have no parameter for a game.
        """
        named = {"game": self.game} if hasattr(self._module, "GAME") else {}
        return function(*arguments, **named)


def _can_be_equal(plain: WalkStep, twin: WalkStep) -> bool:
    """Return whether the script and the twin can return these two steps in the same position.

    If a step has no winner, the limit of time may have ended its search, so the steps may differ.
    """
    if plain.source != "exact" or twin.source != "exact" or None in (plain.winner, twin.winner):
        return True
    wins = plain.winner == position_of(plain.key).mover
    return (plain.winner, plain.nodes) == (twin.winner, twin.nodes) and (plain.move == twin.move or not wins)


def _with_twin(script: Path) -> ModuleType | None:
    """Load the script with the twin instead of the script's solver.

    Return None if this solver is of another version.
    """
    source = read_text(exact.__file__, _MOST)
    if source[source.index("\n_TABLE_LIMIT") :].strip() not in read_file(script, _MOST).decode("utf-8", "replace"):
        return None
    module = _load(script)
    vars(module)["ExactSolver"] = TwinSolver
    return module


def _load(script: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("little_go_script", script)
    if spec is None or spec.loader is None:
        raise ScriptError(f"{script}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        # Python's loader would write a file with bytecode next to the script.
        exec(compile(read_file(script, _MOST), script, "exec"), vars(module))
    except OSError as error:
        raise ScriptError(f"{script}: {error.strerror}") from None
    except Exception as error:
        raise ScriptError(f"{script}: {error}") from None
    for name in ("choose_move", "decide_turned", "read_book", "position_of", "Clock", "ExactSolver"):
        if not hasattr(module, name):
            raise ScriptError(
                f"{script}: not a player of Little-Go, because it has no {name}: make one with"
                f" {command_line('player build')}"
            )
    return module


_script: Script | None = None


def set_script(script: Path, book: Path) -> None:
    """Load the script that walk() calls in this process. Raise ScriptError if the script cannot be loaded."""
    global _script
    _script = Script(script, book)


class WalkJob(NamedTuple):
    """A job for a worker: the keys of positions, and the parameters of Script.answer()."""

    keys: tuple[int, ...]
    beyond: bool
    without_twin: bool = False


def walkers(workers: int, script: Path, book: Path) -> "Crew[WalkJob, list[WalkStep]]":
    """Return a crew of processes that call a script."""
    return Crew(processes(walk, workers, set_script, script, book))


def walk(job: WalkJob) -> list[WalkStep]:
    """Return the step of this process's script in each position of a job."""
    if _script is None:
        raise RuntimeError("walk() before set_script()")
    return [_script.answer(key, job.beyond, job.without_twin) for key in job.keys]


class Notes:
    """The steps of a walk, in a journal, so that a stopped walk can resume.

    The header contains the hash of the script, which is built for one game. Each line contains a step and a flag that
    states whether the step was beyond the book. Notes about another script are overwritten. A step is used only if it
    agrees with the book.
    """

    def __init__(self, path: Path, script: Script) -> None:
        """Open the file and read its steps. Raise JournalError if the file is not a file of notes."""
        remedy, head = "remove the file, or name another", ["little-go walk 2", script.sha256]
        self._journal = Journal(path, _step_of_row, remedy, head=head, renew=True)
        self._steps = {(step.key, beyond): step for step, beyond in self._journal.rows if script.matches_book(step)}

    def __len__(self) -> int:
        return len(self._steps)

    def get(self, key: int, beyond: bool) -> WalkStep | None:
        """Return the recorded step in a position, or None."""
        return self._steps.get((key, beyond))

    def add(self, steps: Iterable[WalkStep], beyond: bool) -> None:
        """Record steps."""
        self._journal.add(*(((step, beyond), [*astuple(step), beyond]) for step in steps))

    def close(self) -> None:
        """Close the file, so that another walk can use it."""
        self._journal.close()


def _step_of_row(values: Any) -> tuple[WalkStep, bool]:
    *step, beyond = values
    return WalkStep(*step), beyond


class Walk:
    """A walk through all positions that can happen to the player of one colour.

    Public attribute: ``slow``, the won positions for which the exact search needed more than ``slow_nodes`` nodes.
    """

    def __init__(
        self,
        crew: "Crew[WalkJob, list[WalkStep]]",
        colour: int,
        watch: Callable[[int, int, int], None],
        notes: Notes | None = None,
        slow_nodes: int | None = None,
        *,
        game: Variant,
    ) -> None:
        """crew: the crew from walkers(). colour: the player's colour, 1 or 2.

        watch: a function that is called with the ply, the number of positions done at this ply, and the total number.
        notes: the steps of an earlier walk, or None. slow_nodes: the number of nodes above which a position is added to
        ``slow``, or None to collect no positions.
        """
        self.slow: list[Position] = []
        self._slow_nodes = slow_nodes
        self._game = game
        self._crew = crew
        self._colour = colour
        self._watch = watch
        self._notes = notes

    def plies(self, start: Position, last_ply: int) -> Iterator[Ply]:
        """Walk ply by ply to ``last_ply``, and then through the player's next ply. Yield the counts of each ply.

        Raise WalkFailure at the first position that is not won although it must be.
        """
        level = {canonical_key(start): False} if start.mover == self._colour else _replies(start, False)
        while level:
            ply = Ply(position_of(next(iter(level))).ply)
            after: dict[int, bool] = {}
            beyond = ply.ply > last_ply
            longest: WalkStep | None = None
            for step in self._steps(ply.ply, sorted(level), beyond):
                _count(ply, step, self._colour)
                if _is_timed(step, self._colour) and (longest is None or step.nodes > longest.nodes):
                    longest = step
                if self._is_slow(step):
                    self.slow.append(position_of(step.key))
                if level[step.key] and step.winner != self._colour:
                    raise WalkFailure(_failure_text(step, self._game))
                if not beyond or step.source == "book":
                    self._follow(step, after)
            if longest is not None and not longest.seconds:
                ply.most_seconds = max(ply.most_seconds, self._time_script(longest.key, beyond))
            yield ply
            level = after

    def _is_slow(self, step: WalkStep) -> bool:
        won = step.source == "exact" and step.winner == self._colour
        return won and self._slow_nodes is not None and step.nodes > self._slow_nodes

    def _time_script(self, key: int, beyond: bool) -> float:
        """Return the seconds that the script needs for a position without the twin, and record the step."""
        ((_, steps),) = self._crew.results([WalkJob((key,), beyond, True)])
        if self._notes is not None:
            self._notes.add(steps, beyond)
        return steps[0].seconds

    def _steps(self, ply: int, keys: list[int], beyond: bool) -> Iterator[WalkStep]:
        noted = [] if self._notes is None else [step for key in keys if (step := self._notes.get(key, beyond))]
        yield from noted
        done = len(noted)
        seen = {step.key for step in noted}
        rest = [key for key in keys if key not in seen]
        batches = [WalkJob(tuple(rest[at : at + BATCH]), beyond) for at in range(0, len(rest), BATCH)]
        for steps in in_order(batches, self._crew.results(batches)):
            if self._notes is not None:
                self._notes.add(steps, beyond)
            yield from steps
            done += len(steps)
            self._watch(ply, done, len(keys))

    def _follow(self, step: WalkStep, after: dict[int, bool]) -> None:
        """Add the positions of the player's next ply to ``after``, each with a flag: whether it must be won."""
        won = step.winner == self._colour
        child = position_of(step.key).play(step.move)
        if child.is_over:
            if won and self._game.leader(child) != self._colour:
                raise WalkFailure(_failure_text(step, self._game))
            return
        for reply in child.legal_moves():
            position = child.play(reply)
            if not position.is_over:
                key = canonical_key(position)
                after[key] = after.get(key, False) or won
            elif won and self._game.leader(position) != self._colour:
                raise WalkFailure(_failure_text(step, self._game))


def _replies(position: Position, won: bool) -> dict[int, bool]:
    after = map(position.play, position.legal_moves())
    return {canonical_key(child): won for child in after if not child.is_over}


def _count(ply: Ply, step: WalkStep, colour: int) -> None:
    if step.winner is None:
        ply.open += 1
    elif step.winner == colour:
        ply.won += 1
    else:
        ply.lost += 1
    ply.moves_by[step.source] = ply.moves_by.get(step.source, 0) + 1
    if _is_timed(step, colour):
        ply.most_nodes = max(ply.most_nodes, step.nodes)
        ply.most_seconds = max(ply.most_seconds, step.seconds)


def _is_timed(step: WalkStep, colour: int) -> bool:
    """Return whether the cost of the search counts.

    The cost does not count in a lost position, where no move can be wrong.
    """
    return step.source == "exact" and step.winner in (None, colour)


def _failure_text(step: WalkStep, game: Variant) -> str:
    position = position_of(step.key)
    claim = "nobody is known to win" if step.winner is None else f"{COLOURS[step.winner]} wins"
    return (
        f"ply {position.ply - game.first_ply}: a position that should be won is not: by {step.source}, {claim}, "
        f"move {move_name(step.move)}: {json.dumps(to_record(position, game))}"
    )


def summary(plies: Iterable[Ply]) -> dict[str, Any]:
    """Return the JSON fields of a walk: ``plies``, and over all plies ``positions`` and the maxima of the searches."""
    rows = list(plies)
    return {
        "plies": [{**vars(ply), "positions": ply.positions} for ply in rows],
        "positions": sum(ply.positions for ply in rows),
        "most_nodes": max((ply.most_nodes for ply in rows), default=0),
        "most_seconds": max((ply.most_seconds for ply in rows), default=0.0),
    }


def ply_line(ply: Ply) -> str:
    """Return a line with the counts of a ply.

    >>> ply_line(Ply(10, won=30, moves_by={"exact": 28, "book": 2}, most_nodes=90_000, most_seconds=0.4))
    'ply 10:       30 positions, 30 won; moves: book 2, exact 28; worst exact search 90,000 nodes, 0.40 s'
    """
    claims = {"won": ply.won, "lost": ply.lost, "undecided": ply.open}
    claimed = ", ".join(f"{number:,} {claim}" for claim, number in claims.items() if number)
    sources = ", ".join(f"{source} {number:,}" for source, number in sorted(ply.moves_by.items()))
    worst = f"; worst exact search {ply.most_nodes:,} nodes, {ply.most_seconds:.2f} s" if ply.most_nodes else ""
    return f"ply {ply.ply:2d}: {ply.positions:8,} positions, {claimed}; moves: {sources}{worst}"


def summary_line(colour: str, figures: dict[str, Any]) -> str:
    """Return a line with the outcome of a walk without a failure."""
    return (
        f"{colour}: {figures['positions']:,} positions walked, no path gives up a win; "
        f"worst exact search {figures['most_nodes']:,} nodes, {figures['most_seconds']:.2f} s of CPU"
    )
