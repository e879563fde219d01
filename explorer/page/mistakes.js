// The mistakes of a line, as data: the fields of `little-go review --json`. Both run judging.js, made of book/answers/judging.py.

import { BLACK_WINS, NAMES, moveName, moverOf } from "./rules.js";
import { judging } from "./judging.js";

const listed = ({ lo, hi }) => [lo, hi];

// Moves that are proven to have given something away: { index, position, move, cost, exact, decisive }[]. cost: points, a lower
// bound unless exact. decisive: whether the winner changed. facts: of each position.
export function mistakesOf({ moves, positions }, facts) {
  const judged = moves.map((move, index) => {
    const position = positions[index];
    return { index, position, move, ...judging.judged(moverOf(position) === 0, listed(facts[index]), listed(facts[index + 1]), BLACK_WINS) };
  });
  return judged.filter(({ cost }) => cost > 0);
}

// The points that each sentence of a reason names, each once.
export const pointsNamed = ({ worse, better }) => judging.points_named(worse, better);

// The last mistake that changed the winner, or null.
export const turningPoint = (mistakes) => mistakes[judging.turning_point(mistakes)] ?? null;

// The mistake that costs most: the last one that lost the win, else the first of the most points; null if there is none.
export const worstOf = (mistakes) => mistakes[judging.worst_of(mistakes)] ?? null;

// The kinds of mistakes to learn first. records: mistakes as JSON; worst: an index of them.
export const kindsToLearn = (records, most) => judging.kinds_to_learn(records, most);

// A mistake as JSON. why: why it is one, { told, worse, better } (explained.js), or null while that is not known.
export function mistakeRecord({ position, move, cost, exact, decisive }, why) {
  const made = { ply: position.ply + 1, mover: NAMES[moverOf(position)], move: moveName(move), cost, exact, decisive };
  const lines = why && { answer: why.worse.slice(1).map(moveName), instead: why.better.map(moveName) };
  return judging.mistake_record(made, why && { ...why.told, ...lines });
}
