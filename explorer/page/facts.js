// The known facts about a position, and their sources.
//
// A claim is { source, lo, hi } and, of the kernel's, { nodes, seconds }. A fact is { lo, hi, claims }: all claims together.

import {
  Contradiction,
  UNKNOWN_BOUNDS,
  afterMove,
  bestOf,
  capped,
  kept,
  meet,
  most,
  pointsLost,
  reach,
  valueOf,
  winnerOf,
  wonBy,
} from "./evidence.js";
import { Level } from "./levels.js";
import { keysAt, numbersAt } from "./packs.js";
import { BLACK_WINS, MOST, PASS, START, isOver, keyOf, marginOf, positionOf, signOf } from "./rules.js";

const VERDICT_WIN = 1;

// The atlas's format, and what stands for the lower bound where it does not have the position.
const VALUES_FORMAT = 3;
const ABSENT = 255;

// The sources, the most trusted ones first.
export const SOURCES = ["rules", "certificate", "atlas", "book", "kernel"];

// Shown instead of a source while nothing is proven.
export const COMPUTING = "computing";
export const UNKNOWN = "unknown";

// The row of a key in a table, or -1. Its keys are sorted: all of them, or, if the table says where each ply begins, only within
// each ply.
function rowOf({ keys, begins }, key) {
  const ply = positionOf(key).ply;
  let [low, end] = begins ? [begins[ply] ?? 0, begins[ply + 1] ?? 0] : [0, keys.length];
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low < end && keys[low] === key ? low : -1;
}

// The columns that begin a pack of bounds.
function boundsOf(bytes, rows) {
  const column = (index) => Int8Array.from(bytes.subarray(index * rows, (index + 1) * rows), (value) => value - MOST);
  return { keys: keysAt(bytes, 0, rows), lo: column(8), hi: column(9) };
}

export function readBook(bytes) {
  const rows = bytes.length / 10;
  const keys = keysAt(bytes, 0, rows);
  const best = bytes.slice(8 * rows, 9 * rows);
  const lo = new Int8Array(rows).fill(-MOST);
  const hi = new Int8Array(rows).fill(MOST);
  const decided = bytes.slice(9 * rows);
  for (let row = 0; row < rows; row++) {
    if (!decided[row]) continue;
    const isBlacks = (decided[row] === VERDICT_WIN) === signOf(positionOf(keys[row])) > 0;
    ({ lo: lo[row], hi: hi[row] } = wonBy(isBlacks ? 0 : 1));
  }
  return { keys, best, lo, hi, decided };
}

// The atlas's bytes as book/files/values.py tells: three planes, of positions whose keys are made here from ply to ply.
export function readAtlas(bytes, rules) {
  if (bytes[0] !== VALUES_FORMAT) throw new Error(`the atlas is of format ${bytes[0]}, not ${VALUES_FORMAT}`);
  const rows = (bytes.length - 1) / 3;
  const atlas = {
    keys: new BigUint64Array(rows),
    begins: [0],
    lo: new Int8Array(rows).fill(-MOST),
    hi: new Int8Array(rows).fill(MOST),
    best: bytes.slice(1 + 2 * rows),
  };
  for (let row = 0; row < rows; row++) {
    if (bytes[1 + row] === ABSENT) continue;
    atlas.lo[row] = bytes[1 + row] - MOST;
    atlas.hi[row] = atlas.lo[row] + bytes[1 + rows + row];
  }
  // The page of a shorter game has no atlas.
  if (rows) addPly(atlas, BigUint64Array.of(keyOf(START)));
  while (atlas.begins.at(-1) < rows) addPly(atlas, rules.nextPly(lastPly(atlas)));
  return atlas;
}

// The keys of the last ply of the atlas.
function lastPly({ keys, begins }) {
  return keys.subarray(begins.at(-2), begins.at(-1));
}

function addPly({ keys, begins }, level) {
  keys.set(level, begins.at(-1));
  begins.push(begins.at(-1) + level.length);
}

// Lines of best play, all positions on one worth the same: a table like the atlas's. text: [value, plies before, moves] of each.
export function readLines(text, rules) {
  const known = new Map();
  for (const [value, from, moves] of JSON.parse(text)) {
    let position = START;
    for (const [index, played] of moves.entries()) {
      const key = rules.key(position);
      position = rules.play(position, played);
      if (index < from || known.has(key)) continue;
      const [next, canonical] = [rules.key(position), positionOf(key)];
      const best = rules.legalMoves(canonical).find((move) => rules.key(rules.play(canonical, move)) === next);
      known.set(key, { key, value, best });
    }
  }
  const rows = [...known.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  const values = Int8Array.from(rows, ({ value }) => value);
  return { keys: BigUint64Array.from(rows, ({ key }) => key), lo: values, hi: values, best: rows.map(({ best }) => best) };
}

export function readProved(bytes) {
  return boundsOf(bytes, bytes.length / 10);
}

// By the key of a lost position: Map from the key after a reply to { chance, holds }.
export function readTraps(bytes) {
  const rows = bytes.length / 19;
  const [lost, after] = [keysAt(bytes, 0, rows), keysAt(bytes, 8 * rows, rows)];
  const chances = numbersAt(bytes, 16 * rows, 2, rows);
  const traps = new Map();
  for (let row = 0; row < rows; row++) {
    if (!traps.has(lost[row])) traps.set(lost[row], new Map());
    traps.get(lost[row]).set(after[row], { chance: chances[row] / 1000, holds: bytes[18 * rows + row] === 1 });
  }
  return traps;
}

// The fact that claims make together; throws Contradiction where they cannot all be true.
function factOf(claims) {
  const bounds = claims.reduce(meet, UNKNOWN_BOUNDS);
  const fact = { ...bounds, claims };
  if (bounds.lo > bounds.hi) {
    const sources = ["lo", "hi"].map((end) => endSource(fact, end, bounds[end]));
    throw new Contradiction(`${sources[0]}: ${bounds.lo} or more, and ${sources[1]}: ${bounds.hi} or less, cannot both be true`);
  }
  return fact;
}

const rankOf = (source) => SOURCES.indexOf(source);

// The most trusted of sources, and the least.
const mostTrusted = (sources) => sources.reduce((a, b) => (rankOf(a) <= rankOf(b) ? a : b), SOURCES.at(-1));
const leastTrusted = (sources) => sources.reduce((a, b) => (rankOf(a) >= rankOf(b) ? a : b), SOURCES[0]);

// The most trusted source that says at least as much of an end as `bound`; null when nobody does.
function endSource({ claims }, end, bound) {
  const says = claims.filter((claim) => (end === "lo" ? claim.lo >= bound : claim.hi <= bound));
  return says.length ? mostTrusted(says.map((claim) => claim.source)) : null;
}

// The source of the winner, and the source of the value; null where it is not known.
export function verdictSource(fact) {
  const winner = winnerOf(fact);
  if (winner === null) return null;
  return winner === 0 ? endSource(fact, "lo", BLACK_WINS) : endSource(fact, "hi", BLACK_WINS - 1);
}

export function valueSource(fact) {
  if (valueOf(fact) === null) return null;
  return leastTrusted(["lo", "hi"].map((end) => endSource(fact, end, fact[end])).filter(Boolean));
}

// The names of the mover's end of the bounds, and of the other one.
const endsOf = (black) => (black ? ["lo", "hi"] : ["hi", "lo"]);

// A position's bounds from its moves, a claim for each end: the best move gives the mover's, all of them together the other.
function fromMoves(black, moves) {
  const facts = moves.map(({ fact }) => fact);
  const bounds = bestOf(black, facts);
  const [own, other] = endsOf(black);
  const keepers = facts.map((fact) => endSource(fact, own, bounds[own])).filter(Boolean);
  const bounders = facts.map((fact) => endSource(fact, other, bounds[other]));
  return [
    keepers.length ? { source: mostTrusted(keepers), ...kept(black, bounds) } : null,
    bounders.every(Boolean) ? { source: leastTrusted(bounders), ...capped(black, bounds) } : null,
  ];
}

// The bounds of a move from its position, a claim for each end: no move is worth more to the mover, and if only one can be
// worth as much, it is.
function fromParent(black, fact, isBest) {
  const follows = afterMove(black, fact, isBest);
  return [kept, capped].map((half) => {
    const bounds = half(black, follows);
    const end = endsOf(black)[half === kept ? 0 : 1];
    const source = endSource(fact, end, bounds[end]);
    return source && { source, ...bounds };
  });
}

export class Facts {
  constructor(rules, { book, atlas, lines, proved, traps }) {
    this.rules = rules;
    this.tables = [
      ["certificate", proved],
      ["atlas", atlas],
      ["atlas", lines],
      ["book", book],
    ];
    this.atlas = atlas;
    // The values of later plies, by ply.
    this.levels = new Map();
    this.book = book;
    this.lines = lines;
    this.traps = traps;
    // What the kernel proved, and what follows for positions from those before and after them, by key.
    this.computed = new Map();
    this.carried = new Map();
    this.moves = new WeakMap();
  }

  // What the kernel's tables begin with: bounds, and moves that keep them. Without the atlas: no search comes across its plies.
  get taught() {
    return this.tables.flatMap(([, { keys, begins, lo, hi, best }]) => (best && !begins ? [{ keys, lo, hi, best }] : []));
  }

  // Add the values of a later ply. isWhole: whether no value is missing.
  addLevel(ply, blocks, isWhole) {
    this.levels.set(ply, new Level(ply, blocks, this.rules, isWhole));
  }

  // Whether the atlas lists all positions of a ply that games reach.
  lists(ply) {
    return ply < this.atlas.begins.length - 1 || Boolean(this.levels.get(ply)?.isWhole);
  }

  // Whether the atlas lists a position.
  isInAtlas(position) {
    const key = this.rules.key(position);
    return rowOf(this.atlas, key) >= 0 || typeof this.levels.get(position.ply)?.value(key) === "number";
  }

  // The facts about a position by itself.
  own(position, key = this.rules.key(position)) {
    const claims = [];
    if (isOver(position)) {
      const margin = marginOf(position);
      claims.push({ source: "rules", lo: margin, hi: margin });
    } else {
      for (const [source, table] of this.tables) {
        const row = rowOf(table, key);
        if (row >= 0 && (table.lo[row] > -MOST || table.hi[row] < MOST))
          claims.push({ source, lo: table.lo[row], hi: table.hi[row] });
      }
      const value = this.levels.get(position.ply)?.value(key);
      if (typeof value === "number") claims.push({ source: "atlas", lo: value, hi: value });
      const computed = this.computed.get(key);
      if (computed) claims.push(computed);
      claims.push(...Object.values(this.carried.get(key) ?? {}));
    }
    return factOf(claims);
  }

  // The facts about a position and about its moves, each sharpened by the other, and kept for when they are met again:
  // { fact, moves: [{ moves, key, child, fact, lost }] }, the moves in classes; lost: points, at least and at most.
  about(position) {
    const black = signOf(position) > 0;
    const { key, classes, told } = this._movesOf(position);
    for (const { one, claim } of told) this._carry(one.key, claim, this.own(one.child, one.key));
    if (!classes.length) return { fact: this.own(position, key), moves: [] };
    const withFacts = () => classes.map((one) => ({ ...one, fact: this.own(one.child, one.key) }));
    for (const claim of fromMoves(black, withFacts())) this._carry(key, claim, this.own(position, key));
    const fact = this.own(position, key);
    const able = withFacts().filter((one) => most(black, one.fact) >= reach(black, fact));
    for (const one of classes)
      for (const claim of fromParent(black, fact, able.length === 1 && able[0].key === one.key))
        this._carry(one.key, claim, this.own(one.child, one.key));
    const now = withFacts();
    const others = (one) => now.filter((other) => other !== one).map((other) => other.fact);
    return { fact, moves: now.map((one) => ({ ...one, lost: pointsLost(black, fact, one.fact, others(one)) })) };
  }

  // What does not change about a position's moves: their classes, and what the tables tell by naming a best one.
  _movesOf(position) {
    if (!this.moves.has(position)) {
      const key = this.rules.key(position);
      const classes = this.rules.classes(position);
      this.moves.set(position, { key, classes, told: [...this._toldOfMoves(position, key, classes)] });
    }
    return this.moves.get(position);
  }

  // Bring what is known along a line, from its end to its start and back.
  carryAlong(positions) {
    for (const position of [...positions].reverse()) this.about(position);
    for (const position of positions) this.about(position);
  }

  // Bring what is new about the last position of a line to those before it, as far as it tells something there.
  carryBack(positions) {
    for (const [index, position] of [...positions.entries()].reverse()) {
      const had = this.own(position);
      const { lo, hi } = this.about(position).fact;
      if (index < positions.length - 1 && lo === had.lo && hi === had.hi) return;
    }
  }

  // Keep a claim that follows from others, unless what is known of the position says as much and is trusted as much.
  _carry(key, claim, fact) {
    if (!claim || (claim.lo === -MOST && claim.hi === MOST)) return;
    const end = claim.lo > -MOST ? "lo" : "hi";
    const says = endSource(fact, end, claim[end]);
    if (says !== null && rankOf(says) <= rankOf(claim.source)) return;
    this.carried.set(key, { ...this.carried.get(key), [`${end} ${claim.source}`]: claim });
  }

  // The claims about moves that follow when tables name a best one: { one, claim }[].
  *_toldOfMoves(position, key, classes) {
    const black = signOf(position) > 0;
    for (const [source, table] of this.tables) {
      const row = table.best ? rowOf(table, key) : -1;
      if (row < 0) continue;
      const keeping = this._images(position, key, table.best[row]);
      for (const one of classes)
        if (keeping.includes(one.moves[0]))
          yield { one, claim: { source, ...kept(black, { lo: table.lo[row], hi: table.hi[row] }) } };
    }
  }

  // Note what the kernel proved; bounds from Black's side.
  note(key, { lo, hi }, nodes, seconds) {
    const had = this.computed.get(key) ?? { ...UNKNOWN_BOUNDS, nodes: 0, seconds: 0 };
    this.computed.set(key, {
      source: "kernel",
      ...meet(had, { lo, hi }),
      nodes: had.nodes + nodes,
      seconds: had.seconds + seconds,
    });
  }

  // The moves of a position that are the images of one in canonical orientation; none of NO_MOVE and above.
  _images(position, key, move) {
    if (move > PASS) return [];
    const after = this.rules.key(this.rules.play(positionOf(key), move));
    return this.rules.legalMoves(position).filter((one) => this.rules.key(this.rules.play(position, one)) === after);
  }

  // The book's move with its verdict proven, or null.
  bookMove(position) {
    const key = this.rules.key(position);
    const row = rowOf(this.book, key);
    return row >= 0 && this.book.decided[row] ? (this._images(position, key, this.book.best[row])[0] ?? null) : null;
  }

  // A move that is known to keep a position's exact value, or null: that of a line which goes on to the end, if there is one.
  keeper(position, value) {
    const key = this.rules.key(position);
    const row = rowOf(this.lines, key);
    if (row >= 0) return this._images(position, key, this.lines.best[row])[0];
    const black = signOf(position) > 0;
    const least = reach(black, { lo: value, hi: value });
    return this.about(position).moves.find(({ fact }) => reach(black, fact) >= least)?.moves[0] ?? null;
  }

  // The trap that the book sets in a lost position, or null: { move, replies: [{ move, chance, holds }], chance, later }.
  // chance: that a modelled opponent errs at once; later: at once or at a later trap of the book.
  trap(position) {
    const replies = this._replies(position);
    if (!replies) return null;
    const chance = sum(replies.filter((reply) => !reply.holds).map((reply) => reply.chance));
    return { move: this.bookMove(position), replies, chance, later: this._chance(replies) };
  }

  // The replies to the trap: { move, after, chance, holds }[], or null where there is none.
  _replies(position) {
    const weights = this.traps.get(this.rules.key(position));
    const move = weights ? this.bookMove(position) : null;
    if (move === null) return null;
    const child = this.rules.play(position, move);
    return this.rules.legalMoves(child).map((reply) => {
      const after = this.rules.play(child, reply);
      return { move: reply, after, ...weights.get(this.rules.key(after)) };
    });
  }

  _chance(replies) {
    return sum(
      (replies ?? []).map(({ after, chance, holds }) => chance * (holds ? this._chance(this._replies(after)) : 1)),
    );
  }
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
