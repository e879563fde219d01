"""Play a game between two contestants, and record it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from little_go.arena.agents import UndoMove
from little_go.arena.match.contestant import Contestant
from little_go.arena.match.host import Result, State, forfeit, judge, opening
from little_go.arena.match.limits import Reply
from little_go.notation.record import game_keys
from little_go.solver.bounds import COLOURS
from little_go.solver.family import Variant

_Played = TypeVar("_Played")

#: Maps the reason for a missing answer to the result's detail, which is used if the program printed no error.
_NO_ANSWER = {"missing": "no output.txt", "timeout": "killed for time", "resigned": ""}


@dataclass(frozen=True)
class Game:
    """A finished game.

    black, white: the contestants' names. seed: the seed of the random numbers. state: the host's last state. cpu: the
    CPU seconds of each call of Black, and of each call of White. If a side lost because of its last answer, it has one
    call more than legal moves. killed: the plies, from 1, at which a contestant was killed because it exceeded a limit
    of time. by_clock: the plies of ``killed`` at which the exceeded limit was the limit of wall-clock time.
    cpu_starved: the plies of ``by_clock`` at which the contestant did not get a core. identities: the identities of
    Black and White, as in Contestant. machine_fault: a clause on a fault of this machine because of which a move may be
    missing, so the game does not count; "" if there was no fault.
    """

    black: str
    white: str
    seed: int
    state: State
    cpu: tuple[tuple[float, ...], tuple[float, ...]]
    killed: tuple[int, ...]
    by_clock: tuple[int, ...] = ()
    cpu_starved: tuple[int, ...] = ()
    identities: tuple[str, str] = ("", "")
    machine_fault: str = ""

    @property
    def result(self) -> Result:
        """The result of the game."""
        if self.state.result is None:
            raise ValueError("the game has not ended")
        return self.state.result

    def is_cpu_starved(self) -> bool:
        """Return whether a call exceeded its wall-clock limit because the contestant did not get a core."""
        return bool(self.cpu_starved)

    def record(self) -> dict[str, Any]:
        """Return the JSON fields that describe the game.

        ``margin``: the number of Black's stones minus the number of White's stones on the final board, without komi;
        ``final``: the final board in the host's digits, row by row; ``cpu``: CPU seconds of each call; ``inexact``:
        maps plies to answers that were accepted but did not have the exact format. The fields ``plies`` and ``komi``
        are present only if the game is not the course's game.
        """
        position = self.state.position
        black, white = ([round(seconds, 6) for seconds in side] for side in self.cpu)
        return {
            "black": self.black,
            "white": self.white,
            "seed": self.seed,
            "moves": list(self.state.moves),
            "winner": COLOURS[self.result.winner],
            "reason": self.result.reason,
            "detail": self.result.detail,
            "margin": position.margin,
            "final": "".join(position.rows()),
            "cpu": {"black": black, "white": white},
            "killed": list(self.killed),
            "by_clock": list(self.by_clock),
            "identities": list(self.identities),
            "inexact": {str(ply): text for ply, text in self.state.inexact},
            **game_keys(self.state.game),
        }


def play_game(
    black: Contestant,
    white: Contestant,
    seed: int = 0,
    watch: Callable[[State], None] = lambda state: None,
    strict: bool = False,
    finish: Callable[[State], None] = lambda state: None,
    *,
    game: Variant,
) -> Game:
    """Play one game by the rules of the course's host, and return the finished game.

    watch: a function that is called with the state after every ply. strict: whether a player loses if an answer does
    not have the exact format. finish: a function that is called with the last state, and may raise UndoMove. The game
    does not contain moves that a person has undone. Equal seeds give equal games if the contestants have no other
    source of random numbers.
    """
    black.new_game(f"{seed} black")
    white.new_game(f"{seed} white")
    states: list[State] = [opening(game.start, game)]
    replies: list[Reply] = []
    while True:
        try:
            if states[-1].result is not None:
                finish(states[-1])
                break
            reply = (black, white)[len(replies) % 2].reply(states[-1])
        except UndoMove as back:
            del states[-back.plies :], replies[-back.plies :]
            continue
        replies.append(reply)
        states.append(state_after(states[-1], reply, strict))
        watch(states[-1])
    cpu = [reply.cpu for reply in replies]
    clocks = tuple(cpu[::2]), tuple(cpu[1::2])
    by_ply = list(enumerate(replies, 1))
    return Game(
        *(black.name, white.name, seed, states[-1], clocks),
        killed=tuple(ply for ply, reply in by_ply if reply.killed),
        by_clock=tuple(ply for ply, reply in by_ply if reply.killed == "wall"),
        cpu_starved=tuple(ply for ply, reply in by_ply if reply.cpu_starved),
        identities=(black.identity, white.identity),
        machine_fault=next((reply.machine_fault for reply in replies if reply.machine_fault), ""),
    )


#: Maximum seconds for repeating games on a busy machine, including the time until the machine is free.
MOST_WAITING = 600.0

#: CPU seconds of a probe; the maximum ratio of clock time to CPU time on a free machine; seconds between two probes.
_PROBE, _FREE, _BETWEEN_PROBES = 0.25, 1.5, 5.0


def is_free() -> bool:
    """Return whether a program would get a core, because a probe takes little more clock time than CPU time."""
    cpu, clock = time.thread_time(), time.monotonic()
    while time.thread_time() - cpu < _PROBE:
        pass
    return time.monotonic() - clock <= _FREE * _PROBE


def wait_until_free(deadline: float) -> bool:
    """Wait until the machine is free. Return False at the deadline, in seconds of time.monotonic()."""
    while not is_free():
        if time.monotonic() + _BETWEEN_PROBES > deadline:
            return False
        time.sleep(_BETWEEN_PROBES)
    return True


def play_when_free(
    play: Callable[[], _Played], is_cpu_starved: Callable[[_Played], bool], deadline: float | None = None
) -> _Played | None:
    """Play a game on a free machine, and return the game. Return None if the machine is busy until the deadline.

    The game is repeated if a call exceeded its wall-clock limit because it did not get a core, and the machine is also
    busy after the game. If the machine is free after the game, the result counts. deadline: the deadline in seconds of
    time.monotonic(), or None for MOST_WAITING seconds from now.
    """
    deadline = time.monotonic() + MOST_WAITING if deadline is None else deadline
    while wait_until_free(deadline):
        played = play()
        if not is_cpu_starved(played) or is_free():
            return played
    return None


def state_after(state: State, reply: Reply, strict: bool) -> State:
    """Return the state after a contestant's reply, in which the answer may be missing."""
    if reply.text is None:
        return forfeit(state, reply.absence, reply.complaint or _NO_ANSWER[reply.absence])
    state = judge(state, reply.text, strict)
    if state.result and state.result.reason == "malformed" and reply.complaint:
        detail = f"{state.result.detail}; {reply.complaint}"
        return state._replace(result=state.result._replace(detail=detail))
    return state
