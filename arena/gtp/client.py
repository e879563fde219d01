"""A GTP engine in a process of its own, and the arena's talk with it. Linux only."""

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

from arena.gtp.protocol import END, EngineFault, Response, parse_response
from arena.match.limits import Limits
from arena.match.reply import useful_line
from runtime.ctrl_c import defer_sigint
from runtime.files import open_to_write, read_end

if sys.platform == "linux":
    from arena.match.process import ProcessMeter, end_of

# Types are checked for other systems too, and these lack most of what is called here.
assert sys.platform == "linux"

#: The program between the arena and the engine.
_TETHER = Path(__file__).with_name("tether.py")

_END = END.encode()

#: Lines that an engine prints before its first response, which begins with a single = or ?.
_BANNER = re.compile(rb"\A(?:(?:(?![=?])|==|\?\?)[^\n]*\n\s*)+")

#: Bytes of a response that is never going to end.
_MOST_BYTES = 1 << 20

#: As much of a refusal as anyone reads, and as much of standard error as is looked at.
_MOST_REASON, _MOST_WORDS = 200, 4096

#: As much of an id that was not sent as anyone reads.
_MOST_ID = 20

#: Milliseconds an engine has to end when asked to.
_PATIENCE = 1000


class Client:
    """The controller's side of GTP.

    The engine has a process group of its own, and is killed with all of it when it exceeds a limit, when it answers
    what is no GTP, and when this process ends. A child that leaves the group is out of reach.
    """

    def __init__(self, command: Sequence[str], directory: Path, errors: Path) -> None:
        """Prepare to run ``command`` in ``directory``, with its standard error appended to the file ``errors``."""
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
        """Whether the engine has been started, and neither been killed nor been found to have ended."""
        return self._process is not None

    def start(self, limits: Limits) -> None:
        """Start the engine, which must not be running; the limits are for what is asked until the next ``allow``."""
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
        """Set the limits for what is asked from now on.

        CPU time counts from the last look, so that what an engine thinks on in the other side's time counts for
        its next move.
        """
        if self._process is not None:
            self._watch = ProcessMeter(self._process.pid, limits, self._spent)

    def take_cpu(self) -> float:
        """Return the CPU seconds the engine has taken since ``allow``, and count again from here."""
        if self._process is not None:
            self._watch.look()
            self._spent += self._watch.cpu
        return self._watch.cpu

    def ask(self, command: str) -> str:
        """Return the engine's answer to a command. Raises EngineFault, with a refusal as well.

        Many engines leave the number of a command out of the answer, and some refuse a command that has one: the first
        command is then sent again without, and so are all others.
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
            # The engine's next words would be taken for the answer to another command.
            self.kill()
            raise EngineFault(f"{command}: {error}", "malformed") from None
        except BrokenPipeError:
            raise self._ended() from None

    def close(self) -> None:
        """Ask the engine to end, and kill it when it does not."""
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
        """End the engine with all it started."""
        process, self._process = self._process, None
        if process is None:
            return
        os.killpg(process.pid, signal.SIGKILL)
        _, status, rusage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        # All its time, if the engine ended by itself.
        self._watch.cpu = max(self._watch.cpu, rusage.ru_utime + rusage.ru_stime - self._spent)
        for pipe in (process.stdin, process.stdout):
            _pipe(pipe).close()

    def _send(self, process: subprocess.Popen[bytes], command: str) -> None:
        """Send a command, with the next number as its id unless the engine refuses that.

        Raises BrokenPipeError when the engine has ended, and EngineFault when it reads nothing until its time is over.
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
        """Return the next response, without the empty lines around it, and without what came before the first one.

        Raises EngineFault, ValueError for a response that does not end, BrokenPipeError when the engine has ended.
        """
        spared = 0
        while True:
            self._heard = self._heard.lstrip()
            if not self._has_answered:
                spared += len(self._heard)
                self._heard = _BANNER.sub(b"", self._heard)
                spared -= len(self._heard)
            if _END in self._heard:
                break
            self._heard = (self._heard + self._read_some(process)).replace(b"\r", b"")
            if len(self._heard) + spared > _MOST_BYTES:
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
        """Wait until there is something to read, or room to write; raises EngineFault when the time is over."""
        poll = select.poll()
        poll.register(descriptor, event)
        if not self._watch.wait(poll):
            self._end_for_time()

    def _judge_time(self) -> None:
        """Raise EngineFault when an answer took too long: it may have come between two looks."""
        self._watch.look()
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
