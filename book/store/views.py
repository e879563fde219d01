"""The store's views for people: boards, moves and verdicts in words, in plain SQL that every SQLite program knows.

A position is one integer, its key (drawn in docs/DATABASE.md). The expressions here take it apart by shifts and masks.
"""

from solver.answer import BLACK_WINS, LEAST, MOST
from solver.position import PASS, POINTS, SIZE

_EXPLORER = "explorer.html#from="


def _board(key: str, empty: str = ".", between: str = "/") -> str:
    """Return an expression for a board as text, the rows from the top: ``X`` Black, ``O`` White."""
    rows = []
    for row in range(SIZE):
        points = range(SIZE * row, SIZE * row + SIZE)
        rows.append(
            " || ".join(
                f"substr('{empty}XO', 1 + ({key} >> {point} & 1) + 2 * ({key} >> {point + POINTS} & 1), 1)"
                for point in points
            )
        )
    return (f" || '{between}'\n        || " if between else "\n        || ").join(rows)


def _move(number: str) -> str:
    """Return an expression for a move's name, null for a null."""
    return f"CASE WHEN {number} = {PASS} THEN 'PASS' ELSE ({number} / {SIZE}) || ',' || ({number} % {SIZE}) END"


def _integer(expression: str) -> str:
    """Return an expression that compares with numbers written as text too, as they come from forms and addresses."""
    return f"CAST({expression} AS INTEGER)"


def _ply(key: str) -> str:
    return _integer(f"24 - ({key} >> 55 & 31)")


def _mover(key: str) -> str:
    return f"CASE {key} >> 55 & 1 WHEN 0 THEN 'Black' ELSE 'White' END"


def _winner(lo: str, hi: str, otherwise: str = "'undecided'") -> str:
    """Return an expression for who wins, given bounds on the value."""
    return f"CASE WHEN {lo} >= {BLACK_WINS} THEN 'Black' WHEN {hi} < {BLACK_WINS} THEN 'White' ELSE {otherwise} END"


def _worth(lo: str, hi: str) -> str:
    """Return an expression for bounds in words, as book.drawing.report writes them."""
    return f"""CASE
        WHEN {lo} = {hi} THEN printf('%+d', {lo})
        WHEN {lo} = {LEAST} AND {hi} = {MOST} THEN 'unknown'
        WHEN {lo} = {LEAST} THEN printf('%+d or less', {hi})
        WHEN {hi} = {MOST} THEN printf('%+d or more', {lo})
        ELSE printf('%+d to %+d', {lo}, {hi})
    END"""


def _source(run: str, parameters: str) -> str:
    """Return an expression for what last improved a position: the file that a run imported, or its search."""
    return f"coalesce(json_extract({parameters}, '$.import'), 'search of run ' || {run}, 'unknown')"


def _explorer(key: str) -> str:
    """Return an expression for the link to a position's page."""
    ko = f"coalesce(nullif({key} >> 50 & 31, 0) - 1, '-')"
    passed = f"CASE WHEN {key} >> 60 THEN 'P' ELSE '-' END"
    return f"'{_EXPLORER}' || {_board(key, '_', '')} || '.' || ({_ply(key)}) || '.' || {ko} || '.' || {passed}"


POSITIONS = f"""
CREATE VIEW positions_view AS
SELECT
    {_board("key")} AS board,
    ply,
    {_mover("key")} AS mover,
    {_move("ko")} AS ko,
    CASE WHEN passed THEN 'yes' ELSE 'no' END AS passed,
    {_winner("lo", "hi")} AS winner,
    {_worth("lo", "hi")} AS worth,
    {_integer("CASE WHEN lo = hi THEN lo END")} AS value,
    lo,
    hi,
    {_move("best")} AS best_move,
    positions.nodes,
    seconds,
    {_source("run", "parameters")} AS source,
    {_explorer("key")} AS explorer,
    CAST(key AS TEXT) AS key_text,
    key
FROM positions LEFT JOIN runs ON runs.id = positions.run
"""

_ENDED = "(legal_moves.child >> 55 & 31) = 0"
_MARGIN = "length(replace(after_board, 'O', '')) - length(replace(after_board, 'X', ''))"

# The bounds of the position after a move come from its row, from the record of the move, from the score on the board at
# the end of the game, and from the position before. No move is worth more to its mover than the
# position is, and the best one, with those alike, is worth as much.
_AS_GOOD = "legal_moves.child = best_link.child"
MOVES = f"""
CREATE VIEW moves_view AS
WITH
    linked AS (
        SELECT
            legal_moves.position AS key,
            legal_moves.child AS after_key,
            legal_moves.move,
            {_ENDED} AS ended,
            {_board("legal_moves.child")} AS after_board,
            before.lo AS before_lo,
            before.hi AS before_hi,
            max(
                coalesce(after.lo, {LEAST}),
                coalesce(moves.lo, {LEAST}),
                CASE WHEN before.mover = 2 OR {_AS_GOOD} THEN before.lo ELSE {LEAST} END
            ) AS least,
            min(
                coalesce(after.hi, {MOST}),
                coalesce(moves.hi, {MOST}),
                CASE WHEN before.mover = 1 OR {_AS_GOOD} THEN before.hi ELSE {MOST} END
            ) AS most,
            CASE
                WHEN {_ENDED} THEN 'end of the game'
                WHEN after.key IS NOT NULL THEN {_source("after.run", "runs.parameters")}
                WHEN moves.move IS NOT NULL THEN 'recorded with the move'
            END AS told_by
        FROM legal_moves
            JOIN positions AS before ON before.key = legal_moves.position
            LEFT JOIN legal_moves AS best_link
                ON best_link.position = legal_moves.position AND best_link.move = before.best
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
    )
SELECT
    {_board("key")} AS board,
    {_ply("key")} AS ply,
    {_mover("key")} AS mover,
    {_move("move")} AS move,
    {_winner("lo", "hi", "CASE WHEN told_by IS NULL THEN 'not in the store' ELSE 'undecided' END")} AS winner,
    {_worth("lo", "hi")} AS worth,
    {_integer("CASE WHEN lo = hi THEN lo END")} AS value,
    {_integer("lo")} AS lo,
    {_integer("hi")} AS hi,
    {_integer("CASE WHEN lo = hi AND before_lo = before_hi THEN abs(before_lo - lo) END")} AS points_lost,
    coalesce(told_by, CASE WHEN hi - lo < {MOST - LEAST} THEN 'position before the move' ELSE 'none' END) AS source,
    after_board,
    {_explorer("after_key")} AS explorer,
    CAST(key AS TEXT) AS key_text,
    CAST(after_key AS TEXT) AS after_key_text,
    key,
    after_key
FROM known
"""

#: Fills move_counts anew. Counted once and kept, as counting a million moves at every question would take seconds.
#: Moves that lead to the same position but for a turn or a reflection have one key after them, and count once.
COUNT_MOVES = f"""
INSERT OR REPLACE INTO move_counts (key, legal, different, winning, losing, undecided, exact, best, second, worst)
WITH
    different AS (
        SELECT key, after_key, key >> 55 & 1 AS is_white, count(*) AS alike, max(lo) AS lo, min(hi) AS hi
        FROM moves_view GROUP BY key, after_key
    ),
    ranked AS (
        SELECT
            *,
            CASE WHEN is_white THEN hi < {BLACK_WINS} ELSE lo >= {BLACK_WINS} END AS wins,
            CASE WHEN is_white THEN lo >= {BLACK_WINS} ELSE hi < {BLACK_WINS} END AS loses,
            row_number() OVER (
                PARTITION BY key ORDER BY CASE WHEN is_white THEN hi ELSE -lo END, after_key
            ) AS rank
        FROM different
    )
SELECT
    key,
    sum(alike),
    count(*),
    sum(wins),
    sum(loses),
    count(*) - sum(wins) - sum(loses),
    sum(lo = hi),
    CASE WHEN sum(lo = hi) = count(*) THEN max(CASE WHEN rank = 1 THEN lo END) END,
    CASE WHEN sum(lo = hi) = count(*) THEN max(CASE WHEN rank = 2 THEN lo END) END,
    CASE WHEN sum(lo = hi) = count(*) THEN CASE WHEN is_white THEN max(lo) ELSE min(lo) END END
FROM ranked GROUP BY key, is_white
"""

ONLY_MOVES = """
CREATE VIEW only_moves AS
SELECT
    board,
    ply,
    mover,
    (
        SELECT group_concat(move, ' ') FROM moves_view WHERE moves_view.key = positions_view.key AND winner = mover
    ) AS move,
    different AS moves,
    worth,
    second AS second_value,
    source,
    explorer,
    positions_view.key_text,
    positions_view.key
FROM move_counts JOIN positions_view ON positions_view.key = move_counts.key
WHERE winning = 1 AND undecided = 0 AND different > 1
"""

HARDEST = """
CREATE VIEW hardest AS
SELECT
    board,
    ply,
    mover,
    winner,
    worth,
    best_move,
    nodes,
    legal,
    different,
    winning,
    losing,
    undecided,
    explorer,
    positions_view.key_text,
    positions_view.key
FROM positions_view LEFT JOIN move_counts ON move_counts.key = positions_view.key
ORDER BY nodes DESC, positions_view.key
"""

TRAPS = f"""
CREATE VIEW traps AS
WITH
    tried AS (
        SELECT key, after_key, group_concat({_move("move")}, ' ') AS move
        FROM (
            SELECT position AS key, child AS after_key, move FROM legal_moves
            WHERE position IN (SELECT key FROM positions WHERE CASE mover WHEN 1 THEN hi < 3 ELSE lo >= 3 END)
            ORDER BY move
        )
        GROUP BY key, after_key
    )
SELECT
    positions_view.board,
    positions_view.ply,
    positions_view.mover,
    positions_view.worth,
    tried.move,
    legal AS replies,
    different AS different_replies,
    winning AS holding,
    losing AS failing,
    CAST(round(1.0 * losing / different, 3) AS REAL) AS failing_share,
    {_board("after_key")} AS after_board,
    {_explorer("after_key")} AS explorer,
    positions_view.key_text,
    CAST(after_key AS TEXT) AS after_key_text,
    positions_view.key,
    after_key
FROM tried
    JOIN positions_view ON positions_view.key = tried.key
    JOIN move_counts ON move_counts.key = tried.after_key
WHERE undecided = 0 AND losing > 0
ORDER BY failing_share DESC, holding, positions_view.key, after_key
"""

SWINGS = f"""
CREATE VIEW largest_swings AS
SELECT
    board,
    ply,
    mover,
    worth,
    best_move,
    different AS moves,
    best AS best_value,
    second AS second_value,
    worst AS worst_value,
    {_integer("abs(best - second)")} AS lost_by_second,
    {_integer("abs(best - worst)")} AS lost_by_worst,
    explorer,
    positions_view.key_text,
    positions_view.key
FROM move_counts JOIN positions_view ON positions_view.key = move_counts.key
WHERE second IS NOT NULL
ORDER BY lost_by_second DESC, lost_by_worst DESC, positions_view.key
"""

#: In the order in which they need each other.
VIEWS = (POSITIONS, MOVES, ONLY_MOVES, HARDEST, TRAPS, SWINGS)
