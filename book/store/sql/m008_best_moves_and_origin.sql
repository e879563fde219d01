-- Store whether all best moves of a position are known, and how its bounds were found. Rename columns so that each name
-- has one meaning: ``best_move`` is a move, ``best_value`` is a value, and ``winner`` is a side.
--
-- ``moves_known``: 1 if the value is exact and ``moves`` has all best moves, so the other moves are worse.
-- ``origin``: the way in which the bounds were last improved; null if a file claims them, or in older rows.

DROP VIEW IF EXISTS largest_swings;
DROP VIEW IF EXISTS traps;
DROP VIEW IF EXISTS hardest;
DROP VIEW IF EXISTS only_moves;
DROP VIEW IF EXISTS moves_view;
DROP VIEW IF EXISTS positions_view;
DROP VIEW openings;
DROP VIEW frontier;

ALTER TABLE positions RENAME COLUMN best TO best_move;
ALTER TABLE positions ADD COLUMN moves_known INTEGER NOT NULL DEFAULT 0 CHECK (moves_known IN (0, 1));
ALTER TABLE positions ADD COLUMN origin TEXT CHECK (origin IN ('search', 'ply before', 'ply after'));
ALTER TABLE statements RENAME COLUMN best TO best_move;
ALTER TABLE move_counts RENAME COLUMN best TO best_value;
ALTER TABLE move_counts RENAME COLUMN second TO second_value;
ALTER TABLE move_counts RENAME COLUMN worst TO worst_value;

CREATE VIEW openings AS
    WITH RECURSIVE
        point (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM point WHERE number < 24),
        reached (key, lo, hi) AS (
            SELECT key, lo, hi FROM positions WHERE ply = 1
            UNION ALL
            SELECT child, lo, hi FROM moves WHERE position = 24 << 55 AND child IS NOT NULL
        ),
        known (key, lo, hi) AS (SELECT key, max(lo), min(hi) FROM reached GROUP BY key)
    SELECT
        (number / 5) || ',' || (number % 5) AS move,
        known.lo,
        known.hi,
        CASE WHEN known.lo >= 3 THEN 'Black' WHEN known.hi <= 2 THEN 'White' ELSE 'undecided' END AS winner,
        CASE WHEN best_move < 25 THEN (best_move / 5) || ',' || (best_move % 5) WHEN best_move = 25 THEN 'PASS' END
            AS reply,
        nodes,
        seconds
    FROM known JOIN point ON known.key & 33554431 = 1 << number LEFT JOIN positions USING (key)
    ORDER BY known.lo + known.hi DESC, number;

CREATE VIEW frontier AS
    SELECT * FROM positions WHERE status = 'undecided' ORDER BY ply, key;
