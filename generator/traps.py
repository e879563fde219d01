"""Traps: in a lost position, the move after which opponents most often throw the win away.

The chance of a lost position is the most, over our moves, of the chance that a modelled opponent's reply errs, plus,
for each reply that holds, its chance times the chance of the position it leads to: an expectimax over our
moves and the opponent's replies. Whether a reply errs is decided exactly, for the few moves that look best when
each reply gets a short search, which finds the plain errors. So that the tree stays small, fewer moves are followed
the deeper it goes, and only replies that are not too unlikely; what is not followed counts as held.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from book.store import Choice
from book.strategy import distinct_moves
from generator.ladder import kept_facts
from generator.opponents import Opponents, open_opponents
from generator.worker import Job, Tools
from generator.workshop import Workshop
from solver.answer import BLACK_WINS
from solver.position import PASS, Position
from solver.symmetry import canonical_key, position_of

#: How many of our moves are followed on: in the position itself, then at our next plies.
BEAM = (4, 3, 2, 1)

#: The least chance to be reached, when we play for it, of a position that is followed on.
LEAST_REACH = 0.03

#: The most nodes of a short search, by the least plies left.
SHORT_NODES = {20: 50_000, 18: 20_000, 0: 5_000}


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
    """What can come of our moves in one lost position."""

    position: Position

    def do(self, tools: Tools) -> list[Trap]:
        """Return the few moves that work best by a short search, what comes of them decided exactly."""
        limit = next(nodes for left, nodes in SHORT_NODES.items() if self.position.left >= left)
        # A move that ends the game loses it at once.
        moves = [move for move, child in distinct_moves(self.position) if not child.is_over]
        short = [_trap(tools, self.position, move, limit) for move in moves]
        few = sorted(short, key=lambda trap: -trap.error)[: max(BEAM)]
        return [_trap(tools, self.position, trap.move, None) for trap in few]

    def describe(self, result: list[Trap]) -> str:
        """Return where moves were tried, and how likely the best works at once."""
        best = max((trap.error for trap in result), default=0.0)
        held = sum(len(trap.holds) for trap in result)
        return f"ply {self.position.ply}, {len(result)} traps: at best {best:.3f} at once, {held} replies hold"


def _trap(tools: Tools, position: Position, move: int, node_limit: int | None) -> Trap:
    """Decide the position after each reply to a move, and weigh it with the opponent's chance to choose it.

    node_limit: of the search for each reply; what is not decided then counts as held.
    """
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
        after = position_of(key)
        if node_limit is None:
            answer = tools.decide(after)
        else:
            answer = tools.kernel.decide(after, BLACK_WINS, node_limit=node_limit)
        if answer.winner == position.mover:
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
    move: int | None = None
    chance: float = 0.0


class Traps:
    """The trees of traps below the lost positions of a closure; each position is looked at once."""

    def __init__(self, shop: Workshop, last_left: int, watch: Callable[[str, int, int], None]) -> None:
        """Prepare.

        last_left: positions with fewer plies left are not looked at, and count as held.
        watch: shown what is being done, how much of it is done, and of how much.
        """
        self._shop = shop
        self._last_left = last_left
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
            # Where no move is worth a look, none is left but a PASS that ends the game.
            yield Choice(lost.position, PASS if lost.move is None else lost.move, None, lost.chance)

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
        jobs = [Trapping(position) for position in positions]
        self._lost.update({canonical_key(position): _Lost(position) for position in positions})
        done = 0
        for findings in self._shop.each(jobs):
            self._shop.store.record([fact for finding in findings for fact in kept_facts(finding)], self._shop.run)
            for trap in [trap for finding in findings for trap in finding.result]:
                self._lost[trap.key].traps.append(trap)
            done += len(findings)
            self._watch(f"ply {positions[0].ply}: traps in lost positions", done, len(jobs))
        for position in positions:
            self._lost[canonical_key(position)].traps.sort(key=lambda trap: (-trap.error, trap.move))

    def _weigh(self, lost: _Lost, beam: int) -> None:
        for trap in lost.traps[:beam]:
            later = sum(chance * self._chance(key) for key, chance in trap.holds.items())
            if lost.move is None or trap.error + later > lost.chance:
                lost.move, lost.chance = trap.move, trap.error + later

    def _chance(self, key: int) -> float:
        return self._lost[key].chance if key in self._lost else 0.0
