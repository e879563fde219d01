"""The files that a run of the atlas writes: the atlas, in one file or two, and a log for programs."""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from book.files.atlas import AtlasError, Row, read_atlas, write_atlas
from generator.questions.atlas_run import Finished, Reach
from generator.questions.first_plies import Tree
from notation.record import answer_record, to_record
from runtime.hints import command_line
from solver.family import COURSE
from solver.symmetry import key_of

#: Seconds between two states of the file, and between two ticks of the log.
FILE_INTERVAL, TICK_INTERVAL = 300.0, 10.0


def worth_record(worth: Finished) -> dict[str, Any]:
    """Return a finished position as JSON keys: the position's, the answer's, and ``seconds`` of work."""
    record = {**to_record(worth.position, COURSE), **answer_record(worth.answer, ["kernel"])}
    return {"event": "position", **record, "seconds": round(worth.seconds, 3)}


def reach_record(reach: Reach) -> dict[str, Any]:
    """Turn a run's state into JSON keys.

    ``left``, ``spread``: seconds to go, and how uncertain, or null. ``fill``: of the table, null on a cluster.
    """
    left, spread = reach.left or (None, None)
    return {
        "event": "tick",
        "ply": reach.ply,
        "done": reach.done,
        "open": reach.total - reach.done,
        "nodes": reach.nodes,
        "seconds": round(reach.seconds, 1),
        "fill": None if reach.fill is None else round(reach.fill, 4),
        "workers": reach.workers,
        "left": None if left is None else round(left),
        "spread": None if spread is None else round(spread),
    }


class Logbook:
    """The files of an atlas, written again every few minutes, and the log."""

    def __init__(self, out: Path | None, out_last: Path | None, last_ply: int, log: IO[str] | None) -> None:
        """out, log: the atlas's file, and that of a JSON object a line; None for none.

        out_last: the file of the positions after ``last_ply`` plies, or None when they are in ``out`` with the others.
        """
        self._out, self._out_last, self._last_ply = out, out_last, last_ply
        self._log = log
        self._written = time.monotonic()
        self._ticked = -TICK_INTERVAL

    def begin(self, rows: Iterable[Row], tree: Tree, db: Path) -> None:
        """Write the files for the first time, unless there is one that has more in it.

        rows: what the store knows already. Raises AtlasError for a file that has more or is none, and OSError.
        """
        by_key = {key_of(row.position): row for row in rows}
        for out in (self._out, self._out_last):
            if out is not None and out.exists():
                _compare(out, by_key, tree, db)
        self.write(by_key.values())

    def finished(self, worth: Finished) -> None:
        """Log a finished position."""
        self._note(worth_record(worth))

    def reach(self, reach: Reach, rows: Callable[[], Iterable[Row]]) -> None:
        """Log where the run stands, and write the files, when it is time; ``rows``: gives the atlas as it is now."""
        now = time.monotonic()
        if now - self._ticked >= TICK_INTERVAL:
            self._ticked = now
            self._note(reach_record(reach))
        if now - self._written >= FILE_INTERVAL:
            self.write(rows())

    def _note(self, record: Mapping[str, Any]) -> None:
        if self._log is not None:
            print(json.dumps(record), file=self._log, flush=True)

    def write(self, rows: Iterable[Row]) -> None:
        """Write the files that there are to be; raises OSError."""
        rows = list(rows)
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
            raise AtlasError(f"{out}, line {number}: not in this atlas; ask for more --depth, or give another --out")
        if key not in by_key or by_key[key].lo < row.lo or by_key[key].hi > row.hi:
            raise AtlasError(
                f"{out}, line {number}: {db} knows less; give another --out, or first run"
                f" {command_line('book import', out, '--db', db)}"
            )
