"""The store's tables and views and all their columns, described for people.

``little-go book schema`` prints this, the site of the documents has it as a page, and Datasette shows it above each
table. A test compares it with what SQLite says of a store.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from book.store.views import (
    DIFFERENT,
    HI,
    KEY,
    LEGAL,
    LO,
    LOSING,
    NODES,
    OPEN,
    ORIGIN,
    PASSED,
    PLY,
    SECONDS,
    VIEWS,
    WINNER,
    WINNING,
)


class Described(NamedTuple):
    """A table or view: what it has a row for, and what each of its columns says, in their order."""

    text: str
    columns: dict[str, str]


TABLES = {
    "positions": Described(
        "What is proven about each position. One row stands for all positions that differ by a turn or a reflection.",
        {
            "key": KEY,
            "black": "Black's stones, a bit for each point, from the key",
            "white": "White's stones, a bit for each point, from the key",
            "ko": "the point that the mover may not play, 0 to 24, or null, from the key",
            "ply": PLY + ", from the key",
            "mover": "1 Black, 2 White, from the key",
            "passed": PASSED + ", from the key",
            "lo": LO,
            "hi": HI,
            "status": "`exact` (lo = hi), `decided` (the winner is proven) or `undecided`",
            "best_move": "a move that keeps the mover's bound (lo for Black, hi for White), 0 to 25, or null",
            "nodes": NODES,
            "seconds": SECONDS,
            "run": "the run that last improved the row",
            "maker": "the worker of a cluster that improved it, in `makers`, or null: the run's own machine",
            "moves_known": "1 where the value is exact and `moves` has every best move: others are worse; else 0",
            "origin": ORIGIN,
        },
    ),
    "moves": Described(
        "What is proven about single moves. A move that is missing has no bounds of its own.",
        {
            "position": "the key of the position before the move",
            "move": "0 to 24, or 25 for PASS, in the stored orientation",
            "child": "the key of the position after the move, or null when the move ends the game",
            "lo": LO,
            "hi": HI,
        },
    ),
    "legal_moves": Described(
        "All legal moves of the positions, as far as `little-go import` or `little-go book moves` has noted them.",
        {
            "position": "the key of the position before the move",
            "move": "0 to 24, or 25 for PASS, in the stored orientation",
            "child": "the key of the position after the move, turned to its own stored orientation",
        },
    ),
    "move_counts": Described(
        "How many moves of a position win, and what the best ones are worth, when `little-go import` or "
        "`little-go book moves` last ran.",
        {
            "key": KEY,
            "legal": LEGAL,
            "different": DIFFERENT,
            "winning": WINNING,
            "losing": LOSING,
            "undecided": OPEN,
            "exact": "different moves whose value is known exactly",
            "best_value": "the value after the best move, where all values are known",
            "second_value": "the value after the best of the other moves, where all values are known",
            "worst_value": "the value after the worst move, where all values are known",
        },
    ),
    "statements": Described(
        "What each imported file says of a position by itself; `positions` has what all of them come to.",
        {
            "position": "the key of the position",
            "run": "the run that imported the file; the run's `parameters` name it",
            "lo": "the value is at least this, by the file",
            "hi": "the value is at most this, by the file",
            "best_move": "the file's move, 0 to 24 or 25 for PASS, in the stored orientation, or null",
        },
    ),
    "choices": Described(
        "What our player plays (`little-go generator closure`).",
        {
            "position": "the key of the position",
            "move": "0 to 24, or 25 for PASS, in the stored orientation",
            "solver_nodes": "nodes in which the player's own search finds the move, null when the book has to tell it",
            "chance": "in a lost position: how likely a modelled opponent is to throw the win away, 0 to 1",
            "run": "the run that chose it",
        },
    ),
    "runs": Described(
        "The runs of the generator and the imports.",
        {
            "id": "the number of the run",
            "parameters": "its options, as JSON; `import` names the file that was imported",
            "machine": "where it ran",
            "python": "the version of Python",
            "version": "the version of Little-Go",
            "started": "when it began",
            "ended": "when it ended, null when it was killed",
            "outcome": "how it ended",
            "nodes": "positions searched",
            "peak_mib": "memory that it needed, in MiB",
            "believed": "what it took from the store without searching it again, as JSON",
        },
    ),
    "makers": Described(
        "The workers of a cluster that took part in a run; see [SCALING.md](guides/SCALING.md#a-cluster).",
        {
            "id": "the number of the worker in this run",
            "run": "the run",
            "worker": "its name, the scheduler's address for it",
            "host": "its machine, by that address; empty for runs of before hosts were noted",
            "code": "the hash of the code that it says it runs",
        },
    ),
    "identity": Described(
        "The store's own name.", {"name": "32 hexadecimal digits, the same as long as the file lives"}
    ),
    **{
        view.name: Described(view.text, {column: meaning for column, (_, meaning) in view.columns.items()})
        for view in VIEWS
    },
    "openings": Described(
        "Black's first moves, from runs of `little-go solve` or from the atlas.",
        {
            "move": "`i,j` (row, column)",
            "lo": LO,
            "hi": HI,
            "winner": WINNER,
            "reply": "White's best reply, or null",
            "nodes": NODES,
            "seconds": SECONDS,
        },
    ),
    "frontier": Described(
        "Positions whose winner is not proven, with the columns of `positions`.",
        {},
    ),
    "progress": Described(
        "How many positions of each ply are exact, decided or undecided, and what that took.",
        {
            "ply": PLY,
            "status": "`exact`, `decided` or `undecided`",
            "positions": "how many",
            "nodes": "positions searched for them",
            "seconds": "what the searches took",
        },
    ),
    "closure": Described(
        "What our player's choices amount to, by ply and result.",
        {
            "ply": PLY,
            "side": "`Black` or `White`, who chooses",
            "result": "`won` or `lost` for that side",
            "positions": "how many",
            "decided_by_player": "of these, how many the player's own search decides",
            "mean_chance": "in lost positions: the mean chance that a modelled opponent throws the win away",
        },
    ),
}
TABLES["frontier"] = Described(TABLES["frontier"].text, TABLES["positions"].columns)


def schema_text(names: Sequence[str] = ()) -> str:
    """Lay the descriptions out for a terminal, all or some of them; raises KeyError for an unknown name."""
    return "\n\n".join("\n".join(_block(name, TABLES[name])) for name in names or tuple(TABLES))


def _block(name: str, described: Described) -> Iterator[str]:
    yield f"{name}: {described.text}"
    width = max(map(len, described.columns))
    for column, text in described.columns.items():
        yield f"  {column:{width}}  {text}"


def schema_markdown() -> str:
    """Lay the descriptions out as a page of the site, a heading and a table for each."""
    parts = []
    for name, (text, columns) in TABLES.items():
        rows = [f"| `{column}` | {words} |" for column, words in columns.items()]
        parts.append("\n".join([f"## `{name}`", "", text, "", "| column | meaning |", "|---|---|", *rows]))
    return "\n\n".join(parts)
