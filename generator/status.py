"""What a store holds, for people and for scripts."""

from typing import Any

from book.store import Store
from solver.position import GAME_PLIES, Position, move_name


def status_record(store: Store) -> dict[str, Any]:
    """Return the store's contents as JSON keys.

    ``games``: for each ladder game begun, its plies, value, lo, hi and best; ``statuses``: positions by
    status; ``plies``: the same by ply; ``runs``: id, parameters, started, ended, outcome.
    """
    return {
        "games": [game for plies in range(2, GAME_PLIES + 1, 2) if (game := _game(store, plies))],
        "statuses": store.count_by_status(),
        "plies": store.count_by_ply(),
        "runs": store.runs(),
    }


def _game(store: Store, plies: int) -> dict[str, Any] | None:
    entry = store.get(Position(ply=GAME_PLIES - plies))
    if entry is None:
        return None
    answer = entry.answer
    best = None if answer.best is None else move_name(answer.best)
    return {"plies": plies, "value": answer.value, "lo": answer.lo, "hi": answer.hi, "best": best}


def status_text(record: dict[str, Any]) -> str:
    """Return a status record as a page of text."""
    return "\n".join([*_games(record["games"]), "", *_plies(record["plies"]), "", *_runs(record["runs"])])


def _games(games: list[dict[str, Any]]) -> list[str]:
    if not games:
        return ["No game is solved yet."]
    lines = ["Games from the empty board (value: stones Black - White)"]
    for game in games:
        value = f"{game['value']:+d}" if game["value"] is not None else f"{game['lo']:+d} to {game['hi']:+d}"
        lines.append(f"  {game['plies']:2d} plies: {value}, {game['best'] or 'no move'} first")
    return lines


def _plies(plies: dict[int, dict[str, int]]) -> list[str]:
    lines = ["Positions      exact    decided  undecided"]
    for ply, counts in plies.items():
        lines.append(f"  ply {ply:2d} {counts['exact']:11,} {counts['decided']:10,} {counts['undecided']:10,}")
    return lines


def _runs(runs: list[dict[str, Any]]) -> list[str]:
    lines = ["Runs"]
    for run in runs:
        end = run["outcome"] or "running, or killed"
        lines.append(f"  {run['id']}: {run['started']}, {run['parameters'].get('workers', '?')} workers: {end}")
    return lines
