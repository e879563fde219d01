-- Create the tables of the legal moves and of their outcomes, which book/store/links.py fills.

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
