-- Create the table of our moves, and add the cost of each run.
--
-- ``choices``: our moves in the closure. ``solver_nodes``: the nodes that the player's own solver needs, with an empty
-- table, to decide the position; null if this number is not known or is more than the solver's limit. ``chance``: in a
-- lost position, the chance that a modelled opponent later throws the win away.

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
