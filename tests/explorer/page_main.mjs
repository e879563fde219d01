// Test the whole page without a browser. Each line of the output is a test's result as JSON: [name, error or null].

import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { allOf, byId, countFrames, drawFrame, settled, tellPage, until, visited, workers } from "./whole_page.mjs";

// A page from a file has no values of ply 7. Here it has values of no block.
byId("ply7").textContent = deflateSync(Buffer.alloc(4)).toString("base64");

const timers = new Map();
const { NO_GUESS, PASS, START, kernelArguments } = await import("../../explorer/page/rules.js");
const { Contradiction, valueOf } = await import("../../explorer/page/evidence.js");
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
