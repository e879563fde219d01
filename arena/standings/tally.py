"""Count results and CPU time over many games, and say them in a few lines."""

from collections import Counter
from dataclasses import dataclass, field

from arena.match.host import PLAYED_OUT
from arena.match.play import Game
from solver.colours import COLOURS


@dataclass
class CallTimes:
    """The CPU time of one colour's calls, in seconds."""

    calls: int = 0
    total: float = 0.0
    most: float = 0.0

    def add(self, seconds: tuple[float, ...]) -> None:
        """Count the calls of one game."""
        self.calls += len(seconds)
        self.total += sum(seconds)
        self.most = max(self.most, *seconds, 0.0)

    @property
    def mean(self) -> float:
        """Seconds per call, 0 without a call."""
        return self.total / self.calls if self.calls else 0.0


@dataclass
class Tally:
    """The counts of the games added so far.

    wins: games won, by colour (1 = Black, 2 = White).
    reasons: games ended, by reason.
    clocks: CPU time, by colour.
    killed: calls killed for time.
    words: what there is to say of the games a colour lost by a fault, by colour and reason.
    inexact: answers that were taken though not in the exact format, by colour.
    """

    wins: Counter[int] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    clocks: dict[int, CallTimes] = field(default_factory=lambda: {colour: CallTimes() for colour in COLOURS})
    killed: int = 0
    words: dict[tuple[int, str], Counter[str]] = field(default_factory=dict)
    inexact: Counter[int] = field(default_factory=Counter)

    def add(self, game: Game) -> None:
        """Count one game."""
        self.wins[game.result.winner] += 1
        self.reasons[game.result.reason] += 1
        if game.result.reason not in PLAYED_OUT:
            fault = (3 - game.result.winner, game.result.reason)
            self.words.setdefault(fault, Counter())[game.result.detail] += 1
        self.killed += len(game.killed)
        self.inexact.update(2 - ply % 2 for ply, _ in game.state.inexact)
        for clock, seconds in zip(self.clocks.values(), game.cpu, strict=True):
            clock.add(seconds)

    @property
    def games(self) -> int:
        """Games added so far."""
        return self.wins.total()

    def lines(self) -> list[str]:
        """Return the summary, a line for each thing worth knowing."""
        wins = ", ".join(f"{name} wins {self.wins[colour]}" for colour, name in COLOURS.items())
        lines = [f"{self.games} game{'s' if self.games != 1 else ''}: {wins}"]
        if self.games:
            reasons = ", ".join(f"{reason} {count}" for reason, count in self.reasons.most_common())
            clocks = "; ".join(
                f"{name} mean {seconds_text(clock.mean)}, max {seconds_text(clock.most)}"
                for name, clock in zip(COLOURS.values(), self.clocks.values(), strict=True)
            )
            lines += [f"ended by: {reasons}", f"CPU per move: {clocks}"]
        for (colour, reason), words in sorted(self.words.items()):
            lines.append(f"{COLOURS[colour]} lost by {fault_line(reason, words)}")
        if self.killed:
            lines.append(f"killed for time: {self.killed} move{'s' if self.killed != 1 else ''}")
        if self.inexact:
            counts = ", ".join(f"{COLOURS[colour]} {count}" for colour, count in sorted(self.inexact.items()))
            lines.append(f"answers not in the exact format: {counts}")
        return lines


def fault_line(reason: str, words: Counter[str]) -> str:
    """Return a line on games lost by a fault, given what was said of each.

    >>> fault_line("missing", Counter({"NameError: name 'x'": 3, "no output.txt": 1}))
    "missing 4: NameError: name 'x' (3 of 4)"
    """
    (commonest, count), total = words.most_common(1)[0], words.total()
    share = f" ({count} of {total})" if count < total else ""
    return f"{reason} {total}{commonest and ': '}{commonest}{share}"


def seconds_text(seconds: float) -> str:
    """Return a time as people read it."""
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1000:.2f} ms"
