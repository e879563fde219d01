"""Compare the arena's agents with the course's own, move by move, over logged games."""

import random as chance
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from arena.agents import aggressive, alphabeta, championship, greedy, qlearning, random
from book.files.games import LoggedGame, read_games
from solver.family import COURSE
from solver.position import Position

#: The chance of each move that has the best rank by an agent's rule; 0 for those that it never takes all the same.
Chances: TypeAlias = Callable[[Position], dict[int, float]]


class Agreement(NamedTuple):
    """The share of logged moves that an agent plays.

    games, moves: looked at.
    fits: logged moves that have the best rank by the agent's rule.
    expected: logged moves that the agent plays on average.
    blind: logged moves that a random legal point hits on average.
    """

    agent: str
    games: int = 0
    moves: int = 0
    fits: int = 0
    expected: float = 0.0
    blind: float = 0.0

    def plus(self, position: Position, move: int, chances: dict[int, float]) -> "Agreement":
        """Return the agreement with one more logged move, given the agent's chances there."""
        return self._replace(
            moves=self.moves + 1,
            fits=self.fits + (move in chances),
            expected=self.expected + chances.get(move, 0.0),
            blind=self.blind + by_lot(random.candidates)(position).get(move, 0.0),
        )

    def record(self) -> dict[str, Any]:
        """Return the agreement as JSON keys; shares are of the moves, null without one."""
        shares = {"fits": self.fits, "expected": self.expected, "blind": self.blind}
        rounded = {name: round(value / self.moves, 4) if self.moves else None for name, value in shares.items()}
        return {"agent": self.agent, "games": self.games, "moves": self.moves, **rounded}


def by_lot(candidates: Callable[[Position], list[int]]) -> Chances:
    """Return the chances of an agent that draws; a candidate that is there twice is twice as likely."""

    def chances(position: Position) -> dict[int, float]:
        drawn = candidates(position)
        return {move: count / len(drawn) for move, count in Counter(drawn).items()}

    return chances


def by_rule(equals: Callable[[Position], list[int]], taken: int) -> Chances:
    """Return the chances of an agent that of equal moves takes the first (``taken`` = 0) or the last (-1)."""

    def chances(position: Position) -> dict[int, float]:
        moves = equals(position)
        return {move: float(move == moves[taken]) for move in moves}

    return chances


#: The agents that stand for a class of the course's, by its name.
AGENTS: dict[str, Chances] = {
    "random": by_lot(random.candidates),
    "greedy": by_lot(greedy.candidates),
    "aggressive": by_lot(aggressive.candidates),
    "alphabeta": by_rule(alphabeta.equals, -1),
    "qlearning": by_lot(qlearning.candidates),
    "championship": by_lot(partial(championship.candidates, game=COURSE)),
}


def open_games(path: Path) -> list[LoggedGame]:
    """Return the games in a file of JSON lines, gzipped if its name ends in .gz, of equal games one.

    The keys are ``staff_agent``, ``staff_color`` and ``moves``. Raises GamesError.
    """
    return list(dict.fromkeys(read_games(path)))


def sample(games: Iterable[LoggedGame], most: int | None, seed: int) -> list[LoggedGame]:
    """Return the games of the classes in AGENTS, at most so many of each, drawn by the seed; all for None."""
    by_agent: dict[str, list[LoggedGame]] = {agent: [] for agent in AGENTS}
    for game in games:
        by_agent.get(game.agent, []).append(game)
    rng = chance.Random(seed)
    drawn = (of if most is None or most >= len(of) else rng.sample(of, most) for of in by_agent.values())
    return [game for of in drawn for game in of]


def agreements(games: Iterable[LoggedGame]) -> Iterator[dict[str, Agreement]]:
    """Yield the agreements by agent, after each game: those so far."""
    found = {agent: Agreement(agent) for agent in AGENTS}
    for game in games:
        agreement = found[game.agent]
        for position, move in game.steps():
            if position.mover == game.colour:
                agreement = agreement.plus(position, move, AGENTS[game.agent](position))
        found[game.agent] = agreement._replace(games=agreement.games + 1)
        yield found


def table(found: Iterable[Agreement]) -> list[str]:
    """Return the agreements as lines of text."""
    lines = [f"{'agent':12} {'games':>6} {'moves':>6} {'fits':>7} {'plays':>7} {'random':>7}"]
    for agreement in found:
        record = agreement.record()
        shares = ["-" if record[key] is None else f"{record[key]:.1%}" for key in ("fits", "expected", "blind")]
        lines.append(
            f"{agreement.agent:12} {agreement.games:6,} {agreement.moves:6,} "
            f"{shares[0]:>7} {shares[1]:>7} {shares[2]:>7}"
        )
    return lines
