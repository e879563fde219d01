// Test the whole page without a browser. Each line of the output is a test's result as JSON: [name, error or null].

import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { allOf, byId, countFrames, drawFrame, settled, tellPage, until, visited, workers } from "./whole_page.mjs";

// A page from a file has no values of ply 7. Here it has values of no block.
byId("ply7").textContent = deflateSync(Buffer.alloc(4)).toString("base64");

const timers = new Map();
const { NO_GUESS, PASS, START, kernelArguments } = await import("../../explorer/page/rules.js");
const { Contradiction, valueOf } = await import("../../explorer/page/evidence.js");
const { copy, fill, make, named, setLabel, setText } = await import("../../explorer/page/dom.js");
const { JOBS } = await import("../../explorer/page/jobs.js");
await import("../../explorer/page/main.js");
await until(() => document.documentElement.dataset.ready, "the page is ready");
const { app } = globalThis.explorer;
const first = visited.map(([address]) => address);
drawFrame();
await until(() => app.facts.levels.size === 2, "the last plies are loaded");

// A game whose last plies the kernel finds at once. Its values from ply 16 on are 4, 1, 1, -5, 8, -6, 8, 8, 8.
const GAME = [12, 14, 1, 9, 20, 19, 16, 11, 23, 17, 13, 4, 15, 3, 7, 5, 2, 18, 21, 24, 22, 0, 8, 4];
const OVER = [12, PASS, PASS];
const after = (...moves) => moves.reduce((position, move) => app.rules.play(position, move), START);
const textOf = (id) => byId(id).textContent;
const load = (moves, more = {}) => app.load({ start: START, moves, ...more });
const draw = () => {
  app.refresh();
  drawFrame();
};

// Run a function with timers that only the function `ring` calls. ring() returns the delays of the timers that it calls.
async function withTimers(does) {
  const real = [globalThis.setTimeout, globalThis.clearTimeout];
  globalThis.setTimeout = /** @type {any} */ ((called, delay) => (timers.set(timers.size + 1, [called, delay]), timers.size));
  globalThis.clearTimeout = /** @type {any} */ ((timer) => timers.delete(timer));
  try {
    await does(() => {
      const all = [...timers.values()];
      timers.clear();
      for (const [called] of all) called();
      return all.map(([, delay]) => delay);
    });
  } finally {
    [globalThis.setTimeout, globalThis.clearTimeout] = real;
    timers.clear();
  }
}

const TESTS = {
  // The first screen shows the empty board, whose result is stored. The address of the page is not changed by that.
  "the first screen"() {
    assert.equal(document.documentElement.dataset.ready, "true");
    draw();
    assert.deepEqual([byId("welcome").hidden, textOf("turn"), textOf("you")], [false, "The empty board: Black plays first.", ""]);
    assert.equal("data-first" in document.body.attributes, true);
    assert.deepEqual([textOf("verdict-value"), textOf("verdict-winner")], ["B+0.5", "Black wins"]);
    assert.deepEqual([app.computing, byId("board").dataset.computing, app.took], [false, false, null]);
    assert.deepEqual([app.facts.lists(5), app.facts.lists(6), app.facts.lists(7), app.facts.lists(8)], [true, true, false, false]);
    assert.deepEqual(first, ["#"]);
    for (const change of [() => app.setMode("play"), () => load([12]), () => app.dispatch({ type: "set", changes: { beside: START } })]) {
      change();
      draw();
      assert.deepEqual([byId("welcome").hidden, "data-first" in document.body.attributes], [true, false]);
      app.undo();
      app.setMode("explore");
      app.dispatch({ type: "set", changes: { beside: null } });
    }
    app.playLine([12], 0);
    app.stopLine();
    app.goTo(0);
    draw();
    assert.equal(byId("welcome").hidden, true);
    app.goHome();
    draw();
    assert.equal(byId("welcome").hidden, false);
    app.comeIn();
    assert.ok(countFrames() > 0);
    drawFrame();
    assert.deepEqual([byId("welcome").hidden, textOf("turn")], [true, "0 of 24 plies played, Black to move."]);
  },

  // Each tab shows the cards of its mode. If no tab belongs to the mode, the Tab key reaches the first tab.
  "a mode shows its cards"() {
    const shown = (mode) => {
      app.setMode(mode);
      const cards = allOf("[data-in]").filter((card) => !card.classList.contains("away")).map((card) => card.dataset.in);
      const tabs = allOf("[data-mode]");
      const on = tabs.filter((tab) => tab.getAttribute("aria-selected") === "true").map((tab) => tab.dataset.mode);
      draw();
      return [cards, on, tabs.map((tab) => tab.tabIndex), byId("panel").getAttribute("aria-label"), document.body.dataset.shows, byId("edit").getAttribute("aria-pressed"), ["review", "review-list"].map((id) => byId(id).hidden)];
    };
    assert.deepEqual(shown("review"), [["explore review tour", "explore review tour", "explore review", "explore play review tour"], ["review"], [-1, -1, 0, -1, -1], "review", "review", "false", [false, false]]);
    assert.deepEqual(shown("play"), [["play", "explore play review tour"], ["play"], [-1, 0, -1, -1, -1], "play", "play", "false", [true, true]]);
    assert.deepEqual(shown("edit"), [["edit"], [], [0, -1, -1, -1, -1], "edit", "edit", "true", [true, true]]);
    app.setMode("nothing");
    assert.equal(app.modeName, "edit");
  },

  // The buttons of the board are disabled if they would do nothing.
  "the buttons of the board"() {
    const disabled = () => (draw(), ["to-start", "back", "forward", "to-end", "pass", "undo", "redo"].filter((id) => byId(id).disabled).join());
    const off = (text) => text.replace(/,?(?:undo|redo)/g, "");
    load([12, 6]);
    assert.equal(off(disabled()), "forward,to-end");
    app.goTo(1);
    assert.equal(off(disabled()), "");
    app.goTo(0);
    assert.equal(off(disabled()), "to-start,back");
    load(OVER);
    assert.equal(off(disabled()), "forward,to-end,pass");
    app.goTo(2);
    assert.equal(off(disabled()), "");
    app.setMode("edit");
    assert.equal(off(disabled()), "to-start,back,forward,to-end,pass");
    app.goTo(1);
    assert.equal(app.line.at, 2);
    app.setMode("explore");
    for (const at of [-1, 4]) app.goTo(at);
    assert.equal(app.line.at, 2);
    app.goTo(3);
    assert.equal(app.line.at, 3);
    app.setMode("play");
    app.dispatch({ type: "set", changes: { play: { ...app.state.play, who: "none", started: true } } });
    app.goTo(2);
    assert.equal(off(disabled()), "pass");
    app.setMode("explore");
    app.past.before = [];
    app.past.after = [];
    const edits = () => (draw(), [!byId("undo").disabled, !byId("redo").disabled]);
    assert.deepEqual(edits(), [false, false]);
    load([5]);
    assert.deepEqual(edits(), [true, false]);
    app.undo();
    assert.equal(app.note, "Undone. Ctrl+Y brings it back.");
    assert.deepEqual(edits(), [false, true]);
    app.undo();
    assert.equal(app.note, "There is nothing to undo.");
    app.redo();
    app.redo();
    assert.deepEqual([app.line.moves, edits()], [[5], [true, false]]);
    // The button "My game" leads back from a visited game, if there is an own game.
    const mine = () => (draw(), !byId("mine").hidden);
    assert.equal(mine(), false);
    app.playLine([6]);
    app.stopLine();
    assert.equal(mine(), true);
    app.goHome();
    assert.equal(mine(), false);
    load([]);
    app.playLine([6]);
    app.stopLine();
    assert.equal(mine(), false);
    app.goHome();
    app.load({ start: after(12), moves: [] });
    app.playLine([6]);
    app.stopLine();
    assert.equal(mine(), true);
  },

  // The line above the board states the ply, the side to move and what limits the next move.
  "the turn is stated"() {
    const turn = (moves, start = START) => (app.load({ start, moves }), draw(), textOf("turn"));
    assert.equal(turn([12]), "1 of 24 plies played, White to move.");
    assert.equal(turn([1, 0, 5, 2, 11, 8, 7, 12, 24, 6]), "10 of 24 plies played, Black to move. 1,2 is forbidden by ko.");
    assert.equal(turn([12, PASS]), "2 of 24 plies played, Black to move. The last ply was a PASS: another one ends the game.");
    assert.equal(turn(GAME.slice(0, 22)), "22 of 24 plies played, Black to move.");
    assert.equal(turn(GAME.slice(0, 23)), "23 of 24 plies played, White to move. This is the last ply.");
    assert.equal(turn(GAME), "The game is over after ply 24.");
    assert.equal(turn(OVER), "The game is over after ply 3.");
    assert.equal(turn([PASS, PASS], after(12)), "The game is over after the last move.");
    app.setMode("edit");
    draw();
    assert.equal(textOf("turn"), "Set up a position: choose a stone, then click on points.");
  },

  // A legal move is played and spoken with its result, and an illegal move is refused with the reason.
  "moves are played"() {
    load([12]);
    app.play(12);
    assert.deepEqual([app.note, byId("message").hidden, byId("message").classList.contains("bad"), app.line.moves], ["Illegal: 2,2 is occupied.", false, true, [12]]);
    app.play(6);
    assert.deepEqual([textOf("message"), byId("message").hidden, byId("message").classList.contains("bad"), app.line.moves], ["", true, false, [12, 6]]);
    assert.equal(textOf("spoken"), "White plays 1,1. Black wins by 0.5. Black ends 3 stones ahead; White has a komi of 2.5.");
    app.play(PASS);
    app.play(PASS);
    assert.match(textOf("spoken"), /^White passes\. The game is over\. White wins by 2\.5\. \S.+$/);
    app.play(0);
    assert.equal(app.note, "Illegal: the game is over.");
    app.setMode("play");
    app.load({ start: START, moves: [] });
    app.play(7);
    assert.equal(textOf("spoken"), "Black plays 1,2. ");
    load([12, PASS]);
    app.setMode("play");
    app.play(PASS);
    assert.match(textOf("spoken"), /^Black passes\. The game is over\. White wins by 1\.5\. \S.+$/);
  },

  // A click on a point is a mark, or for the mode, or a move. A click on PASS's button is a PASS.
  async "a click on a point"() {
    const { buttons } = app.board;
    await buttons[12].tell("click");
    assert.deepEqual(app.line.moves, [12]);
    app.dispatch({ type: "tool", tool: "circle" });
    await buttons[6].tell("click");
    assert.deepEqual([app.line.moves, app.state.game.root.children[0].marks], [[12], [{ kind: "circle", point: 6 }]]);
    app.dispatch({ type: "tool", tool: null });
    await byId("pass").tell("click");
    assert.deepEqual(app.line.moves, [12, PASS]);
    app.setMode("edit");
    await buttons[0].tell("click");
    assert.deepEqual([app.line.moves, app.state.draft.black & 1], [[12, PASS], 1]);
  },

  // The label of a point states the stone, or the result of the move, as far as the mode shows it.
  "points have labels"() {
    const label = (point) => app._label(point);
    load([12]);
    assert.equal(label(12), "2,2: Black stone");
    assert.match(label(6), /^1,1: Black wins by 0\.5, best move$/);
    assert.match(label(0), /^0,0: Black wins by \d+\.5, loses \d+ points$/);
    load([12, 6]);
    assert.equal(label(6), "1,1: White stone");
    load([1, 0, 5, 2, 11, 8, 7, 12, 24, 6]);
    assert.equal(label(7), "1,2: empty, illegal");
    load(OVER);
    assert.deepEqual([label(12), label(6)], ["2,2: Black stone", "1,1: empty"]);
    load([12]);
    app.setMode("edit");
    assert.deepEqual([label(12), label(6)], ["2,2: Black stone", "1,1: empty"]);
    app.setMode("play");
    assert.deepEqual([label(6), label(12)], ["1,1: empty", "2,2: Black stone"]);
    // The review adds the mistake and the better move.
    app.setMode("explore");
    load([12, 0]);
    app.goTo(1);
    app.setMode("review");
    assert.match(label(0), /^0,0: Black wins by \d+\.5, loses \d+ points, the mistake$/);
    draw();
    assert.equal(app.board.buttons[0].getAttribute("aria-label"), label(0));
    app.setMode("explore");
    app.dispatch({ type: "note", path: [12], note: "A comment." });
    draw();
    assert.equal(textOf("note-shown"), "A comment.");
  },

  // The button PASS shows the result of a PASS.
  "a PASS has a result"() {
    const shown = (moves) => {
      load(moves);
      draw();
      const { className, classList } = byId("pass-worth");
      return [textOf("pass-worth"), className.split(" ")[0], classList.contains("best")];
    };
    assert.deepEqual(shown([]), ["W+2.5", "white", false]);
    assert.deepEqual(shown([12]).slice(1), ["black", false]);
    assert.deepEqual(shown([12, PASS]), ["W+1.5", "white", false]);
    assert.equal(shown(OVER)[0], "");
    load([12]);
    app.setMode("play");
    draw();
    assert.equal(textOf("pass-worth"), "");
    app.setMode("explore");
    load(GAME.slice(0, 14));
    draw();
    assert.deepEqual([textOf("pass-worth"), byId("pass-worth").className.split(" ")[0]], ["?", "open"]);
  },

  // The board shows the results of the moves. If the user points at a move, the board shows the line after the move.
  "the view of the board"() {
    load([12, 6]);
    const marks = (view) => [...view.marks].map(([point, { best, lit, dim, hint }]) => [point, best, lit, dim, hint]);
    const plain = app._view();
    assert.deepEqual([plain.position, plain.last, plain.taken, plain.ghosts, plain.named, plain.signs, plain.names], [app.position, 6, 0, [], new Set(), [], "ij"]);
    assert.deepEqual([plain.marks.size, plain.marks.has(PASS), plain.marks.has(12)], [23, false, false]);
    assert.deepEqual([...new Set(marks(plain).map(([, , lit, dim]) => `${lit} ${dim}`))], ["false false"]);
    assert.deepEqual(marks(plain).filter(([, best]) => best).map(([point]) => point), app.about.moves.filter(({ lost }) => !lost[0] && !lost[1]).flatMap(({ moves }) => moves));
    const one = app.about.moves[0];
    const line = { moves: [20, 24], whole: false };
    app.lines._lines.clear();
    app.lines.get = (position) => (position === app.position ? undefined : line);
    app.look(one);
    const looked = app._view();
    assert.deepEqual(looked.ghosts.map(({ point }) => point), [one.moves[0], 20, 24]);
    for (const [point, , lit, dim] of marks(looked)) assert.deepEqual([lit, dim], [one.moves.includes(point), !one.moves.includes(point)]);
    line.moves = [];
    const short = app._view();
    assert.deepEqual([short.ghosts, new Set(marks(short).map(([, , , dim]) => dim))], [[], new Set([false])]);
    delete app.lines.get;
    app.look(null);
    assert.deepEqual(app._view().ghosts, []);
    load(OVER);
    assert.equal(app._view().marks.size, 0);
    load([12]);
    app.setMode("play");
    assert.equal(app._view().marks.size, 0);
    app.dispatch({ type: "set", changes: { play: { ...app.state.play, hint: 7 } } });
    assert.deepEqual(marks(app._view()), [[7, undefined, undefined, undefined, true]]);
    app.dispatch({ type: "set", changes: { play: { ...app.state.play, hint: PASS } } });
    assert.equal(app._view().marks.size, 0);
    app.setMode("edit");
    app.dispatch({ type: "set", changes: { names: "a1" } });
    assert.deepEqual([app._view().names, app._view().marks.size], ["a1", 0]);
    app.dispatch({ type: "set", changes: { names: "ij" } });
  },

  // The line that is shown follows the move at which the user points.
  "the line that is shown"() {
    load([12, 6]);
    const stored = new Map();
    app.lines.get = (position) => stored.get(position);
    assert.equal(app.shownLine(), null);
    stored.set(app.position, { moves: [], whole: false });
    assert.equal(app.shownLine(), null);
    stored.set(app.position, { moves: [7], whole: false });
    assert.deepEqual(app.shownLine(), { moves: [7], whole: false });
    app.look(app.about.moves[1]);
    assert.equal(app.shownLine(), null);
    stored.set(app.looked.child, { moves: [8], whole: true });
    assert.deepEqual(app.shownLine(), { moves: [app.looked.moves[0], 8], whole: true });
    app.look({ key: 0n });
    assert.equal(app.looked, null);
    load([12, PASS]);
    app.look(app.about.moves.find(({ moves }) => moves[0] === PASS));
    assert.deepEqual(app.shownLine(), { moves: [PASS], whole: true });
    app.setMode("play");
    assert.equal(app.shownLine(), null);
    delete app.lines.get;
  },

  // A line is played ply by ply. It stops if the user shows another position.
  "a line is played"() {
    return withTimers((ring) => {
      load([12, 6]);
      const game = app.state.game;
      ring();
      app.playLine([7, 8, 9], 1);
      const shown = () => [app.line.moves, app.line.at, app.playing !== null];
      assert.deepEqual(shown(), [[12, 7, 8, 9], 2, true]);
      assert.deepEqual(ring(), [900]);
      assert.deepEqual(shown(), [[12, 7, 8, 9], 3, true]);
      assert.deepEqual(ring(), [900]);
      assert.deepEqual(shown(), [[12, 7, 8, 9], 4, false]);
      assert.deepEqual([ring(), app.state.game], [[], game]);
      app.goTo(2);
      app.playOn();
      assert.equal(app.playing !== null, true);
      app.goTo(3);
      assert.deepEqual([app.playing, ring()], [null, []]);
      app.goTo(2);
      app.playOn();
      app.setMode("review");
      assert.deepEqual([app.playing, ring()], [null, []]);
      app.setMode("explore");
      app.goHome();
      app.playLine([7]);
      assert.deepEqual(shown(), [[12, 6, 7], 3, false]);
    });
  },

  // The page is drawn at most once in each frame. While the kernel works, the page is drawn after a pause.
  "the page is drawn once in a frame"() {
    return withTimers((ring) => {
      drawFrame();
      let drawn = 0;
      const { render } = app;
      app.render = () => drawn++;
      app.refresh();
      app.refresh();
      app.refreshSoon();
      assert.deepEqual([countFrames(), timers.size, drawn], [1, 0, 0]);
      drawFrame();
      assert.deepEqual([countFrames(), drawn], [0, 1]);
      app.refreshSoon();
      app.refreshSoon();
      assert.deepEqual([countFrames(), [...timers.values()].map(([, delay]) => delay)], [0, [150]]);
      assert.deepEqual([ring(), countFrames()], [[150], 1]);
      drawFrame();
      assert.equal(drawn, 2);
      app.refreshSoon();
      app.refresh();
      assert.deepEqual([countFrames(), timers.size], [1, 0]);
      drawFrame();
      assert.deepEqual([ring(), countFrames(), drawn], [[], 0, 3]);
      app.render = render;
    });
  },

  // The space for a text stays reserved until another position is shown.
  "the page keeps room"() {
    load([12]);
    assert.deepEqual([app.keepsRoom("x", false), app.keepsRoom("x", true), app.keepsRoom("x", false), app.keepsRoom("y", false)], [false, true, true, false]);
    app.play(6);
    assert.equal(app.keepsRoom("x", false), false);
  },

  // Each action of the user is an entry of the browser's history, except several steps along a line, replies and what changes no
  // address.
  "the history of the browser"() {
    load([]);
    const entries = (does) => {
      const had = visited.length;
      does();
      return [visited.length - had, location.hash];
    };
    assert.deepEqual(entries(() => app.play(12)), [1, "#moves=2,2"]);
    assert.deepEqual(entries(() => app.dispatch({ type: "play", move: 6, isReply: true })), [0, "#moves=2,2.1,1"]);
    assert.deepEqual(entries(() => app.goTo(1)), [1, "#moves=2,2.1,1&at=1"]);
    assert.deepEqual(entries(() => app.goTo(0)), [0, "#moves=2,2.1,1&at=0"]);
    assert.deepEqual(entries(() => app.setMode("review")), [1, "#moves=2,2.1,1&at=0&mode=review"]);
    assert.deepEqual(entries(() => app.goTo(1)), [1, "#moves=2,2.1,1&at=1&mode=review"]);
    assert.deepEqual(entries(() => app.dispatch({ type: "note", path: [], note: "x" })), [0, "#moves=2,2.1,1&at=1&mode=review"]);
    assert.equal(visited.at(-1)[1], app.state);
    const { state } = app;
    app.readAddress();
    assert.deepEqual([app.state, app.written], [state, location.hash.slice(1)]);
    // If the browser forbids entries, the address is written directly.
    const { pushState, replaceState } = history;
    Object.assign(history, { pushState: () => { throw new Error("no"); }, replaceState: () => { throw new Error("no"); } });
    app.setMode("explore");
    assert.equal(location.hash, "moves=2,2.1,1&at=1");
    Object.assign(history, { pushState, replaceState });
    // Before the address is read, it is replaced.
    app.isOpen = false;
    assert.deepEqual(entries(() => app.play(7)), [0, "#moves=2,2.1,2"]);
    app.isOpen = true;
  },

  // An address leads to its position, and a stored state also restores the game.
  async "an address is read"() {
    load([12, 6]);
    const go = async (fragment, state = null) => {
      const had = visited.length;
      location.hash = `#${fragment}`;
      await tellPage("popstate", { state });
      return [app.line.moves, app.line.at, app.modeName, location.hash, visited.length - had];
    };
    assert.deepEqual(await go("moves=2,2.1,1&at=1"), [[12, 6], 1, "explore", "#moves=2,2.1,1&at=1", 0]);
    assert.deepEqual(await go("mode=explore&moves=2,2.1,2"), [[12, 7], 2, "explore", "#moves=2,2.1,2", 0]);
    assert.equal(app.written, "moves=2,2.1,2");
    // Without a change of the address nothing happens, also if the address is written after that.
    const { state } = app;
    await go("moves=2,2.1,2");
    assert.equal(app.state, state);
    assert.deepEqual(await go("moves=7,7"), [[], 0, "explore", "#moves=", 1].map((one, index) => (index === 3 ? location.hash : one)));
    assert.match(app.note, /^The link does not work: .+\.$/);
    assert.equal(byId("message").classList.contains("bad"), true);
    // A stored state has copies of START, which count as START.
    load([12, 6]);
    app.dispatch({ type: "note", path: [12], note: "kept" });
    app.playLine([7]);
    app.stopLine();
    const kept = structuredClone(app.state);
    const address = location.hash.slice(1);
    load([]);
    assert.deepEqual(await go(address, kept), [[12, 6, 7], 3, "explore", `#${address}`, 0]);
    assert.deepEqual([app.state.game.start === START, app.state.visit.start === START, app.state.game.root.children[0].note], [true, true, "kept"]);
    // The state that the browser has stored with another address is not used.
    app.goHome();
    load([]);
    await go("moves=0,0", kept);
    assert.deepEqual([app.line.moves, app.state.visit], [[0], null]);
    location.hash = "#moves=0,0.0,1";
    /** @type {any} */ (history).state = null;
    await tellPage("hashchange");
    assert.deepEqual(app.line.moves, [0, 1]);
    // After a visit, the next step along the line is an entry of its own.
    const had = visited.length;
    app.goTo(1);
    assert.equal(visited.length, had + 1);
    const { replaceState } = history;
    history.replaceState = () => { throw new Error("no"); };
    assert.deepEqual((await go("moves=3,3")).slice(0, 2), [[18], 1]);
    history.replaceState = replaceState;
  },

  // A note of a game is shown even if the board stays the same.
  "a game has a note"() {
    load([12], { note: "An old game." });
    assert.deepEqual([app.note, textOf("message"), byId("message").classList.contains("bad")], ["An old game.", "An old game.", false]);
    load([12]);
    assert.equal(app.note, "");
  },

  // The kernel finds the values of all moves of a late position, and the reason why the last move was a mistake.
  async "the values of a position are found"() {
    load(GAME.slice(0, 20));
    app.setStopped(JOBS, false);
    assert.deepEqual([app.computing, app.took], [true, null]);
    draw();
    assert.equal(byId("board").dataset.computing, true);
    await until(() => !app.computing && app.lines.why(app.line.previous, app.line.lastMove), "values and reason");
    drawFrame();
    assert.deepEqual([app.about.fact.lo, app.about.fact.hi], [8, 8]);
    assert.equal(app.about.moves.every(({ fact }) => valueOf(fact) !== null), true);
    assert.ok(app.took.nodes > 0 && app.took.seconds > 0 && app.took.seconds < 30);
    assert.equal(byId("board").dataset.computing, false);
    const why = app.lines.why(app.line.previous, 24);
    assert.deepEqual([why.worse[0], why.better[0] !== 24, why.text.length > 20], [24, true, true]);
    await until(() => app.lines.get(app.position)?.whole, "the best line");
    const line = app.lines.movesFrom(app.position);
    assert.equal(app.line.position.ply + line.length <= 24, true);
    // The next position is searched again, and its best line is found at once.
    app.look(app.about.moves[2]);
    await until(() => app.lines.get(app.looked.child)?.whole && app.lines.isExplained(app.position, app.looked.moves[0]), "the line after a move");
    app.look(null);
    app.setStopped(["values"], true);
    assert.deepEqual([app.state.stopped, app.computing], [["values"], false]);
    app.play(22);
    assert.deepEqual([app.computing, app.took], [false, null]);
    app.toggleAll();
    assert.deepEqual([...app.state.stopped].sort(), []);
    app.toggleAll();
    assert.deepEqual(app.state.stopped, JOBS);
    app.setStopped(["curve"], true);
    assert.deepEqual([...app.state.stopped].sort(), [...JOBS].sort());
    // The review continues or stops with its own jobs only.
    let told = 0;
    const { onStopped } = app.modes.review;
    app.modes.review.onStopped = () => told++;
    const tells = JOBS.map((job) => (app.setStopped([job], true), [job, told]));
    assert.deepEqual(tells, [["values", 0], ["line", 0], ["reason", 1], ["curve", 2]]);
    app.setStopped(JOBS, true);
    assert.equal(told, 3);
    app.modes.review.onStopped = onStopped;
  },

  // The questions of a position: first the winner of the position, then of the moves, then the values, the most promising first.
  "the questions of a position have an order"() {
    load([12]);
    const [own, ...moves] = app._questions();
    assert.deepEqual([own.position, own.rank(true), own.rank(false), moves.length], [app.position, 300, 200, app.about.moves.length]);
    assert.deepEqual([moves[0].position, moves[0].rank(true, 5), moves[0].rank(false, 5)], [app.about.moves[0].child, 100, -5]);
    load([]);
    assert.equal(app._questions()[1].rank(false, 5), 5);
    load(OVER);
    assert.deepEqual(app._questions(), []);
  },

  // If the kernel fails, the page states it. If two sources contradict each other, the page asks for a report.
  async "a fault of the kernel is shown"() {
    const { engine } = app;
    app.engine = { lanes: engine.lanes, search: async () => { throw new Error("no memory"); }, lines: async () => { throw new Error("no memory"); } };
    load(GAME.slice(0, 17));
    app.setStopped(JOBS, false);
    app.setStopped(["line", "reason"], true);
    assert.equal(app.computing, true);
    await until(() => !app.computing, "the kernel stops");
    assert.equal(app.note, "The kernel stopped: no memory");
    app.setStopped(JOBS, true);
    // Another position aborts the search, and nothing is said.
    let fail = null;
    app.engine.search = () => new Promise((_, reject) => (fail = reject));
    app.setStopped(["values"], false);
    load(GAME.slice(0, 16));
    await settled();
    const failed = fail;
    app.setStopped(JOBS, true);
    load(GAME.slice(0, 15));
    failed(new Error("left"));
    await settled();
    assert.deepEqual([app.note, app.computing], ["", false]);
    app.engine = engine;
    for (const event of [{ error: new Contradiction("a and b") }, { reason: new Contradiction("a and b") }]) {
      app.say("");
      await tellPage(event.error ? "error" : "unhandledrejection", event);
      assert.equal(app.note, "A fault, please report it. a and b");
    }
    app.say("");
    for (const event of [{ error: new Error("x") }, { reason: "x" }]) await tellPage(event.error ? "error" : "unhandledrejection", event);
    assert.equal(app.note, "");
    app.engine = null;
    load([12]);
    app.setStopped(JOBS, false);
    assert.equal(app.computing, false);
    app.setStopped(JOBS, true);
    app.engine = engine;
  },

  // The functions for the console.
  async "the console has functions"() {
    const { answer, perfect, words, reason, address, bench } = globalThis.explorer;
    assert.deepEqual(await answer(START), { value: 3, lo: 3, hi: 3, source: "certificate", nodes: 0 });
    const late = after(...GAME.slice(0, 16), GAME[17], GAME[16], GAME[19]);
    const found = await answer(late);
    assert.deepEqual([found.value, found.lo, found.hi, found.source, found.nodes > 0], [7, 7, 7, "kernel", true]);
    assert.equal((await answer(late)).nodes, 0);
    assert.deepEqual(await answer(after(...OVER)), { value: 1, lo: 1, hi: 1, source: "rules", nodes: 0 });
    await assert.rejects(answer({ ...START, black: 1, white: 1 }), { message: "0,0 holds both a black and a white stone" });
    assert.deepEqual(words({ lo: 3, hi: 3 }), ["B+0.5", "B+0.5", "Black wins by 0.5"]);
    load([12]);
    assert.equal(address(), "moves=2,2");
    assert.equal((await perfect(START, 1000)).from, "book");
    const why = reason(late, [PASS, PASS], [...app.rules.legalMoves(late).slice(0, 1), PASS, PASS].slice(0, 3));
    assert.deepEqual([typeof why.worse, why.worse.length > 0], ["string", true]);
    const { answers } = await bench(1 << 12, [["value", ...kernelArguments(late), NO_GUESS, 1e9]]);
    assert.deepEqual([answers[0][0], answers[0][1], answers[0][3] > 0], [-7, -7, true]);
  },

  // A setting that changes what a mode shows starts the searches again.
  "the values are hidden and shown"() {
    load([12]);
    const searches = () => app.search;
    app.setMode("play");
    let had = searches();
    app.dispatch({ type: "set", changes: { play: { ...app.state.play, said: "x" } } });
    assert.equal(searches(), had);
    app.dispatch({ type: "set", changes: { play: { ...app.state.play, shows: true } } });
    assert.notEqual(searches(), had);
    had = searches();
    const [notes, moved] = [app.note, app.line];
    app.dispatch({ type: "note", path: [12], note: "x" });
    assert.deepEqual([searches() === had, app.note === notes, app.line.positions[1] === moved.positions[1]], [true, true, true]);
    app.say("x");
    app.setMode("explore");
    assert.deepEqual([app.note, searches() === had], ["", false]);
    had = searches();
    app.setMode("explore");
    assert.equal(searches(), had);
  },

  // A review finds the values of all positions, and then explains the mistakes: the worst one first, then from the end.
  async "a game is reviewed"() {
    const { review } = app.modes;
    const explained = [];
    const { explain } = app.lines;
    app.lines.explain = (position, move, signal) => {
      if (signal === review.search.controller?.signal) explained.push(position.ply);
      return explain.call(app.lines, position, move, signal);
    };
    load(GAME.slice(0, 16));
    app.load({ start: app.position, moves: GAME.slice(16) });
    app.setStopped(["curve"], false);
    assert.deepEqual([review.progress, review.filled ?? null], ["", null]);
    app.setMode("review");
    assert.deepEqual([review.search.isRunning, review.filled instanceof Promise, review.took], [true, true, null]);
    app.setStopped(["values"], false);
    const open = review.facts.filter((fact) => valueOf(fact) === null).length;
    assert.equal(review.progress, `${9 - open} of 9 positions exact`);
    app.setStopped(["curve"], true);
    assert.deepEqual([review.search.isRunning, review.filled, review.progress], [false, null, `${9 - open} of 9 positions exact`]);
    app.setStopped(["line"], false);
    assert.equal(review.search.isRunning, false);
    app.setStopped(["curve", "reason"], false);
    const { controller } = review.search;
    app.setStopped(["reason"], false);
    assert.equal(review.search.controller, controller);
    await until(() => !review.search.isRunning, "the review");
    draw();
    assert.deepEqual(review.facts.map(valueOf), [4, 1, 1, -5, 8, -6, 8, 8, 8]);
    assert.deepEqual([review.filled, review.progress, review.took.nodes > 0, review.took.seconds > 0 && review.took.seconds < 30], [null, "", true, true]);
    const { mistakes, turning_point } = review.record;
    assert.deepEqual(mistakes.map(({ ply, cost, best_move }) => [ply, cost, best_move !== null]), [[17, 3, true], [19, 6, true], [20, 13, true], [21, 14, true], [22, 14, true]]);
    assert.equal(turning_point, 22);
    assert.deepEqual(explained, [21, 21, 20, 19, 18, 16]);
    app.lines.explain = explain;
    // The same game is not reviewed again, but a stopped review continues.
    app.goTo(0);
    assert.equal(review.search.isRunning, false);
    assert.match(textOf("review-status"), /^Every position is exact, after .+ and .+ nodes?\.$/);
    assert.match(textOf("review-summary"), /The turning point was ply 22: White plays 0,0 and throws the win away\. The win changed hands 4 times; this was the last\.$/);
    assert.deepEqual(byId("mistakes").children.map((row) => [row.classList.contains("mistake"), row.classList.contains("flip")].map(Number).join("")), ["11", "00", "10", "11", "11", "11", "00", "00"]);
    const signs = () => byId("line").children.map(({ firstElementChild: { dataset } }) => dataset.sign ?? "");
    assert.deepEqual(signs(), ["??", "", "?!", "??", "??", "??", "", ""]);
    const rows = byId("mistakes").children.map(({ firstElementChild }) => firstElementChild);
    const current = () => (draw(), rows.flatMap((row, index) => (row.getAttribute("aria-current") === "true" ? [index] : [])));
    const shows = [];
    for (const at of [0, 1, 2, 7, 8]) shows.push((app.goTo(at), current()));
    assert.deepEqual(shows, [[0], [], [2], [6], [7]]);
    assert.match(rows[0].getAttribute("aria-label"), /^Ply 17: Black plays 0,2, costs 3 points and the win, better: \S+, W\+1\.5$/);
    assert.match(rows[1].getAttribute("aria-label"), /^Ply 18: White plays 3,3, W\+1\.5$/);
    assert.deepEqual(["data-index", "type"].map((name) => rows[3].getAttribute(name)), ["3", "button"]);
    await rows[3].tell("click");
    assert.equal(app.line.at, 3);
    app.playOn();
    await rows[3].tell("click");
    assert.deepEqual([app.line.at, app.playing], [3, null]);
    await rows[6].tell("click");
    assert.equal(app.line.at, 7);
    app.goTo(0);
    const label = (point) => review.label(point);
    const better = app.lines.why(app.position, 2).better[0];
    assert.deepEqual([label(2), label(better), label(6)], [", the mistake", ", the better move", ""]);
    const { position, marks, named, ghosts } = review.view();
    assert.deepEqual([position, marks.get(2), marks.get(better), named instanceof Set, ghosts], [app.position, { move: "??", colour: 0 }, { move: "!", colour: 0 }, true, []]);
    app.goTo(3);
    assert.deepEqual([review.view().marks.get(24).colour, review.view().last], [1, 21]);
    assert.deepEqual(review.explains, [app.position, 24]);
    app.goTo(1);
    assert.deepEqual([review.view(), review.explains, label(2)], [null, null, ""]);
    app.setMode("explore");
    draw();
    assert.deepEqual(signs().join(""), "");
  },

  // The user tries the mistakes again. The values are hidden until the answer is right or shown.
  async "mistakes are tried again"() {
    const { review } = app.modes;
    load(GAME.slice(0, 16));
    app.load({ start: app.position, moves: GAME.slice(16) });
    app.setMode("review");
    app.setStopped(JOBS, false);
    await until(() => !review.search.isRunning, "the review");
    app.setStopped(JOBS, true);
    byId("try-side").value = "";
    draw();
    const state = () => {
      draw();
      const hidden = ["try-start", "trying", "try-show", "curve", "mistakes", "plies-take", "mistake-card"].filter((id) => byId(id).hidden).join();
      return [app.line.at, textOf("try-said"), textOf("try-next"), hidden, "data-asks" in document.body.attributes];
    };
    const asks = "try-start,curve,mistakes,plies-take,mistake-card";
    assert.deepEqual([byId("try-start").hidden, byId("trying").hidden], [false, true]);
    await byId("try-mistakes").tell("click");
    assert.deepEqual(state(), [0, "Mistake 1 of 5. Click on the move you would play now.", "Skip", asks, true]);
    assert.equal(textOf("turn"), "Black to move: 0,2 was played. Find a better move.");
    assert.deepEqual([app._label(0).includes(":"), review.view(), byId("mistake-back").disabled, byId("mistake-next").disabled], [true, null, true, true]);
    const said = async (move) => {
      await review.onPoint(move);
      return [textOf("try-said"), (draw(), textOf("try-said")).replace("Mistake 1 of 5. ", ""), review.trying.isDone].slice(1);
    };
    await review.onPoint(12);
    assert.deepEqual([app.note, byId("message").classList.contains("bad")], ["Illegal: 2,2 is occupied.", true]);
    assert.deepEqual(await said(2), ["0,2 is the move that was played.", false]);
    const moves = app.about.moves.map(({ moves: [move], lost: [least] }) => [move, least]).filter(([move]) => move !== 2);
    await Promise.all(moves.map(([move]) => globalThis.explorer.answer(app.rules.play(app.position, move))));
    app.learn();
    const lost = (points) => app.about.moves.find(({ moves: [move], lost: [least, most] }) => move !== 2 && least === most && points(least))?.moves[0];
    const name = (move) => (move === PASS ? "PASS" : `${Math.floor(move / 5)},${move % 5}`);
    const less = lost((points) => points > 0 && points < 3);
    const [more, loses] = app.about.moves.filter(({ lost: [least] }) => least > 3).map(({ moves: [move], lost: [least] }) => [move, least])[0];
    assert.deepEqual(await said(more), [`${name(more)} loses ${loses} points. Try again.`, false]);
    if (less !== undefined) assert.match((await said(less))[0], / loses [12] points?, less than the move that was played\. Try again\.$/);
    const right = lost((points) => points === 0);
    assert.deepEqual(await said(right), [`Right: ${name(right)} loses nothing.`, true]);
    assert.deepEqual(state(), [0, `Mistake 1 of 5. Right: ${name(right)} loses nothing.`, "Next mistake", "try-start,try-show", false]);
    assert.equal(review.title, null);
    await byId("try-next").tell("click");
    assert.deepEqual([state()[0], review.trying.number], [2, 1]);
    await byId("try-show").tell("click");
    assert.deepEqual(state().slice(1, 4), ["Mistake 2 of 5. The answer is on the board.", "Next mistake", "try-start,try-show"]);
    for (let times = 0; times < 3; times++) await byId("try-next").tell("click");
    assert.deepEqual([state()[0], state()[2]], [5, "Finish"]);
    await byId("try-next").tell("click");
    assert.deepEqual([review.trying, app.note], [null, "That was the last of 5 mistakes."]);
    for (const [side, at, count] of [["0", 0, 3], ["1", 3, 2]]) {
      byId("try-side").value = side;
      await byId("try-mistakes").tell("click");
      assert.deepEqual([app.line.at, review.trying.count], [at, count]);
      await byId(side === "0" ? "try-side" : "try-stop").tell(side === "0" ? "change" : "click");
      assert.equal(review.trying, null);
    }
    // A move after the answer is a move of the game.
    await byId("try-mistakes").tell("click");
    await byId("try-show").tell("click");
    const answer = app.rules.legalMoves(app.position)[0];
    await review.onPoint(answer);
    assert.equal(app.line.moves.at(-1), answer);
    app.load({ start: START, moves: [12] });
    byId("try-side").value = "1";
    await byId("try-mistakes").tell("click");
    assert.equal(app.note, "There is no mistake to try again.");
    draw();
    assert.equal(byId("try-start").hidden, true);
    byId("try-side").value = "";
  },

  // The page scrolls to the card of a review, and on a phone to the board.
  "a mistake is brought into sight"() {
    const { matchMedia, scrollTo } = globalThis;
    const scrolled = [];
    const at = { board: 0, review: 0 };
    globalThis.scrollTo = /** @type {any} */ (({ top }) => scrolled.push(top));
    for (const id of ["board", "review"])
      Object.assign(byId(id), { scrollIntoView: ({ block }) => scrolled.push(`${id} ${block}`), getBoundingClientRect: () => ({ top: at[id], height: 10 }) });
    const shown = (isNarrow, isAlone, top) => {
      globalThis.matchMedia = /** @type {any} */ ((query) => ({ matches: isNarrow && query === "(max-width: 60rem)" }));
      byId("games").hidden = isAlone;
      at.review = top;
      scrolled.length = 0;
      app.modes.review.bringIntoSight();
      return scrolled.join();
    };
    assert.deepEqual([shown(true, true, 0), shown(true, false, 0), shown(true, false, -9)], ["0", "board start", "board start"]);
    assert.deepEqual([shown(false, true, 0), shown(false, false, 1), shown(false, true, -1)], ["", "", "review start"]);
    Object.assign(globalThis, { matchMedia, scrollTo });
  },

  // The summary of a review states the end of the game and the turning point.
  "a review is summed up"() {
    const { review } = app.modes;
    const best = [[3, 3], [3, 3], [3, 3]];
    const summary = (moves, values, lost = null, start = START) => {
      app.load({ start, moves, lost });
      Object.defineProperty(review, "facts", { configurable: true, value: values.map(([lo, hi]) => ({ lo, hi, claims: [] })) });
      app.setMode("review");
      draw();
      const found = [textOf("review-summary"), review.record.turning_point];
      delete review.facts;
      return found;
    };
    assert.deepEqual(summary([12, 6], best), ["The game is not finished. There was no turning point: Black was winning throughout.", null]);
    assert.deepEqual(summary([12, 6], [[3, 3], [-24, 24], [3, 3]])[0], "The game is not finished. Who was winning is not known at every ply yet.");
    assert.deepEqual(summary([12, 6], [[3, 3], [3, 3], [2, 2]]), ["The game is not finished. There was no turning point: Black was winning throughout.", null]);
    assert.deepEqual(summary([12, 6], [[3, 3], [1, 1], [1, 1]]), ["The game is not finished. The turning point was ply 1: Black plays 2,2 and throws the win away.", 1]);
    assert.deepEqual(summary([12, 6], [[3, 3], [1, 1], [4, 4]]), ["The game is not finished. The turning point was ply 2: White plays 1,1 and throws the win away. The win changed hands 2 times; this was the last.", 2]);
    assert.match(summary(OVER, [...best, [1, 1]])[0], /^White wins 2\.5 : 1\. /);
    const ko = { reason: "invalid_ko", move: "1,1" };
    const begin = "White wins by a fault at ply 3: Black played 1,1, which brings back the board of one move before (the ko rule).";
    assert.deepEqual(summary([12, 6], best, ko), [`${begin} That was the turning point: Black was winning (B+0.5).`, 3]);
    assert.deepEqual(summary([12, 6], [[3, 3], [1, 1], [1, 1]], ko), [`${begin} Black was losing already (W+1.5).`, 3]);
    assert.deepEqual(summary([12, 6], [[3, 3], [3, 3], [-24, 24]], ko), [`${begin} Who was winning is not known yet.`, 3]);
    const resigned = { reason: "resigned", move: null };
    assert.deepEqual(summary([12, 6], best, resigned), ["White wins at ply 3: Black resigned. That was the turning point: Black was winning (B+0.5).", 3]);
    assert.deepEqual(summary([12, 6], [[3, 3], [1, 1], [1, 1]], resigned)[1], 1);
    assert.match(summary([12, 6], [[3, 3], [1, 1], [1, 1]], resigned)[0], /^White wins at ply 3: Black resigned\. Black was losing already \(W\+1\.5\)\. The turning point was ply 1: /);
    // A row shows the event after the last move.
    const rows = byId("mistakes").children;
    assert.deepEqual([rows.length, rows[2].attributes.class, rows[2].textContent], [3, "fault", "White wins at ply 3: Black resigned."]);
    app.goTo(0);
    rows[2].firstElementChild.tell("click");
    assert.equal(app.line.at, 2);
    assert.equal(textOf("review-names"), "");
    app.load({ start: START, moves: [12], about: { agents: ["Ann", "Ben"] } });
    draw();
    assert.equal(textOf("review-names"), "Ann (Black), Ben (White)");
  },

  // The card of a review states why the better move is not known yet.
  "a better move is being looked for"() {
    const { review } = app.modes;
    load([12, 0]);
    app.goTo(1);
    app.setMode("review");
    const pending = (stopped) => {
      app.state = { ...app.state, stopped };
      draw();
      return textOf("mistake-why");
    };
    const looking = "Looking for the better move …";
    const isStopped = "The search for the better move is stopped.";
    assert.deepEqual([["values", "line"], ["reason"], ["curve"], JOBS].map(pending), [looking, isStopped, isStopped, isStopped]);
    assert.match(textOf("mistake-deed"), /^Ply 2: White plays 0,0, which costs \d+ points\.$/);
    const buttons = () => (draw(), ["show", "worse", "better", "home"].map((id) => [!byId(`mistake-${id}`).hidden, !byId(`mistake-${id}`).disabled, textOf(`mistake-${id}`)].map((one) => (one === true ? 1 : one === false ? 0 : one)).join(" ")));
    assert.deepEqual(buttons().slice(0, 3), ["0 1 Show the costliest mistake", "1 0 After 0,0", "1 0 After …"]);
    app.lines._whys.set(`${app.position.black} 0 null 1 false 0`, { found: { worse: [0], better: [6, 7], text: "It.", told: { kind: "atari", worse: "", better: "" } } });
    assert.deepEqual(buttons().slice(1, 3), ["1 0 After 0,0", "1 1 After 1,1"]);
    app.lines.why(app.position, 0).worse.push(8);
    assert.deepEqual(buttons().slice(1, 3), ["1 1 After 0,0", "1 1 After 1,1"]);
    app.lines._whys.clear();
    app.goTo(2);
    assert.deepEqual(buttons(), ["1 1 Show the costliest mistake", "0 0 After 0,0", "0 0 After …", "0 1 "]);
    load([12]);
    assert.deepEqual(buttons()[0], "1 0 No mistake");
    Object.defineProperty(review.search, "isRunning", { configurable: true, value: true });
    assert.deepEqual(buttons()[0], "1 0 No mistake");
    load(GAME.slice(0, 14));
    assert.deepEqual(buttons()[0], "1 0 Looking for mistakes …");
    delete review.search.isRunning;
    load([]);
    assert.deepEqual(buttons()[0], "0 0 No mistake");
  },

  // The page can name points by letters. Every text and label that was shown is named again.
  async "points are named by letters"() {
    assert.equal(named("play 2,2 1,10 12,3 4,4,0 0,5 2.0,1 0,0"), "play 2,2 1,10 12,3 4,4,0 0,5 2.0,1 0,0");
    load([12, 6]);
    draw();
    const [button] = byId("line").children[0].children;
    assert.deepEqual([button.textContent, app.board.buttons[12].getAttribute("aria-label")], ["B2,2", "2,2: Black stone"]);
    byId("letter-names").checked = true;
    await byId("letter-names").tell("change");
    draw();
    assert.equal(named("play 2,2 1,10 12,3 4,4,0 0,5 2.0,1 0,0"), "play C3 1,10 12,3 4,4,0 0,5 2.0,1 A5");
    assert.deepEqual([byId("line").children[0].textContent, app.board.buttons[12].getAttribute("aria-label"), app.state.names], ["BC3", "C3: Black stone", "a1"]);
    assert.deepEqual(["0,4", "4,0", "3,1", "1,3"].map(named), ["E5", "A1", "B2", "D4"]);
    const made = make("p", { "aria-label": "at 2,2", title: "at 2,2", open: true, closed: false, none: null, missing: undefined, id: "" }, "to 4,4", null, undefined, make("i", {}));
    assert.deepEqual(made.attributes, { "aria-label": "at C3", title: "at 2,2", open: "", id: "" });
    assert.deepEqual([made.children.length, made.children[0]], [2, "to E1"]);
    let filled = 0;
    const list = make("ul");
    const fillWith = (wanted) => (fill(list, wanted, () => (filled++, ["2,2"])), filled);
    assert.deepEqual([fillWith("a"), fillWith("a"), fillWith("b")], [1, 1, 2]);
    byId("letter-names").checked = false;
    await byId("letter-names").tell("change");
    assert.deepEqual([fillWith("b"), fillWith("b"), named("2,2")], [3, 3, "2,2"]);
    // A text that stays the same is not written again, so that screen readers do not read it again.
    const written = [];
    const element = { get textContent() { return "x"; }, set textContent(text) { written.push(text); }, getAttribute: () => "y", setAttribute: (name, text) => written.push(text) };
    setText(element, "x");
    setLabel(element, "y");
    setText(element, "z");
    setLabel(element, "w");
    assert.deepEqual(written, ["z", "w"]);
  },

  // A text is copied, by an older method without a permission for the clipboard, or saved as a file.
  async "a text is copied or saved"() {
    const copied = [];
    const source = { select: () => copied.push("selected") };
    const given = (isAllowed, isDone) => {
      Object.defineProperty(globalThis, "navigator", { value: { clipboard: { writeText: async (text) => (isAllowed ? void copied.push(text) : Promise.reject(new Error("no"))) } }, configurable: true });
      /** @type {any} */ (document).execCommand = (name) => (copied.push(name), isDone);
      return copy("text", source);
    };
    assert.deepEqual([await given(true, false), copied.splice(0)], [true, ["text"]]);
    assert.deepEqual([await given(false, true), copied.splice(0)], [true, ["selected", "copy"]]);
    assert.deepEqual([await given(false, false), copied.splice(0)], [false, ["selected", "copy"]]);
    // If nothing can be copied, the tables are saved.
    const { createElement } = document;
    const saved = [];
    document.createElement = /** @type {any} */ ((tag) => Object.assign(createElement(tag), { click() { saved.push([tag, this.attributes.download, this.attributes.href.slice(0, 5)]); } }));
    const revoked = [];
    const { revokeObjectURL } = URL;
    URL.revokeObjectURL = (url) => void revoked.push(url.slice(0, 5));
    load([12]);
    draw();
    await withTimers(async (ring) => {
      ring();
      for (const id of ["moves-csv", "plies-json"]) await byId(id).tell("click", { currentTarget: byId(id) });
      assert.deepEqual([...timers.values()].map(([, delay]) => delay).filter((delay) => delay > 1000), [60_000, 60_000]);
      assert.deepEqual(revoked, []);
      ring();
    });
    assert.deepEqual([saved, revoked], [[["a", "moves.csv", "blob:"], ["a", "plies.json", "blob:"]], ["blob:", "blob:"]]);
    assert.equal(app.note, "Saved as plies.json.");
    document.createElement = createElement;
    URL.revokeObjectURL = revokeObjectURL;
  },

  // The dialog "Share" offers the moves for the command line of a game from the start only.
  async "a game is shared"() {
    /** @type {any} */ (location).protocol = "https:";
    /** @type {any} */ (location).href = "https://example.org/explorer.html#x";
    const found = async (does) => {
      does();
      app.about = app.facts.about(app.position);
      await byId("share-button").tell("click");
      return byId("shares").children.map((each) => (each.children[1]?.children[0] ?? each.children[1]).attributes?.id ?? each.textContent);
    };
    const all = ["share-link", "share-moves", "share-record", "share-input", "share-sgf", "share-svg"];
    assert.deepEqual(await found(() => load([12, 6])), all);
    app.load({ start: after(12, 6), moves: [] });
    location.hash = `#from=${"_".repeat(25)}.0.-.-`;
    assert.deepEqual(await found(() => app.readAddress(null)), all);
    assert.deepEqual(await found(() => app.load({ start: after(12, 6), moves: [] })).then((ids) => ids.filter((id) => id.startsWith("share-"))), ["share-link", "share-record", "share-sgf", "share-svg"]);
    const areas = byId("shares").children.flatMap((each) => each.children[1]?.children ?? []).filter(({ attributes }) => attributes?.rows);
    assert.deepEqual(areas.map(({ attributes: { rows, readonly } }) => [rows, readonly]), [["1", ""], ["1", ""], ["3", ""], ["1", ""]]);
  },

  // A branch of the tree is shown in the user's game or in a visited game.
  "a branch is followed"() {
    load([12, 6, 13]);
    app.goTo(1);
    app.play(7);
    app.dispatch({ type: "follow", path: [12, 6, 13], at: 2 });
    assert.deepEqual([app.line.moves, app.line.at, app.state.visit], [[12, 6, 13], 2, null]);
    const { game } = app.state;
    app.playLine([0]);
    app.stopLine();
    app.dispatch({ type: "follow", path: [12, 6], at: 1 });
    assert.deepEqual([app.line.moves, app.line.at, app.state.game], [[12, 6], 1, game]);
    app.goHome();
    // A lesson is visited, and leaves the game as it is.
    app.setMode("tour");
    assert.deepEqual([app.state.visit !== null, app.state.game, app.state.tour], [true, game, 0]);
    app.dispatch({ type: "board", game: { start: START, moves: [0, 1] }, changes: { tour: 2, names: "ij" } });
    assert.deepEqual([app.line.moves, app.state.tour, app.state.mode, app.state.game], [[0, 1], 2, "tour", game]);
    // A state that is restored does not begin the lesson again.
    const state = structuredClone(app.state);
    app.setMode("explore");
    app.dispatch({ type: "visit", place: state });
    assert.deepEqual([app.line.moves, app.modeName, app.state.tour], [[0, 1], "tour", 2]);
  },

  // The modes are entered and left, and hear of another position and of other changes of the state.
  "a mode hears of changes"() {
    const heard = [];
    const { review } = app.modes;
    const mode = Object.assign(Object.create(review), {
      enter: (...given) => void heard.push(["enter", ...given]),
      leave: () => void heard.push(["leave"]),
      onPosition: (...given) => void heard.push(["position", ...given]),
      onState: (before) => void heard.push(["state", before.mode]),
    });
    app.modes.review = mode;
    const told = (does) => (heard.splice(0), does(), heard.splice(0));
    load([12, 6]);
    assert.deepEqual(told(() => app.setMode("review")), [["enter", false]]);
    assert.deepEqual(told(() => app.goTo(1)), [["position", false]]);
    assert.deepEqual(told(() => app.play(7)), [["position", false]]);
    assert.deepEqual(told(() => app.undo()), [["position", true]]);
    assert.deepEqual(told(() => app.redo()), [["position", true]]);
    assert.deepEqual(told(() => app.dispatch({ type: "note", path: [12], note: "x" })), [["state", "review"]]);
    assert.deepEqual(told(() => app.dispatch({ type: "tool", tool: "circle" })), [["state", "review"]]);
    assert.deepEqual(told(() => app.dispatch({ type: "set", changes: { tool: "circle" } })), []);
    assert.deepEqual(told(() => app.setMode("explore")), [["leave"]]);
    // Another line with the same board is another position too.
    app.load({ start: START, moves: [12, 6, 13, 7] });
    app.setMode("review");
    assert.deepEqual(told(() => app.load({ start: START, moves: [13, 6, 12, 7] })), [["position", false]]);
    assert.deepEqual(told(() => app.dispatch({ type: "takeBack", at: 3 })), [["position", false]]);
    assert.deepEqual(told(() => app.dispatch({ type: "visit", place: { mode: "review", game: app.state.game } })), [["position", true]]);
    app.goTo(1);
    const searched = app.search;
    assert.deepEqual(told(() => app.load({ start: START, moves: [13, 6], at: 1 })), [["position", false]]);
    assert.notEqual(app.search, searched);
    app.modes.review = review;
  },
};

process.on("unhandledRejection", (error) => console.log(JSON.stringify(["no promise is rejected", String(/** @type {any} */ (error)?.stack ?? error)])));
for (const [name, does] of Object.entries(TESTS)) {
  let error = null;
  try {
    app.stopLine();
    app.setStopped(JOBS, true);
    if (app.modeName !== "explore") app.setMode("explore");
    app.goHome();
    load([]);
    await does();
  } catch (problem) {
    error = problem.stack;
  }
  console.log(JSON.stringify([name, error]));
}
process.exit(0);
