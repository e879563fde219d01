// A worker of the page. The worker has a kernel, and answers one question after another, each within a node limit.

import { NO_MOVE, PASS, kernelArguments, lineOf, moverOf, openKernel, positionOf } from "./rules.js";

/** @type {any} */
let kernel = null;
let opened = null;
let known = [];

// The minimum number of lines of a table. If there is not enough memory for a table of the wanted size, the worker tries
// smaller tables.
const LEAST_LINES = 1 << 18;

// A result that cost at least this number of nodes is sent to the other workers.
const KEEP_NODES = 500;

// The layout of the struct Kept of solver/native/kernel.h: its length in 32-bit words, and the index of each field.
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

// Make an instance of the kernel in memory that the workers share. The stack, the thread-local data and the struct Own of each
// instance have separate addresses.
async function openShared(bytes, { memory, stack, local, own }) {
  /** @type {any} */
  const { exports } = (await WebAssembly.instantiate(bytes, { env: { memory } })).instance;
  exports.__stack_pointer.value = stack;
  exports.__wasm_init_tls(local);
  exports.own_at(own);
  // Shared memory is imported, so the instance does not export it.
  return { ...exports, memory };
}

// Search for lines. The outcome is -1 if the search has not ended, and 1 or more if it has found lines (explain.h). open: the
// position whose value an unfinished search needs.
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

// The functions that answer questions, by the name of the question.
const DOES = {
  // Open a kernel and its table. place: the addresses of this worker's data in shared memory (engine.js), or undefined if
  // memory is not shared.
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

  // Return bounds from the mover's side, a move that keeps them, the number of nodes, and results for the other workers.
  decide: (data) => search("decide", data),

  // Return the same answer as `decide`, but without a move.
  bound: (data) => search("bound", data),

  // Return the exact value. goal: a guess at the value, or NO_GUESS.
  value: (data) => search("value", data),

  // Return lines of best play. For "explain", goal is a move; one line begins with this move, and the other line begins with a
  // best move. For "settle", goal is the value of the position.
  explain: (data) => searchLines("explain", data),
  settle: (data) => searchLines("settle", data),

  // Store the results of other workers, and send no answer.
  learn({ rows }) {
    for (let at = 0; at < rows.length; at += KEPT_WORDS) {
      const row = rows.subarray(at, at + KEPT_WORDS);
      kernel.teach(row[ME], row[OPP], row[KO], row[LEFT], row[PASS_ENDS] & 1, row[LO], row[HI], row[BEST]);
    }
  },

  // Run questions of solver/native/wasm.c with an empty table and without the facts of the page, to measure the kernel.
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
