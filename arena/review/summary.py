"""Many games reviewed: where each agent goes wrong most, by ply and by kind, and what it cost."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from statistics import fmean
from typing import Any, TypeVar

from arena.match.host import PLAYED_OUT
from arena.review.kinds import KINDS
from arena.review.review import Mistake, Review
from arena.review.text import WIDTH, cost_text, indented, wrapped
from arena.standings.aligned import aligned
from arena.standings.tally import SIDES, counted
from solver.position import GAME_PLIES, move_name
from solver.symmetry import canonical_key

_Sort = TypeVar("_Sort")

#: As many plies and moves are named.
MOST_PLIES = MOST_MOVES = 5


@dataclass
class Against:
    """An agent's games against one opponent. won, games: by its colour. threw_away: lost ones that it had won.

    points: what its mistakes cost.
    """

    games: Counter[int] = field(default_factory=Counter)
    won: Counter[int] = field(default_factory=Counter)
    threw_away: int = 0
    points: int = 0


@dataclass
class AgentSummary:
    """An agent's games.

    games, lost: played, and lost. threw_away: lost ones that it had won at some time, by its own turning point.
    faults: lost for another reason than the score. plies: how many moves it made at each ply.
    mistakes: all that it made. cpu: seconds of its calls, by ply. against: its games by the opponents' names.
    """

    games: int = 0
    lost: int = 0
    threw_away: int = 0
    faults: int = 0
    plies: Counter[int] = field(default_factory=Counter)
    mistakes: list[Mistake] = field(default_factory=list)
    cpu: dict[int, list[float]] = field(default_factory=dict)
    against: dict[str, Against] = field(default_factory=dict)

    def add(self, review: Review, colour: int) -> None:
        """Count a game that it played as 1 = Black or 2 = White."""
        result, turning = review.state.result, review.turning_point
        mine = [mistake for mistake in review.mistakes if mistake.mover == colour]
        against = self.against.setdefault(review.game.agent(3 - colour), Against())
        self.games += 1
        self.plies.update(ply for ply in range(1, len(review.positions)) if 2 - ply % 2 == colour)
        self.mistakes += mine
        for ply, seconds in enumerate(review.game.cpu, 1):
            if 2 - ply % 2 == colour:
                self.cpu.setdefault(ply, []).append(seconds)
        against.games[colour] += 1
        against.points += _cost(mine)
        if result is not None and result.winner != colour:
            threw_away = turning is not None and turning.mover == colour
            self.lost += 1
            self.faults += result.reason not in PLAYED_OUT
            self.threw_away += threw_away
            against.threw_away += threw_away
        elif result is not None:
            against.won[colour] += 1

    def by_ply(self) -> dict[int, tuple[int, int, int]]:
        """Return, for each ply with mistakes, how many, how many of them decisive, and the points they cost."""
        return dict(sorted(self._counts(attrgetter("ply")).items()))

    def by_kind(self) -> dict[str, tuple[int, int, int]]:
        """Return the same for each kind of mistake, all of KINDS."""
        return {**dict.fromkeys(KINDS, (0, 0, 0)), **self._counts(attrgetter("kind"))}

    def by_move(self) -> list[list[Mistake]]:
        """Return its mistakes, those alike together: the same move in the same position but for a turn or a reflection.

        Those that lost the win most often, and then those that cost most, come first.
        """
        found: dict[tuple[int, int], list[Mistake]] = {}
        for mistake in self.mistakes:
            after = mistake.position.play(mistake.move)
            found.setdefault((canonical_key(mistake.position), canonical_key(after)), []).append(mistake)
        return sorted(found.values(), key=lambda alike: (-_decisive(alike), -_cost(alike), alike[0].ply))

    def _counts(self, sort_of: Callable[[Mistake], _Sort]) -> dict[_Sort, tuple[int, int, int]]:
        found: dict[_Sort, tuple[int, int, int]] = {}
        for mistake in self.mistakes:
            count, decisive, cost = found.get(sort_of(mistake), (0, 0, 0))
            found[sort_of(mistake)] = count + 1, decisive + mistake.decisive, cost + mistake.cost
        return found

    def record(self) -> dict[str, Any]:
        """Return the summary as JSON keys."""
        names = ("mistakes", "decisive", "cost")
        return {
            "games": self.games,
            "lost": self.lost,
            "threw_away": self.threw_away,
            "faults": self.faults,
            "plies": [
                {"ply": ply, "moves": self.plies[ply], **dict(zip(names, counts, strict=True))}
                for ply, counts in self.by_ply().items()
            ],
            "moves": [
                {"times": len(alike), "decisive": _decisive(alike), "cost": _cost(alike), **alike[0].record()}
                for alike in self.by_move()[:MOST_MOVES]
            ],
            "kinds": [
                {"kind": kind, **dict(zip(names, counts, strict=True))} for kind, counts in self.by_kind().items()
            ],
            "against": [
                {
                    "opponent": name,
                    **{
                        SIDES[colour - 1]: {"games": games.games[colour], "wins": games.won[colour]}
                        for colour in (1, 2)
                    },
                    "threw_away": games.threw_away,
                    "cost": games.points,
                }
                for name, games in self.against.items()
            ],
            "cpu": [
                {"ply": ply, "mean": fmean(seconds), "max": max(seconds)} for ply, seconds in sorted(self.cpu.items())
            ],
        }

    def text(self, name: str) -> list[str]:
        """Return the summary as lines of text."""
        cost = sum(mistake.cost for mistake in self.mistakes)
        lines = [f"{name}: {counted(self.games, 'game')}, {self.lost} lost"]
        if self.lost:
            lines.append(f"  {self.threw_away} thrown away from a win, {self.faults} lost by a fault")
        lines.append(f"  {counted(len(self.mistakes), 'mistake')}, {counted(cost, 'point')} in all")
        if self.mistakes:
            lines += ["", *indented(self._plies_table()), "", *indented(self._kinds_table())]
            lines += [
                "",
                "  worst moves",
                *indented(line for alike in self.by_move()[:MOST_MOVES] for line in _move(alike)),
            ]
        return lines

    def _plies_table(self) -> list[str]:
        worst = sorted(self.by_ply().items(), key=lambda each: (-each[1][1], -each[1][2], each[0]))[:MOST_PLIES]
        rows = [["worst plies", "moves", "mistakes", "lost the win", "points"]]
        for ply, counts in worst:
            rows.append([f"ply {ply} of {GAME_PLIES}", f"{self.plies[ply]}", *map(str, counts)])
        return aligned(rows)

    def _kinds_table(self) -> list[str]:
        rows = [["kind", "mistakes", "lost the win", "points"]]
        for kind, counts in sorted(self.by_kind().items(), key=lambda each: (-each[1][1], -each[1][2])):
            if counts[0]:
                rows.append([kind, *map(str, counts)])
        return aligned(rows)


def _decisive(mistakes: Iterable[Mistake]) -> int:
    return sum(mistake.decisive for mistake in mistakes)


def _cost(mistakes: Iterable[Mistake]) -> int:
    return sum(mistake.cost for mistake in mistakes)


def _move(alike: list[Mistake]) -> list[str]:
    """Describe mistakes that are alike: how often, at which ply, what was better, and why."""
    first = alike[0]
    instead = f" instead of {move_name(first.instead[0])}" if first.instead else ""
    times = "once" if len(alike) == 1 else f"{len(alike)} times"
    lost = f"; it lost the win {_decisive(alike)} times" if _decisive(alike) > 1 else ""
    lines = wrapped(f"ply {first.ply}, {times}: {move_name(first.move)}{instead}, {cost_text(first)}{lost}", WIDTH)
    return lines if first.reason is None else [*lines, *wrapped(f"  {first.reason.text}", WIDTH, "    ")]


def summarise(reviews: Iterable[Review]) -> dict[str, AgentSummary]:
    """Return each agent's summary, by its name, in the order of their first games."""
    found: dict[str, AgentSummary] = {}
    for review in reviews:
        for colour in (1, 2):
            found.setdefault(review.game.agent(colour), AgentSummary()).add(review, colour)
    return found


def summaries_text(summaries: dict[str, AgentSummary]) -> list[str]:
    """Return the summaries as lines of text, a blank one between two agents."""
    lines: list[str] = []
    for name, summary in summaries.items():
        lines += [*([""] if lines else []), *summary.text(name)]
    return lines
