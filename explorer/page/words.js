// Results in words.

import { BLACK_WINS, KOMI, MOST, NAMES, PASS, moveName } from "./rules.js";
import { valueOf, winnerOf } from "./facts.js";

export function signed(value) {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
}

const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
export const stones = (count) => counted(count, "stone");
export const points = (count) => counted(count, "point");

// Bounds in short: +3, at least +3, -4 to +2, or nothing.
export function boundsText({ lo, hi }) {
  if (lo === hi) return signed(lo);
  if (lo > -MOST && hi < MOST) return `${signed(lo)} to ${signed(hi)}`;
  if (lo > -MOST) return `≥ ${signed(lo)}`;
  if (hi < MOST) return `≤ ${signed(hi)}`;
  return "?";
}

export function winnerText(fact) {
  const winner = winnerOf(fact);
  return winner === null ? "Not known" : `${NAMES[winner]} wins`;
}

// By how much, as a sentence's rest.
export function marginText(fact) {
  const value = valueOf(fact);
  if (value === null) return openText(fact);
  if (value >= BLACK_WINS) return `${stones(value)} ahead at the end, ${value - KOMI} after komi.`;
  if (value > 0) return `Black ends ${stones(value)} ahead, ${KOMI - value} short of the komi of ${KOMI}.`;
  if (value === 0) return `Equal numbers of stones at the end; the komi of ${KOMI} decides.`;
  return `${stones(-value)} ahead at the end, ${KOMI - value} with komi.`;
}

function openText(fact) {
  const winner = winnerOf(fact);
  if (winner === null && boundsText(fact) === "?") return "Nothing is proved about this position yet.";
  if (winner === null) return `The value is ${boundsText(fact)}; Black needs ${signed(BLACK_WINS)}.`;
  return `By how much is not known yet: ${boundsText(fact)}.`;
}

export const SOURCE_TEXT = {
  rules: "rules",
  certificate: "proved and checked",
  atlas: "atlas",
  book: "book",
  kernel: "computed now",
  computing: "computing",
  unknown: "unknown",
};

export const SOURCE_HELP = {
  rules: "The game is over: the stones are counted.",
  certificate:
    "A certificate of the winner's whole strategy covers it, and the independent checker has confirmed it.",
  atlas: "The atlas of the first plies has it, found by the native kernel.",
  book: "The book has the winner, proven by the native kernel.",
  kernel: "Proven by the kernel in this page, from the rules, the book and the atlas.",
  computing: "The kernel is working on it: these bounds are proven and get tighter.",
  unknown: "Nothing is proved here. This does not mean a loss.",
};

export function nodesText(nodes) {
  if (nodes >= 1e6) return `${(nodes / 1e6).toFixed(1)} M nodes`;
  if (nodes >= 1e4) return `${Math.round(nodes / 1e3)} k nodes`;
  return nodes === 1 ? "1 node" : `${nodes} nodes`;
}

export function secondsText(seconds) {
  return seconds < 0.01 ? "under 0.01 s" : seconds < 10 ? `${seconds.toFixed(2)} s` : `${Math.round(seconds)} s`;
}

// The points that a move loses against the best, as { least, exact }, from the bounds of the position and after the move.
export function lossOf(sign, before, after) {
  const best = sign > 0 ? before.lo : -before.hi;
  const worst = sign > 0 ? before.hi : -before.lo;
  const [lo, hi] = sign > 0 ? [after.lo, after.hi] : [-after.hi, -after.lo];
  return { least: Math.max(0, best - hi), exact: best === worst && lo === hi };
}

// Moves that are one another's images: 1,2 = 2,1 = 2,3 = 3,2.
export function movesText(moves) {
  return moves.map(moveName).join(" = ");
}

export function percent(chance) {
  if (chance > 0.99) return "more than 99 %";
  return `${Math.round(100 * chance)} %`;
}

export function turnText(position) {
  return `${NAMES[position.ply % 2]} to move`;
}

export function plyText(ply, move) {
  return `${NAMES[(ply + 1) % 2]} ${move === PASS ? "passes" : `plays ${moveName(move)}`}`;
}
