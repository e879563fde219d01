"""Walking every game that the player can be led into, to check that it never gives up a win.

The player is the built script itself, loaded from its file. From the start of the game its side plays what
the script chooses, the other side everything legal, ply by ply, positions that differ by a turn or a
reflection taken as one. What the script claims to be won must be so after every reply: as far as the book
reaches, by the book or the script's exact search; below that, by the exact search alone, each position from
an empty memory as in a real call. So every win that is claimed rests on searches that were run to the end.
Single positions that the book has below that are followed on.

Where the script has our exact solver, its twin in C (solver.native.twin) answers in its place: it takes the same nodes
in the same order, and so finds the same moves. One position of SAMPLE is asked of the script as it stands too, and so
is the longest search of each ply.
"""

import importlib.util
import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from book.files.reader import BOOK_LOSS, BOOK_WIN
from crew.jobs import Crew, in_order, processes
from notation.record import to_record
from runtime.files import MIB, read_file, read_text, sha256_of
from runtime.hints import command_line
from runtime.journal import Journal
from solver import exact
from solver.answer import Bounds
from solver.bounds import COLOURS
from solver.family import COURSE, Variant
from solver.native.twin import TwinSolver
from solver.position import Position, move_name
from solver.symmetry import canonical_key, position_of

#: Bytes of a script.
_MOST = 16 * MIB

#: Positions that one job walks.
BATCH = 50

#: Of this many positions one is asked of the script as it stands too.
SAMPLE = 100

#: Seconds that the script may take for a move here: what it needs is measured, not cut.
CLOCK = 9.5


class WalkFailure(Exception):
    """A path that gives up a win; the message says where."""


class ScriptError(Exception):
    """A player's script or book that cannot be loaded; the message is one line."""


@dataclass(frozen=True)
class WalkStep:
    """The script's move in a position, and how it found it.

    key: canonical key. move: in canonical orientation. source, winner, nodes: as the script's Choice.
    seconds: of CPU, loading not counted; 0 where the twin answered.
    """

    key: int
    move: int
    source: str
    winner: int | None
    nodes: int
    seconds: float


@dataclass
class Ply:
    """The counts of one ply of the player.

    won, lost, open: positions by what the script claims for its side.
    moves_by: positions by where the move comes from.
    most_nodes, most_seconds: of one exact search, lost positions left out: no move of theirs can be wrong.
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
        """All positions walked at this ply."""
        return self.won + self.lost + self.open


class Script:
    """A player's script with its book, ready to be asked."""

    def __init__(self, script: Path, book: Path) -> None:
        """Load both; raises ScriptError."""
        self._module = _load(script)
        self.sha256 = sha256_of(script, _MOST)
        self._twin = _with_twin(script)
        #: A script of before says nothing of its game: it is the course's.
        self.game = Variant(*getattr(self._module, "GAME", COURSE))
        try:
            self._book = self._asked(self._module.read_book, str(book))
        except self._module.BookError as error:
            raise ScriptError(str(error)) from None
        #: The book's move, and the winner by its verdict, by canonical key.
        self.known = {
            canonical_key(position): (
                entry.move,
                {BOOK_WIN: position.mover, BOOK_LOSS: 3 - position.mover}.get(entry.verdict),
            )
            for position, entry in self._book.items()
        }

    def last_ply(self, colour: int) -> int:
        """Return the last ply at which the book knows a position with this colour to move; -1 for none."""
        return max((position.ply for position, _ in self._book.items() if position.mover == colour), default=-1)

    def says(self, step: WalkStep) -> bool:
        """Whether a step is what the book says, or of a position that the book does not have."""
        known = self.known.get(step.key)
        if known is None or step.source != "book":
            return known is None and step.source != "book"
        return (step.move, step.winner) == known

    def answer(self, key: int, beyond: bool, as_it_stands: bool) -> WalkStep:
        """Ask for the move in a position, or ``beyond`` the book's last ply what the exact search alone says.

        What the book has is asked of it everywhere.

        as_it_stands: ask the script without the twin. Raises WalkFailure where the sample shows that the twin is none.
        """
        ask = self._judge if beyond and key not in self.known else self._step
        if as_it_stands or self._twin is None:
            return ask(self._module, key)
        step = replace(ask(self._twin, key), seconds=0.0)
        if key % SAMPLE:
            return step
        plain = ask(self._module, key)
        if not _agree(plain, step):
            raise WalkFailure(f"the search in C differs from the script's: {step}, {plain}")
        return plain

    def _step(self, module: ModuleType, key: int) -> WalkStep:
        position = module.position_of(key)
        started = time.process_time()
        choice = self._asked(module.choose_move, position, module.Clock(CLOCK, started), self._book)
        seconds = time.process_time() - started
        return WalkStep(key, choice.move, choice.source, choice.winner, choice.nodes, seconds)

    def _judge(self, module: ModuleType, key: int) -> WalkStep:
        started = time.process_time()
        answer = self._asked(module.decide_turned, module.ExactSolver(), module.position_of(key))
        seconds = time.process_time() - started
        return WalkStep(
            key, answer.best, "exact", self.game.winner(Bounds(answer.lo, answer.hi)), answer.nodes, seconds
        )

    def _asked(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the script with its game; a script of before, which names none, does not take one."""
        named = {"game": self.game} if hasattr(self._module, "GAME") else {}
        return function(*arguments, **named)


def _agree(plain: WalkStep, twin: WalkStep) -> bool:
    """Whether two steps in one position can come from one search; without a winner the clock may have ended one."""
    if plain.source != "exact" or twin.source != "exact" or None in (plain.winner, twin.winner):
        return True
    wins = plain.winner == position_of(plain.key).mover
    return (plain.winner, plain.nodes) == (twin.winner, twin.nodes) and (plain.move == twin.move or not wins)


def _with_twin(script: Path) -> ModuleType | None:
    """Load the script with the twin in place of its solver; None where that is not the solver whose twin we have."""
    source = read_text(exact.__file__, _MOST)
    if source[source.index("\n#: Entries") :].strip() not in read_file(script, _MOST).decode("utf-8", "replace"):
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
        # The loader would leave its bytecode beside the script.
        exec(compile(read_file(script, _MOST), script, "exec"), vars(module))
    except OSError as error:
        raise ScriptError(f"{script}: {error.strerror}") from None
    except Exception as error:
        raise ScriptError(f"{script}: {error}") from None
    for name in ("choose_move", "decide_turned", "read_book", "position_of", "Clock", "ExactSolver"):
        if not hasattr(module, name):
            raise ScriptError(
                f"{script} is not a player of Little-Go (it has no {name}): make one with"
                f" {command_line('player build')}"
            )
    return module


_script: Script | None = None


def set_script(script: Path, book: Path) -> None:
    """Load what walk() asks in this process; raises ScriptError."""
    global _script
    _script = Script(script, book)


class WalkJob(NamedTuple):
    """Positions for a walker, by their keys; the rest is as for Script.answer()."""

    keys: tuple[int, ...]
    beyond: bool
    as_it_stands: bool = False


def walkers(workers: int, script: Path, book: Path) -> "Crew[WalkJob, list[WalkStep]]":
    """Return a crew of processes that ask a script."""
    return Crew(processes(walk, workers, set_script, script, book))


def walk(asked: WalkJob) -> list[WalkStep]:
    """Ask this process's script about each position, as Script.answer() does."""
    if _script is None:
        raise RuntimeError("walk() before set_script()")
    return [_script.answer(key, asked.beyond, asked.as_it_stands) for key in asked.keys]


class Notes:
    """The steps of a walk in a journal, so that a walk that was stopped resumes.

    The head names the script, which is built for one game, by its hash; each line is a step and whether it was beyond
    the book. Notes on another script are written over. A step is used only if the book says the same of its position.
    """

    def __init__(self, path: Path, script: Script) -> None:
        """Read what is there; raises JournalError and OSError."""
        remedy, head = "remove the file, or name another", ["little-go walk 2", script.sha256]
        self._journal = Journal(path, _noted_step, remedy, head=head, renew=True)
        self._steps = {(step.key, beyond): step for step, beyond in self._journal.rows if script.says(step)}

    def __len__(self) -> int:
        return len(self._steps)

    def get(self, key: int, beyond: bool) -> WalkStep | None:
        """Return the step taken in a position, or None."""
        return self._steps.get((key, beyond))

    def add(self, steps: Iterable[WalkStep], beyond: bool) -> None:
        """Note steps; raises OSError."""
        self._journal.add(*(((step, beyond), [*astuple(step), beyond]) for step in steps))

    def close(self) -> None:
        """Let another walk use the file."""
        self._journal.close()


def _noted_step(values: Any) -> tuple[WalkStep, bool]:
    *step, beyond = values
    return WalkStep(*step), beyond


class Walk:
    """A walk over all that can happen to the player of one colour.

    Public attribute: ``slow``, the won positions in which the exact search takes more than ``slow_nodes``.
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
        """Prepare; the crew's workers are walkers; ``watch`` is shown the ply, positions walked, and in all."""
        self.slow: list[Position] = []
        self._slow_nodes = slow_nodes
        self._game = game
        self._crew = crew
        self._colour = colour
        self._watch = watch
        self._notes = notes

    def plies(self, start: Position, last_ply: int) -> Iterator[Ply]:
        """Walk ply by ply to ``last_ply``, judge the positions of the player's next ply, and yield what was seen.

        Raises WalkFailure at the first position that should be won and is not.
        """
        level = {canonical_key(start): False} if start.mover == self._colour else _replies(start, False)
        while level:
            ply = Ply(position_of(next(iter(level))).ply)
            after: dict[int, bool] = {}
            beyond = ply.ply > last_ply
            longest: WalkStep | None = None
            for step in self._steps(ply.ply, sorted(level), beyond):
                _count(ply, step, self._colour)
                if _matters(step, self._colour) and (longest is None or step.nodes > longest.nodes):
                    longest = step
                if self._is_slow(step):
                    self.slow.append(position_of(step.key))
                if level[step.key] and step.winner != self._colour:
                    raise WalkFailure(_broken(step, self._game))
                if not beyond or step.source == "book":
                    self._follow(step, after)
            if longest is not None and not longest.seconds:
                ply.most_seconds = max(ply.most_seconds, self._timed(longest.key, beyond))
            yield ply
            level = after

    def _is_slow(self, step: WalkStep) -> bool:
        won = step.source == "exact" and step.winner == self._colour
        return won and self._slow_nodes is not None and step.nodes > self._slow_nodes

    def _timed(self, key: int, beyond: bool) -> float:
        """Return how long the script as it stands takes for a position, and note it."""
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
        """Add the positions of the player's next ply; a win must go on as a win from each of them."""
        won = step.winner == self._colour
        child = position_of(step.key).play(step.move)
        if child.is_over:
            if won and self._game.leader(child) != self._colour:
                raise WalkFailure(_broken(step, self._game))
            return
        for reply in child.legal_moves():
            position = child.play(reply)
            if not position.is_over:
                key = canonical_key(position)
                after[key] = after.get(key, False) or won
            elif won and self._game.leader(position) != self._colour:
                raise WalkFailure(_broken(step, self._game))


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
    if _matters(step, colour):
        ply.most_nodes = max(ply.most_nodes, step.nodes)
        ply.most_seconds = max(ply.most_seconds, step.seconds)


def _matters(step: WalkStep, colour: int) -> bool:
    """Whether it matters how long a search took: a lost position is none the worse for another move."""
    return step.source == "exact" and step.winner in (None, colour)


def _broken(step: WalkStep, game: Variant) -> str:
    position = position_of(step.key)
    claim = "nobody is known to win" if step.winner is None else f"{COLOURS[step.winner]} wins"
    return (
        f"ply {position.ply - game.first_ply}: a position that should be won is not: by {step.source}, {claim}, "
        f"move {move_name(step.move)}: {json.dumps(to_record(position, game))}"
    )


def summary(plies: Iterable[Ply]) -> dict[str, Any]:
    """Return a walk as JSON keys: ``plies``, and over all of them ``positions`` and the worst searches."""
    rows = list(plies)
    return {
        "plies": [{**vars(ply), "positions": ply.positions} for ply in rows],
        "positions": sum(ply.positions for ply in rows),
        "most_nodes": max((ply.most_nodes for ply in rows), default=0),
        "most_seconds": max((ply.most_seconds for ply in rows), default=0.0),
    }


def ply_line(ply: Ply) -> str:
    """Write the counts of one ply in one line.

    >>> ply_line(Ply(10, won=30, moves_by={"exact": 28, "book": 2}, most_nodes=90_000, most_seconds=0.4))
    'ply 10:       30 positions, 30 won; moves: book 2, exact 28; worst exact search 90,000 nodes, 0.40 s'
    """
    claims = {"won": ply.won, "lost": ply.lost, "undecided": ply.open}
    claimed = ", ".join(f"{number:,} {claim}" for claim, number in claims.items() if number)
    sources = ", ".join(f"{source} {number:,}" for source, number in sorted(ply.moves_by.items()))
    worst = f"; worst exact search {ply.most_nodes:,} nodes, {ply.most_seconds:.2f} s" if ply.most_nodes else ""
    return f"ply {ply.ply:2d}: {ply.positions:8,} positions, {claimed}; moves: {sources}{worst}"


def summary_line(colour: str, figures: dict[str, Any]) -> str:
    """Return the outcome of a walk that broke nowhere."""
    return (
        f"{colour}: {figures['positions']:,} positions walked, no path gives up a win; "
        f"worst exact search {figures['most_nodes']:,} nodes, {figures['most_seconds']:.2f} s of CPU"
    )
