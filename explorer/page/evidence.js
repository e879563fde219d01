// Bounds on a value, { lo, hi } from Black's side, and what follows from them; tests/data/evidence.jsonl holds this to
// solver/answer.py and solver/bounds.py, function by function. black: whether Black is to move.

import { BLACK_WINS, MOST } from "./rules.js";

// What holds for every position.
export const UNKNOWN_BOUNDS = { lo: -MOST, hi: MOST };

// Two that cannot both be right.
export class Contradiction extends Error {}

// 0 or 1, the colour that bounds say wins, or null.
export function winnerOf({ lo, hi }) {
  return lo >= BLACK_WINS ? 0 : hi < BLACK_WINS ? 1 : null;
}

export function valueOf({ lo, hi }) {
  return lo === hi ? lo : null;
}

export function atLeast({ lo, hi }, threshold) {
  return lo >= threshold ? true : hi < threshold ? false : null;
}

// What the mover is sure of, and what it may hope for, more being better.
export function reach(black, { lo, hi }) {
  return black ? lo : -hi;
}

export function most(black, { lo, hi }) {
  return black ? hi : -lo;
}

// Bounds from the mover's side from those from Black's, or the other way round.
export function seen(black, { lo, hi }) {
  return black ? { lo, hi } : { lo: -hi, hi: -lo };
}

// The mover's end alone: what a move that carries it leaves proven; and the other end, which no move exceeds.
export function kept(black, { lo, hi }) {
  return black ? { lo, hi: MOST } : { lo: -MOST, hi };
}

export function capped(black, { lo, hi }) {
  return black ? { lo: -MOST, hi } : { lo, hi: MOST };
}

// Bounds that hold together; lo > hi where they cannot.
export function meet(one, other) {
  return { lo: Math.max(one.lo, other.lo), hi: Math.min(one.hi, other.hi) };
}

// What is known of a position from what is known after all its moves, one or more.
export function bestOf(black, moves) {
  const pick = black ? Math.max : Math.min;
  return { lo: pick(...moves.map(({ lo }) => lo)), hi: pick(...moves.map(({ hi }) => hi)) };
}

// What follows after a move. isBest: whether it keeps the mover's end of the position's bounds.
export function afterMove(black, here, isBest) {
  return isBest ? meet(kept(black, here), capped(black, here)) : capped(black, here);
}

// The points that a move loses against the best one, at least and at most. here: what is known of the position, after: after
// the move, others: after the others.
export function pointsLost(black, here, after, others) {
  // A move that is no worse than any other is the best, whatever it is worth.
  const hope = others.length ? Math.max(...others.map((each) => most(black, each))) : reach(black, after);
  const upper = Math.min(most(black, here), hope);
  return [Math.max(0, reach(black, here) - most(black, after)), Math.max(0, upper - reach(black, after))];
}

// What sorts moves by what is known after them, the mover's best ones first: wins, open ones, losses.
export function rank(black, after) {
  const winner = winnerOf(after);
  return [winner === null ? 1 : (winner === 0) === black ? 0 : 2, -reach(black, after), -most(black, after)];
}

// The threshold that decides whether the mover keeps a value: Black when it is reached, White when not.
export function goalOf(value, black) {
  return black ? value : value + 1;
}

// What is proven where a colour, 0 or 1, wins.
export function wonBy(colour) {
  return colour === 0 ? { lo: BLACK_WINS, hi: MOST } : { lo: -MOST, hi: BLACK_WINS - 1 };
}
