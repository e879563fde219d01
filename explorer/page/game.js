// Which game of the family the page is for (solver/family.py). The build writes it, so this is the course's, for Node.js.

// The plies of a whole game, and White's komi.
export const GAME_PLIES = 24;
export const KOMI = 2.5;

// Lessons and puzzles are of the course's game: the page of another one goes without them.
export const HAS_LESSONS = true;
