"""A GTP engine as a contestant: ``gtp:COMMAND``. Linux only."""

import sys
from collections.abc import Sequence

from arena.gtp.protocol import ENGINE_PREFIX, SET_PLIES, EngineFault
from arena.match.host import State
from arena.match.limits import Limits
from arena.match.programs import command_words
from arena.match.reply import Reply
from arena.match.runner import open_runner
from notation.movetext import host_move, vertex_name
from solver.family import COURSE, Variant
from solver.position import SIZE, parse_move

if sys.platform == "linux":
    from arena.gtp.client import Client

# Types are checked for other systems too, and these lack most of what is called here.
assert sys.platform == "linux"

_RESIGN = "resign"


class EngineContestant:
    """An engine that runs from game to game in a directory of its own; one that has ended is started again.

    It is told the board's size, the komi and the moves, and our own the length of another game than the course's. What
    it thinks of rules and score does not matter: the host judges.
    """

    def __init__(self, name: str, command: Sequence[str], limits: Limits, game: Variant) -> None:
        """Start the engine and set up a game. Raises EngineFault."""
        self.name, self.identity = name, ""
        self._limits = limits
        self._game = game
        self._told: tuple[str, ...] = ()
        self._fault: EngineFault | None = None
        # Its directory goes when this process ends, however that comes.
        self._runner = open_runner()
        directory = self._runner.home / "engine"
        directory.mkdir()
        self._client = Client(command, directory, self._runner.home / "errors")
        try:
            self._set_up()
        except BaseException:
            self.close()
            raise

    def new_game(self, seed: str) -> None:
        """Clear the board; GTP has no way to tell an engine a seed."""
        self._fault = None
        try:
            self._set_up()
        except EngineFault as fault:
            # Lost with the first move, when the host asks for it.
            self._fault = fault

    def reply(self, state: State) -> Reply:
        """Tell the engine what has been played, and ask it for a move. The limits are for both together."""
        self._client.allow(self._limits)
        try:
            if self._fault is not None:
                raise self._fault
            return self._answer(state)
        except EngineFault as fault:
            over = fault.over
            killed, starved = ("", False) if over is None else (over.exceeded, over.starved)
            return Reply(None, self._client.take_cpu(), killed, fault.reason, str(fault), starved)

    def close(self) -> None:
        """End the engine and remove its directory."""
        self._client.close()
        self._runner.close()

    def _set_up(self) -> None:
        if self._client.is_running:
            self._client.allow(self._limits)
        else:
            self._client.start(self._limits)
        self._client.ask(f"boardsize {SIZE}")
        if self._game.plies != COURSE.plies and self._client.ask(f"known_command {SET_PLIES}") == "true":
            self._client.ask(f"{SET_PLIES} {self._game.plies}")
        self._client.ask(f"komi {self._game.komi}")
        self._client.ask("clear_board")
        self._told = ()
        # Not to be counted for the first move.
        self._client.take_cpu()

    def _answer(self, state: State) -> Reply:
        self._tell(state.moves)
        vertex = self._client.ask(f"genmove {_colour(len(state.moves))}")
        cpu = self._client.take_cpu()
        if vertex.lower() == _RESIGN:
            return Reply(None, cpu, absence="resigned")
        try:
            text = host_move(vertex)
        except ValueError as error:
            return Reply(None, cpu, absence="malformed", complaint=f"genmove: {error}")
        self._told = (*state.moves, text)
        return Reply(text, cpu)

    def _tell(self, moves: tuple[str, ...]) -> None:
        """Bring the engine's board up to date."""
        if moves[: len(self._told)] != self._told:
            # Moves have been taken back.
            self._client.ask("clear_board")
            self._told = ()
        for ply in range(len(self._told), len(moves)):
            self._client.ask(f"play {_colour(ply)} {vertex_name(parse_move(moves[ply]))}")
            self._told = moves[: ply + 1]


def start_engine(agent: str, limits: Limits, game: Variant) -> EngineContestant:
    """Return the contestant that ``gtp:COMMAND`` names, its engine started; to be closed.

    The directory that COMMAND runs in is its own, so that only the program may be named relative to here. Raises
    EngineFault, ProgramError.
    """
    return EngineContestant(agent, command_words(agent, ENGINE_PREFIX), limits, game)


def _colour(ply: int) -> str:
    return "bw"[ply % 2]
