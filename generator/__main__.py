"""The generator's command: ``python -m generator``."""

import json
import multiprocessing
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import track

from book.files.atlas import AtlasError
from book.store.store import StoreError, open_store
from generator.agenda import EXACT, VERDICT
from generator.atlas import Atlas, Reach
from generator.bench import Trial, speed_lines, speeds, trial_line, trials
from generator.closure import Closure, Level
from generator.crew import CrewError, Stopped
from generator.forecast import WAITING, ForecastError, forecast, law_of, read_sample
from generator.ladder import Ladder
from generator.logbook import JsonLines, Logbook
from generator.progress import RunDisplay, forecast_text, level_line, ply_line, solved_line
from generator.status import status_record, status_text
from generator.traps import Traps
from generator.tree import Tree
from generator.workshop import INTERRUPTED, Settings, Workshop, open_workshop
from runtime.errors import keep_unnamed
from solver.position import GAME_PLIES, Position, parse_move

_Item = TypeVar("_Item")

#: The colours, as options name them.
COLOURS = {"black": 1, "white": 2}

#: On a cluster: some ten seconds of work.
SPLIT_NODES = 50_000_000

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


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Solve games of 8, 10, 12, … plies, and keep what is proven in a store."""


_Command = Callable[..., None]


def _searching(command: _Command) -> _Command:
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


_scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Use the workers of this dask.distributed scheduler, such as tcp://192.0.2.1:8786, instead of this "
    "machine's. Each of their machines then has a table of --tt-gib.",
)

_plies_option = click.option(
    "--plies",
    default=GAME_PLIES,
    show_default=True,
    type=click.IntRange(2, GAME_PLIES),
    help="The length of the longest game, an even number.",
)


@main.command()
@_searching
@_plies_option
def run(plies: int, **settings: Any) -> None:
    """Decide who wins the games of 8, 10, 12, … plies in turn, and who wins after each first move.

    The results go into the store. You can stop it at any moment, with Ctrl-C (it finishes the current jobs) or
    kill -9: the same command goes on where it was. It exits with 0 when everything is solved or the budget is
    spent, and with 130 after Ctrl-C.
    """
    _climb(Settings(**settings), plies, exact=False)


@main.command()
@_searching
@_plies_option
def solve(plies: int, **settings: Any) -> None:
    """Find the exact value of the longest game, and the value after each of its first moves.

    The results go into the store. It first does what `run` does, because that guides the search. It stops and resumes
    as `run` does.
    """
    _climb(Settings(**settings), plies, exact=True)


@main.command()
@_searching
@_scheduler_option
@_plies_option
@click.option(
    "--colour",
    "colours",
    type=click.Choice(sorted(COLOURS)),
    multiple=True,
    default=sorted(COLOURS),
    show_default="both",
    help="The side to choose moves for; may be given twice.",
)
@click.option(
    "--solver-nodes",
    default=100_000,
    show_default=True,
    type=click.IntRange(0),
    help="Nodes that the player's own solver may use; a position that needs more goes into the book.",
)
@click.option(
    "--last-left",
    default=14,
    show_default=True,
    type=click.IntRange(1, GAME_PLIES),
    help="Leave positions with fewer plies left to the player.",
)
@click.option(
    "--first",
    metavar="MOVE",
    help="Only what follows this first move of Black's, such as 2,2; needs --colour white.",
)
def closure(
    plies: int, colours: tuple[str, ...], solver_nodes: int, last_left: int, first: str | None, **settings: Any
) -> None:
    """Choose our move in every position that our play can lead to, whatever the other side plays.

    A won position gets a winning move, a lost one the move that most often makes opponents err. Run `solve` or `run`
    first. It stops and resumes as `run` does.
    """
    parameters = {"plies": plies, "colours": colours, "solver_nodes": solver_nodes, "last_left": last_left}
    _require_winner(settings["db"], _even(plies))
    start = Position(ply=GAME_PLIES - _even(plies))
    only = None if first is None else _after_first(start, first, colours)
    with _workshop(Settings(**settings), parameters, processes=True) as (shop, display):
        traps = Traps(shop, display.part)
        closing = Closure(shop, traps, solver_nodes, display.part)
        for colour in colours:
            closing.close(start, COLOURS[colour], last_left, partial(_show_level, display, colour), only)


def _after_first(start: Position, move: str, colours: tuple[str, ...]) -> Position:
    """Return the position after Black's first move; raises BadUsage."""
    if colours != ("white",):
        raise BadUsage("--first is Black's move: use it only with --colour white")
    try:
        return start.play(parse_move(move))
    except ValueError as error:
        raise BadUsage(f"--first: {error}") from None


@main.command()
@_searching
@_scheduler_option
@click.option(
    "--plies",
    default=4,
    show_default=True,
    type=click.IntRange(0, GAME_PLIES - 1),
    help="Take the positions with at most this many plies played.",
)
@click.option(
    "--game",
    default=GAME_PLIES,
    show_default=True,
    type=click.IntRange(2, GAME_PLIES),
    help="The game's length in plies, an even number.",
)
@click.option("--verdict", is_flag=True, help="Find out only who wins, not by how much.")
@click.option(
    "--split-nodes",
    type=click.IntRange(1),
    help="Split a position that took this many nodes into the positions after its moves.  [default: never; on a "
    f"cluster {SPLIT_NODES:,}]",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write the atlas to this file, such as data/atlas.csv.gz, as it grows.",
)
@click.option(
    "--log-json", metavar="FILE", help="Log each position and the progress as JSON lines; - for standard output."
)
def atlas(
    plies: int,
    game: int,
    verdict: bool,
    split_nodes: int | None,
    out: Path | None,
    log_json: str | None,
    **settings: Any,
) -> None:
    """Find out what every position with few plies played is worth.

    The results go into the store. The command searches the last ply, and the earlier ones follow from it. It stops and
    resumes as `run` does.
    """
    start = Position(ply=GAME_PLIES - _even(game, "--game"))
    if plies >= game:
        raise BadUsage(f"--plies is {plies}: a game of {game} plies is over by then")
    parameters = {"atlas": plies, "game": game, "verdict": verdict}
    with _clear_errors(), ExitStack() as stack:
        lines = JsonLines(None if log_json is None else stack.enter_context(click.open_file(log_json, "a")))
        shop, display = stack.enter_context(
            _workshop(Settings(**settings), parameters, err=log_json == "-", forecast=False)
        )
        tree = Tree(start, plies, lambda ply, done, total: display.part(f"listing ply {ply}", done, total))
        book = Logbook(out, lines)

        def watch(reach: Reach) -> None:
            display.reach(reach)
            book.reach(reach, survey.rows)

        window = VERDICT if verdict else EXACT
        if settings["scheduler"] is not None:
            split_nodes = split_nodes or SPLIT_NODES
        survey = Atlas(shop, tree, window, watch, book.finished, split_nodes)
        book.begin(survey.rows(), tree, shop.store.path)
        try:
            survey.work_out()
        except Stopped:
            book.write(survey.rows())
            raise
        book.write(survey.rows())
        for ply, rows in groupby(survey.rows(), key=lambda row: row.position.ply):
            display.finished(ply_line(ply, list(rows)))


def _require_winner(db: Path, plies: int) -> None:
    """Raise ClickException unless the store proves who wins the game of so many plies."""
    with _clear_errors():
        if db.exists():
            with open_store(db) as store:
                entry = store.get(Position(ply=GAME_PLIES - plies))
            if entry is not None and entry.answer.winner is not None:
                return
    raise click.ClickException(
        f"{db} does not prove who wins the game of {plies} plies: first run"
        f" python -m generator run --plies {plies} --db {db}"
    )


def _show_level(display: RunDisplay, colour: str, level: Level) -> None:
    display.finished(level_line(colour, level))


def _even(plies: int, option: str = "--plies") -> int:
    if plies % 2:
        raise BadUsage(f"{option} is {plies}: games have an even number of plies")
    return plies


def _climb(settings: Settings, plies: int, *, exact: bool) -> None:
    with _workshop(settings, {"plies": _even(plies), "exact": exact}) as (shop, display):
        ladder = Ladder(shop, display.standing)
        ladder.climb(plies, exact, lambda solved: display.finished(solved_line(solved)))


@contextmanager
def _workshop(
    settings: Settings, parameters: dict[str, Any], *, processes: bool = False, err: bool = False, forecast: bool = True
) -> Iterator[tuple[Workshop, RunDisplay]]:
    """Give a workshop, and a display of it; say in the end how it went, on standard error if ``err``.

    forecast: as in Display.
    """
    _tell_of_imports(settings.db)
    with (
        _clear_errors(),
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


@main.command()
@_plies_option
@click.option(
    "--workers",
    multiple=True,
    type=click.IntRange(1),
    help="Number of threads; may be given several times, and the first is compared with the others.  [default: 1, and "
    "one per core]",
)
@click.option(
    "--seeds",
    default=3,
    show_default=True,
    type=click.IntRange(1),
    help="Number of search orders to average over.",
)
@click.option("--tt-gib", default=0.25, show_default=True, type=float, help="Size of the table that workers share.")
@click.option("--processes", is_flag=True, help="Use processes as workers, as in closure, instead of threads.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def bench(plies: int, workers: tuple[int, ...], seeds: int, tt_gib: float, processes: bool, as_json: bool) -> None:
    """Measure how much faster several workers are.

    Each number of workers in turn decides from nothing who wins. Speed-up is in time to the verdict, node rate in
    nodes a second, and effort in nodes. All are geometric means over the seeds. Other work on the machine distorts the
    figures, so leave it alone meanwhile.
    """
    counts = list(dict.fromkeys(workers or (1, multiprocessing.cpu_count())))
    found: list[Trial] = []
    with _clear_errors():
        for trial in trials(_even(plies), counts, seeds, tt_gib, processes=processes):
            click.echo(trial_line(trial), err=True)
            found.append(trial)
    compared = speeds(found)
    click.echo(json.dumps([speed._asdict() for speed in compared]) if as_json else "\n".join(speed_lines(compared)))


@main.command("forecast")
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--positions",
    required=True,
    type=click.IntRange(1),
    help="How many positions the atlas is to have, such as 94315.",
)
@click.option(
    "--cores",
    multiple=True,
    default=(1, 2, 16, 128, 1024),
    show_default=True,
    type=click.IntRange(1),
    help="Number of cores; may be given several times.",
)
@click.option(
    "--per-machine", default=16, show_default=True, type=click.IntRange(1), help="The most cores that one machine has."
)
@click.option(
    "--waiting",
    default=WAITING,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="The share by which each other core of a machine slows a core's nodes down.",
)
@click.option(
    "--rate",
    type=click.FloatRange(0, min_open=True),
    help="Nodes a second of one core.  [default: as in the log, which other work on the machine may have slowed down]",
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def forecast_(
    log: Path,
    positions: int,
    cores: tuple[int, ...],
    per_machine: int,
    waiting: float,
    rate: float | None,
    as_json: bool,
) -> None:
    """Estimate how long an atlas would take on more cores.

    LOG is the log of a run that did a part of it, written by `atlas --log-json LOG`.
    """
    with _clear_errors():
        sample = read_sample(log)
    if rate is not None:
        sample = replace(sample, rate=rate)
    law = law_of(sample)
    found = forecast(law, sample.rate, positions, cores, per_machine, waiting)
    click.echo(json.dumps([each._asdict() for each in found]) if as_json else forecast_text(law, sample, found))


@main.command()
@click.option("--db", default="book.db", show_default=True, type=click.Path(path_type=Path), help="The proof store.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def status(db: Path, as_json: bool) -> None:
    """Show what a store holds: the solved games, positions by ply, the runs."""
    with _clear_errors(), open_store(db) as store:
        record = status_record(store)
    click.echo(json.dumps(record) if as_json else status_text(record))


@main.command()
@click.option(
    "--games",
    default="arena/course/staff_games.jsonl.gz",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Logged games, one JSON object a line, packed by gzip when the name ends in .gz.",
)
@click.option(
    "--out",
    default="generator/opponents.json",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Where to write the models.",
)
@click.option(
    "--held-out",
    default=0.2,
    show_default=True,
    type=click.FloatRange(0, 1, max_open=True),
    help="Share of the games that are kept out of the fit and used to test it.",
)
@click.option(
    "--ridge",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    help="Penalty on large weights, which a small number of games would otherwise produce.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Draws the games that are held out.")
def fit(games: Path, out: Path, held_out: float, ridge: float, seed: int) -> None:
    """Fit the opponent models to logged games, and print how well they predict the moves.

    An existing file of models is overwritten only when --out names it.
    """
    keep_unnamed(out)
    # Searching needs neither numpy nor scipy, and should not wait for them.
    try:
        from generator.fit import GamesError, fit_games, fit_text, read_games, split, write_fits
    except ModuleNotFoundError as error:
        raise click.ClickException(f"fit needs {error.name}: python -m pip install numpy scipy") from None

    def watch(items: Sequence[_Item], what: str) -> Iterable[_Item]:
        return track(items, what, console=console, transient=True, disable=not console.is_terminal)

    console = Console(stderr=True)
    with _clear_errors():
        try:
            fits = fit_games(*split(read_games(games), held_out, seed), ridge, watch)
        except GamesError as error:
            raise click.ClickException(str(error)) from None
        if not fits:
            raise click.ClickException(f"{games}: no move to fit; give other --games")
        write_fits(fits, {"ridge": ridge, "held_out": held_out, "seed": seed}, out)
    click.echo(fit_text(fits))
    click.echo(f"{out}: {len(fits)} models")


@contextmanager
def _clear_errors() -> Iterator[None]:
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


if __name__ == "__main__":
    main(prog_name="python -m generator")
