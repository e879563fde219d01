"""The closure of a colour: what we play in every position that our own play can lead to.

From the start, our side plays its chosen move and the other side anything legal, PASS too. A won position gets a
winning move, a lost one the move on which opponents most often err (generator.questions.traps). It ends where the
player's own solver is known to decide every position by itself.

Each level, the positions at one of our plies, is planned in parallel; what is found goes into the store batch by
batch, and a later run goes on from it. Then, of the winning moves, those are chosen that together lead to few
positions at our next ply: first the one that adds fewest to what is reached already, then, a few times over, each
again in the light of all others. Where the player decides by itself there is no choice, as it plays its own move.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from book.answers.strategy import Wins, fewest_replies, replies_after
from book.files.atlas import SEARCH
from book.store.facts import Choice, Fact
from generator.questions.planning import Plan, Planning
from generator.questions.traps import Traps
from generator.workers.worker import Finding
from generator.workers.workshop import Workshop
from solver.family import Variant
from solver.position import Position
from solver.steps import children
from solver.symmetry import canonical_key, position_of

#: Positions that a job plans: a second's work or two. With DEAR_LEFT plies left or more, each is work enough.
BATCH, DEAR_LEFT = 10, 18


@dataclass(frozen=True)
class Level:
    """The positions at one of our plies.

    positions: in all. won: of these. alone: won ones that the player decides by itself.
    """

    ply: int
    positions: int
    won: int
    alone: int


class Closure:
    """The closure of one colour of a game, worked out by a crew into a store."""

    def __init__(
        self,
        shop: Workshop,
        traps: Traps,
        solver_limit: int,
        watch: Callable[[str, int, int], None],
        game: Variant,
    ) -> None:
        """Prepare.

        solver_limit: the most nodes that the player's own solver may take at a move.
        watch: shown what is being done, how much of it is done, and of how much.
        game: who wins is asked by its komi.
        """
        self._game = game
        self._shop = shop
        self._traps = traps
        self._solver_limit = solver_limit
        self._watch = watch

    def close(
        self,
        start: Position,
        colour: int,
        last_left: int,
        finished: Callable[[Level], None],
        only: Position | None = None,
    ) -> None:
        """Choose a move in every position of ``colour`` (1 or 2) that can arise, with ``last_left`` plies left or more.

        finished: told of each level.
        only: one of the first positions of ``colour``; choose only what follows from there.
        Raises Stopped, CrewError, and StoreError (Contradiction included).
        """
        level = {canonical_key(start)} if start.mover == colour else children(start)
        level = level if only is None else {canonical_key(only)}
        self._traps.begin(start, colour)
        while level and position_of(min(level)).left >= last_left:
            positions = [position_of(key) for key in sorted(level)]
            self._close_level([position for position in positions if self._shop.store.choice_of(position) is None])
            choices = [choice for choice in map(self._shop.store.choice_of, positions) if choice is not None]
            lost = [choice for choice in choices if choice.chance is not None]
            alone = sum(choice.solver_nodes is not None for choice in choices)
            finished(Level(positions[0].ply, len(level), len(level) - len(lost), alone))
            level = {key for choice in choices for key in replies_after(choice.position, choice.move)}
            self._traps.follow(lost)

    def _close_level(self, positions: list[Position]) -> None:
        """Choose a move in positions of one ply that have none yet."""
        wins = {position: self._known_wins(position) for position in positions}
        lost = self._plan([position for position, known in wins.items() if not known], wins)
        few = fewest_replies({position: known for position, known in wins.items() if known})
        self._shop.store.choose((Choice(position, move) for position, move in few.items()), self._shop.run)
        self._shop.store.choose(self._traps.choices(lost), self._shop.run)

    def _known_wins(self, position: Position) -> Wins:
        """Return the winning moves that an earlier run recorded."""
        return {move: replies_after(position, move) for move in self._shop.store.winning_moves(position)}

    def _plan(self, positions: list[Position], wins: dict[Position, Wins]) -> list[Position]:
        """Find out who wins positions of one ply: fill in ``wins`` where we choose, and return the lost ones."""
        size = 1 if positions and positions[0].left >= DEAR_LEFT else BATCH
        batches = [tuple(positions[at : at + size]) for at in range(0, len(positions), size)]
        lost: list[Position] = []
        done = 0
        jobs = [Planning(batch, self._solver_limit, self._game) for batch in batches]
        for findings in self._shop.each(jobs):
            plans = [plan for finding in findings for plan in finding.result]
            if plans:
                self._shop.store.record(_facts(findings, self._game), self._shop.run)
                alone = [plan for plan in plans if plan.solver_nodes is not None]
                self._shop.store.choose(
                    (Choice(each.position, next(iter(each.wins)), each.solver_nodes) for each in alone), self._shop.run
                )
                wins.update({plan.position: plan.wins for plan in plans if plan.solver_nodes is None})
                lost += [plan.position for plan in plans if not plan.wins]
                done += len(plans)
            self._watch(f"ply {positions[0].ply - self._game.first_ply}: who wins, and how", done, len(positions))
        return lost


def _facts(findings: Iterable[Finding], game: Variant) -> Iterator[Fact]:
    for finding in findings:
        yield from finding.facts([_fact(plan, finding.maker, game) for plan in finding.result])


def _fact(plan: Plan, maker: int | None, game: Variant) -> Fact:
    # A move that the player finds by itself is no choice of ours, and needs no record.
    won = game.won_by(plan.position.mover)
    moves = dict.fromkeys(plan.wins, won) if plan.solver_nodes is None else {}
    return Fact(plan.position, *plan.answer, moves=moves, maker=maker, origin=SEARCH)
