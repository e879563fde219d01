"""The front door: ``python -m proof``."""

import json
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import click

from book.store import StoreError, open_store
from book.strategy import Incomplete, strategy, won_starts
from proof.certificate import turn_of, write_certificate
from proof.checking import check_command
from proof.fsck import Report, fsck
from proof.verify import Broken, Notes, Ply, Script, ScriptError, Walk, ply_line, start_walker, summary, summary_line
from runtime.display import Display
from runtime.errors import BadInput, OneLineErrors
from solver.answer import BLACK_WINS
from solver.kernel import Kernel
from solver.position import START, Position
from solver.table import open_table

#: The colours, as options name them.
COLOURS = {"black": 1, "white": 2}

#: Plies left at the leaves of a certificate, the level below the closure; what others cost is in docs/CERTIFICATE.md.
LEAVES = {"black": 12, "white": 13}

#: With so many plies left or fewer, a move that the store does not hold is found by the kernel, on such a table.
FIND_LEFT, FIND_MIB = 14, 64


class Commands(OneLineErrors):
    """The commands, and what they may fail by."""

    expected = (StoreError, ScriptError, Broken, Incomplete)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Write and check certificates, walk the player's script through every game, look for contradictions."""


main.add_command(check_command)


@main.command("certificate")
@click.option("--db", default="book.db", show_default=True, metavar="FILE", help="The proof store to read.")
@click.option(
    "--winner",
    type=click.Choice(sorted(COLOURS)),
    default="black",
    show_default=True,
    help="Black from the empty board, or White after each first move of Black's that loses.",
)
@click.option("--out", metavar="FILE", help="The certificate; .gz compresses it.  [default: WINNER.cert.gz]")
@click.option(
    "--leaf",
    type=click.IntRange(1, 24),
    help="Plies left at the lines that the checker is to search, even for Black and odd for White."
    f"  [default: {LEAVES['black']} or {LEAVES['white']}]",
)
def certificate_command(db: str, winner: str, out: str | None, leaf: int | None) -> None:
    """Write a colour's complete winning strategy, as `check` reads it.

    The store must hold a choice (`python -m generator closure`) for each position on the way; from 14 plies left on
    the kernel finds the moves that it does not hold.
    """
    leaf, out, colour = leaf or LEAVES[winner], out or f"{winner}.cert.gz", COLOURS[winner]
    if leaf % 2 != colour - 1:
        parity = "an odd" if colour == 2 else "an even"
        raise BadInput(f"--leaf is {leaf}: {winner.capitalize()} moves with {parity} number of plies left")
    with open_store(db) as store, Display() as display:
        starts = won_starts(store, colour)
        choices = strategy(store, starts, leaf, partial(_show_ply, display), _finder())
        turns = [turn_of(choice.position, choice.move) for choice in choices]
    count = write_certificate(turns, out, leaf)
    click.echo(f"{out}: {count:,} lines, leaves with {leaf} plies left")


def _finder() -> Callable[[Position], int | None]:
    """Return a finder of winning moves near the end; asked the same in the same order, it finds the same."""
    kernel = Kernel(open_table(FIND_MIB))

    def find(position: Position) -> int | None:
        if position.left > FIND_LEFT:
            return None
        answer = kernel.decide(position, BLACK_WINS)
        return answer.best if answer.winner == position.mover else None

    return find


def _show_ply(display: Display, ply: int, done: int, total: int) -> None:
    display.part(f"ply {ply}", done, total)


@main.command("fsck")
@click.option("--db", default="book.db", show_default=True, metavar="FILE", help="The proof store to look through.")
@click.option(
    "--last-left",
    type=click.IntRange(1, 24),
    help="With so many plies left or more, every reply to a choice of ours must have a choice too.",
)
def fsck_command(db: str, last_left: int | None) -> None:
    """Look for contradictions in the proof store.

    Bounds of positions and of the positions their moves lead to, best moves, choices: all must fit together. Prints
    each fault; exits with 1 when there is one.
    """
    report = Report()
    with open_store(db) as store, Display() as display:
        total = len(store) + store.count_choices()
        show = partial(display.part, "positions and choices", total=total)
        for fault in fsck(store, report, last_left, lambda: show(done=report.entries + report.choices)):
            click.echo(fault)
    faults = "1 fault" if report.faults == 1 else f"{report.faults or 'no'} faults"
    click.echo(
        f"{db}: {report.entries:,} positions and {report.links:,} moves between them, "
        f"{report.choices:,} of our choices and {report.replies:,} replies to them: {faults}"
    )
    if report.faults:
        raise SystemExit(1)


@main.command()
@click.option(
    "--player",
    default="my_player3.py",
    show_default=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The script to verify.",
)
@click.option(
    "--book",
    default="book.json",
    show_default=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The book it plays with.",
)
@click.option(
    "--colour",
    type=click.Choice(sorted(COLOURS)),
    default="black",
    show_default=True,
    help="Which side the player takes.",
)
@click.option(
    "--workers", default=os.cpu_count() or 1, show_default="one per core", type=click.IntRange(1), help="Processes."
)
@click.option(
    "--notes",
    "notes_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where it notes what is walked, to go on after a stop.  [default: BOOK.walked-COLOUR]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def verify(player: Path, book: Path, colour: str, workers: int, notes_path: Path | None, as_json: bool) -> None:
    """Play the script against every reply, and see that it never leaves a win.

    Walks all positions that can arise as far as the book reaches, and hands those at the player's next ply to
    the script's exact search. Exits with 1, and says where, when a won position is followed by one that is not. Stop it
    when you like: the same command goes on where it was.
    """
    number = COLOURS[colour]
    reach = Script(player, book).last_ply(number)
    notes = Notes(notes_path or Path(f"{book}.walked-{colour}"), player, book)
    if len(notes):
        click.echo(f"going on after {len(notes):,} positions", err=True)
    plies: list[Ply] = []
    executor = ProcessPoolExecutor(workers, get_context("fork"), start_walker, (player, book))
    with closing(notes), Display() as display:
        try:
            for ply in Walk(executor, number, partial(_show_ply, display), notes).plies(START, reach):
                plies.append(ply)
                if not as_json:
                    click.echo(ply_line(ply))
        except BrokenProcessPool:
            raise click.ClickException("a worker died; the same command goes on where it was") from None
        finally:
            # After a fault or Ctrl-C nobody waits for what has not begun.
            executor.shutdown(cancel_futures=True)
    figures = summary(plies)
    if as_json:
        click.echo(json.dumps(figures))
    else:
        click.echo(summary_line(colour, figures))


if __name__ == "__main__":
    main(prog_name="python -m proof")
