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


#: Number of characters at the beginning of a file that show whether the file contains games.
_BEGINNING = 4096

#: Maximum bytes of a file of games, both compressed and decompressed.
_MOST = 256 * MIB

#: The beginning of the text that a review adds to a comment of the game's author.
OURS = "Little-Go: "

#: Matches parts of a file name that no move contains (a letter after a dot, or a slash), and characters between two
#: moves.
_NAME = re.compile(r"\.[A-Za-z]|/")
_SEPARATOR = re.compile(r"[\s,]")


class GameToReview(NamedTuple):
    """A game to review.

    source: the origin of the game, such as ``games.jsonl, game 3``. state: the host's last state, whose result is None
    if the game is unfinished. day: the day of the game, if known. note: other data, such as the seed. cpu: CPU seconds
    of each call in the order of plies, if known. notes: clauses on assumptions that were made to read the game.
    variations, comments: the variations and the author's comments in an SGF, by the number of preceding moves.
    """

    source: str
    black: str
    white: str
    state: State
    day: date | None = None
    note: str = ""
    cpu: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    variations: Mapping[int, Sequence[Any]] = {}
    comments: Mapping[int, str] = {}

    @property
    def game(self) -> Variant:
        """The length and the komi of the game."""
        return self.state.game

    def agent(self, colour: int) -> str:
        """Return the name of the agent that plays a colour: 1 for Black, 2 for White."""
        return self.black if colour == 1 else self.white


def read_games(
    words: Sequence[str], refuse: Callable[[GamesError], None] | None = None, asked: Variant | None = None
) -> Iterator[GameToReview]:
    """Yield the games in the files and directories of a command line, or the game whose moves it contains.

    The format of a file is detected from the content, not from the file's name. A position is read as a game without
    moves.

    refuse: a function that is called for each file or game that cannot be read; None to raise GamesError for the first
    such file or game. asked: the length and komi that all games must have; None to read them from each game, with the
    course's as the default.
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
    """Return the game whose moves are the words, or raise GamesError if a word is not a move."""
    try:
        return _from_text("moves", " ".join(words), asked)
    except GamesError:
        # No move contains a letter after a dot, and a single word that is not a move is probably a missing file.
        for word in words:
            if "#" not in word and (_NAME.search(word) or (len(words) == 1 and not _SEPARATOR.search(word))):
                raise _missing(word) from None
        raise


def _missing(word: str | Path) -> GamesError:
    return GamesError(f"{word} does not exist: name a file of games, or moves such as 2,2 1,1 PASS")


def _files(path: Path) -> list[Path]:
    """Return the files of games at a path. For a directory, return all SGF files, or else all files of JSON lines."""
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
        raise GamesError(f"{path}: this directory contains no games, neither SGF nor JSON lines")
    return found


def _beginning(path: Path) -> str:
    try:
        with open_text(path, _MOST, errors="replace") as text:
            return text.read(_BEGINNING).lstrip("﻿")
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
    """Return the game in a text of any notation except SGF, or raise GamesError if the text cannot be read."""
    text = content if isinstance(content, str) else text_of(content)
    try:
        return _from_placed(source, read(content, game=asked))
    except NotationError as error:
        if error.fault in ("illegal", "too-long"):
            # An illegal move ends a game on the host, so the illegal move is read as the last move.
            with suppress(NotationError):
                return _from_moves(source, _BLACK, _WHITE, list(map(move_name, read_moves(text))), game=asked or COURSE)
        raise GamesError(f"{source}: {error}") from None


def _from_placed(source: str, placed: ParsedPosition, black: str = _BLACK, white: str = _WHITE) -> GameToReview:
    """Return the game from the first position of a parsed text to the last position."""
    line = [*placed.way, placed.position]
    moves = [next(move for move in one.legal_moves() if one.play(move) == next_) for one, next_ in pairwise(line)]
    guessed = placed.ply_guessed and placed.position != placed.game.start
    notes = [f"it does not contain the ply: taking the smallest, {placed.ply}"] if guessed else []
    played = _from_moves(source, black, white, list(map(move_name, moves)), start=line[0], game=placed.game)
    return played._replace(notes=(*placed.notes, *notes, *not_read(placed.left_out), *played.notes))


def _from_sgf(
    path: Path, content: bytes, refuse: Callable[[GamesError], None], asked: Variant | None
) -> Iterator[GameToReview]:
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
        played = played._replace(day=_sgf_day(game), note=game.text("GC"), comments=comments)
        played = played._replace(variations=game.others)
        beside = not_read(beside_games(content)) if number == 1 else []
        yield played._replace(notes=(*game.notes, *beside, *played.notes))


def without_ours(comment: str) -> str:
    """Return a comment without the lines that a review has added to it."""
    lines = comment.split("\n")
    ours = next((at for at, line in enumerate(lines) if line.startswith(OURS)), len(lines))
    return "\n".join(lines[:ours]).strip()


def _sgf_day(game: SgfGame) -> date | None:
    try:
        return date.fromisoformat(game.text("DT")[:10])
    except ValueError:
        return None


def _sgf_result(game: SgfGame) -> tuple[Result | None, list[str]]:
    """Return the result of an SGF if the game ended early, and a list with the illegal move that ended the game.

    The result is None if the score determines the winner. Only an SGF from Little-Go contains the illegal move.
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
    """Return the game of a record from the arena (``Game.record()``) or from the course's logs.

    asked: the length and komi that the game must have, None for any. Raise GamesError if the record cannot be read.
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
    """Return the number of the winning colour. winner: a name in the arena's records, a number in the course's logs."""
    return COLOUR_NUMBERS[winner.lower()] if isinstance(winner, str) else int(winner)


def _names(moves: Any) -> list[str]:
    """Return the moves of a record by the host's names. Words that are not moves stay unchanged."""
    names = []
    for move in moves.split() if isinstance(moves, str) else moves:
        try:
            names.append(move_name(read_move(str(move))))
        except NotationError:
            names.append(str(move))
    return names


def _cpu(clocks: object) -> tuple[float, ...]:
    try:
        black, white = clocks["black"], clocks["white"]  # type: ignore[index]
        return tuple(float(second) for pair in zip_longest(black, white) for second in pair if second is not None)
    except (ValueError, KeyError, TypeError):
        return ()


def _agents(record: dict[str, Any]) -> tuple[str, str]:
    if "black" in record:
        return str(record["black"]), str(record["white"])
    agent, colour = str(record["staff_agent"]), int(record["staff_color"])
    return (agent, "student") if colour == 1 else ("student", agent)


def _sides(record: dict[str, Any]) -> tuple[str, str]:
    """Return the names of Black and White in a record, or the names of the colours if the record has no names."""
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
    """Return the game that results if the host plays the moves up to the first illegal move.

    result: the result if the moves do not end the game; None if the game is unfinished. Raise GamesError if a word is
    not a move.
    """
    *_, state = states = states_of(moves, start, game=game)
    if state.result is not None and state.result.reason == "malformed":
        raise GamesError(f"{source}: {moves[len(states) - 2]!r} is not a move such as 2,2 or PASS")
    ended = _ended(state, result) if result is not None else ()
    if result is not None and not ended and state.result is None:
        state = forfeit(state, result.reason, printable(result.detail))
    over = len(states) - 1
    ignored = "move after that does" if len(moves) == over + 1 else f"{len(moves) - over} moves after that do"
    notes = (f"the game is over after ply {state.start.ply - game.first_ply + over}: the {ignored} not count",)
    # printable() removes control characters from the names, because pages and pictures contain the names.
    played = GameToReview(source, printable(black), printable(white), state)
    return played._replace(notes=(*(notes if len(moves) > over else ()), *ended))


def _ended(state: State, result: Result) -> tuple[str, ...]:
    """Return a note if the moves of a game contradict the result in its record; otherwise ()."""
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
    """Return the positions of a game from the start to the last legal move.

    >>> [position.ply for position in positions_of(states_of(["2,2", "2,2"], game=Variant(24, 2.5))[-1])]
    [0, 1]
    """
    states = states_of(state.moves, state.start, game=state.game)
    return [each.position for each in states if each.result is None or each.result.reason in PLAYED_OUT]
