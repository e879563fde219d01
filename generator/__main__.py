"""The commands of ``little-go generator``, and the options and the steps of a run that the commands share."""

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from itertools import groupby
from math import inf
from pathlib import Path
from typing import IO, Any

import click

import little_go.solver.native.needed  # noqa: F401 - first, because without a kernel it prints one line, not a traceback
from little_go.book.commands.options import db_to_read, db_to_write, position_argument, store_path
from little_go.book.files.atlas import AtlasError, Row
from little_go.book.store.connection import named_game
from little_go.book.store.facts import Contradiction, StoreError
from little_go.book.store.store import COMPLETE, INTERRUPTED, open_store
from little_go.generator.questions.atlas_run import Atlas, RunProgress, TableUsage
from little_go.generator.questions.closure import Closure
from little_go.generator.questions.closure import Level as ClosureLevel
from little_go.generator.questions.first_plies import Tree
from little_go.generator.questions.level_cluster import cluster_pool_maker
from little_go.generator.questions.level_files import answers_by_ply, folder_of, pack_part
from little_go.generator.questions.level_run import Level, LevelFolder, LevelRun, likely_first
from little_go.generator.questions.question_queue import EXACT, VERDICT
from little_go.generator.questions.shorter_games import ShorterGames
from little_go.generator.questions.traps import Traps
from little_go.generator.report.progress import RunDisplay, RunLog, level_line, ply_line, solved_line
from little_go.generator.report.status import status_record, status_text
from little_go.generator.workers.search_crew import Crew, CrewError, FalseWorker, Pool, Stopped, ThreadPool
from little_go.generator.workers.search_run import SearchRun, Settings, flag_on_signals, open_run
from little_go.generator.workers.shared_memory import open_shared
from little_go.runtime.errors import BadUsage, OneLineErrors, exit_interrupted, given_words, writing
from little_go.runtime.files import STANDARD_OUTPUT, open_to_write, remove_all
from little_go.runtime.hints import command_line
from little_go.runtime.journal import JournalError, drop_half_line
from little_go.runtime.options import (
    COLOUR,
    COUNT,
    DIRECTORY,
    FILE,
    OUTPUT,
    Duration,
    json_option,
    seed_option,
    setting,
    table_option,
    workers_option,
)
from little_go.runtime.release import shipped
from little_go.solver.bounds import COLOUR_NUMBERS
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import GAME_PLIES, Position, parse_move, start_of

_Command = Callable[..., None]


def searching(command: _Command) -> _Command:
    """Add the options of Settings to a command."""
    options = [
        db_to_write,
        workers_option(),
        click.option("--budget", type=Duration(min=0), show_default="no limit"),
        table_option("1GiB"),
        click.option(
            "--table-file",
            type=FILE,
        ),
        setting("--keep-nodes", COUNT, 100_000),
        seed_option(),
        click.option(
            "--log",
            type=FILE,
            show_default="the store's name with .log",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def cluster_options(command: _Command) -> _Command:
    """Add the options of Settings for a cluster to a command."""
    recheck = click.option(
        "--recheck",
        type=Share(),
        default="2%",
        show_default=True,
    )
    scheduler = click.option(
        "--scheduler",
        metavar="ADDRESS",
    )
    return scheduler(recheck(command))


class Share(click.ParamType[float]):
    """The type of a share such as ``2%``, which the command receives as a number from 0 to 1."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the share, 0 to 1. Raise BadUsage if the text is not a share."""
        found = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)%", str(value))
        if found and float(found[1]) <= 100:
            return float(found[1]) / 100
        raise BadUsage(f"--recheck is {value!r}, which is not a share: give one from 0% to 100%")


plies_option = setting("--plies", click.IntRange(2, GAME_PLIES), GAME_PLIES)


def even(plies: int) -> int:
    """Return ``plies``. Raise BadUsage if the number is odd."""
    if plies % 2:
        raise BadUsage(f"--plies is {plies}, which is odd: give an even number")
    return plies


@contextmanager
def shown_run(
    settings: Settings, parameters: dict[str, Any], *, processes: bool = False, err: bool = False, forecast: bool = True
) -> Iterator[tuple[SearchRun, RunDisplay]]:
    """Yield a run and its display; at the end print the outcome and the counts.

    err: whether to print on standard error. forecast: whether the bar shows an estimate of the time left.
    """
    _report_trusted_imports(settings.db)
    try:
        with (
            open_run(settings, parameters, processes=processes) as search_run,
            RunDisplay(settings.budget, forecast) as display,
        ):
            yield search_run, display
    except Contradiction as error:
        inspection = command_line("proof fsck --prove all --db", settings.db)
        raise Contradiction(f"{error}; find the fault with {inspection}") from None
    counts = ", ".join(f"{number:,} {status}" for status, number in search_run.counts.items())
    click.echo(f"{settings.db}: {search_run.outcome}; {counts}", err=err)
    if search_run.outcome == COMPLETE:
        return
    unfinished = f"Not finished; to resume: {command_line('generator', *given_words())}"
    if search_run.outcome == INTERRUPTED:
        exit_interrupted(unfinished)
    click.echo(unfinished, err=err)


def _report_trusted_imports(db: Path) -> None:
    """Print the names of the files from which the store has imported results, because the run relies on them."""
    # The run itself reports any other fault of the store.
    with suppress(StoreError), open_store(db, game=COURSE) as store:
        if files := sorted(store.imported().values()):
            click.echo(
                f"{db}: contains results from {', '.join(files)}, which are not searched again: to start from nothing,"
                " give another --db",
                err=True,
            )


@click.group(
    cls=OneLineErrors,
    room="generator",
    expected=(StoreError, AtlasError, CrewError, JournalError, ValueError),
    findings=(Contradiction, FalseWorker),
)
def main() -> None:
    """Solve games of 8, 10, 12, … plies, and store all proven results."""


@main.command()
@searching
@plies_option
def run(plies: int, **settings: Any) -> None:
    """Decide who wins the games of 8, 10, 12, … plies.

    The games are solved in this order, followed by the position after each first move of the longest game. The results
    go into the store. You can stop the command at any moment, with Ctrl-C or kill -9: the same command resumes. The
    exit code is 0 if all games are solved or the budget is spent, and 130 after Ctrl-C.
    """
    _climb(Settings(**settings, game=COURSE), plies, exact=False)


@main.command()
@searching
@plies_option
def solve(plies: int, **settings: Any) -> None:
    """Find the exact value of a game and of its first moves.

    The results go into the store. The command first does the work of `run`, because the shorter games guide the search.
    You can stop and resume it like `run`.
    """
    _climb(Settings(**settings, game=COURSE), plies, exact=True)


def _climb(settings: Settings, plies: int, *, exact: bool) -> None:
    with shown_run(settings, {"plies": even(plies), "exact": exact}) as (search_run, display):
        games = ShorterGames(search_run, display.show_question, COURSE)
        games.solve_all(plies, exact, lambda *part: display.finished(solved_line(COURSE, *part)))


#: The number of nodes after which a cluster splits a position: about ten seconds of work.
SPLIT_NODES = 50_000_000


@main.command()
@searching
@cluster_options
@plies_option
@setting(
    "--depth",
    click.IntRange(0, GAME_PLIES - 1),
    4,
)
@click.option("--verdict", is_flag=True)
@click.option(
    "--split-nodes",
    type=click.IntRange(1),
    show_default=f"never, or {SPLIT_NODES:,} with --scheduler",
)
@click.option(
    "--out",
    type=OUTPUT,
)
@click.option("--out-last", type=OUTPUT)
@click.option(
    "--jsonl",
    type=OUTPUT,
)
def atlas(
    plies: int,
    depth: int,
    verdict: bool,
    split_nodes: int | None,
    out: Path | None,
    out_last: Path | None,
    jsonl: Path | None,
    **settings: Any,
) -> None:
    """Find the value of every position of the first plies.

    Only the positions of the last ply are searched, because the values of earlier positions follow from them. You can
    stop and resume the command like `run`.
    """
    start = start_of(even(plies))
    if depth >= plies:
        raise BadUsage(f"--depth is {depth}, but a game has {plies} plies: give a smaller --depth")
    parameters = {"atlas": depth, "game": plies, "verdict": verdict}
    with ExitStack() as stack:
        log = None if jsonl is None else stack.enter_context(_lines(jsonl))
        search_run, display = stack.enter_context(
            shown_run(Settings(**settings, game=COURSE), parameters, err=jsonl == Path("-"), forecast=False)
        )
        tree = Tree(start, depth, lambda ply, done, total: display.part(f"listing ply {ply}", done, total))
        logbook = RunLog(out, out_last, start.ply + depth, log)

        def rows() -> list[Row]:
            return atlas_run.rows(apart=out_last is not None)

        def watch(progress: RunProgress) -> None:
            display.show_progress(progress)
            logbook.log_progress(progress, rows)

        window = VERDICT if verdict else EXACT
        if settings["scheduler"] is not None:
            split_nodes = split_nodes or SPLIT_NODES
        atlas_run = Atlas(search_run, tree, window, watch, logbook.finished, split_nodes)
        logbook.begin(rows(), tree, search_run.store.path)
        try:
            atlas_run.work_out()
        except Stopped:
            logbook.write(rows())
            raise
        logbook.write(rows())
        for ply, level in groupby(rows(), key=lambda row: row.position.ply):
            display.finished(ply_line(ply, list(level)))


@main.command()
@cluster_options
@plies_option
@setting("--depth", click.IntRange(1, GAME_PLIES - 1), 7)
@setting("--out", DIRECTORY, Path("levels"))
@workers_option()
@table_option("1GiB")
@click.option("--budget", type=Duration(min=0), show_default="no limit")
@seed_option()
def level(
    plies: int,
    depth: int,
    out: Path,
    workers: int,
    table_mib: int,
    budget: float | None,
    seed: int,
    scheduler: str | None,
    recheck: float,
) -> None:
    """Find the exact value of every position after a number of plies.

    The results are one byte for each position, in a file without keys. You can stop the command at any moment, with
    Ctrl-C or kill -9: the same command resumes at once. `little-go generator pack` writes the finished blocks as a
    part.
    """
    game = Variant(even(plies), COURSE.komi)
    if depth >= plies:
        raise BadUsage(f"--depth is {depth}, but a game has {plies} plies: give a smaller --depth")
    known = answers_by_ply(game, depth, out)
    todo = Level(game, depth, known[-1])
    deadline = inf if budget is None else time.monotonic() + budget
    hurried: list[Callable[[], None]] = []
    with ExitStack() as stack:
        folder = stack.enter_context(LevelFolder(folder_of(out, depth), game, depth, len(todo.keys)))
        fill = None
        if scheduler is None:
            shared = stack.enter_context(open_shared(table_mib, None, "", processes=False))
            make_pool: Callable[[], Pool] = partial(ThreadPool, workers, shared, 0, seed)
            fill = TableUsage(shared)
        else:
            make_pool = cluster_pool_maker(scheduler, game, depth, table_mib, seed, recheck)
        interrupted = stack.enter_context(flag_on_signals(hurried))
        display = stack.enter_context(RunDisplay(budget, forecast=False))
        crew = Crew(make_pool)
        stack.callback(crew.close)
        hurried.append(lambda: crew.pool.stop())
        run = LevelRun(todo, folder, likely_first(todo, known), display.show_progress)
        with suppress(Stopped, KeyboardInterrupt):
            run.work_out(crew, fill, lambda: bool(interrupted) or time.monotonic() >= deadline)
        left = folder.open
    click.echo(
        f"{folder_of(out, depth)}: {len(todo.keys) - left:,} of {len(todo.keys):,} positions have values,"
        f" {run.inferred:,} of them without a search in this run;"
        f" {len(run.compared):,} positions of ply {depth - 1} agree"
    )
    if left and interrupted:
        exit_interrupted(f"Not finished; to resume: {command_line('generator', *given_words())}")


@main.command()
@plies_option
@setting("--depth", click.IntRange(1, GAME_PLIES - 1), 7)
@setting("--out", DIRECTORY, Path("levels"))
@click.option("--parts", type=DIRECTORY, required=True)
def pack(plies: int, depth: int, out: Path, parts: Path) -> None:
    """Write the finished blocks of a ply as a new part.

    The part contains the blocks of --out that no part in --parts contains. An existing part never changes. `little-go
    generator level` may run at the same time.
    """
    game = Variant(even(plies), COURSE.komi)
    path, count, positions = pack_part(game, depth, out, parts)
    if path is None:
        click.echo(f"{parts}: no new block is finished")
    else:
        click.echo(f"{path}: {count:,} blocks, {positions:,} positions, {path.stat().st_size:,} bytes")


def _lines(path: Path) -> AbstractContextManager[IO[str]]:
    if path == STANDARD_OUTPUT:
        return nullcontext(sys.stdout)
    drop_half_line(path)
    return open_to_write(path, add=True)


@main.command()
@searching
@cluster_options
@plies_option
@click.option(
    "--colour",
    "colours",
    type=COLOUR,
    multiple=True,
    default=COLOUR.choices,
    show_default="both",
)
@setting(
    "--solver-nodes",
    click.IntRange(0),
    100_000,
)
@setting("--left", click.IntRange(1, GAME_PLIES), 14)
@position_argument
def closure(
    plies: int, colours: tuple[str, ...], solver_nodes: int, left: int, words: tuple[str, ...], **settings: Any
) -> None:
    """Choose our move in each position to which our moves can lead.

    A won position gets a winning move. A lost position gets the move after which opponents err most often. Before this
    command, run `solve` or `run`. With --colour white, POSITION can be Black's first move: then only the positions
    after this move get a move. You can stop and resume the command like `run`.
    """
    parameters = {"plies": plies, "colours": colours, "solver_nodes": solver_nodes, "last_left": left}
    _require_winner(settings["db"], even(plies))
    start = start_of(even(plies))
    only = _after_first(start, " ".join(words), colours) if words else None
    with shown_run(Settings(**settings, game=COURSE), parameters, processes=True) as (search_run, display):
        traps = Traps(search_run, display.part, COURSE)
        closing = Closure(search_run, traps, solver_nodes, display.part, COURSE)
        for colour in colours:
            closing.close(start, COLOUR_NUMBERS[colour], left, partial(_show_level, display, colour), only)


def _after_first(start: Position, move: str, colours: tuple[str, ...]) -> Position:
    """Return the position after Black's first move, ``move``.

    Raise BadUsage if the move is illegal, or if White is not the only colour.
    """
    if colours != ("white",):
        raise BadUsage("POSITION is Black's first move, which only White can answer: add --colour white")
    try:
        return start.play(parse_move(move))
    except ValueError as error:
        raise BadUsage(f"POSITION: {error}") from None


def _require_winner(db: Path, plies: int) -> None:
    if db.exists():
        with open_store(db, game=COURSE) as store:
            answer = store.answer(start_of(plies))
        if answer is not None and store.game.winner(answer) is not None:
            return
    raise BadUsage(
        f"{db}: does not prove who wins the game of {plies} plies: first run"
        f" {command_line('generator run --plies', plies, '--db', db)}"
    )


def _show_level(display: RunDisplay, colour: str, level: ClosureLevel) -> None:
    display.finished(level_line(colour, level))


@main.command()
@db_to_read
@json_option()
def status(db: Path | None, as_json: bool) -> None:
    """Show the contents of a store: solved games, positions and runs."""
    path = store_path(db)
    with open_store(path, game=named_game(path)) as store:
        record = status_record(store)
    click.echo(json.dumps(record) if as_json else status_text(record))


#: The files of the demo, in the order in which they are written; the last file marks the end.
_STORE, _BOOK, _PLAYER, _DONE = "book.db", "book.json", "my_player3.py", "done"

#: The Python code that starts another command. The code removes the current directory from the import path, because its
#: modules do not belong to this project.
_CALL = "import sys; sys.path.remove(''); from little_go.__main__ import main; main(prog_name='little-go')"


@main.command()
@setting("--out", DIRECTORY, Path("demo"))
def demo(out: Path) -> None:
    """Solve the game from nothing, make a player, and play.

    The player plays a game with each colour. Ctrl-C stops the command, and the same command resumes. If a demo is
    complete, the command starts again from nothing.
    """
    store, book, player = out / _STORE, out / _BOOK, out / _PLAYER
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
        if (out / _DONE).exists():
            for path in [*out.glob(f"{_STORE}*"), book, player, out / _DONE]:
                remove_all(path)
    _say("Solving: games of 8, 10, 12, ... plies; after Ctrl-C, the same command resumes")
    _call("generator", "run", "--db", store, "--workers", "2", "--table", "256MiB")
    _say("Compressing")
    _call("book", "compress", "--all", "--db", store, "--out", book)
    with writing(player):
        shutil.copyfile(shipped(_PLAYER), player)
    _say("Playing: our player as Black")
    _call("play", "--black", player, "--white", "greedy")
    _say("Playing: our player as White")
    _call("play", "--black", "greedy", "--white", player)
    _say("The opening in the database")
    _call("query", "--db", store, "--only", "store")
    with writing(out):
        (out / _DONE).touch()


def _say(heading: str) -> None:
    click.echo(f"--- {heading}")
    sys.stdout.flush()


def _call(*words: str | Path) -> None:
    """Run a command of this project. If the command fails, exit with its exit code."""
    done = subprocess.run([sys.executable, "-c", _CALL, *map(str, words)], check=False)
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main(prog_name=f"python -m {__package__}")
