-- Store with each row the worker of a cluster that found the row; null if the run's own machine found it.
--
-- ``worker``, ``host``: the worker's address, from the scheduler. ``code``: the hash of its code, as the worker
-- reports it. Earlier runs stored their workers in their parameters.

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
