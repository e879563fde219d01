// The kernel in workers, one for each core, asked in slices so that the page can turn to another position at any moment.
//
// Whoever asks may turn to something else before the answer comes. So each question has a signal, Engine.search() throws an
// AbortError in place of an answer that comes after the abort, and what comes of an answer is used where Task.run() or
// throwIfAborted() has looked at the signal since the last await.

import {
  BLACK_WINS,
  MOST,
  NO_GUESS,
  NO_MOVE,
  PASS,
  PLIES,
  isOver,
  kernelArguments,
  marginOf,
  moverOf,
  passEnds,
  positionSeen,
  signOf,
} from "./rules.js";
import { seen, winnerOf } from "./evidence.js";

// Browsers of before 2022 lack it.
AbortSignal.prototype.throwIfAborted ??= function () {
  if (this.aborted) throw new DOMException("left", "AbortError");
};

// Seconds that a slice should take, and how many nodes it may have.
const SLICE_SECONDS = 0.05;
const LEAST_SLICE = 1 << 14;
const MOST_SLICE = 1 << 20;

// A question of more nodes lets others go first, as if its rank were lower by so much.
const PATIENCE = 1 << 22;
const PATIENCE_COST = 30;

// Lines of 64 bytes of a worker's table: 128 MiB, or 64 MiB on a phone or a machine with little memory; half of that where
// more than two workers share it.
const TABLE_LINES = 1 << 21;
const SMALL_TABLE_LINES = 1 << 20;
const LINE_BYTES = 64;

const MOST_LANES = 8;

// With so many plies left all best moves are looked at, as in book/answers/reasons.py.
const LATE_LEFT = 12;

function tableLines(lanes) {
  const small = matchMedia("(pointer: coarse)").matches || (/** @type {any} */ (navigator).deviceMemory ?? 8) < 4;
  return (small ? SMALL_TABLE_LINES : TABLE_LINES) / (lanes > 2 ? 2 : 1);
}

// One thing that the page waits for at a time: the next one, or stop(), ends it, and what it promised is not used.
export class Task {
  constructor() {
    this.controller = null;
  }

  get isRunning() {
    return this.controller !== null;
  }

  stop() {
    this.controller?.abort();
    this.controller = null;
  }

  // Do work(signal) in place of what runs, and hand what comes of it to use(), unless it is stopped before.
  async run(work, use = (/** @type {any} */ _) => {}) {
    this.stop();
    const controller = (this.controller = new AbortController());
    const { signal } = controller;
    let result;
    try {
      result = await work(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (this.controller === controller) this.controller = null;
    }
    if (!signal.aborted) use(result);
  }
}

// A worker, and the questions that it has not answered yet.
class Lane {
  constructor(url) {
    this.worker = new Worker(url);
    this.waiting = new Map();
    this.asked = 0;
    this.slice = 1 << 16;
    this.worker.addEventListener("message", ({ data }) => this._take(data));
    this.worker.addEventListener("error", (event) => this._fail(event.message || "the worker cannot start"));
  }

  ask(name, question) {
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ name, id, ...question });
    });
  }

  tell(rows) {
    this.worker.postMessage({ name: "learn", rows });
  }

  _take({ id, answer, error }) {
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) reject(new Error(error));
    else resolve(answer);
  }

  _fail(message) {
    for (const { reject } of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }
}

// How memory that workers share is laid out: behind the compiler's data a stack and what is its own for each, then a table.
const [PAGE_BYTES, STACK_BYTES, ALIGN] = [1 << 16, 1 << 20, 64];

// One memory for so many workers: a place in it for each; null where the browser has not so much. bytes: the kernel for it.
async function sharedPlaces(bytes, lanes) {
  const aligned = (address) => Math.ceil(address / ALIGN) * ALIGN;
  for (let lines = 2 * tableLines(1); lines >= SMALL_TABLE_LINES; lines /= 2) {
    try {
      const room = 8 * STACK_BYTES * (lanes + 1) + lines * LINE_BYTES;
      const pages = Math.ceil(room / PAGE_BYTES);
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
      /** @type {any} */
      const { exports } = (await WebAssembly.instantiate(bytes, { env: { memory } })).instance;
      let free = aligned(exports.__heap_base.value);
      const take = (size) => (free = aligned(free + size)) - aligned(size);
      const busy = take(exports.busy_bytes());
      const own = [...Array(lanes).keys()].map(() => ({
        stack: take(STACK_BYTES) + STACK_BYTES,
        local: take(Math.max(exports.__tls_size.value, ALIGN)),
        own: take(exports.own_bytes()),
      }));
      const table = take(lines * LINE_BYTES);
      return own.map((each, index) => ({ ...each, memory, busy, table, lines, index }));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return null;
}

// All workers. Where the page is isolated from other sites, as `little-go open` serves it, they share one table. From a file
// memory cannot be shared, so each has a table of its own, and what one has found at some cost is passed on to the others.
export class Engine {
  // shared: the kernel for memory that is shared, or nothing.
  constructor(workerSource, bytes, facts, shared = null) {
    this.shared = globalThis.crossOriginIsolated ? shared : null;
    this.places = null;
    this.url = URL.createObjectURL(new Blob([workerSource], { type: "text/javascript" }));
    this.opening = { bytes, facts };
    this.wanted = Math.min(Math.max(navigator.hardwareConcurrency || 1, 1), MOST_LANES);
    this.lanes = [];
  }

  // Open the first worker, which suffices to work with.
  async open() {
    if (this.shared) this.places = await sharedPlaces(this.shared, this.wanted);
    if (this.places) this.opening.bytes = this.shared;
    await this._open(0);
  }

  // Open the others, as many as there is memory for.
  async openOthers() {
    try {
      while (this.lanes.length < this.wanted) await this._open(this.lanes.length);
    } catch {
      this.wanted = this.lanes.length;
    }
  }

  // The order of moves differs between workers, so that two at one question do not find the same things.
  async _open(seed) {
    const lane = new Lane(this.url);
    await lane.ask("open", { ...this.opening, lines: tableLines(this.wanted), seed, place: this.places?.[seed] });
    this.lanes.push(lane);
  }

  // The worker with the least to do.
  idlest() {
    return this.lanes.reduce((a, b) => (b.waiting.size < a.waiting.size ? b : a));
  }

  // One slice of the question whether the mover's value reaches a goal. name: "decide", or "bound" where no move is wanted.
  async search(name, lane, position, goal, signal, nodes = lane.slice) {
    signal?.throwIfAborted();
    const answer = await lane.ask(name, { question: kernelArguments(position), goal, nodes });
    if (answer.nodes > LEAST_SLICE) {
      const fit = (answer.nodes / Math.max(answer.seconds, 1e-3)) * SLICE_SECONDS;
      lane.slice = Math.round(Math.min(Math.max(fit, LEAST_SLICE), MOST_SLICE));
    }
    if (answer.kept) for (const other of this.lanes) if (other !== lane) other.tell(answer.kept);
    signal?.throwIfAborted();
    return answer;
  }

  // Lines of best play, which depend only on the rules, and the outcome: null, or two lines, of which "settle" fills the first.
  // All workers search, and the first result ends the search. name: "explain" with a move, or "settle" with the mover's value.
  // What facts tell of the positions that a worker waits for is not searched.
  async lines(facts, name, position, goal, signal) {
    /** @type {any} */
    let found = null;
    const seek = async (lane) => {
      let [nodes, taught] = [0, ""];
      while (!found) {
        const answer = await this.search(name, lane, position, goal, signal, nodes);
        if (answer.ended) found = answer;
        else {
          // Each slice begins with what the table has lost of earlier ones, so a smaller one may never get further.
          const open = String(answer.open);
          nodes = open !== taught && teachOpen(facts, lane, answer.open) ? 0 : Math.max(lane.slice, LEAST_SLICE);
          taught = open;
        }
      }
    };
    await Promise.race(this.lanes.map(seek));
    return found.lines;
  }
}

// Teach a worker what is known of a position, as the kernel has it; return whether that is its value.
function teachOpen(facts, lane, [me, opp, ko, left, passed]) {
  const fact = facts.own(positionSeen(me, opp, ko, left, passed));
  const { lo, hi } = seen(left % 2 === 0, fact);
  if (lo === hi) lane.tell(Int32Array.of(me, opp, ko, left, passed, 0, lo, hi, NO_MOVE, 0, 0, 0));
  return lo === hi;
}

// Several positions whose values are asked at once, dealt out among the workers: first who wins each, then the values.
//
// items: { position, rank } each; of two the one with the higher rank comes first. onLearn(position) is told of all that is proved.
export class Survey {
  constructor(engine, facts, items, onLearn) {
    this.engine = engine;
    this.facts = facts;
    this.onLearn = onLearn;
    this.nodes = 0;
    this.items = items.map(({ position, rank }) => ({
      position,
      rank,
      key: facts.rules.key(position),
      sign: signOf(position),
      goals: [],
      spent: 0,
    }));
  }

  // Whether there is something to ask.
  get isOpen() {
    return this._next() !== null;
  }

  // Search until all is exact; an AbortError ends it before.
  async run(signal) {
    const working = new Map();
    signal?.throwIfAborted();
    for (;;) {
      // A worker that opens later joins in.
      for (const lane of this.engine.lanes)
        if (!working.has(lane)) {
          const question = this._next();
          if (question) working.set(lane, this._ask(lane, question, signal).finally(() => working.delete(lane)));
        }
      if (!working.size) return;
      await Promise.race(working.values());
      signal?.throwIfAborted();
    }
  }

  // The question to be asked next, or null: { item, goal }, the goal from its mover's side.
  _next() {
    let best = null;
    for (const item of this.items) {
      const { lo, hi, goal, undecided } = this._state(item);
      if (lo === hi || goal === null) continue;
      const urgency = item.rank(undecided, item.sign * goal) - 1000 * item.goals.length - PATIENCE_COST * Math.floor(item.spent / PATIENCE);
      if (!best || urgency > best.urgency) best = { item, goal, urgency };
    }
    return best;
  }

  // Bounds from the mover's side, and the goal to ask for. A second worker is given a goal beside the first one's, as an exact
  // value takes the answers to two; null where there is none left.
  _state(item) {
    const { lo, hi } = seen(item.sign > 0, this.facts.own(item.position, item.key));
    const win = item.sign > 0 ? BLACK_WINS : 1 - BLACK_WINS;
    const undecided = lo < win && win <= hi;
    const guess = undecided ? win : (item.guess ?? item.sign * marginOf(item.position));
    const goal = Math.min(Math.max(guess, lo + 1), hi);
    const free = [goal, goal + 1, goal - 1].find((one) => one > lo && one <= hi && !item.goals.includes(one));
    return { lo, hi, undecided, goal: free ?? null };
  }

  async _ask(lane, { item, goal }, signal) {
    item.goals.push(goal);
    try {
      const end = item.spent + PATIENCE;
      for (;;) {
        const answer = await this.engine.search("bound", lane, item.position, goal, signal);
        item.spent += answer.nodes;
        this.nodes += answer.nodes;
        const had = this.facts.own(item.position, item.key);
        noteAnswer(this.facts, item, answer);
        const now = this.facts.own(item.position, item.key);
        if (now.lo > had.lo || now.hi < had.hi) this.onLearn(item.position);
        const { lo, hi } = seen(item.sign > 0, this.facts.own(item.position, item.key));
        if (goal <= lo || goal > hi || item.spent > end) return;
      }
    } finally {
      item.goals.splice(item.goals.indexOf(goal), 1);
    }
  }
}

function noteAnswer(facts, { key, sign }, answer) {
  facts.note(key, seen(sign > 0, answer), answer.nodes, answer.seconds);
}

// The questions about one position, in slices. Bounds and moves, from the mover's side, are kept between them.
export class Quest {
  constructor(engine, facts, position) {
    this.engine = engine;
    this.facts = facts;
    this.position = position;
    this.key = facts.rules.key(position);
    this.sign = signOf(position);
    this.lane = engine.idlest();
    this.nodes = 0;
  }

  // Bounds from the mover's side.
  get bounds() {
    return seen(this.sign > 0, this.facts.own(this.position, this.key));
  }

  // Ask until the mover's value is known to reach a goal or not, or until `nodes` are spent; return the move that reaches
  // it, NO_MOVE if it is not reached, null if that is not known.
  /** @param {number} goal @param {{ nodes?: number, signal?: AbortSignal }} limits */
  async decide(goal, { nodes = Infinity, signal } = {}) {
    const end = this.nodes + nodes;
    while (this.nodes < end) {
      const answer = await this.engine.search("decide", this.lane, this.position, goal, signal);
      this._note(answer);
      if (answer.lo >= goal) return answer.best;
      if (answer.hi < goal) return NO_MOVE;
    }
    return null;
  }

  // Find out who wins; whether that is known now.
  async verdict(options) {
    if (winnerOf(this.facts.own(this.position, this.key)) !== null) return true;
    return (await this.decide(this.sign > 0 ? BLACK_WINS : 1 - BLACK_WINS, options)) !== null;
  }

  // Find the exact value; whether it is known now.
  /** @param {{ nodes?: number, signal?: AbortSignal }} limits */
  async exact({ nodes = Infinity, signal } = {}) {
    const end = this.nodes + nodes;
    while (this.bounds.lo < this.bounds.hi) {
      if (this.nodes >= end) return false;
      this._note(await this.engine.search("value", this.lane, this.position, NO_GUESS, signal));
    }
    return true;
  }

  _note(answer) {
    this.nodes += answer.nodes;
    noteAnswer(this.facts, this, answer);
  }
}

// Find a move that keeps a position's exact value; null when `nodes` do not suffice.
export async function keepingMove(engine, facts, position, value, options) {
  const known = facts.keeper(position, value);
  if (known !== null) return known;
  if (!engine) return null;
  const quest = new Quest(engine, facts, position);
  const goal = quest.sign * value;
  const moves = facts.rules.legalMoves(position);
  if (goal === -MOST || moves.length === 1) return moves[0];
  const move = await quest.decide(goal, options);
  return moves.includes(move) ? move : null;
}

// Whether a move is proved to keep a position's exact value: the opponent does not reach more than it leaves.
export async function keepsValue(engine, facts, position, move, value, options) {
  const child = facts.rules.play(position, move);
  if (isOver(child)) return marginOf(child) === value;
  return (await new Quest(engine, facts, child).decide(1 - signOf(position) * value, options)) === NO_MOVE;
}

// Find a line of best play for both, from a position whose exact value is known. onMoves(moves, isWhole) is told of
// each move more; the line ends early when `nodes` do not suffice for the next one. The last plies depend on the rules alone.
export async function bestLine(engine, facts, position, value, /** @type {any} */ { nodes, signal, onMoves = () => {} }) {
  const moves = [];
  let current = position;
  while (!isOver(current) && (!engine || PLIES - current.ply > LATE_LEFT)) {
    const move = await keepingMove(engine, facts, current, value, { nodes, signal });
    signal?.throwIfAborted();
    if (move === null) return moves;
    moves.push(move);
    current = facts.rules.play(current, move);
    onMoves([...moves], isOver(current));
  }
  if (isOver(current)) return moves;
  const [last] = await engine.lines(facts, "settle", current, signOf(current) * value, signal);
  onMoves([...moves, ...last], true);
  return [...moves, ...last];
}

// The perfect player's move: the book's move, else a move that keeps the exact value, else one that keeps the win,
// else, where nothing is decided within `nodes`, the most promising one. { move, from }, from: what it rests on.
export async function perfectMove(engine, facts, position, /** @type {any} */ { nodes, signal }) {
  const mover = moverOf(position);
  const wins = (margin) => margin >= BLACK_WINS === (mover === 0);
  if (passEnds(position) && wins(marginOf(position))) return { move: PASS, from: "rules" };
  const fromBook = facts.bookMove(position);
  if (fromBook !== null) return { move: fromBook, from: "book" };
  const quest = new Quest(engine, facts, position);
  const winning = await quest.decide(quest.sign > 0 ? BLACK_WINS : 1 - BLACK_WINS, { nodes, signal });
  if (await quest.exact({ nodes, signal })) {
    const { lo } = facts.own(position);
    const move = await keepingMove(engine, facts, position, lo, { nodes, signal });
    if (move !== null)
      return { move: await playOn(engine, facts, position, move, lo, { nodes, signal }), from: "value" };
  }
  if (winning !== null && winning <= PASS) return { move: winning, from: "verdict" };
  const { best } = await engine.search("decide", quest.lane, position, quest.bounds.lo + 1, signal);
  return { move: best <= PASS ? best : facts.rules.legalMoves(position)[0], from: "guess" };
}

// A stone of the same value in place of a PASS that would end a lost game, if there is one: the opponent may yet err.
async function playOn(engine, facts, position, move, value, options) {
  if (move !== PASS || !passEnds(position)) return move;
  for (const stone of facts.rules.legalMoves(position).slice(0, -1))
    if (await keepsValue(engine, facts, position, stone, value, options)) return stone;
  return move;
}
