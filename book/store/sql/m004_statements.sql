-- Create the table of what each imported file says of a position, by the run that imported it.
--
-- ``lo``, ``hi``, ``best``: as the file has them; in ``positions`` they are merged with all else that is known. The
-- run's parameters name the file, its SHA-256 and its kind: atlas, book or certificate.

CREATE TABLE statements (
    position INTEGER NOT NULL REFERENCES positions (key),
    run INTEGER NOT NULL REFERENCES runs (id),
    lo INTEGER NOT NULL CHECK (lo >= -24),
    hi INTEGER NOT NULL CHECK (hi <= 24),
    best INTEGER CHECK (best BETWEEN 0 AND 25),
    PRIMARY KEY (position, run),
    CHECK (lo <= hi)
) STRICT, WITHOUT ROWID;
