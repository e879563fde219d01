// The length and komi of the page's game, a Variant of solver/family.py. The build replaces this file. The values in the
// sources are the length and komi of the course's game, for tests in Node.js.

// The number of plies of a whole game, and White's komi.
export const GAME_PLIES = 24;
export const KOMI = 2.5;

// Whether the page has lessons and puzzles. Lessons and puzzles are about the course's game, so the pages of other games omit
// them.
export const HAS_LESSONS = true;
