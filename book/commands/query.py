"""The command ``python -m book query``: positions in any spelling, an answer in any form."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import click

from book.answers.live import LIVE_SECONDS, LOOK_SECONDS, Live, for_seconds
from book.answers.query import Knowledge
from book.answers.service import Service
from book.answers.sources import open_sources
from book.commands.spelling import Spelled, after_moves, from_board, from_input, from_json, from_key, from_sgf, moves_of
from book.commands.stores import db_to_read, store_path
from book.drawing.picture import board_svg
from book.drawing.report import knowledge_csv, knowledge_record, knowledge_text, settled_text, settling_text
from book.exchange.merge import standard_store
from book.files.shipped import ATLAS, BOOK
from book.store.facts import StoreError
from runtime.display import Display
from runtime.errors import BadUsage
from runtime.filesystem import open_text, read_named, write_whole
from runtime.options import FILE, Duration, json_option, setting, table_option
from solver.native import NoKernel
from solver.position import GAME_PLIES, START, move_name

_T = TypeVar("_T")

#: Seconds before it is shown how far a search has come.
PATIENCE = 0.5

#: What --only can name.
KINDS = ("store", "atlas", "book", "kernel")


@click.command("query")
@click.option("--moves", metavar="MOVES", help='The position after these moves, such as "2,2 1,1 PASS".')
@click.option("--input", "input", metavar="FILE", help="The position in the host's input.txt.")
@click.option("--board", metavar="FILE", help="The position drawn as five rows of . X O, as this command prints it.")
@click.option("--key", metavar="NUMBER", help="The position with this key, as in a store.")
@click.option("--game", metavar="FILE", help="The position after the main line of a game in SGF.")
@click.option(
    "--lines",
    metavar="FILE",
    help="Positions as one JSON object per line, with keys or moves; the answers are JSON too.",
)
@click.option(
    "--ply",
    type=click.IntRange(0, GAME_PLIES - 1),
    help="Plies played, where --input or --board do not contain it; with --game, the ply to stop at.",
)
@db_to_read
@click.option("--book", type=FILE, help="The book to ask.  [default: the book.json that ships]")
@click.option(
    "--only", multiple=True, type=click.Choice(KINDS), help="Ask only this source; may be given several times."
)
@setting(
    "--live",
    Duration(min=0),
    f"{LIVE_SECONDS:g}s",
    "How long to search what the files leave open, by all cores, until all is exact; 0 for no search.",
)
@table_option(None, "Memory for the transposition table; what fits the machine unless it is given")
@json_option("Answer in JSON, one object per line.")
@click.option(
    "--csv", "as_csv", is_flag=True, help="Answer in CSV: a line for each move; moves that are alike share one."
)
@click.option("--why", metavar="MOVE", help="Also say why this move is worse than the best one; for text and JSON.")
@click.option("--svg", type=FILE, help="Draw the position and what each move is worth; not with --lines.")
def query_command(
    ply: int | None,
    db: Path | None,
    book: Path | None,
    only: tuple[str, ...],
    live: float,
    table_mib: int | None,
    as_json: bool,
    as_csv: bool,
    why: str | None,
    svg: Path | None,
    **spelled: str | None,
) -> None:
    """Show what a position and each of its moves is worth, and where that is known from.

    The position is the empty board unless an option names another. The command asks the store (with the certificates
    that it has read), the atlas and the book, and searches what they leave open. FILE may be - for standard input.

    A result is the game's under best play, komi included: B+0.5 is a win for Black by half a point. "Loses" is how many
    points a move is worse than the best one. "Replies that hold" is the number of replies after which the other side
    still wins.
    """
    given = {name: value for name, value in spelled.items() if value is not None}
    _check_options(given, ply, as_json, as_csv, why, svg)
    asked = set(only or KINDS)
    search = _open_live(table_mib, named="kernel" in only) if "kernel" in asked and live else None
    store = _store_of(db, needed="store" in only) if "store" in asked else None
    books = book or BOOK
    with open_sources(store, ATLAS if "atlas" in asked else None, books if "book" in asked else None) as sources:
        service = Service(sources, search)
        for number, spelled_out in enumerate(_positions(given, ply)):
            knowledge = _answered(service, spelled_out, live, tell=not (as_json or as_csv or "lines" in given))
            if svg is not None:
                write_whole(svg, board_svg(knowledge))
            move, budget = None if why is None else _move_of(why, knowledge), for_seconds(live) if search else None
            reason = None if move is None else service.why(knowledge, move, budget, spelled_out.way)
            answer = _answer(knowledge, as_json or "lines" in given, as_csv, reason, header=number == 0)
            click.echo(answer, nl=not as_csv)


def _check_options(
    given: dict[str, str], ply: int | None, as_json: bool, as_csv: bool, why: str | None, svg: Path | None
) -> None:
    """Raise BadUsage for options that do not go together."""
    if len(given) > 1:
        raise BadUsage(f"give one of {', '.join(f'--{name}' for name in given)}, not {len(given)}")
    if ply is not None and not given.keys() & {"input", "board", "game"}:
        raise BadUsage("--ply goes with --input, --board or --game: other positions contain it")
    if as_json and as_csv:
        raise BadUsage("give --json or --csv, not both")
    if why is not None and (as_csv or "lines" in given):
        raise BadUsage("--why tells of one position, in text or JSON")
    if svg is not None and "lines" in given:
        raise BadUsage("--svg draws one position, and --lines gives many")


def _answer(knowledge: Knowledge, as_json: bool, as_csv: bool, why: str | None, *, header: bool) -> str:
    if as_csv:
        return knowledge_csv(knowledge, header=header)
    if as_json:
        return json.dumps(knowledge_record(knowledge) | ({} if why is None else {"why": why}))
    return knowledge_text(knowledge) + ("" if why is None else f"\n\nWhy: {why}")


def _move_of(text: str, knowledge: Knowledge) -> int:
    """Return the move that --why names; raises BadUsage for one that is not legal."""
    try:
        (move,) = moves_of(text)
    except ValueError as error:
        raise BadUsage(f"--why: {error}") from None
    if not knowledge.position.allows(move):
        raise BadUsage(f"--why: {move_name(move)} is not legal here")
    return move


def _open_live(table_mib: int | None, *, named: bool) -> Live | None:
    """Return the search; without a kernel None, and a line on standard error, unless it is asked for by name."""
    try:
        return Live(table_mib)
    except ValueError as error:
        raise BadUsage(str(error)) from None
    except NoKernel as error:
        if named:
            raise
        click.echo(f"{error}; showing only what is stored", err=True)
        return None


def _store_of(db: Path | None, *, needed: bool) -> Path | None:
    """Return the store to ask: the one named, or book.db, built if need be; None, and a line, where that cannot be."""
    try:
        return store_path(db)
    except (StoreError, OSError) as error:
        if db is not None or needed or standard_store().exists():
            raise
        click.echo(f"cannot build {standard_store()}, so only the files that ship are asked: {error}", err=True)
        return None


def _answered(service: Service, spelled: Spelled, seconds: float, *, tell: bool) -> Knowledge:
    """Return what is known of a position, with what is settled shown while it is searched; tell: also the time."""
    position, _, way = spelled
    if service.live is None:
        return service.ask(position, way=way)
    budget, before = for_seconds(seconds), service.live.searched
    with Display(patience=PATIENCE) as display:
        for knowledge in service.updates(position, budget, LOOK_SECONDS, way):
            display.show(settling_text(knowledge), knowledge.exact, len(knowledge.after_moves))
        told = settled_text(knowledge, display.elapsed)
        if tell and service.live.searched > before:
            display.finished(told)
        display.show("the line to the end, and which replies hold", 0, None)
        return service.ask(position, budget, way=way)


def _positions(given: dict[str, str], ply: int | None) -> Iterator[Spelled]:
    """Yield the positions that the options spell; raises BadUsage naming file and line."""
    if not given:
        yield Spelled(START)
    for name, text in given.items():
        if name == "lines":
            yield from _positions_in(text)
        elif name in ("moves", "key"):
            yield _read("", partial(after_moves if name == "moves" else from_key, text))
        else:
            yield _from_file(name, text, ply)


def _from_file(name: str, path: str, ply: int | None) -> Spelled:
    content = read_named(path) if path != "-" else click.open_file(path, "rb").read()
    if name == "game":
        return _read(path, partial(from_sgf, content, ply))
    text, read = content.decode("utf-8", "replace"), from_input if name == "input" else from_board
    spelled: Spelled = _read(path, partial(read, text, ply))
    if spelled.ply_guessed and spelled.position != START:
        name = "standard input" if path == "-" else path
        click.echo(
            f"{name} does not contain the ply: taking the smallest, {spelled.position.ply}; give --ply to change it",
            err=True,
        )
    return spelled


def _positions_in(path: str) -> Iterator[Spelled]:
    is_file = path != "-"
    with open_text(path, errors="replace") if is_file else click.open_file(path, errors="replace") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _read(f"{path}, line {number}", partial(from_json, line))


def _read(where: str, read: Callable[[], _T]) -> _T:
    """Call ``read``; raise BadUsage that names the place of a fault."""
    try:
        return read()
    except ValueError as error:
        raise BadUsage(f"{where}: {error}" if where else str(error)) from None
