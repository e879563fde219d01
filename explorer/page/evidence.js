// Bounds on a value, { lo, hi } from Black's side, and conclusions from them. Most functions have a counterpart of the same name
// in solver/answer.py or solver/bounds.py, and tests/data/evidence.jsonl compares the results in both languages. black: whether
// Black is to move.

import { BLACK_WINS, MOST } from "./rules.js";

// The bounds that hold for every position.
export const UNKNOWN_BOUNDS = { lo: -MOST, hi: MOST };

// Thrown if two bounds cannot both be true.
export class Contradiction extends Error {}

// Return the colour that wins according to the bounds, 0 or 1. Return null if the bounds do not decide the winner.
export function winnerOf({ lo, hi }) {
  return lo >= BLACK_WINS ? 0 : hi < BLACK_WINS ? 1 : null;
}

export function valueOf({ lo, hi }) {
  return lo === hi ? lo : null;
}

export function atLeast({ lo, hi }, threshold) {
  return lo >= threshold ? true : hi < threshold ? false : null;
}

// Return the least value that the mover can force. A larger number is better for the mover of either colour.
export function moverBound(black, { lo, hi }) {
  return black ? lo : -hi;
}

// Return the greatest value that the mover can reach. A larger number is better for the mover of either colour.
export function opponentBound(black, { lo, hi }) {
  return black ? hi : -lo;
}

// Convert bounds from Black's side into bounds from the mover's side, or back.
export function switchSide(black, { lo, hi }) {
  return black ? { lo, hi } : { lo: -hi, hi: -lo };
}

// Return only the mover's end of the bounds. This bound also holds after a move that keeps the value.
export function moverEnd(black, { lo, hi }) {
  return black ? { lo, hi: MOST } : { lo: -MOST, hi };
}

// Return only the opponent's end of the bounds. This bound also holds after every move, because no move is better than the
// position.
export function opponentEnd(black, { lo, hi }) {
  return black ? { lo: -MOST, hi } : { lo, hi: MOST };
}

// Return the bounds that two pairs of bounds imply together. If the two pairs contradict each other, lo is above hi.
export function intersect(one, other) {
  return { lo: Math.max(one.lo, other.lo), hi: Math.min(one.hi, other.hi) };
}

// Return the bounds of a position, given the bounds after all of its moves, of which there is at least one.
export function bestOf(black, moves) {
  const pick = black ? Math.max : Math.min;
  return { lo: pick(...moves.map(({ lo }) => lo)), hi: pick(...moves.map(({ hi }) => hi)) };
}

// Return bounds after a move, given the bounds of the position. isBest: whether the move keeps the mover's end of these bounds.
export function afterMove(black, here, isBest) {
  return isBest ? intersect(moverEnd(black, here), opponentEnd(black, here)) : opponentEnd(black, here);
}

// Return the least and the greatest number of points that a move can lose compared with the best move. If no other move can be
// better, the move loses nothing, even if its value is not known. here: the bounds of the position. after: the bounds after the
// move. others: the bounds after the other moves.
export function pointsLost(black, here, after, others) {
  const hope = others.length ? Math.max(...others.map((each) => opponentBound(black, each))) : moverBound(black, after);
  const upper = Math.min(opponentBound(black, here), hope);
  return [Math.max(0, moverBound(black, here) - opponentBound(black, after)), Math.max(0, upper - moverBound(black, after))];
}

// Return a sort key for a move, so that the mover's wins come first, then undecided moves, then losses.
export function rank(black, after) {
  const winner = winnerOf(after);
  return [winner === null ? 1 : (winner === 0) === black ? 0 : 2, -moverBound(black, after), -opponentBound(black, after)];
}

// Return the threshold of the question whether the mover keeps a value. Black keeps the value if the threshold is reached, and
// White keeps the value if the threshold is not reached.
export function goalOf(value, black) {
  return black ? value : value + 1;
}

// Return the bounds that are proven if a colour, 0 or 1, wins.
export function wonBy(colour) {
  return colour === 0 ? { lo: BLACK_WINS, hi: MOST } : { lo: -MOST, hi: BLACK_WINS - 1 };
}
