"""The command ``little-go query``, which reads positions in many formats, and prints answers in many formats."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path

import click

from little_go.book.answers.live import LIVE_SECONDS, LOOK_SECONDS, LiveSearch, for_seconds
from little_go.book.answers.query import Knowledge, Service
from little_go.book.answers.report import knowledge_csv, knowledge_record, knowledge_text, settled_text, settling_text
from little_go.book.answers.sources import Source, open_sources
from little_go.book.commands.options import named_game_options, open_lines, store_path
from little_go.book.files.reader import read_book
from little_go.book.files.shipped import ATLAS_FILE, BOOK_FILE, STORE, standard_store
from little_go.book.files.writer import read_named_book
from little_go.notation.board import read_board
from little_go.notation.faults import NotationError
from little_go.notation.forms import read, text_of
from little_go.notation.movetext import after_moves, read_move
from little_go.notation.parsed import MOST_SGF_BYTES, ParsedPosition, not_read, read_input
from little_go.notation.ports import form_names
from little_go.notation.record import left_out_record, read_key
from little_go.runtime.display import Display
from little_go.runtime.errors import BadUsage
from little_go.runtime.files import read_file, write_whole
from little_go.runtime.options import FILE, OUTPUT, Duration, json_option, setting, table_option
from little_go.solver.family import COURSE, Variant
from little_go.solver.native import NoKernel
from little_go.solver.position import GAME_PLIES, Position, move_name

#: The number of seconds until the progress of a search is shown for the first time.
PATIENCE = 0.5

#: The values of --only.
KINDS = ("store", "certificate", "atlas", "book", "kernel")


#: By option, the reader of its value (_TEXTS), or the reader of the named file (_FILES).
_TEXTS: dict[str, Callable[[str, Variant | None, int | None], ParsedPosition]] = {
    "moves": lambda text, game, ply: after_moves(text, ply=ply, game=game),
    "key": lambda text, game, ply: read_key(text, game or COURSE, ply),
}
#: A word that is neither a move nor a board. A move has no letter after a dot or a slash, and a board has no letters
#: except X and O.
_FILE_NAME = re.compile(r"(?=.*[A-NP-WYZ]).*(?:\.[A-Z]|/)", re.DOTALL | re.IGNORECASE)
_FILES: dict[str, Callable[[bytes, Variant | None, int | None], ParsedPosition]] = {
    "input": lambda content, game, ply: read_input(content, game or COURSE, ply),
    "board": lambda content, game, ply: read_board(text_of(content), game, ply),
    "game": lambda content, game, ply: _read_game(content, game, ply),
    "place": read,
}


def _read_game(content: bytes, game: Variant | None, ply: int | None, number: int = 1) -> ParsedPosition:
    # The import is not at the top, because importing sgfmill and our reader of games takes longer than most answers.
    from little_go.notation.sgf import read_sgf

    return read_sgf(content, game, ply, number)


@click.command(
    "query",
    help=f"""Show what a position and each of its moves is worth.

    POSITION is a list of moves such as 2,2 1,1, a link, a key, or a file; - is standard input, and without POSITION it
    is the empty board. A file has one of these forms: {form_names()}.

    B+0.5 means that Black wins by half a point, komi included. "Loses" counts the points that a move gives away. SOURCE
    is one of these: {", ".join(KINDS)}.""",
)
@click.argument("words", metavar="[POSITION]...", nargs=-1)
@click.option("--moves", metavar="MOVES")
@click.option("--input", "input", metavar="FILE")
@click.option("--board", metavar="FILE")
@click.option("--key", metavar="NUMBER")
@click.option("--game", metavar="FILE")
@click.option(
    "--lines",
    metavar="FILE",
)
@click.option(
    "--ply",
    type=click.IntRange(0, GAME_PLIES - 1),
    show_default="the smallest that fits",
)
@named_game_options
@click.option("--db", type=FILE, show_default=f"{STORE}, if there is one")
@click.option("--book", type=FILE, show_default="the shipped one")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice(KINDS),
    metavar="SOURCE",
)
@setting(
    "--live",
    Duration(min=0),
    f"{LIVE_SECONDS:g}s",
)
@table_option(None)
@json_option()
@click.option("--csv", "as_csv", is_flag=True)
@click.option("--why", metavar="MOVE")
@click.option("--svg", type=OUTPUT)
def query_command(
    words: tuple[str, ...],
    ply: int | None,
    variant: Variant | None,
    db: Path | None,
    book: Path | None,
    only: tuple[str, ...],
    live: float,
    table_mib: int | None,
    as_json: bool,
    as_csv: bool,
    why: str | None,
    svg: Path | None,
    **options: str | None,
) -> None:
    """Show the values of positions."""
    place = " ".join(words) if words else None
    given = {name: value for name, value in (options | {"place": place}).items() if value is not None}
    _check_options(given, ply, as_json, as_csv, why, svg)
    game = variant or _named_game(db, book)
    search = _open_live(table_mib, named="kernel" in only) if "kernel" in (only or KINDS) and live else None
    with ExitStack() as stack:
        services: dict[Variant, Service] = {}
        for number, placed in enumerate(_positions(given, ply, game, as_csv)):
            if placed.game not in services:
                sources = stack.enter_context(_sources(placed.game, set(only), db, book))
                services[placed.game] = Service(sources, search, game=placed.game)
            service = services[placed.game]
            asked_why = None if why is None else _move_of(why, placed.position)
            knowledge = _answered(service, placed, live, tell=not (as_json or as_csv or "lines" in given))
            if svg is not None:
                from little_go.book.drawing.picture import board_svg

                write_whole(svg, board_svg(knowledge))
            reason = None if asked_why is None else service.why(placed.position, asked_why)
            left = placed.left_out
            answer = _answer(knowledge, as_json or "lines" in given, as_csv, reason, left, header=number == 0)
            click.echo(answer, nl=not as_csv)


def _check_options(
    given: dict[str, str], ply: int | None, as_json: bool, as_csv: bool, why: str | None, svg: Path | None
) -> None:
    if len(given) > 1:
        names = ["POSITION" if name == "place" else f"--{name}" for name in given]
        raise BadUsage(f"give one of {', '.join(names)}, not {len(given)}")
    if ply is not None and not given.keys() - {"lines"}:
        raise BadUsage("--ply needs exactly one position: give POSITION")
    if as_json and as_csv:
        raise BadUsage("give --json or --csv, not both")
    if why is not None and (as_csv or "lines" in given):
        raise BadUsage("--why explains a move of one position, in text or JSON: omit --lines and --csv")
    if svg is not None and "lines" in given:
        raise BadUsage("--svg draws one position, but --lines contains many: omit one of these options")


def _named_game(db: Path | None, book: Path | None) -> Variant | None:
    """Return the game of the named store or book, or None if no file is named."""
    if db is not None:
        return _game_of(store_path(db))
    return None if book is None else read_named_book(book)[1]


def _game_of(store: Path) -> Variant:
    # The import is not at the top, because answers from the shipped files need no database.
    from little_go.book.store.connection import named_game

    return named_game(store)


def _sources(game: Variant, only: set[str], db: Path | None, book: Path | None) -> AbstractContextManager[list[Source]]:
    """Open the sources for a game: the named files, which must be of this game, and the shipped files.

    only: the kinds of sources to use. Raise BookError if the book is of another game.
    """
    asked = only or set(KINDS)
    if book is not None:
        read_book(str(book), game)
    store = _store_of(db, needed="store" in only) if "store" in asked else None
    files = {"atlas": ATLAS_FILE, "book": book or BOOK_FILE}
    atlas, moves = (path if kind in asked else None for kind, path in files.items())
    about = game if db is not None or (store is not None and _game_of(store) == game) else COURSE
    return open_sources(store, atlas, moves, certificates="certificate" in asked, game=about)


def _answer(
    knowledge: Knowledge, as_json: bool, as_csv: bool, why: str | None, left: Sequence[str], *, header: bool
) -> str:
    if as_csv:
        return knowledge_csv(knowledge, header=header)
    if as_json:
        more = ({} if why is None else {"why": why}) | left_out_record(left)
        return json.dumps(knowledge_record(knowledge) | more)
    return knowledge_text(knowledge) + ("" if why is None else f"\n\nWhy: {why}")


def _move_of(text: str, position: Position) -> int:
    try:
        move = read_move(text)
    except NotationError as error:
        raise BadUsage(f"--why: {error}") from None
    if not position.allows(move):
        raise BadUsage(f"--why: {move_name(move)} is not legal here")
    return move


def _open_live(table_mib: int | None, *, named: bool) -> LiveSearch | None:
    """Open the search.

    If there is no kernel, print a line and return None, but raise NoKernel with ``--only kernel``.
    """
    try:
        return LiveSearch(table_mib)
    except ValueError as error:
        raise BadUsage(str(error)) from None
    except NoKernel as error:
        if named:
            raise
        click.echo(f"{error}; showing only stored results", err=True)
        return None


def _store_of(db: Path | None, *, needed: bool) -> Path | None:
    """Return the path of the store to use, or None if the shipped files are enough."""
    return store_path(db) if db is not None or needed or standard_store().exists() else None


def _answered(service: Service, placed: ParsedPosition, seconds: float, *, tell: bool) -> Knowledge:
    """Return the answer about a position, and show the progress of a search. tell: whether also to print the time."""
    position, way = placed.position, placed.way
    if service.live is None:
        return service.ask(position, way=way)
    budget, before = for_seconds(seconds), service.live.searched
    with Display(patience=PATIENCE) as display:
        summary = ""
        for knowledge in service.updates(position, budget, LOOK_SECONDS, way, replies=True):
            moves = len(knowledge.after_moves)
            if not summary and knowledge.exact == moves:
                summary = settled_text(knowledge, display.elapsed)
                display.show("the line to the end, and the replies that hold", 0, None)
            elif not summary:
                display.show(settling_text(knowledge), knowledge.exact, moves)
        if tell and service.live.searched > before:
            display.finished(summary or settled_text(knowledge, display.elapsed))
        return knowledge


def _positions(given: dict[str, str], ply: int | None, game: Variant | None, as_csv: bool) -> Iterator[ParsedPosition]:
    """Yield the positions that the options contain. Raise BadUsage, with the file and line, if a position is not valid.

    game: the game of all positions, or None if each position may contain its game, with the course's game as the
    default. as_csv: whether the answers are CSV, which cannot contain skipped parts.
    """
    if not given:
        yield ParsedPosition((game or COURSE).start, game=game or COURSE)
    for name, text in given.items():
        if name == "lines":
            yield from _positions_in(text, game, as_csv)
        elif name in _TEXTS:
            yield _with_notes(f"--{name}", _read(f"--{name}", partial(_TEXTS[name], text, game, ply)))
        elif name == "place" and text != "-" and not os.path.exists(_file_and_number(text)[0]):
            yield _with_notes("POSITION", _from_words(text, ply, game))
        else:
            yield _from_file(name, text, ply, game)


def _from_words(text: str, ply: int | None, game: Variant | None) -> ParsedPosition:
    """Return the position in the argument POSITION. Raise BadUsage if the argument is not valid.

    If the argument looks like a file name, the message is about this file.
    """
    try:
        return read(text, game, ply)
    except NotationError as error:
        if _FILE_NAME.match(text) and "#" not in text:
            wanted = 'name a file, a link, a key, or moves such as "2,2 1,1 PASS"'
            raise BadUsage(f"{text} does not exist: {wanted}") from None
        raise BadUsage(f"POSITION: {error}") from None


def _file_and_number(path: str) -> tuple[str, int]:
    found = re.fullmatch(r"(.+):(\d{1,6})", path)
    return (found[1], int(found[2])) if found and not os.path.exists(path) else (path, 1)


def _from_file(name: str, text: str, ply: int | None, game: Variant | None) -> ParsedPosition:
    path, number = _file_and_number(text)
    content = read_file(path, MOST_SGF_BYTES) if path != "-" else click.open_file(path, "rb").read()
    if number != 1:
        placed = _read(path, lambda: _read_game(content, game, ply, number))
    else:
        placed = _read(path, lambda: _FILES[name](content, game, ply))
    return _with_notes("standard input" if path == "-" else path, placed)


def _with_notes(name: str, placed: ParsedPosition) -> ParsedPosition:
    """Print the parts of the input that were assumed or skipped, and return the position."""
    _echo(name, (*placed.notes, *not_read(placed.left_out)))
    if placed.ply_guessed and placed.position != placed.game.start:
        taken = f"{name} does not contain the ply: taking the smallest, {placed.ply}"
        click.echo(f"{taken}; give --ply to change it", err=True)
    return placed


def _echo(name: str, notes: Iterable[str]) -> None:
    for note in notes:
        click.echo(f"{name}: {note}", err=True)


def _positions_in(path: str, game: Variant | None, as_csv: bool) -> Iterator[ParsedPosition]:
    with open_lines(path) as file:
        found = False
        for number, line in enumerate(file, 1):
            if line.strip():
                found = True
                name = f"{path}, line {number}"
                placed = _read(name, partial(read, line, game))
                _echo(name, (*placed.notes, *(not_read(placed.left_out) if as_csv else ())))
                yield placed
    if not found:
        raise BadUsage(f"{path}: no line contains a position")


def _read(where: str, reader: Callable[[], ParsedPosition]) -> ParsedPosition:
    """Return the result of ``reader``. If ``reader`` finds a fault, raise BadUsage with the fault's place."""
    try:
        return reader()
    except NotationError as error:
        raise BadUsage(f"{where}: {error}") from None
