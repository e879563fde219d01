"""Options, errors and the course of a run, which the commands share."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click

from book.commands.options import db_to_write
from book.store.facts import Contradiction, StoreError
from book.store.store import COMPLETE, INTERRUPTED, open_store
from generator.report.progress import RunDisplay
from generator.workers.workshop import Settings, Workshop, open_workshop
from runtime.errors import BadUsage, exit_interrupted, given_words
from runtime.hints import command_line
from runtime.options import COUNT, FILE, Duration, seed_option, setting, table_option, workers_option
from solver.family import COURSE
from solver.position import GAME_PLIES

_Command = Callable[..., None]


def searching(command: _Command) -> _Command:
    """Give a command the options of Settings."""
    options = [
        db_to_write,
        workers_option("Number of threads."),
        click.option("--budget", type=Duration(min=0), help="Stop after this time, such as 60s or 2h."),
        table_option("1GiB"),
        click.option(
            "--table-file",
            type=FILE,
            help="Keep the table in a file, best in /dev/shm.",
        ),
        setting("--keep-nodes", COUNT, 100_000, "Store what cost so many nodes."),
        seed_option("Changes the order of the search."),
        click.option(
            "--log",
            type=FILE,
            help="The log.  [default: the store's name with .log]",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def cluster_options(command: _Command) -> _Command:
    """Give a command the options of Settings for a cluster."""
    recheck = click.option(
        "--recheck",
        type=Share(),
        default="2%",
        show_default=True,
        help="The share of a cluster's claims to check.",
    )
    scheduler = click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Use the workers of this dask.distributed scheduler.",
    )
    return scheduler(recheck(command))


class Share(click.ParamType[float]):
    """A share, such as ``2%``; the command gets a number from 0 to 1."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the share; raise BadUsage for what is none."""
        found = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)%", str(value))
        if found and float(found[1]) <= 100:
            return float(found[1]) / 100
        raise BadUsage(f"--recheck is {value!r}: give a share from 0% to 100%")


plies_option = setting("--plies", click.IntRange(2, GAME_PLIES), GAME_PLIES, "The length of the longest game, even.")


def even(plies: int) -> int:
    """Return an even number of plies; raises BadUsage for an odd one."""
    if plies % 2:
        raise BadUsage(f"--plies is {plies}: games have an even number of plies")
    return plies


@contextmanager
def workshop_of(
    settings: Settings, parameters: dict[str, Any], *, processes: bool = False, err: bool = False, forecast: bool = True
) -> Iterator[tuple[Workshop, RunDisplay]]:
    """Give a workshop, and a display of it; say in the end how it went, on standard error if ``err``.

    forecast: as in Display.
    """
    _tell_of_imports(settings.db)
    try:
        with (
            open_workshop(settings, parameters, processes=processes) as shop,
            RunDisplay(settings.budget, forecast) as display,
        ):
            yield shop, display
    except Contradiction as error:
        inspection = command_line("proof fsck --prove all --db", settings.db)
        raise Contradiction(f"{error}; find the fault with {inspection}") from None
    counts = ", ".join(f"{number:,} {status}" for status, number in shop.counts.items())
    click.echo(f"{settings.db}: {shop.outcome}; {counts}", err=err)
    if shop.outcome == COMPLETE:
        return
    unfinished = f"Not finished; to resume: {command_line('generator', *given_words())}"
    if shop.outcome == INTERRUPTED:
        exit_interrupted(unfinished)
    click.echo(unfinished, err=err)


def _tell_of_imports(db: Path) -> None:
    """Say which files' word a run is going to take from its store."""
    # Whatever else is wrong with the store, the run is about to find out.
    with suppress(StoreError), open_store(db, game=COURSE) as store:
        if files := sorted(store.imported().values()):
            click.echo(
                f"{db} contains results from {', '.join(files)}: they are believed and not searched again."
                " Give another --db to start from nothing.",
                err=True,
            )
