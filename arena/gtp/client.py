"""Start other people's GTP engines, send commands to them, and make them contestants. Linux only."""

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NoReturn

from little_go.arena.gtp.protocol import END, ENGINE_PREFIX, SET_PLIES, EngineFault, Response, parse_response
from little_go.arena.match.host import State
from little_go.arena.match.limits import Limits, Reply, useful_line
from little_go.arena.match.programs import command_words, open_runner
from little_go.notation.movetext import host_move, vertex_name
from little_go.runtime.ctrl_c import defer_sigint
from little_go.runtime.files import open_to_write, read_end
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import SIZE, parse_move

if sys.platform == "linux":
    from little_go.arena.match.process import ProcessMeter, end_of

# mypy also checks this file for other systems, which lack most of these calls.
assert sys.platform == "linux"

#: The program that runs between the arena and the engine.
_TETHER = Path(__file__).with_name("tether.py")

_END = END.encode()

#: Matches the lines that an engine prints before its first response, which begins with a single = or ?.
_BANNER = re.compile(rb"\A(?:(?:(?![=?])|==|\?\?)[^\n]*\n\s*)+")

#: Maximum bytes of a response. A longer response violates the protocol.
_MOST_BYTES = 1 << 20

#: Maximum characters of a refusal that messages show, and maximum bytes that are read from the end of standard error.
_MOST_REASON, _MOST_WORDS = 200, 4096

#: Maximum characters of an unexpected id that messages show.
_MOST_ID = 20

#: Milliseconds within which an engine must end after the command quit.
_PATIENCE = 1000


class Client:
    """The controller in the Go Text Protocol (GTP), which starts an engine and sends it commands.

    The engine has its own process group. The group is killed if the engine exceeds a limit or violates the protocol,
    and when this process ends. A child of the engine that leaves the group is not killed.
    """

    def __init__(self, command: Sequence[str], directory: Path, errors: Path) -> None:
        """Prepare the client, without starting the engine.

        command: the words that start the engine. directory: the engine's current directory. errors: the file to which
        the engine's standard error is appended.
        """
        self._command = [sys.executable, "-I", "-S", str(_TETHER), str(os.getpid()), *command]
        self._directory = directory
        self._errors = errors
        self._process: subprocess.Popen[bytes] | None = None
        self._watch = ProcessMeter(0, Limits())
        self._spent = 0.0
        self._number = 0
        self._heard = b""
        self._is_numbered = True
        self._has_answered = False

    @property
    def is_running(self) -> bool:
        """Whether the engine runs, as far as this object has noticed."""
        return self._process is not None

    def start(self, limits: Limits) -> None:
        """Start the engine, which must not be running. The limits apply until the next ``allow``."""
        self._spent, self._number, self._heard = 0.0, 0, b""
        self._is_numbered, self._has_answered = True, False
        open_to_write(self._errors).close()
        with defer_sigint(), open_to_write(self._errors, add=True) as errors:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._directory,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                start_new_session=True,
            )
        os.set_blocking(_pipe(self._process.stdin).fileno(), False)
        self.allow(limits)

    def allow(self, limits: Limits) -> None:
        """Set the limits for the next commands.

        CPU time counts from the last measurement. So if an engine searches during the other side's move, this reduces
        the engine's own time.
        """
        if self._process is not None:
            self._watch = ProcessMeter(self._process.pid, limits, self._spent)

    def take_cpu(self) -> float:
        """Return the CPU seconds that the engine has used since the last call of ``allow``, and restart the count."""
        if self._process is not None:
            self._watch.measure()
            self._spent += self._watch.cpu
        return self._watch.cpu

    def ask(self, command: str) -> str:
        """Return the engine's answer to a command. Raise EngineFault if the engine fails or refuses the command.

        Many engines omit the number of the command in the answer, and some engines refuse a command that has a number.
        If an engine refuses its first command, the command is sent again without a number, and so are all later
        commands.
        """
        response = self._response(command)
        if not response.succeeded and not response.id and self._number == 1 and self._is_numbered:
            self._is_numbered = False
            response = self._response(command)
        if not response.succeeded:
            reason = response.text.partition("\n")[0][:_MOST_REASON]
            raise EngineFault(f"{command}: {reason or 'refused'}", "missing")
        return response.text

    def _response(self, command: str) -> Response:
        if self._process is None:
            raise EngineFault("the engine has ended", "missing")
        try:
            self._send(self._process, command)
            text = self._read(self._process)
            self._judge_time()
            response = parse_response(text)
            if response.id not in ("", str(self._number)):
                raise ValueError(f"the response has the id {response.id[:_MOST_ID]!r}")
            return response
        except ValueError as error:
            # Kill the engine, because the rest of its output would be read as the answer to another command.
            self.kill()
            raise EngineFault(f"{command}: {error}", "malformed") from None
        except BrokenPipeError:
            raise self._ended() from None

    def close(self) -> None:
        """Send the command quit, and kill the engine if it does not end."""
        if self._process is None:
            return
        self.allow(Limits(wall=_PATIENCE / 1000))
        try:
            with suppress(BrokenPipeError, EngineFault), end_of(self._process.pid) as end:
                self._send(self._process, "quit")
                end.poll(_PATIENCE)
        finally:
            self.kill()

    def kill(self) -> None:
        """Kill the engine and its process group."""
        process, self._process = self._process, None
        if process is None:
            return
        os.killpg(process.pid, signal.SIGKILL)
        _, status, rusage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        # rusage contains the engine's total time. If the engine ended by itself, the last measurement was too small.
        self._watch.cpu = max(self._watch.cpu, rusage.ru_utime + rusage.ru_stime - self._spent)
        for pipe in (process.stdin, process.stdout):
            _pipe(pipe).close()

    def _send(self, process: subprocess.Popen[bytes], command: str) -> None:
        """Send a command, with the next number as its id, unless the engine refuses ids.

        Raise BrokenPipeError if the engine has ended, and EngineFault if it does not read the command in time.
        """
        self._number += 1
        left = f"{f'{self._number} ' if self._is_numbered else ''}{command}\n".encode("ascii")
        descriptor = _pipe(process.stdin).fileno()
        while left:
            try:
                left = left[os.write(descriptor, left) :]
            except BlockingIOError:
                self._wait(descriptor, select.POLLOUT)

    def _read(self, process: subprocess.Popen[bytes]) -> str:
        """Return the next response, without surrounding empty lines. Skip lines before the engine's first response.

        Raise EngineFault if the engine exceeds a limit, ValueError if the response is too long, and BrokenPipeError if
        the engine has ended.
        """
        skipped = 0
        while True:
            self._heard = self._heard.lstrip()
            if not self._has_answered:
                skipped += len(self._heard)
                self._heard = _BANNER.sub(b"", self._heard)
                skipped -= len(self._heard)
            if _END in self._heard:
                break
            self._heard = (self._heard + self._read_some(process)).replace(b"\r", b"")
            if len(self._heard) + skipped > _MOST_BYTES:
                raise ValueError("the response does not end")
        self._has_answered = True
        text, _, self._heard = self._heard.partition(_END)
        return text.decode("utf-8", "replace")

    def _read_some(self, process: subprocess.Popen[bytes]) -> bytes:
        descriptor = _pipe(process.stdout).fileno()
        self._wait(descriptor, select.POLLIN)
        some = os.read(descriptor, 1 << 16)
        if not some:
            raise BrokenPipeError
        return some

    def _wait(self, descriptor: int, event: int) -> None:
        """Wait until the pipe can be read or written. Raise EngineFault if the engine exceeds a limit first."""
        poll = select.poll()
        poll.register(descriptor, event)
        if not self._watch.wait(poll):
            self._end_for_time()

    def _judge_time(self) -> None:
        """Raise EngineFault if the engine exceeded its limit of CPU time since the last measurement."""
        self._watch.measure()
        if self._watch.is_over:
            self._end_for_time()

    def _end_for_time(self) -> NoReturn:
        over = self._watch.report()
        self.kill()
        raise EngineFault(over.limit_text(), "timeout", over)

    def _ended(self) -> EngineFault:
        self.kill()
        words = read_end(self._errors, _MOST_WORDS).decode("utf-8", "replace")
        return EngineFault(useful_line(words) or "the engine has ended", "missing")


def _pipe(end: IO[bytes] | None) -> IO[bytes]:
    assert end is not None, "the process was started with pipes"
    return end


if sys.platform == "linux":
    from little_go.arena.gtp.client import Client

# mypy also checks this file for other systems, which lack most of these calls.
assert sys.platform == "linux"

_RESIGN = "resign"


class EngineContestant:
    """An engine that runs in its own directory for all games, and is restarted if it has ended.

    The engine receives the size of the board, the komi and the moves; Little-Go's own engine also receives a length
    other than the course's. The engine's own rules and score do not matter, because the host judges.
    """

    def __init__(self, name: str, command: Sequence[str], limits: Limits, game: Variant) -> None:
        """Start the engine and set up a game. Raise EngineFault if the engine fails."""
        self.name, self.identity = name, ""
        self._limits = limits
        self._game = game
        self._sent: tuple[str, ...] = ()
        self._fault: EngineFault | None = None
        # The runner removes the directory when this process ends, even if this process is killed.
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
        """Clear the board. The seed has no effect, because GTP has no command that sets a seed."""
        self._fault = None
        try:
            self._set_up()
        except EngineFault as fault:
            # Store the fault, so that the engine loses when the host asks for its first move.
            self._fault = fault

    def reply(self, state: State) -> Reply:
        """Send the moves that were played, and ask for a move. The limits apply to both steps together."""
        self._client.allow(self._limits)
        try:
            if self._fault is not None:
                raise self._fault
            return self._answer(state)
        except EngineFault as fault:
            over = fault.over
            killed, cpu_starved = ("", False) if over is None else (over.exceeded, over.cpu_starved)
            return Reply(None, self._client.take_cpu(), killed, fault.reason, str(fault), cpu_starved)

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
        self._sent = ()
        # Restart the count of CPU time, because this time does not belong to the first move.
        self._client.take_cpu()

    def _answer(self, state: State) -> Reply:
        self._send_moves(state.moves)
        vertex = self._client.ask(f"genmove {_colour(len(state.moves))}")
        cpu = self._client.take_cpu()
        if vertex.lower() == _RESIGN:
            return Reply(None, cpu, absence="resigned")
        try:
            text = host_move(vertex)
        except ValueError as error:
            return Reply(None, cpu, absence="malformed", complaint=f"genmove: {error}")
        self._sent = (*state.moves, text)
        return Reply(text, cpu)

    def _send_moves(self, moves: tuple[str, ...]) -> None:
        if moves[: len(self._sent)] != self._sent:
            # The moves do not continue the moves that were sent, because a person has undone moves.
            self._client.ask("clear_board")
            self._sent = ()
        for ply in range(len(self._sent), len(moves)):
            self._client.ask(f"play {_colour(ply)} {vertex_name(parse_move(moves[ply]))}")
            self._sent = moves[: ply + 1]


def start_engine(agent: str, limits: Limits, game: Variant) -> EngineContestant:
    """Start the engine of an agent ``gtp:COMMAND``, and return the contestant, which the caller must close.

    COMMAND runs in another directory, so only the path of the program can be relative to the current directory. Raise
    ProgramError if there is no such program, and EngineFault if the engine fails.
    """
    return EngineContestant(agent, command_words(agent, ENGINE_PREFIX), limits, game)


def _colour(ply: int) -> str:
    return "bw"[ply % 2]
