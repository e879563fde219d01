"""The tables of the proof store, one migration per change.

``positions.key`` holds the whole position, so the columns for people (black, white, ko, ply,
mover, passed) and the status are virtual: computed when read, stored nowhere, never out of step.
"""

from sqlite_utils import Database, Migrations

from book.store.views import VIEWS

#: Marks a SQLite file as ours (``PRAGMA application_id``): "LGo5".
APPLICATION_ID = 0x4C476F35

migrations = Migrations("little-go")


@migrations()
def m001_positions_moves_runs(db: Database) -> None:
    """Create the three tables and the views for people."""
    db.executescript(
        f"""
        PRAGMA application_id = {APPLICATION_ID};

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
        """
    )


@migrations()
def m002_choices_and_costs_of_runs(db: Database) -> None:
    """Create the table of our moves, and note what runs cost.

    ``choices``: the closure. ``solver_nodes``: what the player's own solver needs to decide the position
    from cold, null when that is not known or more than its limit; ``chance``: in a lost position, how
    likely a modelled opponent is to throw the win away later on.
    """
    db.executescript(
        """
        ALTER TABLE runs ADD COLUMN nodes INTEGER;
        ALTER TABLE runs ADD COLUMN peak_mib INTEGER;

        CREATE TABLE choices (
            position INTEGER PRIMARY KEY REFERENCES positions (key),
            move INTEGER NOT NULL CHECK (move BETWEEN 0 AND 25),
            solver_nodes INTEGER CHECK (solver_nodes >= 0),
            chance REAL CHECK (chance BETWEEN 0 AND 1),
            run INTEGER REFERENCES runs (id)
        ) STRICT;

        CREATE VIEW closure AS
            SELECT
                ply,
                CASE mover WHEN 1 THEN 'Black' ELSE 'White' END AS side,
                CASE WHEN (lo >= 3) = (mover = 1) THEN 'won' ELSE 'lost' END AS result,
                count(*) AS positions,
                count(solver_nodes) AS decided_by_player,
                avg(chance) AS mean_chance
            FROM choices JOIN positions ON positions.key = choices.position
            GROUP BY ply, result ORDER BY ply, result;
        """
    )


@migrations()
def m003_identity_and_what_runs_believed(db: Database) -> None:
    """Give the store a name of its own, by which other files tell that they belong to it, and note what runs believed.

    ``believed``: JSON, as book.store.facts.Believed.record() has it; null for runs of before this column.
    """
    db.executescript(
        """
        CREATE TABLE identity (name TEXT NOT NULL) STRICT;
        INSERT INTO identity (name) VALUES (lower(hex(randomblob(16))));

        ALTER TABLE runs ADD COLUMN believed TEXT CHECK (believed IS NULL OR json_valid(believed));
        """
    )


@migrations()
def m004_statements(db: Database) -> None:
    """Create the table of what each imported file says of a position, by the run that imported it.

    ``lo``, ``hi``, ``best``: as the file has them; in ``positions`` they are merged with all else that is known. The
    run's parameters name the file, its SHA-256 and its kind: atlas, book or certificate.
    """
    db.executescript(
        """
        CREATE TABLE statements (
            position INTEGER NOT NULL REFERENCES positions (key),
            run INTEGER NOT NULL REFERENCES runs (id),
            lo INTEGER NOT NULL CHECK (lo >= -24),
            hi INTEGER NOT NULL CHECK (hi <= 24),
            best INTEGER CHECK (best BETWEEN 0 AND 25),
            PRIMARY KEY (position, run),
            CHECK (lo <= hi)
        ) STRICT, WITHOUT ROWID;
        """
    )


@migrations()
def m005_legal_moves_and_views_for_people(db: Database) -> None:
    """Create the tables that book/store/links.py fills, of the legal moves and what they come to, and the views."""
    db.executescript(
        """
        CREATE TABLE legal_moves (
            position INTEGER NOT NULL REFERENCES positions (key),
            move INTEGER NOT NULL CHECK (move BETWEEN 0 AND 25),
            child INTEGER NOT NULL,
            PRIMARY KEY (position, move)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE move_counts (
            key INTEGER PRIMARY KEY REFERENCES positions (key),
            legal INTEGER NOT NULL,
            different INTEGER NOT NULL,
            winning INTEGER NOT NULL,
            losing INTEGER NOT NULL,
            undecided INTEGER NOT NULL,
            exact INTEGER NOT NULL,
            best INTEGER,
            second INTEGER,
            worst INTEGER
        ) STRICT;
        """
    )
    for view in VIEWS:
        # One statement: executescript() looks for where each ends, which takes longer than all else.
        db.execute(view.sql)
