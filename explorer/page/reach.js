// Find out whether a game reaches a position. For the first plies the answer is exact, because the atlas contains all of their
// positions. For later plies, a search tries games without captures. If the search finds no game, the question stays open.

import { PASS, START, isOver, moverOf, pointsOf } from "./rules.js";

// The number of positions after which the search stops.
const MOST_POSITIONS = 3000;

// Return { reached, why }. reached: true or false, or null if nothing is proven. why: if `reached` is not true, a clause that
// explains this.
export function reachOf(rules, facts, position) {
  const { ply, passed, ko } = position;
  if (ply === 1 && passed) return { reached: false, why: "a PASS on the first ply ends the game" };
  if (facts.lists(ply)) {
    const isThere = facts.isInAtlas(position);
    return { reached: isThere, why: isThere ? "" : `no ${ply} plies lead to it` };
  }
  const before = ko === null ? [position] : beforeKo(rules, position);
  const reached = before.some((each) => isFilled(rules, each)) || null;
  return { reached, why: reached ? "" : "no game without captures leads to it, and other games are not searched" };
}

// Return the positions from which a capture leads to the position and to its ko.
function beforeKo(rules, position) {
  const [mine, theirs] = moverOf(position) ? ["white", "black"] : ["black", "white"];
  return pointsOf(position[theirs])
    .map((point) => ({
      ...position,
      [mine]: position[mine] | (1 << position.ko),
      [theirs]: position[theirs] & ~(1 << point),
      ko: null,
      ply: position.ply - 1,
      point,
    }))
    .filter(({ point, ...before }) => {
      if (rules.fault(before) || rules.illegal(before, point)) return false;
      const after = rules.play(before, point);
      return after.black === position.black && after.white === position.white && after.ko === position.ko;
    });
}

// Return whether the stones, placed in some order and with passes between them, lead to the position.
function isFilled(rules, wanted) {
  const seen = new Set();
  let left = MOST_POSITIONS;
  const search = (position) => {
    if (position.ply === wanted.ply)
      return position.black === wanted.black && position.white === wanted.white && position.passed === wanted.passed;
    if (isOver(position) || --left < 0) return false;
    const key = rules.key(position) + (BigInt(position.black) << 64n) + (BigInt(position.white) << 96n);
    if (seen.has(key)) return false;
    seen.add(key);
    const side = moverOf(position) ? "white" : "black";
    const missing = pointsOf(wanted[side] & ~position[side]);
    const turns = Math.floor((wanted.ply - position.ply + 1) / 2);
    if (missing.length > turns) return false;
    const stones = missing.filter((point) => !rules.illegal(position, point) && keepsAll(position, rules.play(position, point)));
    const canPass = position.ply > 0 && !position.passed && missing.length < turns;
    const passesFirst = wanted.passed && position.ply === wanted.ply - 1;
    const moves = passesFirst ? (canPass ? [PASS] : []) : [...stones, ...(canPass ? [PASS] : [])];
    return moves.some((move) => search(rules.play(position, move)));
  };
  return search(START);
}

function keepsAll(before, after) {
  return (before.black & ~after.black) === 0 && (before.white & ~after.white) === 0;
}
