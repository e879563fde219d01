"""Options, errors and the course of a run, which the commands share."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click

from book.commands.stores import db_to_write
from book.store.facts import StoreError
from book.store.store import open_store
from generator.report.progress import RunDisplay
from generator.workers.workshop import COMPLETE, INTERRUPTED, Settings, Workshop, open_workshop
from runtime.errors import INTERRUPTED as EXIT_INTERRUPTED
from runtime.errors import BadUsage
from runtime.options import COUNT, FILE, Duration, seed_option, setting, table_option, workers_option
from solver.position import GAME_PLIES

_Command = Callable[..., None]


def searching(command: _Command) -> _Command:
    """Give a command the options of Settings."""
    options = [
        db_to_write,
        workers_option("Number of threads that search; closure uses processes instead."),
        click.option("--budget", type=Duration(min=0), help="Stop after this time, such as 60s, 5m or 2h."),
        table_option("1GiB", "Memory for the transposition table, shared by all workers"),
        click.option(
            "--table-file",
            type=FILE,
            help="Keep the table in this file, so that a later run starts warm. Use a file system in memory, such as "
            "/dev/shm: on a disk the workers wait for their pages to be written back.",
        ),
        setting("--keep-nodes", COUNT, 100_000, "Store the results that cost at least this many nodes."),
        seed_option("Changes the order of the search."),
        click.option(
            "--log",
            type=FILE,
            help="The log file of all processes.  [default: the store's name with .log]",
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
        help="The share of what the scheduler's workers send that this machine searches again, however long it takes. "
        "The rest is searched again as far as its --workers have time.",
    )
    scheduler = click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Use the workers of this dask.distributed scheduler, such as tcp://192.0.2.1:8786, instead of this "
        "machine's. Each of their machines then has a table of this size, --table.",
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


plies_option = setting(
    "--plies", click.IntRange(2, GAME_PLIES), GAME_PLIES, "The length of the longest game, an even number."
)


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
    with (
        open_workshop(settings, parameters, processes=processes) as shop,
        RunDisplay(settings.budget, forecast) as display,
    ):
        yield shop, display
    counts = ", ".join(f"{number:,} {status}" for status, number in shop.counts.items())
    click.echo(f"{settings.db}: {shop.outcome}; {counts}", err=err)
    if shop.outcome != COMPLETE:
        command = f"{click.get_current_context().command_path} --db {settings.db}"
        click.echo(f"Not finished: {command}, with the same options, goes on.", err=err)
    if shop.outcome == INTERRUPTED:
        raise SystemExit(EXIT_INTERRUPTED)


def _tell_of_imports(db: Path) -> None:
    """Say which files' word a run is going to take from its store."""
    # Whatever else is wrong with the store, the run is about to find out.
    with suppress(StoreError), open_store(db) as store:
        if files := sorted(store.imported().values()):
            click.echo(
                f"{db} contains results from {', '.join(files)}: they are believed and not searched again."
                " Give another --db to start from nothing.",
                err=True,
            )
