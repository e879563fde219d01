"""Run the player as a GTP engine, by the command ``little-go gtp``.

The engine stores one game between commands. The ply determines the colour to move, so a move of the other colour is
illegal. After the end of the game the engine generates only PASSes, and accepts only PASSes as moves. Such a PASS does
not change the position, but the controller can undo it.
"""

import math
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import IO, TypeVar

import click

from little_go.arena.gtp.protocol import (
    KATAGO,
    LEELA_ZERO,
    SET_PLIES,
    Command,
    Line,
    LineReader,
    Response,
    WaitForInput,
    analysis_line,
    parse_colour,
    parse_command,
    parse_count,
    parse_request,
    value_line,
)
from little_go.book.answers.live import LIVE_SECONDS, LiveSearch, for_seconds, until_stopped
from little_go.book.answers.query import Knowledge, Service
from little_go.book.answers.sources import session_sources
from little_go.book.commands.options import game_options
from little_go.book.files.reader import MoveBook, read_book
from little_go.notation.board import game_line
from little_go.notation.faults import NotationError
from little_go.notation.movetext import read_move, vertex_name
from little_go.notation.parsed import MOST_SGF_BYTES, left_out, not_read
from little_go.notation.sgf import nth_game
from little_go.player.choose import choose_move
from little_go.player.clock import DEFAULT_BUDGET, MOST_BUDGET, Clock
from little_go.player.main import find_book
from little_go.runtime.files import read_file
from little_go.runtime.options import FILE, SOME_TIME, Duration, setting, table_option
from little_go.runtime.release import here_or_shipped, version
from little_go.solver.bounds import COLOURS, score_text
from little_go.solver.family import COURSE, Variant
from little_go.solver.native import NoKernel
from little_go.solver.position import PASS, SIZE, IllegalMove, Position, parse_move

#: Matches a point in the host's notation within a sentence.
_POINT = re.compile(r"\b[0-4],[0-4]\b")

_ILLEGAL, _SYNTAX = "illegal move", "syntax error"

_Argument = TypeVar("_Argument")


class CommandFailed(Exception):
    """Raised if the engine cannot carry out a command. The message is the text of the response."""


class Engine:
    """A GTP engine that plays as ``my_player3.py`` does.

    quitting: whether the controller has sent ``quit``.
    """

    def __init__(
        self,
        book: MoveBook | None,
        cpu: float = DEFAULT_BUDGET,
        seconds: float = LIVE_SECONDS,
        table_mib: int | None = None,
        *,
        game: Variant,
    ) -> None:
        """Begin a game.

        cpu: the maximum CPU seconds for a move. seconds: the wall-clock seconds of an analysis if the controller gives
        no time. table_mib: the same as in LiveSearch. game: the length and komi of the book; the controller can set
        another length or komi.
        """
        self.quitting = False
        self._books = {} if book is None else {game: book}
        self._game = game
        self._cpu = cpu
        self._seconds = seconds
        self._table_mib = table_mib
        self._allowance = Allowance()
        self._wait_for_input: WaitForInput = lambda seconds: True
        self._history = [game.start]

    def respond(self, line: str) -> str | None:
        """Return the complete response to a line of input, or None if the line contains no command.

        A continuous analysis stops after its first line.
        """
        return "".join(self.answer(Line(line, True), lambda seconds: True)) or None

    def answer(self, line: Line, wait_for_input: WaitForInput) -> Iterator[str]:
        """Carry out the command in a line, if there is one, and yield the response in pieces.

        wait_for_input: a function that waits for the next command, which stops a continuous analysis.
        """
        command = parse_command(line.text)
        if command is None:
            return
        if not line.is_whole:
            yield str(Response(False, command.id, "line too long"))
            return
        self._wait_for_input = wait_for_input
        try:
            result = self._carry_out(command)
        except CommandFailed as error:
            yield str(Response(False, command.id, str(error)))
            return
        if isinstance(result, str):
            yield str(Response(True, command.id, result))
            return
        yield f"={command.id}\n"
        for text in result:
            yield f"{text}\n"
        yield "\n"

    def _carry_out(self, command: Command) -> str | Iterator[str]:
        carry_out = _COMMANDS.get(command.name)
        if carry_out is None:
            raise CommandFailed("unknown command")
        try:
            signature(carry_out).bind(self, *command.arguments)
        except TypeError:
            raise CommandFailed(_SYNTAX) from None
        return carry_out(self, *command.arguments) or ""

    @cached_property
    def _service(self) -> Service:
        """The service that finds values, which is opened only when it is needed, because playing needs no kernel.

        Raise CommandFailed if there is no kernel.
        """
        try:
            return Service(session_sources(self._book), LiveSearch(self._table_mib), game=self._game)
        except (NoKernel, ValueError) as error:
            raise CommandFailed(str(error)) from None

    @property
    def _book(self) -> MoveBook | None:
        return self._books.get(self._game)

    @property
    def _position(self) -> Position:
        return self._history[-1]

    def _quit(self) -> None:
        self.quitting = True

    def _boardsize(self, size: str) -> None:
        if _parsed(float, size) != SIZE:
            raise CommandFailed("unacceptable size")
        self._clear_board()

    def _clear_board(self) -> None:
        self._history = [self._game.start]
        self._allowance.restart()

    def _komi(self, komi: str) -> None:
        self._change_game(self._game._replace(komi=_parsed(float, komi)))

    def _plies(self, plies: str) -> None:
        self._change_game(self._game._replace(plies=_parsed(parse_count, plies)))
        self._clear_board()

    def _change_game(self, game: Variant) -> None:
        try:
            game.check()
        except ValueError as error:
            raise CommandFailed(f"unacceptable: {error}") from None
        if game != self._game:
            self._game = game
            self.__dict__.pop("_service", None)

    def _play(self, colour: str, vertex: str) -> None:
        self._history.append(self._after(_parsed(parse_colour, colour), _move(vertex)))

    def _after(self, mover: int, move: int) -> Position:
        try:
            if self._position.is_over and move == PASS:
                return self._position
            if mover != self._position.mover:
                raise CommandFailed(_ILLEGAL)
            return self._position.play(move)
        except IllegalMove:
            raise CommandFailed(_ILLEGAL) from None

    def _genmove(self, colour: str) -> str:
        mover, position = _parsed(parse_colour, colour), self._position
        if position.is_over:
            self._history.append(position)
            return vertex_name(PASS)
        if mover != position.mover:
            raise CommandFailed(f"it is {COLOURS[position.mover]}'s turn")
        started = time.monotonic()
        cpu = min(self._cpu, self._allowance.for_move(mover, position.left))
        move = choose_move(position, Clock(cpu, time.process_time()), self._book, game=self._game).move
        self._allowance.spend(mover, time.monotonic() - started)
        self._history.append(position.play(move))
        return vertex_name(move)

    def _time_settings(self, main: str, period: str, stones: str) -> None:
        _parsed(lambda: self._allowance.set_limits(float(main), float(period), parse_count(stones)))

    def _time_left(self, colour: str, seconds: str, stones: str) -> None:
        _parsed(lambda: self._allowance.set_clock(parse_colour(colour), float(seconds), parse_count(stones)))

    def _loadsgf(self, name: str, move_number: str = "") -> str:
        try:
            game, _ = nth_game(read_file(name, MOST_SGF_BYTES), 1, self._game)
        except OSError as error:
            raise CommandFailed(f"cannot load file: {error.strerror}") from None
        except NotationError as error:
            raise CommandFailed(f"cannot load file: {error}") from None
        # GTP defines that a move number selects the position before that move.
        moves = game.moves[: max(0, _parsed(parse_count, move_number) - 1)] if move_number else game.moves
        history = list(game.positions[: len(moves) + 1])
        for move in moves[len(history) - 1 :]:
            if move != PASS or not history[-1].is_over:
                raise CommandFailed(f"cannot load file: {game.fault}")
            history.append(history[-1])
        self._clear_board()
        self._history = history
        return "; ".join([*game.notes, *not_read(left_out(game.parts))])

    def _undo(self) -> None:
        if len(self._history) == 1:
            raise CommandFailed("cannot undo")
        self._history.pop()

    def _final_score(self) -> str:
        if not self._position.is_over:
            raise CommandFailed("cannot score")
        return score_text(self._position.margin, self._game.komi)

    def _analyze(self, seconds: str = "") -> str:
        limit = _parsed(float, seconds) if seconds else self._seconds
        if not 0 < limit < math.inf:
            raise CommandFailed(_SYNTAX)
        if self._position.is_over:
            raise CommandFailed("the game has ended")
        service = self._service
        knowledge = service.ask(self._position, for_seconds(limit), way=self._history[:-1], replies=False)
        return "\n".join(value_line(move, after) for move, after in knowledge.after_moves)

    def _why(self, vertex: str = "") -> str:
        """Return why a move, by default the last move that was played, is worse than the best move."""
        *_, position = self._history if vertex else self._history[:-1] or [self._game.start]
        if not vertex and len(self._history) == 1:
            raise CommandFailed("no move has been played")
        if position.is_over:
            raise CommandFailed("the game has ended")
        after = self._after(position.mover, _move(vertex)) if vertex else self._position
        move = next(move for move in position.legal_moves() if position.play(move) == after)
        return _POINT.sub(lambda point: vertex_name(parse_move(point[0])), self._service.why(position, move))

    def _live(self, name: str, words: Sequence[str]) -> Iterator[str]:
        """Return the lines of an analysis that continues until the next command, even if all values are known."""
        request = _parsed(parse_request, words)
        position = self._position
        if position.is_over:
            raise CommandFailed("the game has ended")
        if request.colour not in (None, position.mover):
            raise CommandFailed(f"it is {COLOURS[position.mover]}'s turn")
        stopped = until_stopped(lambda: self._wait_for_input(0.0))
        updates = self._service.updates(position, stopped, request.seconds, self._history[:-1])
        return self._lines_of(name, updates, position.mover, request.most)

    def _lines_of(self, name: str, updates: Iterator[Knowledge], mover: int, most: int | None) -> Iterator[str]:
        for count, knowledge in enumerate(updates):
            if count and self._wait_for_input(0.0):
                # The controller has sent its next command, which ends the analysis.
                break
            yield analysis_line(name, knowledge.after_moves[:most], mover)
        self._wait_for_input(None)


#: Maps each command to the function that carries it out. The function's parameters are the arguments of the command.
#: The function returns the result, or None if the result is empty.
_COMMANDS: dict[str, Callable[..., str | Iterator[str] | None]] = {
    "protocol_version": lambda engine: "2",
    "name": lambda engine: "Little-Go",
    "version": lambda engine: version(),
    "known_command": lambda engine, name: "true" if name in _COMMANDS else "false",
    "list_commands": lambda engine: "\n".join(_COMMANDS),
    "quit": Engine._quit,
    "boardsize": Engine._boardsize,
    "clear_board": Engine._clear_board,
    "komi": Engine._komi,
    "play": Engine._play,
    "genmove": Engine._genmove,
    "undo": Engine._undo,
    "showboard": lambda engine: "\n" + "\n".join(_drawing(engine._position, engine._game)),
    "final_score": Engine._final_score,
    "loadsgf": Engine._loadsgf,
    "time_settings": Engine._time_settings,
    "time_left": Engine._time_left,
    "littlego-analyze": Engine._analyze,
    "littlego-why": Engine._why,
    SET_PLIES: Engine._plies,
    "gogui-analyze_commands": lambda engine: "string/Why the last move is worse/littlego-why",
    LEELA_ZERO: lambda engine, *words: engine._live(LEELA_ZERO, words),
    KATAGO: lambda engine, *words: engine._live(KATAGO, words),
}


def serve(engine: Engine, lines: LineReader, out: IO[str]) -> None:
    """Answer each command in ``lines`` as soon as it arrives, until ``quit`` or the end of the input."""
    for line in lines:
        for piece in engine.answer(line, lines.wait_for_input):
            out.write(piece)
            out.flush()
        if engine.quitting:
            return


def _move(vertex: str) -> int:
    """Return the move at a vertex. Raise CommandFailed if the text is not a vertex of this board."""
    try:
        return read_move(vertex)
    except NotationError as error:
        raise CommandFailed("invalid vertex" if error.fault == "off-board" else _SYNTAX) from None


def _parsed(parse: Callable[..., _Argument], *words: object) -> _Argument:
    """Parse arguments of a command by ``parse``, but raise CommandFailed instead of ValueError."""
    try:
        return parse(*words)
    except ValueError:
        raise CommandFailed(_SYNTAX) from None


def _drawing(position: Position, game: Variant) -> list[str]:
    """Return the lines that show the board, with GTP's coordinates, and the side to move.

    X is Black, O is White, and + is the point that ko forbids.
    """
    edge = "   A B C D E"
    lines = [edge]
    for row, line in enumerate(position.diagram().splitlines()[1:]):
        lines.append(f" {SIZE - row} {line[2:]} {SIZE - row}")
    return [*lines, edge, _status_text(position, game), *game_line(game)]


def _status_text(position: Position, game: Variant) -> str:
    if position.is_over:
        return f"the game has ended: {score_text(position.margin, game.komi)}"
    return f"ply {position.ply - game.first_ply} of {game.plies}, {COLOURS[position.mover]} to move"


#: Minimum seconds for a move, even if no time is left, because the player always has to find a move.
_LEAST = 0.05


@dataclass
class Allowance:
    """The time that each side has for a game, which is unlimited until the controller sets limits.

    main: the seconds of the main time. period: the seconds for every ``stones`` moves after the main time.
    """

    main: float = math.inf
    period: float = 0.0
    stones: int = 0
    _left: dict[int, float] = field(default_factory=dict)
    _moves: dict[int, int] = field(default_factory=dict)

    def set_limits(self, main: float, period: float, stones: int) -> None:
        """Set the limits, and reset both clocks. Raise ValueError if a number is below 0.

        A period above 0 with 0 stones means that the time is unlimited.
        """
        if not (0 <= main < math.inf and 0 <= period < math.inf and stones >= 0):
            raise ValueError("times and stones are 0 or more")
        no_limit = period > 0 and stones == 0
        self.main, self.period, self.stones = (math.inf, 0.0, 0) if no_limit else (main, period, stones)
        self.restart()

    def restart(self) -> None:
        """Reset both clocks for a new game."""
        self._left = {}
        self._moves = {}

    def set_clock(self, colour: int, seconds: float, stones: int) -> None:
        """Set the time that a side has left. Raise ValueError if a number is below 0.

        seconds: the seconds for the next ``stones`` moves, or for the rest of the game if ``stones`` is 0.
        """
        if not (0 <= seconds < math.inf and stones >= 0):
            raise ValueError("times and stones are 0 or more")
        self._left[colour] = seconds
        self._moves[colour] = stones

    def spend(self, colour: int, seconds: float) -> None:
        """Subtract the time of a move from a side's clock."""
        self._left[colour] = max(0.0, self._main_left(colour) - seconds)
        self._moves[colour] = max(0, self._moves.get(colour, 0) - 1)

    def for_move(self, colour: int, left: int) -> float:
        """Return the seconds for a move, which are an equal share of the remaining main time, or of the period.

        left: the number of plies left in the game.
        """
        in_period = self._moves.get(colour, 0)
        if in_period:
            return max(_LEAST, self._main_left(colour) / in_period)
        share = self._main_left(colour) / max(1, (left + 1) // 2)
        return max(_LEAST, share, self.period / self.stones if self.stones else 0.0)

    def _main_left(self, colour: int) -> float:
        return self._left.get(colour, self.main)


@click.command()
@click.option("--book", type=FILE, show_default="book.json")
@setting("--cpu", Duration(0, MOST_BUDGET, min_open=True), f"{DEFAULT_BUDGET:g}s")
@setting(
    "--live",
    SOME_TIME,
    f"{LIVE_SECONDS:g}s",
)
@table_option(None)
@game_options
def gtp(book: Path | None, cpu: float, live: float, table_mib: int | None, game: Variant) -> None:
    """Be a Go engine: answer Go Text Protocol, version 2.

    Commands come from standard input, and answers go to standard output. The player is the one in my_player3.py. The
    commands komi and littlego-plies set another game, but its book is only for the game of --plies and --komi.
    list_commands lists the commands. littlego-analyze shows what each move is worth, and --live limits it if it names
    no time. Programs such as Sabaki draw the answers of lz-analyze and kata-analyze.
    """
    opened = None
    if book:
        opened = read_book(str(book), game)
    elif game == COURSE:
        opened = find_book([str(here_or_shipped("book.json").parent)])
    serve(Engine(opened, cpu, live, table_mib, game=game), LineReader(sys.stdin.buffer), sys.stdout)
