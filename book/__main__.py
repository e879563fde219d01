"""The book's command: ``little-go book``."""

import json
from collections import Counter
from pathlib import Path

import click

from little_go.book.commands.options import db_to_read, db_to_write, open_named, position_argument, store_path
from little_go.book.commands.query import query_command
from little_go.book.exchange.claims import CertificateError
from little_go.book.files.atlas import AtlasError, read_atlas, summary, summary_text
from little_go.book.files.reader import BookError
from little_go.book.files.shipped import ATLAS_FILE, LATER_PLIES, STORE, VALUES, where_to_get
from little_go.book.files.values import pack_values, read_values
from little_go.book.files.writer import read_named_book, write_book
from little_go.book.store.facts import Contradiction, StoreError
from little_go.notation.movetext import read_moves
from little_go.runtime.display import tracked
from little_go.runtime.errors import BadUsage, OneLineErrors, keep_unnamed
from little_go.runtime.files import write_whole
from little_go.runtime.hints import command_line
from little_go.runtime.options import FILE, OUTPUT, json_option, setting
from little_go.runtime.release import here_or_shipped
from little_go.solver.native import NoKernel

# A command imports a module in its function if no other command needs it. So the most frequent command, `query`, starts
# faster, because it neither opens a store nor draws.


@click.group(
    cls=OneLineErrors,
    room="book",
    expected=(StoreError, BookError, AtlasError, CertificateError, NoKernel),
    findings=(Contradiction,),
)
def main() -> None:
    """Query the proven results, draw the first plies, build the proof store, and compress it into a book."""


@main.command()
@db_to_read
@setting("--out", OUTPUT, Path("book.json"))
@setting("--left", click.IntRange(0, 24), 0)
@click.option("--all", "every", is_flag=True)
def compress(db: Path | None, out: Path, left: int, every: bool) -> None:
    """Write book.json, with moves that the player cannot find in time.

    The moves are from the closure (`little-go generator closure`). With --all, every other proven position that can
    arise in the store's game is added, with its move. An existing book.json is overwritten only if --out names it.
    """
    from little_go.book.exchange.compress import chosen_lines, select_lines

    keep_unnamed(out)
    skipped: Counter[str] = Counter()
    path = store_path(db)
    with open_named(path) as store:
        chosen = store.count_choices()
        if not (every or chosen):
            raise BookError(
                f"{path}: no closure: give --all for all proven positions, or first run"
                f" {command_line('generator closure --db', path)}"
            )
        lines = list(chosen_lines(tracked(store.choices(), "Reading", chosen), left, skipped, store.game))
        if every:
            entries = tracked(store, "Reading", len(store))
            others = (entry for entry in entries if store.choice_of(entry.position) is None)
            lines += select_lines(others, left, skipped, store.game)
        if not lines:
            raise BookError(
                f"{path}: no proven position for a book: first run {command_line('generator run --db', path)}"
            )
        if not chosen:
            _keep_better(out, len(lines))
        count = write_book(lines, str(out), store.game)
    click.echo(f"{out}: {count:,} positions")
    for reason, number in sorted(skipped.items()):
        click.echo(f"omitted: {number:,} {reason}")


def _keep_better(out: Path, positions: int) -> None:
    """Raise BookError if ``out`` is a book with more positions, because it may be the result of a closure."""
    try:
        found = len(read_named_book(out)[0])
    except (OSError, BookError):
        return
    if found > positions:
        raise BookError(
            f"{out} has {found:,} positions, but the new book has {positions:,} and no closure: give another --out"
        )


@main.command("import")
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@db_to_write
def import_(file: Path | None, db: Path) -> None:
    """Add the results in FILE to the proof store.

    FILE is an atlas, a part of ply 7, a book.json, or a shipped certificate. Without FILE, the command adds the shipped
    atlas, book and certificates. A new store is created only if the whole import succeeds. An existing store only gains
    facts. An atlas must not contradict itself, and a file that contradicts the store adds nothing. Finally the command
    stores the legal moves of all positions, as `moves` does.
    """
    from little_go.book.exchange.merge import import_files, import_shipped

    files = import_shipped(db, tracked) if file is None else import_files(db, [_given(here_or_shipped(file))], tracked)
    for name, positions, improved in list(files):
        click.echo(f"{db}: {positions:,} positions of {name}, {improved:,} of them new or with tighter bounds")


def _given(path: Path) -> Path:
    """Return ``path``. Raise BadUsage if the path is a shipped file that is not installed."""
    if message := where_to_get(path):
        raise BadUsage(message)
    return path


@main.command()
@db_to_read
def moves(db: Path | None) -> None:
    """Store the legal moves of all positions, for the SQL views.

    The views that show moves cover the positions that were stored at the last run of `import` or `moves`. Run this
    command after a generator has added positions.
    """
    from little_go.book.store.links import link_moves

    path = store_path(db)
    with open_named(path, write=True) as store:
        positions = link_moves(store, tracked)
    click.echo(f"{path}: stored the legal moves of {positions:,} more positions")


@main.command()
@click.argument("names", metavar="[NAME]...", nargs=-1)
def schema(names: tuple[str, ...]) -> None:
    """Describe the store's tables and views, and their columns.

    NAME limits the list to a table or a view.
    """
    from little_go.book.store.views import TABLES, schema_text

    for name in names:
        if name not in TABLES:
            raise BadUsage(f"no table or view is named {name!r}: give one of {', '.join(TABLES)}")
    click.echo(schema_text(names))


@main.command()
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--values", type=FILE)
@json_option()
def atlas(files: tuple[str, ...], values: Path | None, as_json: bool) -> None:
    """Summarise an atlas: winners and values by ply.

    An atlas may consist of several FILEs with different plies. Without FILE, the command reads the shipped atlas.
    """
    if files or values:
        paths = [*map(_given, [here_or_shipped(file) for file in files] or [ATLAS_FILE, *LATER_PLIES.values()])]
        rows = [row for path in paths for row in tracked(read_atlas(path), f"Reading {path.name}")]
        if values is not None:
            try:
                write_whole(values, pack_values(rows))
            except ValueError as error:
                raise BadUsage(f"{', '.join(map(str, paths))}: {error}") from None
        record = summary((row.position.ply, row.lo, row.hi) for row in rows)
    else:
        # The file VALUES has the same content as the shipped atlas, but is read in 0.5 s instead of 2.5 s.
        record = summary(read_values(VALUES).bounds())
    click.echo(json.dumps(record) if as_json else summary_text(record))


main.add_command(query_command)


@main.command()
@setting("--db", FILE, STORE)
@click.option("--worker", required=True, metavar="NAME")
def drop(db: Path, worker: str) -> None:
    """Remove all results found since a worker joined a run.

    Use this command if a run has reported a false worker. Other workers have used the results of that worker, so all
    later rows are also removed, including imports. Afterwards import the shipped files again, and start the run again
    without that worker.
    """
    from little_go.book.store.links import link_moves

    with open_named(store_path(db), write=True) as store:
        run, rows, own = store.drop_worker(worker)
        link_moves(store, tracked)
    click.echo(f"{db}: removed {rows:,} positions of run {run} and all later runs; {own:,} of them are from {worker}")


@main.command()
@db_to_read
@setting("--out", OUTPUT, Path("tree.svg"))
def tree(db: Path | None, out: Path) -> None:
    """Draw the first plies of the solved game as SVG.

    The drawing shows all first moves, all replies to the winning move, and our answers to these replies.
    """
    from little_go.book.drawing.tree import tree_svg

    with open_named(store_path(db)) as store:
        write_whole(out, tree_svg(store))
    click.echo(out)


@main.command()
@db_to_read
@position_argument
@setting("--depth", click.IntRange(0, 24), 2)
@setting("--out", OUTPUT, Path("book.sgf"))
def sgf(db: Path | None, words: tuple[str, ...], depth: int, out: Path) -> None:
    """Write the store's knowledge as a tree of moves in SGF.

    The tree begins at POSITION, and its comments contain values and best moves. Go programs can open the file. Moves
    that differ only by a rotation or a reflection are one branch. The best move comes first.
    """
    from little_go.book.drawing.tree import tree_sgf

    with open_named(store_path(db)) as store:
        try:
            tree = tree_sgf(store, depth, read_moves(" ".join(words)))
        except ValueError as error:
            raise BadUsage(str(error)) from None
        write_whole(out, tree)
    click.echo(f"{out}: written to --depth {depth}: a larger --depth adds plies")


if __name__ == "__main__":
    main(prog_name=f"python -m {__package__}")
