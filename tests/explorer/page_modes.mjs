// Test the modes and the cards of the page without a browser. `node page_modes.mjs` runs all tests, and writes the error of each
// test as JSON, or "" if the test passed. `node page_modes.mjs NAME` runs one test.

import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { after, newApp, newFacts, newLiveApp, rules, settled } from "./page_app.mjs";
import { byId, reset, select, tellPage } from "./small_dom.mjs";

const { nameByLetters } = await import("../../explorer/page/dom.js");
const { LearnMode } = await import("../../explorer/page/learn.js");
const { RULES_BOARDS } = await import("../../explorer/page/learning.js");
const { TOUR_BOARDS, TourMode } = await import("../../explorer/page/tour.js");
const { Progress } = await import("../../explorer/page/progress.js");
const { PuzzlesMode } = await import("../../explorer/page/puzzles.js");
const { readFragment } = await import("../../explorer/page/formats.js");
const { FIRST_STATE, shownGame } = await import("../../explorer/page/state.js");
const board = await import("../../explorer/page/rules.js");

const { PASS, START, moveName } = board;
const text = (id) => byId(id).textContent;
const click = (id) => byId(id).tell("click");

// A substitute for the browser's storage. If isThere is false, each access throws an error.
function newStorage(texts = {}, isThere = true) {
  const check = () => {
    if (!isThere) throw new Error("no storage");
  };
  const storage = {
    texts,
    getItem: (name) => (check(), texts[name] ?? null),
    setItem: (name, value) => void (check(), (texts[name] = value)),
  };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true, writable: true });
  return storage;
}

const packed = (rows) => ` ${deflateSync(JSON.stringify(rows)).toString("base64")}\n`;

const TESTS = {
  // The user plays the steps of the five boards, and then a game.
  async "the rules are learnt board by board"() {
    const [spoken, started] = [[], []];
    const app = newLiveApp();
    app.speak = (said) => void spoken.push(said);
    app.modes.play = { start: (settings) => void started.push(settings) };
    const learn = new LearnMode(app);
    assert.equal(learn.truths, false);
    const shown = () => {
      learn.render();
      return [text("learn-count"), text("learn-title"), text("learn-said"), byId("learn-back").disabled, text("learn-next"), byId("learn-next").classList.contains("primary"), byId("learn-again").hidden];
    };
    learn.enter(false);
    const [first, second] = RULES_BOARDS;
    assert.deepEqual(spoken, [`The rules, board 1 of 5: ${first.text}`]);
    assert.deepEqual(shown(), ["The rules, board 1 of 5", first.title, "", true, "Next", false, true]);
    assert.equal(text("learn-text"), first.text);
    assert.equal(learn.you, "You are Black: your turn.");
    // A move that the rules forbid, a move that is not wanted, and the wanted move.
    const asked = shownGame(app.state);
    learn.onPoint(12);
    assert.equal(app.note, `Not allowed: ${rules.illegal(app.position, 12)}.`);
    learn.onPoint(0);
    assert.equal(app.note, first.steps[0].wrong);
    assert.equal(shownGame(app.state), asked);
    learn.onPoint(17);
    assert.deepEqual([app.line.moves, app.line.at, learn.you], [[17], 1, "Done: continue with the next board."]);
    assert.deepEqual([app.state.visit.moves, app.state.game], [[17], FIRST_STATE.game]);
    assert.deepEqual(shown(), ["The rules, board 1 of 5", first.title, first.steps[0].said, true, "Next", true, false]);
    learn.onPoint(0);
    assert.equal(app.note, "Show the board again to play on it once more.");
    await click("learn-again");
    assert.deepEqual([app.line.moves, app.state.learn], [[], 0]);
    await click("learn-back");
    assert.equal(app.state.learn, 0);
    await click("learn-next");
    assert.deepEqual([app.state.learn, app.position, spoken.at(-1)], [1, readFragment(second.link, rules).start, `The rules, board 2 of 5: ${second.text}`]);
    assert.deepEqual(shown().slice(0, 4), ["The rules, board 2 of 5", second.title, "", false]);

    // On the board on ko, a PASS is not a stone, and White replies before the second step.
    learn.show(3);
    learn.onPoint(PASS);
    assert.equal(app.note, "Put a stone on a point.");
    learn.onPoint(4);
    assert.deepEqual(app.line.moves, [4, 24]);
    assert.deepEqual(shown().slice(2), [RULES_BOARDS[3].steps[0].said, false, "Next", false, false]);
    app.goTo(1);
    assert.equal(learn.step, null);
    learn.onPoint(0);
    assert.equal(app.note, "Show the board again to play on it once more.");
    app.goTo(2);
    learn.onPoint(12);
    assert.deepEqual([app.line.moves, learn.you], [[4, 24, 12], "Done: continue with the next board."]);

    await click("learn-back");
    assert.equal(app.state.learn, 2);
    learn.show(9);
    assert.equal(app.state.learn, 4);
    assert.deepEqual(shown().slice(3), [false, "Play a game against Greedy", false, true]);
    learn.onPoint(PASS);
    assert.deepEqual([learn.you, shown().slice(5)], ["Done: now play a game.", [true, false]]);
    await click("learn-next");
    assert.deepEqual([app.modes.slice(), started, app.state.visit], [["play"], [{ who: "black", opponent: "greedy" }], null]);
  },

  // A restored board stays if its moves follow the steps of the lesson. Another board ends the mode.
  "a lesson is entered with a board"() {
    const app = newLiveApp();
    const learn = new LearnMode(app);
    const { start } = readFragment(RULES_BOARDS[0].link, rules);
    const enter = (game, isThere) => {
      app.modes.length = 0;
      app.dispatch({ type: "board", game, changes: { learn: 0 } });
      learn.onPosition();
      const left = app.modes.length > 0;
      learn.enter(isThere);
      return [left, app.line.moves, app.line.start];
    };
    assert.deepEqual(enter({ start, moves: [17] }, true), [false, [17], start]);
    assert.deepEqual(enter({ start, moves: [17] }, false), [false, [], start]);
    assert.deepEqual(enter({ start, moves: [0] }, true), [true, [], start]);
    assert.deepEqual(enter({ start: START, moves: [] }, true), [true, [], start]);
    assert.deepEqual(enter({ start: after(12), moves: [17] }, true), [true, [], start]);
    assert.deepEqual(app.modes.slice(), ["explore"]);
  },

  // The tour has lessons with several boards. The button "Again" appears if the board differs from the lesson.
  async "the tour goes from board to board"() {
    const [spoken, rendered] = [[], []];
    const app = newLiveApp();
    app.speak = (said) => void spoken.push(said);
    app.modes.explore = { render: () => void rendered.push(1) };
    const tour = new TourMode(app);
    const last = TOUR_BOARDS.length - 1;
    const lessons = Math.max(...TOUR_BOARDS.map(({ lesson }) => lesson)) + 1;
    const shown = () => {
      tour.render();
      return [app.state.tour, text("tour-count"), text("tour-title"), byId("tour-lesson").value, byId("tour-back").disabled, byId("tour-next").disabled, byId("tour-again").hidden];
    };
    assert.deepEqual(byId("tour-lesson").options.map(({ value, textContent }) => [value, textContent]).slice(0, 2), [["0", "1. Why the centre"], ["1", "2. Why not the corners"]]);
    tour.enter(true);
    assert.deepEqual(spoken, []);
    tour.enter(false);
    assert.deepEqual(spoken, [`Lesson 1 of ${lessons}, Why the centre, board 1 of 5: ${TOUR_BOARDS[0].text}`]);
    assert.deepEqual(shown(), [0, `Lesson 1 of ${lessons}, board 1 of 5`, "Why the centre", 0, true, false, true]);
    assert.deepEqual([text("tour-text"), rendered.length], [TOUR_BOARDS[0].text, 1]);
    await click("tour-back");
    assert.equal(app.state.tour, 0);
    await click("tour-next");
    assert.deepEqual(shown(), [1, `Lesson 1 of ${lessons}, board 2 of 5`, "Why the centre", 0, false, false, true]);
    assert.deepEqual([app.line.moves, tour.truths], [[12], true]);
    byId("tour-lesson").value = "1";
    await byId("tour-lesson").tell("change");
    assert.deepEqual(shown().slice(0, 4), [5, `Lesson 2 of ${lessons}, board 1 of 5`, "Why not the corners", 1]);
    await click("tour-next");
    assert.equal(tour.truths, false);
    await click("tour-back");
    assert.equal(app.state.tour, 5);
    tour.show(999);
    assert.deepEqual([app.state.tour, shown().slice(4)], [last, [false, true, true]]);
    tour.show(last - 1);
    assert.equal(shown()[5], false);
    // The user changes the shown board: another position, another line, or another start.
    const [{ start, moves }, index] = [readFragment(TOUR_BOARDS[4].link, rules), 4];
    for (const [game, isAsShown] of [
      [{ start, moves }, true],
      [{ start, moves, at: moves.length - 1 }, false],
      [{ start, moves: moves.slice(0, -1) }, false],
      [{ start, moves: [...moves.slice(0, -1), PASS] }, false],
      [{ start: { ...start, passed: true }, moves }, false],
    ]) {
      app.dispatch({ type: "board", game, changes: { tour: index } });
      assert.equal(shown()[6], isAsShown, JSON.stringify(game));
    }
    await click("tour-again");
    assert.deepEqual([app.line.moves, app.line.at], [moves, moves.length]);
    await click("tour-rules");
    assert.deepEqual(app.modes.slice(), ["learn"]);
  },

  // A puzzle counts as solved at the first try, solved later, shown, or tried. A wrong move or a shown answer ends the streak.
  "the progress in the puzzles is counted"() {
    const storage = newStorage();
    const progress = new Progress();
    const now = () => [progress.streak, progress.best, Object.fromEntries(progress.done)];
    assert.deepEqual(now(), [0, 0, {}]);
    progress.end("a", 1);
    progress.end("b", 1);
    assert.deepEqual(now(), [2, 2, { a: 1, b: 1 }]);
    progress.fail("a");
    progress.end("a", 3);
    assert.deepEqual(now(), [2, 2, { a: 1, b: 1 }]);
    progress.fail("c");
    progress.fail("c");
    assert.deepEqual(now(), [0, 2, { a: 1, b: 1, c: 4 }]);
    progress.end("c", 1);
    progress.end("d", 1);
    assert.deepEqual(now(), [1, 2, { a: 1, b: 1, c: 2, d: 1 }]);
    progress.end("e", 3);
    assert.deepEqual(now(), [0, 2, { a: 1, b: 1, c: 2, d: 1, e: 3 }]);
    assert.deepEqual(["a", "c", "e", "f"].map((id) => progress.isSolved(id)), [true, true, false, false]);
    progress.end("e", 1);
    progress.fail("g");
    progress.end("g", 3);
    assert.deepEqual(progress.count(["a", "c", "e", "f", "g"]), { first: 1, solved: 3 });
    assert.deepEqual(progress.count(["f"]), { first: 0, solved: 0 });
    assert.deepEqual(JSON.parse(storage.texts["little-go puzzles"]), { done: { a: 1, b: 1, c: 2, d: 1, e: 2, g: 3 }, streak: 0, best: 2 });
    // Each change is stored at once.
    for (const change of [() => progress.fail("h"), () => progress.end("i", 3)]) {
      change();
      assert.deepEqual(Object.fromEntries(new Progress().done), Object.fromEntries(progress.done));
    }
  },

  // The stored progress is read again, as far as it is valid. Without a storage the progress lasts until the page is closed.
  "the progress in the puzzles is stored"() {
    const stored = (value) => {
      newStorage({ "little-go puzzles": typeof value === "string" ? value : JSON.stringify(value) });
      const { done, streak, best } = new Progress();
      return [Object.fromEntries(done), streak, best];
    };
    assert.deepEqual(stored({ done: { a: 1, b: 2, c: 3, d: 4, e: 5, f: "1" }, streak: 3, best: 7 }), [{ a: 1, b: 2, c: 3, d: 4 }, 3, 7]);
    assert.deepEqual(stored({ done: {}, streak: "x", best: null }), [{}, 0, 0]);
    for (const bad of ["no JSON", "null", {}, []]) assert.deepEqual(stored(bad), [{}, 0, 0]);
    newStorage({}, false);
    const lost = new Progress();
    lost.end("a", 1);
    lost.fail("b");
    assert.deepEqual([lost.isSolved("a"), lost.streak, lost.best], [true, 0, 1]);
  },

  // A puzzle that was solved in another tab is solved. The other tab's streak counts if that tab has more puzzles.
  async "the progress of several tabs is joined"() {
    const storage = newStorage();
    let told = 0;
    const progress = new Progress(() => told++);
    progress.end("a", 1);
    progress.fail("b");
    const put = (done, streak, best) => (storage.texts["little-go puzzles"] = JSON.stringify({ done, streak, best }));
    const now = () => [Object.fromEntries(progress.done), progress.streak, progress.best];
    put({ a: 3, b: 2, c: 1 }, 5, 6);
    await tellPage("storage", { key: "other" });
    assert.deepEqual([told, now()], [0, [{ a: 1, b: 4 }, 0, 1]]);
    await tellPage("storage", { key: "little-go puzzles" });
    assert.deepEqual([told, now()], [1, [{ a: 1, b: 2, c: 1 }, 5, 6]]);
    put({ a: 1, b: 2, d: 1 }, 9, 3);
    progress.fail("a");
    assert.deepEqual(now(), [{ a: 1, b: 2, c: 1, d: 1 }, 5, 6]);
    put({ e: 4 }, 9, 8);
    progress.end("f", 3);
    assert.deepEqual(now(), [{ a: 1, b: 2, c: 1, d: 1, e: 4, f: 3 }, 0, 8]);
    // A wrong move that another tab has counted does not end the streak once more.
    put({ g: 4 }, 0, 0);
    progress.end("h", 1);
    progress.fail("g");
    assert.equal(progress.streak, 1);
  },
};

const errors = {};
for (const [name, test] of Object.entries(TESTS)) {
  if (process.argv[2] && process.argv[2] !== name) continue;
  reset();
  nameByLetters(false);
  newStorage();
  try {
    await test();
    errors[name] = "";
  } catch (error) {
    errors[name] = error.stack;
  }
}
console.log(process.argv[2] ? Object.values(errors).join() : JSON.stringify(errors));
