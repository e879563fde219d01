"""One game between two contestants, and its record."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from arena.agents import UndoMove
from arena.match.contestant import Contestant
from arena.match.host import Result, State, forfeit, judge, opening
from arena.match.reply import Reply
from notation.record import game_keys
from solver.bounds import COLOURS
from solver.family import Variant

_Played = TypeVar("_Played")

# The detail for a contestant without an answer that has written nothing to standard error.
_NO_ANSWER = {
    "missing": "no output.txt",
    "timeout": "killed for time",
    "resigned": "",
}


@dataclass(frozen=True)
class Game:
    """A finished game.

    black, white: the contestants' names.
    seed: what the game's chance started from.
    state: the host's last state: final position, moves and result.
    cpu: seconds for each of Black's calls and for each of White's; one more than the legal
        moves of the side that lost by its answer.
    killed: the plies, from 1, at which a contestant was killed for time. by_clock: those of them at which that was the
        limit of the clock, not of CPU time. starved: those of these at which the machine had no core for it.
    identities: of Black and of White (Contestant).
    """

    black: str
    white: str
    seed: int
    state: State
    cpu: tuple[tuple[float, ...], tuple[float, ...]]
    killed: tuple[int, ...]
    by_clock: tuple[int, ...] = ()
    starved: tuple[int, ...] = ()
    identities: tuple[str, str] = ("", "")

    @property
    def result(self) -> Result:
        """The end of the game."""
        if self.state.result is None:
            raise ValueError("the game has not ended")
        return self.state.result

    def is_starved(self) -> bool:
        """Return whether the machine had no core for a player, which ended a call."""
        return bool(self.starved)

    def record(self) -> dict[str, Any]:
        """Return the game as JSON keys.

        ``margin`` is stones Black - White on the final board, komi left out; ``final`` is that
        board in the host's digits, row by row; ``cpu`` is in seconds; ``inexact`` has by ply the texts
        that were taken as moves though not in the exact format. ``plies`` and ``komi`` are there for games other than
        the course's.
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

    ``watch`` is shown the state after every ply. If ``strict``, a move that is not in the exact format loses. Equal
    seeds give equal games as far as the contestants take their chance from them, whichever colour plays what. A person
    may take back moves; what was taken back is not in the game. ``finish`` is shown the state after the last ply, and
    may raise UndoMove as well.
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
        states.append(answered(states[-1], reply, strict))
        watch(states[-1])
    cpu = [reply.cpu for reply in replies]
    clocks = tuple(cpu[::2]), tuple(cpu[1::2])
    by_ply = list(enumerate(replies, 1))
    return Game(
        *(black.name, white.name, seed, states[-1], clocks),
        killed=tuple(ply for ply, reply in by_ply if reply.killed),
        by_clock=tuple(ply for ply, reply in by_ply if reply.killed == "wall"),
        starved=tuple(ply for ply, reply in by_ply if reply.starved),
        identities=(black.identity, white.identity),
    )


#: Seconds that games which a busy machine has spoilt wait for it to be free, all together.
MOST_WAITING = 600.0

#: Seconds of CPU by which a free machine is known, by the clock at most so many times as long, and between two looks.
_PROBE, _FREE, _BETWEEN_PROBES = 0.25, 1.5, 5.0


def is_free() -> bool:
    """Return whether a program would get a core here: a quarter of a second's work takes hardly longer by the clock."""
    cpu, clock = time.thread_time(), time.monotonic()
    while time.thread_time() - cpu < _PROBE:
        pass
    return time.monotonic() - clock <= _FREE * _PROBE


def wait_until_free(deadline: float) -> bool:
    """Wait until the machine is free; return False when it was not by then, in seconds of time.monotonic()."""
    while not is_free():
        if time.monotonic() + _BETWEEN_PROBES > deadline:
            return False
        time.sleep(_BETWEEN_PROBES)
    return True


def play_when_free(
    play: Callable[[], _Played], is_starved: Callable[[_Played], bool], deadline: float | None = None
) -> _Played | None:
    """Play again what the clock ended on a busy machine; None where the machine stays busy until a deadline.

    It is played when the machine is free, and again where that has changed meanwhile. On a free machine it counts, even
    if the clock ends it once more. deadline: in seconds of time.monotonic(); None for MOST_WAITING from now.
    """
    deadline = time.monotonic() + MOST_WAITING if deadline is None else deadline
    while wait_until_free(deadline):
        played = play()
        if not is_starved(played) or is_free():
            return played
    return None


def answered(state: State, reply: Reply, strict: bool) -> State:
    """Return the state after a contestant's answer, or after it gave none."""
    if reply.text is None:
        return forfeit(state, reply.absence, reply.complaint or _NO_ANSWER[reply.absence])
    state = judge(state, reply.text, strict)
    if state.result and state.result.reason == "malformed" and reply.complaint:
        # A program that died while writing says why.
        detail = f"{state.result.detail}; {reply.complaint}"
        return state._replace(result=state.result._replace(detail=detail))
    return state
