"""The command ``python -m book bench``: how long until every move of a position is exact, with what ships."""

import json
import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import click

from book.answers.live import Live, for_seconds
from book.answers.query import Knowledge
from book.answers.service import Service
from book.answers.sources import Source, session_sources
from book.files.reader import read_book
from book.files.shipped import BOOK
from runtime.display import Display
from runtime.errors import BadUsage
from runtime.options import COUNT, SOME_TIME, json_option, seed_option, setting, table_option
from solver.position import GAME_PLIES, START, Position, move_name
from solver.record import to_record

#: Who errs in one game after the other, and how often: every other move of theirs is drawn by lot.
_ERRING, _CARE = ((1,), (2,), (1, 2)), 0.5


class Measured(NamedTuple):
    """A position of a game, what was found of its moves, and what that cost: by the clock, of CPU, and in nodes."""

    way: tuple[Position, ...]
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
        return {**to_record(self.knowledge.position), "moves": values, "exact": self.is_exact, **cost}


def measure(
    sources: Sequence[Source], games: int, seed: int, seconds: float, table_mib: int | None = None
) -> Iterator[Measured]:
    """Play games in which Black, White or both err, and find the values of all moves of each of their positions.

    Every position begins with an empty table, and knows what the sources say of it and of the positions on the way.
    seconds: the most for one. The same seed makes the same games where all values are found. Raises ValueError for a
    table that does not fit.
    """
    for number in range(games):
        rng = random.Random(f"{seed} {number}")
        way: tuple[Position, ...] = ()
        position = START
        for _ in range(GAME_PLIES):
            measured = _measure(sources, position, way, seconds, table_mib)
            yield measured
            errs = position.mover in _ERRING[number % len(_ERRING)] and rng.random() >= _CARE
            way, position = (*way, position), position.play(_next(measured.knowledge, errs, rng))
            if position.is_over:
                break


def _measure(
    sources: Sequence[Source], position: Position, way: tuple[Position, ...], seconds: float, table_mib: int | None
) -> Measured:
    clock, cpu = time.perf_counter(), time.process_time()
    live = Live(table_mib)
    *_, knowledge = Service(sources, live).updates(position, for_seconds(seconds), seconds, way)
    return Measured(way, knowledge, time.perf_counter() - clock, time.process_time() - cpu, live.searched)


def _next(knowledge: Knowledge, errs: bool, rng: random.Random) -> int:
    """Draw a best move, or any, but none that ends the game early if there is another."""
    position = knowledge.position
    moves = position.legal_moves() if errs else knowledge.best_moves or position.legal_moves()
    going_on = [move for move in moves if position.ply == GAME_PLIES - 1 or not position.play(move).is_over]
    moves = going_on or position.legal_moves()[:-1] or moves
    # Python promises the same random() in every version, but not the same choice().
    return moves[int(rng.random() * len(moves))]


def summary(measured: Iterable[Measured]) -> list[dict[str, Any]]:
    """Sum measurements up by ply: ``positions``, ``exact`` of them; seconds that half of them, 95 % and all took."""
    plies: dict[int, list[Measured]] = {}
    for each in measured:
        plies.setdefault(each.knowledge.position.ply, []).append(each)
    return [
        {
            "ply": ply,
            "positions": len(group),
            "exact": sum(each.is_exact for each in group),
            **_shares("", sorted(each.seconds for each in group)),
            **_shares("cpu_", sorted(each.cpu for each in group)),
            "nodes": sum(each.nodes for each in group),
        }
        for ply, group in sorted(plies.items())
    ]


def _shares(name: str, times: Sequence[float]) -> dict[str, float]:
    shares = {"p50": 0.5, "p95": 0.95, "worst": 1.0}
    return {f"{name}{word}": round(times[ceil(share * len(times)) - 1], 2) for word, share in shares.items()}


def _line(row: Mapping[str, Any]) -> str:
    times = "".join(f"{row[prefix + word]:8.2f}" for prefix in ("", "cpu_") for word in ("p50", "p95", "worst"))
    return f"{row['ply']:3} {row['positions']:10} {row['exact']:6}{times} {row['nodes'] / 1e6:9.1f}"


@click.command("bench")
@setting("--games", COUNT, 50, "Games to play: so many positions at each ply, some less at the last.")
@seed_option("Seed of the games.")
@setting("--live", SOME_TIME, "5m", "How long to search at most what the files leave open of one position.")
@table_option(None, "Memory for the transposition table; what fits the machine unless it is given")
@json_option("Answer in JSON: a line for each position, and one with the summary at the end.")
def bench_command(games: int, seed: int, live: float, table_mib: int | None, as_json: bool) -> None:
    """Measure how long it takes until every move of a position is known exactly, with what ships and all cores.

    The positions are those of games in which Black, White or both err: every other move of theirs is drawn by lot, and
    the others are best. Each begins with an empty table. The columns are the seconds that half of the positions, 95 %
    of them and the worst took, by the clock and of CPU, and the nodes of all together in millions.
    """
    sources, measured = session_sources(read_book(str(BOOK))), []
    with Display() as display:
        try:
            for each in measure(sources, games, seed, live, table_mib):
                measured.append(each)
                if as_json:
                    click.echo(json.dumps(each.record()))
                display.part("positions", len(measured), games * GAME_PLIES)
        except ValueError as error:
            raise BadUsage(str(error)) from None
    rows = summary(measured)
    if as_json:
        click.echo(json.dumps({"bench": rows}))
        return
    click.echo("ply  positions  exact     p50     p95   worst cpu p50 cpu p95   worst   M nodes")
    for row in rows:
        click.echo(_line(row))
