"""Traps: in a lost position, the move after which opponents most often throw the win away.

The opponent is unknown, but the moves so far are evidence. The weight of a class of opponents (population.py) is its
weight before the game, times the chances that this class plays the moves of the game. Our chance of winning a lost
position is an expectimax over our moves and the opponents' replies, averaged over the classes by their weights. This
chance is a maximum over our moves. For each move, two parts are added: the chance that the reply errs, and for each
reply that holds the win, the chance of the reply times our chance in the position after it. Weak opponents err after
almost any move, so among nearly equal moves the one that works best against strong opponents is chosen.

The winner after a reply is decided exactly, so a choice depends only on the game and the classes. To keep the tree
small, fewer moves are followed at each deeper ply, and very unlikely replies are not followed. A reply that is not
followed counts as holding the win.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from little_go.book.store.facts import Choice
from little_go.generator.opponents.population import (
    EVALUATIONS,
    EXACT_LEFT,
    ByClass,
    open_population,
    plus,
    times,
    total,
)
from little_go.generator.opponents.searchers import Searcher
from little_go.generator.workers.search_run import SearchRun
from little_go.generator.workers.worker import Job, WorkerKernel
from little_go.solver.family import COURSE, Variant
from little_go.solver.native import distinct_steps, steps_from
from little_go.solver.position import PASS, Position, neighbours
from little_go.solver.symmetry import canonical_key, position_of

#: The number of our moves that are followed: in the position itself, and then at each of our next plies. In games other
#: than the course's game, the next plies are not searched, so that the search takes only minutes.
BEAM, BEAM_ELSEWHERE = (4, 3, 2, 1), (3,)

#: In games other than the course's game, only this many moves are tried: the best moves by the mid-game search RANKING.
#: If the side is far behind, no move sets a trap within the tree, and the best move by RANKING is played.
TRIED_ELSEWHERE, RANKING = 4, Searcher(EVALUATIONS["atari"], 4)

#: RANKING ranks only moves whose score is at most this many stones below the best score.
RANKED_STONES = 2

#: A move is not followed if the chance of an immediate error is smaller by this much than after the best move.
FAR_BEHIND = 0.25

#: A reply is followed only if at least this share of the opponents reaches the position and plays the reply.
LEAST_REACH = 0.02

#: If a smaller share of the opponents plays a reply, the winner after this reply is not computed.
IGNORED_SHARE = 0.002

#: Moves whose chance is at most this much below the best chance count as equal.
NEARLY_AS_GOOD = 0.01

#: With fewer plies left than this, no trap is searched, because the opponent has too few moves left to err.
LAST_TRAP = 5


@dataclass(frozen=True)
class Trap:
    """A move in a lost position.

    key: the canonical key of the lost position. errors: the probability that the reply throws the win away, by class of
    opponents. holds: for each reply that keeps the win, its probability by class. The dictionary's keys are the
    canonical keys of the positions after the replies.
    """

    key: int
    move: int
    errors: ByClass
    holds: Mapping[int, ByClass]


@dataclass(frozen=True)
class TrapSearch(Job):
    """A job: find the traps that our moves set in a lost position.

    weights: the weights of the classes in this position. moves: the moves to try, even if they work badly; None if all
    moves that are not far behind the best one are tried.
    """

    position: Position
    weights: ByClass
    moves: tuple[int, ...] | None = None
    game: Variant = field(kw_only=True)

    def do(self, worker: WorkerKernel) -> list[Trap]:
        """Return the traps whose chance of an immediate error is not far below the best one."""
        found: list[tuple[float, Trap]] = []
        best = 0.0
        for move in self._moves_to_try() if self.moves is None else self.moves:
            least = best - FAR_BEHIND if self.moves is None else -1.0
            trap = _find_trap(worker, self.position, move, self.weights, least * total(self.weights), self.game)
            if trap is not None:
                won = total(times(self.weights, trap.errors)) / total(self.weights)
                best = max(best, won)
                found.append((won, trap))
        return [trap for won, trap in found if self.moves is not None or won >= best - FAR_BEHIND]

    def _moves_to_try(self) -> list[int]:
        """Return the moves that do not end the game, beginning with the moves that are next to the most stones.

        If an early move works well, most other moves need no search. In games other than the course's, return only the
        best TRIED_ELSEWHERE moves by RANKING.
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
        """Return a line with the ply, the number of traps, and the best chance of an immediate error."""
        best = max((total(times(self.weights, trap.errors)) for trap in result), default=0.0) / total(self.weights)
        held = sum(len(trap.holds) for trap in result)
        return f"ply {self.position.ply}, {len(result)} traps: at best {best:.3f} at once, {held} replies hold"


def _contacts(move: int, stones: int) -> int:
    return 0 if move == PASS else (neighbours(1 << move) & stones).bit_count()


def _find_trap(
    worker: WorkerKernel, position: Position, move: int, weights: ByClass, least: float, game: Variant
) -> Trap | None:
    """Find the winner after each reply to a move, the most likely reply first, and return the trap.

    least: return None if the opponents that err have less weight than this. A reply with a smaller share than
    IGNORED_SHARE is not searched, and counts as holding the win.
    """
    child = position.play(move)
    keys = {reply: key for reply, key, _ in steps_from(child)}
    winners = _winners_near_the_end(worker, child, set(keys.values()), game)
    chances = _chances_by_key(child, keys, winners, game)
    masses = {key: total(times(weights, by_class)) for key, by_class in chances.items()}
    errors: ByClass = (0.0,) * len(weights)
    holds: dict[int, ByClass] = {}
    may_err = total(weights)
    for key in sorted(masses, key=lambda key: (-masses[key], key)):
        if masses[key] < IGNORED_SHARE * total(weights):
            break
        if (winners[key] if key in winners else _winner(worker, position_of(key), game)) == position.mover:
            errors = plus(errors, chances[key])
            continue
        may_err -= masses[key]
        if may_err < least:
            return None
        if position_of(key).left:
            holds[key] = chances[key]
    return Trap(canonical_key(position), move, errors, holds)


def _winners_near_the_end(
    worker: WorkerKernel, child: Position, keys: Collection[int], game: Variant
) -> dict[int, int | None]:
    """Return the winner of each position after a reply, or {} if no opponents play exactly in this position.

    The moves of these opponents depend on the winners, so all winners must be known before any chance.
    """
    if child.left > max(EXACT_LEFT):
        return {}
    return {key: _winner(worker, position_of(key), game) for key in keys}


def _chances_by_key(
    child: Position, keys: Mapping[int, int], winners: Mapping[int, int | None], game: Variant
) -> dict[int, ByClass]:
    """Return the probability by class of each position after a reply, by the position's key."""
    holding = [reply for reply, key in keys.items() if winners.get(key) == child.mover]
    chances = open_population(game).chances(child, holding)
    by_key: dict[int, ByClass] = {}
    for reply, key in keys.items():
        by_key[key] = plus(by_key[key], chances[reply]) if key in by_key else chances[reply]
    return by_key


def _winner(worker: WorkerKernel, position: Position, game: Variant) -> int | None:
    return game.leader(position) if position.is_over else game.winner(worker.decide(position, game))


class Traps:
    """The trees of traps below the lost positions of a closure; each position is searched once."""

    def __init__(self, search_run: SearchRun, watch: Callable[[str, int, int], None], game: Variant) -> None:
        """watch: a function that is called with the name of the current step, the number of positions done, and the
        total number.
        """
        self._search_run = search_run
        self._watch = watch
        self._game = game
        self._population = open_population(game)
        self._beam = BEAM if game == COURSE else BEAM_ELSEWHERE
        #: The traps that the moves of each lost position set. If two traps are equally good, the first is chosen.
        self._lost: dict[int, list[Trap]] = {}
        #: The weights of the classes at each lost position, given our choices so far.
        self._arriving: dict[int, ByClass] = {}

    def begin(self, start: Position, colour: int) -> None:
        """Set the weights of the classes at the first positions in which ``colour`` (1 or 2) moves."""
        if start.mover == colour:
            self._arrive(canonical_key(start), self._population.weights)
            return
        chances = self._population.chances(start, start.legal_moves())
        for move, key, child in steps_from(start):
            if not child.is_over:
                self._arrive(key, times(self._population.weights, chances[move]))

    def choices(self, positions: Sequence[Position]) -> Iterator[Choice]:
        """Yield the chosen move in each of the lost positions of a ply, with the chance that it works."""
        reach = {canonical_key(position): [self._weights_at(position)] for position in positions}
        for beam in self._beam:
            self._find_traps({key: reduce(plus, arriving) for key, arriving in reach.items() if key not in self._lost})
            reach = self._followed(reach, beam)
        for position in positions:
            key, weights = canonical_key(position), self._weights_at(position)
            trap, won = self._best(key, weights, 0)
            # If no move continues the game, only a PASS is left, which ends the game.
            yield Choice(position_of(key), PASS if trap is None else trap.move, None, total(won) / total(weights))

    def follow(self, choices: Iterable[Choice]) -> None:
        """Set the weights of the classes at all positions that can follow our choices in lost positions of a ply."""
        continuing = [choice for choice in choices if not choice.position.play(choice.move).is_over]
        jobs = [
            TrapSearch(choice.position, self._weights_at(choice.position), (choice.move,), game=self._game)
            for choice in continuing
        ]
        for trap in self._run_jobs(jobs, "replies to the traps"):
            for after, chances in trap.holds.items():
                self._arrive(after, times(self._weights_at(position_of(trap.key)), chances))

    def _arrive(self, key: int, masses: ByClass) -> None:
        self._arriving[key] = plus(self._arriving[key], masses) if key in self._arriving else masses

    def _weights_at(self, position: Position) -> ByClass:
        """Return the weights of the classes at a position.

        If the position is new, return the weights before the game.
        """
        return self._arriving.get(canonical_key(position), self._population.weights)

    def _followed(self, reach: Mapping[int, list[ByClass]], beam: int) -> dict[int, list[ByClass]]:
        """Return the lost positions to search at our next ply, with the weights of the classes on each path there."""
        after: dict[int, list[ByClass]] = {}
        for lost, arriving in reach.items():
            for weights in arriving:
                for trap in _worth_following(self._lost[lost], weights, beam):
                    for key, masses in self._likely(trap, weights).items():
                        after.setdefault(key, []).append(masses)
        return after

    def _likely(self, trap: Trap, weights: ByClass) -> dict[int, ByClass]:
        """Return the weights of the classes after each holding reply that is likely enough and early enough."""
        after = {key: times(weights, chances) for key, chances in trap.holds.items()}
        least = LEAST_REACH * total(weights)
        return {
            key: masses
            for key, masses in after.items()
            if total(masses) >= least and position_of(key).left >= LAST_TRAP
        }

    def _best(self, key: int, weights: ByClass, depth: int) -> tuple[Trap | None, ByClass]:
        """Return the best trap of a lost position, and the part of each class's weight against which the trap works.

        depth: the number of our plies since the position whose move is chosen.
        """
        nothing: ByClass = (0.0,) * len(weights)
        if depth == len(self._beam):
            return None, nothing
        tried = []
        for trap in _worth_following(self._lost[key], weights, self._beam[depth]):
            won = times(weights, trap.errors)
            for after, masses in self._likely(trap, weights).items():
                won = plus(won, self._best(after, masses, depth + 1)[1])
            tried.append((trap, won))
        if not tried:
            return None, nothing
        least = max(total(won) for _, won in tried) - NEARLY_AS_GOOD * total(weights)
        near = [each for each in tried if total(each[1]) >= least]
        order = [trap.move for trap in self._lost[key]]
        return max(near, key=lambda each: (total(each[1], self._population.strong), -order.index(each[0].move)))

    def _find_traps(self, arriving: Mapping[int, ByClass]) -> None:
        self._lost.update({key: [] for key in arriving})
        jobs = [TrapSearch(position_of(key), arriving[key], game=self._game) for key in sorted(arriving)]
        for trap in self._run_jobs(jobs, "traps in lost positions"):
            self._lost[trap.key].append(trap)
        if self._game == COURSE:
            for key in arriving:
                self._lost[key].sort(key=lambda trap: trap.move)

    def _run_jobs(self, jobs: Sequence[TrapSearch], what: str) -> Iterator[Trap]:
        """Yield the traps that the jobs find, and store the intermediate results.

        what: the name of the step, which the display shows.
        """
        done = 0
        for job_results in self._search_run.each(jobs):
            self._search_run.record([fact for job_result in job_results for fact in job_result.facts()])
            for job_result in job_results:
                yield from job_result.result
            done += len(job_results)
            self._watch(f"ply {jobs[0].position.ply - self._game.first_ply}: {what}", done, len(jobs))


def _worth_following(traps: Sequence[Trap], weights: ByClass, beam: int) -> list[Trap]:
    """Return at most ``beam`` traps, sorted from the highest chance of an immediate error.

    Omit traps whose chance is far below the highest chance.
    """
    won_by_traps = [(total(times(weights, trap.errors)), trap) for trap in traps]
    least = max((won for won, _ in won_by_traps), default=0.0) - FAR_BEHIND * total(weights)
    ranked = sorted(won_by_traps, key=lambda each: -each[0])
    return [trap for won, trap in ranked[:beam] if won >= least]
