"""What a store holds, for people and for scripts."""

from typing import Any

from book.store import Store
from solver.position import GAME_PLIES, Position, move_name


def status_record(store: Store) -> dict[str, Any]:
    """Return the store's contents as JSON keys.

    ``games``: for each ladder game begun, its plies, value, lo, hi, winner (1 = Black, 2 = White, null
    while undecided) and Black's winning move; ``statuses``: positions by
    status; ``plies``: the same by ply; ``runs``: the columns of that table, parameters as an object.
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
    best = move_name(answer.best) if answer.winner == 1 and answer.best is not None else None
    return {
        "plies": plies,
        "value": answer.value,
        "lo": answer.lo,
        "hi": answer.hi,
        "winner": answer.winner,
        "best": best,
    }


def status_text(record: dict[str, Any]) -> str:
    """Return a status record as a page of text."""
    return "\n".join([*_games(record["games"]), "", *_plies(record["plies"]), "", *_runs(record["runs"])])


def _games(games: list[dict[str, Any]]) -> list[str]:
    if not games:
        return ["No game is begun yet."]
    return ["Games from the empty board (value: stones Black - White)", *map(_game_line, games)]


def _game_line(game: dict[str, Any]) -> str:
    value = f"{game['value']:+d}" if game["value"] is not None else f"{game['lo']:+d} to {game['hi']:+d}"
    who = {1: f"Black wins with {game['best']}", 2: "White wins", None: "undecided"}[game["winner"]]
    return f"  {game['plies']:2d} plies: {who}, value {value}"


def _plies(plies: dict[int, dict[str, int]]) -> list[str]:
    lines = ["Positions      exact    decided  undecided"]
    for ply, counts in plies.items():
        lines.append(f"  ply {ply:2d} {counts['exact']:11,} {counts['decided']:10,} {counts['undecided']:10,}")
    return lines


def _runs(runs: list[dict[str, Any]]) -> list[str]:
    lines = ["Runs"]
    for run in runs:
        end = run["outcome"] or "running, or killed"
        cost = "" if run["nodes"] is None else f", {run['nodes'] / 1e6:,.1f} M nodes, {run['peak_mib']:,} MiB"
        lines.append(f"  {run['id']}: {run['started']}, {run['parameters'].get('workers', '?')} workers: {end}{cost}")
    return lines
