"""Convert the record of a game to SGF (FF[4], https://www.red-bean.com/sgf/)."""

from datetime import date
from typing import Any

from little_go.arena.match.host import ILLEGAL, PLAYED_OUT
from little_go.notation.record import game_of
from little_go.notation.sgf import add_move, new_sgf
from little_go.solver.bounds import COLOUR_NUMBERS, score_text
from little_go.solver.family import Variant
from little_go.solver.position import parse_move

#: If a game ends without a score, the property RE contains a letter after the winner: the letter for the reason in
#: _ENDINGS, or else _FORFEIT.
_ENDINGS = {"timeout": "T", "resigned": "R"}
_FORFEIT = "F"


def sgf_of(record: dict[str, Any], day: date | None = None) -> bytes:
    """Return the SGF of a game's record (``Game.record()``). day: the day of the game, or None if it is unknown.

    The comment of the last position contains the reason for the end and an illegal last move. If the game was played
    out, the property V of the last node contains the margin.
    """
    moves = list(record["moves"])
    illegal = moves.pop() if record["reason"].startswith(ILLEGAL) else None
    variant = game_of(record)
    result = result_text(record["reason"], COLOUR_NUMBERS[record["winner"].lower()], record["margin"], variant)
    game = open_sgf(record["black"], record["white"], result, day, f"seed {record['seed']}", variant)
    set_end(game, record["reason"], illegal or "", record["detail"])
    for ply, name in enumerate(moves):
        add_move(game.extend_main_sequence(), ply, parse_move(name))
    comment = record["reason"] + (f": {record['detail']}" if record["detail"] else "")
    game.get_last_node().set("C", f"{comment} ({illegal})" if illegal else comment)
    if record["reason"] in PLAYED_OUT:
        game.get_last_node().set("V", record["margin"])
    text: bytes = game.serialise()
    return text


def open_sgf(black: str, white: str, result: str, day: date | None, note: str, variant: Variant) -> Any:
    """Return a new sgfmill game without moves, with names, result and rules. day, note: added if they are given."""
    game = new_sgf(variant)
    root = game.get_root()
    for name, value in (("PB", black), ("PW", white), ("RE", result)):
        root.set(name, value)
    if day is not None:
        root.set("DT", day.isoformat())
    if note:
        root.set("GC", note)
    return game


def set_end(game: Any, reason: str, illegal: str, detail: str) -> None:
    """If a game was not played out, write its end into the property LF of the root, because RE cannot describe it.

    reason, detail: the fields of the host's Result. illegal: the forbidden move, or "".
    """
    if reason not in PLAYED_OUT:
        game.get_root().set("LF", " ".join(filter(None, [reason, illegal, detail])))


def read_end(text: str) -> tuple[str, str, str]:
    """Return the reason, the illegal move and the detail from a text that ``set_end`` has written.

    >>> read_end("invalid_ko 1,2 1,2 is forbidden by ko"), read_end("missing NameError: x")
    (('invalid_ko', '1,2', '1,2 is forbidden by ko'), ('missing', '', 'NameError: x'))
    """
    reason, _, rest = text.partition(" ")
    move, _, detail = rest.partition(" ") if reason.startswith(ILLEGAL) else ("", "", rest)
    return reason, move, detail


def result_text(reason: str, winner: int, margin: int, game: Variant) -> str:
    """Return a result in SGF's format, such as B+0.5, W+F (forfeit), B+T (time) or W+R (resigned)."""
    if reason in PLAYED_OUT:
        return score_text(margin, game.komi)
    return f"{'BW'[winner - 1]}+{_ENDINGS.get(reason, _FORFEIT)}"
