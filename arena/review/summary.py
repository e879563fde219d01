"""The summary of many reviews: the mistakes of each agent by ply and by kind, and the cost of the mistakes."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from statistics import fmean
from typing import Any, TypeVar

from little_go.arena.review.fault import FAULT_KINDS, Fault
from little_go.arena.review.notebook import NotebookEntry, notebook
from little_go.arena.review.review import Mistake, Review, open_plies
from little_go.arena.review.text import WIDTH, cost_text, indent_lines, wrap_lines
from little_go.arena.standings.tally import SIDES, align_columns, count_text
from little_go.solver.family import Variant
from little_go.solver.native.explain import KINDS
from little_go.solver.position import move_name
from little_go.solver.symmetry import canonical_key

_Group = TypeVar("_Group")

#: Maximum number of plies, and maximum number of moves, that a summary lists.
MOST_PLIES = MOST_MOVES = 5


@dataclass
class OpponentRecord:
    """Counts of the games of an agent against one opponent.

    games, won: the numbers of games and of won games, by the agent's colour. faults: the number of games that the agent
    lost by a fault. threw_away: the number of games that the agent lost from a won position without a fault. points:
    the cost of the agent's mistakes.
    """

    games: Counter[int] = field(default_factory=Counter)
    won: Counter[int] = field(default_factory=Counter)
    faults: int = 0
    threw_away: int = 0
    points: int = 0


@dataclass
class AgentSummary:
    """Counts of all games of an agent.

    games, lost: the number of games, and of lost games. threw_away: the number of games lost without a fault in which
    the turning point was a mistake of the agent. faults: the faults that lost a game, each with the opponent. plies:
    the number of calls of the agent at each ply. variants: the lengths and komis of the games. unsettled: the number of
    games with a value that is not exact, so that a mistake may be missing. mistakes: all mistakes of the agent. cpu:
    CPU seconds of the agent's calls by ply. against: the counts by opponent.
    """

    games: int = 0
    lost: int = 0
    threw_away: int = 0
    faults: list[tuple[Fault, str]] = field(default_factory=list)
    plies: Counter[int] = field(default_factory=Counter)
    variants: set[Variant] = field(default_factory=set)
    unsettled: int = 0
    mistakes: list[Mistake] = field(default_factory=list)
    cpu: dict[int, list[float]] = field(default_factory=dict)
    against: dict[str, OpponentRecord] = field(default_factory=dict)

    def add(self, review: Review, colour: int) -> None:
        """Count a reviewed game. colour: the colour that the agent played, 1 for Black, 2 for White."""
        result, turning = review.state.result, review.turning_point
        mine = [mistake for mistake in review.mistakes if mistake.mover == colour]
        against = self.against.setdefault(review.game.agent(3 - colour), OpponentRecord())
        self.games += 1
        self.variants.add(review.game.game)
        self.unsettled += bool(open_plies(review.known))
        first = review.game.game.first_ply
        self.plies.update(each.ply - first + 1 for each in review.positions[:-1] if each.mover == colour)
        self.mistakes += mine
        if review.fault and review.fault.mover == colour:
            self.plies[review.fault.ply] += 1
        for ply, seconds in enumerate(review.game.cpu, 1):
            if 2 - ply % 2 == colour:
                self.cpu.setdefault(ply, []).append(seconds)
        against.games[colour] += 1
        against.points += _cost(mine)
        if result is not None and result.winner != colour:
            self.lost += 1
            if review.fault:
                self.faults.append((review.fault, review.game.agent(3 - colour)))
                against.faults += 1
            elif turning is not None and turning.mover == colour:
                self.threw_away += 1
                against.threw_away += 1
        elif result is not None:
            against.won[colour] += 1

    def called(self) -> list[int]:
        """Return the plies at which the agent was called."""
        return sorted(self.plies.keys() | self.cpu.keys())

    def by_ply(self) -> dict[int, tuple[int, int, int]]:
        """Return three counts for each ply with mistakes or faults: the number, the decisive ones, and the cost."""
        return dict(sorted(self._counts(attrgetter("ply")).items()))

    def by_kind(self) -> dict[str, tuple[int, int, int]]:
        """Return the same three counts as ``by_ply`` for each kind in FAULT_KINDS and KINDS."""
        return {**dict.fromkeys((*FAULT_KINDS, *KINDS), (0, 0, 0)), **self._counts(attrgetter("kind"))}

    def by_fault(self) -> list[list[tuple[Fault, str]]]:
        """Return groups of equal faults, each fault with its opponent; the group that lost the most games comes first.

        Equal faults have the same reason. If the answers were not moves, equal faults also have the same complaint.
        """
        groups: dict[tuple[str, str], list[tuple[Fault, str]]] = {}
        for fault, opponent in sorted(self.faults, key=lambda each: each[0].ply):
            complaint = fault.detail if fault.reason in ("missing", "malformed") else ""
            groups.setdefault((fault.reason, complaint), []).append((fault, opponent))
        return sorted(groups.values(), key=lambda alike: (-len(alike), alike[0][0].ply))

    def by_move(self) -> list[list[Mistake]]:
        """Return groups of equal mistakes: the same move in the same position, up to symmetry.

        The groups are sorted by the number of lost wins and by the cost, and the worst group comes first.
        """
        groups: dict[tuple[Variant, int, int], list[Mistake]] = {}
        for mistake in self.mistakes:
            after = mistake.position.play(mistake.move)
            which = (mistake.before.game, canonical_key(mistake.position), canonical_key(after))
            groups.setdefault(which, []).append(mistake)
        return sorted(groups.values(), key=lambda alike: (-_decisive(alike), -_cost(alike), alike[0].ply))

    def lessons(self, most: int) -> list[list[Mistake]]:
        """Return the groups of ``by_move`` as lessons: the worst group of each kind of mistake, then the other groups.

        most: the maximum number of groups that are returned.
        """
        groups = self.by_move()
        first = {alike[0].kind: alike for alike in reversed(groups)}
        return sorted(groups, key=lambda alike: first[alike[0].kind] is not alike)[:most]

    def notebook(self) -> list[NotebookEntry]:
        """Return the kinds of mistakes that the agent's author should learn to avoid first."""
        return notebook(self.mistakes)

    def _counts(self, group_of: Callable[[Mistake | Fault], _Group]) -> dict[_Group, tuple[int, int, int]]:
        counts: dict[_Group, tuple[int, int, int]] = {}
        mistakes_and_faults: list[Mistake | Fault] = [*self.mistakes, *(fault for fault, _ in self.faults)]
        for mistake in mistakes_and_faults:
            count, decisive, cost = counts.get(group_of(mistake), (0, 0, 0))
            counts[group_of(mistake)] = count + 1, decisive + mistake.decisive, cost + mistake.cost
        return counts

    def record(self) -> dict[str, Any]:
        """Return the summary as a dictionary for JSON."""
        names = ("mistakes", "decisive", "cost")
        return {
            "games": self.games,
            "lost": self.lost,
            "threw_away": self.threw_away,
            "faults": len(self.faults),
            "lost_by": [
                {"games": len(alike), "against": alike[0][1], **alike[0][0].record()} for alike in self.by_fault()
            ],
            "plies": [
                {"ply": ply, "moves": self.plies[ply], **dict(zip(names, counts, strict=True))}
                for ply, counts in self.by_ply().items()
            ],
            "moves": [
                # The counts of the group replace the fields of the first mistake.
                {**alike[0].record(), "times": len(alike), "decisive": _decisive(alike), "cost": _cost(alike)}
                for alike in self.by_move()[:MOST_MOVES]
            ],
            "kinds": [
                {"kind": kind, **dict(zip(names, counts, strict=True))} for kind, counts in self.by_kind().items()
            ],
            "notebook": [entry.record() for entry in self.notebook()],
            "against": [
                {
                    "opponent": name,
                    **{
                        SIDES[colour - 1]: {"games": games.games[colour], "wins": games.won[colour]}
                        for colour in (1, 2)
                    },
                    "faults": games.faults,
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
        lines = [f"{name}: {count_text(self.games, 'game')}, {self.losses_text()}", f"  {self.mistakes_text()}"]
        if self.faults:
            lines += [
                "",
                "  lost by a fault",
                *indent_lines(line for alike in self.by_fault() for line in _fault(alike)),
            ]
        if self.mistakes:
            moves = indent_lines(line for alike in self.by_move()[:MOST_MOVES] for line in _move(alike))
            lines += ["", "  worst moves", *moves]
        if self.faults or self.mistakes:
            lines += ["", *indent_lines(self._plies_table()), "", *indent_lines(self._kinds_table())]
        if entries := self.notebook():
            lines += ["", "  notebook: what to learn first"]
            lines += indent_lines(line for at, entry in enumerate(entries, 1) for line in _entry(at, entry))
        return lines

    def losses_text(self) -> str:
        """Return a text on the number of games lost by a fault, thrown away from a won position, and lost otherwise.

        >>> AgentSummary(games=9, lost=3, threw_away=2).losses_text()
        '3 lost: 2 thrown away from a win, 1 otherwise'
        """
        otherwise = self.lost - len(self.faults) - self.threw_away
        parts = [
            *([f"{len(self.faults)} by a fault"] if self.faults else []),
            *([f"{self.threw_away} thrown away from a win"] if self.threw_away else []),
            *([f"{otherwise} otherwise"] if otherwise else []),
        ]
        return f"{self.lost} lost: {', '.join(parts)}" if self.lost else "none lost"

    def mistakes_text(self) -> str:
        """Return a text on the number of mistakes, including faults, and the points that they gave away."""
        faults = f" ({count_text(len(self.faults), 'fault')} among them)" if self.faults else ""
        count = count_text(len(self.mistakes) + len(self.faults), "mistake")
        return f"{count}{faults}, {count_text(_cost(self.mistakes), 'point')} given away"

    def _plies_table(self) -> list[str]:
        worst = sorted(self.by_ply().items(), key=lambda each: (-each[1][1], -each[1][2], each[0]))[:MOST_PLIES]
        rows = [["worst plies", "moves", "mistakes", "lost the win", "points"]]
        of_all = f" of {lengths_text(self.variants)}"
        for ply, counts in worst:
            rows.append([f"ply {ply}{of_all}", f"{self.plies[ply]}", *map(str, counts)])
        return align_columns(rows)

    def _kinds_table(self) -> list[str]:
        rows = [["kind", "mistakes", "lost the win", "points"]]
        rows += [[kind, *map(str, counts)] for kind, counts in self.worst_kinds()]
        return align_columns(rows)

    def worst_kinds(self) -> list[tuple[str, tuple[int, int, int]]]:
        """Return the kinds that occurred and their counts: faults first, then mistakes by lost wins and cost."""
        found = [(kind, counts) for kind, counts in self.by_kind().items() if counts[0]]
        return sorted(found, key=lambda each: (each[0] not in FAULT_KINDS, -each[1][1], -each[1][2]))


def lengths_text(variants: Iterable[Variant]) -> str:
    """Return a text with the lengths of games in plies.

    >>> lengths_text([Variant(8, 2.5), Variant(10, 2.5), Variant(8, 0.5)])
    '8 or 10'
    """
    return " or ".join(map(str, sorted({variant.plies for variant in variants})))


def _decisive(mistakes: Iterable[Mistake]) -> int:
    return sum(mistake.decisive for mistake in mistakes)


def _cost(mistakes: Iterable[Mistake]) -> int:
    return sum(mistake.cost for mistake in mistakes)


def _fault(alike: list[tuple[Fault, str]]) -> list[str]:
    first, opponent = alike[0]
    head = f"{first.kind}: {count_text(len(alike), 'game')}, first at ply {first.ply} against {opponent}: {first.deed}"
    return [*wrap_lines(head, WIDTH), *(wrap_lines(f"  Rule: {first.rule}", WIDTH, "    ") if first.rule else [])]


def _move(alike: list[Mistake]) -> list[str]:
    first = alike[0]
    instead = f" instead of {move_name(first.instead[0])}" if first.instead else ""
    times = "once" if len(alike) == 1 else f"{len(alike)} times"
    lost = f"; it lost the win {_decisive(alike)} times" if _decisive(alike) > 1 else ""
    lines = wrap_lines(f"ply {first.ply}, {times}: {move_name(first.move)}{instead}, {cost_text(first)}{lost}", WIDTH)
    return lines if first.reason is None else [*lines, *wrap_lines(f"  {first.reason.text}", WIDTH, "    ")]


def counts_text(entry: NotebookEntry) -> str:
    """Return a text on a kind of mistake: the number of mistakes, the cost in points, and the number of lost wins."""
    wins = f", {count_text(entry.decisive, 'win')} given away" if entry.decisive else ""
    return f"{count_text(entry.mistakes, 'mistake')}, {count_text(entry.cost, 'point')}{wins}"


def puzzles_text(entry: NotebookEntry) -> str:
    """Return a text with the command for the puzzles of a kind of mistake, or "" if there are no such puzzles."""
    if not entry.puzzles:
        return ""
    first, *rest = entry.puzzles
    also = f", then {' and '.join(map(str, rest))}" if rest else ""
    return f"Puzzles of this kind: little-go puzzle {first}{also}"


def _entry(number: int, entry: NotebookEntry) -> list[str]:
    worst = entry.worst
    instead = f" instead of {move_name(worst.instead[0])}" if worst.instead else ""
    told = [
        f"For example ply {worst.ply}: {move_name(worst.move)}{instead}, {cost_text(worst)}.",
        *([worst.reason.text] if worst.reason else []),
        *([text] if (text := puzzles_text(entry)) else []),
    ]
    head = wrap_lines(f"{number}. {entry.kind}: {counts_text(entry)}", WIDTH, "   ")
    return [*head, *(line for text in told for line in wrap_lines(f"   {text}", WIDTH, "   "))]


def summarise(reviews: Iterable[Review]) -> dict[str, AgentSummary]:
    """Return the summaries by the agent's name, in the order of the agents' first games."""
    summaries: dict[str, AgentSummary] = {}
    for review in reviews:
        for colour in (1, 2):
            summaries.setdefault(review.game.agent(colour), AgentSummary()).add(review, colour)
    return summaries


def summaries_text(summaries: dict[str, AgentSummary]) -> list[str]:
    """Return the summaries as lines of text, with a blank line between two summaries."""
    lines: list[str] = []
    for name, summary in summaries.items():
        lines += [*([""] if lines else []), *summary.text(name)]
    return lines
