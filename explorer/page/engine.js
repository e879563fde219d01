// The kernel in workers, one for each core. A worker searches a question in slices of 50 ms, so that the page can turn to
// another position at any moment.
//
// A question can become useless before its answer arrives, so each question has a signal. Engine.search() throws an AbortError
// if the signal is aborted before the search ends. Code that uses an answer runs in Task.run(), or calls throwIfAborted() after
// the last await.

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
import { switchSide, winnerOf } from "./evidence.js";

// Browsers from before 2022 do not have AbortSignal.throwIfAborted().
AbortSignal.prototype.throwIfAborted ??= function () {
  if (this.aborted) throw new DOMException("left", "AbortError");
};

// The intended duration of a slice in seconds, and the minimum and maximum of its nodes.
const SLICE_SECONDS = 0.05;
const LEAST_SLICE = 1 << 14;
const MOST_SLICE = 1 << 20;

// Whenever a question has used PATIENCE more nodes, its rank falls by PATIENCE_COST, so that other questions come first.
const PATIENCE = 1 << 22;
const PATIENCE_COST = 30;

// The number of lines of a worker's table. A line has 64 bytes, so the table has 128 MiB, or 64 MiB on a phone or a machine
// with little memory. With more than two workers, each table has half of this size.
const TABLE_LINES = 1 << 21;
const SMALL_TABLE_LINES = 1 << 20;
const LINE_BYTES = 64;

const MOST_LANES = 8;

// If at most this number of plies is left, one search finds the whole rest of a line, as in book/answers/reasons.py.
const LATE_LEFT = 12;

function tableLines(lanes) {
  const small = matchMedia("(pointer: coarse)").matches || (/** @type {any} */ (navigator).deviceMemory ?? 8) < 4;
  return (small ? SMALL_TABLE_LINES : TABLE_LINES) / (lanes > 2 ? 2 : 1);
}

// An asynchronous task. A new run or stop() aborts the previous run, and the result of an aborted run is not used.
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

  // Stop the current run and start work(signal). Pass the result of work() to use(), unless the new run was stopped meanwhile.
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

// A worker, with the questions that the worker has not answered yet.
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

// The shared memory contains, in this order: the compiled kernel's static data, the busy array, a stack and separate data for
// each worker, and the table.
const [PAGE_BYTES, STACK_BYTES, ALIGN] = [1 << 16, 1 << 20, 64];

// Return, for each worker, the addresses of its data in one shared memory. Return null if the browser does not provide that
// much memory. bytes: the kernel that is compiled for shared memory.
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

// All workers of the page. If `little-go open` serves the page, the page is isolated from other sites, and its workers share
// one table. If the page is opened from a file, its workers cannot share memory. Each worker then has its own table, and sends
// results that cost many nodes to the other workers.
export class Engine {
  // shared: the kernel that is compiled for shared memory, or null.
  constructor(workerSource, bytes, facts, shared = null) {
    this.shared = globalThis.crossOriginIsolated ? shared : null;
    this.places = null;
    this.url = URL.createObjectURL(new Blob([workerSource], { type: "text/javascript" }));
    this.opening = { bytes, facts };
    this.wanted = Math.min(Math.max(navigator.hardwareConcurrency || 1, 1), MOST_LANES);
    this.lanes = [];
  }

  // Open the first worker. The page can begin as soon as this worker is ready.
  async open() {
    if (this.shared) this.places = await sharedPlaces(this.shared, this.wanted);
    if (this.places) this.opening.bytes = this.shared;
    await this._open(0);
  }

  // Open the other workers. If the memory is not sufficient for all workers, open fewer.
  async openOthers() {
    try {
      while (this.lanes.length < this.wanted) await this._open(this.lanes.length);
    } catch {
      this.wanted = this.lanes.length;
    }
  }

  // Open a worker. Each worker tries moves in a different order, so that two workers with the same question search different
  // parts of the tree.
  async _open(seed) {
    const lane = new Lane(this.url);
    await lane.ask("open", { ...this.opening, lines: tableLines(this.wanted), seed, place: this.places?.[seed] });
    this.lanes.push(lane);
  }

  // Return the worker with the fewest open questions.
  idlest() {
    return this.lanes.reduce((a, b) => (b.waiting.size < a.waiting.size ? b : a));
  }

  // Search one slice of the question whether the mover's value reaches a goal, and return the answer. name: "decide", or
  // "bound" if the caller needs no move.
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

  // Find lines of best play, which depend only on the rules. All workers search, and the first result ends the search. If name
  // is "explain", `goal` is a move. Return [line after the move, line after a best move, outcome], or null if the move is a
  // best move. If name is "settle", `goal` is the mover's value, and only the first line of the result has a meaning. If a
  // worker needs the value of a position and the facts contain it, the worker gets the value instead of searching it.
  async lines(facts, name, position, goal, signal) {
    /** @type {any} */
    let found = null;
    const seek = async (lane) => {
      let [nodes, taught] = [0, ""];
      while (!found) {
        const answer = await this.search(name, lane, position, goal, signal, nodes);
        if (answer.ended) found = answer;
        else {
          // Each slice repeats searches whose results the table has lost. If slices became smaller, the search could stop
          // making progress.
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

// If the facts contain the exact value of a position, teach it to a worker. Return whether the facts contain the value.
function teachOpen(facts, lane, [me, opp, ko, left, passed]) {
  const fact = facts.own(positionSeen(me, opp, ko, left, passed));
  const { lo, hi } = switchSide(left % 2 === 0, fact);
  if (lo === hi) lane.tell(Int32Array.of(me, opp, ko, left, passed, 0, lo, hi, NO_MOVE, 0, 0, 0));
  return lo === hi;
}

// Find the values of several positions. The workers first find the winner in each position, and then the exact values.
//
// items: [{ position, rank }]. rank(isOpen, goal) returns the rank of a question; the question with the highest rank comes
// first. isOpen: whether the winner is not known yet. goal: the threshold of the question, from Black's side. onLearn(position)
// is called whenever bounds become sharper.
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

  // Whether some question is left that no worker is searching.
  get isOpen() {
    return this._next() !== null;
  }

  // Search until all values are exact. Throw an AbortError if the signal is aborted before that.
  async run(signal) {
    const working = new Map();
    signal?.throwIfAborted();
    for (;;) {
      // A worker that is opened during the search gets a question too.
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

  // Return the next question { item, goal }, or null if no question is left. goal: the threshold from the mover's side.
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

  // Return the bounds of an item from the mover's side, and the goal to search for. The answers to two neighbouring goals prove
  // an exact value, so a second worker gets a goal next to the first worker's goal. goal: null if no goal is left.
  _state(item) {
    const { lo, hi } = switchSide(item.sign > 0, this.facts.own(item.position, item.key));
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
        const { lo, hi } = switchSide(item.sign > 0, this.facts.own(item.position, item.key));
        if (goal <= lo || goal > hi || item.spent > end) return;
      }
    } finally {
      item.goals.splice(item.goals.indexOf(goal), 1);
    }
  }
}

function noteAnswer(facts, { key, sign }, answer) {
  facts.note(key, switchSide(sign > 0, answer), answer.nodes, answer.seconds);
}

// Questions about one position, which a worker searches in slices. The results of earlier slices stay in the table and in the
// facts.
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

  // The known bounds on the position's value, from the mover's side.
  get bounds() {
    return switchSide(this.sign > 0, this.facts.own(this.position, this.key));
  }

  // Search until it is proven whether the mover's value reaches a goal, or until `nodes` nodes are used. Return the move that
  // reaches the goal, NO_MOVE if the goal is not reached, or null if the limit ended the search.
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

  // Find out who wins. Return whether the winner is known afterwards.
  async verdict(options) {
    if (winnerOf(this.facts.own(this.position, this.key)) !== null) return true;
    return (await this.decide(this.sign > 0 ? BLACK_WINS : 1 - BLACK_WINS, options)) !== null;
  }

  // Find the exact value. Return whether the value is known afterwards.
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

// Return a move that keeps the exact value of a position, or null if `nodes` nodes are not enough to find one.
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

// Return whether a move is proven to keep the exact value of a position. A move keeps the value if the opponent cannot reach a
// better value after the move.
export async function keepsValue(engine, facts, position, move, value, options) {
  const child = facts.rules.play(position, move);
  if (isOver(child)) return marginOf(child) === value;
  return (await new Quest(engine, facts, child).decide(1 - signOf(position) * value, options)) === NO_MOVE;
}

// Return a line of best play for both sides, from a position whose exact value is known. onMoves(moves, isWhole) is called
// after each new move. The line ends early if `nodes` nodes are not enough to find the next move. The last LATE_LEFT plies
// depend only on the rules.
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

// Return the move of the perfect player and the origin of the move, { move, from }. The player prefers, in this order: a PASS
// that ends a won game, the book's move, a move that keeps the exact value, a move that keeps the win, and the most promising
// move if `nodes` nodes are not enough to decide anything.
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

// If a PASS would end the game, return a stone with the same value instead, if there is one, because the opponent can still
// make a mistake.
async function playOn(engine, facts, position, move, value, options) {
  if (move !== PASS || !passEnds(position)) return move;
  for (const stone of facts.rules.legalMoves(position).slice(0, -1))
    if (await keepsValue(engine, facts, position, stone, value, options)) return stone;
  return move;
}
