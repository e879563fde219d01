// A worker: it has a kernel with a table of its own, and answers one question after another, each within a number of nodes.

import { NO_MOVE, PASS, kernelArguments, lineOf, moverOf, openKernel, positionOf } from "./rules.js";

/** @type {any} */
let kernel = null;
let opened = null;
let known = [];

// Smaller ones are tried when there is no memory for a table of so many lines.
const LEAST_LINES = 1 << 18;

// Results of so many nodes are passed on to the other workers.
const KEEP_NODES = 500;

// What the kernel puts aside, as a Kept of solver/native/kernel.h: so many words each, and what stands in which.
const KEPT_WORDS = 12;
const [ME, OPP, KO, LEFT, PASS_ENDS, LO, HI, BEST] = [0, 1, 2, 3, 4, 6, 7, 8];

function teach() {
  for (const { keys, lo, hi, best } of known) {
    for (let i = 0; i < keys.length; i++) {
      const position = positionOf(keys[i]);
      const bounds = moverOf(position) ? [-hi[i], -lo[i]] : [lo[i], hi[i]];
      kernel.teach(...kernelArguments(position), ...bounds, best[i] <= PASS ? best[i] : NO_MOVE);
    }
  }
}

function open(lines, seed) {
  while (!kernel.open(lines, seed)) {
    lines /= 2;
    if (lines < LEAST_LINES) throw new Error("there is no memory for a table");
  }
  return lines;
}

// An instance in memory that others share: its stack, its thread-local data and the rest of its own are at places of their own.
async function openShared(bytes, { memory, stack, local, own }) {
  /** @type {any} */
  const { exports } = (await WebAssembly.instantiate(bytes, { env: { memory } })).instance;
  exports.__stack_pointer.value = stack;
  exports.__wasm_init_tls(local);
  exports.own_at(own);
  // It has no memory of its own to export.
  return { ...exports, memory };
}

// The outcome of a search for lines is -1 if it has not ended, and 1 or more if it has found lines (explain.h). open: the position
// that an unfinished search waits for.
function searchLines(name, { question, goal, nodes }) {
  const outcome = kernel[name](...question, goal, nodes);
  const lines = outcome > 0 ? [...[0, 1].map((which) => [...lineOf(kernel, which)]), outcome] : null;
  const open = outcome < 0 ? [kernel.me(), kernel.opp(), kernel.ko(), kernel.left(), kernel.passed()] : null;
  return { ended: outcome >= 0, open, lines, nodes: kernel.nodes(), kept: kept() };
}

function search(name, { question, goal, nodes }) {
  kernel[name](...question, goal, nodes);
  return { lo: kernel.lo(), hi: kernel.hi(), best: kernel.best(), nodes: kernel.nodes(), kept: kept() };
}

function kept() {
  const count = kernel.kept();
  return count ? new Int32Array(kernel.memory.buffer, kernel.kept_at(), KEPT_WORDS * count).slice() : null;
}

// The worker's answers, by the name of the question.
const DOES = {
  // place: where this worker's parts of a shared memory are (engine.js), or nothing.
  async open({ bytes, lines, seed, facts, place }) {
    if (place) {
      kernel = await openShared(bytes, place);
      kernel.share(place.table, place.busy, place.lines, seed);
      known = facts;
      if (place.index === 0) teach();
      return { lines: place.lines, seed };
    }
    kernel = await openKernel(bytes);
    opened = { lines: open(lines, seed), seed };
    kernel.keep(KEEP_NODES);
    known = facts;
    teach();
    return opened;
  },

  // Bounds from the mover's side, what keeps them, nodes searched, and results for the other workers.
  decide: (data) => search("decide", data),

  // The same without a move.
  bound: (data) => search("bound", data),

  // The exact value; the goal is a guess, or NO_GUESS.
  value: (data) => search("value", data),

  // Lines of best play: after a move, the goal, and instead of it; or of a position with a value, the goal.
  explain: (data) => searchLines("explain", data),
  settle: (data) => searchLines("settle", data),

  // What others have found; nothing is answered.
  learn({ rows }) {
    for (let at = 0; at < rows.length; at += KEPT_WORDS) {
      const row = rows.subarray(at, at + KEPT_WORDS);
      kernel.teach(row[ME], row[OPP], row[KO], row[LEFT], row[PASS_ENDS] & 1, row[LO], row[HI], row[BEST]);
    }
  },

  // Questions of solver/native/wasm.c in a table of their own, that nothing was put into: the bench.
  bench({ lines, questions }) {
    if (!opened) throw new Error("the bench needs a table of its own: open the page from a file");
    kernel.keep(0);
    kernel.open(lines, 0);
    const answers = questions.map(([name, ...numbers]) => {
      kernel[name](...numbers);
      return [kernel.lo(), kernel.hi(), kernel.best(), kernel.nodes()];
    });
    open(opened.lines, opened.seed);
    kernel.keep(KEEP_NODES);
    teach();
    return { answers };
  },
};

addEventListener("message", async ({ data }) => {
  const started = performance.now();
  try {
    const answer = await DOES[data.name](data);
    if (data.id) postMessage({ id: data.id, answer: { ...answer, seconds: (performance.now() - started) / 1000 } });
  } catch (error) {
    postMessage({ id: data.id, error: String(error) });
  }
});
