"""The command ``little-go proof``."""

import json
import random
import re
from functools import cache, partial
from pathlib import Path

import click

import little_go.solver.native.needed  # noqa: F401 - first, because without a kernel it prints one line, not a traceback
from little_go.book.commands.options import db_to_read, store_path
from little_go.book.store.connection import named_game
from little_go.book.store.facts import Contradiction, StoreError
from little_go.book.store.store import Store, open_store
from little_go.notation.movetext import after_moves
from little_go.proof.check import check_command, check_one
from little_go.proof.fsck import FsckResult, fsck, is_sound, prove_entries
from little_go.proof.strategist import Claim, FalseClaim, Strategist, write_certificate
from little_go.proof.verify import (
    Notes,
    Ply,
    Script,
    ScriptError,
    Walk,
    WalkFailure,
    ply_line,
    summary,
    summary_line,
    walkers,
)
from little_go.runtime.display import Display
from little_go.runtime.errors import BadUsage, OneLineErrors
from little_go.runtime.journal import JournalError
from little_go.runtime.options import (
    COLOUR,
    FILE,
    OUTPUT,
    json_option,
    seed_option,
    setting,
    table_option,
    workers_option,
)
from little_go.runtime.release import here_or_shipped
from little_go.solver.answer import LEAST, MOST
from little_go.solver.bounds import COLOUR_NUMBERS
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import Position

#: The number of lines of a new certificate that are checked.
SAMPLE = 200

#: The number of plies left at the leaves of a certificate, if Black keeps the bound (True) or White keeps it (False).
LEAVES = {True: 12, False: 13}


@click.group(
    cls=OneLineErrors,
    room="proof",
    expected=(StoreError, ScriptError, JournalError),
    findings=(Contradiction, WalkFailure, FalseClaim),
)
def main() -> None:
    """Write and check certificates, walk the player's script through every game, and look for contradictions."""


main.add_command(check_command)


@main.command("certificate")
@click.option(
    "--claim",
    required=True,
    metavar="TEXT",
)
@click.option(
    "--moves",
    "starts",
    multiple=True,
    metavar="MOVES",
    show_default="from the empty board",
)
@click.option("--out", required=True, type=OUTPUT)
@click.option(
    "--left",
    type=click.IntRange(1, 24),
    show_default=f"{LEAVES[True]} for >=, {LEAVES[False]} for <=",
)
@click.option("--whole", is_flag=True)
@workers_option()
def certificate_command(
    claim: str, starts: tuple[str, ...], out: Path, left: int | None, whole: bool, workers: int
) -> None:
    """Write a certificate: a strategy that keeps a bound.

    The command uses the rules and the kernel, but no store, so it writes the same bytes on every machine and with any
    number of workers. Two threads search, and --workers is the number of processes that check. From the empty board the
    search takes minutes. Give --moves again for each further start. Finally the command checks lines of the file, as
    `check` does.
    """
    wanted = _claim(claim)
    leaf = left or LEAVES[wanted.black]
    if (leaf % 2 == 0) != wanted.black:
        parity = "even" if wanted.black else "odd"
        raise BadUsage(f"--left is {leaf}: for {wanted} give an {parity} number of plies")
    positions = [_position_after(moves) for moves in starts or ("",)]
    if any(position.left - (position.black_to_move != wanted.black) < leaf for position in positions):
        raise BadUsage(f"--left is {leaf}, but a position of --moves has fewer plies left: give a smaller --left")
    heads = [f"start {moves.strip() or 'empty'}" for moves in starts or ("",)]
    with Display() as display, Strategist(wanted, workers, partial(_show_ply, display)) as strategist:
        count = write_certificate(wanted, heads, strategist.strategy(positions, leaf), out, leaf)
    click.echo(f"{out}: {wanted}, {count:,} lines, leaves with {leaf} plies left, {out.stat().st_size:,} bytes")
    check_one(str(out), workers, None if whole else SAMPLE)


def _claim(text: str) -> Claim:
    found = re.fullmatch(r"\s*black\s*(>=|<=)\s*([+-]?\d{1,2})\s*", text)
    if found is None or not LEAST <= int(found[2]) <= MOST:
        raise BadUsage(f'--claim is {text!r}: give "black >= N" or "black <= N", with N from {LEAST} to {MOST}')
    return Claim(found[1] == ">=", int(found[2]))


def _position_after(moves: str) -> Position:
    try:
        position = after_moves(moves, game=COURSE).all_read().position
    except ValueError as error:
        raise BadUsage(f"--moves: {error}") from None
    if position.is_over:
        raise BadUsage(f"--moves is {moves!r}, after which the game is over: give fewer moves")
    return position


def _show_ply(display: Display, ply: int, done: int, total: int) -> None:
    display.part(f"ply {ply}", done, total)


@main.command("fsck")
@db_to_read
@click.option(
    "--left",
    type=click.IntRange(1, 24),
)
@click.option(
    "--prove",
    metavar="N|all",
)
@seed_option()
@table_option("256MiB")
def fsck_command(db: Path | None, left: int | None, prove: str | None, seed: int, table_mib: int) -> None:
    """Look for contradictions in the proof store.

    The command runs SQLite's own checks, looks for positions that no game can reach, and checks that bounds, best moves
    and choices are consistent with the positions after the moves. A forged row can be consistent: --prove finds such
    rows. With --left, every position after a reply to one of our choices must also have a choice, down to that number
    of plies left. The command prints each fault, and exits with 1 if there is a fault.
    """
    number = _number_of(prove)
    report = FsckResult()
    path = store_path(db)
    with open_store(path, suspect=True, game=named_game(path)) as store, Display() as display:
        # The count waits until fsck() has found that the rows can be read.
        total = cache(lambda: len(store) + store.count_choices())
        show = partial(display.part, "positions and choices")
        for fault in fsck(store, report, left, lambda: show(done=report.entries + report.choices, total=total())):
            click.echo(fault)
        wanted = prove is not None and report.readable
        proved = _prove(store, number, seed, table_mib, report, display) if wanted else None
    believed = report.entries - (proved or 0)
    if believed:
        click.echo(
            f"{believed:,} of {report.entries:,} positions are trusted without a search: --prove searches them again"
        )
    faults = "1 fault" if report.faults == 1 else f"{report.faults or 'no'} faults"
    again = "" if proved is None else f"; {proved:,} positions searched again"
    click.echo(
        f"{path}: {report.entries:,} positions and {report.links:,} moves between them, "
        f"{report.choices:,} of our choices and {report.replies:,} replies to them{again}: {faults}"
    )
    if report.faults:
        raise SystemExit(1)


def _number_of(text: str | None) -> int | None:
    if text is None or text == "all":
        return None
    if not text.isdecimal() or int(text) == 0:
        raise BadUsage(f"--prove is {text!r}: give a number of rows, or all")
    return int(text)


def _prove(store: Store, number: int | None, seed: int, mib: int, report: FsckResult, display: Display) -> int:
    """Search rows again, print and count the faults, and return the number of rows.

    number: the number of rows to draw at random, or None for all rows.
    """
    entries = [entry for entry in store if is_sound(entry.position)]
    if number is not None:
        entries = random.Random(seed).sample(entries, min(number, len(entries)))
    try:
        table = open_table(mib)
    except ValueError as error:
        raise BadUsage(str(error)) from None
    show = partial(display.part, "positions searched again", total=len(entries))
    for fault in prove_entries(store, entries, Kernel(table), lambda done: show(done=done)):
        report.faults += 1
        click.echo(fault)
    return len(entries)


@main.command()
@setting("--player", FILE, "my_player3.py")
@setting("--book", FILE, "book.json")
@setting("--colour", COLOUR, "black")
@workers_option()
@click.option(
    "--notes",
    "notes_path",
    type=FILE,
    show_default="BOOK.walked-COLOUR",
)
@json_option()
def verify(player: Path, book: Path, colour: str, workers: int, notes_path: Path | None, as_json: bool) -> None:
    """Play the script against every reply: it must keep each win.

    The command visits all positions that can arise up to the last ply of the book. The script's exact search decides
    the positions at the player's next ply. If a won position leads to a position that is not won, the command prints
    the position and exits with 1. You can stop the command at any moment: the same command resumes.
    """
    number = COLOUR_NUMBERS[colour]
    notes_path = notes_path or Path(f"{book}.walked-{colour}")
    player, book = here_or_shipped(player), here_or_shipped(book)
    script = Script(player, book)
    reach, game = script.last_ply(number), script.game
    notes = Notes(notes_path, script)
    if len(notes):
        click.echo(f"resuming after {len(notes):,} positions", err=True)
    plies: list[Ply] = []
    crew = walkers(workers, player, book)
    with Display() as display:
        try:
            for ply in Walk(crew, number, partial(_show_ply, display), notes, game=game).plies(game.start, reach):
                plies.append(ply)
                if not as_json:
                    click.echo(ply_line(ply))
        finally:
            # After a fault or a Ctrl-C, do not wait for the other jobs.
            crew.pool.end()
            notes.close()
    figures = summary(plies)
    if as_json:
        click.echo(json.dumps(figures))
    else:
        click.echo(summary_line(colour, figures))


if __name__ == "__main__":
    main(prog_name=f"python -m {__package__}")
