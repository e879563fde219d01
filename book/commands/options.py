"""The options that several commands share, such as the store, ``--plies`` and ``--komi``.

A command that needs a store uses book.db in the working directory, or else the release's book.db, which is built from
the shipped files if it is missing. If the user names a store, it must exist. A command that searches or imports creates
its store.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from little_go.book.files.shipped import STORE
from little_go.notation.movetext import after_moves
from little_go.notation.parsed import ParsedPosition
from little_go.runtime.display import tracked
from little_go.runtime.errors import BadUsage
from little_go.runtime.files import MIB, open_text
from little_go.runtime.options import FILE, gathered, setting
from little_go.solver.family import COURSE, Variant

if TYPE_CHECKING:
    from little_go.book.store.store import Store

#: The option of commands that read a store. store_path() turns the option's value into a path.
db_to_read = click.option(
    "--db",
    type=FILE,
    show_default=f"{STORE}, made if missing",
)

#: The option of commands that create a store.
db_to_write = setting("--db", FILE, STORE)


def open_named(path: Path, *, write: bool = False) -> "Store":
    """Open a store of any game."""
    # The import is not at the top, here and in store_path(), because answers from the shipped files need no database.
    from little_go.book.store.connection import named_game
    from little_go.book.store.store import open_store

    return open_store(path, write=write, game=named_game(path))


def store_path(db: Path | None) -> Path:
    """Return the path of the store to read: the named store, or else the result of provide_store().

    Raise StoreError if a named store does not exist or is empty.
    """
    if db is None:
        from little_go.book.exchange.merge import provide_store

        return provide_store(lambda line: click.echo(line, err=True), tracked)
    from little_go.book.store.connection import empty_store, missing_store

    if not db.exists():
        raise missing_store(db)
    if db.is_file() and db.stat().st_size == 0:
        raise empty_store(db)
    return db


def checked(game: Variant) -> Variant:
    """Return ``game``. Raise BadUsage if the game's length or komi is not valid."""
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


#: The options of the game to play or to make. The command's function gets the parameter ``game``.
game_options = gathered(
    "game",
    _game,
    setting("--plies", click.INT, COURSE.plies),
    setting("--komi", click.FLOAT, COURSE.komi),
)

#: The maximum size of a file of positions, in bytes.
MOST_OF_LINES = 1024 * MIB


def open_lines(path: str) -> IO[str]:
    """Open a file with one position on each line, or standard input if ``path`` is ``-``."""
    if path == "-":
        return click.open_file(path, errors="replace")
    return open_text(path, MOST_OF_LINES, errors="replace")


#: The argument for a position, as one or more words. The command's function gets the parameter ``words``.
position_argument = click.argument(
    "words", metavar="[POSITION]...", nargs=-1, help="The position after moves such as 2,2 1,1 PASS."
)


def course_position(words: Sequence[str]) -> ParsedPosition:
    """Return the position after the moves in ``words``. Raise BadUsage if a move is not valid."""
    try:
        return after_moves(" ".join(words), game=COURSE).all_read()
    except ValueError as error:
        raise BadUsage(f"POSITION: {error}") from None


#: The options of the game of a query. The command's function gets the parameter ``variant``, which is None if the files
#: determine the game.
named_game_options = gathered(
    "variant",
    _named,
    click.option("--plies", type=click.INT, show_default=f"{COURSE.plies}"),
    click.option("--komi", type=click.FLOAT, show_default=f"{COURSE.komi}"),
)
