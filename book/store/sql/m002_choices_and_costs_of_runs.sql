-- Create the table of our moves, and note what runs cost.
--
-- ``choices``: the closure. ``solver_nodes``: what the player's own solver needs to decide the position
-- from cold, null when that is not known or more than its limit; ``chance``: in a lost position, how
-- likely a modelled opponent is to throw the win away later on.

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
