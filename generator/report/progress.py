"""The display of a run, and the files of an atlas: one or two files of rows, and a log in JSON."""

import json
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from little_go.book.files.atlas import AtlasError, Row, read_atlas, write_atlas
from little_go.generator.questions.atlas_run import RunProgress
from little_go.generator.questions.closure import Level
from little_go.generator.questions.first_plies import Tree
from little_go.generator.questions.shorter_games import QuestionProgress
from little_go.notation.record import answer_record, to_record
from little_go.runtime.display import Display
from little_go.runtime.hints import command_line
from little_go.solver.answer import BLACK_WINS, Answer
from little_go.solver.bounds import COLOURS, bounds_text
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import Position
from little_go.solver.symmetry import key_of


class RunDisplay(Display):
    """A display that shows a run's budget of time."""

    def __init__(self, budget: float | None, forecast: bool = True) -> None:
        """budget: the seconds after which the run stops, or None.

        forecast: whether the bar shows an estimate of the time left.
        """
        super().__init__(forecast=forecast)
        self._budget = budget

    def show_progress(self, progress: RunProgress) -> None:
        """Show the progress of an atlas or a ply."""
        self.show(progress_line(progress), progress.done, progress.total)

    def show_question(self, progress: QuestionProgress) -> None:
        """Show the progress of the current question."""
        elapsed = self.elapsed
        self.show(describe(progress, elapsed), elapsed, self._budget)


def describe(progress: QuestionProgress, elapsed: float) -> str:
    """Return the current question and its progress in one line. elapsed: the seconds since the run began."""
    rate = progress.all_nodes / elapsed / 1e6 if elapsed > 0 else 0.0
    return (
        f"{progress.left} plies left, {progress.threshold:+d} or more? "
        f"{progress.nodes / 1e6:,.1f} M nodes, {rate:.1f} M/s, {progress.facts:,} facts"
    )


def solved_line(game: Variant, name: str, answer: Answer, seconds: float) -> str:
    """Return a line about a finished part of the work.

    >>> solved_line(Variant(24, 2.5), " 8 plies", Answer(-24, 2, None, 2_500_000), 3.0)
    ' 8 plies              White wins, +2 or less        2.5 M nodes    3.0 s'
    """
    winner = COLOURS[1 if answer.lo >= game.least else 2]
    return (
        f"{name:20}  {f'{winner} wins, {bounds_text(answer)}':22} {answer.nodes / 1e6:10,.1f} M nodes  {seconds:5.1f} s"
    )


def progress_line(progress: RunProgress) -> str:
    """Return a line about the state of a run.

    >>> progress_line(RunProgress(2, 31, 91, 9_000_000_000, 2000.0, 0.125, (7800.0, 1800.0), 2))
    'ply 2: 31 of 91 done, 9,000.0 M nodes, 4.5 M/s, table 12.5 % full, about 2 h 10 min ± 30 min left'
    >>> progress_line(RunProgress(2, 31, 91, 9_000_000_000, 2000.0, None, None, 12))
    'ply 2: 31 of 91 done, 9,000.0 M nodes, 4.5 M/s, 12 workers'
    """
    rate = progress.nodes / progress.seconds / 1e6 if progress.seconds else 0.0
    left = "" if progress.left is None else f", about {duration(progress.left[0])} ± {duration(progress.left[1])} left"
    who = f"{progress.workers} workers" if progress.fill is None else f"table {100 * progress.fill:.1f} % full"
    return (
        f"ply {progress.ply}: {progress.done:,} of {progress.total:,} done, "
        f"{progress.nodes / 1e6:,.1f} M nodes, {rate:.1f} M/s, {who}{left}"
    )


def duration(seconds: float) -> str:
    """Return a number of seconds as text, rounded to seconds, minutes or hours.

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
    """Return a line with the numbers of exact and decided positions of one ply of an atlas."""
    exact = sum(row.lo == row.hi for row in rows)
    black = sum(row.lo >= BLACK_WINS for row in rows)
    white = sum(row.hi < BLACK_WINS for row in rows)
    return f"ply {ply:2d}: {len(rows):8,} positions, {exact:,} exact; {black:,} won by Black, {white:,} by White"


def level_line(colour: str, level: Level) -> str:
    """Return a line about a finished level of a closure.

    >>> level_line("black", Level(ply=8, positions=5492, won=5492, alone=1200))
    'black, ply  8:    5,492 positions, 5,492 won (1,200 by the player alone), 0 lost'
    """
    return (
        f"{colour}, ply {level.ply:2d}: {level.positions:8,} positions, "
        f"{level.won:,} won ({level.alone:,} by the player alone), {level.positions - level.won:,} lost"
    )


#: Seconds between two writes of the atlas's file, and between two lines of the log about the run's state.
FILE_INTERVAL, TICK_INTERVAL = 300.0, 10.0


def progress_record(progress: RunProgress) -> dict[str, Any]:
    """Return the JSON fields that describe the state of a run.

    ``left``, ``spread``: an estimate of the seconds that are left, and its uncertainty, or null. ``fill``: the share of
    the table in use, or null on a cluster.
    """
    left, spread = progress.left or (None, None)
    return {
        "event": "tick",
        "ply": progress.ply,
        "done": progress.done,
        "open": progress.total - progress.done,
        "nodes": progress.nodes,
        "seconds": round(progress.seconds, 1),
        "fill": None if progress.fill is None else round(progress.fill, 4),
        "workers": progress.workers,
        "left": None if left is None else round(left),
        "spread": None if spread is None else round(spread),
    }


class RunLog:
    """The files of an atlas, which are written again every few minutes, and the log."""

    def __init__(self, out: Path | None, out_last: Path | None, last_ply: int, log: IO[str] | None) -> None:
        """out: the path of the atlas's file, or None. log: the open log, which has a JSON object in each line, or None.

        out_last: the path of the file of the positions after ``last_ply`` plies, or None to write these positions into
        ``out``.
        """
        self._out, self._out_last, self._last_ply = out, out_last, last_ply
        self._log = log
        self._written = time.monotonic()
        self._ticked = -TICK_INTERVAL

    def begin(self, rows: Iterable[Row], tree: Tree, db: Path) -> None:
        """Write the files for the first time, unless an existing file contains more.

        rows: the rows from the store. Raise AtlasError if an existing file contains more than these rows, or is not an
        atlas.
        """
        by_key = {key_of(row.position): row for row in rows}
        for out in (self._out, self._out_last):
            if out is not None and out.exists():
                _compare(out, by_key, tree, db)
        self.write(by_key.values())

    def finished(self, position: Position, answer: Answer, seconds: float) -> None:
        """Log a finished position: the position, the answer, and the seconds of work."""
        record = {**to_record(position, COURSE), **answer_record(answer, ["kernel"])}
        self._note({"event": "position", **record, "seconds": round(seconds, 3)})

    def log_progress(self, progress: RunProgress, rows: Callable[[], Collection[Row]]) -> None:
        """Log the run's state and write the files if their intervals have passed.

        rows: a function that returns the current rows.
        """
        now = time.monotonic()
        if now - self._ticked >= TICK_INTERVAL:
            self._ticked = now
            self._note(progress_record(progress))
        if now - self._written >= FILE_INTERVAL:
            self.write(rows())

    def _note(self, record: Mapping[str, Any]) -> None:
        if self._log is not None:
            print(json.dumps(record), file=self._log, flush=True)

    def write(self, rows: Collection[Row]) -> None:
        """Write the atlas's files."""
        if self._out_last is not None:
            write_atlas((row for row in rows if row.position.ply == self._last_ply), self._out_last)
            rows = [row for row in rows if row.position.ply < self._last_ply]
        if self._out is not None:
            write_atlas(rows, self._out)
        self._written = time.monotonic()


def _compare(out: Path, by_key: Mapping[int, Row], tree: Tree, db: Path) -> None:
    listed = {key for level in tree.levels for key in level}
    for number, row in enumerate(read_atlas(out), 2):
        key = key_of(row.position)
        if key not in listed:
            raise AtlasError(f"{out}, line {number}: not in this atlas: give a larger --depth, or another --out")
        if key not in by_key or by_key[key].lo < row.lo or by_key[key].hi > row.hi:
            raise AtlasError(
                f"{out}, line {number}: {db} has wider bounds: give another --out, or first run"
                f" {command_line('book import', out, '--db', db)}"
            )
