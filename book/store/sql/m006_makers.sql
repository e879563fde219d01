-- Note with each row which worker of a cluster has found it, where that is not the run's own machine.
--
-- ``worker``, ``host``: by the scheduler's word. ``code``: the hash of what it says it runs. Runs of before noted their
-- workers in their parameters.

CREATE TABLE makers (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (id),
    worker TEXT NOT NULL,
    host TEXT NOT NULL,
    code TEXT NOT NULL
) STRICT;
INSERT INTO makers (run, worker, host, code)
    SELECT runs.id, json_extract(value, '$.name'), '', json_extract(value, '$.code')
    FROM runs, json_each(parameters, '$.members') ORDER BY runs.id, json_each.key;

ALTER TABLE positions ADD COLUMN maker INTEGER REFERENCES makers (id);
