"""``python -m lab bench-queries``: how long until every move of a position is exact, with what ships."""

import json
import time
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import click

from book.answers.live import LiveSearch, for_seconds
from book.answers.query import Knowledge, Service
from book.answers.sources import Source, session_sources
from book.files.reader import read_book
from book.files.shipped import BOOK_FILE
from lab.speed.drawn import drawn_positions
from notation.record import to_record
from runtime.display import Display
from runtime.errors import BadUsage
from runtime.options import COUNT, SOME_TIME, json_option, seed_option, setting, table_option
from solver.family import COURSE
from solver.position import Position, move_name


class Measured(NamedTuple):
    """What was found of a position's moves, and what that cost: by the clock, of CPU, and in nodes."""

    knowledge: Knowledge
    seconds: float
    cpu: float
    nodes: int

    @property
    def is_exact(self) -> bool:
        """Whether every move's value was found."""
        return self.knowledge.exact == len(self.knowledge.after_moves)

    def record(self) -> dict[str, Any]:
        """Return it as JSON keys; ``moves``: each legal move's exact value, or null."""
        values = {move_name(move): after.value for move, after in self.knowledge.after_moves}
        cost = {"seconds": round(self.seconds, 3), "cpu": round(self.cpu, 3), "nodes": self.nodes}
        return {**to_record(self.knowledge.position, COURSE), "moves": values, "exact": self.is_exact, **cost}


def measure(
    sources: Sequence[Source], way: Sequence[Position], position: Position, seconds: float, table_mib: int | None = None
) -> Measured:
    """Find the values of all moves of a position, from an empty table, and what the sources say of it and of its way.

    seconds: the most it may take. Raises ValueError for a table that does not fit.
    """
    clock, cpu = time.perf_counter(), time.process_time()
    live = LiveSearch(table_mib)
    *_, knowledge = Service(sources, live, game=COURSE).updates(position, for_seconds(seconds), seconds, way)
    return Measured(knowledge, time.perf_counter() - clock, time.process_time() - cpu, live.searched)


def summary(ply: int, measured: Sequence[Measured]) -> dict[str, Any]:
    """Sum measurements up: ``positions``, ``exact`` of them; seconds that half of them, 95 % and all took."""
    return {
        "ply": ply,
        "positions": len(measured),
        "exact": sum(each.is_exact for each in measured),
        **_shares("", sorted(each.seconds for each in measured)),
        **_shares("cpu_", sorted(each.cpu for each in measured)),
        "nodes": sum(each.nodes for each in measured),
    }


def _shares(name: str, times: Sequence[float]) -> dict[str, float]:
    shares = {"p50": 0.5, "p95": 0.95, "worst": 1.0}
    return {f"{name}{word}": round(times[ceil(share * len(times)) - 1], 2) for word, share in shares.items()}


def _line(row: Mapping[str, Any]) -> str:
    times = "".join(f"{row[prefix + word]:8.2f}" for prefix in ("", "cpu_") for word in ("p50", "p95", "worst"))
    return f"{row['ply']:3} {row['positions']:10} {row['exact']:6}{times} {row['nodes'] / 1e6:9.1f}"


@click.command("bench-queries")
@click.option(
    "--positions",
    "games",
    type=COUNT,
    default=50,
    show_default=True,
    help="How many positions at each ply.",
)
@seed_option("Seed of the games.")
@setting("--live", SOME_TIME, "5m", "How long to search unsolved moves of one position at most.")
@table_option(None, "Memory for the transposition table, chosen to fit the machine by default")
@json_option("Answer in JSON: a line for each position, and one for each ply.")
def bench_queries(games: int, seed: int, live: float, table_mib: int | None, as_json: bool) -> None:
    """Measure how long it takes until every move of a position is known exactly, with what ships and all cores.

    The positions are those of games in which Black, White or both err (lab/speed/drawn.py). Each begins with an empty
    table. The columns are the seconds that half of the positions, 95 % of them and the worst took, by the clock and of
    CPU, and the nodes of all together in millions.
    """
    sources, drawn = session_sources(read_book(str(BOOK_FILE), game=COURSE)), drawn_positions(games, seed)
    if not as_json:
        click.echo("ply  positions  exact     p50     p95   worst cpu p50 cpu p95   worst   M nodes")
    with Display() as display:
        for ply, positions in enumerate(drawn):
            measured = []
            for game, position in enumerate(positions):
                display.part("positions", ply * games + game, games * len(drawn))
                try:
                    measured.append(measure(sources, [each[game] for each in drawn[:ply]], position, live, table_mib))
                except ValueError as error:
                    raise BadUsage(str(error)) from None
                if as_json:
                    click.echo(json.dumps(measured[-1].record()))
            row = summary(ply, measured)
            click.echo(json.dumps(row) if as_json else _line(row))
