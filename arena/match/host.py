"""The course's host as a state machine without side effects, which writes a player's input and judges the answer.

A game is a chain of states. ``judge`` adds a state for the text of a player's ``output.txt``. ``forfeit`` ends the game
if a player wrote no such file. The module uses no files, processes or clocks.

A game ends for one of these reasons: ``max`` (the last ply was played), ``two_passes``, ``invalid_occupied``,
``invalid_suicide``, ``invalid_ko``, ``invalid_off_board``, ``malformed``, or, through ``forfeit``, ``missing``,
``timeout`` or ``resigned``.

This module parses ``output.txt`` as the course's host does. The first line is stripped and split at commas. If the
first field is exactly ``PASS``, the answer is a PASS. Otherwise ``int()`` converts the first two fields to the row and
the column, and if this raises an exception, the player loses the game. The assignment requires ``i,j`` "without
whitespace", or ``PASS``, and LF line ends. docs/reference/HOST.md lists the spellings that are accepted.
"""

import io
import re
from collections.abc import Iterable
from typing import NamedTuple

from little_go.solver.bounds import COLOURS
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import OFF_BOARD, PASS, SIZE, START, IllegalMove, Position, move_name, parse_move

#: The reasons for the end of a game whose winner is decided by the score.
PLAYED_OUT = ("max", "two_passes")

#: The prefix of the reasons that describe an illegal move, which loses the game.
ILLEGAL = "invalid_"

#: The reasons for which a player loses without making a move.
WITHOUT_A_MOVE = ("missing", "timeout", "resigned", "malformed")


class GameOver(ValueError):
    """Raised if a move is made after the end of the game."""


class Result(NamedTuple):
    """The end of a game.

    winner: 1 for Black, 2 for White. reason: one of the reasons that the module's docstring lists. detail: a clause on
    why a game was forfeited, or "".
    """

    winner: int
    reason: str
    detail: str


class State(NamedTuple):
    """The immutable state of the host between two moves.

    position: the position after the last legal move. previous: the board before the opponent's last move (Black's
    stones, White's stones). moves: the names of all moves in order; the last one may have broken a rule. result: None
    until the game ends. inexact: the answers that were accepted but did not have the exact format, each with its ply,
    counted from 1. start: the position before the first move. game: the game's length and komi.
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
        """The number of plies that were played, including a final PASS and the plies before the start position."""
        return self.start.ply - self.game.first_ply + len(self.moves)


OPENING = State(COURSE)


def input_text(state: State) -> str:
    """Return the text of ``input.txt`` for the mover, without an LF at the end."""
    before = Position(*state.previous)
    return "\n".join([str(state.position.mover), *before.rows(), *state.position.rows()])


def judge(state: State, output: str, strict: bool = False) -> State:
    """Return the state after an answer of the mover. output: the text of ``output.txt``.

    The course's host accepts more spellings than the assignment's text. An answer that has only an accepted spelling is
    added to ``inexact``. With ``strict``, the player loses because the answer is malformed. Raise GameOver if the game
    has ended.
    """
    _check_open(state)
    words = beginning_of(output)
    try:
        answer = read_answer(output)
    except BadAnswer:
        answer = None
    if answer is None or (strict and not answer.is_exact):
        return forfeit(state, "malformed", f"output.txt reads {words!r} instead of i,j or PASS")
    if not answer.is_exact:
        state = state._replace(inexact=(*state.inexact, (len(state.moves) + 1, words)))
    return _play(state, answer.move)


def opening(start: Position, game: Variant) -> State:
    """Return the state before the first move of a game that begins with this position."""
    state = State(game, start, start[:2], start=start)
    return state._replace(result=_count(state)) if start.is_over else state


def states_of(moves: Iterable[str], start: Position | None = None, *, game: Variant) -> list[State]:
    """Return the state before the first move, and the state after each move, up to the end of the game.

    start: the position before the first move; None for the start of the game.
    """
    states = [opening(game.start if start is None else start, game)]
    for move in moves:
        if states[-1].result is not None:
            break
        states.append(judge(states[-1], move))
    return states


def forfeit(state: State, reason: str, detail: str) -> State:
    """Return the state in which the mover has lost for this reason. Raise GameOver if the game has already ended."""
    _check_open(state)
    return state._replace(result=Result(3 - state.position.mover, reason, detail))


def answers(state: State) -> int:
    """Return how often the host called a player: once for each move, and once more if the last call gave no move."""
    return len(state.moves) + (state.result is not None and state.result.reason in WITHOUT_A_MOVE)


def score(position: Position, game: Variant) -> tuple[int, float]:
    """Return Black's score and White's score. A score is the number of stones on the board, plus the komi for White."""
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
    """Return a line of text that describes the last move, or the result if the game has ended.

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


#: Maximum bytes of an answer that are read. When the course's host reads a line, Python decodes a block of this size,
#: so an undecodable byte anywhere in the block is an error.
MOST_BYTES = 8192

_PASS = move_name(PASS)

#: Matches a file that has the exact format: canonical integers or PASS, and at most one LF at the end.
_EXACT_FORMAT = re.compile(rf"(?:(?:0|-?[1-9][0-9]*),(?:0|-?[1-9][0-9]*)|{_PASS})\n?")

#: A coordinate of larger absolute value is replaced by this number with the coordinate's sign.
_FARTHEST = 999_999_999

#: Maximum number of characters of an answer in messages and in a game's record.
_MOST_PRINTED = 40


class BadAnswer(ValueError):
    """Raised if the host cannot parse an answer."""


class ParsedAnswer(NamedTuple):
    """The result of parsing an answer.

    move: the point as ``i,j``, possibly off the board, or ``PASS``. is_exact: whether the text has the exact format.
    """

    move: str
    is_exact: bool


def read_answer(text: str) -> ParsedAnswer:
    """Parse the text of an ``output.txt``. Raise BadAnswer if the course's host cannot parse this text.

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
    """Return the beginning of an answer, in which undecodable bytes are replaced."""
    return text[:_MOST_PRINTED].encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _first_line(text: str) -> str:
    """Return the first line, up to LF, CR or CR LF. Raise ValueError if the first bytes are not UTF-8."""
    content = text.encode("utf-8", "surrogateescape")[:MOST_BYTES]
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8").readline()


def _point(row: str, column: str) -> str:
    """Return the name of the point in a row and a column. Raise ValueError if row or column is not an integer."""
    numbers = (max(-_FARTHEST, min(int(field), _FARTHEST)) for field in (row, column))
    return ",".join(map(str, numbers))


def draw(state: State) -> str:
    """Draw the board of an unfinished game, with the last stone in brackets, above a line with ply and stones.

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
        # The first line and the first column of the drawing contain the numbers of the columns and rows.
        line, stone = lines[row + 1], 2 * column + 2
        lines[row + 1] = f"{line[: stone - 1]}({line[stone]}){line[stone + 2 :]}"
    black, white = state.position.black.bit_count(), state.position.white.bit_count()
    game = state.game
    return "\n".join([*lines, f"ply {state.ply + 1} of {game.plies}; X {black} : O {white} + {game.komi:g}"])
