// Test the page's views without a browser. `node page_views.mjs NAME` exits with 0 if that test passes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { byId, tellPage } from "./small_dom.mjs";

const { Beside } = await import("../../explorer/page/beside.js");
const { LearnMode } = await import("../../explorer/page/learn.js");
const { RULES_BOARDS } = await import("../../explorer/page/learning.js");
const { Variations } = await import("../../explorer/page/variations.js");
const { readFragment } = await import("../../explorer/page/formats.js");
const { Quest } = await import("../../explorer/page/engine.js");
const { wireOpen } = await import("../../explorer/page/open.js");
const { Facts } = await import("../../explorer/page/facts.js");
const board = await import("../../explorer/page/rules.js");

const rules = new board.Rules(await board.openKernel(readFileSync(new URL("../../explorer/kernel.wasm", import.meta.url))));

// A substitute for the page's App. It records the calls.
function newApp(more = {}) {
  const app = { rules, said: [], sent: [], loaded: [], modes: [], notebook: { open() {} }, ...more };
  app.say = (text) => void app.said.push((app.note = text));
  app.speak = () => {};
  app.dispatch = (action) => void app.sent.push(action);
  app.load = (game) => void app.loaded.push(game);
  app.setMode = (mode) => void app.modes.push(mode);
  app.notebook = { open: () => {} };
  return app;
}

// Wait until a text is read and all promises are settled.
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

const TESTS = {
  // If the dialog is open, it shows the error; otherwise the page does. A text that can be read causes no message.
  async "what cannot be opened is told once"() {
    const app = newApp();
    wireOpen(app);
    const [dialog, error] = [byId("open-dialog"), byId("open-error")];
    const errors = () => app.said.filter((said) => said.startsWith("Cannot"));
    const paste = async (text) => {
      await tellPage("paste", { clipboardData: { getData: () => text } });
      await settled();
    };
    await paste("no game at all");
    assert.match(error.textContent, /^Cannot open this: .+\.$/);
    assert.equal(error.hidden, false);
    assert.deepEqual(errors(), [error.textContent]);

    await byId("open-button").tell("click");
    assert.deepEqual([dialog.open, error.hidden, error.textContent], [true, true, ""]);
    byId("open-text").value = "neither";
    await byId("open-dialog form").tell("submit", { submitter: { value: "open" } });
    await settled();
    assert.deepEqual([dialog.open, error.hidden, errors().length], [true, false, 1]);
    assert.match(error.textContent, /^Cannot open this: /);

    byId("open-text").value = "2,2 1,1";
    await byId("open-dialog form").tell("submit", { submitter: { value: "open" } });
    await settled();
    assert.deepEqual([dialog.open, error.hidden, error.textContent, errors().length], [false, true, "", 1]);
    assert.deepEqual(app.loaded.map(({ moves }) => moves), [[12, 6]]);
    await paste("2,2");
    assert.deepEqual([app.loaded.length, errors().length, app.note], [2, 1, ""]);
  },

  // A text that is dropped is opened, a file before it, and nothing is said of a picture, which has neither.
  async "what is dropped is opened"() {
    const app = newApp();
    wireOpen(app);
    const drop = async (text, ...files) => {
      await tellPage("drop", { dataTransfer: { files, getData: () => text } });
      await settled();
    };
    await drop("2,2 1,1");
    await drop("3,3", new File(["2,2"], "game.txt"));
    assert.deepEqual(app.loaded.map(({ moves }) => moves), [[12, 6], [12]]);
    const said = app.said.length;
    await drop("");
    assert.deepEqual([app.loaded.length, app.said.length], [2, said]);
  },

  // The kept position is searched once, and only if no other search runs, nothing is stopped and the game is not over.
  async "a kept position is asked about when nothing else is"() {
    const kept = rules.play(board.START, 12);
    const over = [board.PASS].reduce((position, move) => rules.play(position, move), board.START);
    assert.equal(board.isOver(over), true);
    const ask = async (changes, position = kept, earlier = []) => {
      const app = newApp({ engine: { lanes: [] }, computing: false, refreshes: 0, facts: { rules, about: () => ({ moves: [] }) } });
      app.isStopped = () => false;
      app.refresh = () => app.refreshes++;
      app.refreshSoon = () => {};
      Object.assign(app, changes);
      const beside = new Beside(app);
      beside.asked = earlier[0] ?? null;
      let search = null;
      try {
        const asking = beside._ask(position);
        search = beside.search;
        search?.abort();
        await asking;
      } catch {
        // The substitute never answers.
      }
      return search !== null;
    };
    assert.equal(await ask({}), true);
    assert.equal(await ask({ engine: null }), false);
    assert.equal(await ask({ computing: true }), false);
    assert.equal(await ask({ isStopped: (name) => name === "values" }), false);
    assert.equal(await ask({ isStopped: (name) => name !== "values" }), true);
    assert.equal(await ask({}, over), false);
    assert.equal(await ask({}, kept, [kept]), false);
    assert.equal(await ask({}, kept, [board.START]), true);
  },

  // Two clicks make an arrow, from any point, including 0,0. Two clicks on one point make none.
  "marks are made by clicks"() {
    const tools = (tool, points) => {
      const line = { path: [12], start: board.START };
      const app = newApp({ line, state: { tool, mode: "explore", game: { root: { children: [] }, moves: [], at: 0, start: board.START } } });
      const variations = new Variations(app);
      const taken = points.map((point) => variations.onPoint(point));
      return { taken, said: app.said, marks: app.sent.map(({ type, path, mark }) => ({ type, path, ...mark })) };
    };
    const [type, path] = ["mark", [12]];
    for (const [from, to] of [[0, 24], [24, 0], [3, 7]]) {
      const { taken, said, marks } = tools("arrow", [from, to]);
      assert.deepEqual(taken, [true, true]);
      assert.deepEqual(said, [`An arrow from ${board.moveName(from)}: click on the point where it ends.`, ""]);
      assert.deepEqual(marks, [{ type, path, kind: "arrow", point: from, to }]);
    }
    assert.deepEqual(tools("arrow", [0, 0]).marks, []);
    assert.deepEqual(tools("arrow", [0, 1, 2, 3]).marks.map(({ point, to }) => [point, to]), [[0, 1], [2, 3]]);
    assert.deepEqual(tools("circle", [0, 3]).marks, [0, 3].map((point) => ({ type, path, kind: "circle", point })));
    assert.deepEqual(tools("letter", [4]).marks, [{ type, path, kind: "letter", point: 4, text: "A" }]);
    // PASS is not a point, so it cannot have a mark. Without a tool, a click is a move.
    assert.deepEqual([tools("arrow", [board.PASS]).taken, tools("arrow", [board.PASS]).marks], [[true], []]);
    assert.deepEqual(tools(null, [0]).taken, [false]);
  },

  // The fields contain the comment and the name of the position, but not while somebody types there.
  "the fields follow the position"() {
    const root = { children: [{ move: 12, note: "first", children: [] }, { move: 0, name: "other", note: "second", children: [] }] };
    const show = (...moves) => {
      const game = { root, moves, at: moves.length, start: board.START };
      const app = newApp({ line: { path: moves, moves, start: board.START }, state: { mode: "explore", tool: null, game } });
      new Variations(app).render();
      return [byId("note").value, byId("branch-name").value, byId("note-shown").textContent];
    };
    assert.deepEqual(show(12), ["first", "", "first"]);
    assert.deepEqual(show(0), ["second", "other", "second"]);
    document.activeElement = byId("note");
    assert.deepEqual(show(), ["second", "", ""]);
    document.activeElement = byId("branch-name");
    byId("branch-name").value = "typed";
    assert.deepEqual(show(0), ["second", "typed", "second"]);
    document.activeElement = null;
    assert.deepEqual(show(), ["", "", ""]);
  },

  // A question in slices ends when its goal is reached or cannot be, and not while the bounds still contain it.
  async "a quest goes on while its goal is possible"() {
    const ask = (goal, ...answers) => {
      const engine = { idlest: () => ({}), search: async () => ({ nodes: 10, seconds: 0, best: 12, ...answers.shift() }) };
      return new Quest(engine, { rules, note: () => {} }, board.START).decide(goal, { nodes: 25 });
    };
    assert.equal(await ask(3, { lo: -25, hi: 3 }, { lo: 3, hi: 3 }), 12);
    assert.equal(await ask(3, { lo: -25, hi: 3 }, { lo: -25, hi: 2 }), board.NO_MOVE);
    assert.equal(await ask(3, { lo: 2, hi: 3 }, { lo: 2, hi: 3 }, { lo: 2, hi: 3 }), null);
    assert.equal(await ask(3, { lo: 2, hi: 3 }, { lo: 2, hi: 3 }, { lo: 3, hi: 3 }), 12);
  },

  // The bounds of all searches of a position are combined, and their nodes and seconds are added.
  "several searches of a position are one fact"() {
    const empty = { keys: new BigUint64Array(0), lo: new Int8Array(0), hi: new Int8Array(0), best: [], decided: [] };
    const facts = new Facts(rules, { book: empty, atlas: empty, lines: empty, proved: empty, traps: new Map() });
    for (const [key, lo, hi, nodes, seconds] of [[1n, -25, 7, 10, 0.5], [2n, 0, 0, 4, 2], [1n, 3, 25, 20, 0.25], [1n, 1, 9, 1, 1]])
      facts.note(key, { lo, hi }, nodes, seconds);
    assert.deepEqual(facts.computed.get(1n), { source: "kernel", lo: 3, hi: 7, nodes: 31, seconds: 1.75 });
    assert.deepEqual(facts.computed.get(2n), { source: "kernel", lo: 0, hi: 0, nodes: 4, seconds: 2 });
    assert.equal(facts.computed.size, 2);
  },

  // White answers with the first of a step's replies that the rules allow.
  "a lesson answers with the first reply that is legal"() {
    let replies = 0;
    for (const [learn, lesson] of RULES_BOARDS.entries())
      for (const [number, step] of lesson.steps.entries()) {
        if (!step.reply || number > 0) continue;
        const { start } = readFragment(lesson.link, rules);
        for (const move of rules.legalMoves(start)) {
          const app = newApp({ state: { learn }, line: { path: [], start, at: 0 }, position: start });
          new LearnMode(app).onPoint(move);
          if (!app.sent.length) continue;
          const legal = new Set(rules.legalMoves(rules.play(start, move)).map(board.moveName));
          const [{ game }] = app.sent;
          assert.equal(game.moves.length, 2);
          assert.equal(board.moveName(game.moves[1]), step.reply.find((name) => legal.has(name)));
          replies++;
        }
      }
    assert.ok(replies > 5, `${replies} replies`);
  },
};

await TESTS[process.argv[2]]();
