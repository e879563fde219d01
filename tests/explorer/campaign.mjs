// Run the page's facts and searches in Node.js, with its worker and its kernel: node campaign.mjs PAGE_HTML MODULES
//
// MODULES is a folder with the page's modules. Each line of standard input is a session as JSON: { positions, line, questions }.
// The positions are those of the page, and the first `line` of them follow each other in a game. A question is { name, at, … },
// where the name is in ASKS below.
// After each question the program writes a line { isCut, bounds, moves }. isCut: whether the search reached its limit, or null if
// nothing was searched. bounds: [position, lo, hi], the page's bounds on a position. moves: [position, move, lo, hi], the bounds
// after a move that follow from the page's answers.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { Worker as Thread } from "node:worker_threads";

const [page, folder] = process.argv.slice(2);
const addressOf = (name) => pathToFileURL(`${folder}/${name}`).href;
const { BLACK_WINS, MOST, NO_MOVE, Rules, isOver, marginOf, openKernel, signOf } = await import(addressOf("rules.js"));
const { unpack } = await import(addressOf("packs.js"));
const { Facts, readAtlas, readBook, readLines, readProved, readTraps } = await import(
  addressOf("facts.js")
);
const { valueOf, winnerOf } = await import(addressOf("evidence.js"));
const { Engine, Quest, Survey, bestLine, keepingMove, perfectMove } = await import(addressOf("engine.js"));

// Substitutes for functions that browsers have and Node.js does not.
const THREAD = `const { parentPort, workerData } = require("node:worker_threads");
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  globalThis.addEventListener = (_, listener) => parentPort.on("message", (data) => listener({ data }));
  import(workerData);`;
globalThis.Worker = class {
  constructor() {
    this.thread = new Thread(THREAD, { eval: true, workerData: addressOf("worker.js") });
  }
  addEventListener(name, listener) {
    if (name === "message") this.thread.on("message", (data) => listener({ data }));
    else this.thread.on("error", (error) => listener(error));
  }
  postMessage(message) {
    this.thread.postMessage(message);
  }
};
globalThis.matchMedia = () => ({ matches: true });
Object.defineProperty(globalThis, "navigator", { value: { hardwareConcurrency: 2 } });

// Return bounds from Black's side, given that the mover's value reaches a goal.
const atLeast = (sign, goal) => (sign > 0 ? [goal, MOST] : [-MOST, -goal]);
// Return bounds from Black's side, given that the mover's value does not reach a goal.
const below = (sign, goal) => (sign > 0 ? [-MOST, goal - 1] : [1 - goal, MOST]);

// By question: (facts, position, question) => { isCut, bounds, moves }.
const ASKS = {
  about: () => ({}),

  async decide(facts, position, { above, nodes }) {
    const quest = new Quest(engine, facts, position);
    const goal = Math.min(Math.max(quest.sign * marginOf(position) + above, 1 - MOST), MOST);
    const move = await quest.decide(goal, { nodes });
    if (move === null) return { isCut: true };
    if (move === NO_MOVE) return { isCut: false, bounds: [[position, ...below(quest.sign, goal)]] };
    const bounds = atLeast(quest.sign, goal);
    return { isCut: false, bounds: [[position, ...bounds]], moves: [[position, move, ...bounds]] };
  },

  async verdict(facts, position, { nodes }) {
    return { isCut: !(await new Quest(engine, facts, position).verdict({ nodes })) };
  },

  async exact(facts, position, { nodes }) {
    return { isCut: !(await new Quest(engine, facts, position).exact({ nodes })) };
  },

  // Search the position and all its moves, and abort after this many answers.
  async survey(facts, position, { answers }) {
    const controller = new AbortController();
    let left = answers;
    const counting = {
      lanes: engine.lanes,
      search: async (...asked) => {
        const answer = await engine.search(...asked);
        if (!--left) controller.abort();
        return answer;
      },
    };
    const children = facts.about(position).moves.map(({ child }) => child);
    const items = [position, ...children].map((each) => ({ position: each, rank: (undecided) => Number(undecided) }));
    const survey = new Survey(counting, facts, items, () => facts.about(position));
    try {
      await survey.run(controller.signal);
      return { isCut: false };
    } catch (error) {
      if (error.name !== "AbortError") throw error;
      return { isCut: true };
    }
  },

  async keeping(facts, position, { nodes }) {
    const value = valueOf(facts.about(position).fact);
    if (value === null) return {};
    const move = await keepingMove(engine, facts, position, value, { nodes });
    return move === null ? { isCut: true } : { isCut: false, moves: [[position, move, value, value]] };
  },

  async line(facts, position, { nodes }) {
    const value = valueOf(facts.about(position).fact);
    if (value === null) return {};
    const moves = [];
    let current = position;
    for (const move of await bestLine(engine, facts, position, value, { nodes })) {
      moves.push([current, move, value, value]);
      current = facts.rules.play(current, move);
    }
    return { isCut: !isOver(current), moves };
  },

  async perfect(facts, position, { nodes }) {
    const { move, from } = await perfectMove(engine, facts, position, { nodes });
    const sign = signOf(position);
    const { fact } = facts.about(position);
    const told = { isCut: from === "guess" || from === "verdict", moves: [] };
    if (from === "value") told.moves.push([position, move, fact.lo, fact.hi]);
    const isWon = from === "rules" || from === "verdict" || winnerOf(fact) === (sign > 0 ? 0 : 1);
    if (from !== "guess" && isWon) told.moves.push([position, move, ...atLeast(sign, sign > 0 ? BLACK_WINS : 1 - BLACK_WINS)]);
    return told;
  },
};

const dataOf = (html, id) => html.match(new RegExp(`<script type="[^"]*" id="${id}">([^<]*)</script>`))[1];

async function tables(html, rules) {
  const [book, atlas, proved, traps] = await Promise.all(
    ["book", "atlas", "proved", "traps"].map((id) => unpack(dataOf(html, id))),
  );
  return {
    book: readBook(book),
    atlas: readAtlas(atlas, rules),
    lines: readLines(dataOf(html, "lines"), rules),
    proved: readProved(proved),
    traps: readTraps(traps),
  };
}

// Return the page's bounds on a position and its moves, and on the positions of the line.
function said(facts, position, line) {
  facts.carryAlong(line);
  const { fact, moves } = facts.about(position);
  return [[position, fact.lo, fact.hi], ...moves.map(({ child, fact: { lo, hi } }) => [child, lo, hi])];
}

const html = readFileSync(page, "utf8");
const bytes = await unpack(dataOf(html, "kernel"));
const rules = new Rules(await openKernel(bytes));
const known = await tables(html, rules);
const engine = new Engine("", bytes, new Facts(rules, known).taught);
await engine.open();
await engine.openOthers();

for await (const text of createInterface({ input: process.stdin })) {
  const { positions, line, questions } = JSON.parse(text);
  const facts = new Facts(rules, known);
  for (const { name, at, slice, ...question } of questions) {
    for (const lane of engine.lanes) lane.slice = slice;
    const { isCut = null, bounds = [], moves = [] } = await ASKS[name](facts, positions[at], question);
    console.log(JSON.stringify({ isCut, bounds: [...bounds, ...said(facts, positions[at], positions.slice(0, line))], moves }));
  }
}
process.exit(0);
