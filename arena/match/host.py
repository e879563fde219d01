"""The course's host as a pure state machine: it writes a player's input and judges the answer.

A game is a chain of states. ``judge`` takes the text of a player's ``output.txt``; ``forfeit`` ends the game for a
player without one. No files, processes or clocks.

Reasons for the end: ``max`` (the last ply was played), ``two_passes``, ``invalid_occupied``, ``invalid_suicide``,
``invalid_ko``, ``invalid_off_board``, ``malformed``, and by ``forfeit`` ``missing``, ``timeout`` and ``resigned``.

``output.txt`` is parsed as by the course's host: its first line is stripped and split at commas. It is a PASS if the
first field is exactly that, else the point of ``int()`` of the first two fields; an exception loses. The assignment
wants ``i,j`` "without whitespace", or ``PASS``, and LF line ends. docs/reference/HOST.md has a table of spellings.
"""

import io
import re
from collections.abc import Iterable
from typing import NamedTuple

from little_go.solver.bounds import COLOURS
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import PASS, SIZE, START, IllegalMove, Position, move_name, parse_move

#: Reasons after which the score decides.
PLAYED_OUT = ("max", "two_passes")

#: Prefix of the reasons of illegal moves, which are not moves of the game.
ILLEGAL = "invalid_"

#: Reasons of a loss without a move, which the board does not show.
WITHOUT_A_MOVE = ("missing", "timeout", "resigned", "malformed")


class GameOver(ValueError):
    """A move for a game that has ended."""


class Result(NamedTuple):
    """The end of a game.

    winner: 1 = Black, 2 = White. reason: as above. detail: a message about a forfeited game, else "".
    """

    winner: int
    reason: str
    detail: str


class State(NamedTuple):
    """The host's state between two moves; immutable.

    position: after the last legal move. previous: the boards (black, white) before the opponent's last move, both empty
    at the start. moves: their names in order, ending with a move that broke the rules. result: None until the end.
    inexact: plies, from 1, whose answers were accepted though not in the exact format, with the texts. start: the
    position before the first move. game: its length and komi.
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
        """The number of plies played, with those before the start; a final PASS counts."""
        return self.start.ply - self.game.first_ply + len(self.moves)


OPENING = State(COURSE)


def input_text(state: State) -> str:
    """Return the text of ``input.txt`` for the mover: LF between lines, none after the last."""
    before = Position(*state.previous)
    return "\n".join([str(state.position.mover), *before.rows(), *state.position.rows()])


def judge(state: State, output: str, strict: bool = False) -> State:
    """Return the state after the mover's answer, the whole text of ``output.txt``.

    It is read as the course's host reads it, which accepts more than the assignment's text. The state notes an inexact
    format; with ``strict`` it loses as malformed. Raises GameOver.
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

    start: the position before the first move, None for the game's own.
    """
    states = [opening(game.start if start is None else start, game)]
    for move in moves:
        if states[-1].result is not None:
            break
        states.append(judge(states[-1], move))
    return states


def forfeit(state: State, reason: str, detail: str) -> State:
    """Return the state after the mover lost at once; raises GameOver."""
    _check_open(state)
    return state._replace(result=Result(3 - state.position.mover, reason, detail))


def answers(state: State) -> int:
    """Return the number of players' calls: one for each move, and one for a missing answer."""
    return len(state.moves) + (state.result is not None and state.result.reason in WITHOUT_A_MOVE)


def score(position: Position, game: Variant) -> tuple[int, float]:
    """Return Black's and White's score: stones on the board, White's with komi."""
    return position.black.bit_count(), position.white.bit_count() + game.komi


def _check_open(state: State) -> None:
    if state.result is not None:
        raise GameOver(f"the game has ended: {state.result.reason}")


def _play(state: State, name: str) -> State:
    moves = (*state.moves, name)
    try:
        move = parse_move(name)
    except ValueError:
        return forfeit(state._replace(moves=moves), f"{ILLEGAL}off_board", f"{name} is off the board")
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
    """Return one line on the last move, or on the result after the end.

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


#: Bytes that are read: Python decodes this part as a whole when a line is read.
MOST_BYTES = 8192

_PASS = move_name(PASS)

#: The whole file in the exact format: canonical integers, at most one LF at the end.
_LETTER = re.compile(rf"(?:(?:0|-?[1-9][0-9]*),(?:0|-?[1-9][0-9]*)|{_PASS})\n?")

#: Coordinates farther off the board are shown as this.
_FARTHEST = 999_999_999

#: Maximum length of an answer in messages and in a game's record.
_MOST_PRINTED = 40


class BadAnswer(ValueError):
    """Output that the host cannot parse."""


class ParsedAnswer(NamedTuple):
    """A parsed answer.

    move: the point as ``i,j``, possibly off the board, or ``PASS``. is_exact: whether the text has the exact format.
    """

    move: str
    is_exact: bool


def read_answer(text: str) -> ParsedAnswer:
    """Parse the text of an ``output.txt``; raises BadAnswer.

    text: decoded from UTF-8, other bytes escaped (``surrogateescape``).

    >>> read_answer("2, 01,x")
    ParsedAnswer(move='2,1', is_exact=False)
    """
    try:
        fields = _first_line(text).strip().split(",")
        move = _PASS if fields[0] == _PASS else _point(fields[0], fields[1])
    except (ValueError, IndexError):
        raise BadAnswer(text) from None
    return ParsedAnswer(move, bool(_LETTER.fullmatch(text)))


def beginning_of(text: str) -> str:
    """Return the beginning of an answer, printable anywhere."""
    return text[:_MOST_PRINTED].encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _first_line(text: str) -> str:
    """Return the first line, ended by LF, CR or CR LF; raises ValueError for bad bytes."""
    content = text.encode("utf-8", "surrogateescape")[:MOST_BYTES]
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8").readline()


def _point(row: str, column: str) -> str:
    """Return the point's name; raises ValueError."""
    numbers = (max(-_FARTHEST, min(int(field), _FARTHEST)) for field in (row, column))
    return ",".join(map(str, numbers))


def draw(state: State) -> str:
    """Return the board of an unfinished game, the last stone in brackets, and a line on ply and stones.

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
        # Skip the heads of rows and columns.
        line, stone = lines[row + 1], 2 * column + 2
        lines[row + 1] = f"{line[: stone - 1]}({line[stone]}){line[stone + 2 :]}"
    black, white = state.position.black.bit_count(), state.position.white.bit_count()
    game = state.game
    return "\n".join([*lines, f"ply {state.ply + 1} of {game.plies}; X {black} : O {white} + {game.komi:g}"])
