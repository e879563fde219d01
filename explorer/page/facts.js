// The proven facts about positions, and their sources.
//
// A claim is { source, lo, hi }. A claim of the kernel also has { nodes, seconds }. A fact is { lo, hi, claims }. Its bounds
// follow from all of its claims together.

import {
  Contradiction,
  UNKNOWN_BOUNDS,
  afterMove,
  bestOf,
  intersect,
  moverBound,
  moverEnd,
  opponentBound,
  opponentEnd,
  pointsLost,
  valueOf,
  winnerOf,
  wonBy,
} from "./evidence.js";
import { Level } from "./levels.js";
import { keysAt, numbersAt } from "./packs.js";
import { BLACK_WINS, MOST, PASS, START, isOver, keyOf, marginOf, positionOf, signOf } from "./rules.js";

const VERDICT_WIN = 1;

// The version of the atlas's format, and the byte that the atlas contains in place of a lower bound if a position has no
// bounds.
const VALUES_FORMAT = 3;
const ABSENT = 255;

// The sources of facts. The most trusted source comes first.
export const SOURCES = ["rules", "certificate", "atlas", "book", "kernel"];

// The texts that are shown instead of a source if nothing is proven yet.
export const COMPUTING = "computing";
export const UNKNOWN = "unknown";

// Return the row of a key in a table, or -1 if the table does not contain the key. The keys of a table are sorted. If the table
// has `begins`, the first row of each ply, the keys are sorted only within each ply.
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

// Return the keys and bounds with which a pack begins.
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

// Read the atlas in the format of book/files/values.py: three columns of bytes. The atlas does not contain the keys, so this
// function computes the keys from ply to ply.
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
  // The page of a shorter game has an empty atlas.
  if (rows) addPly(atlas, BigUint64Array.of(keyOf(START)));
  while (atlas.begins.at(-1) < rows) addPly(atlas, rules.nextPly(lastPly(atlas)));
  return atlas;
}

// Return the keys of the last ply that was added to the atlas.
function lastPly({ keys, begins }) {
  return keys.subarray(begins.at(-2), begins.at(-1));
}

function addPly({ keys, begins }, level) {
  keys.set(level, begins.at(-1));
  begins.push(begins.at(-1) + level.length);
}

// Read lines of best play. Return a table like the atlas. text: a JSON list of [value, number of plies after which the
// positions have that value, moves].
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

// Return a Map from the key of each lost position to a Map from the key after each reply to { chance, holds }.
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

// Return the fact that follows from several claims. Throw Contradiction if the claims contradict each other.
function factOf(claims) {
  const bounds = claims.reduce(intersect, UNKNOWN_BOUNDS);
  const fact = { ...bounds, claims };
  if (bounds.lo > bounds.hi) {
    const sources = ["lo", "hi"].map((end) => endSource(fact, end, bounds[end]));
    throw new Contradiction(`${sources[0]}: ${bounds.lo} or more, and ${sources[1]}: ${bounds.hi} or less, cannot both be true`);
  }
  return fact;
}

const rankOf = (source) => SOURCES.indexOf(source);

const mostTrusted = (sources) => sources.reduce((a, b) => (rankOf(a) <= rankOf(b) ? a : b), SOURCES.at(-1));
const leastTrusted = (sources) => sources.reduce((a, b) => (rankOf(a) >= rankOf(b) ? a : b), SOURCES[0]);

// Return the most trusted source among the claims that imply a bound, or null if no claim implies the bound. end: "lo" or "hi",
// the end of the bounds.
function endSource({ claims }, end, bound) {
  const implying = claims.filter((claim) => (end === "lo" ? claim.lo >= bound : claim.hi <= bound));
  return implying.length ? mostTrusted(implying.map((claim) => claim.source)) : null;
}

// Return the source that proves the winner, or null if the winner is not known.
export function verdictSource(fact) {
  const winner = winnerOf(fact);
  if (winner === null) return null;
  return winner === 0 ? endSource(fact, "lo", BLACK_WINS) : endSource(fact, "hi", BLACK_WINS - 1);
}

// Return the source that proves the value, or null if the value is not known. If different sources prove the two ends of the
// bounds, return the less trusted source.
export function valueSource(fact) {
  if (valueOf(fact) === null) return null;
  return leastTrusted(["lo", "hi"].map((end) => endSource(fact, end, fact[end])).filter(Boolean));
}

// Return the names of the two ends of the bounds, "lo" and "hi"; the mover's end comes first.
const endsOf = (black) => (black ? ["lo", "hi"] : ["hi", "lo"]);

// Return the two claims about a position that follow from the facts about its moves. The best move proves the mover's end, and
// all moves together prove the other end.
function fromMoves(black, moves) {
  const facts = moves.map(({ fact }) => fact);
  const bounds = bestOf(black, facts);
  const [own, other] = endsOf(black);
  const keepers = facts.map((fact) => endSource(fact, own, bounds[own])).filter(Boolean);
  const bounders = facts.map((fact) => endSource(fact, other, bounds[other]));
  return [
    keepers.length ? { source: mostTrusted(keepers), ...moverEnd(black, bounds) } : null,
    bounders.every(Boolean) ? { source: leastTrusted(bounders), ...opponentEnd(black, bounds) } : null,
  ];
}

// Return the two claims about a move that follow from the fact about its position. No move is better for the mover than the
// position. If only one move can be as good as the position, that move is as good as the position.
function fromParent(black, fact, isBest) {
  const follows = afterMove(black, fact, isBest);
  return [moverEnd, opponentEnd].map((half) => {
    const bounds = half(black, follows);
    const end = endsOf(black)[half === moverEnd ? 0 : 1];
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
    // The values of the plies after the last ply of the atlas's table, by ply.
    this.levels = new Map();
    this.book = book;
    this.lines = lines;
    this.traps = traps;
    // The claims of the kernel (`computed`), and the claims that follow from the positions before and after (`carried`), by
    // key.
    this.computed = new Map();
    this.carried = new Map();
    this.moves = new WeakMap();
  }

  // The bounds and moves that each worker's table contains at the start. The atlas is omitted, because its positions come
  // before the positions that a search visits.
  get taught() {
    return this.tables.flatMap(([, { keys, begins, lo, hi, best }]) => (best && !begins ? [{ keys, lo, hi, best }] : []));
  }

  // Add the values of a later ply. isWhole: whether no value of the ply is missing.
  addLevel(ply, blocks, isWhole) {
    this.levels.set(ply, new Level(ply, blocks, this.rules, isWhole));
  }

  // Return whether the atlas contains all positions of a ply that games can reach.
  lists(ply) {
    return ply < this.atlas.begins.length - 1 || Boolean(this.levels.get(ply)?.isWhole);
  }

  isInAtlas(position) {
    const key = this.rules.key(position);
    return rowOf(this.atlas, key) >= 0 || typeof this.levels.get(position.ply)?.value(key) === "number";
  }

  // Return the fact about a position, without conclusions from the positions before and after it.
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

  // Return the facts about a position and about its moves: { fact, moves: [{ moves, key, child, fact, lost }] }. Symmetric
  // moves form one class, which is an item of the list. Conclusions from the position to its moves, and from the moves to the
  // position, are stored. lost: the least and the greatest number of points that the moves lose.
  about(position) {
    const black = signOf(position) > 0;
    const { key, classes, claims } = this._movesOf(position);
    for (const { one, claim } of claims) this._carry(one.key, claim, this.own(one.child, one.key));
    if (!classes.length) return { fact: this.own(position, key), moves: [] };
    const withFacts = () => classes.map((one) => ({ ...one, fact: this.own(one.child, one.key) }));
    for (const claim of fromMoves(black, withFacts())) this._carry(key, claim, this.own(position, key));
    const fact = this.own(position, key);
    const able = withFacts().filter((one) => opponentBound(black, one.fact) >= moverBound(black, fact));
    for (const one of classes)
      for (const claim of fromParent(black, fact, able.length === 1 && able[0].key === one.key))
        this._carry(one.key, claim, this.own(one.child, one.key));
    const now = withFacts();
    const others = (one) => now.filter((other) => other !== one).map((other) => other.fact);
    return { fact, moves: now.map((one) => ({ ...one, lost: pointsLost(black, fact, one.fact, others(one)) })) };
  }

  // Return the unchanging data about the moves of a position: the classes of the moves, and the claims that follow from a best
  // move in a table.
  _movesOf(position) {
    if (!this.moves.has(position)) {
      const key = this.rules.key(position);
      const classes = this.rules.classes(position);
      this.moves.set(position, { key, classes, claims: [...this._claimsOfBestMoves(position, key, classes)] });
    }
    return this.moves.get(position);
  }

  // Update the facts along a line, first from its end to its start, and then from its start to its end.
  carryAlong(positions) {
    for (const position of [...positions].reverse()) this.about(position);
    for (const position of positions) this.about(position);
  }

  // After a new fact about the last position of a line, update the earlier positions, from the end, until the bounds of a
  // position stay the same.
  carryBack(positions) {
    for (const [index, position] of [...positions.entries()].reverse()) {
      const had = this.own(position);
      const { lo, hi } = this.about(position).fact;
      if (index < positions.length - 1 && lo === had.lo && hi === had.hi) return;
    }
  }

  // Store a claim that follows from other claims, unless a claim that is trusted at least as much already implies the new
  // claim.
  _carry(key, claim, fact) {
    if (!claim || (claim.lo === -MOST && claim.hi === MOST)) return;
    const end = claim.lo > -MOST ? "lo" : "hi";
    const says = endSource(fact, end, claim[end]);
    if (says !== null && rankOf(says) <= rankOf(claim.source)) return;
    this.carried.set(key, { ...this.carried.get(key), [`${end} ${claim.source}`]: claim });
  }

  // Yield the claims { one, claim } that follow from the best moves in the tables. one: the class of a best move.
  *_claimsOfBestMoves(position, key, classes) {
    const black = signOf(position) > 0;
    for (const [source, table] of this.tables) {
      const row = table.best ? rowOf(table, key) : -1;
      if (row < 0) continue;
      const keeping = this._images(position, key, table.best[row]);
      for (const one of classes)
        if (keeping.includes(one.moves[0]))
          yield { one, claim: { source, ...moverEnd(black, { lo: table.lo[row], hi: table.hi[row] }) } };
    }
  }

  // Store bounds, from Black's side, that the kernel has proved.
  note(key, { lo, hi }, nodes, seconds) {
    const had = this.computed.get(key) ?? { ...UNKNOWN_BOUNDS, nodes: 0, seconds: 0 };
    this.computed.set(key, {
      source: "kernel",
      ...intersect(had, { lo, hi }),
      nodes: had.nodes + nodes,
      seconds: had.seconds + seconds,
    });
  }

  // Return the moves of a position that correspond to a move of its canonical position. If `move` is NO_MOVE, return an empty
  // list.
  _images(position, key, move) {
    if (move > PASS) return [];
    const after = this.rules.key(this.rules.play(positionOf(key), move));
    return this.rules.legalMoves(position).filter((one) => this.rules.key(this.rules.play(position, one)) === after);
  }

  // Return the book's move if the book's verdict is proven, otherwise null.
  bookMove(position) {
    const key = this.rules.key(position);
    const row = rowOf(this.book, key);
    return row >= 0 && this.book.decided[row] ? (this._images(position, key, this.book.best[row])[0] ?? null) : null;
  }

  // Return a move that is proven to keep the exact value of a position, or null if no such move is known. If a stored line of
  // best play contains the position, return the move of that line.
  keeper(position, value) {
    const key = this.rules.key(position);
    const row = rowOf(this.lines, key);
    if (row >= 0) return this._images(position, key, this.lines.best[row])[0];
    const black = signOf(position) > 0;
    const least = moverBound(black, { lo: value, hi: value });
    return this.about(position).moves.find(({ fact }) => moverBound(black, fact) >= least)?.moves[0] ?? null;
  }

  // Return the trap that the book sets in a lost position, or null: { move, replies: [{ move, chance, holds }], chance, later
  // }. chance: the probability that a modelled opponent makes a mistake in reply to this trap. later: the probability of a
  // mistake in reply to this trap or to a later one.
  trap(position) {
    const replies = this._replies(position);
    if (!replies) return null;
    const chance = sum(replies.filter((reply) => !reply.holds).map((reply) => reply.chance));
    return { move: this.bookMove(position), replies, chance, later: this._chance(replies) };
  }

  // Return the replies to the trap, { move, after, chance, holds }[], or null if there is no trap.
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
