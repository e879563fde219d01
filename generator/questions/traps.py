"""Traps: in a lost position, the move after which opponents most often throw the win away.

Whom we play is not known, but the moves so far tell: each class of opponents (population.py) has its weight before
the game, times the chances that it plays what was played. The chance of a lost position is, over all classes by these
weights, the most over our moves of the chance that the reply errs, plus, for each reply that holds, its chance times
the chance of the position it leads to: an expectimax over our moves and the opponents' replies. Opponents who see
little fall for anything, so among moves that are nearly equal the one that works best against strong opponents is
taken.

What a reply is worth is decided exactly, so a choice depends on the game and on the classes alone. To keep the tree
small, fewer moves are followed the deeper it goes, and only replies that are not too unlikely; what is not followed
counts as held.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from book.store.facts import Choice
from generator.opponents.population import EVALUATIONS, EXACT_LEFT, ByClass, open_population, plus, times, total
from generator.opponents.searchers import Searcher
from generator.workers.search_run import SearchRun
from generator.workers.worker import Job, Tools
from solver.family import COURSE, Variant
from solver.native import distinct_steps, steps_from
from solver.position import PASS, Position, neighbours
from solver.symmetry import canonical_key, position_of

#: How many of our moves are followed on: in the position itself, then at our next plies. In games other than the
#: course's, whose traps should take minutes, none is, and no opponent looks further ahead than
#: DEEPEST_ELSEWHERE.
BEAM, BEAM_ELSEWHERE = (4, 3, 2, 1), (3,)

#: In other games this many moves are tried, the best ones by this search. Far behind, no move works within what is
#: followed: then the best of them is played, and not the first on the board.
TRIED_ELSEWHERE, RANKING = 4, Searcher(EVALUATIONS["atari"], 4)

#: How many stones worse than the best move it may see a move that it still ranks.
RANKED_STONES = 2

#: A move that works at once so much less often than the best one is not followed on.
FAR_BEHIND = 0.25

#: A reply is followed only if at least this share of the opponents come to the position and play it.
LEAST_REACH = 0.02

#: A reply that so small a share plays is not decided.
HARDLY = 0.002

#: A move that works so much less often than the best one is nearly as good.
NEARLY_AS_GOOD = 0.01

#: With fewer plies left no trap is laid: the opponent's last few moves leave no room for one.
LAST_TRAP = 5


@dataclass(frozen=True)
class Trap:
    """A move in a lost position.

    key: the canonical key of the lost position.
    errors: by class, the chance that the reply throws the win away.
    holds: the replies that keep it: canonical key of the position after each, and its chance by class.
    """

    key: int
    move: int
    errors: ByClass
    holds: Mapping[int, ByClass]


@dataclass(frozen=True)
class Trapping(Job):
    """A job: the traps that our moves set in one lost position.

    here: how much of each class comes there.
    moves: those to be looked at, however badly they work; None for all that are not far behind.
    """

    position: Position
    here: ByClass
    moves: tuple[int, ...] | None = None
    game: Variant = field(kw_only=True)

    def do(self, tools: Tools) -> list[Trap]:
        """Return the moves that do not work far less often than the best one."""
        found: list[tuple[float, Trap]] = []
        best = 0.0
        for move in self._tried() if self.moves is None else self.moves:
            least = best - FAR_BEHIND if self.moves is None else -1.0
            trap = _decided(tools, self.position, move, self.here, least * total(self.here), self.game)
            if trap is not None:
                won = total(times(self.here, trap.errors)) / total(self.here)
                best = max(best, won)
                found.append((won, trap))
        return [trap for won, trap in found if self.moves is not None or won >= best - FAR_BEHIND]

    def _tried(self) -> list[int]:
        """Return the moves that go on, those beside many stones first: one that works well spares looks at others.

        In games other than the course's a few of them, those first that RANKING prefers.
        """
        stones = self.position.black | self.position.white
        moves = [move for move, _, child in distinct_steps(self.position) if not child.is_over]
        ranked = sorted(moves, key=lambda move: -_contacts(move, stones))
        if self.game == COURSE:
            return ranked
        scores = RANKING.scores(self.position, RANKED_STONES * RANKING.evaluation[0])
        worst = min(scores.values()) - 1
        return sorted(ranked, key=lambda move: -scores.get(move, worst))[:TRIED_ELSEWHERE]

    def describe(self, result: list[Trap]) -> str:
        """Summarise the traps: the ply, how many, and the chance that the best works at once."""
        best = max((total(times(self.here, trap.errors)) for trap in result), default=0.0) / total(self.here)
        held = sum(len(trap.holds) for trap in result)
        return f"ply {self.position.ply}, {len(result)} traps: at best {best:.3f} at once, {held} replies hold"


def _contacts(move: int, stones: int) -> int:
    return 0 if move == PASS else (neighbours(1 << move) & stones).bit_count()


def _decided(tools: Tools, position: Position, move: int, here: ByClass, least: float, game: Variant) -> Trap | None:
    """Decide what the replies to a move are worth, the likeliest first; None once it cannot win ``least`` any more.

    Replies that are hardly ever played count as held, and nothing follows them.
    """
    child = position.play(move)
    keys = {reply: key for reply, key, _ in steps_from(child)}
    # Opponents that play exactly choose by the results of this search.
    known = (
        {}
        if child.left > max(EXACT_LEFT)
        else {key: _winner(tools, position_of(key), game) for key in set(keys.values())}
    )
    chances = open_population(game).chances(
        child, [reply for reply, key in keys.items() if known.get(key) == child.mover]
    )
    by_key: dict[int, ByClass] = {}
    for reply, key in keys.items():
        by_key[key] = plus(by_key[key], chances[reply]) if key in by_key else chances[reply]
    masses = {key: total(times(here, each)) for key, each in by_key.items()}
    errors: ByClass = (0.0,) * len(here)
    holds: dict[int, ByClass] = {}
    open_mass = total(here)
    for key in sorted(masses, key=lambda key: (-masses[key], key)):
        if masses[key] < HARDLY * total(here):
            break
        if (known[key] if key in known else _winner(tools, position_of(key), game)) == position.mover:
            errors = plus(errors, by_key[key])
            continue
        open_mass -= masses[key]
        if open_mass < least:
            return None
        if position_of(key).left:
            holds[key] = by_key[key]
    return Trap(canonical_key(position), move, errors, holds)


def _winner(tools: Tools, position: Position, game: Variant) -> int | None:
    return game.leader(position) if position.is_over else game.winner(tools.decide(position, game))


class Traps:
    """The trees of traps below the lost positions of a closure; each position is looked at once."""

    def __init__(self, shop: SearchRun, watch: Callable[[str, int, int], None], game: Variant) -> None:
        """watch: shown what is being done, how much of it is done, and of how much."""
        self._shop = shop
        self._watch = watch
        self._game = game
        self._population = open_population(game)
        self._beam = BEAM if game == COURSE else BEAM_ELSEWHERE
        #: By lost position, its moves that are worth a look; of two that work as well the first is taken.
        self._lost: dict[int, list[Trap]] = {}
        #: By lost position, how much of each class comes there when we play for it.
        self._arriving: dict[int, ByClass] = {}

    def begin(self, start: Position, colour: int) -> None:
        """Note how much of each class opens how; with ``colour`` to move first, all of it is at the start."""
        if start.mover == colour:
            self._arrive(canonical_key(start), self._population.weights)
            return
        chances = self._population.chances(start, start.legal_moves())
        for move, key, child in steps_from(start):
            if not child.is_over:
                self._arrive(key, times(self._population.weights, chances[move]))

    def choices(self, positions: Sequence[Position]) -> Iterator[Choice]:
        """Yield our choice in each of some lost positions of one ply, with the chance that it works."""
        reach = {canonical_key(position): [self._here(position)] for position in positions}
        for beam in self._beam:
            self._look_at({key: reduce(plus, arriving) for key, arriving in reach.items() if key not in self._lost})
            reach = self._followed(reach, beam)
        for position in positions:
            key, here = canonical_key(position), self._here(position)
            trap, won = self._best(key, here, 0)
            # Without a move worth a look, only a PASS is left, which ends the game.
            yield Choice(position_of(key), PASS if trap is None else trap.move, None, total(won) / total(here))

    def follow(self, choices: Iterable[Choice]) -> None:
        """Note how much of each class comes where after our choices in lost positions of one ply."""
        goes_on = [choice for choice in choices if not choice.position.play(choice.move).is_over]
        jobs = [
            Trapping(choice.position, self._here(choice.position), (choice.move,), game=self._game)
            for choice in goes_on
        ]
        for trap in self._done(jobs, "who falls into the traps"):
            for after, chances in trap.holds.items():
                self._arrive(after, times(self._here(position_of(trap.key)), chances))

    def _arrive(self, key: int, masses: ByClass) -> None:
        self._arriving[key] = plus(self._arriving[key], masses) if key in self._arriving else masses

    def _here(self, position: Position) -> ByClass:
        """Return each class's weight at a position: as followed so far, or else as before the game."""
        return self._arriving.get(canonical_key(position), self._population.weights)

    def _followed(self, reach: Mapping[int, list[ByClass]], beam: int) -> dict[int, list[ByClass]]:
        """Return the lost positions at our next ply that are worth a look, with all that may come there."""
        after: dict[int, list[ByClass]] = {}
        for lost, arriving in reach.items():
            for here in arriving:
                for trap in _worth_following(self._lost[lost], here, beam):
                    for key, masses in self._likely(trap, here).items():
                        after.setdefault(key, []).append(masses)
        return after

    def _likely(self, trap: Trap, here: ByClass) -> dict[int, ByClass]:
        """Return each class's weight after the replies that hold, if it is not too small and a trap has room there."""
        going_on = {key: times(here, chances) for key, chances in trap.holds.items()}
        least = LEAST_REACH * total(here)
        return {
            key: masses
            for key, masses in going_on.items()
            if total(masses) >= least and position_of(key).left >= LAST_TRAP
        }

    def _best(self, key: int, here: ByClass, depth: int) -> tuple[Trap | None, ByClass]:
        """Return the best move of a lost position and, by class, how much of what comes here it beats."""
        nothing: ByClass = (0.0,) * len(here)
        if depth == len(self._beam) or key not in self._lost:
            return None, nothing
        tried = []
        for trap in _worth_following(self._lost[key], here, self._beam[depth]):
            won = times(here, trap.errors)
            for after, masses in self._likely(trap, here).items():
                won = plus(won, self._best(after, masses, depth + 1)[1])
            tried.append((trap, won))
        if not tried:
            return None, nothing
        least = max(total(won) for _, won in tried) - NEARLY_AS_GOOD * total(here)
        near = [each for each in tried if total(each[1]) >= least]
        order = [trap.move for trap in self._lost[key]]
        return max(near, key=lambda each: (total(each[1], self._population.strong), -order.index(each[0].move)))

    def _look_at(self, arriving: Mapping[int, ByClass]) -> None:
        """Find the results of the moves in lost positions of one ply, given how much of each class comes there."""
        self._lost.update({key: [] for key in arriving})
        jobs = [Trapping(position_of(key), arriving[key], game=self._game) for key in sorted(arriving)]
        for trap in self._done(jobs, "traps in lost positions"):
            self._lost[trap.key].append(trap)
        if self._game == COURSE:
            for key in arriving:
                self._lost[key].sort(key=lambda trap: trap.move)

    def _done(self, jobs: Sequence[Trapping], what: str) -> Iterator[Trap]:
        """Yield the traps that jobs find, and keep what they prove."""
        done = 0
        for findings in self._shop.each(jobs):
            self._shop.store.record([fact for finding in findings for fact in finding.facts()], self._shop.run)
            for finding in findings:
                yield from finding.result
            done += len(findings)
            self._watch(f"ply {jobs[0].position.ply - self._game.first_ply}: {what}", done, len(jobs))


def _worth_following(traps: Sequence[Trap], here: ByClass, beam: int) -> list[Trap]:
    """Return the few moves that work best at once, the best first."""
    at_once = [(total(times(here, trap.errors)), trap) for trap in traps]
    least = max((won for won, _ in at_once), default=0.0) - FAR_BEHIND * total(here)
    ranked = sorted(at_once, key=lambda each: -each[0])
    return [trap for won, trap in ranked[:beam] if won >= least]
