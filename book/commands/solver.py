"""The command ``little-go solver``, which counts positions, and finds values only by search.

The subcommands read positions in every notation. The command is not in the package solver, because solver must not
import notation.
"""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from typing import IO, Any, Protocol

import click

from little_go.book.commands.options import course_position, open_lines, position_argument
from little_go.notation.faults import NotationError
from little_go.notation.forms import read
from little_go.notation.parsed import ParsedPosition
from little_go.notation.record import answer_record, left_out_record, to_record
from little_go.runtime.display import tracked
from little_go.runtime.errors import BadUsage, OneLineErrors
from little_go.runtime.options import json_option, setting, table_option
from little_go.solver.answer import LEAST, MOST, Answer
from little_go.solver.family import COURSE
from little_go.solver.native import NoKernel, kernel_needed
from little_go.solver.native.table import open_table
from little_go.solver.position import GAME_PLIES, PASS, Position, move_name

#: The names of the engines in an answer's list of sources, by their names in the option --engine.
ENGINES = {"native": "kernel", "python": "player's solver"}


class ValueEngine(Protocol):
    """An engine: the native kernel or the pure-Python solver."""

    def decide(self, position: Position, threshold: int) -> Answer:
        """Search until it is known whether the value is ``threshold`` or more."""

    def value(self, position: Position) -> Answer:
        """Search for the exact value."""


@click.group(cls=OneLineErrors, room="solver", expected=(NoKernel,))
def main() -> None:
    """Count positions, and find their values."""


@main.command("perft")
@click.argument("depth", type=click.IntRange(1, GAME_PLIES), help="The length of the longest sequences.")
@position_argument
@click.option("--divide", is_flag=True)
@click.option("--count-pass", is_flag=True)
@json_option()
def perft_command(depth: int, words: tuple[str, ...], divide: bool, count_pass: bool, as_json: bool) -> None:
    """Count the sequences of 1 to DEPTH plies, to test move generators.

    From the empty board: 25, 600, 13800, 303424, 6368416, 127124176, 2411088112; with --count-pass 26, 651, 15650,
    361041. As in published figures, but unlike at the host, a PASS on the first ply does not end the game. A PASS that
    answers a PASS ends a sequence.
    """
    position = course_position(words).position
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
        counted = {"count_pass": count_pass, "leaves": leaves, "seconds": round(seconds, 3)}
        record: dict[str, Any] = {**to_record(position, COURSE), **counted}
        if divide:
            record["divide"] = {move_name(move): count for move, count in counts.items()}
        click.echo(json.dumps(record))
    elif divide:
        click.echo()
        for move, count in counts.items():
            click.echo(f"{move_name(move):4} {count:>13,}")


def count_by_move(position: Position, depth: int, count_pass: bool) -> dict[int, int]:
    """Return the perft count after each legal move, with PASS last. The sum of the counts is the position's count.

    The moves are counted in separate calls, so that Ctrl-C can end the command between them.
    """
    with kernel_needed():
        from little_go.solver.native.kernel import perft

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
            # play() is not used, because it would end the game after a PASS on the first ply.
            after = position._replace(ko=None, ply=position.ply + 1, passed=True)
            counts[move] = perft(after, depth - 1, count_pass=True)
    return counts


@main.command()
@position_argument
@click.option("--lines", metavar="FILE")
@setting("--engine", click.Choice(list(ENGINES)), "native")
@click.option(
    "--at-least",
    type=click.IntRange(LEAST, MOST),
)
@table_option("64MiB")
def value(words: tuple[str, ...], lines: str | None, engine: str, at_least: int | None, table_mib: int) -> None:
    """Find the values of positions, only by search.

    The value is the number of Black's stones less White's stones at the end under best play. The command prints a line
    of JSON for each position, with the keys black, white, ko, ply, passed, value (null if lo and hi differ), lo, hi,
    best_move, nodes and sources, and not_read if a part of the input was skipped. The search takes well under a second
    with 16 plies left, a few seconds with 18, and far longer from the empty board.
    """
    if (not words) == (lines is None):
        raise BadUsage("give POSITION or --lines" + (", not both" if words else ""))
    searcher = _open_engine(engine, table_mib)
    for placed in [course_position(words)] if words else _placed_in(str(lines)):
        position = placed.position
        answer = searcher.value(position) if at_least is None else searcher.decide(position, at_least)
        record = to_record(position, COURSE) | answer_record(answer, [ENGINES[engine]])
        click.echo(json.dumps(record | left_out_record(placed.left_out)))


def _open_engine(name: str, table_mib: int) -> ValueEngine:
    if name == "python":
        from little_go.solver.exact import ExactSolver

        return ExactSolver()
    with kernel_needed():
        from little_go.solver.native.kernel import Kernel

    try:
        return Kernel(open_table(table_mib))
    except ValueError as error:
        raise BadUsage(str(error)) from None


def _placed_in(path: str) -> Iterator[ParsedPosition]:
    with open_lines(path) as file:
        found = False
        for number, line in enumerate(_counted(file), 1):
            if line.strip():
                found = True
                try:
                    placed = read(line, COURSE)
                except NotationError as error:
                    raise BadUsage(f"{path}, line {number}: {error}") from None
                for note in placed.notes:
                    click.echo(f"{path}, line {number}: {note}", err=True)
                yield placed
    if not found:
        raise BadUsage(f"{path}: no line contains a position")


def _counted(file: IO[str]) -> Iterable[str]:
    """Return the lines.

    If the answers do not go to the terminal, show a progress bar in the terminal while lines are read.
    """
    if not sys.stderr.isatty() or sys.stdout.isatty():
        return file
    total = None
    if file.seekable():
        total = sum(1 for _ in file)
        file.seek(0)
    return tracked(file, "positions", total)
