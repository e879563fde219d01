"""The store's views for people, which show boards, moves and winners in words.

The views are plain SQL for every SQLite program. This module contains the expression and the meaning of each column.
TABLES describes all tables and views, for ``little-go book schema``, a page of the site, and Datasette. A position is
stored as its key, an integer whose bits docs/reference/DATABASE.md shows. The expressions extract the parts of a key by
shifts and masks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from little_go.solver.answer import BLACK_WINS, LEAST, MOST
from little_go.solver.position import GAME_PLIES, PASS, POINTS, SIZE

_EXPLORER = "explorer.html#from="


def _late(expression: str) -> str:
    """Return an expensive expression as a correlated subquery, so that SQLite tests conditions on it last.

    SQLite tests the other conditions in their order in the query.
    """
    return f"(SELECT {expression})"


def _board(key: str, empty: str = ".", between: str = "/") -> str:
    """Return an SQL expression for a board as text, from the top row to the bottom row.

    ``X`` is Black, and ``O`` is White.
    """
    rows = []
    for row in range(SIZE):
        points = range(SIZE * row, SIZE * row + SIZE)
        rows.append(
            " || ".join(
                f"substr('{empty}XO', 1 + ({key} >> {point} & 1) + 2 * ({key} >> {point + POINTS} & 1), 1)"
                for point in points
            )
        )
    return _late((f" || '{between}'\n        || " if between else "\n        || ").join(rows))


def _move(number: str) -> str:
    return f"CASE WHEN {number} = {PASS} THEN 'PASS' ELSE ({number} / {SIZE}) || ',' || ({number} % {SIZE}) END"


def _integer(expression: str) -> str:
    """Return an expression as an integer, which SQLite can compare even with a number as text, as in a web address."""
    return f"CAST({expression} AS INTEGER)"


def _ply(key: str) -> str:
    return _integer(f"{GAME_PLIES} - ({key} >> 55 & 31)")


def _mover(key: str) -> str:
    return f"CASE {key} >> 55 & 1 WHEN 0 THEN 'Black' ELSE 'White' END"


def _winner(lo: str, hi: str, otherwise: str = "'undecided'") -> str:
    return f"CASE WHEN {lo} >= {BLACK_WINS} THEN 'Black' WHEN {hi} < {BLACK_WINS} THEN 'White' ELSE {otherwise} END"


def _score(value: str) -> str:
    """Return an SQL expression for a result, komi included, in the format of solver.bounds.score_text."""
    return f"printf('%s+%.1f', iif({value} < {BLACK_WINS}, 'W', 'B'), abs({value} - {BLACK_WINS - 0.5}))"


def _worth(lo: str, hi: str) -> str:
    """Return an SQL expression for bounds in words, komi included, in the format of solver.bounds.worth_text."""
    return f"""CASE
        WHEN {lo} = {hi} THEN {_score(lo)}
        WHEN {lo} = {BLACK_WINS} THEN 'Black wins'
        WHEN {lo} > {BLACK_WINS} THEN {_score(lo)} || ' or more'
        WHEN {hi} = {BLACK_WINS - 1} THEN 'White wins'
        WHEN {hi} < {BLACK_WINS} THEN {_score(hi)} || ' or more'
        ELSE 'undecided'
    END"""


def _best(key: str) -> str:
    """Return an SQL expression for the names of all moves that are known to keep the value of an exact position."""
    return f"""(
        SELECT group_concat({_move("move")}, ' ') FROM (
            SELECT best_move AS move WHERE best_move IS NOT NULL
            UNION SELECT move FROM moves WHERE moves.position = {key} AND CASE positions.mover
                WHEN 1 THEN moves.lo >= positions.lo
                ELSE moves.hi <= positions.hi
            END
            ORDER BY move
        ) WHERE positions.lo = positions.hi
    )"""


def _source(run: str, parameters: str) -> str:
    """Return an SQL expression for the origin of a position's bounds: the imported file, or the run's search."""
    return f"coalesce(json_extract({parameters}, '$.import'), 'search of run ' || {run}, 'unknown')"


def _explorer(key: str) -> str:
    ko = f"coalesce(nullif({key} >> 50 & 31, 0) - 1, '-')"
    passed = f"CASE WHEN {key} >> 60 THEN 'P' ELSE '-' END"
    return f"'{_EXPLORER}' || {_board(key, '_', '')} || '.' || ({_ply(key)}) || '.' || {ko} || '.' || {passed}"


# The meanings of columns that several tables have.
BOARD = "the five rows from the top, `X` Black, `O` White, `.` empty, in the stored orientation"
PASSED = "1 if the last ply was a PASS, else 0"
AFTER_BOARD = "the board after the move, turned to its own stored orientation"
PLY = "the number of plies played, 0 to 24; Black is to move if it is even"
MOVER = "the side to move, `Black` or `White`"
WINNER = "`Black`, `White` or `undecided`"
KEY = "the position's key, an integer of 61 bits"
KEY_TEXT = "the key as text, for programs that cannot hold 61 bits, such as JavaScript"
AFTER_KEY = "the key of the position after the move"
LO = "the lower bound: the value is proven to be this number or more"
HI = "the upper bound: the value is proven to be this number or less"
WORTH = (
    "the result under best play in words, komi included: `B+0.5`, `B+2.5 or more`, `Black wins`, `White wins`, "
    "`undecided`"
)
VALUE = "Black's stones less White's stones at the end under best play, or null if the value is not exactly known"
BEST_MOVE = "a move that keeps the mover's bound, `i,j` or `PASS`, or null"
BEST = "all moves that are known to be best, separated by blanks, or null if `lo` < `hi`"
MOVES_KNOWN = "1 if the value is exact and every move that is not in `best` is proven to be worse, else 0"
ORIGIN = (
    "how the bounds were found: `search`; `ply before`, from a best move that leads to the position; `ply after`, by "
    "minimax; null if a file claims the bounds, or if the way was not recorded"
)
EXPLORER = "the link to this position in the explorer, explorer.html"
AFTER_EXPLORER = "the link to the position after the move in the explorer, explorer.html"
SOURCE = "the source of the bounds: an imported file, or the search of a run"
NODES = "the number of positions that the searches for the row entered"
SECONDS = "the seconds that the searches for the row took"
LEGAL = "the number of legal moves, including PASS"
DIFFERENT = "the number of different moves; moves that lead to symmetric positions count as one"
WINNING = "the number of different moves that are proven to win for the mover"
LOSING = "the number of different moves that are proven to lose for the mover"
OPEN = "the number of different moves after which no winner is proven"
_ALIKE = "the move, or all moves that lead to symmetric positions"


@dataclass(frozen=True)
class View:
    """A view.

    text: the meaning of a row. columns: the expression and the meaning of each column. rows: the SQL from FROM on.
    given: the SQL before SELECT.
    """

    name: str
    text: str
    columns: Mapping[str, tuple[str, str]]
    rows: str
    given: str = ""

    @property
    def sql(self) -> str:
        """The statement that creates the view."""
        columns = ",\n".join(f"    {expression} AS {name}" for name, (expression, _) in self.columns.items())
        return f"CREATE VIEW {self.name} AS{self.given}\nSELECT\n{columns}\n{self.rows}"


POSITIONS = View(
    "positions_view",
    "Every stored position, with the board and the result in words.",
    {
        "board": (_board("key"), BOARD),
        "ply": ("ply", PLY),
        "mover": (_mover("key"), MOVER),
        "ko": (_move("ko"), "the point that the mover may not play, `i,j` (row, column), or null"),
        "passed": ("passed", PASSED),
        "winner": (_winner("lo", "hi"), WINNER),
        "worth": (_worth("lo", "hi"), WORTH),
        "value": (_integer("CASE WHEN lo = hi THEN lo END"), VALUE),
        "lo": ("lo", LO),
        "hi": ("hi", HI),
        "best_move": (_move("best_move"), BEST_MOVE),
        "best": (_best("positions.key"), BEST),
        "moves_known": ("moves_known", MOVES_KNOWN),
        "origin": ("origin", ORIGIN),
        "nodes": ("positions.nodes", NODES),
        "seconds": ("seconds", SECONDS),
        "source": (_source("run", "parameters"), SOURCE),
        "explorer": (_explorer("key"), EXPLORER),
        "key_text": ("CAST(key AS TEXT)", KEY_TEXT),
        "key": ("key", KEY),
    },
    "FROM positions LEFT JOIN runs ON runs.id = positions.run",
)

_ENDED = "(legal_moves.child >> 55 & 31) = 0"
_MARGIN = "length(replace(after_board, 'O', '')) - length(replace(after_board, 'X', ''))"

# The bounds of a move are the intersection of the bounds from four sources: the position after the move, the record of
# the move, the margin if the game ends, and the position before the move. No move is worth more to its mover than the
# position, and the best move and each move symmetric to it have the value of the position. If all best moves are known,
# they are recorded, and any other move is worse.
_AS_GOOD = "legal_moves.child = best_link.child"
_WORSE = "(before.moves_known AND moves.move IS NULL)"
_LINKED = f"""
WITH
    linked AS (
        SELECT
            before.key,
            before.ply,
            legal_moves.child AS after_key,
            legal_moves.move,
            {_ENDED} AS ended,
            {_board("legal_moves.child")} AS after_board,
            before.lo AS before_lo,
            before.hi AS before_hi,
            max(
                coalesce(after.lo, {LEAST}),
                coalesce(moves.lo, {LEAST}),
                CASE WHEN before.mover = 2 OR {_AS_GOOD} THEN before.lo + {_WORSE} ELSE {LEAST} END
            ) AS least,
            min(
                coalesce(after.hi, {MOST}),
                coalesce(moves.hi, {MOST}),
                CASE WHEN before.mover = 1 OR {_AS_GOOD} THEN before.hi - {_WORSE} ELSE {MOST} END
            ) AS most,
            CASE
                WHEN {_ENDED} THEN 'end of the game'
                WHEN after.key IS NOT NULL THEN {_source("after.run", "runs.parameters")}
                WHEN moves.move IS NOT NULL THEN 'recorded with the move'
            END AS told_by
        -- A CROSS JOIN keeps this order: conditions on the position are tested once for all of its moves.
        FROM positions AS before
            CROSS JOIN legal_moves ON legal_moves.position = before.key
            LEFT JOIN legal_moves AS best_link
                ON best_link.position = legal_moves.position AND best_link.move = before.best_move
            LEFT JOIN positions AS after ON after.key = legal_moves.child
            LEFT JOIN moves ON moves.position = legal_moves.position AND moves.move = legal_moves.move
            LEFT JOIN runs ON runs.id = after.run
    ),
    known AS (
        SELECT
            *,
            CASE WHEN ended THEN {_MARGIN} ELSE least END AS lo,
            CASE WHEN ended THEN {_MARGIN} ELSE most END AS hi
        FROM linked
    )"""

MOVES = View(
    "moves_view",
    "Every legal move of the stored positions, with the proven bounds of the position after the move.",
    {
        "board": (_board("key"), BOARD + ", before the move"),
        "ply": ("ply", "the number of plies played before the move; Black is to move if it is even"),
        "mover": (_mover("key"), "the side that makes the move, `Black` or `White`"),
        "move": (_move("move"), "`i,j` (row, column from the top left) or `PASS`, on `board`"),
        "winner": (
            _winner("lo", "hi", "CASE WHEN told_by IS NULL THEN 'not in the store' ELSE 'undecided' END"),
            "the winner after the move: `Black`, `White`, `undecided`, or `not in the store`",
        ),
        "worth": (_worth("lo", "hi"), WORTH),
        "value": (_integer("CASE WHEN lo = hi THEN lo END"), VALUE),
        "lo": (_integer("lo"), LO),
        "hi": (_integer("hi"), HI),
        "points_lost": (
            _integer("CASE WHEN lo = hi AND before_lo = before_hi THEN abs(before_lo - lo) END"),
            "the points that the move loses compared with the best move, or null if a value is not exactly known",
        ),
        "source": (
            f"coalesce(told_by, CASE WHEN hi - lo < {MOST - LEAST} THEN 'position before the move' ELSE 'none' END)",
            "the source of the bounds: the file or run with the position after the move, `end of the game`, "
            "`recorded with the move`, `position before the move` (its bounds limit the move's bounds), or `none`",
        ),
        "after_board": ("after_board", AFTER_BOARD),
        "explorer": (_explorer("after_key"), AFTER_EXPLORER),
        "key_text": ("CAST(key AS TEXT)", KEY_TEXT),
        "after_key_text": ("CAST(after_key AS TEXT)", AFTER_KEY + ", as text"),
        "key": ("key", KEY),
        "after_key": ("after_key", AFTER_KEY),
    },
    "FROM known",
    _LINKED,
)

#: The first and the last columns of the following views, from positions_view.
_PLACE = {"board": ("board", BOARD), "ply": ("ply", PLY), "mover": ("mover", MOVER)}
_LINKS = {
    "explorer": ("explorer", EXPLORER),
    "key_text": ("positions_view.key_text", KEY_TEXT),
    "key": ("positions_view.key", KEY),
}

ONLY_MOVES = View(
    "only_moves",
    "Positions in which one move wins and every other move is proven to lose. Symmetric moves count as one.",
    {
        **_PLACE,
        "move": (
            "(SELECT group_concat(move, ' ') FROM moves_view"
            " WHERE moves_view.key = positions_view.key AND winner = mover)",
            _ALIKE,
        ),
        "moves": ("different", "the number of different moves"),
        "worth": ("worth", WORTH),
        "second_value": (
            "second_value",
            "the value after the best of the other moves, or null if not all values are known",
        ),
        "source": ("source", SOURCE),
        **_LINKS,
    },
    """FROM move_counts JOIN positions_view ON positions_view.key = move_counts.key
WHERE winning = 1 AND undecided = 0 AND different > 1""",
)

HARDEST = View(
    "hardest",
    "Positions by the cost of their search, the most expensive first. A position whose value follows from later "
    "positions has 0 nodes.",
    {
        **_PLACE,
        "winner": ("winner", WINNER),
        "worth": ("worth", WORTH),
        "best_move": ("best_move", BEST_MOVE),
        "nodes": ("nodes", NODES),
        "legal": ("legal", LEGAL + "; null if the moves are not stored"),
        "different": ("different", DIFFERENT),
        "winning": ("winning", WINNING),
        "losing": ("losing", LOSING),
        "undecided": ("undecided", OPEN),
        **_LINKS,
    },
    """FROM positions_view LEFT JOIN move_counts ON move_counts.key = positions_view.key
ORDER BY nodes DESC, positions_view.key""",
)

_TRIED = f"""
WITH
    tried AS (
        SELECT key, after_key, group_concat({_move("move")}, ' ') AS move
        FROM (
            SELECT position AS key, child AS after_key, move FROM legal_moves
            WHERE position IN (
                SELECT key FROM positions WHERE CASE mover WHEN 1 THEN hi < {BLACK_WINS} ELSE lo >= {BLACK_WINS} END
            )
            ORDER BY move
        )
        GROUP BY key, after_key
    )"""

TRAPS = View(
    "traps",
    "Moves in lost positions, by the share of the opponent's replies that throw the win away, the largest first. "
    "The view has only moves after which the winner is proven for every reply.",
    {
        "board": ("positions_view.board", BOARD + ", before the move"),
        "ply": ("positions_view.ply", "the number of plies played before the move; Black is to move if it is even"),
        "mover": ("positions_view.mover", "the losing side, `Black` or `White`, which sets the trap"),
        "worth": ("positions_view.worth", WORTH),
        "move": ("tried.move", _ALIKE),
        "replies": ("legal", "the number of the opponent's legal replies, including PASS"),
        "different_replies": ("different", DIFFERENT),
        "holding": ("winning", "the number of different replies that keep the win"),
        "failing": ("losing", "the number of different replies that throw the win away"),
        "failing_share": ("CAST(round(1.0 * losing / different, 3) AS REAL)", "failing / different_replies"),
        "after_board": (_board("after_key"), AFTER_BOARD),
        "explorer": (_explorer("after_key"), AFTER_EXPLORER),
        "key_text": ("positions_view.key_text", KEY_TEXT),
        "after_key_text": ("CAST(after_key AS TEXT)", AFTER_KEY + ", as text"),
        "key": ("positions_view.key", KEY),
        "after_key": ("after_key", AFTER_KEY),
    },
    """FROM tried
    JOIN positions_view ON positions_view.key = tried.key
    JOIN move_counts ON move_counts.key = tried.after_key
WHERE undecided = 0 AND losing > 0
ORDER BY failing_share DESC, holding, positions_view.key, after_key""",
    _TRIED,
)

SWINGS = View(
    "largest_swings",
    "Positions by the points that the second best move loses compared with the best move, the most points first. The "
    "view has only positions in which every move's value is known.",
    {
        **_PLACE,
        "worth": ("worth", WORTH),
        "best_move": ("best_move", BEST_MOVE),
        "moves": ("different", "the number of different moves"),
        "best_value": ("best_value", "the value after the best move"),
        "second_value": (
            "second_value",
            "the value after the best of the other moves, which is the same if two moves are best",
        ),
        "worst_value": ("worst_value", "the value after the worst move"),
        "lost_by_second": (
            _integer("abs(best_value - second_value)"),
            "the points that the second best move loses compared with the best move",
        ),
        "lost_by_worst": (
            _integer("abs(best_value - worst_value)"),
            "the points that the worst move loses compared with the best move",
        ),
        **_LINKS,
    },
    """FROM move_counts JOIN positions_view ON positions_view.key = move_counts.key
WHERE second_value IS NOT NULL
ORDER BY lost_by_second DESC, lost_by_worst DESC, positions_view.key""",
)

#: The views, in the order of their dependencies.
VIEWS = (POSITIONS, MOVES, ONLY_MOVES, HARDEST, TRAPS, SWINGS)


class Described(NamedTuple):
    """The description of a table or view: the meaning of a row, and the meanings of the columns in their order."""

    text: str
    columns: dict[str, str]


TABLES = {
    "positions": Described(
        "The proven bounds of each position. Symmetric positions share one row.",
        {
            "key": KEY,
            "black": "Black's stones, with a bit for each point, from the key",
            "white": "White's stones, with a bit for each point, from the key",
            "ko": "the point that the mover may not play, 0 to 24, or null, from the key",
            "ply": PLY + ", from the key",
            "mover": "1 Black, 2 White, from the key",
            "passed": PASSED + ", from the key",
            "lo": LO,
            "hi": HI,
            "best_move": "a move that keeps the mover's bound (lo for Black, hi for White), 0 to 25, or null",
            "nodes": NODES,
            "seconds": SECONDS,
            "run": "the run that last improved the row",
            "maker": "the cluster's worker, in `makers`, that last improved the row; null for the run's machine",
            "moves_known": "1 if the value is exact, `moves` has all best moves, and all other moves are worse; else 0",
            "origin": ORIGIN,
        },
    ),
    "moves": Described(
        "The proven bounds of single moves. A move without bounds has no row.",
        {
            "position": "the key of the position before the move",
            "move": "0 to 24, or 25 for PASS, in the stored orientation",
            "child": "the key of the position after the move, or null if the move ends the game",
            "lo": LO,
            "hi": HI,
        },
    ),
    "legal_moves": Described(
        "All legal moves of the positions that were stored at the last `little-go import` or `little-go book moves`.",
        {
            "position": "the key of the position before the move",
            "move": "0 to 24, or 25 for PASS, in the stored orientation",
            "child": "the key of the position after the move, turned to its own stored orientation",
        },
    ),
    "move_counts": Described(
        "The numbers of winning and losing moves of a position, and the values of its best moves, as of the last "
        "`little-go import` or `little-go book moves`.",
        {
            "key": KEY,
            "legal": LEGAL,
            "different": DIFFERENT,
            "winning": WINNING,
            "losing": LOSING,
            "undecided": OPEN,
            "exact": "the number of different moves whose value is exactly known",
            "best_value": "the value after the best move, or null if not all values are known",
            "second_value": "the value after the best of the other moves, or null if not all values are known",
            "worst_value": "the value after the worst move, or null if not all values are known",
        },
    ),
    "statements": Described(
        "The statement of each imported file about a position; `positions` has the bounds merged from all sources.",
        {
            "position": "the key of the position",
            "run": "the run that imported the file; its `parameters` contain the file's name",
            "lo": "the lower bound in the file: the value is this number or more",
            "hi": "the upper bound in the file: the value is this number or less",
            "best_move": "the file's move, 0 to 24 or 25 for PASS, in the stored orientation, or null",
        },
    ),
    "choices": Described(
        "The moves of our player (`little-go generator closure`).",
        {
            "position": "the key of the position",
            "move": "0 to 24, or 25 for PASS, in the stored orientation",
            "solver_nodes": "the nodes of the player's own search for the move, or null if the book must contain it",
            "chance": "in a lost position, the chance that a modelled opponent throws the win away, 0 to 1",
            "run": "the run that chose the move",
        },
    ),
    "runs": Described(
        "The runs of the generator and the imports.",
        {
            "id": "the number of the run",
            "parameters": "the options of the run, as JSON; `import` is the name of an imported file",
            "machine": "the machine of the run",
            "python": "the version of Python",
            "version": "the version of Little-Go",
            "started": "the time at which the run began",
            "ended": "the time at which the run ended, or null if it was killed",
            "outcome": "`complete`, `interrupted`, `budget spent` or `failed`",
            "nodes": "the number of positions searched",
            "peak_mib": "the largest peak memory of a worker, in MiB",
            "believed": "a summary of the rows that the run used without searching them again, as JSON",
        },
    ),
    "makers": Described(
        "The workers of a cluster that took part in a run; see [SCALING.md](guides/SCALING.md#a-cluster).",
        {
            "id": "the number of the worker in this run",
            "run": "the run",
            "worker": "the name of the worker, which is its address at the scheduler",
            "host": "the host in the worker's address; empty in runs of older versions",
            "code": "the hash of the worker's code, as reported by the worker",
        },
    ),
    "identity": Described("The store's unique name.", {"name": "32 hexadecimal digits, which never change"}),
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
        "The number of positions of each ply that are exact, decided or undecided, and the cost of their search.",
        {
            "ply": PLY,
            "status": "`exact` (lo = hi), `decided` (the winner is proven) or `undecided`",
            "positions": "the number of positions",
            "nodes": "the number of positions that the searches entered",
            "seconds": "the seconds that the searches took",
        },
    ),
    "closure": Described(
        "A summary of our player's choices, by ply and result.",
        {
            "ply": PLY,
            "side": "the choosing side, `Black` or `White`",
            "result": "`won` or `lost` for the choosing side",
            "positions": "the number of positions",
            "decided_by_player": "the number of positions that the player's own search decides",
            "mean_chance": "in lost positions, the mean chance that a modelled opponent throws the win away",
        },
    ),
}
TABLES["frontier"] = Described(TABLES["frontier"].text, TABLES["positions"].columns)


def schema_text(names: Sequence[str] = ()) -> str:
    """Return the descriptions of all tables and views, or of ``names``, as text.

    Raise KeyError if a name is unknown.
    """
    return "\n\n".join("\n".join(_block(name, TABLES[name])) for name in names or tuple(TABLES))


def _block(name: str, described: Described) -> Iterator[str]:
    yield f"{name}: {described.text}"
    width = max(map(len, described.columns))
    for column, text in described.columns.items():
        yield f"  {column:{width}}  {text}"


def schema_markdown() -> str:
    """Return the descriptions of all tables and views as a page in Markdown."""
    parts = []
    for name, (text, columns) in TABLES.items():
        rows = [f"| `{column}` | {words} |" for column, words in columns.items()]
        parts.append("\n".join([f"## `{name}`", "", text, "", "| column | meaning |", "|---|---|", *rows]))
    return "\n\n".join(parts)
