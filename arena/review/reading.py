"""The games to review: from SGF, from the arena's JSON lines, from the course's logs, or from moves in a row."""

import json
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from arena.match.host import PLAYED_OUT, Result, State, forfeit, states_of
from book.drawing.sgf import SgfError, main_line, parse_sgf
from book.files.games import GamesError
from runtime.filesystem import UNREADABLE, open_text, read_named
from solver.colours import COLOURS
from solver.position import move_name

_BLACK, _WHITE = COLOURS[1], COLOURS[2]


class Played(NamedTuple):
    """A game to review.

    source: where it is from, such as ``games.jsonl, game 3``.
    state: the host's last state. Its result is None when the game was not played to its end.
    day: when it was played, if that is known. note: what else is known of it, such as its seed.
    cpu: seconds of each call, by ply, where they are known.
    """

    source: str
    black: str
    white: str
    state: State
    day: date | None = None
    note: str = ""
    cpu: tuple[float, ...] = ()

    def agent(self, colour: int) -> str:
        """Return the name of 1 = Black or 2 = White."""
        return self.black if colour == 1 else self.white


def read_games(words: Sequence[str]) -> Iterator[Played]:
    """Yield the games that the words of a command line name: files, directories of SGF files, or moves in a row.

    Raises GamesError.
    """
    if words and not any(Path(word).exists() for word in words):
        if missing := [word for word in words if Path(word).suffix in (".sgf", ".jsonl", ".gz")]:
            raise GamesError(f"{missing[0]} does not exist: name a file of games, or moves such as 2,2 1,1 PASS")
        yield _from_moves("moves", _BLACK, _WHITE, " ".join(words).split())
        return
    for word in words:
        yield from _from_path(Path(word))


def _from_path(path: Path) -> Iterator[Played]:
    try:
        if path.is_dir():
            files = sorted(path.glob("*.sgf")) or sorted(path.glob("*.jsonl"))
            if not files:
                raise GamesError(f"{path}: this directory has no .sgf or .jsonl file")
            for file in files:
                yield from _from_path(file)
        elif not path.is_file():
            raise GamesError(f"{path}: neither a file nor moves such as 2,2 1,1 PASS")
        elif path.suffix == ".sgf":
            yield _from_sgf(path)
        else:
            yield from _from_lines(path)
    except UNREADABLE as error:
        raise GamesError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _from_sgf(path: Path) -> Played:
    try:
        game = parse_sgf(read_named(path))
        moves = [move_name(move) for move in main_line(game)]
    except SgfError as error:
        raise GamesError(f"{path}: {error}") from None
    root = game.get_root()
    black, white = _sgf_text(root, "PB") or _BLACK, _sgf_text(root, "PW") or _WHITE
    played = _from_moves(path.name, black, white, moves, _sgf_result(root))
    return played._replace(day=_sgf_day(root), note=_sgf_text(root, "GC"))


def _sgf_text(root: Any, name: str) -> str:
    try:
        return str(root.get(name)) if root.has_property(name) else ""
    except ValueError:
        # It is there twice, or no text.
        return ""


def _sgf_day(root: Any) -> date | None:
    """Return the first day that SGF tells, None for one that is not whole."""
    try:
        return date.fromisoformat(_sgf_text(root, "DT")[:10])
    except ValueError:
        return None


def _sgf_result(root: Any) -> Result | None:
    """Return the result that ends a game before its 24 plies, as SGF tells it; None for one that the score decides."""
    winner, _, how = _sgf_text(root, "RE").partition("+")
    if winner not in ("B", "W") or how[:1] not in ("F", "R", "T"):
        return None
    reason = {"F": "forfeit", "R": "resigned", "T": "timeout"}[how[0]]
    return Result("BW".index(winner) + 1, reason, "")


def _from_lines(path: Path) -> Iterator[Played]:
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _from_line(f"{path.name}, game {number}", line)


def _from_line(source: str, line: str) -> Played:
    try:
        return from_record(source, json.loads(line))
    except (ValueError, RecursionError) as error:
        raise error if isinstance(error, GamesError) else GamesError(f"{source}: not a game of the arena") from None


def from_record(source: str, record: dict[str, Any]) -> Played:
    """Return the game of a record, the arena's own (``Game.record()``) or the course's; raises GamesError."""
    try:
        moves = [str(move) for move in record["moves"]]
        reason, winner, detail = str(record["reason"]), int(record["winner"]), str(record.get("detail", ""))
        black, white = _agents(record)
    except (ValueError, KeyError, TypeError):
        raise GamesError(f"{source}: not a game of the arena") from None
    played = _from_moves(source, black, white, moves, Result(winner, reason, detail) if winner in COLOURS else None)
    played = played._replace(cpu=_cpu(record.get("cpu")))
    return played._replace(note=f"seed {record['seed']}") if "seed" in record else played


def _cpu(clocks: object) -> tuple[float, ...]:
    """Return the seconds of each call, Black's first; none where a record has no such times."""
    try:
        black, white = clocks["black"], clocks["white"]  # type: ignore[index]
        return tuple(float(second) for pair in zip_longest(black, white) for second in pair if second is not None)
    except (ValueError, KeyError, TypeError):
        return ()


def _agents(record: dict[str, Any]) -> tuple[str, str]:
    """Return Black's and White's name in one of the arena's games, or in one of the course's logs."""
    if "black" in record:
        return str(record["black"]), str(record["white"])
    agent, colour = str(record["staff_agent"]), int(record["staff_color"])
    return (agent, "student") if colour == 1 else ("student", agent)


def _from_moves(source: str, black: str, white: str, moves: Sequence[str], result: Result | None = None) -> Played:
    """Play the moves by the host. A game that stops before its end has ``result``, or none.

    Raises GamesError for a move that is none; one that breaks the rules ends its game, as it did on the host.
    """
    *_, state = states = states_of(moves)
    if state.result is not None and state.result.reason == "malformed":
        raise GamesError(f"{source}: {moves[len(states) - 2]!r} is not a move such as 2,2 or PASS")
    if state.result is None and result is not None and result.winner == 3 - state.position.mover:
        state = forfeit(state, result.reason, result.detail)
    return Played(source, black, white, state)


def positions_of(state: State) -> list[Any]:
    """Return the positions of a game, from the empty board to the last one; a move that broke the rules leads to none.

    >>> [position.ply for position in positions_of(states_of(["2,2", "2,2"])[-1])]
    [0, 1]
    """
    states = states_of(state.moves)
    return [each.position for each in states if each.result is None or each.result.reason in PLAYED_OUT]
