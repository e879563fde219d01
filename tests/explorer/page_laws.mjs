// What the page's evidence.js and facts.js make of vectors: lines of JSON in, each with what is given, and out, what comes of it.

import { readFileSync } from "node:fs";
import * as evidence from "../../explorer/page/evidence.js";
import { Facts } from "../../explorer/page/facts.js";
import { isBest, ranked } from "../../explorer/page/moves.js";
import { MOST, Rules, openKernel } from "../../explorer/page/rules.js";

const rules = new Rules(await openKernel(readFileSync(new URL("../../explorer/kernel.wasm", import.meta.url))));

const bounds = ([lo, hi]) => ({ lo, hi });
const listed = ({ lo, hi }) => [lo, hi];
const { meet, kept, capped, bestOf, afterMove, pointsLost } = evidence;

// By the law's name: (black, …given) => what comes of it. The colours of evidence.js are 0 and 1, those of the file 1 and 2.
const LAWS = {
  value: (black, one) => evidence.valueOf(bounds(one)),
  winner: (black, one) => ({ 0: 1, 1: 2, null: null })[evidence.winnerOf(bounds(one))],
  at_least: (black, one, goal) => evidence.atLeast(bounds(one), goal),
  reach: (black, one) => evidence.reach(black, bounds(one)),
  most: (black, one) => evidence.most(black, bounds(one)),
  kept: (black, one) => listed(kept(black, bounds(one))),
  capped: (black, one) => listed(capped(black, bounds(one))),
  meet: (black, one, other) => listed(meet(bounds(one), bounds(other))),
  best_of: (black, moves) => listed(bestOf(black, moves.map(bounds))),
  after_move: (black, here, isBest) => listed(afterMove(black, bounds(here), isBest)),
  goal_of: (black, value) => evidence.goalOf(value, black),
  won_by: (black, colour) => listed(evidence.wonBy(colour - 1)),
  points_lost: (black, here, after, others) => pointsLost(black, bounds(here), bounds(after), others.map(bounds)),
  rank: (black, after) => evidence.rank(black, bounds(after)).map((part) => part + 0),
};

const EMPTY = { keys: new BigUint64Array(0), lo: new Int8Array(0), hi: new Int8Array(0), best: [], decided: [] };

function question({ position, told }) {
  const facts = new Facts(rules, { book: EMPTY, atlas: EMPTY, lines: EMPTY, proved: EMPTY, traps: new Map() });
  try {
    // A move is null where the position itself is told of.
    for (const [move, lo, hi] of told) facts.note(rules.key(move === null ? position : rules.play(position, move)), { lo, hi }, 0, 0);
    const { fact, moves } = facts.about(position);
    const rows = ranked(position, { moves });
    return {
      bounds: listed(fact),
      moves: rows.map((one) => [one.moves[0], ...listed(one.fact), ...one.lost]),
      best: moves.filter(isBest).flatMap((one) => one.moves).sort((a, b) => a - b),
    };
  } catch (error) {
    if (!(error instanceof evidence.Contradiction)) throw error;
    return { contradiction: true };
  }
}

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const vector = JSON.parse(line);
  const result = vector.law === "question" ? question(vector) : LAWS[vector.law](vector.black, ...vector.given);
  console.log(JSON.stringify(result));
}
