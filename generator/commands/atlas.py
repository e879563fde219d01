"""The command ``little-go generator atlas``."""

import sys
from contextlib import AbstractContextManager, ExitStack, nullcontext
from itertools import groupby
from pathlib import Path
from typing import IO, Any

import click

from book.files.atlas import Row
from generator.commands.run_options import cluster_options, even, plies_option, searching, workshop_of
from generator.questions.agenda import EXACT, VERDICT
from generator.questions.atlas_run import Atlas, Reach
from generator.questions.first_plies import Tree
from generator.report.progress import Logbook, ply_line
from generator.workers.search_crew import Stopped
from generator.workers.workshop import Settings
from runtime.errors import BadUsage
from runtime.files import STANDARD_OUTPUT, open_to_write
from runtime.journal import drop_half_line
from runtime.options import FILE, setting
from solver.family import COURSE
from solver.position import GAME_PLIES, start_of

#: On a cluster: some ten seconds of work.
SPLIT_NODES = 50_000_000


@click.command()
@searching
@cluster_options
@plies_option
@setting(
    "--depth",
    click.IntRange(0, GAME_PLIES - 1),
    4,
    "How many plies to follow from the start.",
)
@click.option("--verdict", is_flag=True, help="Find out only who wins, not by how much.")
@click.option(
    "--split-nodes",
    type=click.IntRange(1),
    help="Split positions that take so many.  [default: never]",
)
@click.option(
    "--out",
    type=FILE,
    help="Write the atlas to this file, as it grows.",
)
@click.option("--out-last", type=FILE, help="Write the last ply to this file instead.")
@click.option(
    "--jsonl",
    type=FILE,
    help="Add each position, a line of JSON; - is stdout.",
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
    """Find out what every position with few plies played is worth.

    It searches the last ply, and the others follow. It stops and resumes as `run` does.
    """
    start = start_of(even(plies))
    if depth >= plies:
        raise BadUsage(f"--depth is {depth}: a game of {plies} plies is over by then")
    parameters = {"atlas": depth, "game": plies, "verdict": verdict}
    with ExitStack() as stack:
        log = None if jsonl is None else stack.enter_context(_lines(jsonl))
        shop, display = stack.enter_context(
            workshop_of(Settings(**settings, game=COURSE), parameters, err=jsonl == Path("-"), forecast=False)
        )
        tree = Tree(start, depth, lambda ply, done, total: display.part(f"listing ply {ply}", done, total))
        logbook = Logbook(out, out_last, start.ply + depth, log)

        def rows() -> list[Row]:
            return survey.rows(apart=out_last is not None)

        def watch(reach: Reach) -> None:
            display.reach(reach)
            logbook.reach(reach, rows)

        window = VERDICT if verdict else EXACT
        if settings["scheduler"] is not None:
            split_nodes = split_nodes or SPLIT_NODES
        survey = Atlas(shop, tree, window, watch, logbook.finished, split_nodes)
        logbook.begin(rows(), tree, shop.store.path)
        try:
            survey.work_out()
        except Stopped:
            logbook.write(rows())
            raise
        logbook.write(rows())
        for ply, level in groupby(rows(), key=lambda row: row.position.ply):
            display.finished(ply_line(ply, list(level)))


def _lines(path: Path) -> AbstractContextManager[IO[str]]:
    if path == STANDARD_OUTPUT:
        return nullcontext(sys.stdout)
    drop_half_line(path)
    return open_to_write(path, add=True)
