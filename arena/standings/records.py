"""Kept games, judged again: a record that is broken, or that the rules contradict, is named."""

from typing import Any

from arena.match.host import WITHOUT_A_MOVE, State, states_of
from notation.record import game_of
from solver.bounds import COLOURS

#: The keys of a record, with what they hold (``Game.record()`` and ``number``).
_KEYS: dict[str, type] = {
    "black": str,
    "white": str,
    "number": int,
    "seed": int,
    "moves": list,
    "winner": str,
    "reason": str,
    "margin": int,
    "final": str,
    "cpu": dict,
    "killed": list,
}


def fault_of(record: object) -> str:
    """Find the fault of a kept game's record, "" when the rules bear it out.

    A legal game that was never played is not told from one that was.
    """
    if not isinstance(record, dict):
        return "it is not a game of a tournament"
    for key, kind in _KEYS.items():
        if not isinstance(record.get(key), kind):
            return f"it is not a game of a tournament: {key} is missing or of another kind"
    identities = record.get("identities", ["", ""])
    if not isinstance(identities, list) or len(identities) != 2:
        return "it does not say which agents played it"
    if not all(isinstance(move, str) for move in record["moves"]):
        return "a move is no text"
    try:
        game = game_of(record)
    except ValueError as error:
        return str(error)
    *_, state = states = states_of(record["moves"], game=game)
    played = len(states) - 1
    if state.result and state.result.reason == "malformed":
        return f"ply {played} reads {record['moves'][played - 1][:40]!r}, which is no move"
    if played < len(record["moves"]):
        return f"it goes on after its end at ply {played}"
    return _end_fault(record, state) or _calls_fault(record)


def _end_fault(record: dict[str, Any], state: State) -> str:
    """Find the fault at the end of a game, given the host's state after its moves."""
    if state.result is None:
        if record["reason"] not in WITHOUT_A_MOVE:
            return f"it ends by {record['reason']!r} after ply {len(state.moves)}, where it goes on"
        winner = 3 - state.position.mover
    else:
        winner = state.result.winner
        if record["reason"] != state.result.reason:
            return f"it ends by {state.result.reason}, not by {record['reason']!r}"
    if record["winner"] != COLOURS[winner]:
        return f"{COLOURS[winner]} wins it, not {record['winner']}"
    board = "".join(state.position.rows())
    if (record["final"], record["margin"]) != (board, state.position.margin):
        return f"its last board is {board}, with a margin of {state.position.margin}"
    return ""


def _calls_fault(record: dict[str, Any]) -> str:
    """Find the fault in a record's figures of single calls."""
    calls = len(record["moves"]) + (record["reason"] in WITHOUT_A_MOVE)
    for colour, count in (("black", (calls + 1) // 2), ("white", calls // 2)):
        seconds = record["cpu"].get(colour)
        if not isinstance(seconds, list) or len(seconds) != count:
            return f"it has no CPU times for {colour}'s {count} calls"
        if not all(isinstance(second, int | float) and second >= 0 for second in seconds):
            return f"a CPU time of {colour}'s is none"
    inexact = record.get("inexact", {})
    if not isinstance(inexact, dict) or not all(ply.isdecimal() and 0 < int(ply) <= calls for ply in inexact):
        return "it marks plies that are none"
    if not all(isinstance(ply, int) and 0 < ply <= calls for ply in record["killed"]):
        return "it has killed plies that are none"
    by_clock = record.get("by_clock", [])
    if not isinstance(by_clock, list) or not all(ply in record["killed"] for ply in by_clock):
        return "the clock ended plies that were not killed"
    return ""
