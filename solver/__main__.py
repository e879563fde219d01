"""The solver's command: ``python -m solver``."""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from typing import IO, Protocol

import click

from runtime.display import tracked
from runtime.errors import BadUsage, OneLineErrors
from runtime.filesystem import open_text
from runtime.options import json_option, setting, table_option, workers_option
from solver.answer import LEAST, MOST, Answer
from solver.native import NoKernel, kernel_needed
from solver.native.table import open_table
from solver.position import GAME_PLIES, PASS, START, Position, move_name, parse_moves, play_all
from solver.record import BadRecord, answer_record, parse_line, to_record


class ValueEngine(Protocol):
    """The engine that answers: the native kernel or the pure-Python solver."""

    def decide(self, position: Position, threshold: int) -> Answer:
        """Decide whether the value reaches the threshold."""

    def value(self, position: Position) -> Answer:
        """Find the exact value."""


@click.group(cls=OneLineErrors, expected=(NoKernel,))
def main() -> None:
    """Count positions, find what they are worth, and measure the kernel."""


@main.command("perft")
@click.argument("depth", type=click.IntRange(1, GAME_PLIES))
@click.option("--moves", default="", metavar="MOVES", help='Start after these moves, such as "2,2 1,1 PASS".')
@click.option("--divide", is_flag=True, help="Show the position, and the last count for each move.")
@click.option("--count-pass", is_flag=True, help="Count PASS as a move.")
@json_option("Answer with one line of JSON.")
def perft_command(depth: int, moves: str, divide: bool, count_pass: bool, as_json: bool) -> None:
    """Count the sequences of 1 to DEPTH plies.

    From the empty board: 25, 600, 13800, 303424, 6368416, 127124176, 2411088112; with --count-pass 26,
    651, 15650, 361041. As in published figures, a PASS on the very first ply does not end the game here, though it
    does at the host. A PASS answered by a PASS ends a sequence.
    """
    position = _position_after(moves)
    if divide and not as_json:
        click.echo(position.diagram() + "\n")
    leaves = []
    for plies in range(1, depth + 1):
        start = time.perf_counter()
        counts = count_by_move(position, plies, count_pass)
        seconds = time.perf_counter() - start
        leaves.append(sum(counts.values()))
        if not as_json:
            rate = f"  {seconds:.2f} s, {leaves[-1] / seconds:,.0f} leaves/s" if plies == depth else ""
            click.echo(f"{plies:2} {leaves[-1]:>15,}{rate}")
    if as_json:
        record = {**to_record(position), "count_pass": count_pass, "leaves": leaves, "seconds": round(seconds, 3)}
        if divide:
            record["divide"] = {move_name(move): count for move, count in counts.items()}
        click.echo(json.dumps(record))
    elif divide:
        click.echo()
        for move, count in counts.items():
            click.echo(f"{move_name(move):4} {count:>13,}")


def count_by_move(position: Position, depth: int, count_pass: bool) -> dict[int, int]:
    """Return perft's count for each legal move, PASS last if counted; their sum is perft of the position.

    Counting move by move lets Ctrl-C in between them.
    """
    with kernel_needed():
        from solver.native.kernel import perft

    counts = {}
    for move in position.legal_moves():
        if move == PASS and not count_pass:
            continue
        if depth == 1:
            counts[move] = 1
        elif move != PASS:
            counts[move] = perft(position.play(move), depth - 1, count_pass=count_pass)
        elif position.passed:
            counts[move] = 0
        else:
            # Not play(), by which a PASS on the first ply ends the game.
            after = position._replace(ko=None, ply=position.ply + 1, passed=True)
            counts[move] = perft(after, depth - 1, count_pass=True)
    return counts


@main.command()
@click.option("--moves", metavar="MOVES", help='The position after these moves, such as "2,2 1,1 PASS".')
@click.option("--lines", metavar="FILE", help="Positions as one JSON object per line; - is standard input.")
@setting(
    "--engine", click.Choice(["native", "python"]), "native", "The native kernel, or the solver built into the player."
)
@click.option(
    "--at-least",
    type=click.IntRange(LEAST, MOST),
    help="Only decide whether the value reaches this, which is faster.",
)
@table_option("64MiB", "Memory for the transposition table of the native engine")
def value(moves: str | None, lines: str | None, engine: str, at_least: int | None, table_mib: int) -> None:
    """Find what positions are worth: stones Black - White at the end under best play.

    It prints a line of JSON for each: the position's keys black, white, ko, ply and passed, then value (null
    while lo and hi differ), lo, hi, best, nodes and source. A position with 16 plies left takes well under a second,
    one with 18 some seconds, and the empty board far longer.
    """
    if (moves is None) == (lines is None):
        raise BadUsage("give --moves or --lines" + ("" if moves is None else ", not both"))
    searcher = _open_engine(engine, table_mib)
    positions = iter([_position_after(moves)]) if moves is not None else _positions_in(str(lines))
    for position in positions:
        answer = searcher.value(position) if at_least is None else searcher.decide(position, at_least)
        click.echo(json.dumps({**to_record(position), **answer_record(answer, "live")}))


@main.command()
@click.option(
    "--exact",
    is_flag=True,
    help="Measure exact values from an empty table instead, with 14 to 19 plies left; takes minutes.",
)
@click.option(
    "--all-moves",
    is_flag=True,
    help="Measure the exact values of all moves instead, from an empty table, with 14 to 20 plies left; takes minutes.",
)
@workers_option("For --all-moves: number of threads.", default=1)
@table_option(None, "For --all-moves: memory for the transposition table, 1GiB unless it is given")
@json_option("Answer with one line of JSON.")
def bench(exact: bool, all_moves: bool, workers: int, table_mib: int | None, as_json: bool) -> None:
    """Measure the kernel on a fixed workload, which takes some seconds on one core.

    The last line counts the nodes searched. For one thread, the number is the same on every run and machine until the
    search changes. Seconds are of CPU; those by the clock follow where threads share the work.
    """
    with kernel_needed():
        from solver.bench import MOVES_TABLE_MIB, leaves_per_second, measure_exact, measure_moves, measure_search

    if exact and all_moves:
        raise BadUsage("give --exact or --all-moves, not both")
    if not all_moves and (workers > 1 or table_mib is not None):
        raise BadUsage("--workers and --table go with --all-moves")
    name = "exact" if exact else "moves" if all_moves else "bench"
    found = measure_moves(workers, table_mib or MOVES_TABLE_MIB) if all_moves else None
    measures = []
    for measure in found or (measure_exact() if exact else measure_search()):
        measures.append(measure)
        if not as_json:
            clock = f" {measure.waited:7.2f} s by the clock" if workers > 1 else ""
            times = f"{measure.seconds:7.2f} s{clock}"
            click.echo(f"{measure.name:22} {measure.nodes:>12,} nodes {times}  {measure.result}")
    nodes = sum(measure.nodes for measure in measures)
    node_rate = nodes / sum(measure.seconds for measure in measures)
    rates = {"nodes_per_second": round(node_rate)}
    if name == "bench":
        rates["leaves_per_second"] = round(leaves_per_second())
    if as_json:
        parts = [
            {**measure._asdict(), "seconds": round(measure.seconds, 3), "waited": round(measure.waited, 3)}
            for measure in measures
        ]
        click.echo(json.dumps({"parts": parts, **rates, name: nodes}))
    else:
        if name == "bench":
            click.echo(f"\n{rates['leaves_per_second']:>15,} leaves/s", nl=False)
        click.echo(f"\n{rates['nodes_per_second']:>15,} nodes/s\n\n{name.capitalize()}: {nodes}")


def _open_engine(name: str, table_mib: int) -> ValueEngine:
    if name == "python":
        from solver.exact import ExactSolver

        return ExactSolver()
    with kernel_needed():
        from solver.native.kernel import Kernel

    try:
        return Kernel(open_table(table_mib))
    except ValueError as error:
        raise BadUsage(str(error)) from None


def _position_after(moves: str) -> Position:
    try:
        return play_all(START, parse_moves(moves))
    except ValueError as error:
        raise BadUsage(str(error)) from None


def _positions_in(path: str) -> Iterator[Position]:
    is_file = path != "-"
    with open_text(path, errors="replace") if is_file else click.open_file(path, errors="replace") as file:
        for number, line in enumerate(_counted(file), 1):
            if line.strip():
                try:
                    yield parse_line(line)
                except BadRecord as error:
                    raise BadUsage(f"{path}, line {number}: {error}") from None


def _counted(file: IO[str]) -> Iterable[str]:
    """Return the lines, with a progress bar on a terminal that does not show the answers themselves."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        return file
    total = None
    if file.seekable():
        total = sum(1 for _ in file)
        file.seek(0)
    return tracked(file, "positions", total)


if __name__ == "__main__":
    main(prog_name="python -m solver")
