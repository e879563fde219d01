-- Create the tables runs, positions and moves, and the first views.

PRAGMA application_id = 0x4C476F35;

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    parameters TEXT NOT NULL CHECK (json_valid(parameters)),
    machine TEXT NOT NULL,
    python TEXT NOT NULL,
    version TEXT NOT NULL,
    started TEXT NOT NULL,
    ended TEXT,
    outcome TEXT
) STRICT;

CREATE TABLE positions (
    key INTEGER PRIMARY KEY CHECK (key BETWEEN 0 AND 2305843009213693951),
    black INTEGER GENERATED ALWAYS AS (key & 33554431) VIRTUAL,
    white INTEGER GENERATED ALWAYS AS (key >> 25 & 33554431) VIRTUAL,
    ko INTEGER GENERATED ALWAYS AS (nullif(key >> 50 & 31, 0) - 1) VIRTUAL,
    ply INTEGER GENERATED ALWAYS AS (24 - (key >> 55 & 31)) VIRTUAL,
    mover INTEGER GENERATED ALWAYS AS (1 + (key >> 55 & 1)) VIRTUAL,
    passed INTEGER GENERATED ALWAYS AS (key >> 60) VIRTUAL,
    lo INTEGER NOT NULL CHECK (lo >= -24),
    hi INTEGER NOT NULL CHECK (hi <= 24),
    status TEXT GENERATED ALWAYS AS (
        CASE WHEN lo = hi THEN 'exact' WHEN lo >= 3 OR hi <= 2 THEN 'decided' ELSE 'undecided' END
    ) VIRTUAL,
    best INTEGER CHECK (best BETWEEN 0 AND 25),
    nodes INTEGER NOT NULL CHECK (nodes >= 0),
    seconds REAL NOT NULL CHECK (seconds >= 0),
    run INTEGER REFERENCES runs (id),
    CHECK (lo <= hi)
) STRICT;

CREATE TABLE moves (
    position INTEGER NOT NULL REFERENCES positions (key),
    move INTEGER NOT NULL CHECK (move BETWEEN 0 AND 25),
    child INTEGER,
    lo INTEGER NOT NULL CHECK (lo >= -24),
    hi INTEGER NOT NULL CHECK (hi <= 24),
    PRIMARY KEY (position, move),
    CHECK (lo <= hi)
) STRICT, WITHOUT ROWID;

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
        CASE
            WHEN known.lo >= 3 THEN 'Black wins' WHEN known.hi <= 2 THEN 'White wins' ELSE 'undecided'
        END AS result,
        CASE WHEN best < 25 THEN (best / 5) || ',' || (best % 5) WHEN best = 25 THEN 'PASS' END AS reply,
        nodes,
        seconds
    FROM known JOIN point ON known.key & 33554431 = 1 << number LEFT JOIN positions USING (key)
    ORDER BY known.lo + known.hi DESC, number;

CREATE VIEW frontier AS
    SELECT * FROM positions WHERE status = 'undecided' ORDER BY ply, key;

CREATE VIEW progress AS
    SELECT ply, status, count(*) AS positions, sum(nodes) AS nodes, sum(seconds) AS seconds
    FROM positions GROUP BY ply, status ORDER BY ply, status;
