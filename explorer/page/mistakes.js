// The mistakes of a line, as data: the fields of `little-go review --json` (arena/review/review.py), which vectors hold both to.

import { NAMES, PASS, moveName, moverOf } from "./rules.js";
import { most, reach, valueOf, winnerOf } from "./evidence.js";

// A point in a sentence.
const NAMED = /(?<![\d.,])[0-4],[0-4](?![\d,])/g;

// Moves that are proven to have given something away: { index, position, move, cost, exact, decisive }[]. cost: points, a lower
// bound unless exact. decisive: whether the winner changed. facts: of each position.
export function mistakesOf({ moves, positions }, facts) {
  const judged = moves.map((move, index) => {
    const [before, after, position] = [facts[index], facts[index + 1], positions[index]];
    const isBlack = moverOf(position) === 0;
    const cost = reach(isBlack, before) - most(isBlack, after);
    const exact = valueOf(before) !== null && valueOf(after) !== null;
    const winners = [before, after].map(winnerOf);
    return { index, position, move, cost, exact, decisive: !winners.includes(null) && winners[0] !== winners[1] };
  });
  return judged.filter(({ cost }) => cost > 0);
}

// The points that each sentence of a reason names, each once.
export function pointsNamed({ worse, better }) {
  const pointsIn = (sentence) => [...new Set(sentence.match(NAMED))];
  return { worse: pointsIn(worse), better: pointsIn(better) };
}

// The last mistake that changed the winner, or null.
export const turningPoint = (mistakes) => mistakes.findLast(({ decisive }) => decisive) ?? null;

// The mistake that costs most: the last one that lost the win, else the first of the most points; null if there is none.
export const worstOf = (mistakes) =>
  turningPoint(mistakes) ?? mistakes.reduce((worst, one) => (one.cost > (worst?.cost ?? 0) ? one : worst), null);

// A mistake as JSON. why: why it is one, { told, worse, better } (explained.js), or null while that is not known.
export function mistakeRecord({ position, move, cost, exact, decisive }, why) {
  return {
    ply: position.ply + 1,
    mover: NAMES[moverOf(position)],
    move: moveName(move),
    cost,
    exact,
    decisive,
    kind: why?.told.kind ?? (move === PASS ? "passes" : "other"),
    best_move: why ? moveName(why.better[0]) : null,
    pv: why ? why.better.map(moveName) : [],
    answer: why ? why.worse.slice(1).map(moveName) : [],
    theme: why?.told.theme ?? null,
    why: why ? `${why.told.worse} ${why.told.better}` : null,
    named: why && pointsNamed(why.told),
  };
}
