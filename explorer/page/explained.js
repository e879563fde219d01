// The reason why a move is worse than the best one: two lines of best play, and two sentences about them from
// solver/native/explain.c.

import { KOMI } from "./game.js";
import { PLIES, kernelArguments, lineOf } from "./rules.js";

// { theme, worse, better, kind }: what comes of the first move of one line, and of that of another. Lines of best play, of two
// moves at least or to the end of the game. outcome: of the search for the lines (explain.h), 1 if it did not compare the move with
// a PASS.
export function reason({ kernel }, position, worse, better, outcome = 1) {
  for (const [which, moves] of [worse, better].entries()) {
    lineOf(kernel, which, moves.length).set(moves);
  }
  if (!kernel.reason(...kernelArguments(position), outcome, PLIES, 2 * KOMI)) throw new Error("a line has two moves at least, or goes to the end");
  const [theme, first, second, kind] = [0, 1, 2, 3].map((which) => textAt(kernel, kernel.text(which)));
  return { theme, worse: first, better: second, kind };
}

function textAt(kernel, address) {
  const bytes = new Uint8Array(kernel.memory.buffer, address);
  return String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)));
}

// Return { worse, better, told }: two lines to the end of the game, one with the move and one with a best move, and the reason.
// Return null if the move is a best move. An AbortError ends the search.
export async function explained(engine, facts, position, move, { signal }) {
  const lines = await engine.lines(facts, "explain", position, move, signal);
  if (!lines) return null;
  const [worse, better, outcome] = lines;
  return { worse, better, told: reason(facts.rules, position, worse, better, outcome) };
}
