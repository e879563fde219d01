"""The tables of a tournament: wins by pair and colour, ratings, CPU time, faults."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from arena.standings.aligned import aligned
from arena.standings.elo import Rating, ratings
from arena.standings.tally import SIDES, AgentRow, seconds_text
from solver.bounds import COLOURS


class Standings:
    """The standings of some agents after some games; public attribute ``lines``: an AgentRow for each agent."""

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
        self._by_colour[black, white] += record["winner"] == COLOURS[1]
        self._wins[(black, white) if record["winner"] == COLOURS[1] else (white, black)] += 1

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
