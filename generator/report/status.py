"""The summary of a store, as text and as JSON."""

from collections.abc import Iterator
from typing import Any

from little_go.book.exchange.compress import may_arise
from little_go.book.files.shipped import VALUES
from little_go.book.files.values import LAST_PLY, LAST_SIZE, PLY_SIZES, read_values
from little_go.book.store.store import Store
from little_go.runtime.hints import command_line
from little_go.solver.answer import Bounds
from little_go.solver.bounds import COLOURS, bounds_text
from little_go.solver.family import COURSE
from little_go.solver.position import START, move_name, start_of

#: The number of plies of the atlas that is recommended if the store has no atlas.
ATLAS_PLIES = 4


def status_record(store: Store) -> dict[str, Any]:
    """Return the JSON fields that describe the store.

    - ``game``: the plies and komi of the store's game.
    - ``games``: the whole game and the shorter games that are in the store, each with its plies, value, lo, hi, winner
      (null if undecided) and Black's winning move.
    - ``statuses``: the number of positions by status; ``plies``: these numbers for each ply.
    - ``atlas``: for each of the first plies of the course's game, the numbers of all positions, of positions with an
      exact value, and of other positions with a known winner.
    - ``choices``: the number of positions in which our move is chosen.
    - ``next``: the commands that would find new results.
    - ``runs``: the rows of the table ``runs``, with the parameters as an object.
    """
    game, atlas, choices = store.game, _atlas(store), store.count_choices()
    return {
        "game": {"plies": game.plies, "komi": game.komi},
        "games": [each for plies in range(2, game.plies + 1, 2) if (each := _game(store, plies))],
        "statuses": store.count_by_status(),
        "plies": store.count_by_ply(),
        "atlas": atlas,
        "level": _level(store),
        "choices": choices,
        "next": list(_next(store, atlas, choices)),
        "runs": store.runs(),
    }


def _atlas(store: Store) -> list[dict[str, int]]:
    if store.game != COURSE:
        return []
    found = [{"ply": ply, "positions": positions, "exact": 0, "decided": 0} for ply, positions in enumerate(PLY_SIZES)]
    for entry in store.entries(last_ply=len(found) - 1):
        # A shorter game starts at a later ply, so its positions do not count.
        if may_arise(entry.position, store.game) and (status := entry.status(store.game)) != "undecided":
            found[entry.position.ply][status] += 1
    return found


#: The number of nodes that a position of ply 7 takes in a long search with one table, and the number of nodes that a
#: core searches in a second.
_NODES_EACH, _NODES_PER_SECOND = 151_000, 4_000_000


def _level(store: Store) -> dict[str, Any] | None:
    """Return the number of shipped values of the last ply, and the hours that one core needs for the other values."""
    if store.game != COURSE or not VALUES.is_file():
        return None
    known = len(read_values(VALUES).later(LAST_PLY))
    hours = (LAST_SIZE - known) * _NODES_EACH / _NODES_PER_SECOND / 3600
    return {"ply": LAST_PLY, "positions": LAST_SIZE, "exact": known, "hours_left": round(hours, 1)}


def _next(store: Store, atlas: list[dict[str, int]], choices: int) -> Iterator[str]:
    if store.game != COURSE:
        plies, komi = store.game.plies, f"{store.game.komi:g}"
        yield command_line("make --plies", plies, "--komi", komi, "--out", store.path.parent)
        return
    entry = store.get(START)
    if entry is None or entry.answer.value is None:
        yield command_line("generator solve --db", store.path)
    if entry is None or store.game.winner(entry) is None:
        return
    yield command_line("book compress --db" if choices else "generator closure --db", store.path)
    begun = [ply["ply"] for ply in atlas if ply["exact"] and ply["ply"] > 1]
    missing = [ply["ply"] for ply in atlas if ply["exact"] < ply["positions"]]
    plies = max([ATLAS_PLIES, *begun])
    if missing and missing[0] <= plies:
        yield command_line("generator atlas --depth", plies, "--db", store.path)


def _game(store: Store, plies: int) -> dict[str, Any] | None:
    entry = store.get(store.game.start if plies == store.game.plies else start_of(plies))
    if entry is None:
        return None
    answer, winner = entry.answer, store.game.winner(entry)
    best = move_name(answer.best) if winner == 1 and answer.best is not None else None
    return {
        "plies": plies,
        "value": answer.value,
        "lo": answer.lo,
        "hi": answer.hi,
        "winner": None if winner is None else COLOURS[winner],
        "best_move": best,
    }


def status_text(record: dict[str, Any]) -> str:
    """Return a status record as readable text."""
    parts = [
        _games(record["games"], record["game"]["komi"]),
        _plies(record["plies"]),
        *([_atlas_lines(record["atlas"])] if record["atlas"] else []),
        *([[_level_line(record["level"])]] if record["level"] else []),
        _runs(record["runs"]),
        ["Next", *(f"  {command}" for command in record["next"])],
    ]
    return "\n\n".join("\n".join(part) for part in parts)


def _games(games: list[dict[str, Any]], komi: float) -> list[str]:
    if komi < 0:
        return ["Black wins at once: a PASS on the first ply ends the game, and White's komi is below zero."]
    if not games:
        return ["No game has been started yet."]
    return [f"Games from the empty board, komi {komi:g} (value: stones Black - White)", *map(_game_line, games)]


def _game_line(game: dict[str, Any]) -> str:
    who = "undecided" if game["winner"] is None else f"{game['winner']} wins"
    how = "" if game["best_move"] is None else f" with {game['best_move']}"
    return f"  {game['plies']:2d} plies: {who}{how}, value {bounds_text(Bounds(game['lo'], game['hi']))}"


def _plies(plies: dict[int, dict[str, int]]) -> list[str]:
    lines = ["Positions      exact    decided  undecided"]
    for ply, counts in plies.items():
        lines.append(f"  ply {ply:2d} {counts['exact']:11,} {counts['decided']:10,} {counts['undecided']:10,}")
    return lines


def _atlas_lines(atlas: list[dict[str, int]]) -> list[str]:
    lines = ["Atlas     positions      exact    decided    missing"]
    for ply in atlas:
        missing = ply["positions"] - ply["exact"] - ply["decided"]
        lines.append(
            f"  ply {ply['ply']:2d} {ply['positions']:10,} {ply['exact']:10,} {ply['decided']:10,} {missing:10,}"
        )
    return lines


def _level_line(level: dict[str, Any]) -> str:
    """Return a line with the number of shipped values of the last ply.

    >>> _level_line({"ply": 7, "positions": 3592153, "exact": 10875, "hours_left": 37.6})
    'Shipped values of ply 7: 10,875 of 3,592,153 positions; the others are searched (all of them: 37.6 h of one core)'
    >>> _level_line({"ply": 7, "positions": 3592153, "exact": 3592153, "hours_left": 0.0})
    'Shipped values of ply 7: all 3,592,153 positions'
    """
    if level["exact"] == level["positions"]:
        return f"Shipped values of ply {level['ply']}: all {level['positions']:,} positions"
    return (
        f"Shipped values of ply {level['ply']}: {level['exact']:,} of {level['positions']:,} positions; the others are"
        f" searched (all of them: {level['hours_left']} h of one core)"
    )


def _runs(runs: list[dict[str, Any]]) -> list[str]:
    lines = ["Runs"]
    for run in runs:
        end = run["outcome"] or "running, or killed"
        cost = "" if run["nodes"] is None else f", {run['nodes'] / 1e6:,.1f} M nodes, {run['peak_mib']:,} MiB"
        believed = f", {run['believed']['rows']:,} rows believed" if run["believed"] else ""
        lines.append(f"  {run['id']}: {run['started']}, {_what(run['parameters'])}: {end}{cost}{believed}")
    return lines


def _what(parameters: dict[str, Any]) -> str:
    return (
        f"import of {parameters['import']}" if "import" in parameters else f"{parameters.get('workers', '?')} workers"
    )
