// The mistakes of a line, with the fields of `little-go review --json`. judging.js is made from book/answers/judging.py, so the
// page and the command judge moves in the same way.

import { BLACK_WINS, NAMES, moveName, moverOf } from "./rules.js";
import { judging } from "./judging.js";

const listed = ({ lo, hi }) => [lo, hi];

// Return the moves that are proven to be mistakes: { index, position, move, cost, exact, decisive }[]. cost: points, a lower
// bound unless exact is true. decisive: whether the winner changed. facts: the fact at each position of the line.
export function mistakesOf({ moves, positions }, facts) {
  const judged = moves.map((move, index) => {
    const position = positions[index];
    return { index, position, move, ...judging.judged(moverOf(position) === 0, listed(facts[index]), listed(facts[index + 1]), BLACK_WINS) };
  });
  return judged.filter(({ cost }) => cost > 0);
}

// Return the points that the sentences of a reason mention, each point once.
export const pointsNamed = ({ worse, better }) => judging.points_named(worse, better);

// Return the last mistake that changed the winner, or null if no mistake did.
export const turningPoint = (mistakes) => mistakes[judging.turning_point(mistakes)] ?? null;

// Return the worst mistake, or null if there is no mistake. The worst mistake is the last mistake that lost the win. If no
// mistake lost the win, it is the first of the mistakes that cost most points.
export const worstOf = (mistakes) => mistakes[judging.worst_of(mistakes)] ?? null;

// Return the kinds of mistakes that a player should learn first. records: mistakes as JSON. most: the largest number of kinds.
// In the result, `worst` is an index of `records`.
export const kindsToLearn = (records) => judging.kinds_to_learn(records);

// Return a mistake as JSON. why: the reason { told, worse, better } as in explained.js, or null if the reason is not known.
export function mistakeRecord({ position, move, cost, exact, decisive }, why) {
  const made = { ply: position.ply + 1, mover: NAMES[moverOf(position)], move: moveName(move), cost, exact, decisive };
  const lines = why && { answer: why.worse.slice(1).map(moveName), instead: why.better.map(moveName) };
  return judging.mistake_record(made, why && { ...why.told, ...lines });
}
