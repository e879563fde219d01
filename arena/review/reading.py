"""Read the games to review: SGF, the arena's JSON lines, the course's logs, or any other notation."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from little_go.arena.match.host import ILLEGAL, PLAYED_OUT, WITHOUT_A_MOVE, Result, State, forfeit, states_of
from little_go.arena.standings.game_sgf import read_end
from little_go.book.files.games import GamesError
from little_go.notation.faults import NotationError
from little_go.notation.forms import read, text_of
from little_go.notation.movetext import read_move, read_moves
from little_go.notation.parsed import ParsedPosition, is_sgf, not_read, same_game
from little_go.notation.record import game_of, is_object, read_json, record_left_out
from little_go.notation.sgf import SgfGame, beside_games
from little_go.notation.sgf import read_games as sgf_games
from little_go.runtime.files import MIB, UNREADABLE, open_text, read_unpacked, why_unreadable
from little_go.runtime.terminal import printable
from little_go.solver.bounds import COLOUR_NUMBERS, COLOURS
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import Position, move_name

_BLACK, _WHITE = COLOURS[1], COLOURS[2]


#: Characters that show whether a file has games.
_GLANCE = 4096

#: Bytes of a file of games, packed and unpacked.
_MOST = 256 * MIB

#: The beginning of a review's part of a comment, which follows the author's.
OURS = "Little-Go: "

#: Signs of file names that moves lack: a letter behind a dot, or a slash. Separators of moves.
_NAME = re.compile(r"\.[A-Za-z]|/")
_SEPARATOR = re.compile(r"[\s,]")


class GameToReview(NamedTuple):
    """A game to review.

    source: such as ``games.jsonl, game 3``. state: the host's last state; its result is None for an unfinished game.
    day: when it was played, if known. note: other data, such as its seed. cpu: seconds of each call, by ply, if known.
    notes: assumptions of the reading, as clauses. others, comments: an SGF's variations and author's comments, as in
    SgfGame.
    """

    source: str
    black: str
    white: str
    state: State
    day: date | None = None
    note: str = ""
    cpu: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    others: Mapping[int, Sequence[Any]] = {}
    comments: Mapping[int, str] = {}

    @property
    def game(self) -> Variant:
        """Its length and komi."""
        return self.state.game

    def agent(self, colour: int) -> str:
        """Return the name of 1 = Black or 2 = White."""
        return self.black if colour == 1 else self.white


def read_games(
    words: Sequence[str], refuse: Callable[[GamesError], None] | None = None, asked: Variant | None = None
) -> Iterator[GameToReview]:
    """Yield the games in a command line's words: files, directories of files, or moves in a row.

    A file's content determines its kind, whatever its name. A position alone is a game without moves.

    refuse: called for each unreadable file or game; without it, the first one raises GamesError. asked: the length and
    komi of all games; None for each game's own, the course's by default.
    """
    refuse = refuse or _refuse
    if words and not any(Path(word).exists() for word in words):
        yield _from_words(words, asked)
        return
    for word in words:
        try:
            files = _files(Path(word))
        except GamesError as error:
            refuse(error)
            continue
        for path in files:
            yield from _from_path(path, refuse, asked)


def _refuse(error: GamesError) -> None:
    raise error


def _from_words(words: Sequence[str], asked: Variant | None) -> GameToReview:
    """Return the game of moves in a row; raises GamesError."""
    try:
        return _from_text("moves", " ".join(words), asked)
    except GamesError:
        # No move has a letter behind a dot, and a single word that is not a move was meant as a file.
        for word in words:
            if "#" not in word and (_NAME.search(word) or (len(words) == 1 and not _SEPARATOR.search(word))):
                raise _missing(word) from None
        raise


def _missing(word: str | Path) -> GamesError:
    return GamesError(f"{word} does not exist: name a file of games, or moves such as 2,2 1,1 PASS")


def _files(path: Path) -> list[Path]:
    """Return the files of games that a word names: of a directory all SGF, or else all JSON lines."""
    if not path.is_dir():
        if not path.exists():
            raise _missing(path)
        return [path]
    try:
        files = sorted(each for each in path.iterdir() if each.is_file() and not each.name.startswith("."))
        found = [each for each in files if each.suffix.lower() == ".sgf" or is_sgf(_beginning(each))]
    except OSError as error:
        raise GamesError(f"{path}: cannot be read: {error.strerror}") from None
    found = found or [each for each in files if is_object(_beginning(each).lstrip())]
    if not found:
        raise GamesError(f"{path}: this directory has no game, neither SGF nor JSON lines")
    return found


def _beginning(path: Path) -> str:
    try:
        with open_text(path, _MOST, errors="replace") as text:
            return text.read(_GLANCE).lstrip("﻿")
    except UNREADABLE:
        return ""


def _from_path(path: Path, refuse: Callable[[GamesError], None], asked: Variant | None) -> Iterator[GameToReview]:
    try:
        content = read_unpacked(path, _MOST)
        text = text_of(content)
        if is_sgf(text):
            yield from _from_sgf(path, content, refuse, asked)
        elif is_object(text.lstrip()):
            yield from _from_lines(path, text, refuse, asked)
        elif path.suffix.lower() == ".sgf":
            raise GamesError(f"{path}: no SGF: it has no game, which begins with (;")
        else:
            yield _from_text(path.name, content, asked)
    except GamesError as error:
        refuse(error)
    except UNREADABLE as error:
        refuse(GamesError(f"{path}: cannot be read: {why_unreadable(error)}"))


def _from_text(source: str, content: bytes | str, asked: Variant | None) -> GameToReview:
    """Return the game in a text or a file of any form but SGF; raises GamesError."""
    text = content if isinstance(content, str) else text_of(content)
    try:
        return _from_placed(source, read(content, game=asked))
    except NotationError as error:
        if error.fault in ("illegal", "too-long"):
            # An illegal move ends a game, as it did on the host.
            with suppress(NotationError):
                return _from_moves(source, _BLACK, _WHITE, list(map(move_name, read_moves(text))), game=asked or COURSE)
        raise GamesError(f"{source}: {error}") from None


def _from_placed(source: str, placed: ParsedPosition, black: str = _BLACK, white: str = _WHITE) -> GameToReview:
    """Return the game that led to a position, as far as a text contains it."""
    line = [*placed.way, placed.position]
    moves = [next(move for move in one.legal_moves() if one.play(move) == next_) for one, next_ in pairwise(line)]
    guessed = placed.ply_guessed and placed.position != placed.game.start
    notes = [f"it does not contain the ply: taking the smallest, {placed.ply}"] if guessed else []
    played = _from_moves(source, black, white, list(map(move_name, moves)), start=line[0], game=placed.game)
    return played._replace(notes=(*placed.notes, *notes, *not_read(placed.left_out), *played.notes))


def _from_sgf(
    path: Path, content: bytes, refuse: Callable[[GamesError], None], asked: Variant | None
) -> Iterator[GameToReview]:
    """Yield the games of a file, each by its main line."""
    try:
        games = list(sgf_games(content, asked))
    except NotationError as error:
        raise GamesError(f"{path}: {error}") from None
    for number, game in enumerate(games, 1):
        which = "" if len(games) == 1 else f", game {number}"
        if isinstance(game, NotationError):
            refuse(GamesError(f"{path}{which}: {game}"))
            continue
        names = game.text("PB") or _BLACK, game.text("PW") or _WHITE
        result, illegal = _sgf_result(game)
        moves = [*map(move_name, game.moves), *illegal]
        played = _from_moves(f"{path.name}{which}", *names, moves, result, game.start, game=game.game)
        comments = {at: own for at, text in game.comments.items() if (own := without_ours(text))}
        played = played._replace(day=_sgf_day(game), note=game.text("GC"), others=game.others, comments=comments)
        beside = not_read(beside_games(content)) if number == 1 else []
        yield played._replace(notes=(*game.notes, *beside, *played.notes))


def without_ours(comment: str) -> str:
    """Return a comment without what a review has written behind it."""
    lines = comment.split("\n")
    ours = next((at for at, line in enumerate(lines) if line.startswith(OURS)), len(lines))
    return "\n".join(lines[:ours]).strip()


def _sgf_day(game: SgfGame) -> date | None:
    """Return the first complete date in an SGF, or None."""
    try:
        return date.fromisoformat(game.text("DT")[:10])
    except ValueError:
        return None


def _sgf_result(game: SgfGame) -> tuple[Result | None, list[str]]:
    """Return an SGF's result that ends a game early, None for one that the score decides.

    With it comes the illegal move that our own SGF notes.
    """
    winner, _, how = game.text("RE").partition("+")
    if winner not in ("B", "W") or how[:1] not in ("F", "R", "T"):
        return None, []
    reason, illegal, detail = read_end(game.text("LF"))
    if reason in WITHOUT_A_MOVE or (illegal and reason.startswith(ILLEGAL)):
        return Result("BW".index(winner) + 1, reason, detail), [illegal] if illegal else []
    return Result("BW".index(winner) + 1, {"F": "forfeit", "R": "resigned", "T": "timeout"}[how[0]], ""), []


def _from_lines(
    path: Path, text: str, refuse: Callable[[GamesError], None], asked: Variant | None
) -> Iterator[GameToReview]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield _from_line(f"{path.name}, game {number}", line, asked)
            except GamesError as error:
                refuse(error)


def _from_line(source: str, line: str, asked: Variant | None) -> GameToReview:
    try:
        record = json.loads(line)
        if "reason" in record:
            played = from_record(source, record, asked)
            return played._replace(notes=(*played.notes, *not_read(record_left_out(line.strip()))))
        return _from_placed(source, read_json(line, game=asked), *_sides(record))
    except NotationError as error:
        raise GamesError(f"{source}: {error}") from None
    except (ValueError, TypeError, RecursionError) as error:
        raise error if isinstance(error, GamesError) else GamesError(f"{source}: not a game of the arena") from None


def from_record(source: str, record: dict[str, Any], asked: Variant | None = None) -> GameToReview:
    """Return the game of a record, the arena's own (``Game.record()``) or the course's; raises GamesError.

    asked: its length and komi, None for any.
    """
    try:
        moves = _names(record["moves"])
        reason, winner, detail = str(record["reason"]), _colour(record["winner"]), str(record.get("detail", ""))
        black, white = _agents(record)
        game = game_of(record)
    except (ValueError, KeyError, TypeError):
        raise GamesError(f"{source}: not a game of the arena") from None
    try:
        same_game(game, asked)
    except NotationError as error:
        raise GamesError(f"{source}: {error}") from None
    result = Result(winner, reason, detail) if winner in COLOURS else None
    played = _from_moves(source, black, white, moves, result, game=game)
    played = played._replace(cpu=_cpu(record.get("cpu")))
    return played._replace(note=f"seed {record['seed']}") if "seed" in record else played


def _colour(winner: Any) -> int:
    """Return a winner's number: by name in the arena's records, by number in the course's logs."""
    return COLOUR_NUMBERS[winner.lower()] if isinstance(winner, str) else int(winner)


def _names(moves: Any) -> list[str]:
    """Return a record's moves by the host's names; other words stay, for the host to judge."""
    names = []
    for move in moves.split() if isinstance(moves, str) else moves:
        try:
            names.append(move_name(read_move(str(move))))
        except NotationError:
            names.append(str(move))
    return names


def _cpu(clocks: object) -> tuple[float, ...]:
    """Return the seconds of each call, Black's first; empty where a record lacks them."""
    try:
        black, white = clocks["black"], clocks["white"]  # type: ignore[index]
        return tuple(float(second) for pair in zip_longest(black, white) for second in pair if second is not None)
    except (ValueError, KeyError, TypeError):
        return ()


def _agents(record: dict[str, Any]) -> tuple[str, str]:
    """Return Black's and White's names in one of the arena's games, or in one of the course's logs."""
    if "black" in record:
        return str(record["black"]), str(record["white"])
    agent, colour = str(record["staff_agent"]), int(record["staff_color"])
    return (agent, "student") if colour == 1 else ("student", agent)


def _sides(record: dict[str, Any]) -> tuple[str, str]:
    """Return the names in a record, by default the colours."""
    with suppress(KeyError, TypeError, ValueError):
        if "staff_agent" in record:
            return _agents(record)
    black, white = record.get("black"), record.get("white")
    return black if isinstance(black, str) else _BLACK, white if isinstance(white, str) else _WHITE


def _from_moves(
    source: str,
    black: str,
    white: str,
    moves: Sequence[str],
    result: Result | None = None,
    start: Position | None = None,
    *,
    game: Variant,
) -> GameToReview:
    """Play the moves by the host. A game that stops early gets ``result``, which may be None.

    Raises GamesError for a word that is not a move; an illegal one ends its game, as it did on the host.
    """
    *_, state = states = states_of(moves, start, game=game)
    if state.result is not None and state.result.reason == "malformed":
        raise GamesError(f"{source}: {moves[len(states) - 2]!r} is not a move such as 2,2 or PASS")
    ended = _ended(state, result) if result is not None else ()
    if result is not None and not ended and state.result is None:
        state = forfeit(state, result.reason, printable(result.detail))
    over = len(states) - 1
    left_out = "move after that does" if len(moves) == over + 1 else f"{len(moves) - over} moves after that do"
    notes = (f"the game is over after ply {state.start.ply - game.first_ply + over}: the {left_out} not count",)
    # Names go to pages and pictures, which must not contain control characters.
    played = GameToReview(source, printable(black), printable(white), state)
    return played._replace(notes=(*(notes if len(moves) > over else ()), *ended))


def _ended(state: State, result: Result) -> tuple[str, ...]:
    """Return a note on an end that a game of these moves cannot have."""
    if result.reason in PLAYED_OUT or (state.result is not None and state.result.reason == result.reason):
        return ()
    loser = COLOURS[3 - result.winner]
    if state.result is not None:
        when = "after the end of the game" if state.result.reason in PLAYED_OUT else ""
    else:
        when = f"at {COLOURS[state.position.mover]}'s turn" if result.winner == state.position.mover else ""
    deed = "resigned" if result.reason == "resigned" else f"lost by {printable(result.reason)!r}"
    return (f"its end does not count: {loser} {deed} {when}",) if when else ()


def positions_of(state: State) -> list[Position]:
    """Return the positions of a game, from its start to the last one, without that of an illegal move.

    >>> [position.ply for position in positions_of(states_of(["2,2", "2,2"], game=Variant(24, 2.5))[-1])]
    [0, 1]
    """
    states = states_of(state.moves, state.start, game=state.game)
    return [each.position for each in states if each.result is None or each.result.reason in PLAYED_OUT]
