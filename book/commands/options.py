"""The options of several commands: the store, ``--plies`` and ``--komi``.

A command that needs a store takes book.db in the working directory, or else the release's, built from the shipped files
if missing; a named store must exist. A command that searches or imports creates its store.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from book.files.shipped import STORE
from book.store.facts import StoreError
from runtime.display import tracked
from runtime.errors import BadUsage
from runtime.hints import command_line
from runtime.options import FILE, gathered, setting
from solver.family import COURSE, Variant

if TYPE_CHECKING:
    from book.store.store import Store

#: For commands that need a store; store_path() takes the value.
db_to_read = click.option(
    "--db",
    type=FILE,
    help=f"The proof store.  [default: {STORE}, or a shipped file]",
)

#: For commands that create a store.
db_to_write = setting("--db", FILE, STORE, "The proof store, made if need be.")


def open_named(path: Path, *, write: bool = False) -> "Store":
    """Open a store of any game; raises StoreError."""
    # Imported here, as in store_path(), because a question to the shipped files needs no database.
    from book.store.connection import named_game
    from book.store.store import open_store

    return open_store(path, write=write, game=named_game(path))


def store_path(db: Path | None) -> Path:
    """Return the store to read: the one named, or provide_store()'s.

    Raises StoreError for a named one that does not exist or is empty, and as provide_store() does.
    """
    if db is None:
        from book.exchange.merge import provide_store

        return provide_store(lambda line: click.echo(line, err=True), tracked)
    if not db.exists():
        raise StoreError(f"{db} does not exist: build it with {command_line('book import --db', db)}")
    if db.is_file() and db.stat().st_size == 0:
        from book.store.connection import empty_store

        raise empty_store(db)
    return db


def checked(game: Variant) -> Variant:
    """Return a valid game; raises BadUsage."""
    try:
        game.check()
    except ValueError as error:
        raise BadUsage(str(error)) from None
    return game


def _game(plies: int, komi: float) -> Variant:
    return checked(Variant(plies, komi))


def _named(plies: int | None, komi: float | None) -> Variant | None:
    if plies is None and komi is None:
        return None
    return checked(Variant(COURSE.plies if plies is None else plies, COURSE.komi if komi is None else komi))


#: The game to play or to make; the command gets ``game``.
game_options = gathered(
    "game",
    _game,
    setting("--plies", click.INT, COURSE.plies, "The length of the game, even."),
    setting("--komi", click.FLOAT, COURSE.komi, "White's points beside the stones."),
)

#: The game of the question; the command gets ``variant``, None for the one that the files name.
named_game_options = gathered(
    "variant",
    _named,
    click.option("--plies", type=click.INT, help=f"The game's length.  [default: {COURSE.plies}]"),
    click.option("--komi", type=click.FLOAT, help=f"White's points beside the stones.  [default: {COURSE.komi}]"),
)
