// Test the modes and the cards of the page without a browser. `node page_modes.mjs` runs all tests, and writes the error of each
// test as JSON, or "" if the test passed. `node page_modes.mjs NAME` runs one test.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { deflateSync, gzipSync } from "node:zlib";
import { after, newApp, newFacts, newLiveApp, rules, settled } from "./page_app.mjs";
import { byId, reset, select, tellPage } from "./small_dom.mjs";

const { Board, DRAWING_COLOURS, PAGE_COLOURS, boardSvg, ghostsOf } = await import("../../explorer/page/board.js");
const { wireButtons, wireSettings } = await import("../../explorer/page/controls.js");
const { Beside } = await import("../../explorer/page/beside.js");
const { Notebook } = await import("../../explorer/page/notebook.js");
const { wireOpen } = await import("../../explorer/page/open.js");
const { PlayedList } = await import("../../explorer/page/played.js");
const { PlayMode } = await import("../../explorer/page/play.js");
const { Variations, marksShown } = await import("../../explorer/page/variations.js");
const { reason } = await import("../../explorer/page/explained.js");
const { make, named, nameByLetters } = await import("../../explorer/page/dom.js");
const { JobList } = await import("../../explorer/page/jobs.js");
const { MoveList } = await import("../../explorer/page/moves.js");
const { keysAt, numbersAt, unpack } = await import("../../explorer/page/packs.js");
const { gamesOf, serveReader } = await import("../../explorer/page/reader.js");
const { LearnMode } = await import("../../explorer/page/learn.js");
const { RULES_BOARDS } = await import("../../explorer/page/learning.js");
const { TOUR_BOARDS, TourMode } = await import("../../explorer/page/tour.js");
const { Progress } = await import("../../explorer/page/progress.js");
const { PuzzlesMode } = await import("../../explorer/page/puzzles.js");
const { positionText, readFragment } = await import("../../explorer/page/formats.js");
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

// Return the elements of a drawing as texts, without their closing tags, quotes and constant attributes.
function elementsOf(svg) {
  const shortened = (one) => one.replace(/^</, "").replace(/\/?>/, " ").replaceAll('"', "").replace(" text-anchor=middle dominant-baseline=central", "");
  const rounded = (one) => one.replace(/\d+\.\d{3,}/g, (number) => String(Math.round(100 * Number(number)) / 100));
  return svg.match(/<\w[^>]*>[^<]*/g).map((one) => rounded(shortened(one)).trim());
}

const EMPTY = { black: 0, white: 0, ko: null, ply: 0, passed: false };

const at = (black, white, ply, more = {}) => ({ black, white, ko: null, ply, passed: false, ...more });

// Five puzzles, of which the last has one ply left.
const PUZZLES = [
  { position: at(187622, 14491912, 22), answers: [21], wrong: 0.097, solution: [21, 9], refutation: [9, 0], themes: ["capture", "last-plies"], others: [[4, 9]] },
  { position: at(253140, 24388384, 22, { passed: true }), answers: [23], wrong: 0.155, solution: [23, 3], refutation: [0, 3], themes: ["rescue"], others: [] },
  { position: at(2703112, 21233894, 22, { ko: 23 }), answers: [0], wrong: 0.217, solution: [0, 14], refutation: [17, 14], themes: ["ko"], others: [] },
  { position: at(1087466, 7301120, 21), answers: [PASS], wrong: 1, solution: [PASS, PASS], refutation: [23, 24, 11], themes: [], others: [] },
  { position: at(1733580, 15010850, 23), answers: [0, 15], wrong: 0.4, solution: [0], refutation: [PASS], themes: ["pass"], others: [] },
];

// Return an App in the mode "Puzzles", and the mode.
async function newPuzzles({ rows = PUZZLES, ...more } = {}) {
  const app = newLiveApp({ engine: null, playing: null, played: [], refreshed: 0, ...more });
  app.board = { focus: () => byId("board").focus() };
  app.playOn = () => void app.played.push("on");
  app.playLine = (moves) => void app.played.push(moves);
  app.stopLine = () => void app.played.push("stop");
  app.refresh = () => app.refreshed++;
  app.dispatch({ type: "mode", mode: "puzzles" });
  const puzzles = new PuzzlesMode(app, packed(rows));
  return { app, puzzles };
}

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

  // The right move, a wrong move from the puzzle's data, and a wrong move that only the kernel knows.
  async "a puzzle is answered"() {
    globalThis.matchMedia = /** @type {any} */ (() => ({ matches: isStill }));
    let isStill = false;
    const { app, puzzles } = await newPuzzles();
    assert.deepEqual([puzzles.truths, puzzles.puzzle, puzzles.locked, puzzles.title], [false, null, true, null]);
    assert.equal(puzzles.back(), true);
    assert.equal(document.activeElement, byId("board"));
    puzzles.render();
    assert.equal(text("puzzle-number"), "");
    await puzzles.enter(false);
    assert.deepEqual([app.position, app.refreshed > 0, byId("puzzle-rules").open], [PUZZLES[0].position, true, true]);
    const buttons = () => ["next", "again", "hint", "answer", "play", "explore"].filter((name) => !byId(`puzzle-${name}`).hidden).map((name) => [name, text(`puzzle-${name}`), byId(`puzzle-${name}`).classList.contains("primary")].join());
    const shown = () => {
      puzzles.render();
      return [text("puzzle-number"), text("puzzle-said"), text("puzzle-score"), ...buttons()];
    };
    assert.equal(puzzles.title, "Black to move, 2 plies left. One move wins: find it.");
    const ask = "Click on a point of the board, or on PASS. Black plays, White answers, and the stones are counted.";
    const none = "0 of 5 puzzles solved, 0 at the first try. Streak 0, your longest 0.";
    assert.deepEqual(shown(), ["Puzzle 1 of 5", ask, none, "next,Skip,false", "hint,,false", "answer,,false"]);
    assert.equal(text("puzzle-count"), "Now: Black 11, White 9 + 2.5 komi = 11.5.");

    // An illegal move is not an answer.
    puzzles.onPoint(1);
    assert.equal(app.note, `Illegal: ${rules.illegal(PUZZLES[0].position, 1)}.`);
    assert.equal(puzzles.progress.done.size, 0);
    await click("puzzle-hint");
    assert.match(shown()[1], /^Hint: The move captures stones: /);

    // A wrong move: the page explains it at once, and then plays the line.
    puzzles.onPoint(9);
    assert.deepEqual([app.line.moves, app.line.at, puzzles.said], [[9], 1, "No: 1,4 loses. Looking for what follows …"]);
    assert.deepEqual([puzzles.progress.done.get(puzzles.puzzle.id), puzzles.title], [4, null]);
    await settled();
    const lost = "No: 1,4 loses. White answers 0,0 and captures 10 stones in the upper left: W+10.5.";
    assert.deepEqual([app.line.moves, app.line.at, app.played], [[9, 0], 1, ["on"]]);
    let scrolled = 0;
    byId("puzzle-next").scrollIntoView = () => scrolled++;
    assert.deepEqual(shown(), ["Puzzle 1 of 5", lost, none, "next,Skip,false", "again,Try again,true", "play,Play it,false"]);
    assert.deepEqual([scrolled, shown() && scrolled], [1, 1]);
    puzzles.onPoint(0);
    assert.equal(app.note, "This is what follows after the move. Go back to the puzzle to try another move.");
    await click("puzzle-hint");
    assert.equal(puzzles.said, lost);
    await click("puzzle-play");
    assert.deepEqual(app.played, ["on", [0]]);
    app.playing = 1;
    assert.ok(shown().includes("play,Stop,false"));
    await click("puzzle-play");
    assert.equal(app.played.at(-1), "stop");
    app.playing = null;
    app.goTo(2);
    assert.deepEqual([shown().includes("play,Play it,false"), text("puzzle-count")], [false, "The end: Black 2, White 10 + 2.5 komi = 12.5. White wins."]);

    // Back to the puzzle, and the right move. The line is not played, because all other moves can be tried.
    await click("puzzle-again");
    assert.deepEqual([app.line.at, app.line.moves, puzzles.said], [0, [], ask]);
    app.played.length = 0;
    puzzles.onPoint(21);
    await settled();
    const won =
      "Right: 4,1 wins. 10 % of opponents go wrong here, most often by 1,4. " +
      "Then White answers 0,0 and captures 10 stones in the upper left: W+10.5. After 4,1 they stay on the board to the end; Black's 4,1 captures 3,1 and 4,0: B+0.5.";
    const one = "1 of 5 puzzles solved, 0 at the first try. Streak 0, your longest 0.";
    assert.deepEqual(shown(), ["Puzzle 1 of 5: capture, last plies", won, one, "next,Next puzzle,true", "again,Try another move,false", "play,Play it,false", "explore,,false"]);
    assert.deepEqual([app.line.moves, app.played], [[21, 9], []]);

    // After the right move every other move is explained, and the puzzle stays solved.
    puzzles.back();
    assert.equal(puzzles.said, "Click on any other point to see why it loses.");
    assert.deepEqual(buttons(shown()), ["next,Next puzzle,true", "explore,,false"]);
    isStill = true;
    puzzles.onPoint(4);
    await settled();
    assert.equal(puzzles.said, "No: 0,4 loses. After 0,4 White's 3,1 and 4,0 stay on the board to the end: W+2.5.");
    assert.deepEqual([app.line.moves, app.played, puzzles.kept.done], [[4, 9], [], true]);
    isStill = false;
    puzzles.back();
    puzzles.onPoint(PASS);
    await settled();
    assert.equal(puzzles.said, "No: PASS loses. Without the kernel nothing more is known about the move.");
    assert.deepEqual(app.line.moves, [PASS]);
    // A return to the puzzle during the search keeps the puzzle on the board.
    puzzles.back();
    app.played.length = 0;
    puzzles.onPoint(9);
    app.goTo(0);
    await settled();
    assert.deepEqual([app.line.at, app.line.moves, app.played, puzzles.said], [0, [9, 0], [], lost]);
    await click("puzzle-explore");
    await click("puzzle-learn");
    assert.deepEqual(app.modes.slice(), ["explore", "learn"]);
  },

  // The kernel finds the line after a move, and the reason. Another puzzle, or another mode, ends the search.
  async "the kernel explains an answer"() {
    const asked = [];
    const answers = { explain: [[25, 4], [21, 9], 1], settle: [[9]] };
    const engine = { lines: async (facts, name, position, goal) => (asked.push([name, position.ply, goal]), answers[name]) };
    const { app, puzzles } = await newPuzzles({ engine });
    await puzzles.enter(false);
    const answer = async (move) => {
      puzzles.back();
      puzzles.onPoint(move);
      await settled();
      return [puzzles.said, app.line.moves];
    };
    const [said, line] = await answer(PASS);
    assert.match(said, /^No: PASS loses\. /);
    assert.deepEqual([line, asked], [[25, 4], [["explain", 22, PASS]]]);
    assert.doesNotMatch(said, /Without the kernel/);
    // The search for a line of a move that costs nothing.
    answers.explain = null;
    app.facts.note(rules.key(rules.play(PUZZLES[0].position, PASS)), { lo: -4, hi: -4 }, 0, 0);
    assert.deepEqual((await answer(PASS))[1], [PASS, 9]);
    assert.deepEqual(asked.slice(1), [["explain", 22, PASS], ["settle", 23, 4]]);
    // A PASS that ends the game has no line after it.
    asked.length = 0;
    puzzles.another();
    assert.deepEqual((await answer(PASS)), ["No: PASS loses. PASS ends the game with 11 black and 9 white stones: W+0.5.", [PASS]]);
    assert.deepEqual(asked, []);

    engine.lines = () => new Promise((resolve) => setTimeout(() => resolve([[1, 2], [23, 3], 1]), 5));
    for (const stop of [() => puzzles.leave(), () => puzzles.another()]) {
      puzzles.back();
      puzzles.onPoint(1);
      stop();
      const { moves } = app.line;
      await settled();
      assert.deepEqual([app.line.moves, puzzles.search.isRunning], [moves, false]);
    }
  },

  // The answer can be shown. Each puzzle has its own task, and a hint of its first theme.
  async "the puzzles are gone through"() {
    const { app, puzzles } = await newPuzzles();
    await click("puzzle-answer");
    await click("puzzle-hint");
    assert.equal(puzzles.progress.done.size, 0);
    await puzzles.enter(false);
    const numbers = [];
    const tasks = [];
    for (let count = 0; count < 6; count++) {
      puzzles.render();
      numbers.push(text("puzzle-number"));
      tasks.push([puzzles.title, puzzles.said.replace(/^.*PASS\. /, ""), (puzzles.hint(), puzzles.said.slice(0, 24))]);
      document.activeElement = null;
      await click("puzzle-next");
      assert.equal(document.activeElement, byId("board"));
    }
    assert.deepEqual(numbers, [1, 2, 3, 4, 5, 1].map((number) => `Puzzle ${number} of 5`));
    const two = "Black plays, White answers, and the stones are counted.";
    assert.deepEqual(tasks.slice(0, 5), [
      ["Black to move, 2 plies left. One move wins: find it.", two, "Hint: The move captures "],
      ["Black to move, 2 plies left. One move wins: find it. The last ply was a PASS: another one ends the game.", two, "Hint: Some of your stone"],
      [`Black to move, 2 plies left. One move wins: find it. 4,3 is ${board.BY_KO}.`, two, "Hint: The move captures "],
      ["White to move, 3 plies left. One move wins: find it.", "White and Black play in turn, 3 plies in all, and the stones are counted.", "Hint: no theme describes"],
      ["White to move, the last ply. One move wins: find it.", "White plays, and the stones are counted.", "Hint: Find out what happ"],
    ]);
    assert.equal(puzzles.puzzle.number, 2);
    await click("puzzle-answer");
    assert.equal(document.activeElement, byId("puzzle-next"));
    await settled();
    assert.match(puzzles.said, /^The answer: 4,3 wins\. 16 % of opponents go wrong here, most often by 0,0\. After 0,0 White's /);
    assert.equal(puzzles.progress.done.get(puzzles.puzzle.id), 3);
    // A solved puzzle is skipped, as long as another puzzle is not solved.
    puzzles.another();
    puzzles.onPoint(0);
    await settled();
    assert.deepEqual([puzzles.progress.isSolved(puzzles.puzzle.id), puzzles.progress.streak], [true, 1]);
    puzzles.another();
    puzzles.another();
    for (const number of [1, 2, 4]) {
      puzzles.another();
      assert.equal(puzzles.puzzle.number, number);
    }
    for (const { id } of puzzles.all) puzzles.progress.end(id, 1);
    puzzles.another();
    puzzles.another();
    assert.equal(puzzles.puzzle.number, 1);
  },

  // The filters choose the puzzles by the share of wrong answers and by theme.
  async "the puzzles are filtered"() {
    const { app, puzzles } = await newPuzzles();
    await puzzles.enter(false);
    const options = (id) => byId(id).options.map(({ value, textContent }) => [value, textContent].join(": "));
    assert.deepEqual(options("puzzle-grade"), ["0: 1: 0 to 20 % go wrong", "1: 2: 20 to 40 % go wrong", "2: 3: 40 to 60 % go wrong", "3: 4: 60 to 80 % go wrong", "4: 5: 80 to 100 % go wrong"]);
    assert.deepEqual(options("puzzle-theme").slice(0, 2), ["pass: PASS", "capture: Capture"]);
    const choose = async (grade, theme) => {
      byId("puzzle-grade").value = grade;
      byId("puzzle-theme").value = theme;
      await byId("puzzle-grade").tell("change");
      puzzles.render();
      return [puzzles.puzzle.number, byId("puzzle-grade").value, byId("puzzle-theme").value, text("puzzle-score").split(",")[0], puzzles.kept.said];
    };
    assert.deepEqual(await choose("1", ""), [3, "1", "", "0 of 1 puzzle solved", ""]);
    assert.deepEqual(await choose("4", ""), [4, "4", "", "0 of 1 puzzle solved", ""]);
    assert.deepEqual(await choose("", "pass"), [5, "", "pass", "0 of 1 puzzle solved", ""]);
    assert.deepEqual(await choose("0", ""), [1, "0", "", "0 of 2 puzzles solved", ""]);
    assert.deepEqual(await choose("0", "ko"), [1, "0", "ko", "0 of 0 puzzles solved", "There is no such puzzle."]);
    assert.equal(app.line.at, 0);
    byId("puzzle-theme").value = "rescue";
    await byId("puzzle-theme").tell("change");
    assert.equal(puzzles.puzzle.number, 2);
    // The fields show the filters of a restored state.
    app.dispatch({ type: "set", changes: { puzzles: { ...puzzles.kept, grade: "2", theme: "pass" } } });
    puzzles.render();
    assert.deepEqual([byId("puzzle-grade").value, byId("puzzle-theme").value], ["2", "pass"]);
  },

  // The mode shows the puzzle that an address or a restored state names. Another position ends the mode.
  async "a puzzle is entered with a position"() {
    const enter = async (game, puzzle, isThere, done = false) => {
      const { app, puzzles } = await newPuzzles();
      await puzzles._read();
      const id = puzzle === null ? null : puzzles.all[puzzle].id;
      app.dispatch({ type: "board", game, changes: { puzzles: { ...FIRST_STATE.puzzles, id, done } } });
      await puzzles.enter(isThere);
      return [puzzles.puzzle?.number ?? null, app.line.moves, app.modes.slice(), puzzles.kept.done, app];
    };
    const third = { start: PUZZLES[2].position, moves: [0] };
    assert.deepEqual((await enter(third, 2, true)).slice(0, 4), [3, [0], [], false]);
    assert.deepEqual((await enter(third, 2, false, true)).slice(0, 4), [3, [], [], true]);
    assert.deepEqual((await enter({ start: START, moves: [] }, null, true)).slice(0, 4), [1, [], [], false]);
    assert.deepEqual((await enter({ start: START, moves: [] }, 4, true)).slice(0, 4), [5, [], [], false]);
    assert.deepEqual((await enter({ start: after(12, 6), moves: [] }, null, true)).slice(0, 4), [null, [], ["explore"], false]);
    const { app, puzzles } = await newPuzzles();
    puzzles.onPosition();
    assert.deepEqual(app.modes.slice(), []);
    // The rules of the puzzles are open until the user has tried a puzzle. Another tab's progress is shown.
    puzzles.progress.fail("x");
    await puzzles.enter(false);
    assert.equal(byId("puzzle-rules").open, false);
    const before = app.refreshed;
    await tellPage("storage", { key: "little-go puzzles" });
    assert.equal(app.refreshed, before + 1);
    // The notebook opens a puzzle of a kind of mistake.
    const kinds = await puzzles.byKind();
    assert.deepEqual([...kinds].map(([kind, found]) => [kind, found.map(({ number }) => number)]), [
      ["leaves stones in atari", [1]],
      ["misses a capture", [2, 3]],
      ["misses a PASS", [4]],
      ["passes", [5]],
    ]);
    puzzles.openPuzzle(puzzles.all[3]);
    assert.deepEqual([puzzles.puzzle.number, puzzles.kept.done, app.modes.at(-1)], [4, false, "puzzles"]);
  },

  // Each kind of mark has its own shape at its point. The colours are the names of the style sheet.
  "a board is drawn"() {
    const colours = Object.fromEntries(Object.keys(DRAWING_COLOURS).map((name) => [name, name]));
    const draw = (view) => elementsOf(boardSvg({ position: EMPTY, ...view }, colours));
    const plain = draw({});
    const label = (x, y, name) => `text x=${x} y=${y} font-size=17 font-weight=400 fill=edge ${name}`;
    const labels = (columns, rows) => [0, 1, 2, 3, 4].flatMap((index) => [label(84 + 100 * index, 22, columns[index]), label(22, 84 + 100 * index, rows[index])]);
    const lines = [84, 184, 284, 384, 484].map((place) => `M84 ${place}H484M${place} 84V484`).join("");
    assert.deepEqual(plain, [
      "svg xmlns=http://www.w3.org/2000/svg viewBox=0 0 568 568 font-family=ui-sans-serif, system-ui, sans-serif",
      "rect width=568 height=568 rx=18 fill=board",
      `path d=${lines} stroke=line stroke-width=2 fill=none stroke-linecap=square`,
      "circle cx=284 cy=284 r=5 fill=line",
      ...labels("01234", "01234"),
    ]);
    assert.deepEqual(draw({ names: "a1" }).slice(4), labels("ABCDE", "54321"));
    assert.match(boardSvg({ position: EMPTY }, colours), /^<svg .*<\/text><\/svg>$/);

    const [BLACK, WHITE] = [{ ...EMPTY, black: 1 << 7 }, { ...EMPTY, white: 1 << 7 }];
    const mark = (one) => ({ marks: new Map([[7, one]]) });
    const sign = (one) => ({ signs: [{ point: 7, ...one }] });
    const fact = (lo, hi = lo) => ({ lo, hi });
    for (const [view, ...wanted] of [
      [{ position: BLACK }, "circle cx=285.5 cy=187 r=43 fill=#000 opacity=.18", "circle cx=284 cy=184 r=43 fill=black stroke=rim stroke-width=1.5"],
      [{ position: WHITE }, "circle cx=285.5 cy=187 r=43 fill=#000 opacity=.18", "circle cx=284 cy=184 r=43 fill=white stroke=rim stroke-width=1.5"],
      [{ position: BLACK, last: 7 }, "circle cx=285.5 cy=187 r=43 fill=#000 opacity=.18", "circle cx=284 cy=184 r=43 fill=black stroke=rim stroke-width=1.5", "circle cx=284 cy=184 r=13 fill=none stroke=white stroke-width=4"],
      [{ position: WHITE, last: 7 }, "circle cx=285.5 cy=187 r=43 fill=#000 opacity=.18", "circle cx=284 cy=184 r=43 fill=white stroke=rim stroke-width=1.5", "circle cx=284 cy=184 r=13 fill=none stroke=black stroke-width=4"],
      [{ taken: 1 << 7 }, "path d=M271 171L297 197M271 197L297 171 stroke=line stroke-width=6 stroke-linecap=round"],
      [{ position: { ...EMPTY, ko: 7 } }, "rect x=262 y=162 width=44 height=44 fill=board stroke=line stroke-width=4", "text x=284 y=185 font-size=20 font-weight=700 fill=line ko"],
      [{ ghosts: [{ point: 7, colour: 0, number: 3 }] }, "g opacity=.92", "circle cx=284 cy=184 r=34 fill=black stroke=rim stroke-width=2 stroke-dasharray=6 4", "text x=284 y=185 font-size=26 font-weight=700 fill=white 3"],
      [{ ghosts: [{ point: 7, colour: 1, number: 12 }] }, "g opacity=.92", "circle cx=284 cy=184 r=34 fill=white stroke=rim stroke-width=2 stroke-dasharray=6 4", "text x=284 y=185 font-size=26 font-weight=700 fill=black 12"],
      [{ ghosts: [{ point: 7, colour: 1, number: 12 }], ...mark({ hint: true }), taken: 1 << 7 }, "path d=M271 171L297 197M271 197L297 171 stroke=line stroke-width=6 stroke-linecap=round", "g opacity=.92", "circle cx=284 cy=184 r=34 fill=white stroke=rim stroke-width=2 stroke-dasharray=6 4", "text x=284 y=185 font-size=26 font-weight=700 fill=black 12"],
      [{ named: [7] }, "rect x=238 y=138 width=92 height=92 rx=11.5 fill=none stroke=lit stroke-width=5"],
      [{ marks: new Map([[PASS, { move: "?!", colour: 1 }]]) }, "text x=284 y=552 font-size=22 font-weight=700 fill=edge PASS ?!"],
      [mark({ hint: true }), "circle cx=284 cy=184 r=36 fill=best", "text x=284 y=185 font-size=20 font-weight=700 fill=board hint"],
      [mark({ move: "!", colour: 0 }), "rect x=245 y=145 width=78 height=78 rx=9.75 fill=black stroke=good stroke-width=8", "text x=284 y=185 font-size=44 font-weight=700 fill=white !"],
      [mark({ move: "!", colour: 1 }), "rect x=245 y=145 width=78 height=78 rx=9.75 fill=white stroke=good stroke-width=8", "text x=284 y=185 font-size=44 font-weight=700 fill=black !"],
      [mark({ move: "??", colour: 0 }), "circle cx=284 cy=184 r=39 fill=black stroke=bad stroke-width=8 stroke-dasharray=10 6", "text x=284 y=185 font-size=32 font-weight=700 fill=white ??"],
      [mark({ move: "??", colour: 1 }), "circle cx=284 cy=184 r=39 fill=white stroke=bad stroke-width=8 stroke-dasharray=10 6", "text x=284 y=185 font-size=32 font-weight=700 fill=black ??"],
      [mark({ fact: fact(3) }), "g", "rect x=248 y=148 width=72 height=72 rx=9 fill=open stroke=black-wins stroke-width=3", "text x=284 y=185 font-size=17.5 font-weight=700 fill=black-wins B+0.5"],
      [mark({ fact: fact(3), best: true }), "g", "rect x=248 y=148 width=72 height=72 rx=9 fill=black-wins stroke=black-wins stroke-width=3", "rect x=242.5 y=142.5 width=83 height=83 rx=10.38 fill=none stroke=best stroke-width=3.5", "text x=284 y=185 font-size=17.5 font-weight=700 fill=on-result B+0.5"],
      [mark({ fact: fact(3), lit: true }), "g", "rect x=245 y=145 width=78 height=78 rx=9.75 fill=open stroke=black-wins stroke-width=3", "text x=284 y=185 font-size=17.5 font-weight=700 fill=black-wins B+0.5"],
      [mark({ fact: fact(-10), dim: true }), "g opacity=.5", "circle cx=284 cy=184 r=39 fill=open stroke=white-wins stroke-width=3", "text x=284 y=185 font-size=15 font-weight=700 fill=white-wins W+12.5"],
      [mark({ fact: fact(0), best: true, lit: true }), "g", "circle cx=284 cy=184 r=42 fill=white-wins stroke=white-wins stroke-width=3", "circle cx=284 cy=184 r=47.5 fill=none stroke=best stroke-width=3.5", "text x=284 y=185 font-size=17.5 font-weight=700 fill=on-result W+2.5"],
      [mark({ fact: fact(3, 24) }), "g", "rect x=248 y=148 width=72 height=72 rx=9 fill=open stroke=black-wins stroke-width=3", "text x=284 y=185 font-size=24 font-weight=700 fill=black-wins B+"],
      [mark({ fact: fact(-24, 24) }), "g", "circle cx=284 cy=184 r=39 fill=open stroke=on-open stroke-width=1.5 stroke-dasharray=4 4", "text x=284 y=185 font-size=24 font-weight=700 fill=on-open ?"],
      [mark({ fact: fact(-24, 24), best: true }), "g", "circle cx=284 cy=184 r=39 fill=on-open stroke=on-open stroke-width=1.5 stroke-dasharray=4 4", "circle cx=284 cy=184 r=44.5 fill=none stroke=best stroke-width=3.5", "text x=284 y=185 font-size=24 font-weight=700 fill=on-result ?"],
      [sign({ kind: "letter", text: "A" }), "circle cx=284 cy=184 r=27 fill=board stroke=line stroke-width=2", "text x=284 y=185 font-size=34 font-weight=700 fill=black A"],
      [sign({ kind: "letter", text: "a<&" }), "circle cx=284 cy=184 r=27 fill=board stroke=line stroke-width=2", "text x=284 y=185 font-size=34 font-weight=700 fill=black a&lt;&amp;"],
      [sign({ kind: "letter", text: "long" }), "circle cx=284 cy=184 r=27 fill=board stroke=line stroke-width=2", "text x=284 y=185 font-size=34 font-weight=700 fill=black lo…"],
      [sign({ kind: "triangle" }), "circle cx=284 cy=184 r=27 fill=board stroke=line stroke-width=2", "path d=M284 165L301 195H267Z fill=none stroke=black stroke-width=5 stroke-linejoin=round"],
      [sign({ kind: "square" }), "circle cx=284 cy=184 r=27 fill=board stroke=line stroke-width=2", "rect x=270 y=170 width=28 height=28 rx=3.5 fill=none stroke=black stroke-width=5 stroke-linejoin=round"],
      [sign({ kind: "circle" }), "circle cx=284 cy=184 r=27 fill=board stroke=line stroke-width=2", "circle cx=284 cy=184 r=15 fill=none stroke=black stroke-width=5 stroke-linejoin=round"],
      [{ ...sign({ kind: "circle" }), position: BLACK }, "circle cx=285.5 cy=187 r=43 fill=#000 opacity=.18", "circle cx=284 cy=184 r=43 fill=black stroke=rim stroke-width=1.5", "circle cx=284 cy=184 r=15 fill=none stroke=white stroke-width=5 stroke-linejoin=round"],
      [{ ...sign({ kind: "circle" }), position: WHITE }, "circle cx=285.5 cy=187 r=43 fill=#000 opacity=.18", "circle cx=284 cy=184 r=43 fill=white stroke=rim stroke-width=1.5", "circle cx=284 cy=184 r=15 fill=none stroke=black stroke-width=5 stroke-linejoin=round"],
      [{ ...sign({ kind: "circle" }), ...mark({ hint: true }) }, "circle cx=284 cy=184 r=36 fill=best", "text x=284 y=185 font-size=20 font-weight=700 fill=board hint", "g transform=translate(317 151) scale(.6) translate(-284 -184)", "circle cx=284 cy=184 r=27 fill=board stroke=line stroke-width=2", "circle cx=284 cy=184 r=15 fill=none stroke=black stroke-width=5 stroke-linejoin=round"],
      [{ ...sign({ kind: "circle" }), ghosts: [{ point: 7, colour: 0, number: 3 }] }, "g opacity=.92", "circle cx=284 cy=184 r=34 fill=black stroke=rim stroke-width=2 stroke-dasharray=6 4", "text x=284 y=185 font-size=26 font-weight=700 fill=white 3", "g transform=translate(317 151) scale(.6) translate(-284 -184)", "circle cx=284 cy=184 r=27 fill=board stroke=line stroke-width=2", "circle cx=284 cy=184 r=15 fill=none stroke=black stroke-width=5 stroke-linejoin=round"],
      [sign({ kind: "arrow", to: 24 }), "g opacity=.85", "path d=M291.77 195.65L449.05 431.58 stroke=best stroke-width=9", "path d=M460.15 448.22L458.21 418.27L433.24 434.91Z fill=best"],
      [sign({ kind: "arrow", to: 20 }), "g opacity=.85", "path d=M276.23 195.65L118.95 431.58 stroke=best stroke-width=9", "path d=M107.85 448.22L134.76 434.91L109.79 418.27Z fill=best"],
      [sign({ kind: "arrow", to: 5 }), "g opacity=.85", "path d=M270 184L147 184 stroke=best stroke-width=9", "path d=M127 184L153 199L153 169Z fill=best"],
      [sign({ kind: "arrow", to: 2 }), "g opacity=.85", "path d=M284 170L284 147 stroke=best stroke-width=9", "path d=M284 127L269 153L299 153Z fill=best"],
    ])
      assert.deepEqual(draw(view).slice(plain.length), wanted, JSON.stringify(view));

    // Each point has its own place. A stone, a mark and a cross exclude each other.
    for (const [point] of Array(board.POINTS).entries()) {
      const place = [84 + 100 * (point % 5), 84 + 100 * Math.floor(point / 5)];
      const [, stone, ...more] = draw({ position: { ...EMPTY, white: 1 << point }, ...{ marks: new Map([[point, { hint: true }]]) }, taken: 1 << point }).slice(plain.length);
      assert.deepEqual([stone, more], [`circle cx=${place[0]} cy=${place[1]} r=43 fill=white stroke=rim stroke-width=1.5`, []]);
      const [chip, , ...others] = draw({ marks: new Map([[point, { hint: true }]]), taken: 1 << point }).slice(plain.length);
      assert.deepEqual([chip, others], [`circle cx=${place[0]} cy=${place[1]} r=36 fill=best`, []]);
    }
    // An arrow is below the stones, and the other signs are above them. A sign is at the side of its own mark only.
    const layers = draw({ position: BLACK, signs: [{ kind: "square", point: 7 }, { kind: "arrow", point: 0, to: 4 }, { kind: "circle", point: 8 }], ghosts: [{ point: 9, colour: 0, number: 1 }], ...{ marks: new Map([[10, { hint: true }]]) } });
    assert.deepEqual(layers.slice(plain.length).map((one) => one.split(" ")[0]), ["g", "path", "path", "circle", "circle", "circle", "text", "g", "circle", "text", "rect", "circle", "circle"]);
    assert.equal(PAGE_COLOURS["on-open"], "var(--on-open)");
  },

  // The stones of a line stop at the first point that is occupied, and have numbers with a PASS counted.
  "a line is drawn as small stones"() {
    const ghosts = (position, line) => ghostsOf(position, line).map(({ point, colour, number }) => [point, colour, number]);
    assert.deepEqual(ghosts(START, [12, 6, PASS, 7]), [[12, 0, 1], [6, 1, 2], [7, 1, 4]]);
    assert.deepEqual(ghosts(after(12), [6, 7, 6, 8]), [[6, 1, 1], [7, 0, 2]]);
    assert.deepEqual(ghosts(after(12), [6, 12, 8]), [[6, 1, 1]]);
    assert.equal(ghosts(START, [...Array(20).keys()]).length, 12);
  },

  // A click on a point, the pointer on a point, and the arrow keys, which go from point to point but not beyond the edge.
  async "the points of the board are buttons"() {
    const [clicked, looked] = [[], []];
    const shown = new Board(byId("board"), { onPoint: (point) => void clicked.push(point), onHover: (point) => void looked.push(point) });
    const { buttons } = shown;
    const grid = byId("board .points");
    assert.deepEqual(grid.children.map((row) => [row.attributes.role, row.children.map(({ attributes, children: [button] }) => [attributes.role, buttons.indexOf(button)])]), [0, 1, 2, 3, 4].map((row) => ["row", [0, 1, 2, 3, 4].map((column) => ["gridcell", 5 * row + column])]));
    assert.deepEqual([buttons[7].dataset.point, buttons[7].attributes.type], ["1,2", "button"]);
    const reached = () => buttons.map(({ tabIndex }, point) => [point, tabIndex]).filter(([, index]) => index !== -1);
    assert.deepEqual(reached(), [[12, 0]]);
    shown.focus();
    assert.equal(document.activeElement, buttons[12]);
    await buttons[3].tell("click");
    await buttons[4].tell("pointermove", { pointerType: "mouse" });
    await buttons[4].tell("pointerleave", { pointerType: "mouse" });
    assert.deepEqual([clicked, looked], [[3], [4, null]]);
    await buttons[3].tell("focus");
    assert.deepEqual([reached(), looked.at(-1)], [[[3, 0]], 3]);
    const focusWith = {};
    buttons[3].focus = (options) => Object.assign(focusWith, options);
    shown.focus();
    assert.deepEqual(focusWith, { preventScroll: true });
    const press = async (point, key, more = {}) => {
      document.activeElement = null;
      const handled = [];
      await grid.tell("keydown", { target: buttons[point], key, preventDefault: () => handled.push("default"), stopPropagation: () => handled.push("more"), ...more });
      return [buttons.indexOf(document.activeElement), handled.length];
    };
    for (const [point, ...to] of [[12, 7, 17, 11, 13], [6, 1, 11, 5, 7], [0, -1, 5, -1, 1], [24, 19, -1, 23, -1]])
      for (const [index, key] of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].entries()) assert.deepEqual(await press(point, key), [to[index], 2], `${point} ${key}`);
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) assert.deepEqual(await press(12, "ArrowDown", more), [-1, 0]);
    assert.deepEqual(await press(12, "x"), [-1, 0]);
    shown.show({ position: after(12), names: "ij" }, [...Array(25).keys()].map((point) => `label ${point}`));
    assert.equal(shown.element, byId("board"));
    assert.equal(byId("board .drawing").innerHTML, boardSvg({ position: after(12), names: "ij" }, PAGE_COLOURS));
    assert.deepEqual([11, 12].map((point) => [buttons[point].getAttribute("aria-label"), buttons[point].classList.contains("stone")]), [["label 11", false], ["label 12", true]]);
  },

  // The tabs and the buttons of the page call the App. The arrow keys move between the tabs.
  async "the buttons of the page do what they say"() {
    const done = [];
    const note = (name) => (...given) => void done.push([name, ...given]);
    const app = newApp({ line: { at: 2, moves: [12, 6, 13, 7] }, mode: {}, modeName: "explore", state: { play: { ...FIRST_STATE.play, who: "white" } }, modes: { play: { start: note("start") } } });
    for (const name of ["undo", "redo", "comeIn", "goTo", "goHome", "_onPoint", "readAddress", "setMode", "load", "dispatch"]) app[name] = note(name);
    const tabs = ["explore", "play", "review"].map((mode) => make("button", { "data-mode": mode }));
    const strange = make("button", { "data-mode": "nothing" });
    byId("tabs").append(...tabs);
    select("[data-mode]", [...tabs, strange]);
    select("[data-mode]:not([hidden])", tabs);
    byId("door-learn").hidden = true;
    wireButtons(app);
    assert.deepEqual([...tabs, strange].map(({ hidden }) => hidden), [false, false, false, true]);
    assert.deepEqual(["learn", "look", "puzzles"].map((door) => byId(`door-${door}`).hidden), [false, false, false]);
    const did = async (act) => {
      done.length = 0;
      await act();
      return done.slice();
    };
    const pressed = (id) => did(() => click(id));
    assert.deepEqual(await did(() => tabs[1].click()), [["setMode", "play"]]);
    for (const [id, ...calls] of [
      ["undo", ["undo"]],
      ["redo", ["redo"]],
      ["door-learn", ["setMode", "learn"]],
      ["door-play", ["dispatch", { type: "set", changes: { play: { ...FIRST_STATE.play, who: "black", opponent: "greedy" } } }], ["setMode", "play"]],
      ["door-look", ["setMode", "tour"]],
      ["door-puzzles", ["setMode", "puzzles"]],
      ["door-explore", ["comeIn"]],
      ["to-start", ["goTo", 0]],
      ["back", ["goTo", 1]],
      ["forward", ["goTo", 3]],
      ["to-end", ["goTo", 4]],
      ["pass", ["_onPoint", PASS]],
      ["mine", ["goHome"]],
      ["edit", ["setMode", "edit"]],
      ["new", ["setMode", "explore"], ["load", { start: START, moves: [] }]],
    ])
      assert.deepEqual(await pressed(id), calls, id);
    app.modeName = "edit";
    assert.deepEqual(await pressed("edit"), [["setMode", "explore"]]);
    app.modeName = "play";
    assert.deepEqual(await pressed("new"), [["start"]]);
    app.modeName = "review";
    assert.deepEqual(await pressed("new"), [["load", { start: START, moves: [] }]]);
    app.mode = { another: note("another") };
    assert.deepEqual(await pressed("new"), [["another"]]);
    await click("help-button");
    assert.equal(byId("help-dialog").open, true);
    assert.deepEqual(await did(() => tellPage("popstate", { state: 5 })), [["readAddress", 5]]);
    assert.deepEqual(await did(() => tellPage("hashchange")), [["readAddress"]]);

    const press = async (tab, key, more = {}) => {
      document.activeElement = null;
      const handled = [];
      const calls = await did(() => byId("tabs").tell("keydown", { target: tabs[tab], key, preventDefault: () => handled.push(1), stopPropagation: () => handled.push(2), ...more }));
      const to = tabs.indexOf(document.activeElement);
      assert.deepEqual(calls, to < 0 ? [] : [["setMode", tabs[to].dataset.mode]]);
      assert.equal(handled.length, to < 0 ? 0 : 2);
      return to;
    };
    const keys = ["ArrowLeft", "ArrowRight", "Home", "End", "x"];
    for (const [tab, ...to] of [[0, 2, 1, 0, 2, -1], [1, 0, 2, 0, 2, -1], [2, 1, 0, 0, 2, -1]])
      for (const [index, key] of keys.entries()) assert.equal(await press(tab, key), to[index], `${tab} ${key}`);
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) assert.equal(await press(0, "End", more), -1);
  },

  // The two settings are stored by the browser, and used at once.
  async "the settings of the page are stored"() {
    const boxes = () => [byId("letter-keys").checked, byId("letter-names").checked];
    const open = (stored, isThere = true) => {
      const storage = newStorage(stored === null ? {} : { "little-go settings": stored }, isThere);
      reset();
      const app = newApp({ refreshes: 0 });
      app.refresh = () => app.refreshes++;
      wireSettings(app);
      return { app, storage };
    };
    const set = (names) => ({ type: "set", changes: { names } });
    for (const [stored, keys, letters] of [
      [null, true, false],
      ["x", true, false],
      ["{}", true, false],
      [JSON.stringify({ keys: false, names: "a1" }), false, true],
      [JSON.stringify({ keys: true, names: "other" }), true, false],
    ]) {
      const { app } = open(stored);
      assert.deepEqual([boxes(), app.sent, app.refreshes, named("2,2")], [[keys, letters], [set(letters ? "a1" : "ij")], 1, letters ? "C3" : "2,2"], String(stored));
    }
    for (const isThere of [true, false]) {
      const { app, storage } = open(null, isThere);
      const change = async (id, isOn) => {
        byId(id).checked = isOn;
        await byId(id).tell("change");
      };
      await change("letter-names", true);
      assert.deepEqual([app.sent.at(-1), app.refreshes, named("2,2")], [set("a1"), 2, "C3"]);
      await change("letter-keys", false);
      assert.deepEqual(storage.texts, isThere ? { "little-go settings": JSON.stringify({ keys: false, names: "a1" }) } : {});
      await change("letter-names", false);
      assert.deepEqual([app.sent.at(-1), named("2,2")], [set("ij"), "2,2"]);
    }
  },

  // A row shows the result of its moves, the loss and the source. The best moves come first, and a focused row keeps the focus.
  async "the list of moves shows each move"() {
    const [looked, played] = [[], []];
    const newRow = () => {
      const [name, result, loss, origin] = ["name", "result", "loss", "origin"].map((kind) => make("span", { class: kind }));
      name.append(make("span"), make("span"));
      return make("li", {}, make("button", {}, name, result, loss, origin));
    };
    byId("move-row").content = { firstElementChild: { cloneNode: (isDeep) => (assert.equal(isDeep, true), newRow()) } };
    const list = new MoveList({ onLook: (one) => void looked.push(one), onPlay: (move) => void played.push(move) });
    let facts = newFacts();
    const position = after(12);
    // Let the value after each move be 7, except after some moves: by move, its bounds and the cost of its search.
    const know = (others) => {
      facts = newFacts();
      for (const { moves: [move] } of facts.about(position).moves) {
        const [lo, hi, ...cost] = others[move] ?? [7, 7, 0, 0];
        facts.note(rules.key(rules.play(position, move)), { lo, hi }, ...cost);
      }
    };
    const show = (isComputing = false) => {
      list.show(position, facts.about(position), isComputing);
      return byId("moves ol").children;
    };
    const told = (row) => {
      const [name, result, loss, origin] = row.firstElementChild.children;
      return [name.firstChild.textContent, name.lastChild.textContent, result.textContent, loss.textContent, origin.textContent, row.className, row.dataset.lo, row.dataset.hi, row.dataset.source];
    };
    const rows = show();
    assert.equal(list.rows.size, rows.length);
    assert.deepEqual(told(rows[0]), ["0,0", "= 0,4 4,0 4,4", "?", "", "unknown", "open", -24, 24, "unknown"]);
    assert.equal(told(show(true)[0])[4], "computing");
    know({ 6: [1, 1, 12, 0.5], 7: [3, 5, 0, 0] });
    const better = show();
    assert.deepEqual(told(better[0]), ["1,1", "= 1,3 3,1 3,3", "W+1.5", "best", "computed now", "white best exact", 1, 1, "kernel"]);
    assert.deepEqual(told(better.at(-1)).slice(2, 6), ["B+4.5", "6 points", "computed now", "black exact"]);
    const origin = (row) => row.firstElementChild.children[3].firstElementChild.title;
    assert.match(origin(better[0]), / It took 12 nodes, 0\.50 s\.$/);
    assert.doesNotMatch(origin(better.at(-1)), /It took/);
    // The rows of the same moves stay, so the focus and the pointer stay on them.
    const focused = better[0].firstElementChild;
    const shownBadge = focused.children[3].firstElementChild;
    assert.equal(show()[0].firstElementChild.children[3].firstElementChild, shownBadge);
    focused.focus();
    know({ 0: [-3, -3, 0, 0], 6: [1, 1, 12, 0.5] });
    let focuses = 0;
    focused.focus = () => focuses++;
    const third = show();
    assert.deepEqual([told(third[0])[0], told(third[1])[0], third[1] === better[0], focuses], ["0,0", "1,1", true, 1]);
    show();
    assert.equal(focuses, 1);
    const lit = () => byId("moves ol").children.filter((row) => row.classList.contains("lit")).map((row) => told(row)[0]);
    list.light([6, 8, 16, 18]);
    assert.deepEqual(lit(), ["1,1"]);
    list.light(null);
    assert.deepEqual(lit(), []);
    await focused.tell("click");
    await focused.tell("pointermove", { pointerType: "mouse" });
    await focused.tell("pointerleave", { pointerType: "mouse" });
    assert.deepEqual([played, looked.map((one) => one?.moves ?? null)], [[6], [[6, 8, 16, 18], null]]);
    // Another position has other rows, and a move without symmetric moves has no other names.
    const other = after(12, 6);
    const before = third[0];
    byId("moves ol").append(before);
    list.show(other, newFacts().about(other), false);
    const names = byId("moves ol").children.map((row) => told(row).slice(0, 2).join(""));
    assert.equal(list.rows.size, names.length);
    assert.ok(names.includes("PASS") && names.includes("0,1= 1,0"), names.join());
  },

  // Each job has a sign with its progress, which is also a button that stops and resumes the job.
  async "the jobs have signs"() {
    const stopped = new Set();
    const buttons = ["values", "line", "reason", "curve"].map((job) => {
      const button = make("button", { "data-job": job }, make("span"), make("path", { class: "icon" }));
      byId(`job-${job}`).append(button);
      button.querySelector = () => button.children[1];
      return button;
    });
    select("[data-job]", buttons);
    const exact = { lo: 3, hi: 3 };
    const open = { lo: -24, hi: 24 };
    const position = after(12);
    const calls = [];
    const app = newApp({
      engine: {}, truths: true, computing: false, filling: false, position, looked: null, modeName: "explore", mode: {}, line: { previous: START, lastMove: 12 },
      about: { fact: exact, moves: [{ fact: exact }, { fact: open }] }, modes: { review: { progress: "2 of 5 exact" } }, facts: newFacts(),
      lines: { get: () => null, isExplained: (from, move) => (calls.push([from, move]), true), isExplaining: () => false },
    });
    app.isStopped = (job) => stopped.has(job);
    app.setStopped = (...given) => void app.sent.push(given);
    const list = new JobList(app);
    const shown = (more = {}) => {
      Object.assign(app, more);
      list.render();
      return buttons.filter((button) => !button.parentElement.hidden).map((button) => [button.children[0].textContent, button.title, button.getAttribute("aria-label"), button.children[1].attributes.d]);
    };
    const [stop, resume] = ["M3 3h10v10H3z", "M4 2v12l9-6z"];
    assert.deepEqual(shown(), []);
    assert.deepEqual(shown({ computing: true }), [
      ["Values: 1 of 2 exact", "Stop", "Values: 1 of 2 exact. Stop", stop],
      ["Line: waits for the values", "Stop", "Line: waits for the values. Stop", stop],
    ]);
    assert.deepEqual(calls.at(-1), [START, 12]);
    shown({ mode: { explains: [position, 6] } });
    assert.deepEqual(calls.at(-1), [position, 6]);
    shown({ looked: { child: after(12, 7), fact: exact, moves: [7, 17] } });
    assert.deepEqual(calls.at(-1), [position, 7]);
    app.looked = null;
    assert.deepEqual(shown({ filling: true })[0][0], "Values: waits for the curve");
    stopped.add("values");
    assert.deepEqual(shown({ computing: false, filling: false }), [["Values: stopped", "Resume", "Values: stopped. Resume", resume]]);
    // Nothing is left to do: the game is over, or all values are exact.
    const over = after(12, PASS, PASS);
    assert.deepEqual(shown({ position: over }), []);
    assert.deepEqual(shown({ position, about: { fact: exact, moves: [{ fact: exact }] } }), []);
    assert.deepEqual(shown({ about: { fact: open, moves: [{ fact: exact }] } }).length, 1);
    assert.deepEqual(shown({ modeName: "review" }).map(([said]) => said), ["Values: stopped", "Curve: 2 of 5 exact"]);
    assert.deepEqual(shown({ truths: false }), []);
    assert.deepEqual(shown({ truths: true, engine: null }), []);
    for (const button of buttons.slice(0, 2)) await button.tell("click");
    assert.deepEqual(app.sent, [[["values"], false], [["line"], true]]);
  },

  // The data of the page: columns of numbers, of which the lowest bytes come first.
  async "packed data is unpacked"() {
    assert.deepEqual([...(await unpack(` ${deflateSync(Buffer.from([1, 2, 255])).toString("base64")}\n`))], [1, 2, 255]);
    const bytes = Uint8Array.of(9, 1, 2, 3, 4, 5, 6, 8, 8, 8);
    assert.deepEqual([...numbersAt(bytes, 1, 3, 2)], [1 + 256 * (3 + 256 * 5), 2 + 256 * (4 + 256 * 6)]);
    assert.deepEqual([...numbersAt(bytes, 7, 1, 3)], [8, 8, 8]);
    const keys = Uint8Array.from([7, 7, ...Array(8).keys()].flatMap((byte, index) => (index < 2 ? [byte] : [byte + 1, 16 * byte])));
    assert.deepEqual([...keysAt(keys, 2, 2)], [0x0807060504030201n, 0x7060504030201000n]);
  },

  // A long text is read by a worker, which runs the script of the page.
  async "a worker reads a long text"() {
    const long = "2,2 ".padEnd(50_000);
    const workers = [];
    globalThis.Worker = /** @type {any} */ (
      class {
        constructor(url) {
          workers.push(Object.assign(this, { url, listeners: {}, asked: [], ended: 0 }));
        }
        addEventListener(name, does) {
          this.listeners[name] = does;
        }
        postMessage(message) {
          this.asked.push(message);
        }
        terminate() {
          this.ended++;
        }
      }
    );
    const revoked = [];
    const real = URL.revokeObjectURL;
    URL.revokeObjectURL = (url) => void revoked.push(url);
    document.querySelector = /** @type {any} */ ((selector) => ({ textContent: `script of ${selector}` }));
    byId("kernel").textContent = deflateSync(Buffer.from([1, 2])).toString("base64");
    try {
      const read = async (text, then) => {
        const left = new AbortController();
        const answer = gamesOf(text, rules, left.signal);
        const ended = answer.catch(() => {});
        const worker = workers.at(-1);
        for (let tries = 0; tries < 200 && !worker.asked.length; tries++) await settled();
        then(worker, left);
        await ended;
        assert.deepEqual([worker.ended, revoked.at(-1)], [1, worker.url]);
        return answer;
      };
      assert.equal((await gamesOf("2,2".padEnd(49_999), rules, null))[0].moves.length, 1);
      assert.equal(workers.length, 0);
      const start = { ...START };
      const games = await read(long, ({ listeners }) => listeners.message({ data: { games: [{ start, moves: [12] }, { start: after(12), moves: [] }] } }));
      assert.equal(games[0].start, START);
      assert.deepEqual(games, [{ start: START, moves: [12] }, { start: after(12), moves: [] }]);
      assert.deepEqual(workers[0].asked, [{ text: long, kernel: Uint8Array.of(1, 2) }]);
      await assert.rejects(read(long, ({ listeners }) => listeners.message({ data: { fault: "damaged", message: "no game" } })), { fault: "damaged", message: "no game" });
      await assert.rejects(read(long, ({ listeners }) => listeners.error({ message: "it broke" })), { message: "it broke" });
      await assert.rejects(read(long, (_, left) => left.abort()), { name: "AbortError" });
      assert.equal(revoked.length, 4);
    } finally {
      URL.revokeObjectURL = real;
      delete globalThis.Worker;
      delete document.querySelector;
    }
    // The worker's side.
    const posted = [];
    globalThis.postMessage = /** @type {any} */ ((message) => void posted.push(message));
    serveReader();
    const kernel = readFileSync(new URL("../../explorer/kernel.wasm", import.meta.url));
    await tellPage("message", { data: { text: "2,2 1,1", kernel } });
    await tellPage("message", { data: { text: "no game at all", kernel } });
    assert.deepEqual([posted[0].games.map(({ moves }) => moves), posted[1].fault, posted[1].message.length > 0], [[[12, 6]], "not-a-move", true]);
    await assert.rejects(tellPage("message", { data: { text: "2,2", kernel: Buffer.from([1]) } }), { name: "CompileError" });
    assert.equal(posted.length, 2);
  },

  // The tree has a row for each line that is not folded away, with buttons for the variations.
  async "the tree of variations is shown"() {
    const app = newLiveApp();
    const tools = ["circle", "arrow"].map((tool) => make("button", { "data-tool": tool }));
    select("[data-tool]", tools);
    const variations = new Variations(app);
    const show = () => {
      variations.render();
      return byId("tree").children.map((row) => [row.attributes.class, row.children[0].textContent, row.children[0].getAttribute("aria-current"), row.children.length]);
    };
    const facts = () => [byId("variations").hidden, byId("tree").hidden, byId("branch-name-row").hidden, text("variations-count")];
    app.dispatch({ type: "load", game: { start: START, moves: [] } });
    show();
    assert.deepEqual(facts(), [true, true, true, ""]);
    app.dispatch({ type: "load", game: { start: START, moves: [12, 6, 13] } });
    assert.deepEqual(show(), [["depth-0", "Main line: 2,2 1,1 2,3", "true", 1]]);
    assert.deepEqual(facts(), [false, true, true, ""]);
    app.dispatch({ type: "takeBack", at: 0 });
    show();
    assert.equal(facts()[0], false);
    const play = (...moves) => {
      app.goTo(0);
      for (const move of moves) app.dispatch({ type: "play", move });
    };
    play(12, 7, 8);
    assert.deepEqual(show(), [["depth-0", "Main line: 2,2 1,1 2,3", "false", 1], ["depth-0", "Ply 2, White: 1,2 1,3", "true", 4]]);
    assert.deepEqual(facts(), [false, false, false, "(2 lines)"]);
    play(12, 7, 9, 0);
    assert.deepEqual(show()[2], ["depth-1", "Ply 3, Black: 1,4 0,0", "true", 4]);
    play(12, 7, 9, 1);
    play(12, 7, 9, 1, 2);
    play(12, 7, 9, 1, 3);
    play(12, 7, 9, 1, 3, 4);
    play(12, 7, 9, 1, 3, 5);
    play(12, 7, 9, 1, 3, 5, 10);
    play(12, 7, 9, 1, 3, 5, 11);
    assert.deepEqual(show().map(([depth]) => depth), [0, 0, 1, 2, 3, 4, 4].map((depth) => `depth-${depth}`));
    app.dispatch({ type: "load", game: { start: START, moves: [12, 6, 13] } });
    play(12, 7, 8);
    play(12, 7, 9);
    const button = (row, index) => byId("tree").children[row].children[index];
    const label = (row) => byId("tree").children[row].children.slice(1).map((each) => each.attributes["aria-label"]);
    show();
    assert.deepEqual(label(1), ["Fold: Ply 2, White", "Make it the main line: Ply 2, White", "Delete: Ply 2, White"]);
    assert.equal(button(1, 1).textContent, "▾");
    await button(1, 1).click();
    assert.deepEqual(show().map((row) => row[1]), ["Main line: 2,2 1,1 2,3", "Ply 2, White: 1,2 …"]);
    assert.deepEqual([label(1)[0], button(1, 1).textContent], ["Unfold: Ply 2, White", "▸"]);
    await button(1, 1).click();
    assert.equal(show().length, 3);
    await button(0, 0).click();
    assert.deepEqual([app.line.moves, app.line.at], [[12, 6, 13], 3]);
    await button(1, 0).click();
    assert.deepEqual([app.line.moves, app.line.at], [[12, 7, 8], 2]);
    show();
    byId("branch-name").value = " Mine ";
    await byId("branch-name").tell("change");
    assert.deepEqual([show()[1][1], byId("branch-name").value], ["Mine: 1,2 1,3", "Mine"]);
    byId("branch-name").value = " ";
    await byId("branch-name").tell("change");
    assert.equal(show()[1][1], "Ply 2, White: 1,2 1,3");
    byId("note").value = " good ";
    await byId("note").tell("change");
    show();
    assert.deepEqual([text("note-shown"), byId("note-shown").hidden, byId("note").value], ["good", false, "good"]);
    app.dispatch({ type: "mode", mode: "review" });
    show();
    assert.equal(byId("note-shown").hidden, false);
    app.dispatch({ type: "mode", mode: "play" });
    show();
    assert.equal(byId("note-shown").hidden, true);
    app.dispatch({ type: "mode", mode: "explore" });
    byId("note").value = "";
    await byId("note").tell("change");
    show();
    assert.equal(byId("note-shown").hidden, true);
    await button(1, 2).click();
    assert.equal(show()[0][1], "Main line: 2,2 1,2 1,3");
    await button(1, 3).click();
    assert.equal(show().length, 2);
    // On the main line nothing can be named.
    app.dispatch({ type: "follow", path: [12, 7, 8], at: 3 });
    byId("branch-name").value = "x";
    await byId("branch-name").tell("change");
    assert.equal(show()[0][1], "Main line: 2,2 1,2 1,3");

    // A chosen tool is pressed, another tool forgets the start of an arrow, and each letter is used once.
    const pressed = () => (variations.render(), tools.map((each) => each.attributes["aria-pressed"]));
    await tools[1].click();
    assert.deepEqual(pressed(), ["false", "true"]);
    variations.onPoint(3);
    await tools[0].click();
    assert.deepEqual([pressed(), variations.from], [["true", "false"], null]);
    app.dispatch({ type: "tool", tool: "letter" });
    for (const point of [3, 4, 5]) variations.onPoint(point);
    variations.onPoint(4);
    variations.onPoint(9);
    const marks = () => marksShown(app.state).map(({ point, text: letter }) => [point, letter]);
    assert.deepEqual(marks(), [[3, "A"], [5, "C"], [9, "B"]]);
    assert.deepEqual(["puzzles", "edit", "review"].map((mode) => marksShown({ ...app.state, mode }).length), [0, 0, 3]);
  },

  // The list of the played moves tells screen readers which move is on the board.
  async "the played moves are listed"() {
    const app = newLiveApp();
    const list = new PlayedList(app);
    app.dispatch({ type: "load", game: { start: after(12), moves: [6, 13, PASS] } });
    const show = (at) => {
      app.goTo(at);
      list.render();
      return byId("line").children.map((item) => [item.firstElementChild.getAttribute("aria-current"), item.classList.contains("later")].join());
    };
    assert.deepEqual(show(2), ["false,false", "true,false", "false,true"]);
    assert.deepEqual(show(0), ["false,true", "false,true", "false,true"]);
    await byId("line").children[2].firstElementChild.click();
    assert.equal(app.line.at, 3);
  },

  // The opponents reply after the user's choice. A hint searches once, and a failure of the kernel is reported.
  async "an opponent replies to a choice"() {
    const real = [Math.random, globalThis.setTimeout];
    const app = newLiveApp({ engine: {}, trap: { render: () => {} }, learn: () => {}, played: [] });
    let refreshed = 0;
    app.refresh = () => refreshed++;
    let mode = null;
    Object.defineProperty(app, "mode", { get: () => mode });
    const { features, models } = JSON.parse(readFileSync(new URL("../../generator/opponents/models.json", import.meta.url), "utf8"));
    byId("models").textContent = JSON.stringify({ features, weights: models.map(({ weights }) => weights) });
    const play = new PlayMode(app);
    mode = play;
    app.play = (move, isReply) => {
      app.played.push(move);
      app.dispatch({ type: "play", move, isReply });
    };
    const see = (moves, changes) => {
      play.thinking.stop();
      app.dispatch({ type: "load", game: { start: START, moves } });
      app.dispatch({ type: "set", changes: { play: { ...FIRST_STATE.play, ...changes } } });
      app.played.length = 0;
    };
    try {
      // Each of the three settings stops a search and lets the opponent reply.
      for (const before of [{ who: "white" }, { opponent: "random" }, { started: false }]) {
        see([12], { who: "black", started: true });
        play.onState({ play: play.settings });
        assert.equal(play.thinking.isRunning, false);
        play.onState({ play: { ...play.settings, ...before } });
        assert.equal(play.thinking.isRunning, true, JSON.stringify(before));
        await settled();
        assert.equal(app.played.length, 1);
      }
      see([12, 6], { who: "black", started: true });
      play.thinking.run(() => new Promise(() => {}));
      play.onState({ play: { ...play.settings, shows: true } });
      assert.equal(play.thinking.isRunning, true);
      play.onState({ play: { ...play.settings, who: "both" } });
      assert.equal(play.thinking.isRunning, false);
      // No reply: another mode, an earlier position, or a search that runs already.
      see([12], { who: "black", started: true });
      mode = null;
      play.enter();
      mode = play;
      app.dispatch({ type: "load", game: { start: START, moves: [12, 6, 13], at: 1 } });
      play.enter();
      assert.equal(play.thinking.isRunning, false);

      // The model of people replies in half of the cases, and otherwise the perfect player, who states a reason.
      const won = [1, 0, 5, PASS, 12, PASS];
      for (const [chance, said] of [[0.49, /^Black (passes|played \d,\d)\.$/], [0.5, /^Black passes: it ends the game as a win\.$/]]) {
        see(won, { who: "white", started: true, opponent: "human" });
        Math.random = () => chance;
        play.enter();
        await settled();
        assert.match(play.settings.said, said);
      }
      [Math.random] = real;
      // An opponent that plays itself waits before each move, and no other opponent waits.
      const waits = [];
      globalThis.setTimeout = /** @type {any} */ ((does, wait) => (waits.push(wait), real[1](does, 0)));
      for (const [who, moves] of [["black", [12]], ["none", [12]]]) {
        see(moves, { who, started: true });
        play.enter();
        await new Promise((resolve) => real[1](resolve, 20));
      }
      globalThis.setTimeout = real[1];
      assert.deepEqual(waits, [700]);
      play.thinking.stop();

      // The perfect player without a kernel, and a kernel that fails.
      refreshed = 0;
      app.engine = { idlest: () => ({}), search: () => Promise.reject(new Error("no memory")) };
      see([12, 6], { who: "white", started: true, opponent: "perfect" });
      play.enter();
      assert.ok(refreshed > 0);
      play.render();
      assert.equal(text("play-said"), "Black is thinking …");
      await settled();
      assert.equal(play.settings.said, "The kernel stopped: no memory");

      // The hint states who wins, as far as it is known, and is not given in the opponent's turn.
      const lost = [1, 0, 5, PASS, 12, PASS, 13];
      for (const [moves, known, said] of [
        [lost, [3, 3], "You are lost against best play."],
        [lost, [-1, -1], "You are winning."],
        [lost, [-25, 25], ""],
      ]) {
        app.facts = newFacts();
        see(moves, { who: "both", started: true });
        app.facts.note(rules.key(app.position), { lo: known[0], hi: known[1] }, 0, 0);
        app.facts.bookMove = () => 24;
        play.hint();
        await settled();
        assert.equal(play.settings.said, `Hint: 4,4, from the book.${said ? ` ${said}` : ""}`);
        assert.equal(play.settings.hint, 24);
      }
      see([12], { who: "black", started: true });
      await click("hint");
      assert.equal(play.thinking.isRunning, false);
      // "Take back" ends a game that an opponent plays against itself, and the search for its next move.
      see([12, 6], { who: "none", started: true });
      play.enter();
      await click("take-back");
      assert.deepEqual([play.thinking.isRunning, play.settings.started, app.line.moves], [false, false, [12]]);
      see([12], { who: "white", started: true });
      assert.deepEqual([play.back(), app.line.moves], [true, [12]]);
      see([], { who: "black", started: true });
      assert.deepEqual([play.back(), app.line.moves], [true, []]);
    } finally {
      [Math.random, globalThis.setTimeout] = real;
      play.thinking.stop();
    }
  },

  // The kept position is drawn with the results of its moves, of which those that are the same in both positions are dim.
  async "a kept position is drawn and searched"() {
    const asked = [];
    const lane = {};
    const engine = { lanes: [lane], search: async (name, _, position, __, signal) => (signal.throwIfAborted(), asked.push(position), answer(position)) };
    let answer = (position) => ({ lo: 3 * board.signOf(position), hi: 3 * board.signOf(position), nodes: 1, seconds: 0 });
    const app = newLiveApp({ engine, computing: false, rendered: 0, refreshes: 0 });
    app.refresh = () => app.refreshes++;
    app.refreshSoon = () => {};
    app.render = () => app.rendered++;
    const over = after(12, PASS, PASS);
    const show = async (kept, position, about = position) => {
      app.position = position;
      app.about = app.facts.about(about);
      app.state = { ...FIRST_STATE, beside: kept };
      beside.render();
      for (let tries = 0; tries < 50 && beside.search && !app.refreshes; tries++) await settled();
    };
    const beside = new Beside(app);
    const kept = after(1, 24, 12);
    const children = app.facts.about(kept).moves.map(({ child }) => child);
    await show(kept, after(6));
    assert.deepEqual([asked.slice(0, children.length + 1).map(board.keyOf), app.refreshes], [[kept, ...children].map(board.keyOf), 1]);
    await show(kept, after(6));
    assert.equal(app.refreshes, 1);
    // The drawing has the results of the kept position, and changes only if they change.
    const drawnWith = (position, there, isDim, names = "ij") => {
      const marks = new Map(there.moves.flatMap((one) => one.moves.filter((move) => move !== PASS).map((move) => [move, { fact: one.fact, best: one.lost.every((lost) => lost === 0), dim: isDim }])));
      return boardSvg({ position, last: null, taken: 0, marks, named: beside.framed, ghosts: [], names }, PAGE_COLOURS);
    };
    await show(kept, kept);
    assert.equal(byId("beside-board").innerHTML, drawnWith(kept, app.facts.about(kept), false));
    byId("beside-board").innerHTML = "kept";
    beside.render();
    assert.equal(byId("beside-board").innerHTML, "kept");
    await show(kept, { ...kept, ply: 5 }, kept);
    assert.equal(byId("beside-board").innerHTML, drawnWith(kept, app.facts.about(kept), true));
    await show(over, kept);
    assert.equal(byId("beside-board").innerHTML, drawnWith(over, { moves: [] }, false));
    await click("beside-keep");
    assert.equal(app.rendered, 1);
    // A new position ends the search, and a failure of the kernel is not hidden.
    answer = () => new Promise(() => {});
    app.refreshes = 0;
    beside._ask(after(0));
    const { search } = beside;
    const asking = beside._ask(after(2));
    assert.deepEqual([search.signal.aborted, beside.search.signal.aborted], [true, false]);
    beside.search.abort();
    answer = () => Promise.reject(new Error("no memory"));
    await assert.rejects(beside._ask(after(3)), { message: "no memory" });
    answer = () => Promise.reject(new DOMException("left", "AbortError"));
    await beside._ask(after(5));
    assert.equal(app.refreshes, 0);
    asking.catch(() => {});
  },

  // The dialog opens files, also packed ones, up to a size. A pasted text that fills the field is opened at once.
  async "files and pasted texts are opened"() {
    const app = newApp();
    wireOpen(app);
    const until = async (isDone) => {
      for (let tries = 0; tries < 100 && !isDone(); tries++) await settled();
    };
    const choose = async (...files) => {
      const count = app.loaded.length;
      byId("open-error").textContent = "";
      byId("open-file").files = files;
      byId("open-file").value = "x";
      await byId("open-file").tell("change");
      assert.equal(byId("open-file").value, "");
      await until(() => app.loaded.length > count || byId("open-error").textContent || !files.length);
      return byId("open-error").textContent || (app.loaded.length > count ? app.loaded.at(-1).moves : "nothing");
    };
    const file = (bytes, name = "game.gz") => new File([bytes], name);
    assert.match(text("open-forms"), /SGF/);
    assert.deepEqual(await choose(file("2,2 1,1", "game.txt")), [12, 6]);
    assert.deepEqual(await choose(file(gzipSync("2,2"))), [12]);
    assert.deepEqual(await choose(), "nothing");
    assert.equal(await choose(file(gzipSync("2,2").subarray(0, 12))), "Cannot open this: game.gz is damaged: it cannot be unpacked.");
    assert.equal(app.isBad, true);
    assert.match(await choose(file(Uint8Array.of(0x1f, 0x8c, 0))), /^Cannot open this: /);
    assert.match(await choose(file(Uint8Array.of(0x1e, 0x8b, 0))), /^Cannot open this: (?!game)/);
    assert.match(await choose(file(Uint8Array.of(0x1f, 0x41))), /^Cannot open this: (?!game)/);
    const sized = (size) => Object.defineProperty(file("2,2", "large.txt"), "size", { value: size });
    assert.deepEqual(await choose(sized(20_000_000)), [12]);
    assert.equal(await choose(sized(20_600_000)), "Cannot open this: large.txt is too large: 21 MB.");
    // An unpacked file is read until it is too large.
    const unpacked = async (...sizes) => {
      let cancels = 0;
      const reader = { read: async () => ({ done: !sizes.length, value: { length: sizes.shift() } }), cancel: () => cancels++ };
      const said = await choose({ name: "game.gz", size: 9, slice: () => new Blob([Uint8Array.of(0x1f, 0x8b)]), stream: () => ({ pipeThrough: () => ({ getReader: () => reader }) }) });
      return [said === "Cannot open this: game.gz unpacks to more than 20 MB.", sizes.length, cancels];
    };
    assert.deepEqual(await unpacked(20_000_000), [false, 0, 1]);
    assert.deepEqual(await unpacked(20_000_000, 1, 7, 7), [true, 1, 1]);
    assert.deepEqual(await unpacked(10_000_000, 10_000_001, 7, 7), [true, 1, 1]);

    const area = byId("open-text");
    const paste = async (value, selectionStart, selectionEnd) => {
      const count = app.loaded.length;
      Object.assign(area, { value, selectionStart, selectionEnd });
      await area.tell("paste");
      await settled();
      return app.loaded.length - count;
    };
    assert.deepEqual([await paste("2,2", 0, 3), await paste("2,2", 1, 3), await paste("2,2", 0, 2)], [1, 0, 0]);
    let selects = 0;
    area.select = () => selects++;
    await click("door-review");
    assert.deepEqual([byId("open-dialog").open, document.activeElement, selects], [true, area, 1]);
    const submit = async (value) => {
      const count = app.loaded.length;
      let isPrevented = false;
      await byId("open-dialog form").tell("submit", { submitter: { value }, preventDefault: () => (isPrevented = true) });
      await settled();
      return [app.loaded.length - count, isPrevented];
    };
    assert.deepEqual(await submit("cancel"), [0, false]);
    assert.deepEqual(await submit("open"), [1, true]);
    // A text for a field of the page is not a game. A closed dialog forgets the text that is being read.
    const count = app.loaded.length;
    await tellPage("paste", { target: { closest: () => ({}) }, clipboardData: { getData: () => "2,2" } });
    await tellPage("paste", { clipboardData: { getData: () => "" } });
    await click("open-button");
    byId("open-file").files = [file("2,2", "game.txt")];
    await byId("open-file").tell("change");
    byId("open-dialog").close();
    await settled();
    assert.equal(app.loaded.length, count);
    // The page marks itself while something is dragged over it.
    const isMarked = () => document.documentElement.classList.contains("dropping");
    const handled = [];
    const preventDefault = () => handled.push(1);
    await tellPage("dragover", { preventDefault });
    assert.equal(isMarked(), true);
    await tellPage("dragleave", { relatedTarget: {} });
    assert.equal(isMarked(), true);
    await tellPage("dragleave", { relatedTarget: null });
    assert.equal(isMarked(), false);
    await tellPage("dragover", { preventDefault });
    await tellPage("drop", { preventDefault, dataTransfer: { files: [], getData: () => "" } });
    assert.deepEqual([isMarked(), handled.length], [false, 3]);
  },

  // A file of several games has a list, which the user filters by result, ending, player and title.
  async "the games of a file are filtered"() {
    const opened = [];
    const app = newApp();
    app.notebook = { open: (games) => void opened.push(games.length) };
    wireOpen(app);
    const records = [
      { black: "ann", white: "bob", moves: ["2,2", "PASS", "PASS"], reason: "two_passes", winner: 2, name: "one" },
      { black: "bob", white: "ann", moves: ["2,2", "1,1"], reason: "timeout", winner: 1 },
      { black: "ann", white: "cat", moves: ["2,2"], reason: "resigned", winner: 1 },
      { black: "cat", white: "ann", moves: ["2,2", "1,2", "1,1"] },
    ];
    await tellPage("paste", { clipboardData: { getData: () => records.map((record) => JSON.stringify(record)).join("\n") } });
    await settled();
    const options = (id) => byId(id).options.map(({ value, textContent }) => `${value}: ${textContent}`);
    const shown = () => [byId("games-list").options.map(({ value }) => Number(value)), text("games-count"), text("games-summary"), opened.at(-1)];
    const all = "Black won 2, White 1, 1 without a result; 1 ended by a fault. Half of them had 2 moves or fewer.";
    assert.deepEqual(shown(), [[0, 1, 2, 3], "4 games", all, 4]);
    assert.deepEqual([app.modes, app.loaded.map(({ moves }) => moves), byId("games").hidden], [["review"], [[12, PASS, PASS]], false]);
    assert.deepEqual(["games-result", "games-reason", "games-agent"].map(options), [
      [": any result", "1: Black wins", "2: White wins"],
      [": any ending", "resigned: resigned", "timeout: out of time", "two_passes: two passes"],
      [": any agent", "ann: ann", "bob: bob", "cat: cat"],
    ]);
    const filters = { result: "games-result", reason: "games-reason", agent: "games-agent", word: "games-filter" };
    const filter = (values) => {
      for (const [name, id] of Object.entries(filters)) byId(id).value = values[name] ?? "";
      byId("games-result").oninput();
      return shown();
    };
    assert.deepEqual(filter({ result: "1" }), [[1, 2], "2 of 4 games", "Black won 2, White 0; 1 ended by a fault. Half of them had 1 moves or fewer.", 2]);
    assert.equal(app.loaded.at(-1).moves.length, 2);
    assert.deepEqual(filter({ result: "2" })[0], [0]);
    assert.deepEqual(filter({ reason: "timeout" })[0], [1]);
    assert.deepEqual(filter({ agent: "bob" })[0], [0, 1]);
    assert.deepEqual(filter({ agent: "cat", result: "1" })[0], [2]);
    assert.deepEqual(filter({ word: "OUT of" })[0], [1]);
    const loaded = app.loaded.length;
    assert.deepEqual(filter({ word: "nobody" }), [[], "0 of 4 games", "No game fits.", 0]);
    assert.equal(app.loaded.length, loaded);
    assert.deepEqual(filter({}).slice(0, 3), [[0, 1, 2, 3], "4 games", all]);
    byId("games-list").value = "3";
    byId("games-list").onchange();
    assert.equal(app.loaded.at(-1).moves.length, 3);
    byId("games-close").onclick();
    assert.deepEqual([byId("games").hidden, opened.at(-1)], [true, 0]);
    // A single game has no list, and a position without moves is explored.
    byId("games-filter").value = "nobody";
    await tellPage("paste", { clipboardData: { getData: () => `explorer.html#from=${positionText(after(12, 6))}` } });
    await settled();
    assert.deepEqual([byId("games").hidden, app.modes.at(-1), app.loaded.at(-1).moves, byId("games-filter").value], [true, "explore", [], ""]);
  },

  // The notebook lists the kinds of mistakes of a player that cost most, with the worst example and a puzzle of each kind.
  async "a notebook lists what to learn"() {
    const opened = [];
    const why = (kind) => ({ worse: [7, 8], better: [6, 11], told: { kind, worse: "It is worse.", better: "It is better." } });
    const engine = { lanes: [{}], search: async () => ({ lo: -1, hi: -1, nodes: 1, seconds: 0 }) };
    const app = newLiveApp({ engine, refreshSoon: () => {}, inSight: 0 });
    app.load = (game) => void app.loaded.push(game);
    app.modes.puzzles = { byKind: async () => new Map([["misses a capture", [{ number: 8 }, { number: 9 }]]]), openPuzzle: (puzzle) => void opened.push(puzzle) };
    app.modes.review = { bringIntoSight: () => app.inSight++ };
    const notebook = new Notebook(app);
    const rows = () => byId("notebook-kinds").children.map(({ children }) => children.map((each) => each.textContent ?? each).join("|"));
    const players = () => [byId("notebook-player").hidden, byId("notebook-player").options.map(({ value, textContent }) => `${value}: ${textContent}`), byId("notebook-player").value];
    assert.deepEqual([players()[0], byId("notebook").hidden], [true, true]);

    // All positions but the last one are known exactly. Black loses 2 points and White loses 6 and the win in the first game.
    const agents = { about: { result: 1, reason: "", agents: ["ann", "bob"] } };
    const games = [{ start: START, moves: [12, 6, 13], ...agents }, { start: START, moves: [11, 5, 2] }];
    const know = (moves, values) => values.forEach((value, ply) => app.facts.note(rules.key(after(...moves.slice(0, ply))), { lo: value, hi: value }, 0, 0));
    know(games[0].moves, [3, 3, 7, 1]);
    know(games[1].moves, [3, 2, 2]);
    const kinds = new Map([[6, "misses a capture"], [13, "misses a capture"], [11, "other"], [2, "passes"]]);
    const explained = [];
    app.lines = { explain: async (position, move) => void explained.push(move), why: (position, move) => why(kinds.get(move)) };
    notebook.open(games);
    await click("notebook-make");
    for (let tries = 0; tries < 50 && notebook.search.isRunning; tries++) await settled();
    assert.deepEqual([explained, text("notebook-status"), byId("notebook-make").hidden], [[13, 13, 6, 11, 2, 11], "2 of 2 games reviewed.", true]);
    assert.deepEqual(players(), [false, [": Mistakes of all players", "Black: Black", "ann: ann", "bob: bob"], ""]);
    const [both, example, practice] = ["misses a capture|: 2 mistakes, 10 points", "The worst example", "A puzzle of this kind"];
    assert.deepEqual(rows(), [`${both}, 1 win given away|${example}${practice}`, `passes|: 1 mistake, 1 point|${example}`]);
    assert.equal(text("notebook-rest"), "1 mistake of other kinds, which cost 1 point, is not listed.");
    const [, option] = byId("notebook-player").options;
    notebook.render();
    assert.equal(byId("notebook-player").options[1], option);
    const buttons = byId("notebook-kinds").children[0].children[2].children;
    await buttons[0].click();
    assert.deepEqual([app.modes.slice(), app.loaded, app.inSight], [["review"], [{ ...games[0], at: 2 }], 1]);
    await buttons[1].click();
    assert.deepEqual(opened, [{ number: 8 }]);
    const choose = async (player) => {
      byId("notebook-player").value = player;
      await byId("notebook-player").tell("change");
      return [rows(), text("notebook-rest")];
    };
    assert.deepEqual(await choose("bob"), [[`misses a capture|: 1 mistake, 4 points|${example}${practice}`], ""]);
    assert.deepEqual((await choose("Black"))[0], [`passes|: 1 mistake, 1 point|${example}`]);
    // The chosen player stays if the new list has the player, and several mistakes can be of other kinds.
    notebook.mistakes.push(...[3, 4].map((cost) => ({ player: "cat", game: games[1], index: 0, record: { kind: "other", cost, decisive: false, ply: 1 } })));
    notebook.render();
    assert.deepEqual(players().slice(1), [[": Mistakes of all players", "Black: Black", "ann: ann", "bob: bob", "cat: cat"], "Black"]);
    assert.deepEqual(await choose("cat"), [[], "2 mistakes of other kinds, which cost 7 points, are not listed."]);
    notebook.mistakes.pop();
    notebook.mistakes = notebook.mistakes.slice(0, 1);
    notebook.render();
    assert.deepEqual(players().slice(1), [[": Mistakes of all players", "bob: bob"], ""]);
    // A failure of the kernel is reported.
    notebook.open(games);
    assert.deepEqual([rows(), players()[0], notebook.done], [[], true, 0]);
    notebook._reviewed = () => Promise.reject(new Error("no memory"));
    await click("notebook-make");
    await settled();
    assert.deepEqual([app.note, app.isBad, text("notebook-make")], ["The kernel stopped: no memory", true, "Review all 2: what to learn first"]);
    app.engine = null;
    await click("notebook-make");
    assert.deepEqual([app.note, app.isBad], ["The kernel cannot run in this browser, so no game can be reviewed.", true]);
  },

  // A reason needs two moves of each line, or the end of the game.
  "a short line has no reason"() {
    assert.throws(() => reason(rules, START, [12], [12, 6]), { message: "a line has two moves at least, or goes to the end" });
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
