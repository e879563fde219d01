"""The store's tables and views and all their columns, described for people.

``python -m book schema`` prints this, the site of the documents has it as a page, and Datasette shows it above each
table. A test compares it with what SQLite says of a store.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Described(NamedTuple):
    """A table or view: what it has a row for, and what each of its columns says, in their order."""

    text: str
    columns: dict[str, str]


_BOARD = "the five rows from the top, `X` Black, `O` White, `.` empty, in the stored orientation"
_PLY = "plies played, 0 to 24; Black moves at even ones"
_MOVER = "`Black` or `White`, whose turn it is"
_KEY = "the position's key, an integer of 61 bits"
_KEY_TEXT = "the key as text, for programs that cannot hold 61 bits, such as JavaScript"
_LO = "proven: the value is at least this"
_HI = "proven: the value is at most this"
_WORTH = "the value, or the bounds on it, in words: `+3`, `+3 or more`, `+2 or less`, `-1 to +2`, `unknown`"
_VALUE = "stones Black - White at the end under best play, null while it is not known exactly"
_EXPLORER = "the link to this position in the explorer, explorer.html"
_AFTER_EXPLORER = "the link to the position after the move in the explorer, explorer.html"
_SOURCE = "where the bounds come from: the file that was imported, or the search of which run"
_NODES = "positions searched for it"
_DIFFERENT = "of these, how many lead to different positions, a turn or a reflection aside"

TABLES = {
    "positions": Described(
        "What is proven about each position. One row stands for all positions that differ by a turn or a reflection.",
        {
            "key": _KEY,
            "black": "Black's stones, a bit for each point, from the key",
            "white": "White's stones, a bit for each point, from the key",
            "ko": "the point that the mover may not play, 0 to 24, or null, from the key",
            "ply": _PLY + ", from the key",
            "mover": "1 Black, 2 White, from the key",
            "passed": "1 when the last ply was a PASS, from the key",
            "lo": _LO,
            "hi": _HI,
            "status": "`exact` (lo = hi), `decided` (the winner is proven) or `undecided`",
            "best": "a move that keeps the mover's bound (lo for Black, hi for White), 0 to 24 or 25 for PASS, or null",
            "nodes": _NODES,
            "seconds": "what the search took",
            "run": "the run that last improved the row",
        },
    ),
    "moves": Described(
        "What is proven about single moves. A move that is missing has no bounds of its own.",
        {
            "position": "the key of the position before the move",
            "move": "0 to 24, or 25 for PASS, in the stored orientation",
            "child": "the key of the position after the move, or null when the move ends the game",
            "lo": _LO,
            "hi": _HI,
        },
    ),
    "legal_moves": Described(
        "All legal moves of the positions, as far as `python -m book import` or `python -m book moves` has noted them.",
        {
            "position": "the key of the position before the move",
            "move": "0 to 24, or 25 for PASS, in the stored orientation",
            "child": "the key of the position after the move, turned to its own stored orientation",
        },
    ),
    "move_counts": Described(
        "How many moves of a position win, and what the best ones are worth, when `python -m book import` or `python "
        "-m book moves` last ran.",
        {
            "key": _KEY,
            "legal": "legal moves, PASS among them",
            "different": _DIFFERENT,
            "winning": "different moves that are proven to win for the mover",
            "losing": "different moves that are proven to lose for the mover",
            "undecided": "different moves of which neither is known",
            "exact": "different moves whose value is known exactly",
            "best": "the value after the best move, where all values are known",
            "second": "the value after the best of the other moves, where all values are known",
            "worst": "the value after the worst move, where all values are known",
        },
    ),
    "statements": Described(
        "What each imported file says of a position by itself; `positions` has what all of them come to.",
        {
            "position": "the key of the position",
            "run": "the run that imported the file; the run's `parameters` name it",
            "lo": "the value is at least this, by the file",
            "hi": "the value is at most this, by the file",
            "best": "the file's move, 0 to 24 or 25 for PASS, in the stored orientation, or null",
        },
    ),
    "choices": Described(
        "What our player plays (`python -m generator closure`).",
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
    "identity": Described(
        "The store's own name.", {"name": "32 hexadecimal digits, the same as long as the file lives"}
    ),
    "positions_view": Described(
        "Every stored position, in words.",
        {
            "board": _BOARD,
            "ply": _PLY,
            "mover": _MOVER,
            "ko": "the point that the mover may not play, `i,j` (row, column), or null",
            "passed": "`yes` when the last ply was a PASS, else `no`",
            "winner": "`Black`, `White` or `undecided`",
            "worth": _WORTH,
            "value": _VALUE,
            "lo": _LO,
            "hi": _HI,
            "best_move": "a move that keeps the mover's bound, `i,j` or `PASS`, or null",
            "nodes": _NODES,
            "seconds": "what the search took",
            "source": _SOURCE,
            "explorer": _EXPLORER,
            "key_text": _KEY_TEXT,
            "key": _KEY,
        },
    ),
    "moves_view": Described(
        "Every legal move of the positions, with what is known of the position after it.",
        {
            "board": _BOARD + ", before the move",
            "ply": "plies played before the move; Black moves at even ones",
            "mover": "`Black` or `White`, who makes the move",
            "move": "`i,j` (row, column from the top left) or `PASS`, on `board`",
            "winner": "who wins after the move: `Black`, `White`, `undecided`, or `not in the store`",
            "worth": _WORTH,
            "value": _VALUE,
            "lo": _LO,
            "hi": _HI,
            "points_lost": "how much worse than the best move it is for the mover, where both are known exactly",
            "source": "what tells of the move: a file or run that knows the position after it, `end of the game`, "
            "`recorded with the move`, `position before the move` (no move is worth more than its position, and the "
            "best one is worth as much), or `none`",
            "after_board": "the board after the move, turned to its own stored orientation",
            "explorer": _AFTER_EXPLORER,
            "key_text": _KEY_TEXT,
            "after_key_text": "the key of the position after the move, as text",
            "key": _KEY,
            "after_key": "the key of the position after the move",
        },
    ),
    "only_moves": Described(
        "Positions in which one move wins and every other one is proven to lose. Moves that lead to the same position "
        "but for a turn or a reflection count as one.",
        {
            "board": _BOARD,
            "ply": _PLY,
            "mover": _MOVER,
            "move": "the move; several names where moves are alike",
            "moves": "different moves there are",
            "worth": _WORTH,
            "second_value": "the value after the best of the other moves, where all values are known",
            "source": _SOURCE,
            "explorer": _EXPLORER,
            "key_text": _KEY_TEXT,
            "key": _KEY,
        },
    ),
    "hardest": Described(
        "Positions by what they cost the search, the dearest first. A position whose value followed from those after "
        "it has 0 nodes.",
        {
            "board": _BOARD,
            "ply": _PLY,
            "mover": _MOVER,
            "winner": "`Black`, `White` or `undecided`",
            "worth": _WORTH,
            "best_move": "a move that keeps the mover's bound, `i,j` or `PASS`, or null",
            "nodes": _NODES,
            "legal": "legal moves, PASS among them; null where they are not noted",
            "different": _DIFFERENT,
            "winning": "different moves that are proven to win for the mover",
            "losing": "different moves that are proven to lose for the mover",
            "undecided": "different moves of which neither is known",
            "explorer": _EXPLORER,
            "key_text": _KEY_TEXT,
            "key": _KEY,
        },
    ),
    "traps": Described(
        "Moves in lost positions, those first after which the largest share of the opponent's replies throws the win "
        "away. Only moves after which the result of every reply is proven.",
        {
            "board": _BOARD + ", before the move",
            "ply": "plies played before the move; Black moves at even ones",
            "mover": "`Black` or `White`, who has lost and sets the trap",
            "worth": _WORTH,
            "move": "the move; several names where moves are alike",
            "replies": "the opponent's legal replies, PASS among them",
            "different_replies": _DIFFERENT,
            "holding": "different replies that keep the win",
            "failing": "different replies that throw it away",
            "failing_share": "failing / different_replies",
            "after_board": "the board after the move, turned to its own stored orientation",
            "explorer": _AFTER_EXPLORER,
            "key_text": _KEY_TEXT,
            "after_key_text": "the key of the position after the move, as text",
            "key": _KEY,
            "after_key": "the key of the position after the move",
        },
    ),
    "largest_swings": Described(
        "Positions by how much the second best move loses against the best. Only positions in which every move's value "
        "is known.",
        {
            "board": _BOARD,
            "ply": _PLY,
            "mover": _MOVER,
            "worth": _WORTH,
            "best_move": "the stored best move, `i,j` or `PASS`",
            "moves": "different moves there are",
            "best_value": "the value after the best move",
            "second_value": "the value after the best of the other moves; equal where two moves are best",
            "worst_value": "the value after the worst move",
            "lost_by_second": "points between the best move and the next",
            "lost_by_worst": "points between the best move and the worst",
            "explorer": _EXPLORER,
            "key_text": _KEY_TEXT,
            "key": _KEY,
        },
    ),
    "openings": Described(
        "Black's first moves, from runs of `generator solve` or from the atlas.",
        {
            "move": "`i,j` (row, column)",
            "lo": _LO,
            "hi": _HI,
            "result": "`Black wins`, `White wins` or `undecided`",
            "reply": "White's best reply, or null",
            "nodes": _NODES,
            "seconds": "what the search took",
        },
    ),
    "frontier": Described(
        "Positions whose winner is not proven, with the columns of `positions`.",
        {},
    ),
    "progress": Described(
        "How many positions of each ply are how well known, and what that took.",
        {
            "ply": _PLY,
            "status": "`exact`, `decided` or `undecided`",
            "positions": "how many",
            "nodes": "positions searched for them",
            "seconds": "what the searches took",
        },
    ),
    "closure": Described(
        "What our player's choices amount to, by ply and result.",
        {
            "ply": _PLY,
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
