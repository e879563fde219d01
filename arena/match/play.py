"""One game between two contestants, and its record."""

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

# The detail for a missing answer with an empty standard error.
_NO_ANSWER = {"missing": "no output.txt", "timeout": "killed for time", "resigned": ""}


@dataclass(frozen=True)
class Game:
    """A finished game.

    black, white: the contestants' names. seed: of its random numbers. state: the host's last state. cpu: seconds of
    each call, Black's and White's; a side that lost by its answer has one more than its legal moves. killed: plies,
    from 1, at which a contestant was killed for time. by_clock: those killed by the clock, not for CPU time. starved:
    those of by_clock without a core. identities: of Black and White (Contestant). machine_fault: a clause on a fault of
    this machine that may have cost a move, so that the game does not count.
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
        """The end of the game."""
        if self.state.result is None:
            raise ValueError("the game has not ended")
        return self.state.result

    def is_cpu_starved(self) -> bool:
        """Return whether lack of a core ended a call."""
        return bool(self.cpu_starved)

    def record(self) -> dict[str, Any]:
        """Return the game as JSON keys.

        ``margin``: stones Black - White on the final board, without komi; ``final``: that board in the host's digits,
        row by row; ``cpu``: seconds; ``inexact``: texts by ply that were accepted though not in the exact format.
        ``plies`` and ``komi`` are there for games other than the course's.
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
    """Play one game as the course's host does, and return it.

    watch: called with the state after every ply. strict: whether a move in an inexact format loses. Equal seeds give
    equal games if the contestants use no other random numbers, whatever their colours. A person may undo moves, which
    are then not in the game. finish: called with the last state; may raise UndoMove as well.
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


#: Seconds that games spoilt by a busy machine wait in total for it to be free.
MOST_WAITING = 600.0

#: Seconds of CPU of a probe, the factor by the clock that counts as free, and seconds between probes.
_PROBE, _FREE, _BETWEEN_PROBES = 0.25, 1.5, 5.0


def is_free() -> bool:
    """Return whether a program would get a core here: 0.25 s of work take hardly longer by the clock."""
    cpu, clock = time.thread_time(), time.monotonic()
    while time.thread_time() - cpu < _PROBE:
        pass
    return time.monotonic() - clock <= _FREE * _PROBE


def wait_until_free(deadline: float) -> bool:
    """Wait until the machine is free; return False at the deadline, in seconds of time.monotonic()."""
    while not is_free():
        if time.monotonic() + _BETWEEN_PROBES > deadline:
            return False
        time.sleep(_BETWEEN_PROBES)
    return True


def play_when_free(
    play: Callable[[], _Played], is_cpu_starved: Callable[[_Played], bool], deadline: float | None = None
) -> _Played | None:
    """Repeat a game that the clock ended on a busy machine; None where it stays busy until the deadline.

    Plays when the machine is free, and again if that changed meanwhile. On a free machine the result counts, even if
    the clock ends it. deadline: in seconds of time.monotonic(); None for MOST_WAITING from now.
    """
    deadline = time.monotonic() + MOST_WAITING if deadline is None else deadline
    while wait_until_free(deadline):
        played = play()
        if not is_cpu_starved(played) or is_free():
            return played
    return None


def state_after(state: State, reply: Reply, strict: bool) -> State:
    """Return the state after a contestant's answer, or after none."""
    if reply.text is None:
        return forfeit(state, reply.absence, reply.complaint or _NO_ANSWER[reply.absence])
    state = judge(state, reply.text, strict)
    if state.result and state.result.reason == "malformed" and reply.complaint:
        # Add the program's error message.
        detail = f"{state.result.detail}; {reply.complaint}"
        return state._replace(result=state.result._replace(detail=detail))
    return state
