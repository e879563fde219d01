// The values of all positions after some number of plies, in blocks of positions that share the stones of the side to move, as
// book/files/levels.py tells. They have no keys; those of a block are made when one of its positions is looked up.

import { keysAt, numbersAt } from "./packs.js";
import { MOST, POINTS } from "./rules.js";

const STONE_BITS = BigInt(POINTS);
const BOARD_BITS = (1n << STONE_BITS) - 1n;
const KO_BIT = 50n;
const LEFT_BIT = 55n;

// Groups of keys, and blocks, that are kept for the next question; each has some thousand keys.
const KEPT_GROUPS = 32;

// The blocks of a ply: Map(number, { captures, values }); captures: the keys that only a capture leads to.
export function readBlocks(bytes) {
  const rows = numbersAt(bytes, 0, 4, 1)[0];
  const numbers = keysAt(bytes, 4, rows);
  const sizes = numbersAt(bytes, 4 + 8 * rows, 4, rows);
  const counts = numbersAt(bytes, 4 + 12 * rows, 2, rows);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const captures = keysAt(bytes, 4 + 14 * rows, all);
  const blocks = new Map();
  let [key, value] = [0, 4 + 14 * rows + 8 * all];
  for (let row = 0; row < rows; row++) {
    const [nextKey, nextValue] = [key + counts[row], value + sizes[row]];
    blocks.set(numbers[row], { captures: captures.subarray(key, nextKey), values: bytes.subarray(value, nextValue) });
    [key, value] = [nextKey, nextValue];
  }
  if (value !== bytes.length) throw new Error(`the values of a ply have ${bytes.length} bytes, not ${value}`);
  return blocks;
}

// Keeps the last few results of a function of one text.
function remembered(make) {
  const kept = new Map();
  return (name, ...given) => {
    if (!kept.has(name)) kept.set(name, make(...given));
    const found = kept.get(name);
    kept.delete(name);
    kept.set(name, found);
    if (kept.size > KEPT_GROUPS) kept.delete(kept.keys().next().value);
    return found;
  };
}

// Makes keys of blocks from all keys of an early ply: { ply, keys }.
export class BlockKeys {
  constructor(rules, early) {
    this.rules = rules;
    this.early = early;
    this.sorted = new Map();
    this.group = remembered((ply, white, stones) => this._group(ply, white, stones));
  }

  // The key by which blocks sort a position: the stones of the side to move are above the others.
  turned(ply, key) {
    return ply % 2 ? key : this._recoloured(key);
  }

  // The sorted keys of a block. captures: those that only a capture at the last ply leads to.
  of(ply, block, captures) {
    const group = this._named(ply, ply % 2 === 1, this.rules.stonesClass(Number(block & BOARD_BITS)));
    const keys = group.subarray(placeIn(group, block << STONE_BITS), placeIn(group, (block + 1n) << STONE_BITS));
    return captures.length ? BigUint64Array.from([...keys, ...captures]).sort() : keys;
  }

  _named(ply, white, stones) {
    return this.group(`${ply} ${white} ${stones}`, ply, white, stones);
  }

  _group(ply, white, stones) {
    const { rules } = this;
    if (ply === this.early.ply) return this._withStones(this._early(white), stones);
    const moved = (ply % 2 === 0) === white;
    const less = moved ? [...Array(POINTS).keys()].filter((point) => (stones >> point) & 1) : [];
    const before = new Set([stones, ...less.map((point) => rules.stonesClass(stones & ~(1 << point)))]);
    const parents = [...before].sort((a, b) => a - b).flatMap((each) => [...this._named(ply - 1, white, each)]);
    const after = rules.nextPly(white ? parents : parents.map((key) => this._recoloured(key)));
    return this._withStones(white ? after : after.map((key) => this._recoloured(key)).sort(), stones);
  }

  _early(white) {
    if (!this.sorted.has(white)) {
      const { keys } = this.early;
      this.sorted.set(white, white ? keys : keys.map((key) => this._recoloured(key)).sort());
    }
    return this.sorted.get(white);
  }

  // The canonical key with the colours of the stones exchanged.
  _recoloured(key) {
    return this.rules.canonical(((key >> KO_BIT) << KO_BIT) | ((key & BOARD_BITS) << STONE_BITS) | ((key >> STONE_BITS) & BOARD_BITS));
  }

  // The sorted keys of one ply whose upper stones are of a class.
  _withStones(keys, stones) {
    const found = [];
    for (const passed of keys.length ? [0n, 1n] : []) {
      const top = ((passed << 5n) | ((keys[0] >> LEFT_BIT) & 31n)) << LEFT_BIT;
      const first = top | (BigInt(stones) << STONE_BITS);
      found.push(...keys.subarray(placeIn(keys, first), placeIn(keys, first + (1n << STONE_BITS))));
      // With a ko point, a mask need not be the least of its class.
      for (const key of keys.subarray(placeIn(keys, top | (1n << KO_BIT)), placeIn(keys, top + (1n << LEFT_BIT))))
        if (this.rules.stonesClass(Number((key >> STONE_BITS) & BOARD_BITS)) === stones) found.push(key);
    }
    return BigUint64Array.from(found);
  }
}

// How many of some sorted keys are less than one.
function placeIn(keys, key) {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The values of one ply, as far as there are blocks. isWhole: whether they are all.
export class Level {
  constructor(ply, blocks, keys, isWhole) {
    this.ply = ply;
    this.isWhole = isWhole;
    this.blocks = blocks;
    this.keys = keys;
    this.opened = remembered((block) => keys.of(ply, block, this.blocks.get(block).captures));
  }

  // The value of a position by its canonical key; null of one that no game leads to, undefined if its block is not there.
  value(key) {
    const turned = this.keys.turned(this.ply, key);
    const block = turned >> STONE_BITS;
    if (!this.blocks.has(block)) return undefined;
    const keys = this.opened(block, block);
    const index = placeIn(keys, turned);
    return keys[index] === turned ? this.blocks.get(block).values[index] - MOST : null;
  }
}
