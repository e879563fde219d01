"""Replay logged games by our host, and compare its judgement with the log's.

The log is read whole, see book.files.games.LoggedGame.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from arena.match.host import ILLEGAL, State, states_of
from book.files.games import LoggedGame
from solver.colours import COLOURS
from solver.family import COURSE

#: What a replay may come to. The first: a whole game, and host and log agree on the result and on the board.
EQUAL = "whole and equal"
NO_MOVES = "not whole: no moves"
STOPS = "not whole: stops before the game does"
GOES_ON = "not whole: goes on after an illegal move"
CONTRADICTS = "contradicts the log"
OUTCOMES = (EQUAL, NO_MOVES, STOPS, GOES_ON, CONTRADICTS)

_UNFINISHED = "unfinished"


class Replayed(NamedTuple):
    """The outcome of a logged game's replay, one of OUTCOMES, with a remark."""

    line: int
    game: LoggedGame
    outcome: str
    detail: str

    def record(self) -> dict[str, Any]:
        """Return the replay as JSON keys; ``line`` is the game's in its file, from 1."""
        return {
            "line": self.line,
            "staff_agent": self.game.agent,
            "staff_color": self.game.colour,
            "outcome": self.outcome,
            "detail": self.detail,
        }


def replay(line: int, game: LoggedGame) -> Replayed:
    """Play a game's moves, up to the one that ends it, and compare.

    Also of a game that is not whole the board must be the logged one, and every move up to there legal. One that goes
    on after its end counts as such only when the log itself says that an illegal move was what ended it.
    """
    states = states_of(game.moves, game=COURSE)
    outcome, detail = _compare(game, states[-1], len(states) - 1)
    return Replayed(line, game, outcome, detail)


def counts(found: Iterable[Replayed]) -> dict[str, int]:
    """Count the replays by their outcome."""
    counter = Counter(each.outcome for each in found)
    return {outcome: counter[outcome] for outcome in OUTCOMES}


def record(found: Sequence[Replayed]) -> dict[str, Any]:
    """Return the replays as JSON keys: how many, the counts, and all that are not whole and equal."""
    exceptions = [each.record() for each in found if each.outcome != EQUAL]
    return {"games": len(found), "outcomes": counts(found), "exceptions": exceptions}


def text(found: Sequence[Replayed]) -> list[str]:
    """Return the replays as lines of text: those that are not whole and equal, then the counts."""
    exceptions = [_exception_text(each) for each in found if each.outcome != EQUAL]
    totals = [f"{number:5,}  {outcome}" for outcome, number in counts(found).items()]
    return [*exceptions, "", *totals] if exceptions else totals


def _compare(game: LoggedGame, state: State, played: int) -> tuple[str, str]:
    board = "".join(state.position.rows())
    if board != game.final:
        return CONTRADICTS, f"after ply {played} the board is {board}, not {game.final}"
    if game.reason.startswith(_UNFINISHED):
        if state.result:
            return CONTRADICTS, f"ends by {state.result.reason} after ply {played}, the log says {game.reason}"
        return (STOPS, f"after ply {played}") if played else (NO_MOVES, "")
    if state.result is None:
        return CONTRADICTS, f"goes on after ply {played}, the log says {game.reason}"
    if state.result.reason != game.reason:
        return CONTRADICTS, f"ends by {state.result.reason} after ply {played}, the log says {game.reason}"
    differs = f"{COLOURS[state.result.winner]} wins, the log says {COLOURS[game.winner]}"
    if played < len(game.moves) and game.reason.startswith(ILLEGAL):
        after = f"{game.reason} at ply {played} of {len(game.moves)}"
        return GOES_ON, after if state.result.winner == game.winner else f"{after}; {differs}"
    if played < len(game.moves):
        return CONTRADICTS, f"ends by {game.reason} after ply {played}, the log has {len(game.moves)}"
    return (EQUAL, "") if state.result.winner == game.winner else (CONTRADICTS, differs)


def _exception_text(each: Replayed) -> str:
    detail = f", {each.detail}" if each.detail else ""
    return f"line {each.line}: {each.outcome}{detail} ({each.game.agent} as {COLOURS[each.game.colour]})"
