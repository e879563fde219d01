"""Find the position, the game and the ply from the facts that ``texts.py`` found in a text."""

import re
from collections.abc import Mapping
from typing import Any

from little_go.notation.faults import NotationError, place_in
from little_go.notation.host_file import last_move
from little_go.notation.parsed import ParsedPosition, at_ply, checked, parts_of, place, stated_game
from little_go.notation.ports import Ports, refusal
from little_go.notation.texts import read_around
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import IllegalMove, Position, move_name
from little_go.solver.symmetry import canonical_key, position_of

_KEY = re.compile(r"0|[1-9][0-9]{0,39}|0x[0-9a-f]{1,40}", re.IGNORECASE)


def settle(said: Mapping[str, Any], text: str, asked: Variant | None, ply: int | None = None) -> ParsedPosition:
    """Return the position to which the facts of a text belong.

    - ``said``: the result of a reader of ``texts.py``.
    - ``asked``: the game that the user asks about; None for the game that the text states, or for the course's game.
    - ``ply``: the number of plies played, if the text does not contain this number. For moves, the moves end at this
      ply.

    Raise NotationError if the facts contradict each other, or if the position is impossible.
    """
    facts = said["facts"]
    game = _game_of(facts, asked)
    match said["form"]:
        case "moves":
            placed = played(said, text, game.start, game, said.get("stop") if ply is None else ply)
        case "position":
            placed = ParsedPosition(checked(_at_told_ply(said, game), game), game)
        case "key":
            placed = ParsedPosition(checked(key_position(said["key"]), game), game)
        case _:
            placed = _drawn(said, game, ply)
    if said["form"] != "moves":
        _check_facts(facts, placed.position, game)
    if (
        "beside" in said
        and played({**said, "moves": said["beside"], "places": []}, text, game.start, game).position != placed.position
    ):
        raise refusal("stones-and-moves")
    key = said.get("key")
    if said["form"] != "key" and key and canonical_key(key_position(key)) != canonical_key(placed.position):
        raise refusal("other-key")
    if "shown" in said and ply is None and placed.position[:2] != (said["black"], said["white"]):
        raise refusal("moves-and-board")
    return placed._replace(
        notes=(*placed.notes, *said["notes"], *_komi_note(said, game)), parts=parts_of(text, said["taken"])
    )


def _komi_note(said: Mapping[str, Any], game: Variant) -> tuple[str, ...]:
    komi = said.get("other_komi", game.komi)
    return () if komi == game.komi else (f"it states komi {komi:g}, and what is said here is for komi {game.komi:g}",)


def _game_of(facts: Mapping[str, Any], asked: Variant | None) -> Variant:
    known = COURSE if "heading" in facts else asked or COURSE
    if "heading" not in facts and not {"plies", "komi"} & facts.keys():
        return known
    return stated_game(facts.get("plies", known.plies), facts.get("komi", known.komi), asked)


def played(
    said: Mapping[str, Any], text: str, start: Position, game: Variant, ply: int | None = None
) -> ParsedPosition:
    """Return the position after moves. The moves end at the ply ``ply`` of the game, and later moves may be illegal."""
    way, first = [start], start.ply - game.first_ply
    for number, move in enumerate(said["moves"], 1):
        if ply is not None and first + len(way) > ply:
            break
        try:
            way.append(way[-1].play(move))
        except IllegalMove as error:
            at = said["places"][number - 1] if number <= len(said["places"]) else None
            raise illegal(way[-1], f"move {number}: {error}", *(place_in(text, at) if at is not None else ())) from None
    count = first + len(said["moves"])
    check_ply(ply, first, count)
    if ply is None:
        _check_facts(said["facts"], way[-1], game)
    else:
        _check_counts(said["facts"], count)
    return ParsedPosition(way[-1], game, tuple(way[:-1]))


def check_ply(ply: int | None, first: int, last: int) -> None:
    """Raise NotationError if the ply is not None and is not part of the line of moves."""
    if ply is not None and not first <= ply <= last:
        raise NotationError("damaged", f"the line has plies {first} to {last}, and not {ply}")


def illegal(
    position: Position, message: str, line: int | None = None, column: int | None = None, part: str | None = None
) -> NotationError:
    """Return the NotationError for an illegal move. The message must contain the move and the reason."""
    return NotationError("too-long" if position.is_over else "illegal", message, line, column, part)


def is_key(text: str) -> bool:
    """Return whether a text is a number that has the length of a key."""
    return _KEY.fullmatch(text) is not None


def key_position(text: str) -> Position:
    """Return the position of a decimal key, or of a hexadecimal key with the prefix 0x.

    Raise NotationError if the text is not a key.
    """
    if not is_key(text):
        raise refusal("no-key", text)
    try:
        return position_of(int(text, 16 if text[:2] in ("0x", "0X") else 10))
    except ValueError as error:
        raise NotationError("damaged", str(error)) from None


def _at_told_ply(said: Mapping[str, Any], game: Variant) -> Position:
    board = Position(said["black"], said["white"], said["ko"], 0, said["facts"].get("passed", False))
    return at_ply(board, said["facts"]["ply"], game)


def _drawn(said: Mapping[str, Any], game: Variant, ply: int | None) -> ParsedPosition:
    facts = said["facts"]
    named, mover, over = facts.get("ply"), facts.get("mover"), facts.get("over")
    if over and (mover is not None or named not in (None, game.plies)):
        raise refusal("over-and-more")
    named = game.plies if over else named
    if named is not None and not over and mover not in (None, named % 2):
        raise refusal("ply-and-side", named)
    if ply is not None and named not in (None, ply):
        raise NotationError("ambiguous", f"it is after ply {named}, and not after {ply}")
    board = Position(said["black"], said["white"], said["ko"], 0, bool(facts.get("passed")))
    if "before" in said:
        after = last_move(2 - mover, tuple(said["before"]), (board.black, board.white))
        if after is None:
            raise refusal("boards-apart")
        board = board._replace(ko=after.ko)
    captured = (facts.get("blacks", 0), facts.get("whites", 0))
    colour = None if over or mover is None else mover + 1
    placed = place(board, colour, named if ply is None else ply, game, captured, is_told="passed" in facts)
    if facts.get("ko") not in (None, placed.position.ko):
        raise refusal("no-ko", move_name(facts["ko"]))
    return placed


def _check_facts(facts: Mapping[str, Any], position: Position, game: Variant) -> None:
    """Raise NotationError if a line and the position contradict each other."""
    ply = position.ply - game.first_ply
    if facts.get("over") and ply != game.plies:
        raise refusal("not-over")
    if not facts.get("over") and "mover" in facts and (position.is_over or facts["mover"] != ply % 2):
        raise refusal("other-side", ("Black", "White")[facts["mover"]])
    if facts.get("ply") not in (None, ply):
        raise refusal("other-ply", facts["ply"], ply)
    if "passed" in facts and facts["passed"] != position.passed and not facts.get("over"):
        raise refusal("other-pass")


def _check_counts(facts: Mapping[str, Any], count: int) -> None:
    if facts.get("ply") not in (None, count) or facts.get("mover") not in (None, count % 2):
        raise NotationError("ambiguous", f"a line contradicts the {count} moves: delete that line")


def check_around(outside: str, placed: ParsedPosition) -> ParsedPosition:
    """Return the position of a game or link. Raise NotationError if the text around it contradicts the position."""
    said = read_around(Ports(outside), outside)
    facts = said["facts"]
    _game_of(facts, placed.game)
    _check_facts(facts, placed.position, placed.game)
    board = {"on_black": placed.position.black, "on_white": placed.position.white}
    if any(facts.get(name, stones.bit_count()) != stones.bit_count() for name, stones in board.items()):
        raise refusal("other-stones")
    return placed
