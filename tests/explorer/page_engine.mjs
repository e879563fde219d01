// Test the page's searches and facts without a browser. Each line of the output is a test's result as JSON: [name, error or null].

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { settled } from "./whole_page.mjs";

const { NO_GUESS, NO_MOVE, PASS, Rules, START, isOver, kernelArguments, keyOf, marginOf, openKernel, positionOf, signOf } = await import("../../explorer/page/rules.js");
const { Engine, Quest, Survey, Task, bestLine, keepingMove, keepsValue, perfectMove } = await import("../../explorer/page/engine.js");
const { Facts, readAtlas, readBook, readLines, readProved, readTraps, valueSource, verdictSource } = await import("../../explorer/page/facts.js");

const fileOf = (name) => readFileSync(new URL(`../../explorer/${name}`, import.meta.url));
const [KERNEL, SHARED] = [fileOf("kernel.wasm"), fileOf("kernel-shared.wasm")];
const rules = new Rules(await openKernel(KERNEL));
const EMPTY = { keys: new BigUint64Array(0), lo: new Int8Array(0), hi: new Int8Array(0), best: [], decided: [] };
const newFacts = (more = {}) => new Facts(rules, { book: EMPTY, atlas: { ...EMPTY, begins: [0] }, lines: EMPTY, proved: EMPTY, traps: new Map(), ...more });
const after = (...moves) => moves.reduce((position, move) => rules.play(position, move), START);

// A game whose last plies the kernel finds at once. Its values from ply 16 on are 4, 1, 1, -5, 8, -6, 8, 8, 8.
const GAME = [12, 14, 1, 9, 20, 19, 16, 11, 23, 17, 13, 4, 15, 3, 7, 5, 2, 18, 21, 24, 22, 0, 8, 4];
const at = (ply) => after(...GAME.slice(0, ply));
const VALUES = { 16: 4, 17: 1, 18: 1, 19: -5, 20: 8, 21: -6, 22: 8, 23: 8 };

// Open a worker with a kernel, or with a substitute for a kernel. Return a function that asks the worker.
async function newWorker(exports = null) {
  const { instantiate } = WebAssembly;
  const worker = /** @type {any} */ (new Worker(""));
  const waiting = [];
  worker.addEventListener("message", ({ data }) => waiting.shift()(data));
  const ask = async (name, more = {}, id = 7) => {
    if (exports) WebAssembly.instantiate = /** @type {any} */ (async () => ({ instance: { exports } }));
    try {
      const answered = new Promise((resolve) => waiting.push(resolve));
      worker.postMessage({ name, id, ...more });
      const { answer, error, ...rest } = /** @type {any} */ (await answered);
      assert.deepEqual(rest, { id });
      if (error) return { error };
      const { seconds, ...told } = answer;
      assert.ok(seconds >= 0 && seconds < 30);
      return told;
    } finally {
      WebAssembly.instantiate = instantiate;
    }
  };
  return { ask, worker };
}

// A substitute for a kernel. It records the calls. lines: the largest table that it can open.
function newKernel({ most = 1 << 30, kept = 0, outcome = 1 } = {}) {
  const calls = [];
  const memory = { buffer: new ArrayBuffer(1024) };
  new Int32Array(memory.buffer, 256, 48).set([...Array(48).keys()]);
  for (const [which, moves] of [[3, 4], [5]].entries()) {
    new DataView(memory.buffer, 512 + 64 * which).setInt32(0, moves.length, true);
    new Uint8Array(memory.buffer, 516 + 64 * which, 2).set(moves);
  }
  const noted = (name, result) => (...given) => (calls.push([name, ...given]), result);
  const numbers = { lo: 1, hi: 2, best: 3, nodes: 4, me: 5, opp: 6, ko: 7, left: 8, passed: 9, kept, kept_at: 256 };
  return {
    calls,
    memory,
    open: (lines, seed) => (calls.push(["open", lines, seed]), lines <= most),
    line: (which) => 512 + 64 * which,
    ...Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, () => number])),
    ...Object.fromEntries(["keep", "teach", "decide", "bound", "value"].map((name) => [name, noted(name)])),
    ...Object.fromEntries(["explain", "settle"].map((name) => [name, noted(name, outcome)])),
  };
}

// An engine with workers that share no memory.
async function newEngine(facts, count = 2, shared = null) {
  Object.defineProperty(globalThis, "navigator", { value: { hardwareConcurrency: count }, configurable: true });
  const engine = new Engine("", KERNEL, facts.taught, shared);
  await engine.open();
  await engine.openOthers();
  return engine;
}

const facts = newFacts();
const engine = await newEngine(facts);

const TESTS = {
  // A worker halves its table until there is enough memory, and keeps results of 500 nodes or more.
  async "a worker opens a table"() {
    const open = async (most, lines) => {
      const kernel = newKernel({ most });
      const { ask } = await newWorker(kernel);
      return [await ask("open", { bytes: KERNEL, lines, seed: 3, facts: [] }), kernel.calls];
    };
    assert.deepEqual(await open(1 << 20, 1 << 20), [{ lines: 1 << 20, seed: 3 }, [["open", 1 << 20, 3], ["keep", 500]]]);
    assert.deepEqual(await open(1 << 18, 1 << 20), [{ lines: 1 << 18, seed: 3 }, [["open", 1 << 20, 3], ["open", 1 << 19, 3], ["open", 1 << 18, 3], ["keep", 500]]]);
    const [failed, calls] = await open((1 << 18) - 1, 1 << 19);
    assert.deepEqual([failed, calls.length], [{ error: "Error: there is no memory for a table" }, 2]);
  },

  // The facts of the page are taught from the mover's side.
  async "a worker is taught the facts"() {
    const kernel = newKernel();
    const { ask } = await newWorker(kernel);
    const positions = [START, after(12), after(12, 6)];
    const known = { keys: positions.map(keyOf), lo: [3, -1, 2], hi: [24, 5, 2], best: [12, NO_MOVE, PASS] };
    await ask("open", { bytes: KERNEL, lines: 1, seed: 0, facts: [known] });
    assert.deepEqual(kernel.calls.slice(2), [
      ["teach", ...kernelArguments(START), 3, 24, 12],
      ["teach", ...kernelArguments(after(12)), -5, 1, NO_MOVE],
      ["teach", ...kernelArguments(after(12, 6)), 2, 2, PASS],
    ]);
  },

  // The answers to questions have the kernel's results. A question of an unknown kind is an error.
  async "a worker answers questions"() {
    const answered = async (name, given) => {
      const kernel = newKernel(given);
      const { ask } = await newWorker(kernel);
      await ask("open", { bytes: KERNEL, lines: 1, seed: 0, facts: [] });
      kernel.calls.length = 0;
      return [await ask(name, { question: [1, 2, 3, 4, 5], goal: 6, nodes: 7 }), kernel.calls];
    };
    const results = { lo: 1, hi: 2, best: 3, nodes: 4 };
    for (const name of ["decide", "bound", "value"]) {
      assert.deepEqual(await answered(name), [{ ...results, kept: null }, [[name, 1, 2, 3, 4, 5, 6, 7]]]);
      const [{ kept }] = await answered(name, { kept: 2 });
      assert.deepEqual(kept, Int32Array.from([...Array(24).keys()]));
    }
    for (const name of ["explain", "settle"]) {
      const asked = [[name, 1, 2, 3, 4, 5, 6, 7]];
      assert.deepEqual(await answered(name, { outcome: 1 }), [{ ended: true, open: null, lines: [[3, 4], [5], 1], nodes: 4, kept: null }, asked]);
      assert.deepEqual(await answered(name, { outcome: 0 }), [{ ended: true, open: null, lines: null, nodes: 4, kept: null }, asked]);
      assert.deepEqual(await answered(name, { outcome: -1 }), [{ ended: false, open: [5, 6, 7, 8, 9], lines: null, nodes: 4, kept: null }, asked]);
    }
    assert.match((await answered("nothing", {}))[0].error, /^TypeError: /);
  },

  // The results of other workers are stored without an answer.
  async "a worker learns"() {
    const kernel = newKernel();
    const { ask, worker } = await newWorker(kernel);
    await ask("open", { bytes: KERNEL, lines: 1, seed: 0, facts: [] });
    kernel.calls.length = 0;
    worker.postMessage({ name: "learn", rows: Int32Array.from([1, 2, 3, 4, 3, 5, 6, 7, 8, 0, 0, 0, 11, 12, 13, 14, 2, 15, 16, 17, 18, 0, 0, 0]) });
    await ask("value", { question: [], goal: 0, nodes: 0 });
    assert.deepEqual(kernel.calls, [["teach", 1, 2, 3, 4, 1, 6, 7, 8], ["teach", 11, 12, 13, 14, 0, 16, 17, 18], ["value", 0, 0]]);
  },

  // A bench runs with an empty table, without the facts, and restores both. It needs a table of its own.
  async "a worker is measured"() {
    const kernel = newKernel();
    const { ask } = await newWorker(kernel);
    const known = { keys: [keyOf(START)], lo: [3], hi: [3], best: [12] };
    await ask("open", { bytes: KERNEL, lines: 64, seed: 5, facts: [known] });
    kernel.calls.length = 0;
    assert.deepEqual(await ask("bench", { lines: 32, questions: [["value", 1, 2], ["bound", 3]] }), { answers: [[1, 2, 3, 4], [1, 2, 3, 4]] });
    const taught = ["teach", ...kernelArguments(START), 3, 3, 12];
    assert.deepEqual(kernel.calls, [["keep", 0], ["open", 32, 0], ["value", 1, 2], ["bound", 3], ["open", 64, 5], ["keep", 500], taught]);
    const { ask: unopened } = await newWorker(newKernel());
    assert.match((await unopened("bench", { lines: 1, questions: [] })).error, /the bench needs a table of its own: open the page from a file$/);
  },

  // A task has one run. Only the result of the last run is used.
  async "a task has one run"() {
    const task = new Task();
    const used = [];
    const signals = [];
    const answers = [];
    const run = () => task.run((signal) => (signals.push(signal), new Promise((resolve, reject) => answers.push({ resolve, reject }))), (result) => used.push(result));
    assert.equal(task.isRunning, false);
    const one = run();
    assert.equal(task.isRunning, true);
    answers[0].resolve(1);
    await one;
    assert.deepEqual([task.isRunning, used], [false, [1]]);
    const two = run();
    const three = run();
    assert.deepEqual(signals.map(({ aborted }) => aborted), [false, true, false]);
    answers[1].resolve(2);
    await two;
    assert.deepEqual([task.isRunning, used], [true, [1]]);
    answers[2].resolve(3);
    await three;
    assert.deepEqual([task.isRunning, used], [false, [1, 3]]);
    const four = run();
    task.stop();
    answers[3].reject(new Error("left"));
    await four;
    assert.deepEqual([task.isRunning, used], [false, [1, 3]]);
    const five = run();
    answers[4].reject(new Error("failed"));
    await assert.rejects(five, { message: "failed" });
    assert.equal(task.isRunning, false);
    task.stop();
    assert.equal(await task.run(async () => 5), undefined);
  },

  // A failed worker rejects all of its open questions.
  async "a worker fails"() {
    const RealWorker = globalThis.Worker;
    const posted = [];
    let listeners = {};
    globalThis.Worker = /** @type {any} */ (class {
      addEventListener(name, listener) { listeners[name] = listener; }
      postMessage(message) { posted.push(message); }
    });
    const made = new Engine("", KERNEL, []);
    const opening = made.open();
    listeners.message({ data: { id: 1, answer: {} } });
    await opening;
    globalThis.Worker = RealWorker;
    const [lane] = made.lanes;
    assert.deepEqual([made.lanes.length, lane.slice, lane.waiting.size], [1, 1 << 16, 0]);
    const asked = [1, 2, 3].map((goal) => lane.ask("value", { goal }));
    assert.deepEqual([lane.waiting.size, posted.slice(1)], [3, [1, 2, 3].map((goal) => ({ name: "value", id: goal + 1, goal }))]);
    listeners.message({ data: { id: 3, answer: "two" } });
    listeners.message({ data: { id: 2, error: "bad" } });
    assert.equal(await asked[1], "two");
    await assert.rejects(asked[0], { message: "bad" });
    assert.equal(lane.waiting.size, 1);
    listeners.error({ message: "gone" });
    await assert.rejects(asked[2], { message: "gone" });
    assert.equal(lane.waiting.size, 0);
    const last = lane.ask("value", {});
    listeners.error({});
    await assert.rejects(last, { message: "the worker cannot start" });
    lane.tell("rows");
    assert.deepEqual(posted.at(-1), { name: "learn", rows: "rows" });
    // The rest of the workers is not opened if one fails.
    const others = made.openOthers();
    await others;
    made.wanted = 3;
    made._open = async () => (made.lanes.length < 2 ? void made.lanes.push(lane) : Promise.reject(new Error("no memory")));
    await made.openOthers();
    assert.deepEqual([made.lanes.length, made.wanted], [2, 2]);
  },

  // The number of workers and the size of a table depend on the machine.
  async "the size of a table depends on the machine"() {
    const { matchMedia } = globalThis;
    const opened = async (navigator, isCoarse) => {
      Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
      globalThis.matchMedia = /** @type {any} */ ((query) => ({ matches: isCoarse && query === "(pointer: coarse)" }));
      const made = new Engine("", KERNEL, ["facts"]);
      const { wanted } = made;
      const [asked, RealWorker] = [[], globalThis.Worker];
      globalThis.Worker = /** @type {any} */ (class {
        addEventListener(name, listener) { if (name === "message") this.listener = listener; }
        postMessage(message) { asked.push(message); this.listener({ data: { id: message.id, answer: {} } }); }
      });
      await made.open();
      assert.equal(made.lanes.length, 1);
      await made.openOthers();
      globalThis.Worker = RealWorker;
      assert.deepEqual(asked.map(({ seed, name, facts: known, place, bytes }) => [seed, name, known, place, bytes]), [...Array(wanted).keys()].map((seed) => [seed, "open", ["facts"], undefined, KERNEL]));
      return [wanted, new Set(asked.map(({ lines }) => lines)).size, asked[0].lines / (1 << 20)];
    };
    assert.deepEqual(await opened({ hardwareConcurrency: 1 }, false), [1, 1, 2]);
    assert.deepEqual(await opened({ hardwareConcurrency: 2 }, false), [2, 1, 2]);
    assert.deepEqual(await opened({ hardwareConcurrency: 3 }, false), [3, 1, 1]);
    assert.deepEqual(await opened({ hardwareConcurrency: 2 }, true), [2, 1, 1]);
    assert.deepEqual(await opened({ hardwareConcurrency: 4 }, true), [4, 1, 0.5]);
    assert.deepEqual(await opened({ hardwareConcurrency: 2, deviceMemory: 4 }, false), [2, 1, 2]);
    assert.deepEqual(await opened({ hardwareConcurrency: 2, deviceMemory: 2 }, false), [2, 1, 1]);
    assert.deepEqual(await opened({ hardwareConcurrency: 8 }, false), [8, 1, 1]);
    assert.deepEqual(await opened({ hardwareConcurrency: 9 }, false), [8, 1, 1]);
    for (const hardwareConcurrency of [undefined, 0, -1]) assert.deepEqual(await opened({ hardwareConcurrency }, false), [1, 1, 2]);
    globalThis.matchMedia = matchMedia;
  },

  // In an isolated page, the workers share a table. The data of each worker has its own place in the memory.
  async "workers share a table"() {
    globalThis.crossOriginIsolated = true;
    const own = newFacts();
    const made = await newEngine(own, 3, SHARED);
    assert.equal(made.opening.bytes, SHARED);
    const { places } = made;
    const [{ memory, table, busy, lines }] = places;
    // The table has 64 MiB, two times the size of the table of a single worker, which is small in this page.
    assert.equal(lines, 1 << 21);
    const spans = places.flatMap(({ stack, local, own }) => [[stack - (1 << 20), stack], [local, local + 64], [own, own + 64]]);
    const all = [...spans, [busy, busy + 64], [table, table + 64 * lines]].sort(([a], [b]) => a - b);
    for (const [index, [begin, end]] of all.entries()) {
      assert.equal(begin % 64, 0);
      assert.ok(end <= (all[index + 1]?.[0] ?? memory.buffer.byteLength), `span ${index}`);
    }
    assert.ok(memory.buffer.byteLength <= 64 * lines + 8 * 4 * (1 << 20) + (1 << 16));
    assert.deepEqual(places.map(({ index }) => index), [0, 1, 2]);
    for (const each of places) assert.deepEqual([each.memory, each.busy, each.table, each.lines], [memory, busy, table, lines]);
    const answers = await Promise.all(made.lanes.map((lane) => made.search("value", lane, at(16), NO_GUESS)));
    assert.deepEqual(answers.map(({ lo, hi }) => [lo, hi]), [[4, 4], [4, 4], [4, 4]]);
    // The second worker finds the first worker's results in the table.
    assert.ok(answers[1].nodes < answers[0].nodes / 2);
    // A smaller memory has a smaller table, and without memory each worker has its own table.
    const { Memory } = WebAssembly;
    const limited = async (most, kind = RangeError) => {
      WebAssembly.Memory = /** @type {any} */ (class extends Memory {
        constructor(size) {
          if (size.initial > most) throw new kind("too large");
          super(size);
        }
      });
      const engine = new Engine("", KERNEL, [], SHARED);
      engine._open = async () => {};
      try {
        await engine.open();
      } finally {
        WebAssembly.Memory = Memory;
      }
      return [engine.places?.[0].lines ?? null, engine.opening.bytes === SHARED];
    };
    assert.deepEqual([await limited(2560), await limited(2559), await limited(1536), await limited(1535)], [[1 << 21, true], [1 << 20, true], [1 << 20, true], [null, false]]);
    await assert.rejects(limited(500, TypeError), TypeError);
    globalThis.crossOriginIsolated = false;
    assert.equal(new Engine("", KERNEL, [], SHARED).shared, null);
  },

  // The workers' real answers: the bounds, a move that reaches the goal, and lines of best play.
  async "the kernel answers"() {
    const [lane] = engine.lanes;
    for (const [ply, value] of Object.entries(VALUES)) {
      const position = at(Number(ply));
      const own = signOf(position) * value;
      const { lo, hi } = await engine.search("value", lane, position, NO_GUESS);
      assert.deepEqual([lo, hi], [own, own]);
      const reached = await engine.search("decide", lane, position, own);
      assert.ok(reached.lo >= own && rules.legalMoves(position).includes(reached.best));
      assert.ok((await engine.search("bound", lane, position, own + 1)).hi <= own);
      const [line] = await engine.lines(facts, "settle", position, own);
      const end = line.reduce((before, move) => rules.play(before, move), position);
      assert.deepEqual([isOver(end), marginOf(end)], [true, value]);
    }
    const [worse, better] = await engine.lines(facts, "explain", at(19), 24);
    assert.equal(worse[0], 24);
    assert.notEqual(better[0], 24);
    assert.equal(await engine.lines(facts, "explain", at(17), 18), null);
  },

  // A search for lines is repeated until it ends. The nodes of a slice grow from 0, and a known value that the search needs is
  // taught.
  async "a search for lines is continued"() {
    const position = at(16);
    const child = at(17);
    const open = [...kernelArguments(child)];
    const asked = [];
    const seek = async (known, answers) => {
      asked.length = 0;
      const told = [];
      const lane = { slice: 1 << 15, waiting: { size: 0 }, tell: (rows) => told.push([...rows]), ask: async (name, question) => (asked.push([name, question.nodes, question.goal]), { nodes: 1, seconds: 1, ...answers.shift() }) };
      const own = newFacts();
      if (known) own.note(rules.key(child), known, 0, 0);
      const lines = await Engine.prototype.lines.call({ lanes: [lane], search: Engine.prototype.search }, own, "explain", position, 9);
      return [lines, asked.map(([, nodes]) => nodes), told];
    };
    const ended = { ended: true, lines: "lines" };
    const waits = { ended: false, open };
    assert.deepEqual(await seek(null, [ended]), ["lines", [0], []]);
    assert.deepEqual(asked, [["explain", 0, 9]]);
    assert.deepEqual(await seek(null, [waits, waits, ended]), ["lines", [0, 1 << 15, 1 << 15], []]);
    const row = [...open, 0, -1, -1, NO_MOVE, 0, 0, 0];
    assert.deepEqual(await seek({ lo: 1, hi: 1 }, [waits, waits, ended]), ["lines", [0, 0, 1 << 15], [row]]);
    assert.deepEqual(await seek({ lo: 1, hi: 2 }, [waits, ended]), ["lines", [0, 1 << 15], []]);
    // Black's side of the value, if Black moves.
    const black = at(18);
    const own = newFacts();
    own.note(rules.key(black), { lo: 1, hi: 1 }, 0, 0);
    const told = [];
    const answers = [{ ended: false, open: kernelArguments(black) }, ended];
    const lane = { slice: 1, waiting: { size: 0 }, tell: (rows) => told.push([...rows]), ask: async () => ({ nodes: 1, seconds: 1, ...answers.shift() }) };
    await Engine.prototype.lines.call({ lanes: [lane], search: Engine.prototype.search }, own, "explain", position, 9);
    assert.deepEqual(told, [[...kernelArguments(black), 0, 1, 1, NO_MOVE, 0, 0, 0]]);
  },

  // A survey finds all values. Its questions come in the order of their ranks, and two workers have different goals.
  async "a survey asks in order"() {
    const own = newFacts();
    const positions = [16, 17, 18, 19].map(at);
    const learned = [];
    const survey = new Survey(engine, own, positions.map((position) => ({ position, rank: () => position.ply })), (position) => learned.push(position.ply));
    assert.equal(survey.isOpen, true);
    await survey.run();
    assert.deepEqual([survey.isOpen, survey.nodes > 0], [false, true]);
    assert.deepEqual(positions.map((position) => own.own(position)).map(({ lo, hi }) => [lo, hi]), [[4, 4], [1, 1], [1, 1], [-5, -5]]);
    assert.deepEqual([...new Set(learned)].sort(), [16, 17, 18, 19]);
    assert.equal([16, 17, 18, 19].map((ply) => own.computed.get(rules.key(at(ply))).nodes).reduce((a, b) => a + b), survey.nodes);

    // The questions, with workers that answer when the test lets them.
    const asked = [];
    const lane = () => ({ waiting: { size: 0 } });
    const slow = { lanes: [lane(), lane()], search: (name, _, position, goal) => new Promise((resolve, reject) => asked.push({ name, ply: position.ply, goal, resolve, reject })) };
    const begin = (known, items, lanes = 2) => {
      asked.length = 0;
      slow.lanes = [...Array(lanes)].map(lane);
      const facts = newFacts();
      for (const [position, lo, hi] of known) facts.note(rules.key(position), { lo, hi }, 0, 0);
      const controller = new AbortController();
      const told = [];
      const made = new Survey(slow, facts, items.map(([position, rank]) => ({ position, rank })), (position) => told.push(position.ply));
      const running = made.run(controller.signal);
      return { facts, made, told, controller, running, questions: () => asked.map(({ name, ply, goal }) => [name, ply, goal]) };
    };
    const [black, white] = [at(16), at(17)];
    // The winner first: Black needs 3 stones more, and White 2 fewer.
    const both = begin([], [[black, () => 1], [white, () => 2]]);
    assert.deepEqual(both.questions(), [["bound", 17, -2], ["bound", 16, 3]]);
    assert.equal(both.made.isOpen, true);
    asked[0].resolve({ lo: -2, hi: 24, nodes: 5, seconds: 1 });
    await settled(1);
    // The winner is known, so the next goal is at the margin on the board, within the bounds.
    const margin = -marginOf(white);
    assert.deepEqual([both.told, both.questions()[2]], [[17], ["bound", 17, Math.max(margin, -1)]]);
    both.controller.abort();
    for (const { reject } of asked) reject(new Error("left"));
    await assert.rejects(both.running);
    // rank() gets whether the winner is open, and the goal from Black's side.
    const ranks = [];
    const one = begin([[white, -24, 2]], [[white, (...given) => ranks.push(given)]], 3);
    const goal = Math.min(Math.max(margin, -1), 24);
    assert.deepEqual([ranks[0], one.questions()], [[false, -goal], [["bound", 17, goal], ["bound", 17, goal + 1], ["bound", 17, goal - 1 > -2 ? goal - 1 : undefined]].filter(([, , each]) => each !== undefined)]);
    // An answer that leaves the goal open is followed by the same question. The same bounds are not told.
    asked[0].resolve({ lo: -24, hi: 24, nodes: 7, seconds: 1 });
    await settled(1);
    assert.deepEqual([one.told, one.questions().at(-1), one.made.nodes], [[], ["bound", 17, goal], 7]);
    asked.at(-1).resolve({ lo: goal, hi: 24, nodes: 7, seconds: 1 });
    await settled(1);
    assert.deepEqual([one.told, one.made.nodes], [[17], 14]);
    one.controller.abort();
    for (const { reject } of asked) reject(new Error("left"));
    await assert.rejects(one.running);
    // Exact bounds are not asked about, and an aborted survey ends at once.
    const none = begin([[black, 4, 4]], [[black, () => 1]]);
    await none.running;
    assert.deepEqual(none.questions(), []);
    await assert.rejects(new Survey(slow, newFacts(), [], () => {}).run(AbortSignal.abort()));
    // Two neighbouring bounds leave one goal.
    const narrow = begin([[black, 3, 4]], [[black, () => 1]]);
    assert.deepEqual([narrow.questions(), narrow.made.isOpen], [[["bound", 16, 4]], false]);
    asked[0].resolve({ lo: 4, hi: 24, nodes: 1, seconds: 1 });
    await narrow.running;
    // A question that has used many nodes falls behind the next one.
    const patient = begin([], [[black, () => 40], [white, () => 30]], 1);
    asked[0].resolve({ lo: -24, hi: 24, nodes: 1 << 22, seconds: 1 });
    await settled(1);
    assert.deepEqual(patient.questions(), [["bound", 16, 3], ["bound", 16, 3]]);
    asked[1].resolve({ lo: -24, hi: 24, nodes: 1, seconds: 1 });
    await settled(1);
    assert.deepEqual(patient.questions()[2], ["bound", 17, -2]);
    asked[2].resolve({ lo: -24, hi: 24, nodes: (1 << 22) + 1, seconds: 1 });
    await settled(1);
    assert.deepEqual(patient.questions()[3], ["bound", 16, 3]);
    patient.controller.abort();
    for (const { reject } of asked) reject(new Error("left"));
    await assert.rejects(patient.running);
  },

  // A quest has a node limit, and notes what it finds.
  async "a quest has a limit"() {
    const search = (answers) => {
      const asked = [];
      const slow = { idlest: () => ({}), search: async (name, _, __, goal) => (asked.push([name, goal]), { seconds: 1, best: 12, ...answers.shift() }) };
      return [slow, asked];
    };
    const open = { lo: -24, hi: 24, nodes: 10 };
    const [black, white] = [at(16), at(17)];
    const limited = async (does, nodes, position, answers) => {
      const own = newFacts();
      const [slow, asked] = search(answers);
      const quest = new Quest(slow, own, position);
      const found = await quest[does]({ nodes });
      return [found, asked, quest.nodes];
    };
    assert.deepEqual(await limited("verdict", 20, black, [open, open, open]), [false, [["decide", 3], ["decide", 3]], 20]);
    assert.deepEqual(await limited("verdict", 21, black, [open, open, { ...open, hi: 2 }]), [true, [["decide", 3], ["decide", 3], ["decide", 3]], 30]);
    assert.deepEqual(await limited("verdict", 20, white, [{ ...open, lo: -2 }]), [true, [["decide", -2]], 10]);
    assert.deepEqual(await limited("exact", 20, black, [open, open]), [false, [["value", NO_GUESS], ["value", NO_GUESS]], 20]);
    assert.deepEqual(await limited("exact", 20, white, [open, { lo: 2, hi: 2, nodes: 10 }]), [true, [["value", NO_GUESS], ["value", NO_GUESS]], 20]);
    const own = newFacts();
    own.note(rules.key(white), { lo: 3, hi: 24 }, 0, 0);
    const [slow, asked] = search([]);
    const quest = new Quest(slow, own, white);
    assert.deepEqual([await quest.verdict(), quest.bounds, asked], [true, { lo: -24, hi: -3 }, []]);
    const [once, told] = search([{ lo: 1, hi: 2, nodes: 5 }]);
    const noted = new Quest(once, own, black);
    await noted.decide(1, { nodes: 1 });
    assert.deepEqual([own.computed.get(rules.key(black)), told], [{ source: "kernel", lo: 1, hi: 2, nodes: 5, seconds: 1 }, [["decide", 1]]]);
    // Bounds that reach the limit exactly.
    assert.equal(await new Quest(search([{ lo: 3, hi: 3, nodes: 1 }])[0], newFacts(), black).decide(4), NO_MOVE);
    assert.equal(await new Quest(search([{ lo: 3, hi: 3, nodes: 1 }])[0], newFacts(), black).decide(3), 12);
  },

  // The moves that keep a value are found, and best play leads to the value.
  async "best play keeps the value"() {
    const own = newFacts();
    for (const ply of [16, 17, 19, 20]) {
      const [position, value] = [at(ply), VALUES[ply]];
      const move = await keepingMove(engine, own, position, value, {});
      assert.equal(await keepsValue(engine, own, position, move, value, {}), true);
      assert.equal(await keepsValue(engine, own, position, GAME[ply], value, {}), VALUES[ply + 1] === value);
      const shown = [];
      const line = await bestLine(engine, own, position, value, { onMoves: (moves, isWhole) => shown.push([moves, isWhole]) });
      const end = line.reduce((before, each) => rules.play(before, each), position);
      assert.deepEqual([isOver(end), marginOf(end), shown.at(-1)], [true, value, [line, true]]);
    }
    const last = at(23);
    assert.equal(await keepsValue(engine, own, last, 4, 8, {}), true);
    assert.equal(await keepsValue(engine, own, last, 4, 7, {}), false);
    // Without a kernel, only known moves are found. A value that every move keeps, or a single move, needs no search.
    assert.equal(await keepingMove(null, newFacts(), at(16), 4, {}), null);
    const idle = { idlest: () => ({}), search: () => assert.fail("no search") };
    assert.equal(await keepingMove(idle, newFacts(), at(16), -24, {}), rules.legalMoves(at(16))[0]);
    assert.equal(await keepingMove(idle, newFacts(), at(17), 24, {}), rules.legalMoves(at(17))[0]);
    const only = { black: 0xfffffe, white: 0, ko: null, ply: 21, passed: false };
    assert.deepEqual([rules.legalMoves(only), await keepingMove(idle, newFacts(), only, 0, {})], [[PASS], PASS]);
    const none = { idlest: () => ({}), search: async () => ({ lo: -24, hi: -24, best: NO_MOVE, nodes: 1, seconds: 0 }) };
    assert.equal(await keepingMove(none, newFacts(), at(16), 4, {}), null);
    // The plies before the last 12 are searched one by one, until a move is not found.
    const asked = [];
    const shown = [];
    const early = (bounds) => ({
      idlest: () => ({}),
      search: async (name, _, { ply }, goal) => (asked.push([name, ply, goal]), { best: GAME[ply], nodes: 9, seconds: 0, ...bounds }),
      lines: async (_, name, { ply }, goal) => (asked.push([name, ply, goal]), [[5, 6], [], 1]),
    });
    const options = { nodes: 9, onMoves: (...given) => shown.push(given) };
    assert.deepEqual(await bestLine(early({ lo: -1, hi: 24 }), newFacts(), at(10), 1, options), []);
    assert.deepEqual([asked, shown], [[["decide", 10, 1]], []]);
    asked.length = 0;
    assert.deepEqual(await bestLine(early({ lo: 1, hi: 24 }), newFacts(), at(10), 1, options), [GAME[10], GAME[11], 5, 6]);
    assert.deepEqual(asked, [["decide", 10, 1], ["decide", 11, -1], ["settle", 12, 1]]);
    assert.deepEqual(shown, [[[GAME[10]], false], [[GAME[10], GAME[11]], false], [[GAME[10], GAME[11], 5, 6], true]]);
    // Without a kernel, the line has the moves that the facts contain.
    assert.deepEqual([await bestLine(null, newFacts(), at(23), 8, options), shown.at(-1)], [[3], [[3], true]]);
    assert.deepEqual(await bestLine(null, newFacts(), at(22), 8, options), []);
    assert.deepEqual(await bestLine(null, newFacts(), after(12, PASS, PASS), 1, options), []);
  },

  // The perfect player prefers what is proven.
  async "the perfect player has sources"() {
    const limit = { nodes: 1e6 };
    const won = after(1, 0, 5, PASS, 12, PASS);
    assert.deepEqual(await perfectMove(engine, newFacts(), won, limit), { move: PASS, from: "rules" });
    // A PASS that loses is not played at once: White would end the game with 1 stone against 3.
    const lost = after(1, 0, 5, PASS, 12);
    assert.deepEqual([lost.passed, marginOf({ ...lost, passed: true })], [false, 3]);
    const none = { idlest: () => ({}), search: async (_, __, { ply }) => ({ lo: -24, hi: 24, best: 9, nodes: 10, seconds: 0, ply }) };
    assert.deepEqual(await perfectMove(none, newFacts(), { ...lost, passed: true }, { nodes: 10 }), { move: 9, from: "guess" });
    const even = { ...lost, black: lost.black & ~1, white: 1, passed: true };
    assert.deepEqual(await perfectMove(none, newFacts(), even, { nodes: 10 }), { move: PASS, from: "rules" });
    const own = newFacts();
    for (const ply of [16, 17, 18, 19]) {
      const { move, from } = await perfectMove(engine, own, at(ply), limit);
      assert.deepEqual([from, await keepsValue(engine, own, at(ply), move, VALUES[ply], {})], ["value", true]);
    }
    const asked = [];
    const playing = (answers) => ({ idlest: () => "lane", search: async (name, lane, position, goal) => (asked.push([name, lane, goal]), { lo: -24, hi: 24, best: NO_MOVE, nodes: 10, seconds: 0, ...answers.shift() }) });
    const played = async (position, ...answers) => {
      asked.length = 0;
      const { move, from } = await perfectMove(playing(answers), newFacts(), position, { nodes: 10 });
      return [move, from, asked.map(([name, , goal]) => [name, goal])];
    };
    const [black, white] = [at(16), at(17)];
    assert.deepEqual(await played(black, { lo: 3, best: 2 }, {}), [2, "verdict", [["decide", 3], ["value", NO_GUESS]]]);
    assert.deepEqual(await played(white, { lo: -2, best: PASS }, {}), [PASS, "verdict", [["decide", -2], ["value", NO_GUESS]]]);
    assert.deepEqual(await played(black, {}, {}, { best: 8 }), [8, "guess", [["decide", 3], ["value", NO_GUESS], ["decide", -23]]]);
    assert.deepEqual((await played(black, { hi: 2 }, {}, { best: 8 })).slice(0, 2), [8, "guess"]);
    assert.deepEqual((await played(black, {}, {}, { best: NO_MOVE })).slice(0, 2), [rules.legalMoves(black)[0], "guess"]);
    // A stone with the same value comes before a PASS that ends the game.
    const passed = { ...at(20), passed: true };
    const value = (await new Quest(engine, own, passed).exact(), own.own(passed).lo);
    const { move } = await perfectMove(engine, own, passed, limit);
    assert.equal(await keepsValue(engine, own, passed, move, value, {}), true);
    // The book's move comes before the value.
    const book = { ...EMPTY, keys: BigUint64Array.of(rules.key(START)), lo: Int8Array.of(3), hi: Int8Array.of(24), best: Uint8Array.of(12), decided: [1] };
    assert.deepEqual(await perfectMove(engine, newFacts({ book }), START, limit), { move: 12, from: "book" });
  },

  // The packs of the page are columns of bytes.
  "the packs are read"() {
    const column = (keys) => [0, 1, 2, 3, 4, 5, 6, 7].flatMap((byte) => keys.map((key) => Number((key >> BigInt(8 * byte)) & 255n)));
    const keys = [START, after(12), after(12, 6), after(7)].map((position) => rules.key(position)).sort((a, b) => (a < b ? -1 : 1));
    const black = keys.map((key) => signOf(positionOf(key)) > 0);
    // The verdicts are unknown, a win for the mover, and a loss.
    const [win, loss] = [{ true: [3, 24], false: [-24, 2] }, { true: [-24, 2], false: [3, 24] }];
    const book = readBook(Uint8Array.from([...column(keys), 12, 6, 25, 26, 0, 1, 2, 1]));
    assert.deepEqual([[...book.keys], [...book.best], [...book.decided]], [keys, [12, 6, 25, 26], [0, 1, 2, 1]]);
    assert.deepEqual([...book.lo].map((lo, row) => [lo, book.hi[row]]), [[-24, 24], win[black[1]], loss[black[2]], win[black[3]]]);
    assert.deepEqual(new Set(black).size, 2);
    const proved = readProved(Uint8Array.from([...column(keys), 0, 24, 27, 48, 48, 24, 27, 48]));
    assert.deepEqual([[...proved.keys], [...proved.lo], [...proved.hi]], [keys, [-24, 0, 3, 24], [24, 0, 3, 24]]);
    const [one, two] = keys;
    const traps = readTraps(Uint8Array.from([...column([one, one, two]), ...column([keys[2], keys[3], one]), 244, 1, 0, 1, 0, 3, 1, 0, 2]));
    assert.deepEqual([...traps].map(([key, replies]) => [key, [...replies]]), [
      [one, [[keys[2], { chance: 0.5, holds: true }], [keys[3], { chance: 0.001, holds: false }]]],
      [two, [[one, { chance: 0.768, holds: false }]]],
    ]);
  },

  // The atlas has no keys: they follow from the positions of each ply.
  "the atlas is read"() {
    assert.throws(() => readAtlas(Uint8Array.of(2), rules), { message: "the atlas is of format 2, not 3" });
    const empty = readAtlas(Uint8Array.of(3), rules);
    assert.deepEqual([empty.begins, empty.keys.length], [[0], 0]);
    const next = [...rules.nextPly([keyOf(START)])];
    assert.equal(next.length, 6);
    const atlas = readAtlas(Uint8Array.from([3, 27, 255, 24, 0, 48, 20, 30, 0, 9, 1, 48, 0, 5, 2, 12, 26, 1, 2, 3, 4, 5]), rules);
    assert.deepEqual([atlas.begins, [...atlas.keys]], [[0, 1, 7], [keyOf(START), ...next]]);
    assert.deepEqual([[...atlas.lo], [...atlas.hi], [...atlas.best]], [[3, -24, 0, -24, 24, -4, 6], [3, 24, 1, 24, 24, 1, 8], [12, 26, 1, 2, 3, 4, 5]]);
    const own = newFacts({ atlas });
    assert.deepEqual([0, 1, 2].map((ply) => own.lists(ply)), [true, true, false]);
    assert.deepEqual([START, after(12), after(12, 6)].map((position) => own.isInAtlas(position)), [true, true, false]);
    const bounds = next.map((key) => own.own(positionOf(key))).map(({ lo, hi, claims }) => [lo, hi, claims.map(({ source }) => source).join()]);
    assert.deepEqual(bounds, [[-24, 24, ""], [0, 1, "atlas"], [-24, 24, ""], [24, 24, "atlas"], [-4, 1, "atlas"], [6, 8, "atlas"]]);
    // Only tables with moves, and without the plies of the atlas, are taught.
    const table = (more = {}) => ({ ...EMPTY, keys: BigUint64Array.of(1n), ...more });
    const all = newFacts({ atlas, proved: { ...table(), best: undefined }, book: table({ best: [1] }), lines: table({ best: [2] }) });
    assert.deepEqual(all.taught.map((each) => [Object.keys(each), each.best]), [[["keys", "lo", "hi", "best"], [2]], [["keys", "lo", "hi", "best"], [1]]]);
    own.addLevel(6, new Map(), true);
    own.addLevel(7, new Map(), false);
    assert.deepEqual([5, 6, 7].map((ply) => own.lists(ply)), [false, true, false]);
    own.levels.set(8, { value: (key) => (key === rules.key(at(8)) ? -2 : null), isWhole: false });
    assert.deepEqual([own.isInAtlas(at(8)), own.own(at(8)).lo, own.own(at(8)).hi, valueSource(own.own(at(8)))], [true, -2, -2, "atlas"]);
    const other = after(...GAME.slice(0, 7), 0);
    assert.deepEqual([own.isInAtlas(other), own.own(other).lo], [false, -24]);
  },

  // A line of best play has a value from a ply on, and a move in each of its positions.
  "the lines are read"() {
    const lines = readLines(JSON.stringify([[3, 0, [12, 6]], [1, 2, [12, 7, 16]], [2, 0, [12]]]), rules);
    const positions = [START, after(12), after(12, 7)];
    const keys = positions.map((position) => rules.key(position));
    assert.deepEqual([...lines.keys], [...keys].sort((a, b) => (a < b ? -1 : 1)));
    const row = (key) => lines.keys.indexOf(key);
    assert.deepEqual(keys.map((key) => lines.lo[row(key)]), [3, 3, 1]);
    assert.deepEqual([...lines.hi], [...lines.lo]);
    const own = newFacts({ lines });
    assert.deepEqual(positions.map((position) => own.keeper(position, 3)), [12, 6, 16]);
    // A symmetric position has the symmetric move: one of the moves that lead to the same position.
    const turned = after(12, 17);
    assert.equal(rules.key(rules.play(turned, own.keeper(turned, 1))), rules.key(after(12, 7, 16)));
  },

  // A move that keeps a value is known from the facts about the moves.
  "a known move keeps the value"() {
    let own = newFacts();
    const [black, white] = [at(16), at(17)];
    const note = (position, move, lo, hi = lo) => own.note(rules.key(rules.play(position, move)), { lo, hi }, 0, 0);
    assert.equal(own.keeper(black, 4), null);
    const [first, second] = rules.legalMoves(black);
    note(black, first, -24, 3);
    note(black, second, 4, 24);
    assert.deepEqual([own.keeper(black, 4), own.keeper(black, 5), own.keeper(black, 3)], [second, null, second]);
    own = newFacts();
    const [one, two] = rules.legalMoves(white);
    note(white, one, 2, 24);
    note(white, two, -24, 1);
    assert.deepEqual([own.keeper(white, 1), own.keeper(white, 0), own.keeper(white, 2)], [two, null, two]);
  },

  // The bounds of a fact have the most trusted source that implies them.
  "a fact has sources"() {
    const claim = (source, lo, hi) => ({ source, lo, hi });
    const fact = (...claims) => ({ lo: Math.max(-24, ...claims.map(({ lo }) => lo)), hi: Math.min(24, ...claims.map(({ hi }) => hi)), claims });
    const both = (...claims) => [verdictSource(fact(...claims)), valueSource(fact(...claims))];
    assert.deepEqual(both(), [null, null]);
    assert.deepEqual(both(claim("kernel", 3, 3)), ["kernel", "kernel"]);
    assert.deepEqual(both(claim("kernel", 3, 3), claim("book", 3, 24)), ["book", "kernel"]);
    assert.deepEqual(both(claim("certificate", 3, 24), claim("kernel", -24, 3)), ["certificate", "kernel"]);
    assert.deepEqual(both(claim("kernel", 2, 2), claim("atlas", -24, 2)), ["atlas", "kernel"]);
    assert.deepEqual(both(claim("kernel", 1, 2), claim("atlas", -24, 1), claim("book", 1, 24)), ["atlas", "book"]);
    assert.deepEqual(both(claim("kernel", 2, 3)), [null, null]);
    assert.deepEqual(both(claim("rules", 5, 5), claim("kernel", 5, 5)), ["rules", "rules"]);
    const position = at(16);
    const key = rules.key(position);
    const table = (lo, hi) => ({ ...EMPTY, keys: BigUint64Array.of(key), lo: [lo], hi: [hi], best: [NO_MOVE], decided: [1] });
    const own = newFacts({ book: table(3, 24), proved: { ...table(-24, 5), best: undefined }, lines: table(-24, 24) });
    assert.deepEqual(own.own(position), { lo: 3, hi: 5, claims: [claim("certificate", -24, 5), claim("book", 3, 24)] });
    own.note(key, { lo: 6, hi: 24 }, 1, 1);
    assert.throws(() => own.own(position), { message: "kernel: 6 or more, and certificate: 5 or less, cannot both be true" });
    // A table is searched to its first and its last key.
    const keys = [11, 13, 15, 17, 19].map((ply) => rules.key(at(ply))).sort((a, b) => (a < b ? -1 : 1));
    const several = newFacts({ book: { ...EMPTY, keys: BigUint64Array.from(keys), lo: [1, 2, 3, 4, 5], hi: [24, 24, 24, 24, 24], best: Array(5).fill(NO_MOVE), decided: Array(5).fill(1) } });
    assert.deepEqual(keys.map((each) => several.own(positionOf(each)).lo), [1, 2, 3, 4, 5]);
    for (const ply of [10, 12, 16, 20]) assert.equal(several.own(at(ply)).lo, -24);
    const over = after(12, PASS, PASS);
    assert.deepEqual(own.own(over), { lo: 1, hi: 1, claims: [claim("rules", 1, 1)] });
  },

  // What follows from the moves is stored for the position, and what follows from the position for the moves.
  "facts follow from facts"() {
    const own = newFacts();
    const position = at(21);
    const { key, classes } = own._movesOf(position);
    assert.equal(own._movesOf(position).classes, classes);
    const note = (one, lo, hi) => own.note(one.key, { lo, hi }, 0, 0);
    const stored = (one) => Object.entries(own.carried.get(one) ?? {}).map(([name, { source, lo, hi }]) => [name, source, lo, hi]);
    // White moves. One move has at most -2, so the position has at most -2.
    note(classes[0], -24, -2);
    own.about(position);
    assert.deepEqual(stored(key), [["hi kernel", "kernel", -24, -2]]);
    // All moves have at least -6, so the position has too, and each move has at least the value of the position.
    for (const one of classes) note(one, -6, 24);
    const { fact, moves } = own.about(position);
    assert.deepEqual([fact.lo, fact.hi, stored(key)], [-6, -2, [["hi kernel", "kernel", -24, -2], ["lo kernel", "kernel", -6, 24]]]);
    assert.deepEqual(moves[0].lost, [0, 4]);
    for (const { lost } of moves.slice(1)) assert.deepEqual(lost, [0, 30]);
    // The position has -6: only one move can have it.
    own.note(key, { lo: -24, hi: -6 }, 0, 0);
    for (const one of classes.slice(1)) note(one, -5, 24);
    const known = own.about(position);
    assert.deepEqual(known.moves.map((one) => [one.fact.lo, one.fact.hi, one.lost]), classes.map((_, index) => (index ? [-5, 24, [1, 30]] : [-6, -6, [0, 0]])));
    assert.deepEqual(stored(classes[0].key), [["hi kernel", "kernel", -24, -6]]);
    const over = after(12, PASS, PASS);
    assert.deepEqual(own.about(over), { fact: own.own(over), moves: [] });
    // The best move of a table keeps the mover's end of the table's bounds.
    const best = classes[1];
    const canonical = positionOf(key);
    const move = rules.legalMoves(canonical).find((each) => rules.key(rules.play(canonical, each)) === best.key);
    const told = newFacts({ book: { ...EMPTY, keys: BigUint64Array.of(key), lo: [-9], hi: [-4], best: [move], decided: [1] } });
    const { moves: after_ } = told.about(position);
    assert.deepEqual(after_.map((one) => [one.fact.lo, one.fact.hi]), classes.map((one) => [-9, one === best || one.key === best.key ? -4 : 24]));
    // The facts of a line reach its first position.
    const line = [20, 21, 22, 23].map(at);
    const along = newFacts();
    along.note(rules.key(line[3]), { lo: 8, hi: 8 }, 0, 0);
    along.carryAlong(line);
    assert.deepEqual(line.map((each) => along.own(each)).map(({ lo }) => lo)[2], 8);
  },

  // A claim is stored, unless a source that is trusted as much already implies it.
  "a claim is carried"() {
    const own = newFacts();
    const carried = (claims, claim) => {
      own.carried.clear();
      own._carry(1n, claim, { claims });
      return Object.keys(own.carried.get(1n) ?? {});
    };
    const claim = (source, lo, hi) => ({ source, lo, hi });
    assert.deepEqual(carried([], null), []);
    assert.deepEqual(carried([], claim("book", -24, 24)), []);
    assert.deepEqual(carried([], claim("book", -24, 23)), ["hi book"]);
    assert.deepEqual(carried([], claim("book", -23, 24)), ["lo book"]);
    assert.deepEqual(carried([claim("kernel", 3, 24)], claim("book", 3, 24)), ["lo book"]);
    assert.deepEqual(carried([claim("book", 3, 24)], claim("book", 3, 24)), []);
    assert.deepEqual(carried([claim("atlas", 4, 24)], claim("book", 3, 24)), []);
    assert.deepEqual(carried([claim("atlas", 2, 24)], claim("book", 3, 24)), ["lo book"]);
    assert.deepEqual(carried([claim("atlas", -24, 3)], claim("book", -24, 3)), []);
    assert.deepEqual(carried([claim("atlas", -24, 4)], claim("book", -24, 3)), ["hi book"]);
  },

  // A trap counts on an error of the opponent, at once or later.
  "a trap has chances"() {
    const lost = START;
    const canonical = (position) => rules.key(position);
    const trapped = after(12);
    const replies = rules.legalMoves(trapped);
    const weights = new Map(replies.map((move, index) => [canonical(rules.play(trapped, move)), { chance: 0, holds: index > 0 }]));
    const weigh = (move, chance, holds) => weights.set(canonical(rules.play(trapped, move)), { chance, holds });
    weigh(0, 0.25, false);
    weigh(6, 0.5, true);
    // The second trap is set after 6.
    const second = after(12, 6);
    const next = rules.play(second, 7);
    const later = new Map(rules.legalMoves(next).map((move) => [canonical(rules.play(next, move)), { chance: 0, holds: true }]));
    later.set(canonical(rules.play(next, 13)), { chance: 0.5, holds: false });
    const inCanonical = (position, move) => {
      const one = positionOf(canonical(position));
      return rules.legalMoves(one).find((each) => canonical(rules.play(one, each)) === canonical(rules.play(position, move)));
    };
    const rows = [[lost, 12, 2], [second, 7, 2], [trapped, 6, 0]].map(([position, move, verdict]) => ({ key: canonical(position), best: inCanonical(position, move), decided: verdict })).sort((a, b) => (a.key < b.key ? -1 : 1));
    const book = { ...EMPTY, keys: BigUint64Array.from(rows.map(({ key }) => key)), lo: [-24, -24, -24], hi: [24, 24, 24], best: rows.map(({ best }) => best), decided: rows.map(({ decided }) => decided) };
    const traps = new Map([[canonical(lost), weights], [canonical(second), later]]);
    const own = newFacts({ book, traps });
    assert.deepEqual([own.bookMove(lost), own.bookMove(trapped), own.bookMove(after(7))], [12, null, null]);
    assert.equal(canonical(rules.play(second, own.bookMove(second))), canonical(next));
    const { move, replies: found, chance, later: whole } = own.trap(lost);
    assert.deepEqual([move, found.map((each) => each.move), found.find((each) => each.move === 6).holds], [12, replies, true]);
    // 0,0 stands for four corners, and 1,1 for four points.
    assert.ok(Math.abs(chance - 4 * 0.25) < 1e-9);
    const atSecond = rules.legalMoves(next).filter((each) => later.get(canonical(rules.play(next, each))).chance).length;
    assert.ok(Math.abs(whole - (1 + 4 * 0.5 * 0.5 * atSecond)) < 1e-9);
    assert.deepEqual([own.trap(trapped), newFacts({ traps }).trap(lost)], [null, null]);
    // A move outside the board is no image.
    assert.deepEqual(own._images(START, canonical(START), NO_MOVE), []);
    assert.deepEqual(own._images(START, canonical(START), PASS), [PASS]);
    assert.deepEqual(own._images(START, canonical(START), 0), [0, 4, 20, 24]);
  },
};

process.on("unhandledRejection", (error) => console.log(JSON.stringify(["no promise is rejected", String(/** @type {any} */ (error)?.stack ?? error)])));
for (const [name, does] of Object.entries(TESTS)) {
  let error = null;
  try {
    await does();
  } catch (problem) {
    error = problem.stack;
  }
  console.log(JSON.stringify([name, error]));
}
process.exit(0);
