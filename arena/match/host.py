"""The course's host as a pure state machine: it writes a player's input and judges the answer.

A game is a chain of states. ``judge`` continues it by the text of a player's ``output.txt``; ``forfeit`` ends it if a
player wrote no such file. The module uses no files, processes or clocks.

Reasons for the end: ``max`` (the last ply was played), ``two_passes``, ``invalid_occupied``, ``invalid_suicide``,
``invalid_ko``, ``invalid_off_board``, ``malformed``, and by ``forfeit`` ``missing``, ``timeout`` and ``resigned``.

``output.txt`` is parsed as by the course's host: its first line is stripped and split at commas. If the first field is
exactly ``PASS``, the answer is a PASS. Otherwise ``int()`` of the first two fields gives the point, and an exception
loses the game. The assignment asks for ``i,j`` "without whitespace", or ``PASS``, and LF line ends.
docs/reference/HOST.md has a table of spellings.
"""

import io
import re
from collections.abc import Iterable
from typing import NamedTuple

from little_go.solver.bounds import COLOURS
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import OFF_BOARD, PASS, SIZE, START, IllegalMove, Position, move_name, parse_move

#: The reasons for the end of a game that the score decides.
PLAYED_OUT = ("max", "two_passes")

#: Prefix of the reasons for which an illegal move loses the game.
ILLEGAL = "invalid_"

#: The reasons for a loss in which the loser made no move.
WITHOUT_A_MOVE = ("missing", "timeout", "resigned", "malformed")


class GameOver(ValueError):
    """Raised for a move after the end of the game."""


class Result(NamedTuple):
    """The end of a game.

    winner: 1 for Black, 2 for White. reason: one of the reasons above. detail: a clause on why a game was forfeited,
    else "".
    """

    winner: int
    reason: str
    detail: str


class State(NamedTuple):
    """The host's state between two moves; immutable.

    position: the position after the last legal move. previous: the board before the opponent's last move (Black's
    stones, White's stones). moves: the names of all moves in order; the last one may have broken a rule. result: None
    until the end. inexact: the answers that were accepted but did not have the exact format, each with its ply, from 1.
    start: the position before the first move. game: the game's length and komi.
    """

    game: Variant
    position: Position = START
    previous: tuple[int, int] = (START.black, START.white)
    moves: tuple[str, ...] = ()
    result: Result | None = None
    inexact: tuple[tuple[int, str], ...] = ()
    start: Position = START

    @property
    def ply(self) -> int:
        """The number of plies played, including the plies before the position of the start. A final PASS counts."""
        return self.start.ply - self.game.first_ply + len(self.moves)


OPENING = State(COURSE)


def input_text(state: State) -> str:
    """Return the text of ``input.txt`` for the mover. An LF follows each line except the last."""
    before = Position(*state.previous)
    return "\n".join([str(state.position.mover), *before.rows(), *state.position.rows()])


def judge(state: State, output: str, strict: bool = False) -> State:
    """Return the state after the mover's answer. output: the whole text of ``output.txt``.

    The answer is parsed as by the course's host, which accepts more spellings than the assignment's text. An answer in
    an inexact format is added to ``inexact`` of the state; with ``strict`` it loses as malformed. Raises GameOver.
    """
    _check_open(state)
    words = beginning_of(output)
    try:
        answer = read_answer(output)
    except BadAnswer:
        answer = None
    if answer is None or (strict and not answer.is_exact):
        return forfeit(state, "malformed", f"output.txt reads {words!r} where i,j or PASS is wanted")
    if not answer.is_exact:
        state = state._replace(inexact=(*state.inexact, (len(state.moves) + 1, words)))
    return _play(state, answer.move)


def opening(start: Position, game: Variant) -> State:
    """Return the state before the first move of a game from a position."""
    state = State(game, start, start[:2], start=start)
    return state._replace(result=_count(state)) if start.is_over else state


def states_of(moves: Iterable[str], start: Position | None = None, *, game: Variant) -> list[State]:
    """Return the opening and the state after each move, up to the end of the game.

    start: the position before the first move; None for the start of the game.
    """
    states = [opening(game.start if start is None else start, game)]
    for move in moves:
        if states[-1].result is not None:
            break
        states.append(judge(states[-1], move))
    return states


def forfeit(state: State, reason: str, detail: str) -> State:
    """Return the state in which the mover has lost for a reason; raises GameOver."""
    _check_open(state)
    return state._replace(result=Result(3 - state.position.mover, reason, detail))


def answers(state: State) -> int:
    """Return the number of calls of the players: one for each move, and one more if the last answer was missing."""
    return len(state.moves) + (state.result is not None and state.result.reason in WITHOUT_A_MOVE)


def score(position: Position, game: Variant) -> tuple[int, float]:
    """Return the scores of Black and of White, which are the stones on the board, plus the komi for White."""
    return position.black.bit_count(), position.white.bit_count() + game.komi


def _check_open(state: State) -> None:
    if state.result is not None:
        raise GameOver(f"the game has ended: {state.result.reason}")


def _play(state: State, name: str) -> State:
    moves = (*state.moves, name)
    try:
        move = parse_move(name)
    except ValueError:
        return forfeit(state._replace(moves=moves), f"{ILLEGAL}off_board", f"{name} is {OFF_BOARD}")
    try:
        position = state.position.play(move)
    except IllegalMove as error:
        return forfeit(state._replace(moves=moves), _broken_rule(state.position, move), str(error))
    after = state._replace(position=position, previous=(state.position.black, state.position.white), moves=moves)
    return after._replace(result=_count(after)) if position.is_over else after


def _broken_rule(position: Position, move: int) -> str:
    if (position.black | position.white) >> move & 1:
        return f"{ILLEGAL}occupied"
    return f"{ILLEGAL}ko" if move == position.ko else f"{ILLEGAL}suicide"


def _count(state: State) -> Result:
    # The host checks the number of plies first, so a second PASS at the last ply is "max".
    reason = "max" if state.ply == state.game.plies else "two_passes"
    return Result(state.game.leader(state.position), reason, "")


def describe(state: State) -> str:
    """Return a line on the last move, or on the result if the game has ended.

    >>> describe(judge(OPENING, "2,2"))
    'ply 1: Black plays 2,2'
    >>> describe(judge(OPENING, move_name(PASS)))
    'White wins 2.5 : 0 (two_passes)'
    """
    if state.result is None:
        mover = COLOURS[2 - state.ply % 2]
        move = state.moves[-1]
        if move == move_name(PASS):
            return f"ply {state.ply}: {mover} passes"
        taken = 1 + _stones(Position(*state.previous)) - _stones(state.position)
        takes = f" and takes {taken} stone{'s' if taken > 1 else ''}" if taken else ""
        return f"ply {state.ply}: {mover} plays {move}{takes}"
    winner, reason, detail = state.result
    if reason not in PLAYED_OUT:
        return f"{COLOURS[winner]} wins ({reason}{detail and ': '}{detail})"
    high, low = sorted(score(state.position, state.game), reverse=True)
    return f"{COLOURS[winner]} wins {high:g} : {low:g} ({reason})"


def _stones(position: Position) -> int:
    return (position.black | position.white).bit_count()


#: Bytes of an answer that are read: to read a line, Python decodes a block of this size, in which bad bytes are errors.
MOST_BYTES = 8192

_PASS = move_name(PASS)

#: Matches the whole file if it has the exact format: canonical integers, and at most one LF at the end.
_EXACT_FORMAT = re.compile(rf"(?:(?:0|-?[1-9][0-9]*),(?:0|-?[1-9][0-9]*)|{_PASS})\n?")

#: Coordinates of larger absolute value are replaced by this number with their sign.
_FARTHEST = 999_999_999

#: Maximum length of an answer in messages and in a game's record.
_MOST_PRINTED = 40


class BadAnswer(ValueError):
    """Raised if the host cannot parse an answer."""


class ParsedAnswer(NamedTuple):
    """A parsed answer.

    move: the point as ``i,j``, possibly off the board, or ``PASS``. is_exact: whether the text has the exact format.
    """

    move: str
    is_exact: bool


def read_answer(text: str) -> ParsedAnswer:
    """Parse the text of an ``output.txt``; raises BadAnswer.

    text: the file's content decoded from UTF-8, with other bytes escaped (``surrogateescape``).

    >>> read_answer("2, 01,x")
    ParsedAnswer(move='2,1', is_exact=False)
    """
    try:
        fields = _first_line(text).strip().split(",")
        move = _PASS if fields[0] == _PASS else _point(fields[0], fields[1])
    except (ValueError, IndexError):
        raise BadAnswer(text) from None
    return ParsedAnswer(move, bool(_EXACT_FORMAT.fullmatch(text)))


def beginning_of(text: str) -> str:
    """Return the beginning of an answer, with undecodable bytes replaced."""
    return text[:_MOST_PRINTED].encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _first_line(text: str) -> str:
    """Return the first line, which LF, CR or CR LF ends; raises ValueError for bytes that are not UTF-8."""
    content = text.encode("utf-8", "surrogateescape")[:MOST_BYTES]
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8").readline()


def _point(row: str, column: str) -> str:
    """Return the name of the point in a row and a column; raises ValueError."""
    numbers = (max(-_FARTHEST, min(int(field), _FARTHEST)) for field in (row, column))
    return ",".join(map(str, numbers))


def draw(state: State) -> str:
    """Draw the board of an unfinished game with the last stone in brackets, and a line with ply and stones.

    >>> from little_go.arena.match.host import OPENING, judge
    >>> print(draw(judge(judge(OPENING, "2,2"), "1,4")))
      0 1 2 3 4
    0 . . . . .
    1 . . . .(O)
    2 . . X . .
    3 . . . . .
    4 . . . . .
    ply 3 of 24; X 1 : O 1 + 2.5
    """
    lines = state.position.diagram().split("\n")
    move = parse_move(state.moves[-1]) if state.moves else PASS
    if move != PASS:
        row, column = divmod(move, SIZE)
        # The first line and the first column of the drawing are numbers.
        line, stone = lines[row + 1], 2 * column + 2
        lines[row + 1] = f"{line[: stone - 1]}({line[stone]}){line[stone + 2 :]}"
    black, white = state.position.black.bit_count(), state.position.white.bit_count()
    game = state.game
    return "\n".join([*lines, f"ply {state.ply + 1} of {game.plies}; X {black} : O {white} + {game.komi:g}"])
