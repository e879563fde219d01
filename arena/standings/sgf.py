"""A game as SGF, which people's Go programs read (FF[4], https://www.red-bean.com/sgf/)."""

from datetime import date
from typing import Any

from sgfmill import sgf

from arena.match.host import score_text
from book.sgf import add_move
from solver.position import KOMI, SIZE, parse_move

#: What follows the winner in RE, for the games that do not end with a score.
_ENDINGS = {"timeout": "T", "resigned": "R"}
_FORFEIT = "F"

#: Reasons whose last move was judged illegal, and is no move of the game.
_ILLEGAL = "invalid_"


def sgf_of(record: dict[str, Any], day: date | None = None) -> bytes:
    """Return the SGF of a game, given its record (``Game.record()``); ``day``: when it was played, if that is known.

    An illegal last move is told in the comment on the last position, as is every reason other than the score.
    """
    moves = list(record["moves"])
    illegal = moves.pop() if record["reason"].startswith(_ILLEGAL) else None
    game = open_sgf(record["black"], record["white"], result_text(record), day)
    game.get_root().set("GC", f"seed {record['seed']}")
    for ply, name in enumerate(moves):
        add_move(game.extend_main_sequence(), ply, parse_move(name))
    comment = record["reason"] + (f": {record['detail']}" if record["detail"] else "")
    game.get_last_node().set("C", f"{comment} ({illegal})" if illegal else comment)
    text: bytes = game.serialise()
    return text


def open_sgf(black: str, white: str, result: str, day: date | None) -> Any:
    """Return a game of sgfmill's without moves: names, result, rules, and the day, if it is known."""
    game = sgf.Sgf_game(size=SIZE, encoding="UTF-8")
    root = game.get_root()
    for name, value in (("PB", black), ("PW", white), ("RE", result)):
        root.set(name, value)
    root.set("KM", KOMI)
    root.set("RU", "Little-Go: stones alone count, 24 plies")
    if day is not None:
        root.set("DT", day.isoformat())
    return game


def result_text(record: dict[str, Any]) -> str:
    """Return a record's result as SGF writes it, such as B+0.5, W+F (forfeit), B+T (time) or W+R (resigned)."""
    if record["reason"] in ("max", "two_passes"):
        return score_text(record["margin"])
    return f"{'BW'[record['winner'] - 1]}+{_ENDINGS.get(record['reason'], _FORFEIT)}"
