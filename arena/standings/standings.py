"""The tables of a tournament: wins by pair and colour, ratings, CPU time, faults."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.match.host import PLAYED_OUT
from arena.standings.aligned import aligned
from arena.standings.elo import Rating, ratings
from arena.standings.tally import CallTimes, fault_line, seconds_text
from solver.colours import COLOUR_NUMBERS

#: The colours as a record names them, Black first.
SIDES = tuple(COLOUR_NUMBERS)


@dataclass
class AgentRow:
    """One agent's games.

    games, wins: by colour, ``black`` and ``white``. clock: its calls. killed: calls killed for time.
    inexact: answers that were taken though not in the exact format.
    faults: games it lost for another reason than the score, by reason. words: what there is to say of them, by reason.
    """

    games: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)
    clock: CallTimes = field(default_factory=CallTimes)
    killed: int = 0
    inexact: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    words: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, record: dict[str, Any], colour: str) -> None:
        """Count a game that the agent played as ``black`` or ``white``, given its record (``Game.record()``)."""
        self.games[colour] += 1
        self.clock.add(tuple(record["cpu"][colour]))
        self.killed += sum(SIDES[1 - ply % 2] == colour for ply in record["killed"])
        self.inexact += sum(SIDES[1 - int(ply) % 2] == colour for ply in record.get("inexact", ()))
        if colour == SIDES[record["winner"] - 1]:
            self.wins[colour] += 1
        elif record["reason"] not in PLAYED_OUT:
            self.faults[record["reason"]] += 1
            self.words.setdefault(record["reason"], Counter())[record.get("detail", "")] += 1

    def record(self) -> dict[str, Any]:
        """Return the line as JSON keys; CPU is in seconds."""
        clock = self.clock
        return {
            "games": self.games.total(),
            "wins": self.wins.total(),
            **{colour: {"games": self.games[colour], "wins": self.wins[colour]} for colour in SIDES},
            "cpu": {
                "calls": clock.calls,
                "mean": round(clock.mean, 6),
                "max": round(clock.most, 6),
                "total": round(clock.total, 6),
                "killed": self.killed,
            },
            "faults": dict(self.faults),
            "words": {reason: dict(words) for reason, words in self.words.items()},
            "inexact": self.inexact,
        }

    def fault_lines(self) -> list[str]:
        """Return a line for each kind of fault: how often, and what there is to say, most often by the agent itself."""
        return [fault_line(reason, words) for reason, words in self.words.items()]

    def faults_text(self) -> str:
        """Count games lost by a fault, calls killed for time and answers not in the exact format, or return ``-``."""
        faults = [f"{reason} {count}" for reason, count in self.faults.most_common()]
        if self.killed:
            faults.append(f"(killed for time: {self.killed})")
        if self.inexact:
            faults.append(f"(answers not in the exact format: {self.inexact})")
        return " ".join(faults) or "-"


class Standings:
    """The standings of some agents after some games; public attribute ``lines``: a AgentRow for each agent."""

    def __init__(self, agents: Sequence[str], records: Iterable[dict[str, Any]]) -> None:
        """Count the games, given by their records (``Game.record()``)."""
        self.lines = {agent: AgentRow() for agent in agents}
        self._games: Counter[tuple[str, str]] = Counter()
        self._wins: Counter[tuple[str, str]] = Counter()
        self._by_colour: Counter[tuple[str, str]] = Counter()
        for record in records:
            self._add(record)

    @property
    def games(self) -> int:
        """Games counted."""
        return self._games.total()

    def ratings(self) -> dict[str, Rating]:
        """Return each agent's Elo, as ``arena.standings.elo`` has it."""
        names = list(self.lines)
        wins = [[float(self._wins[winner, loser]) for loser in names] for winner in names]
        return dict(zip(names, ratings(wins), strict=True))

    def record(self) -> dict[str, Any]:
        """Return the standings as JSON keys; ``elo`` is [estimate, lower, upper] and CPU is in seconds."""
        rated = self.ratings()
        return {
            "games": self.games,
            "agents": [
                {"name": name, **line.record(), "elo": _elo_record(rated[name])} for name, line in self.lines.items()
            ],
            "pairs": [
                {"black": black, "white": white, "games": games, "black_wins": self._by_colour[black, white]}
                for (black, white), games in sorted(self._games.items())
            ],
        }

    def text(self) -> list[str]:
        """Return the standings as lines of text, the best agent first."""
        rated = self.ratings()
        names = sorted(self.lines, key=lambda name: -rated[name].elo)
        faults = [f"{name}: {line}" for name in names for line in self.lines[name].fault_lines()]
        return [*self._cross_table(names), "", *self._agents_table(names, rated), *([""] if faults else []), *faults]

    def _add(self, record: dict[str, Any]) -> None:
        black, white = (record[colour] for colour in SIDES)
        for colour in SIDES:
            self.lines[record[colour]].add(record, colour)
        self._games[black, white] += 1
        self._by_colour[black, white] += record["winner"] == 1
        self._wins[(black, white) if record["winner"] == 1 else (white, black)] += 1

    def _cross_table(self, names: list[str]) -> list[str]:
        """Return the wins of each agent against each: in all, and as Black + as White."""
        heads = [str(number) for number in range(1, len(names) + 1)]
        rows = [["wins (as Black + as White)", *heads]]
        for number, name in enumerate(names, 1):
            rows.append([f"{number} {name}", *(self._cell(name, other) for other in names)])
        return aligned(rows)

    def _cell(self, name: str, other: str) -> str:
        games = self._games[name, other] + self._games[other, name]
        if name == other or not games:
            return "-"
        as_black = self._by_colour[name, other]
        return f"{self._wins[name, other]}/{games} ({as_black}+{self._wins[name, other] - as_black})"

    def _agents_table(self, names: list[str], rated: dict[str, Rating]) -> list[str]:
        rows = [["agent", "wins", "as Black", "as White", "Elo", "95 %", "CPU mean", "max", "lost by fault"]]
        for number, name in enumerate(names, 1):
            line, rating = self.lines[name], rated[name]
            rows.append(
                [
                    f"{number} {name}",
                    f"{line.wins.total()}/{line.games.total()}",
                    *(f"{line.wins[colour]}/{line.games[colour]}" for colour in SIDES),
                    f"{rating.elo:+.0f}",
                    f"±{rating.error:.0f}",
                    seconds_text(line.clock.mean),
                    seconds_text(line.clock.most),
                    line.faults_text(),
                ]
            )
        return aligned(rows)


def _elo_record(rating: Rating) -> list[float]:
    return [round(value, 1) for value in (rating.elo, rating.elo - rating.error, rating.elo + rating.error)]
