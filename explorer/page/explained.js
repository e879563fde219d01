// The reason why a move is worse than the best one: two lines of best play, and two sentences about them from
// solver/native/explain.c.

import { KOMI } from "./game.js";
import { PLIES, kernelArguments, lineOf } from "./rules.js";

// Return the reason why the first move of one line is worse than the first move of another: { theme, worse, better, kind }.
// worse, better: a sentence about each line. Each line must have two moves or more, or reach the end of the game. outcome: the
// outcome of the search for the lines (explain.h), or 1 if the search did not compare the move with a PASS.
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

// Return { worse, better, told }. worse, better: lines to the end of the game, one with the move and one with a best move.
// told: the reason. Return null if the move is a best move. Throw an AbortError if the search is aborted.
export async function explained(engine, facts, position, move, { signal }) {
  const lines = await engine.lines(facts, "explain", position, move, signal);
  if (!lines) return null;
  const [worse, better, outcome] = lines;
  return { worse, better, told: reason(facts.rules, position, worse, better, outcome) };
}
