-- Give the store a name of its own, by which other files tell that they belong to it, and note what runs believed.
--
-- ``believed``: JSON, as book.store.facts.Believed.record() has it; null for runs of before this column.

CREATE TABLE identity (name TEXT NOT NULL) STRICT;
INSERT INTO identity (name) VALUES (lower(hex(randomblob(16))));

ALTER TABLE runs ADD COLUMN believed TEXT CHECK (believed IS NULL OR json_valid(believed));
