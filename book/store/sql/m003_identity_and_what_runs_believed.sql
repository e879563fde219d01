-- Give the store a unique name, which the files that belong to it contain, and add a summary of the rows that each run
-- used without searching them again.
--
-- ``believed``: the result of book.store.facts.Believed.record() as JSON, or null in runs before this migration.

CREATE TABLE identity (name TEXT NOT NULL) STRICT;
INSERT INTO identity (name) VALUES (lower(hex(randomblob(16))));

ALTER TABLE runs ADD COLUMN believed TEXT CHECK (believed IS NULL OR json_valid(believed));
