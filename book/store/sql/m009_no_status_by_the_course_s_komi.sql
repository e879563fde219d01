-- Drop ``positions.status``. A generated column cannot depend on the komi of the store's game, so it was computed with
-- the course's komi in every store. The following views are only for the course's game.

DROP VIEW IF EXISTS frontier;
DROP VIEW IF EXISTS progress;

ALTER TABLE positions DROP COLUMN status;

CREATE VIEW frontier AS
    SELECT * FROM positions WHERE lo < 3 AND hi > 2 ORDER BY ply, key;

CREATE VIEW progress AS
    WITH judged AS (
        SELECT
            *,
            CASE WHEN lo = hi THEN 'exact' WHEN lo >= 3 OR hi <= 2 THEN 'decided' ELSE 'undecided' END AS status
        FROM positions
    )
    SELECT ply, status, count(*) AS positions, sum(nodes) AS nodes, sum(seconds) AS seconds
    FROM judged GROUP BY ply, status ORDER BY ply, status;
