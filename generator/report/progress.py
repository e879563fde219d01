"""The generator's display of a run."""

from collections.abc import Sequence

from book.files.atlas import Row
from generator.questions.atlas_run import Reach
from generator.questions.closure import Level
from generator.questions.shorter_games import Solved, Standing
from runtime.display import Display
from solver.answer import BLACK_WINS
from solver.bounds import bounds_text
from solver.colours import COLOURS
from solver.family import Variant


class RunDisplay(Display):
    """A display that knows a run's budget of time."""

    def __init__(self, budget: float | None, forecast: bool = True) -> None:
        """budget: seconds that the run may take, or None. forecast: as in Display."""
        super().__init__(forecast=forecast)
        self._budget = budget

    def reach(self, reach: Reach) -> None:
        """Show how far an atlas is."""
        self.show(reach_line(reach), reach.done, reach.total)

    def standing(self, standing: Standing) -> None:
        """Show the question at hand."""
        elapsed = self.elapsed
        self.show(describe(standing, elapsed), elapsed, self._budget)


def describe(standing: Standing, elapsed: float) -> str:
    """Return the question at hand in one line."""
    rate = standing.all_nodes / elapsed / 1e6 if elapsed > 0 else 0.0
    return (
        f"{standing.left} plies left, {standing.threshold:+d} or more? "
        f"{standing.nodes / 1e6:,.1f} M nodes, {rate:.1f} M/s, {standing.facts:,} facts"
    )


def solved_line(solved: Solved, game: Variant) -> str:
    """Return a finished part of the work in one line.

    >>> from solver import Answer
    >>> solved_line(Solved(" 8 plies", Answer(-24, 2, None, 2_500_000), 3.0), Variant(24, 2.5))
    ' 8 plies              White wins, +2 or less        2.5 M nodes    3.0 s'
    """
    answer = solved.answer
    winner = COLOURS[1 if answer.lo >= game.least else 2]
    return (
        f"{solved.name:20}  {f'{winner} wins, {bounds_text(answer)}':22} "
        f"{answer.nodes / 1e6:10,.1f} M nodes  {solved.seconds:5.1f} s"
    )


def reach_line(reach: Reach) -> str:
    """Write a run's state in one line.

    >>> reach_line(Reach(2, 31, 91, 9_000_000_000, 2000.0, 0.125, (7800.0, 1800.0), 2))
    'ply 2: 31 of 91 done, 9,000.0 M nodes, 4.5 M/s, table 12.5 % full, about 2 h 10 min ± 30 min left'
    >>> reach_line(Reach(2, 31, 91, 9_000_000_000, 2000.0, None, None, 12))
    'ply 2: 31 of 91 done, 9,000.0 M nodes, 4.5 M/s, 12 workers'
    """
    rate = reach.nodes / reach.seconds / 1e6 if reach.seconds else 0.0
    left = "" if reach.left is None else f", about {duration(reach.left[0])} ± {duration(reach.left[1])} left"
    who = f"{reach.workers} workers" if reach.fill is None else f"table {100 * reach.fill:.1f} % full"
    return (
        f"ply {reach.ply}: {reach.done:,} of {reach.total:,} done, "
        f"{reach.nodes / 1e6:,.1f} M nodes, {rate:.1f} M/s, {who}{left}"
    )


def duration(seconds: float) -> str:
    """Return a length of time for people.

    >>> duration(45.2), duration(100), duration(7800), duration(400_000)
    ('45 s', '2 min', '2 h 10 min', '111 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 24 else f"{hours} h"


def ply_line(ply: int, rows: Sequence[Row]) -> str:
    """Return in one line what is known of one ply of an atlas."""
    exact = sum(row.lo == row.hi for row in rows)
    black = sum(row.lo >= BLACK_WINS for row in rows)
    white = sum(row.hi < BLACK_WINS for row in rows)
    return f"ply {ply:2d}: {len(rows):8,} positions, {exact:,} exact; {black:,} won by Black, {white:,} by White"


def level_line(colour: str, level: Level) -> str:
    """Return a finished level of a closure in one line.

    >>> level_line("black", Level(ply=8, positions=5492, won=5492, alone=1200))
    'black, ply  8:    5,492 positions, 5,492 won (1,200 by the player alone), 0 lost'
    """
    return (
        f"{colour}, ply {level.ply:2d}: {level.positions:8,} positions, "
        f"{level.won:,} won ({level.alone:,} by the player alone), {level.positions - level.won:,} lost"
    )
