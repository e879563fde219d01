// The worker: it has the kernel's table, and answers one question after another, each within a number of nodes.

import { NO_MOVE, PASS, kernelArguments, moverOf, openKernel, positionOf } from "./rules.js";

let kernel = null;
let table = 0;
let known = [];

// Smaller ones are tried when there is no memory for a table of so many lines.
const LEAST_LINES = 1 << 18;

function teach() {
  for (const { keys, lo, hi, best } of known) {
    for (let i = 0; i < keys.length; i++) {
      const position = positionOf(keys[i]);
      const bounds = moverOf(position) ? [-hi[i], -lo[i]] : [lo[i], hi[i]];
      kernel.teach(...kernelArguments(position), ...bounds, best[i] <= PASS ? best[i] : NO_MOVE);
    }
  }
}

// The worker's answers, by the name of the question.
const DOES = {
  async open({ bytes, lines, facts }) {
    kernel = await openKernel(bytes);
    for (table = lines; !kernel.open(table, 0) && table > LEAST_LINES; table /= 2);
    known = facts;
    teach();
    return { lines: table };
  },

  // Bounds from the mover's side, what keeps them, nodes searched.
  decide({ question, goal, nodes }) {
    kernel.decide(...question, goal, nodes);
    return { lo: kernel.lo(), hi: kernel.hi(), best: kernel.best(), nodes: kernel.nodes() };
  },

  // Questions of solver/native/wasm.c in a table of their own, that nothing was put into: the bench.
  bench({ lines, questions }) {
    kernel.open(lines, 0);
    const answers = questions.map(([name, ...numbers]) => {
      kernel[name](...numbers);
      return [kernel.lo(), kernel.hi(), kernel.best(), kernel.nodes()];
    });
    kernel.open(table, 0);
    teach();
    return { answers };
  },
};

addEventListener("message", async ({ data }) => {
  const started = performance.now();
  try {
    const answer = await DOES[data.name](data);
    postMessage({ id: data.id, answer: { ...answer, seconds: (performance.now() - started) / 1000 } });
  } catch (error) {
    postMessage({ id: data.id, error: String(error) });
  }
});
