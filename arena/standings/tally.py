"""Count the results and the CPU time of many games, and format the counts as progress, tables and summaries."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from little_go.arena.match.host import PLAYED_OUT
from little_go.arena.match.play import Game
from little_go.runtime.display import Display
from little_go.solver.bounds import COLOUR_NUMBERS, COLOURS

#: The names of the colours in records, in the order of their moves.
SIDES = tuple(COLOUR_NUMBERS)


class CallTimes(list[float]):
    """A list of the seconds that calls, or games, took."""

    @property
    def mean(self) -> float:
        """The mean seconds of a call, or 0 if there is no call."""
        return fmean(self) if self else 0.0

    @property
    def most(self) -> float:
        """The seconds of the longest call, or 0 if there is no call."""
        return max(self, default=0.0)


@dataclass
class AgentRow:
    """The counts for the games of one agent, or of one colour.

    games, wins: the numbers of games and wins by colour, ``black`` or ``white``. clock: the CPU seconds of the calls.
    killed: the number of calls in which the program was killed because it exceeded a limit of time. by_clock: the
    number of these calls in which the exceeded limit was the limit of wall-clock time. inexact: counts of the answers
    that were accepted but did not have the exact format. words: for each reason for which games were lost by a fault,
    counts of the details.
    """

    games: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)
    clock: CallTimes = field(default_factory=CallTimes)
    killed: int = 0
    by_clock: int = 0
    inexact: Counter[str] = field(default_factory=Counter)
    words: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, record: dict[str, Any], colour: str) -> None:
        """Count the game of a record (``Game.record()``) for a colour, ``black`` or ``white``."""
        self.games[colour] += 1
        self.clock += record["cpu"][colour]
        self.killed += sum(SIDES[1 - ply % 2] == colour for ply in record["killed"])
        self.by_clock += sum(SIDES[1 - ply % 2] == colour for ply in record.get("by_clock", []))
        inexact = record.get("inexact", {})
        self.inexact.update(text for ply, text in inexact.items() if SIDES[1 - int(ply) % 2] == colour)
        if colour == record["winner"].lower():
            self.wins[colour] += 1
        elif record["reason"] not in PLAYED_OUT:
            self.words.setdefault(record["reason"], Counter())[record.get("detail", "")] += 1

    @property
    def faults(self) -> Counter[str]:
        """The number of games lost by a fault, by reason."""
        return Counter({reason: words.total() for reason, words in self.words.items()})

    def record(self) -> dict[str, Any]:
        """Return the JSON fields that describe the counts. CPU is in seconds."""
        clock = self.clock
        return {
            "games": self.games.total(),
            "wins": self.wins.total(),
            **{colour: {"games": self.games[colour], "wins": self.wins[colour]} for colour in SIDES},
            "cpu": {
                "calls": len(clock),
                "mean": round(clock.mean, 6),
                "max": round(clock.most, 6),
                "total": round(sum(clock), 6),
                "killed": self.killed,
                "by_clock": self.by_clock,
            },
            "faults": dict(self.faults),
            "words": {reason: dict(words) for reason, words in self.words.items()},
            "inexact": self.inexact.total(),
        }

    def fault_lines(self) -> list[str]:
        """Return a line for each kind of fault, with the count and the most frequent detail of this kind."""
        return [fault_line(reason, words) for reason, words in sorted(self.words.items())]

    @property
    def inexact_text(self) -> str:
        """A clause on the most frequent answer that did not have the exact format."""
        return f"{self.inexact.most_common(1)[0][0]!r} instead of i,j or PASS"

    def faults_text(self) -> str:
        """Return the numbers of faults, of killed calls and of answers without the exact format as a text, or ``-``."""
        faults = [f"{reason} {count}" for reason, count in self.faults.most_common()]
        if self.killed:
            faults.append(f"(killed for time: {killed_text(self.killed, self.by_clock)})")
        if self.inexact:
            faults.append(f"(answers not in the exact format: {self.inexact.total()}, such as {self.inexact_text})")
        return " ".join(faults) or "-"


@dataclass
class Tally:
    """The counts for the games so far. rows: an AgentRow for each colour. reasons: how often each reason occurred."""

    rows: dict[str, AgentRow] = field(default_factory=lambda: {name: AgentRow() for name in COLOURS.values()})
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, game: Game) -> None:
        """Count a game."""
        self.reasons[game.result.reason] += 1
        for name, row in self.rows.items():
            row.add(game.record(), name.lower())

    def lines(self) -> list[str]:
        """Return the lines of the summary of all games."""
        games, rows = self.reasons.total(), self.rows.items()
        wins = ", ".join(f"{name} wins {row.wins.total()}" for name, row in rows)
        lines = [f"{count_text(games, 'game')}: {wins}"]
        if games:
            reasons = ", ".join(f"{reason} {count}" for reason, count in self.reasons.most_common())
            clocks = "; ".join(
                f"{name} mean {seconds_text(row.clock.mean)}, max {seconds_text(row.clock.most)}" for name, row in rows
            )
            lines += [f"ended by: {reasons}", f"CPU per move: {clocks}"]
        lines += [f"{name} lost by {line}" for name, row in rows for line in row.fault_lines()]
        if killed := sum(row.killed for _, row in rows):
            lines.append(f"killed for time: {killed_text(killed, sum(row.by_clock for _, row in rows))}")
        answers = (f"{name} {row.inexact.total()}, such as {row.inexact_text}" for name, row in rows if row.inexact)
        if inexact := "; ".join(answers):
            lines.append(f"answers not in the exact format: {inexact}")
        return lines


def fault_line(reason: str, words: Counter[str]) -> str:
    """Return a line about games that were lost by a fault. words: counts of the faults' details.

    >>> fault_line("missing", Counter({"NameError: name 'x'": 3, "no output.txt": 1}))
    "missing 4: NameError: name 'x' (3 of 4)"
    """
    (commonest, count), total = words.most_common(1)[0], words.total()
    share = f" ({count} of {total})" if count < total else ""
    return f"{reason} {total}{commonest and ': '}{commonest}{share}"


def killed_text(killed: int, by_clock: int) -> str:
    """Return a text with the number of calls that exceeded a limit of time, and with the kind of the limit.

    >>> killed_text(3, 0), killed_text(3, 1), killed_text(2, 2)
    ('3 moves, for CPU', '3 moves, 1 of them by the clock', '2 moves, by the clock')
    """
    limit = {0: "for CPU", killed: "by the clock"}.get(by_clock, f"{by_clock} of them by the clock")
    return f"{count_text(killed, 'move')}, {limit}"


def count_text(number: int, what: str) -> str:
    """Return a number and a noun, which gets a plural s unless the number is 1.

    >>> count_text(1, "game"), count_text(1200, "game")
    ('1 game', '1,200 games')
    """
    return f"{number:,} {what}{'s' if number != 1 else ''}"


def seconds_text(seconds: float) -> str:
    """Return a time with the unit s or ms."""
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1000:.2f} ms"


def align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table whose first and last columns are aligned left, and other columns right.

    >>> align_columns([["agent", "wins", "faults"], ["greedy", "7", "-"]])
    ['agent   wins  faults', 'greedy     7  -']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    last = len(widths) - 1
    return [
        "  ".join(
            cell.ljust(width) if column in (0, last) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


#: Seconds after which the progress is shown for the first time.
PATIENCE = 2.0


class Progress(Display):
    """A context manager that shows the progress through a number of games on standard error.

    hidden: whether to show nothing, because a person plays on the terminal. plies: the length of a game.
    """

    def __init__(self, games: int, hidden: bool, plies: int) -> None:
        super().__init__(patience=math.inf if hidden else PATIENCE)
        self._games = games
        self._plies = plies
        self._done = 0

    def ply(self, number: int) -> None:
        """Show that a ply of the running game was played. number: the ply's number, counted from 1."""
        self._tell(f", ply {number} of {self._plies}")

    def settled(self, what: str, done: int, total: int) -> None:
        """Show the progress of the review of the running game. what: a text such as "values settled"."""
        self._tell(f", {what} {done} of {total}")

    def game(self) -> None:
        """Show that one more game was played."""
        self._done += 1
        self._tell("")

    def _tell(self, ply: str) -> None:
        self.show(f"games: {self._done:,} of {self._games:,}{ply}", self._done, self._games)
