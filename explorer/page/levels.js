// The values of all positions after a number of plies. The values are stored in blocks. All positions of a block have the same
// stones of the side to move, and the stones of the other side determine the place of a position in its block
// (book/files/levels.py).

import { keysAt, numbersAt } from "./packs.js";
import { MOST, POINTS, countOf } from "./rules.js";

const STONE_BITS = BigInt(POINTS);
const BOARD_BITS = (1n << STONE_BITS) - 1n;
const KO_BIT = 50n;
const PASSED_BIT = 60n;

// The byte that means that no game leads to a position.
const NONE = 2 * MOST + 1;

// UP_TO[points][stones]: the number of sets of at most `stones` stones on `points` points.
const UP_TO = [Array(POINTS + 1).fill(1)];
for (let points = 1; points <= POINTS; points++)
  UP_TO.push(UP_TO[points - 1].map((count, stones, before) => count + (stones ? before[stones - 1] : 0)));

// Return the largest number of stones that the side that is not to move can have in a block.
function mostStones(ply, block) {
  return ((ply + 1) >> 1) - Number(block >> (PASSED_BIT - STONE_BITS));
}

// Return the place of a set of stones among all sets of at most `most` stones on points that are not in `other`. Return -1 if
// the set has more stones.
export function placeInBlock(stones, other, most) {
  let place = 0;
  for (let top = POINTS - 1; top >= 0; top--) {
    if (!((stones >> top) & 1)) continue;
    if (!most) return -1;
    place += UP_TO[top - countOf(other & ((1 << top) - 1))][most--];
  }
  return place;
}

// Return the blocks of a ply as a Map from the number of a block to its bytes.
export function readBlocks(ply, bytes) {
  const rows = numbersAt(bytes, 0, 4, 1)[0];
  const blocks = new Map();
  let begin = 4 + 8 * rows;
  for (const number of keysAt(bytes, 4, rows)) {
    const end = begin + UP_TO[POINTS - countOf(Number(number & BOARD_BITS))][mostStones(ply, number)];
    blocks.set(number, bytes.subarray(begin, end));
    begin = end;
  }
  if (begin !== bytes.length) throw new Error(`the values of a ply have ${bytes.length} bytes, not ${begin}`);
  return blocks;
}

// The values of one ply, as far as its blocks are available. isWhole: whether all of its blocks are available.
export class Level {
  constructor(ply, blocks, rules, isWhole) {
    this.ply = ply;
    this.isWhole = isWhole;
    this.blocks = blocks;
    this.rules = rules;
  }

  // Return the value of the position with a canonical key. Return null if no game leads to the position, and undefined if its
  // block is not available.
  value(key) {
    const turned = this.ply % 2 ? key : this._coloursExchanged(key);
    const block = turned >> STONE_BITS;
    const bytes = this.blocks.get(block);
    if (!bytes) return undefined;
    const place = placeInBlock(Number(turned & BOARD_BITS), Number(block & BOARD_BITS), mostStones(this.ply, block));
    return place < 0 || bytes[place] === NONE ? null : bytes[place] - MOST;
  }

  // Return the canonical key of the position with exchanged colours. The number of a block is the upper part of a key, so the
  // stones of the side to move must be in the bits of White's stones.
  _coloursExchanged(key) {
    return this.rules.canonical(((key >> KO_BIT) << KO_BIT) | ((key & BOARD_BITS) << STONE_BITS) | ((key >> STONE_BITS) & BOARD_BITS));
  }
}
