"""Options, errors and the course of a run, which the commands share."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click

from book.files.atlas import AtlasError
from book.store.facts import StoreError
from book.store.store import open_store
from generator.report.forecast import ForecastError
from generator.report.progress import RunDisplay
from generator.workers.crew import CrewError
from generator.workers.workshop import INTERRUPTED, Settings, Workshop, open_workshop
from solver.position import GAME_PLIES

#: Exit code of a run ended by Ctrl-C, as the shell has it.
EXIT_INTERRUPTED = 130


class BadUsage(click.ClickException):
    """Options that make no sense; exits with 2."""

    exit_code = 2


class Seconds(click.ParamType[float]):
    """A length of time: ``90``, ``60s``, ``5m`` or ``2h``."""

    name = "time"
    _units = {"": 1, "s": 1, "m": 60, "h": 3600}  # noqa: RUF012 - never changed

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds that the text means."""
        if isinstance(value, float):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", value)
        if not found:
            self.fail(f"{value!r} is not a length of time: give one such as 90, 60s, 5m or 2h", param, ctx)
        return float(found[1]) * self._units[found[2]]


_Command = Callable[..., None]


def searching(command: _Command) -> _Command:
    """Give a command the options of Settings."""
    options = [
        click.option(
            "--db", default="book.db", show_default=True, type=click.Path(path_type=Path), help="The proof store."
        ),
        click.option(
            "--workers",
            default=os.cpu_count() or 1,
            show_default="one per core",
            type=click.IntRange(1),
            help="How many threads search; closure uses processes instead.",
        ),
        click.option("--budget", type=Seconds(), metavar="TIME", help="Stop after this time, such as 60s, 5m or 2h."),
        click.option(
            "--tt-gib",
            default=1.0,
            show_default=True,
            type=float,
            help="Size of the transposition table, shared by all workers: a power of two, such as 0.25, 1 or 8.",
        ),
        click.option(
            "--tt-file",
            type=click.Path(path_type=Path),
            help="Keep the table in this file, so that a later run starts warm. Use a file system in memory, such as "
            "/dev/shm: on a disk the workers wait for their pages to be written back.",
        ),
        click.option(
            "--keep-nodes",
            default=100_000,
            show_default=True,
            type=click.IntRange(1),
            help="Store the results that cost at least this many nodes.",
        ),
        click.option(
            "--seed",
            default=0,
            show_default=True,
            type=click.IntRange(0, 2**64 - 1),
            help="Changes the order of the search.",
        ),
        click.option(
            "--log",
            type=click.Path(path_type=Path),
            help="The log file of all processes.  [default: the store's name with .log]",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Use the workers of this dask.distributed scheduler, such as tcp://192.0.2.1:8786, instead of this "
    "machine's. Each of their machines then has a table of --tt-gib.",
)


plies_option = click.option(
    "--plies",
    default=GAME_PLIES,
    show_default=True,
    type=click.IntRange(2, GAME_PLIES),
    help="The length of the longest game, an even number.",
)


def even(plies: int, option: str = "--plies") -> int:
    """Return an even number of plies; raises BadUsage for an odd one."""
    if plies % 2:
        raise BadUsage(f"{option} is {plies}: games have an even number of plies")
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
        clear_errors(),
        open_workshop(settings, parameters, processes=processes) as shop,
        RunDisplay(settings.budget, forecast) as display,
    ):
        yield shop, display
    counts = ", ".join(f"{number:,} {status}" for status, number in shop.counts.items())
    click.echo(f"{settings.db}: {shop.outcome}; {counts}", err=err)
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


@contextmanager
def clear_errors() -> Iterator[None]:
    """Report what a user can get wrong, or a machine refuse, as one line."""
    try:
        yield
    except KeyboardInterrupt:
        raise SystemExit(EXIT_INTERRUPTED) from None
    except (StoreError, CrewError, AtlasError, ForecastError) as error:
        raise click.ClickException(str(error)) from None
    except ValueError as error:
        raise BadUsage(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from None
