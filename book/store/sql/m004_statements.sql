-- Create the table of the statements of each imported file about a position, by the run that imported the file.
--
-- ``lo``, ``hi``, ``best``: the bounds and the move in the file. ``positions`` has the bounds merged from all sources.
-- The run's parameters contain the file's name, SHA-256 and kind: atlas, book or certificate.

CREATE TABLE statements (
    position INTEGER NOT NULL REFERENCES positions (key),
    run INTEGER NOT NULL REFERENCES runs (id),
    lo INTEGER NOT NULL CHECK (lo >= -24),
    hi INTEGER NOT NULL CHECK (hi <= 24),
    best INTEGER CHECK (best BETWEEN 0 AND 25),
    PRIMARY KEY (position, run),
    CHECK (lo <= hi)
) STRICT, WITHOUT ROWID;
