// Test the page's views without a browser. `node page_views.mjs NAME` exits with 0 if that test passes.

import assert from "node:assert/strict";
import { after, newApp, newFacts, newLiveApp, rules, settled } from "./page_app.mjs";
import { byId, tellPage } from "./small_dom.mjs";

const { Beside } = await import("../../explorer/page/beside.js");
const { LearnMode } = await import("../../explorer/page/learn.js");
const { RULES_BOARDS } = await import("../../explorer/page/learning.js");
const { Variations } = await import("../../explorer/page/variations.js");
const { inputText, positionRecord, positionText, readFragment } = await import("../../explorer/page/formats.js");
const { Engine, Quest } = await import("../../explorer/page/engine.js");
const { wireOpen } = await import("../../explorer/page/open.js");
const { addressOf, placeOf, puzzleId } = await import("../../explorer/page/address.js");
const { watch } = await import("../../explorer/page/dom.js");
const { Curve } = await import("../../explorer/page/curve.js");
const { TrapCard } = await import("../../explorer/page/trap.js");
const { VerdictCard } = await import("../../explorer/page/verdict.js");
const { wireShare } = await import("../../explorer/page/share.js");
const { wireKeys } = await import("../../explorer/page/controls.js");
const { lineSign, reasonSign } = await import("../../explorer/page/jobs.js");
const { Line } = await import("../../explorer/page/line.js");
const { Notebook } = await import("../../explorer/page/notebook.js");
const { PlayMode } = await import("../../explorer/page/play.js");
const { ReviewMode } = await import("../../explorer/page/review.js");
const { FIRST_STATE, Past, gameOf, isUndoable, reduce, shownBranch, shownGame } = await import("../../explorer/page/state.js");
const tree = await import("../../explorer/page/tree.js");
const board = await import("../../explorer/page/rules.js");

// A position with a ko point, as in an address.
const KO = positionText(after(1, 0, 5, 2, 11, 8, 7, 12, 24, 6));

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
    const facts = newFacts();
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

  // The main line is the first of a game's lines. A branch follows the line from which it branches.
  "a game has lines"() {
    const { ROOT, withLine } = tree;
    const lines = (root) => tree.linesOf(root).map(({ branch, path, node }) => [branch, path, node.move]);
    assert.deepEqual(lines(ROOT), [[[], [], null]]);
    const root = [[1, 2, 3], [1, 4], [5], [1, 2, 6, 7], [1, 2, 6, 8]].reduce(withLine, ROOT);
    assert.deepEqual(lines(root), [
      [[], [1, 2, 3], null],
      [[1, 2, 6], [1, 2, 6, 7], 6],
      [[1, 2, 6, 8], [1, 2, 6, 8], 8],
      [[1, 4], [1, 4], 4],
      [[5], [5], 5],
    ]);
    assert.equal(withLine(root, [1, 2]), root);
    assert.equal(withLine(root, []), root);
    const branches = [[[], null], [[1, 2, 3], null], [[1, 4], [1, 4]], [[1, 2, 6, 7], [1, 2, 6]], [[1, 2, 6, 8], [1, 2, 6, 8]]];
    for (const [path, branch] of branches) assert.deepEqual(tree.branchOf(root, path), branch);
    assert.deepEqual([[], [1], [1, 2, 6], [5]].map((path) => tree.toTheEnd(root, path)), [[1, 2, 3], [1, 2, 3], [1, 2, 6, 7], [5]]);
    assert.deepEqual([[], [5], [1, 4]].map((path) => tree.nodeAt(root, path).move), [null, 5, 4]);
    assert.deepEqual([[6], [5, 1], [1, 2, 9]].map((path) => tree.nodeAt(root, path)), [null, null, null]);
    const first = (...branch) => tree.linesOf(tree.withBranchFirst(root, branch)).map(({ path }) => path).slice(0, 2);
    assert.deepEqual(first(1, 4), [[1, 4], [1, 2, 3]]);
    assert.deepEqual(first(5), [[5], [1, 2, 3]]);
    assert.deepEqual(first(1, 2, 6), [[1, 2, 6, 7], [1, 2, 6, 8]]);
    const without = tree.withoutNode(root, [1, 2, 6]);
    assert.deepEqual(lines(without).map(([, path]) => path), [[1, 2, 3], [1, 4], [5]]);
    assert.equal(tree.nodeAt(without, [1, 4]), tree.nodeAt(root, [1, 4]));
    const named = tree.withNode(root, [1, 4], (node) => ({ ...node, name: "x" }));
    assert.deepEqual(tree.linesOf(named).map(({ node }) => node.name), [undefined, undefined, undefined, "x", undefined]);
  },

  // The line contains the position before the shown one, and the points from which the last move captured stones.
  "a line is at a position"() {
    const capture = [1, 0, 5];
    const at = (index, had = null) => new Line(rules, { ...gameOf({ start: board.START, moves: capture }), at: index }, had);
    const facts = ({ position, previous, lastMove, path, taken, ply }) => {
      assert.equal(ply, position.ply);
      return [ply, previous?.ply ?? null, lastMove, path, taken];
    };
    assert.deepEqual([0, 1, 2, 3].map((index) => facts(at(index))), [
      [0, null, null, [], 0],
      [1, 0, 1, [1], 0],
      [2, 1, 0, [1, 0], 0],
      [3, 2, 5, capture, 1],
    ]);
    const had = at(3);
    const other = new Line(rules, gameOf({ start: board.START, moves: [1, 0, 7, 5] }), had);
    assert.deepEqual(other.positions.map((position, index) => position === had.positions[index]), [true, true, true, false, false]);
    assert.deepEqual(other.positions.map(({ ply }) => ply), [0, 1, 2, 3, 4]);
    const first = new Line(rules, gameOf({ start: board.START, moves: [2, 0, 5] }), had);
    assert.deepEqual(first.positions, [[], [2], [2, 0], [2, 0, 5]].map((moves) => after(...moves)));
    const elsewhere = new Line(rules, gameOf({ start: after(1), moves: [0] }), had);
    const passed = new Line(rules, gameOf({ start: after(1), moves: [0, board.PASS, board.PASS] }));
    assert.deepEqual([elsewhere.ply, passed.ply, board.isOver(passed.position)], [2, 4, true]);
    assert.deepEqual(elsewhere.positions, [after(1), after(1, 0)]);
  },

  // A second click with the same tool removes a mark. A mark of another kind replaces the marks of the point.
  "marks of a position are added and removed"() {
    const [circle, square] = ["circle", "square"].map((kind) => ({ kind, point: 3 }));
    const [arrow, other] = [4, 5].map((to) => ({ kind: "arrow", point: 3, to }));
    const marked = (...marks) => {
      let state = FIRST_STATE;
      for (const mark of marks) state = reduce(state, { type: "mark", path: [], mark });
      return state.game.root.marks;
    };
    assert.deepEqual(marked(circle), [circle]);
    assert.deepEqual(marked(circle, circle), []);
    assert.deepEqual(marked(circle, square), [square]);
    assert.deepEqual(marked(circle, { ...circle, point: 2 }), [circle, { ...circle, point: 2 }]);
    assert.deepEqual(marked(arrow, other), [arrow, other]);
    assert.deepEqual(marked(arrow, other, arrow), [other]);
    assert.deepEqual(marked(circle, arrow, circle), [arrow]);
    assert.deepEqual(marked({ kind: "letter", point: 3, text: "A" }, circle), [circle]);
  },

  // Each action changes the game or the shown position as described in state.js.
  "the state follows the actions"() {
    const run = (...actions) => actions.reduce(reduce, FIRST_STATE);
    const load = { type: "load", game: { start: board.START, moves: [12, 6, 13] } };
    const play = (move) => ({ type: "play", move });
    const goTo = (at, more = {}) => ({ type: "goTo", at, ...more });
    const visit = { type: "load", game: { start: board.START, moves: [0] }, visits: true };
    const paths = (state) => tree.linesOf(state.game.root).map(({ path }) => path);
    const shown = (...actions) => [(state) => [state.game.moves, state.game.at]].map((what) => what(run(...actions)))[0];
    assert.deepEqual(shown(load), [[12, 6, 13], 3]);
    assert.deepEqual(shown(load, goTo(1)), [[12, 6, 13], 1]);
    assert.deepEqual([shown(load, goTo(-1)), shown(load, goTo(9))], [[[12, 6, 13], 0], [[12, 6, 13], 3]]);
    // A move of the line keeps the line, and another move begins a variation.
    assert.deepEqual(shown(load, goTo(1), play(6)), [[12, 6, 13], 2]);
    assert.deepEqual(shown(load, goTo(1), play(7)), [[12, 7], 2]);
    assert.deepEqual(paths(run(load, goTo(1), play(7))), [[12, 6, 13], [12, 7]]);
    assert.deepEqual(shown(load, goTo(1), play(7), goTo(1), play(6)), [[12, 6, 13], 2]);
    assert.deepEqual(shown(load, { type: "takeBack", at: 2 }), [[12, 6], 2]);
    assert.deepEqual(paths(run(load, { type: "takeBack", at: 2 })), [[12, 6, 13]]);
    // The removal of a part of the shown line shows the position before it.
    const forked = [load, goTo(1), play(7)];
    assert.deepEqual(shown(...forked, { type: "remove", path: [12, 7] }), [[12, 6, 13], 1]);
    assert.deepEqual(shown(...forked, { type: "remove", path: [12, 6] }), [[12, 7], 2]);
    assert.deepEqual(paths(run(...forked, { type: "remove", path: [12, 6] })), [[12, 7]]);
    assert.deepEqual(shown(load, { type: "remove", path: [12, 6, 13] }), [[12, 6], 2]);
    const branches = [[load], [load, goTo(1)], forked, [...forked, goTo(1)]].map((actions) => shownBranch(run(...actions)));
    assert.deepEqual(branches, [null, null, [12, 7], null]);
    const loaded = run(load);
    for (const path of [[], [9], [12, 6, 9]]) assert.equal(reduce(loaded, { type: "remove", path }), loaded);
    assert.deepEqual(paths(run(...forked, { type: "promote", path: [12, 7] })), [[12, 7], [12, 6, 13]]);
    // A visited game does not change the user's own game, until the user plays a move in it.
    const visiting = run(load, visit);
    assert.deepEqual([visiting.visit.moves, visiting.game.moves], [[0], [12, 6, 13]]);
    assert.deepEqual(reduce(visiting, { type: "home" }).visit, null);
    const own = reduce(visiting, goTo(1, { isOwn: true }));
    assert.deepEqual([own.visit, own.game.at], [null, 1]);
    assert.deepEqual([reduce(visiting, goTo(0)).visit.at, reduce(visiting, goTo(0)).game.at], [0, 3]);
    const taken = reduce(visiting, play(24));
    assert.deepEqual([taken.visit, taken.game.moves], [null, [0, 24]]);
    const lesson = reduce({ ...visiting, mode: "learn" }, play(24));
    assert.deepEqual([lesson.visit.moves, lesson.game.moves, lesson.mode], [[0, 24], [12, 6, 13], "learn"]);
    assert.deepEqual(reduce(lesson, { type: "home" }).mode, "explore");
    assert.deepEqual(reduce({ ...visiting, mode: "review" }, { type: "home" }).mode, "review");
    // A change of the mode ends a game against an opponent, and drops the tool.
    const playing = { ...loaded, mode: "play", tool: "circle", play: { ...loaded.play, started: true, hint: 3, said: "x" } };
    assert.equal(reduce(playing, { type: "mode", mode: "play" }), playing);
    const { mode, tool, play: left } = reduce(playing, { type: "mode", mode: "review" });
    assert.deepEqual([mode, tool, left], ["review", null, FIRST_STATE.play]);
    assert.deepEqual(reduce(reduce(loaded, { type: "tool", tool: "arrow" }), { type: "tool", tool: "circle" }).tool, "circle");
    assert.deepEqual(reduce(reduce(loaded, { type: "tool", tool: "arrow" }), { type: "tool", tool: "arrow" }).tool, null);
    // The hint and the sentence about a position disappear with the position.
    const hinted = reduce(playing, goTo(1)).play;
    assert.deepEqual([hinted.started, hinted.hint, hinted.said], [true, null, ""]);
    for (const action of [goTo(0), play(7), { type: "takeBack", at: 2 }, { type: "remove", path: [12] }, { type: "load", game: { start: after(12, 6), moves: [13] } }, { type: "load", game: { start: board.START, moves: [12, 6, 14] } }, load])
      assert.deepEqual([reduce(playing, action).play.hint, reduce(playing, action).play.said], [null, ""], JSON.stringify(action));
    // They stay if the board stays the same, for example when the user folds a variation.
    const branch = reduce(reduce({ ...playing, play: FIRST_STATE.play }, goTo(1)), play(7));
    const spoken = { ...branch, play: playing.play };
    for (const action of [{ type: "fold", path: [12, 6] }, { type: "name", path: [12, 6], name: "x" }, { type: "note", path: [], note: "x" }, { type: "promote", path: [12, 7] }, { type: "remove", path: [12, 6] }, { type: "takeBack", at: 2 }]) {
      const next = reduce(spoken, action);
      assert.notEqual(next.game, spoken.game);
      assert.equal(next.play, playing.play, JSON.stringify(action));
    }
    assert.equal(reduce(playing, { type: "tool", tool: "arrow" }).play, playing.play);
  },

  // An attempt to improve a mistake lasts while the board shows the position before the mistake.
  "an attempt ends with its position"() {
    const load = { type: "load", game: { start: board.START, moves: [12, 6, 13] } };
    const trying = { number: 0, index: 1, count: 1, isDone: false, said: "" };
    const state = reduce({ ...reduce(FIRST_STATE, load), mode: "review" }, { type: "try", trying });
    assert.deepEqual([state.trying, state.game.at], [trying, 1]);
    const next = (action) => reduce(state, action).trying;
    assert.deepEqual(next({ type: "try", trying: { ...trying, isDone: true } }), { ...trying, isDone: true });
    assert.deepEqual(next({ type: "note", path: [12], note: "x" }), trying);
    for (const action of [
      { type: "try", trying: null },
      { type: "goTo", at: 2 },
      { type: "mode", mode: "explore" },
      { type: "play", move: 7 },
      { type: "takeBack", at: 1 },
      { type: "load", game: { start: board.START, moves: [12, 6, 14] } },
      { type: "load", game: { start: board.START, moves: [12, 6, 13], at: 1 }, visits: true },
    ])
      assert.equal(next(action), null, JSON.stringify(action));
  },

  // Undo restores the game, but not the settings of the page.
  "undo restores the game"() {
    const past = new Past();
    assert.deepEqual([past.undo(FIRST_STATE), past.redo(FIRST_STATE)], [null, null]);
    const act = (state, action) => {
      const next = reduce(state, action);
      if (isUndoable(action, state, next)) past.note(state);
      return next;
    };
    const one = act(FIRST_STATE, { type: "load", game: { start: board.START, moves: [12, 6] } });
    assert.equal(past.before.length, 1);
    for (const action of [{ type: "goTo", at: 1 }, { type: "fold", path: [12] }, { type: "tool", tool: "arrow" }, { type: "play", move: 0, isReply: true }])
      act(one, action);
    assert.equal(past.before.length, 1);
    for (const action of [{ type: "play", move: 0 }, { type: "note", path: [12], note: "x" }, { type: "load", game: { start: after(12), moves: [] } }]) {
      act(one, action);
      past.before.pop();
      assert.equal(past.before.length, 1, JSON.stringify(action));
    }
    const settings = { names: "a1", stopped: ["line"], tool: null, beside: after(1) };
    const undone = past.undo({ ...one, ...settings, tool: "arrow" });
    assert.deepEqual(undone, { ...FIRST_STATE, ...settings });
    const redone = past.redo(undone);
    assert.deepEqual([redone.game, redone.names, past.after.length, past.before.length], [one.game, "a1", 0, 1]);
    past.undo(redone);
    past.note(one);
    assert.deepEqual(past.after, []);
    // Undo goes through the boards of "Edit".
    const draft = (from, to) => isUndoable({ type: "set" }, { ...one, draft: from }, { ...one, draft: to });
    assert.deepEqual([draft(null, after(1)), draft(after(1), null), draft(after(1), after(2))], [false, false, true]);
  },

  // The card shows the kept position, the changed stones, and the moves whose results differ.
  "a kept position is compared with the board"() {
    const known = (...values) => {
      const facts = newFacts();
      for (const [position, move, lo, hi = lo] of values) facts.note(rules.key(rules.play(position, move)), { lo, hi }, 0, 0);
      return facts;
    };
    const text = (id) => byId(id).textContent;
    const show = (kept, position, facts = known(), mode = "explore") => {
      const app = newApp({ facts, position, about: facts.about(position), engine: null, state: { mode, beside: kept, names: "ij" } });
      const beside = new Beside(app);
      beside.render();
      const rows = byId("beside-table").hidden ? [] : byId("beside-moves").children.map(({ children }) => children.map((cell) => cell.textContent));
      return { isShown: !byId("beside").hidden, framed: [...beside.framed], rows };
    };
    const [kept, here] = [after(1, 24, 12), after(1, 24, 12, board.PASS, 13)];
    assert.deepEqual(show(null, here), { isShown: false, framed: [], rows: [] });
    assert.deepEqual(show(kept, here, known(), "review"), { isShown: false, framed: [], rows: [] });
    assert.deepEqual(show(kept, kept), { isShown: true, framed: [], rows: [] });
    assert.equal(text("beside-stones"), "This position is kept. Go to another position, and the differences are shown here.");
    assert.equal(text("beside-same"), "");

    // Moves that change the winner come first, and moves that are legal in one of the positions come last.
    const facts = known(
      [kept, 13, 7], [kept, 5, 5], [here, 5, 3], [kept, 6, 5], [here, 6, 3],
      [kept, 0, 3], [here, 0, 1], [kept, 4, 3, 24], [here, 4, -24, 2],
      [kept, 7, 4], [here, 7, 4], [kept, 8, 3, 24], [here, 8, 5], [kept, 9, 6],
    );
    assert.deepEqual(show(kept, here, facts), {
      isShown: true,
      framed: [13],
      rows: [
        ["B+0.5", "W+1.5", "0,0"],
        ["B+", "W+", "0,4"],
        ["B+2.5", "B+0.5", "1,0 1,1"],
        ["B+4.5", "illegal", "2,3"],
      ],
    });
    assert.equal(text("beside-kept"), "Kept: ?, 3 plies played, White to move.");
    assert.equal(text("beside-stones"), "The board has 1 black stone more (2,3).");
    assert.equal(text("beside-same"), "1 move has the same result in both. The results of 17 moves are not known yet.");
    show(kept, here, known([kept, 7, 4], [here, 7, 4], [kept, 0, 4], [here, 0, 4]));
    assert.match(text("beside-same"), /^2 moves have the same result in both\. The results of 21 moves /);

    // The differences between two boards.
    const stones = (one, other) => {
      show(one, other);
      return text("beside-stones");
    };
    const board_ = (black, white, more = {}) => ({ black, white, ko: null, ply: 12, passed: false, ...more });
    assert.equal(stones(here, kept), "The board has 1 black stone less (2,3).");
    assert.equal(stones(board_(0, 0b11), board_(0b100, 0)), "The board has 1 black stone more (0,2); 2 white stones less (0,0 and 0,1).");
    assert.equal(stones(board_(0, 0), board_(0, 0b11111)), "The board has 5 white stones more (0,0 and 0,1 and 0,2 and 0,3 and 0,4).");
    assert.equal(stones(board_(0, 0), board_(0b111111, 0)), "The board has 6 black stones more.");
    assert.equal(stones(board_(1, 4, { ko: 1 }), board_(1, 4)), "The board has ko 0,1, now nowhere.");
    assert.equal(stones(board_(1, 4), board_(1, 4, { ko: 1 })), "The board has ko nowhere, now 0,1.");
    for (const more of [{ ply: 14 }, { passed: true }]) assert.equal(stones(board_(1, 4), board_(1, 4, more)), "The stones are the same.");
    const over = after(12, 6, board.PASS, board.PASS);
    show(over, here);
    assert.match(text("beside-kept"), /^Kept: W\+2\.5, the game is over\.$/);
  },

  // The buttons keep the position on the board, exchange the two positions, and end the comparison.
  async "a kept position is exchanged with the board"() {
    const app = newApp({ position: after(12), state: { beside: after(6) }, render: () => {} });
    new Beside(app);
    for (const name of ["keep", "swap", "close"]) await byId(`beside-${name}`).tell("click");
    const set = (beside) => ({ type: "set", changes: { beside } });
    assert.deepEqual(app.sent, [set(after(12)), set(after(12)), set(null)]);
    assert.deepEqual(app.loaded, [{ start: after(6), moves: [] }]);
  },

  // The card of a review shows the mistake that was made in the position on the board.
  async "a review steps through the mistakes"() {
    const app = newLiveApp({ engine: null, modes: { explore: { render: () => {} } } });
    const why = { worse: [5, 6], better: [7, board.PASS, board.PASS], text: "It is better.", told: { kind: "atari", worse: "", better: "" } };
    app.lines = { why: (position) => (position.ply === 1 ? why : null) };
    const review = new ReviewMode(app);
    const text = (id) => byId(id).textContent;
    const [back, next] = [byId("mistake-back"), byId("mistake-next")];
    const steps = () => [back, next].map((button) => [button.getAttribute("aria-label"), button.disabled]);
    app.dispatch({ type: "load", game: { start: board.START, moves: [] } });
    review.render();
    assert.deepEqual([text("review-title"), text("review-summary"), text("review-status")], ["Review", "There is no game yet: play one, or open one with “Open…”.", ""]);

    const moves = [12, 6, 13, 7];
    app.dispatch({ type: "load", game: { start: board.START, moves } });
    review.render();
    assert.equal(text("review-summary"), "The game is not finished. Who was winning is not known at every ply yet.");
    assert.equal(text("review-status"), "0 of 5 positions are exact.");
    const values = [3, 3, 5, 1, 1];
    for (const [ply, value] of values.entries()) app.facts.note(rules.key(after(...moves.slice(0, ply))), { lo: value, hi: value }, 0, 0);
    const show = (at) => {
      app.goTo(at);
      review.render();
      return [text("review-title"), ...steps()];
    };
    // White's ply 2 costs 2 points, and Black's ply 3 costs 4 points and the win.
    const [backOn, backOff] = [false, true].map((isOff) => ["Previous mistake", isOff]);
    const [nextOn, nextOff] = [false, true].map((isOff) => ["Next mistake", isOff]);
    assert.deepEqual([0, 1, 2, 3, 4].map(show), [
      ["Review", backOff, nextOn],
      ["Mistake 1 of 2", backOff, nextOn],
      ["Mistake 2 of 2", backOn, nextOff],
      ["Review", backOn, nextOff],
      ["Review", backOn, nextOff],
    ]);
    assert.equal(text("review-status"), "Every position is exact.");
    assert.equal(text("review-summary"), "The game is not finished. The turning point was ply 3: Black plays 2,3 and throws the win away.");
    assert.deepEqual([byId("review-summary").hidden, byId("mistake-deed").hidden], [false, true]);
    show(1);
    assert.deepEqual([byId("review-summary").hidden, byId("mistake-deed").hidden], [true, false]);
    assert.equal(text("mistake-deed"), "Ply 2: White plays 1,1, which costs 2 points (atari).");
    assert.equal(text("mistake-why"), "Better: 1,2. It is better.");
    show(2);
    assert.equal(text("mistake-deed"), "Ply 3: Black plays 2,3, which costs 4 points and the win.");
    assert.equal(text("mistake-why"), "The kernel cannot run in this browser, so the better move is not known.");

    const rows = byId("mistakes").children.map(({ firstElementChild: button }) => ["sign", "result", "cost", "instead"].map((name) => button.querySelector(`.${name}`).textContent));
    assert.deepEqual(rows, [["", "B+0.5", "", ""], ["?!", "B+2.5", "−2", "1,2"], ["??", "W+1.5", "−4", ""], ["", "W+1.5", "", ""]]);

    const current = () => byId("mistakes").children.map(({ firstElementChild: button }) => button.getAttribute("aria-current"));
    assert.deepEqual([current(), show(3) && current()], [["false", "false", "true", "false"], ["false", "false", "false", "false"]]);
    show(2);
    await next.tell("click");
    assert.equal(app.line.at, 2);
    await back.tell("click");
    assert.equal(app.line.at, 1);
    await byId("mistake-show").tell("click");
    assert.equal(app.line.at, 2);

    // A line of best play is shown from the position after its first move. The steps are plies, and the review stays the same.
    show(1);
    await byId("mistake-better").tell("click");
    review.render();
    assert.deepEqual([app.line.moves, app.line.at, app.state.game.moves], [[12, 7, board.PASS, board.PASS], 2, moves]);
    assert.deepEqual([text("review-title"), ...steps()], ["Best play, ply 2", ["Previous ply", false], ["Next ply", false]]);
    assert.equal(byId("mistake-home").hidden, false);
    assert.deepEqual([byId("mistake-worse").hidden, byId("mistake-better").hidden], [true, true]);
    assert.equal(review.view(), null);
    await next.tell("click");
    await next.tell("click");
    review.render();
    assert.deepEqual([text("review-title"), ...steps()], ["Best play, ply 4", ["Previous ply", false], ["Next ply", true]]);
    app.goTo(1);
    review.render();
    assert.deepEqual([text("review-title"), ...steps()], ["Best play, ply 1", ["Previous ply", false], ["Next ply", false]]);
    app.goTo(0);
    review.render();
    assert.deepEqual([text("review-title"), ...steps()], ["Best play, ply 0", ["Previous ply", true], ["Next ply", false]]);
    await byId("mistake-home").tell("click");
    review.render();
    assert.deepEqual([app.state.visit, text("review-title"), byId("mistake-home").hidden], [null, "Mistake 1 of 2", true]);
    await byId("mistake-worse").tell("click");
    assert.deepEqual([app.line.moves, app.line.at], [[12, 5, 6], 2]);
  },

  // A new review forgets the cost of the last one.
  "a review states the cost of its own search"() {
    const app = newLiveApp({ engine: null, modes: { explore: { render: () => {} } }, lines: { why: () => null } });
    const review = new ReviewMode(app);
    const over = [12, board.PASS, board.PASS];
    app.dispatch({ type: "load", game: { start: after(1, 24, 12, 13), moves: [board.PASS, board.PASS] } });
    for (const position of app.line.positions) app.facts.note(rules.key(position), { lo: 0, hi: 0 }, 0, 0);
    review.enter();
    review.took = { nodes: 20, seconds: 2 };
    review.render();
    assert.equal(byId("review-status").textContent, "Every position is exact, after 2.00 s and 20 nodes.");
    review.onPosition();
    assert.deepEqual(review.took, { nodes: 20, seconds: 2 });
    app.dispatch({ type: "load", game: { start: after(12), moves: over.slice(1) } });
    review.onPosition();
    assert.equal(review.took, null);
  },

  // The notebook reviews the games one after the other. It can be stopped, and continues with the next game.
  async "a notebook reviews its games in order"() {
    const app = newLiveApp({ engine: {}, modes: { puzzles: { byKind: async () => new Map() } } });
    const notebook = new Notebook(app);
    const waiting = [];
    notebook._reviewed = (game, signal) =>
      new Promise((resolve, reject) => {
        waiting.push({ game, resolve });
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      });
    const [status, button] = [byId("notebook-status"), byId("notebook-make")];
    const shown = () => [status.textContent, button.textContent, button.hidden];
    const games = (count) => [...Array(count).keys()].map((number) => ({ start: board.START, moves: [number % 25] }));
    for (const [count, isHidden] of [[0, true], [1, true], [2, false]]) {
      notebook.open(games(count));
      assert.equal(byId("notebook").hidden, isHidden);
    }
    const three = games(3);
    notebook.open(three);
    assert.equal(byId("notebook").hidden, false);
    assert.deepEqual(shown(), ["", "Review all 3: what to learn first", false]);
    button.tell("click");
    await settled();
    assert.deepEqual(shown(), ["0 of 3 games reviewed. Game 1 is being reviewed.", "Stop", false]);
    waiting[0].resolve([]);
    await settled();
    assert.deepEqual(shown(), ["1 of 3 games reviewed. Game 2 is being reviewed.", "Stop", false]);
    button.tell("click");
    await settled();
    assert.deepEqual(shown(), ["1 of 3 games reviewed.", "Go on", false]);
    button.tell("click");
    await settled();
    waiting[2].resolve([]);
    await settled();
    waiting[3].resolve([]);
    await settled();
    assert.deepEqual(waiting.map(({ game }) => three.indexOf(game)), [0, 1, 1, 2]);
    assert.deepEqual(shown(), ["3 of 3 games reviewed.", "Go on", true]);
    notebook.open(games(50));
    assert.deepEqual([notebook.games.length, status.textContent], [50, ""]);
    notebook.open(games(51));
    assert.deepEqual([notebook.games.length, status.textContent], [50, "0 of 50 games reviewed. The notebook contains only the first 50."]);
    app.engine = null;
    button.tell("click");
    assert.match(app.note, /^The kernel cannot run in this browser/);
  },

  // A worker's slice takes 0.05 s. Its results reach the other workers, and an aborted question has no answer.
  async "workers share their results"() {
    globalThis.navigator ??= /** @type {any} */ ({ hardwareConcurrency: 2 });
    const engine = new Engine("", null, []);
    const answers = [];
    const lane = (open) => ({ slice: 1 << 16, told: [], waiting: { size: open }, tell(rows) { this.told.push(rows); }, ask: async () => answers.shift() });
    engine.lanes = [lane(2), lane(1), lane(1)];
    const [first, ...others] = engine.lanes;
    assert.equal(engine.idlest(), others[0]);
    const search = (answer, signal) => {
      answers.push(answer);
      return engine.search("bound", first, board.START, 3, signal);
    };
    const answer = { nodes: 100_000, seconds: 0.1, kept: Int32Array.of(1) };
    assert.equal(await search(answer), answer);
    assert.deepEqual(engine.lanes.map(({ told }) => told), [[], [answer.kept], [answer.kept]]);
    assert.equal(first.slice, 50_000);
    await search({ nodes: 1 << 14, seconds: 1 });
    assert.equal(first.slice, 50_000);
    for (const [nodes, seconds, slice] of [[100_000, 10, 1 << 14], [1e6, 1e-6, 1 << 20], [20_000, 0.01, 100_000], [17_000, 0, 850_000]]) {
      await search({ nodes, seconds });
      assert.equal(first.slice, slice);
    }
    assert.deepEqual(others.map(({ told }) => told.length), [1, 1]);
    const left = new AbortController();
    const asked = search({ nodes: 1, seconds: 1 }, left.signal);
    left.abort();
    await assert.rejects(asked, { name: "AbortError" });
    await assert.rejects(search(null, left.signal), { name: "AbortError" });
    assert.equal(answers.length, 1);
  },

  // An address is read as the part of a state that it describes, and this part has the same address.
  "an address describes a state"() {
    const boards = { tour: ["moves=2,2", "moves=2,2.1,1", "moves="], learn: [`from=${KO}`, "moves=1,1"] };
    const place = (fragment) => placeOf(fragment, rules, boards, ["greedy", "random"]);
    const again = (fragment) => addressOf({ ...FIRST_STATE, ...place(fragment) });
    const twoStones = positionText(after(12, 6));
    for (const [fragment, address = fragment] of [
      [""],
      ["moves=2,2.1,1"],
      ["moves=2,2.1,1&at=0"],
      [`from=${KO}&moves=PASS`],
      ["mode=explore", ""],
      ["mode=review&moves=2,2", "moves=2,2&mode=review"],
      ["mode=play", "moves=&mode=play"],
      ["moves=2,2&mode=play&side=white&against=random"],
      ["moves=&mode=play&side=black&against=greedy", "moves=&mode=play"],
      ["moves=&mode=play&side=none"],
      ["mode=tour", "moves=2,2&mode=tour&board=1"],
      ["mode=tour&board=2", "moves=2,2.1,1&mode=tour&board=2"],
      ["mode=tour&board=3", "moves=&mode=tour&board=3"],
      ["moves=1,1&mode=tour&board=2"],
      ["mode=learn", `from=${KO}&mode=learn&board=1`],
      [`from=${twoStones}&mode=learn&board=2`],
      [`moves=&mode=edit&draft=${KO}`],
      ["moves=2,2&mode=edit", `moves=2,2&mode=edit&draft=${positionText(board.START)}`],
      [`moves=2,2&beside=${twoStones}`],
      [`moves=&beside=${twoStones}`],
      // The address of a puzzle does not contain the moves.
      [`from=${twoStones}&moves=3,3&mode=puzzles`, `from=${twoStones}&mode=puzzles`],
    ])
      assert.equal(again(fragment), address, fragment);
    assert.equal(place(`from=${KO}&mode=puzzles`).puzzles.id, puzzleId(readFragment(`from=${KO}`, rules).start));
    assert.equal(place("moves=2,2&mode=puzzles").puzzles, undefined);
    assert.deepEqual(Object.keys(place("mode=tour")).sort(), ["beside", "mode", "tour", "visit"]);

    const modes = "explore, play, review, tour, puzzles, learn, edit";
    for (const [fragment, said] of [
      ["mode=nothing", `mode: “nothing” is none of ${modes}`],
      [`mode=${"x".repeat(30)}`, `mode: “${"x".repeat(20)}” is none of ${modes}`],
      ["mode=play&side=red", "side: “red” is none of black, white, both, none"],
      ["mode=play&against=Greedy", "against: “Greedy” is none of greedy, random"],
      ["mode=play&against=", "against: “” is none of greedy, random"],
      ...["0", "4", "0001", "1.5", "-1", ""].map((number) => [`mode=tour&board=${number}`, `board: “${number}” is none of 3 boards`]),
      ["mode=learn&board=3", "board: “3” is none of 2 boards"],
      ["mode=review&board=1", /^a link to review: “board” is none of moves, from, at, /],
      ["moves=&side=white", /^a link to explore: “side” is none of moves, from, at, /],
      ["hello", /^“hello” names no position: /],
      ["x".repeat(30), /^“x{20}” names no position: /],
      ["mode=edit&draft=x", /^draft: not a position: /],
      ["moves=2,2&beside=x", /^beside: not a position: /],
    ])
      assert.throws(() => place(fragment), { message: said, fault: "damaged" }, fragment);
  },

  // The user points at a button with the mouse, the keyboard or a long press. A long press is not a click.
  async "a button reports when the user points at it"() {
    const timers = new Map();
    const real = [globalThis.setTimeout, globalThis.clearTimeout];
    globalThis.setTimeout = /** @type {any} */ ((does) => (timers.set(timers.size + 1, does), timers.size));
    globalThis.clearTimeout = /** @type {any} */ ((timer) => timers.delete(timer));
    try {
      const button = document.createElement("button");
      /** @type {any} */ (button).matches = () => isVisible;
      let isVisible = true;
      let told = [];
      button.addEventListener("click", () => told.push("click"));
      watch(button, (isOn) => told.push(isOn));
      const events = async (...names) => {
        told = [];
        const stopped = [];
        for (const [name, details = {}] of names) {
          if (name === "wait") for (const [timer, does] of timers) does(timers.delete(timer));
          else await button.tell(name, { preventDefault: () => stopped.push(name), ...details });
        }
        return [told, stopped];
      };
      const [mouse, touch] = ["mouse", "touch"].map((pointerType) => ({ pointerType, movementX: 0, movementY: 0 }));
      const moved = (movementX, movementY) => ({ ...touch, movementX, movementY });
      assert.deepEqual(await events(["contextmenu"], ["click"]), [["click"], []]);
      assert.deepEqual(await events(["pointermove", mouse], ["pointermove", mouse], ["pointerleave", mouse], ["pointermove", mouse], ["pointerleave", mouse]), [[true, false, true, false], []]);
      assert.deepEqual(await events(["pointermove", touch], ["pointerleave", touch]), [[], []]);
      assert.deepEqual(await events(["focus"], ["blur"]), [[true, false], []]);
      isVisible = false;
      assert.deepEqual(await events(["focus"]), [[], []]);
      assert.deepEqual(await events(["pointerdown", mouse], ["wait"], ["click"]), [["click"], []]);
      const down = ["pointerdown", touch];
      assert.deepEqual(await events(down, ["wait"], ["contextmenu"], ["click"], ["click"]), [[true, "click"], ["contextmenu", "click"]]);
      assert.deepEqual(await events(down, ["pointermove", moved(2, 3)], ["wait"]), [[true], []]);
      assert.deepEqual(await events(down, ["contextmenu"], ["click"]), [["click"], []]);
      for (const end of [["pointerup"], ["pointercancel"], ["pointermove", moved(3, 3)]])
        assert.deepEqual(await events(down, end, ["wait"], ["click"]), [["click"], []], end[0]);
    } finally {
      [globalThis.setTimeout, globalThis.clearTimeout] = real;
    }
  },

  // In a game against an opponent, the page states whose turn it is, and takes back moves to the user's turn.
  async "a game against an opponent has turns"() {
    const replies = [];
    const app = newLiveApp({ engine: null, trap: { render: () => {} } });
    Object.defineProperty(app, "mode", { get: () => (app.state.mode === "play" ? play : null) });
    app.play = (move, isReply) => {
      if (isReply) replies.push(move);
      app.dispatch({ type: "play", move, isReply });
    };
    app.load = (game) => app.dispatch({ type: "load", game });
    byId("models").textContent = "{}";
    const play = new PlayMode(app);
    const { START } = board;
    app.dispatch({ type: "mode", mode: "play" });
    const see = (who, moves, started = false) => {
      play.thinking.stop();
      app.dispatch({ type: "load", game: { start: START, moves } });
      app.dispatch({ type: "set", changes: { play: { ...FIRST_STATE.play, who, started } } });
      return [play.you, play.locked];
    };
    const over = [12, board.PASS, board.PASS];
    for (const [who, moves, started, you, isLocked] of [
      ["black", [], true, "You are Black: your turn.", false],
      ["black", [12], true, "You are Black: White's turn, your opponent.", true],
      ["black", [12], false, "You are Black: White's turn, your opponent.", false],
      ["white", [], true, "You are White: Black's turn, your opponent.", true],
      ["white", [12], true, "You are White: your turn.", false],
      ["both", [12], true, "White's turn.", false],
      ["none", [12], true, "You are watching: White's turn.", true],
      ["black", over, true, "You were Black.", false],
      ["white", over, true, "You were White.", false],
      ["both", over, true, "", false],
      ["none", over, true, "", false],
    ])
      assert.deepEqual(see(who, moves, started), [you, isLocked], `${who} ${moves}`);
    assert.deepEqual([see("black", over), play.truths], [["You were Black.", false], true]);
    assert.deepEqual([see("black", [12]) && play.truths, play.hinted], [false, []]);

    // By the colour of the user, the moves and the shown position: the moves that remain.
    const takenBack = (who, moves, started, at = moves.length) => {
      see(who, moves, started);
      app.goTo(at);
      play.back();
      return [app.line.moves.length, app.line.at];
    };
    for (const [who, count, started, left] of [
      ["black", 2, true, [0, 0]],
      ["black", 3, true, [2, 2]],
      ["black", 1, true, [0, 0]],
      ["white", 3, true, [1, 1]],
      ["white", 2, true, [1, 1]],
      ["white", 1, true, [1, 1]],
      ["both", 3, true, [2, 2]],
      ["black", 3, false, [3, 2]],
      ["black", 0, true, [0, 0]],
      ["none", 3, true, [2, 2]],
    ])
      assert.deepEqual(takenBack(who, [12, 6, 13].slice(0, count), started), left, `${who} ${count}`);
    assert.equal(play.settings.started, false);

    // The opponent replies to a move, but the user cannot move in the opponent's turn.
    const result = () => [byId("play-said").textContent, byId("play-result").hidden, byId("hint").disabled, byId("take-back").disabled];
    see("black", []);
    play.render();
    assert.deepEqual(result(), ["Black needs 3 stones more than White. Choose your colour and an opponent, or click on a point.", true, true, true]);
    play.onPoint(12);
    assert.deepEqual([app.line.moves, play.settings.started], [[12], true]);
    play.onPoint(6);
    assert.deepEqual([app.line.moves, app.note], [[12], "It is White's turn: that is the opponent. You are Black."]);
    play.onPosition();
    play.render();
    assert.deepEqual(result(), ["White is thinking …", true, true, false]);
    await settled();
    play.render();
    assert.deepEqual([app.line.moves.length, replies.length], [2, 1]);
    assert.deepEqual(result(), [`White played ${board.moveName(app.line.moves[1])}.`, true, true, false]);
    // A move at an earlier position replaces the later moves.
    see("black", [12, 6, 13, 7]);
    app.goTo(2);
    play.onPoint(8);
    assert.deepEqual(app.line.moves, [12, 6, 8]);
    for (const [moves, said] of [[over, "White wins 2.5 : 1."], [[12, 6, 13, board.PASS, 14, board.PASS, board.PASS], "White wins 3.5 : 3."], [[1, 0, 5, board.PASS, 12, board.PASS, board.PASS], "Black wins 3 : 2.5."]]) {
      see("black", moves, true);
      play.render();
      assert.deepEqual([byId("play-outcome").textContent, byId("play-result").hidden], [said, false]);
    }
    see("white", []);
    app.dispatch({ type: "set", changes: { play: { ...play.settings, opponent: "perfect", started: true } } });
    play.onPosition();
    assert.equal(play.settings.said, "The kernel cannot run in this browser, so this opponent cannot play. The other opponents can.");
    await byId("start-game").tell("click");
    assert.deepEqual([app.line.moves, play.settings.started], [[], true]);
    see("black", [12, 6, 13, 7]);
    app.goTo(2);
    await byId("play-on").tell("click");
    assert.deepEqual([app.line.moves, app.line.at], [[12, 6], 2]);
    // A new game, another colour and another opponent end a hint, and take back the moves after the shown position.
    const begins = async (id, event) => {
      see("both", [12, 6, 13]);
      app.goTo(2);
      app.dispatch({ type: "set", changes: { play: { ...play.settings, hint: 3, said: "x" } } });
      await byId(id).tell(event);
      const { who, opponent, started, hint, said } = play.settings;
      return [app.line.moves, who, opponent, started, hint, said];
    };
    assert.deepEqual(await begins("start-game", "click"), [[], "both", "greedy", true, null, ""]);
    assert.deepEqual(await begins("play-on", "click"), [[12, 6], "both", "greedy", true, null, ""]);
    byId("who :checked").value = "black";
    assert.deepEqual(await begins("who", "change"), [[12, 6], "black", "greedy", true, null, ""]);
    byId("opponent").value = "random";
    assert.deepEqual(await begins("opponent", "change"), [[12, 6], "both", "random", true, null, ""]);
    byId("play-truths").checked = true;
    await byId("play-truths").tell("change");
    assert.deepEqual([play.settings.shows, play.truths], [true, true]);
  },

  // The sign of a job shows its progress, or the reason why it waits.
  "a job has a sign while it has work"() {
    const [value, open] = [{ lo: 3, hi: 3 }, { lo: -24, hi: 24 }];
    const position = after(12);
    const over = after(12, board.PASS, board.PASS);
    const line = (more, found = null, stopped = false) =>
      lineSign({ about: { fact: value }, computing: false, isStopped: () => stopped, lines: { get: () => found }, looked: null, position, ...more });
    const busy = { moves: [6, 7], whole: false, busy: true };
    assert.equal(line({}), "");
    assert.equal(line({ computing: true }), "waits for the values");
    assert.equal(line({}, null, true), "0 of at most 23 plies");
    assert.equal(line({}, busy), "2 of at most 23 plies");
    assert.equal(line({}, { ...busy, busy: false }), "");
    assert.equal(line({}, { ...busy, whole: true }, true), "");
    assert.equal(line({ about: { fact: open } }), "");
    assert.equal(line({ about: { fact: open } }, null, true), "waits for the value");
    assert.equal(line({ about: { fact: open }, computing: true }), "waits for the value");
    assert.equal(line({ position: over }, null, true), "");
    assert.equal(line({ about: { fact: open }, looked: { child: after(12, 6), fact: value } }, busy), "2 of at most 22 plies");

    const reason = (values, more, { explained = false, explaining = false, stopped = false } = {}) => {
      const facts = newFacts();
      for (const [each, known] of [[position, values[0]], [after(12, 6), values[1]]]) if (known !== null) facts.note(rules.key(each), { lo: known, hi: known }, 0, 0);
      const lines = { isExplained: () => explained, isExplaining: () => explaining };
      return reasonSign({ computing: false, engine: {}, facts, filling: false, isStopped: () => stopped, lines, ...more }, position, 6);
    };
    assert.equal(reason([3, 5], {}, { explaining: true }), "why 1,1 is worse");
    assert.equal(reason([3, 5], {}, { stopped: true }), "why 1,1 is worse");
    assert.equal(reason([3, 3], {}, { explaining: true }), "");
    for (const values of [[null, 5], [3, null], [null, null]]) assert.equal(reason(values, {}, { explaining: true }), "whether 1,1 loses points");
    assert.equal(reason([3, 5], {}), "");
    assert.equal(reason([3, 5], { computing: true }), "waits for the values");
    assert.equal(reason([3, 5], { computing: true, filling: true }), "waits for the curve");
    assert.equal(reason([3, 5], { computing: true }, { explained: true }), "");
    assert.equal(reason([3, 5], { engine: null }, { explaining: true }), "");
    assert.equal(reasonSign(/** @type {any} */ ({ engine: {} }), null, null), "");
  },

  // The keys work, except while the user writes or with other keys, and the letters can be turned off.
  async "the keys do what the buttons do"() {
    const done = [];
    const app = {
      line: { at: 2, moves: [12, 6, 13, 7] },
      mode: { locked: false, hint: () => void done.push("hint") },
      goTo: (at) => void done.push(at),
      setMode: (mode) => void done.push(mode),
      undo: () => void done.push("undo"),
      redo: () => void done.push("redo"),
      toggleAll: () => void done.push("all"),
    };
    wireKeys(app);
    for (const id of ["pass", "new", "edit", "open-button", "share-button", "help-button"]) byId(id).click = () => done.push(id);
    const letters = /** @type {any} */ (byId("letter-keys"));
    letters.checked = true;
    // inside: the kind of the element that has the focus.
    const press = async (key, { inside = "", ...more } = {}) => {
      done.length = 0;
      let isHandled = false;
      const closest = (selector) => (inside && selector.split(", ").some((each) => each.split(":")[0] === inside) ? {} : null);
      await tellPage("keydown", { key, target: { closest }, preventDefault: () => (isHandled = true), ...more });
      assert.equal(isHandled, done.length > 0 || (key === "p" && !inside), key);
      return done.join();
    };
    const wanted = {
      p: "pass", n: "new", e: "edit", o: "open-button", s: "share-button", h: "hint", "?": "help-button", N: "new", Backspace: "1", ArrowLeft: "1",
      ArrowRight: "3", Home: "0", End: "4", 1: "explore", 2: "play", 3: "review", 4: "tour", 5: "puzzles", " ": "all", x: "", Tab: "",
    };
    for (const [key, did] of Object.entries(wanted)) assert.equal(await press(key), did, key);
    for (const name of ["ctrlKey", "metaKey", "altKey"]) assert.equal(await press("n", { [name]: true }), "");
    for (const inside of ["dialog[open]", "textarea", "input", "select"]) for (const key of ["n", " ", "ArrowLeft"]) assert.equal(await press(key, { inside }), "", inside);
    for (const inside of ["button", "a"]) assert.deepEqual([await press(" ", { inside }), await press("n", { inside })], ["", "new"]);
    for (const name of ["ctrlKey", "metaKey"]) {
      assert.equal(await press("z", { [name]: true }), "undo");
      assert.equal(await press("Z", { [name]: true, shiftKey: true }), "redo");
      assert.equal(await press("y", { [name]: true }), "redo");
      for (const more of [{ altKey: true }, { inside: "textarea" }]) assert.equal(await press("z", { [name]: true, ...more }), "");
    }
    letters.checked = false;
    assert.deepEqual([await press("n"), await press("1"), await press(" "), await press("Home")], ["", "", "all", "0"]);
    letters.checked = true;
    app.mode.locked = true;
    assert.equal(await press("p"), "");
    app.mode.locked = false;
    byId("pass").disabled = true;
    assert.equal(await press("p"), "");
    app.mode.back = () => (done.push("back"), true);
    assert.equal(await press("Backspace"), "back");
  },

  // The mode "Play" shows its settings, its hints and whether a search for a move runs.
  async "the settings of a game are shown"() {
    const [trapped, learned] = [[], []];
    const app = newLiveApp({ engine: {}, trap: { render: (isShown) => trapped.push(isShown) }, learn: () => learned.push(1), refresh: () => {} });
    let mode = null;
    Object.defineProperty(app, "mode", { get: () => mode });
    byId("models").textContent = "{}";
    byId("opponent").replaceChildren();
    const play = new PlayMode(app);
    mode = play;
    const { settings } = play;
    const set = (changes) => app.dispatch({ type: "set", changes: { play: { ...play.settings, ...changes } } });
    app.dispatch({ type: "load", game: { start: board.START, moves: [12, 6] } });
    assert.deepEqual(byId("opponent").options.map(({ value, textContent }) => [value, textContent]).slice(0, 2), [["random", "Random"], ["greedy", "Greedy"]]);
    const shown = () => {
      for (const who of ["black", "white", "both", "none"]) byId(`who-${who}`).checked = false;
      play.render();
      const who = ["black", "white", "both", "none"].filter((each) => byId(`who-${each}`).checked);
      return [who, byId("opponent").value, byId("opponent").disabled, byId("opponent-text").textContent.slice(0, 17), trapped.at(-1), byId("play-truths").checked];
    };
    assert.deepEqual(shown(), [["black"], "greedy", false, "It takes as many ", false, false]);
    set({ who: "both", opponent: "random", shows: true });
    assert.deepEqual(shown(), [["both"], "random", true, "", true, true]);
    set({ ...settings, hint: 0 });
    assert.deepEqual(shown(), [["black"], "greedy", false, "It takes as many ", true, false]);
    assert.deepEqual(play.hinted, [0]);
    set({ hint: null });

    // The hint that a PASS wins needs no search. Another position ends the search for a hint.
    const hint = async (moves) => {
      app.dispatch({ type: "load", game: { start: board.START, moves } });
      play.hint();
      play.render();
      const said = byId("play-said").textContent;
      await settled();
      return [said, play.settings.said, play.settings.hint];
    };
    const won = [1, 0, 5, board.PASS, 12, board.PASS];
    assert.deepEqual(await hint(won), ["Looking …", "Hint: PASS, it ends the game as a win. You are winning.", board.PASS]);
    assert.equal(learned.length, 1);
    for (const stop of [() => play.leave(), () => play.start()]) {
      app.dispatch({ type: "load", game: { start: board.START, moves: won } });
      app.load = (game) => app.dispatch({ type: "load", game });
      play.hint();
      stop();
      await settled();
      assert.equal(play.settings.hint, null);
    }
    assert.deepEqual(await hint([12, board.PASS, board.PASS]), ["", "", null]);
    app.engine = null;
    assert.deepEqual(await hint(won), ["", "", null]);

    // The reply of an opponent is undone together with the move before it, except the first move of an opponent that plays itself.
    const played = [];
    app.play = (move, isReply) => void played.push([app.line.at, isReply]);
    globalThis.setTimeout = /** @type {any} */ (new Proxy(setTimeout, { apply: (real, self, [does, wait]) => real(does, Math.min(wait, 20)) }));
    for (const [who, moves] of [["black", [12]], ["white", []], ["none", []], ["none", [12]]]) {
      app.dispatch({ type: "load", game: { start: board.START, moves } });
      set({ who, opponent: "alphabeta", started: true });
      play.enter();
      await settled();
      await settled();
      play.leave();
    }
    assert.deepEqual(played, [[1, true], [0, true], [0, false], [1, true]]);
    assert.deepEqual([play.back(), await byId("review-game").tell("click"), app.modes], [true, undefined, ["review"]]);
  },

  // The card with the result states the winner, the margin, and whether the last move was one of the best moves.
  "the card shows the result of a position"() {
    const text = (id) => byId(id).textContent;
    const show = (moves, facts, { why = null, pending = false, modeName = "explore", ...more } = {}) => {
      const line = new Line(rules, gameOf({ start: board.START, moves }));
      const known = newFacts();
      for (const [ply, value] of facts.entries()) if (value) known.note(rules.key(line.positions[ply]), { lo: value[0], hi: value[1] }, 0, 0);
      const lines = { why: () => why, isBest: (from, move) => from === line.previous && move === 6, isExplained: () => !pending, isExplaining: () => pending };
      const rooms = new Set();
      const app = newApp({ facts: known, line, lines, position: line.position, about: known.about(line.position), truths: true, engine: {}, modeName, ...more });
      app.keepsRoom = (name, isWanted) => (isWanted && rooms.add(name), rooms.has(name));
      app.isStopped = () => false;
      new VerdictCard(app).render();
      return [text("verdict-value"), text("verdict-winner"), text("verdict-text"), byId("verdict").className];
    };
    const exact = (value) => [value, value];
    assert.deepEqual(show([12], [null, exact(3)]), ["B+0.5", "Black wins", "Black ends 3 stones ahead; White has a komi of 2.5.", "card verdict black"]);
    assert.deepEqual([byId("verdict").dataset.lo, byId("verdict").dataset.hi, byId("verdict").dataset.winner], [3, 3, 0]);
    assert.equal(byId("verdict-value").classList.contains("long"), false);
    assert.deepEqual(show([12], [null, exact(-10)]).slice(0, 2), ["W+12.5", "White wins"]);
    assert.equal(byId("verdict-value").classList.contains("long"), true);
    assert.deepEqual(show([12], [null, exact(0)]).slice(3), ["card verdict white"]);
    assert.deepEqual(show([12], []), ["?", "Not known", "Who wins is not proved yet.", "card verdict open"]);
    assert.equal(byId("verdict").dataset.winner, "");
    assert.deepEqual(show([12, board.PASS, board.PASS], []), ["W+1.5", "White wins the game", "Black has 1, White 0 and 2.5 komi: W+1.5.", "card verdict white"]);
    assert.equal(show([12, 6, 13, 7, board.PASS, board.PASS], [])[2], "Black has 2, White 2 and 2.5 komi: W+2.5.");
    const badges = () => byId("verdict-sources").children.map(({ children }) => children.map((each) => each.textContent));
    const badgesOf = (value, more = {}) => {
      byId("verdict-sources").dataset.shown = "";
      show([12], [null, value], more);
      return badges();
    };
    assert.deepEqual(badgesOf(exact(3)), [["Winner and value", "computed now"]]);
    assert.deepEqual(badgesOf([3, 5]), [["Winner", "computed now"], ["Value", "unknown"]]);
    assert.deepEqual(badgesOf([3, 5], { computing: true }), [["Winner", "computed now"], ["Value", "computing"]]);
    assert.deepEqual(badgesOf(null), [["Winner and value", "unknown"]]);
    assert.deepEqual(badgesOf(null, { computing: true }), [["Winner and value", "computing"]]);
    const status = (more) => (show([12], [], more), text("status"));
    assert.equal(status({ engine: null }), "The kernel cannot run in this browser: only book and atlas are shown.");
    assert.equal(status({ took: { nodes: 3, seconds: 1 } }), "Every move is exact, after 1.00 s and 3 nodes.");
    assert.equal(status({ took: null }), "");
    show([12], [], { truths: false });
    assert.deepEqual([byId("verdict").hidden, byId("reason-card").hidden], [true, true]);

    // The reason why the last move was a mistake. The mode "Review" has a separate card for it.
    const why = { worse: [7, 8], better: [6, 11], text: "It is worse. It is better." };
    const reason = (moves, more) => {
      show(moves, [], more);
      return [byId("reason-card").hidden, byId("reason").hidden, text("reason-sign"), byId("reason-worse").hidden, byId("reason-lines").hidden];
    };
    assert.deepEqual(reason([12, 7], { why }), [false, false, "", false, false]);
    assert.deepEqual([text("reason-text"), text("reason-better")], ["It is worse. It is better.", "Show 1,1"]);
    assert.deepEqual(reason([12, 7], { why: { ...why, worse: [7] }, modeName: "play" }), [false, false, "", true, true]);
    assert.deepEqual(reason([12, 7], { why, modeName: "review" }).slice(0, 2), [true, false]);
    assert.deepEqual(reason([12, 7], { why, truths: false }).slice(0, 2), [true, false]);
    assert.deepEqual(reason([12, 7], { pending: true }).slice(0, 3), [false, true, "Reason: whether 1,2 loses points"]);
    assert.deepEqual(reason([12, 7], {}).slice(0, 3), [true, true, ""]);
    assert.deepEqual(reason([12, 6], {}).slice(0, 3), [true, true, "1,1 is one of the best moves."]);
    assert.deepEqual(reason([], { why }).slice(0, 3), [true, true, ""]);
  },

  // The buttons of the card play the line after the last move, and the better line from the position before it.
  async "the lines of a reason are played"() {
    const played = [];
    const app = newApp({ line: { at: 2 }, playLine: (...line) => void played.push(line) });
    const card = new VerdictCard(app);
    // The card keeps its height until another position is shown, or the window changes.
    const { element } = card;
    element.hidden = false;
    card.keepHeight();
    assert.equal(element.style.minHeight, "230px");
    await tellPage("resize");
    assert.equal(element.style.minHeight, "");
    element.hidden = true;
    card.keepHeight();
    assert.equal(element.style.minHeight, "");
    card.why = { worse: [7, 8, 9], better: [6, 11] };
    for (const which of ["worse", "better"]) await byId(`reason-${which}`).tell("click");
    assert.deepEqual(played, [[[8, 9]], [[6, 11], 1]]);
  },

  // The card of a trap counts the replies that keep the win, and its button plays the book's move.
  async "a trap states how often opponents err"() {
    const played = [];
    const reply = (move, holds) => ({ move, holds });
    const show = (position, trap, isShown) => {
      const app = newApp({ position, facts: { trap: () => trap }, play: (move) => void played.push(move) });
      new TrapCard(app).render(isShown);
      return byId("trap").hidden;
    };
    assert.equal(show(after(), null), true);
    const trap = { move: 7, replies: [reply(0, true), reply(1, false), reply(2, true)], chance: 0.25, later: 0.995 };
    assert.deepEqual([show(after(12), trap), show(after(12), trap, false)], [false, true]);
    const said = byId("trap").textContent;
    for (const part of ["The trap: 1,2", "2 of Black's 3 replies keep the win: 0,0 and 0,2.", "errs at once is 25 %", "at a later trap is more than 99 %", "White needs one error.", "Set it: play 1,2"])
      assert.ok(said.includes(part), part);
    show(after(12, 6), { ...trap, replies: trap.replies.slice(0, 2) });
    for (const part of ["1 of White's 2 replies keeps the win: 0,0.", "Black needs one error."]) assert.ok(byId("trap").textContent.includes(part), part);
    await byId("trap").children.at(-1).tell("click");
    assert.deepEqual(played, [7]);
    // The card of the same position is not made again, so its button keeps the focus.
    const card = new TrapCard(newApp({ position: after(12), facts: { trap: () => trap } }));
    card.render();
    const button = byId("trap").children.at(-1);
    card.render();
    assert.equal(byId("trap").children.at(-1), button);
  },

  // The curve has a dot for each exact value, a bar for each open one, and a line between neighbours. A click shows a position.
  async "the curve of a review shows the values"() {
    const gone = [];
    const curve = new Curve((at) => gone.push(at));
    const line = new Line(rules, gameOf({ start: board.START, moves: [12, 6, 13, 7] }));
    const facts = [[3, 3], [5, 5], [-24, 2], [1, 1], [-12, -12]].map(([lo, hi]) => ({ lo, hi }));
    curve.render(line, facts, [3], 2);
    const svg = byId("curve").innerHTML;
    const all = (pattern) => [...svg.matchAll(pattern)].map((found) => found[1]);
    const [x, y] = [curve.scale.x, curve.scale.y];
    assert.match(svg, /aria-label="The result with best play, from ply 0 on: B\+0\.5, B\+2\.5, White wins, W\+1\.5, W\+14\.5"/);
    assert.deepEqual(all(/<circle class="(\w+)"/g), ["dot", "dot", "turn", "dot"]);
    assert.deepEqual(all(/<path class="values" d="([^"]+)"/g), [`M${x(0)} ${y(3)}L${x(1)} ${y(5)}M${x(3)} ${y(1)}L${x(4)} ${y(-12)}`]);
    assert.deepEqual(all(/<path class="bar" d="([^"]+)"/g), [`M${x(2)} ${y(-24)}V${y(2)}`]);
    assert.deepEqual(all(/<path class="now" d="M([\d.]+) /g), [String(x(2))]);
    // The lowest and the highest value are inside the drawing, and a bound beyond them is at its edge.
    const [top, bottom] = [12, 230 - 28];
    assert.deepEqual([curve.scale.low, curve.scale.high, y(7), y(-13), y(24), y(-24)], [-13, 7, top, bottom, top, bottom]);
    assert.deepEqual([x(0), x(24)], [72, 588]);
    assert.deepEqual(all(/text-anchor="middle">(\d+)</g), ["0", "4", "8", "12", "16", "20", "24"]);
    // Black's half and White's half fill the area between the labels. Each label is next to its place.
    const rectangles = [...svg.matchAll(/<rect class="(\w+)" x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"/g)].map(([, name, ...place]) => [name, ...place.map(Number)]);
    const border = y(2.5);
    assert.deepEqual(rectangles, [["black", 72, top, 516, border - top], ["white", 72, border, 516, bottom - border]]);
    assert.ok(svg.includes(`d="M${x(2)} ${top}V${bottom}"`));
    const labels = [...svg.matchAll(/<text x="(\S+)" y="(\S+)" text-anchor="(\w+)">([^<]+)</g)].map(([, left, height, anchor, said]) => ({ left: Number(left), height: Number(height), anchor, said }));
    assert.deepEqual(labels.slice(2, 6).map(({ said }) => said), ["W+14.5", "W+2.5", "B+0.5", "B+3.5"]);
    for (const [index, value] of [-12, 0, 3, 6].entries()) {
      const { left, height, anchor } = labels[index + 2];
      assert.ok(anchor === "end" && left < 72 && height > y(value) && height < y(value) + 10);
    }
    for (const [index, low] of [[0, top], [1, border]]) {
      const { left, height, anchor } = labels[index];
      assert.ok(anchor === "start" && left > 72 && height > low + 10 && height < [border, bottom][index]);
    }
    for (const { height } of labels.slice(6)) assert.ok(height > bottom + 10 && height < 230);
    const svgElement = byId("curve-svg");
    svgElement.getBoundingClientRect = () => ({ left: 30, top: 0, width: 300, height: 115 });
    byId("curve").children = [svgElement];
    for (const at of [0, x(1), (x(1) + x(2)) / 2 + 2, x(4), 600]) await byId("curve").tell("click", { clientX: 30 + at / 2 });
    assert.deepEqual(gone, [0, 1, 2, 4, 4]);
    // A game from a later ply has a shorter axis.
    const late = new Line(rules, gameOf({ start: { ...after(12, 6), ply: 20 }, moves: [] }));
    curve.render(late, [{ lo: 1, hi: 1 }], [], 0);
    assert.deepEqual([curve.scale.low, curve.scale.high, curve.scale.x(4)], [-5, 7, 588]);
    assert.match(byId("curve").innerHTML, /from ply 20 on: W\+1\.5"/);
  },

  // The dialog "Share" writes the position and the line in several forms, each with a button that copies it.
  async "a position is shared in several forms"() {
    const copied = [];
    let canCopy = true;
    const clipboard = { writeText: async (text) => (canCopy ? void copied.push(text) : Promise.reject(new Error("no permission"))) };
    Object.defineProperty(globalThis, "navigator", { value: { clipboard }, configurable: true });
    /** @type {any} */ (document).execCommand = () => false;
    const app = newLiveApp({ _view: () => ({ position: app.position, last: null, taken: 0, marks: new Map(), named: [] }) });
    const best = new Map();
    app.lines = { movesFrom: (position) => best.get(rules.key(position)) ?? [] };
    wireShare(app);
    const share = async (game, href = "https://example.org/explorer.html#old") => {
      globalThis.location = /** @type {any} */ (new URL(href));
      app.dispatch({ type: "load", game });
      app.about = app.facts.about(app.position);
      await byId("share-button").tell("click");
      const textIn = (element, found = {}) => {
        for (const child of element.children ?? []) {
          if (child.attributes?.id) found[child.attributes.id.replace("share-", "")] = child.value;
          textIn(child, found);
        }
        return found;
      };
      return textIn(byId("shares"));
    };
    const shown = await share({ start: board.START, moves: [12, 6, 13], at: 2 });
    assert.equal(byId("share-dialog").open, true);
    assert.deepEqual(Object.keys(shown), ["link", "moves", "record", "input", "sgf", "svg"]);
    assert.equal(shown.link, "https://example.org/explorer.html#moves=2,2.1,1.2,3&at=2");
    assert.match(shown.moves, /2,2 1,1/);
    assert.doesNotMatch(shown.moves, /2,3/);
    assert.equal(shown.record, positionRecord(after(12, 6)));
    assert.equal(shown.input, inputText(after(12, 6), after(12)));
    assert.match(shown.svg, /^<svg /);
    const titles = () => byId("shares").children.map(({ children: [title] }) => title.textContent);
    assert.equal(titles()[0], "Link to the position and its line, without variations and comments");
    assert.match(titles()[4], /^SGF of the line, /);

    const file = await share({ start: after(12, 6), moves: [] }, "file:///home/x/explorer.html");
    assert.deepEqual(Object.keys(file), ["link", "record", "sgf", "svg"]);
    assert.equal(file.link, `explorer.html#from=${positionText(after(12, 6))}`);
    assert.match(titles()[0], /^Text to paste into this page on another machine: /);
    assert.equal(byId("shares").children[2].children[1].textContent, "The board before the last move is not known here: go one move forward.");

    // The SGF has a comment on each position, the best line after the last move, and the better line instead of a mistake.
    const note = (moves, value) => app.facts.note(rules.key(after(...moves)), { lo: value, hi: value }, 0, 0);
    note([12], 3);
    note([12, 6], 3);
    note([12, 6, 13], 1);
    best.set(rules.key(after()), [7]);
    best.set(rules.key(after(12)), [8, 6]);
    best.set(rules.key(after(12, 6)), [7, 13]);
    best.set(rules.key(after(12, 6, 13)), [17, 18]);
    const { sgf } = await share({ start: board.START, moves: [12, 6, 13] });
    // The move 6 keeps the value, so the line instead of it is not written.
    assert.equal(
      sgf.replaceAll("\n", "").replace(/^.*?C\[/, "C["),
      "C[Black wins under best play.](;B[cc]C[B+0.5 under best play.];W[bb]C[B+0.5 under best play.]" +
        "(;B[dc]C[W+1.5 under best play. Best line: 3,2 3,3])(;B[cb]C[Better: B+0.5.];W[dc]))(;B[cb]C[Better: Black wins.]))",
    );
    app.dispatch({ type: "goTo", at: 1 });
    app.dispatch({ type: "play", move: 0 });
    await byId("share-button").tell("click");
    assert.match(titles()[4], /^SGF of all 2 lines, /);

    // The buttons copy, or ask the user to copy.
    const row = byId("shares").children[0].children[1].children;
    await row[1].tell("click");
    assert.deepEqual([copied.at(-1), row[1].textContent], [row[0].value, "Copied"]);
    canCopy = false;
    await row[1].tell("click");
    assert.equal(row[1].textContent, "Select and copy");
    canCopy = true;
    app.modes = { review: { facts: app.line.positions.map((position) => app.facts.own(position)) } };
    for (const [id, said] of [["moves-csv", "The table of all moves is copied as CSV."], ["moves-json", "The table of all moves is copied as JSON."], ["plies-csv", "The table of all plies is copied as CSV."], ["plies-json", "The table of all plies is copied as JSON."]]) {
      await byId(id).tell("click", { currentTarget: byId(id) });
      assert.deepEqual([app.note, byId("take-area").value === copied.at(-1)], [said, true]);
      if (id.endsWith("json")) assert.ok(JSON.parse(copied.at(-1)).length > 1);
      else assert.match(copied.at(-1), /^(?:key,|ply,)/);
    }
    assert.deepEqual(JSON.parse(copied.at(-1)).map(({ ply, move }) => [ply, move]), [[1, "2,2"], [2, "0,0"]]);

    // A row of the table of moves has the symmetric moves, and the least and the greatest loss.
    await share({ start: board.START, moves: [12] });
    for (const { moves: [move] } of app.about.moves) if (move !== 6) app.facts.note(rules.key(rules.play(app.position, move)), { lo: move === 7 ? 4 : 5, hi: move === 7 ? 6 : 5 }, 0, 0);
    note([12, 6], 3);
    app.about = app.facts.about(app.position);
    await byId("moves-json").tell("click", { currentTarget: byId("moves-json") });
    const rows = JSON.parse(copied.at(-1)).map((each) => [each.move, each.alike.length, each.ply, each.mover, each.worth, each.lost_least, each.lost_most, each.sources.join()]);
    assert.deepEqual(rows, [
      ["1,1", 3, 1, "White", "B+0.5", 0, 0, "kernel"],
      ["0,0", 3, 1, "White", "B+2.5", 2, 2, "kernel"],
      ["0,1", 7, 1, "White", "B+2.5", 2, 2, "kernel"],
      ["0,2", 3, 1, "White", "B+2.5", 2, 2, "kernel"],
      ["PASS", 0, 1, "White", "B+2.5", 2, 2, "kernel"],
      ["1,2", 3, 1, "White", "B+1.5 or more", 1, 3, "kernel"],
    ]);
  },
};

await TESTS[process.argv[2]]();
