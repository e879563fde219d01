"""Traps: in a lost position, the move after which opponents most often throw the win away.

The chance of a lost position is the most, over our moves, of the chance that a modelled opponent's reply errs, plus,
for each reply that holds, its chance times the chance of the position it leads to: an expectimax over our
moves and the opponent's replies. Whether a reply errs is decided exactly. So that the tree stays
small, only the best few moves by one ply are followed on, fewer the deeper, and only replies that are not too
unlikely; what is not followed counts as held.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from book.store import Choice, Store
from generator.crew import Crew
from generator.ladder import kept_facts
from generator.opponents import Opponents, open_opponents
from generator.worker import Job, Tools
from solver.position import PASS, Position
from solver.symmetry import canonical_key, position_of

#: How many of our moves are followed on: in the position itself, then at our next plies. All, at first.
BEAM = (26, 4, 3, 2)

#: The least chance to be reached, when we play for it, of a position that is followed on.
LEAST_REACH = 0.02

#: With so many plies left, a single move is work enough for a job.
DEAR_LEFT = 18


@dataclass(frozen=True)
class Trap:
    """A move in a lost position.

    key: the canonical key of the lost position.
    error: the chance that the reply throws the win away.
    holds: the replies that keep it: canonical key of the position after each, and its chance.
    """

    key: int
    move: int
    error: float
    holds: Mapping[int, float]


@dataclass(frozen=True)
class Trapping(Job):
    """What can come of some moves in one lost position."""

    position: Position
    moves: tuple[int, ...]

    def do(self, tools: Tools) -> list[Trap]:
        """Return a trap for each move."""
        return [_trap(tools, self.position, move) for move in self.moves]

    def describe(self, result: list[Trap]) -> str:
        """Return where moves were tried, and how likely the best works at once."""
        best = max(result, key=lambda trap: trap.error)
        held = sum(len(trap.holds) for trap in result)
        return f"ply {self.position.ply}, {len(result)} traps: at best {best.error:.3f} at once, {held} replies hold"


def _trap(tools: Tools, position: Position, move: int) -> Trap:
    """Decide the position after each reply to a move, and weigh it with the opponent's chance to choose it."""
    child = position.play(move)
    chances: dict[int, float] = {}
    error = 0.0
    for reply, chance in _opponents().chances(child).items():
        after = child.play(reply)
        if not after.is_over:
            key = canonical_key(after)
            chances[key] = chances.get(key, 0.0) + chance
        elif after.winner == position.mover:
            error += chance
    holds = {}
    for key, chance in chances.items():
        if tools.decide(position_of(key)).winner == position.mover:
            error += chance
        else:
            holds[key] = chance
    return Trap(canonical_key(position), move, error, holds)


_loaded: list[Opponents] = []


def _opponents() -> Opponents:
    """Return this process's opponent models."""
    if not _loaded:
        _loaded.append(open_opponents())
    return _loaded[0]


@dataclass
class _Lost:
    """A lost position of the tree; ``traps``: its moves, those likeliest to work at once first."""

    position: Position
    traps: list[Trap] = field(default_factory=list)
    move: int = PASS
    chance: float = 0.0


class Traps:
    """The trees of traps below the lost positions of a closure; each position is looked at once."""

    def __init__(
        self,
        store: Store,
        crew: Crew,
        run: int,
        *,
        workers: int,
        last_left: int,
        stop: Callable[[], bool],
        watch: Callable[[str, int, int], None],
    ) -> None:
        """Prepare; positions with fewer than ``last_left`` plies left are not looked at, and count as held."""
        self._store = store
        self._crew = crew
        self._run = run
        self._workers = workers
        self._last_left = last_left
        self._stop = stop
        self._watch = watch
        self._lost: dict[int, _Lost] = {}

    def choices(self, positions: Sequence[Position]) -> Iterator[Choice]:
        """Yield our choice in each of some lost positions of one ply, with the chance that it works."""
        reach = {canonical_key(position): 1.0 for position in positions}
        levels = []
        for beam in BEAM:
            self._look_at([position_of(key) for key in sorted(reach) if key not in self._lost])
            levels.append((beam, list(reach)))
            reach = self._followed(reach, beam)
        for beam, keys in reversed(levels):
            for key in keys:
                self._weigh(self._lost[key], beam)
        for position in positions:
            lost = self._lost[canonical_key(position)]
            yield Choice(lost.position, lost.move, None, lost.chance)

    def _followed(self, reach: Mapping[int, float], beam: int) -> dict[int, float]:
        """Return the lost positions at our next ply that are worth a look, with the chance to reach them."""
        after: dict[int, float] = {}
        for lost, chance in reach.items():
            for trap in self._lost[lost].traps[:beam]:
                for key, held in trap.holds.items():
                    likely = chance * held >= LEAST_REACH and position_of(key).left >= self._last_left
                    if likely:
                        after[key] = max(after.get(key, 0.0), chance * held)
        return after

    def _look_at(self, positions: Sequence[Position]) -> None:
        """Find what can come of every move in lost positions of one ply."""
        jobs: list[Trapping] = []
        for position in positions:
            self._lost[canonical_key(position)] = _Lost(position)
            moves = _moves(position)
            size = 1 if position.left >= DEAR_LEFT else len(moves)
            jobs += [Trapping(position, moves[at : at + size]) for at in range(0, len(moves), size)]
        done = 0
        for findings in self._crew.each(jobs, 2 * self._workers, self._stop):
            self._store.record([fact for finding in findings for fact in kept_facts(finding)], self._run)
            for trap in [trap for finding in findings for trap in finding.result]:
                self._lost[trap.key].traps.append(trap)
            done += len(findings)
            self._watch(f"ply {positions[0].ply}: traps in {len(positions)} lost positions", done, len(jobs))
        for position in positions:
            self._lost[canonical_key(position)].traps.sort(key=lambda trap: (-trap.error, trap.move))

    def _weigh(self, lost: _Lost, beam: int) -> None:
        for trap in lost.traps[:beam]:
            later = sum(chance * self._chance(key) for key, chance in trap.holds.items())
            if trap.error + later > lost.chance:
                lost.move, lost.chance = trap.move, trap.error + later

    def _chance(self, key: int) -> float:
        return self._lost[key].chance if key in self._lost else 0.0


def _moves(position: Position) -> tuple[int, ...]:
    """Return the moves to try, one for each position that differs by more than symmetry; none that ends the game."""
    moves: dict[int, int] = {}
    for move in position.legal_moves():
        child = position.play(move)
        if not child.is_over:
            moves.setdefault(canonical_key(child), move)
    return tuple(moves.values())
