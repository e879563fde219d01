// Results as text. A result has the form that Go players and SGF use: the winner's letter and the points after komi.

import { KOMI } from "./game.js";
import { BLACK_WINS, NAMES, OFF_BOARD, PASS, SUICIDE, moveName } from "./rules.js";
import { valueOf, winnerOf } from "./evidence.js";

// Return the result of a value, such as B+0.5. Komi is not a whole number, so there are no draws.
export function resultOf(value) {
  return value > KOMI ? `B+${value - KOMI}` : `W+${KOMI - value}`;
}

export const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
export const stones = (count) => counted(count, "stone");
export const points = (count) => counted(count, "point");

// Return a result that is short enough for a point of the board: B+0.5, or B+ if only the winner is known.
export function shortResult(fact) {
  const [value, winner] = [valueOf(fact), winnerOf(fact)];
  if (value !== null) return resultOf(value);
  return winner === null ? "?" : `${NAMES[winner][0]}+`;
}

// Return a result for a list: B+0.5, Black wins, or B+2.5 or more. The result never states both ends of a range.
export function resultText(fact) {
  const [value, winner] = [valueOf(fact), winnerOf(fact)];
  if (value !== null) return resultOf(value);
  if (winner === null) return "?";
  const least = winner === 0 ? fact.lo : fact.hi;
  return least === BLACK_WINS - winner ? `${NAMES[winner]} wins` : `${resultOf(least)} or more`;
}

export function winnerText(fact) {
  const winner = winnerOf(fact);
  return winner === null ? "Not known" : `${NAMES[winner]} wins`;
}

// Return a result as words, such as "Black wins by 0.5".
export function spokenResult(fact) {
  const value = valueOf(fact);
  return value === null ? winnerText(fact) : `${winnerText(fact)} by ${Math.abs(value - KOMI)}`;
}

export function marginText(fact) {
  const value = valueOf(fact);
  if (value === null) return openText(fact);
  if (value >= BLACK_WINS) return `Black ends ${stones(value)} ahead; White has a komi of ${KOMI}.`;
  if (value > 0) return `Black ends ${stones(value)} ahead, short of the komi of ${KOMI}.`;
  if (value === 0) return `Equal numbers of stones at the end; the komi of ${KOMI} decides.`;
  return `White ends ${stones(-value)} ahead, and has a komi of ${KOMI}.`;
}

function openText(fact) {
  if (winnerOf(fact) === null) return "Who wins is not proved yet.";
  const result = resultText(fact);
  return `By how much is not known yet${result.endsWith("more") ? `: ${result}` : ""}.`;
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
    "A certificate of the winner's whole strategy proves the result, and the independent checker has confirmed the certificate.",
  atlas: "The atlas of the first plies contains the result, which the native kernel found.",
  book: "The book contains the winner, which the native kernel has proved.",
  kernel: "The kernel in this page has proved the result from the rules, the book and the atlas.",
  computing: "The kernel is searching: these bounds are proved and become tighter.",
  unknown: "Nothing is proved here. This does not mean a loss.",
};

export function nodesText(nodes) {
  if (nodes >= 1e6) return `${(nodes / 1e6).toFixed(1)} M nodes`;
  if (nodes >= 1e4) return `${Math.round(nodes / 1e3)} k nodes`;
  return nodes === 1 ? "1 node" : `${nodes} nodes`;
}

// Return the cost of a search as a clause, or "" if nothing was searched.
export function tookText(took) {
  return took?.nodes ? `, after ${secondsText(took.seconds)} and ${nodesText(took.nodes)}` : "";
}

export function secondsText(seconds) {
  return seconds < 0.01 ? "under 0.01 s" : seconds < 10 ? `${seconds.toFixed(2)} s` : `${Math.round(seconds)} s`;
}

// Return the names of symmetric moves as a text, such as "1,2 = 2,1 = 2,3 = 3,2".
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

// Clauses about the faults and other events that lose a game immediately, by the host's reason (docs/reference/HOST.md).
const DEEDS = {
  invalid_occupied: (move) => `played ${move}, where there is a stone already`,
  invalid_ko: (move) => `played ${move}, which brings back the board of one move before (the ko rule)`,
  invalid_suicide: (move) => `played ${move}, where its stone would have no empty point beside it (suicide)`,
  invalid_off_board: (move) => `played ${move}, which is not on the board`,
  malformed: () => "gave an answer that is not a move",
  missing: () => "wrote no move",
  timeout: () => "took too long for its move",
  resigned: () => "resigned",
  forfeit: () => "lost by a fault that the file does not name",
};

// Short descriptions of the endings of games, by the host's reason.
const ENDINGS = {
  max: "all plies played",
  two_passes: "two passes",
  invalid_occupied: "an occupied point",
  invalid_ko: "the ko rule",
  invalid_suicide: SUICIDE,
  invalid_off_board: OFF_BOARD,
  malformed: "no move in the answer",
  missing: "no move",
  timeout: "out of time",
  forfeit: "a fault",
};

export const endingText = (reason) => ENDINGS[reason] ?? reason;

// Return a sentence on the event, such as a fault, that ended a game after `ply` plies without a score.
export function lostText({ reason, move }, ply) {
  const deed = DEEDS[reason]?.(move) ?? (move === null ? `wrote no move (${reason})` : `played ${move}, which the rules forbid`);
  const fault = reason === "resigned" ? "" : "by a fault ";
  return `${NAMES[(ply + 1) % 2]} wins ${fault}at ply ${ply + 1}: ${NAMES[ply % 2]} ${deed}.`;
}
