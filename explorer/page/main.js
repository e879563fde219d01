// The page. Everything that the page shows is derived from one state (state.js). App.dispatch() passes each action of the user
// to the reducer, which returns the new state. App then updates what depends on the state: the line and its analysis, undo, the
// address and the browser's history, and the drawing.
//
// - tree.js represents games as trees of variations, and address.js converts between states and addresses.
// - rules.js calls the compiled kernel for the rules, and engine.js calls the kernel in workers (worker.js) for searches.
// - evidence.js computes with bounds.
// - packs.js unpacks the data that the build packed, and levels.js looks up the values of later plies.
// - facts.js combines the facts of the book, the atlas, the certificates and the kernel about a position.
// - bestlines.js finds lines of play; words.js writes results as text, and formats.js writes games as links and SGF.
// - board.js, played.js, verdict.js, moves.js and variations.js draw the board and the cards.
// - explore.js, play.js, review.js, tour.js, puzzles.js, learn.js and edit.js are the modes. A mode fills its cards next to the
//   board. A mode can also handle clicks on points, draw a different board, or hide the values of moves.
// - notebook.js reviews all games of a file, one after the other.
// - controls.js, open.js and share.js wire the keys, the buttons and the dialogs.
//
// Every new fact leads to a call of App.learn(). App.refresh() draws at most once in each frame, however often it is called.

import {
  BY_KO,
  NAMES,
  PASS,
  PLIES,
  POINTS,
  Rules,
  START,
  isOver,
  isStart,
  moveName,
  openKernel,
  signOf,
  stoneAt,
} from "./rules.js";
import {
  Facts,
  readAtlas,
  readBook,
  readLines,
  readProved,
  readTraps,
  valueSource,
} from "./facts.js";
import { readBlocks } from "./levels.js";
import { unpack } from "./packs.js";
import { Contradiction, valueOf, winnerOf } from "./evidence.js";
import { Engine, Quest, Survey, perfectMove } from "./engine.js";
import { Board, ghostsOf } from "./board.js";
import { Line } from "./line.js";
import { BestLines } from "./bestlines.js";
import { isBest, moveLabel } from "./moves.js";
import { marginText, plyText, resultText, shortResult, spokenResult, turnText } from "./words.js";
import { BadText } from "./parts.js";
import { FIRST_STATE, MODES, Past, isUndoable, reduce, shownGame } from "./state.js";
import { JOBS, JobList } from "./jobs.js";
import { addressOf, placeOf } from "./address.js";
import { OPPONENTS } from "./opponents.js";
import { Variations, marksShown } from "./variations.js";
import { Beside } from "./beside.js";
import { Notebook } from "./notebook.js";
import { allOf, byId, setText } from "./dom.js";
import { reason } from "./explained.js";
import { VerdictCard } from "./verdict.js";
import { PlayedList } from "./played.js";
import { TrapCard } from "./trap.js";
import { ExploreMode } from "./explore.js";
import { PlayMode } from "./play.js";
import { ReviewMode } from "./review.js";
import { TOUR_BOARDS, TourMode } from "./tour.js";
import { PuzzlesMode } from "./puzzles.js";
import { LearnMode } from "./learn.js";
import { EditMode } from "./edit.js";
import { RULES_BOARDS } from "./learning.js";
import { wireButtons, wireKeys, wireSettings } from "./controls.js";
import { wireOpen } from "./open.js";
import { serveReader } from "./reader.js";
import { wireShare } from "./share.js";

// The pause in milliseconds between two plies when the page plays a line.
const PLY_MILLISECONDS = 900;

// The minimum time in milliseconds between two drawings while the kernel works.
const LEARN_MILLISECONDS = 150;

// The node limit for each move of the best line while not all values are known.
const EARLY_LINE_NODES = 1e6;

// For each mode with lessons, the boards of the lessons as links.
const BOARDS = { tour: TOUR_BOARDS.map(({ link }) => link), learn: RULES_BOARDS.map(({ link }) => link) };

class App {
  constructor(rules, facts, engine) {
    this.rules = rules;
    this.facts = facts;
    this.engine = engine;
    this.state = FIRST_STATE;
    this.past = new Past();
    this.line = new Line(rules, shownGame(this.state));
    this.looked = null;
    this.lines = new BestLines(this);
    this.playing = null;
    // computing: whether the values of the moves are being searched. filling: whether this search waits for the curve of a
    // review.
    this.computing = false;
    this.filling = false;
    this.search = new AbortController();
    this.looking = new AbortController();
    this.note = "";
    // The names of the elements whose space on the page stays reserved while the current position is shown.
    this.rooms = new Set();
    // Whether the user has left the first screen.
    this.isIn = false;
    // Whether the address with which the page was opened has been read.
    this.isOpen = false;
    this.played = new PlayedList(this);
    this.verdict = new VerdictCard(this);
    this.jobs = new JobList(this);
    this.trap = new TrapCard(this);
    this.variations = new Variations(this);
    this.beside = new Beside(this);
    this.notebook = new Notebook(this);
    /** @type {any} */
    this.modes = {
      explore: new ExploreMode(this),
      play: new PlayMode(this),
      review: new ReviewMode(this),
      tour: new TourMode(this),
      puzzles: new PuzzlesMode(this, dataOf("puzzles")),
      learn: new LearnMode(this),
      edit: new EditMode(this),
    };
    this.board = new Board(byId("board"), {
      onPoint: (point) => this._onPoint(point),
      onHover: (point) =>
        this.look(point === null ? null : this.about.moves.find((one) => one.moves.includes(point))),
    });
  }

  get position() {
    return this.line.position;
  }

  get modeName() {
    return this.state.mode;
  }

  get mode() {
    return this.modes[this.state.mode];
  }

  // --- Methods that change the state

  // Apply an action. If the action is a reply of an opponent, action.isReply is true. Undo and the browser's Back button remove
  // a reply together with the user's move before it.
  dispatch(action) {
    const before = this.state;
    const after = reduce(before, action);
    if (after === before) return;
    if (isUndoable(action, before, after)) this.past.note(before);
    this._become(after, action);
  }

  undo() {
    const before = this.past.undo(this.state);
    if (!before) return this.say("There is nothing to undo.");
    this._become(before, { type: "undo" });
    this.say("Undone. Ctrl+Y brings it back.");
  }

  redo() {
    const after = this.past.redo(this.state);
    if (after) this._become(after, { type: "redo" });
  }

  _become(after, action) {
    const before = this.state;
    const { truths } = this;
    this.state = after;
    const isElsewhere = shownGame(before) !== shownGame(after);
    const isOtherMode = before.mode !== after.mode;
    const isKept = ["undo", "redo", "visit"].includes(action.type);
    if (isOtherMode) {
      this.stopLine();
      this.modes[before.mode].leave?.();
      this._showMode();
    }
    // Enter the new mode. Unless the state was restored, the mode can put its own board on the page.
    if (isOtherMode) this.mode.enter?.(isKept);
    if (this.state !== after) return;
    this._writeAddress(action);
    if (isElsewhere) {
      const { line } = this;
      this.line = new Line(this.rules, shownGame(after), line);
      const isLooked = line.position !== this.line.position || line.moves.length !== this.line.moves.length;
      if (isLooked || line.moves.some((move, index) => move !== this.line.moves[index])) return this.changed(isKept);
    }
    if (isOtherMode) this.say("");
    else this.mode.onState?.(before);
    if (isOtherMode || this.truths !== truths) this.analyse();
    this.refresh();
  }

  play(move, isReply = false) {
    const why = this.rules.illegal(this.position, move);
    if (why) return this.say(`Illegal: ${why}.`, true);
    const ply = this.line.ply + 1;
    this.dispatch({ type: "play", move, isReply });
    this.speak(
      `${plyText(ply, move)}. ${isOver(this.position) ? "The game is over. " : ""}${this._spokenVerdict()}`,
    );
  }

  goTo(at) {
    if (this.mode !== this.modes.edit && at >= 0 && at <= this.line.moves.length) this.dispatch({ type: "goTo", at });
  }

  load(game) {
    this.dispatch({ type: "load", game });
    // Replace the note even if the board is the same, because the old note can belong to another text.
    this.say(game.note ?? "");
  }

  // Handle a change of the shown position. Stop the searches for the old position, apply the known facts along the line, and
  // begin new searches. isKept: whether the state was restored as a whole by undo, redo or an address.
  changed(isKept = false) {
    this.stopLine();
    this.looked = null;
    this.rooms.clear();
    this.verdict.release();
    this._looksElsewhere();
    this.facts.carryAlong(this.line.positions);
    this.say("");
    const { state } = this;
    this.mode.onPosition?.(isKept);
    if (this.state !== state && shownGame(this.state) !== shownGame(state)) return;
    this.analyse();
    this.refresh();
  }

  // Play a line, ply by ply, from the position after the first `at` moves of the current line, until the line ends or the user
  // shows another position. The user's own game does not change.
  playLine(moves, at = this.line.at) {
    const { start } = this.line;
    const path = this.line.moves.slice(0, at);
    this.dispatch({ type: "load", game: { start, moves: [...path, ...moves], at: path.length }, visits: true });
    this._step();
  }

  _step() {
    this.goTo(this.line.at + 1);
    this.playOn();
  }

  // Play the rest of the line, with a pause before each move.
  playOn() {
    if (this.line.at < this.line.moves.length) this.playing = setTimeout(() => this._step(), PLY_MILLISECONDS);
    this.refresh();
  }

  stopLine() {
    clearTimeout(this.playing);
    this.playing = null;
    this.refresh();
  }

  // --- Methods for modes

  setMode(mode) {
    this.stopLine();
    if (MODES.includes(mode)) this.dispatch({ type: "mode", mode });
  }

  _showMode() {
    const { mode: name } = this.state;
    for (const card of byId("panel").children)
      card.classList.toggle("away", !card.dataset.in.split(" ").includes(name));
    const tabs = allOf("[data-mode]");
    for (const tab of tabs) {
      const isOn = tab.dataset.mode === name;
      tab.setAttribute("aria-selected", String(isOn));
      tab.tabIndex = isOn ? 0 : -1;
    }
    if (tabs.every((tab) => tab.tabIndex < 0)) tabs[0].tabIndex = 0;
    byId("panel").setAttribute("aria-label", name);
    document.body.dataset.shows = name;
    byId("edit").setAttribute("aria-pressed", String(name === "edit"));
  }

  // Whether the values of the moves are shown.
  get truths() {
    return this.mode.truths;
  }

  goHome() {
    this.dispatch({ type: "home" });
  }

  // --- Methods for facts

  // Search the position and its moves until all values are exact or another position is shown.
  async analyse() {
    this.search.abort();
    this.search = new AbortController();
    const { signal } = this.search;
    this.about = this.facts.about(this.position);
    this.took = null;
    this.computing = this.filling = false;
    if (!this.engine || !this.truths) return;
    try {
      await this._findValues(signal);
      // When the values are known, find the reason why the last move was a mistake.
      if (this.line.at) await this.lines.explain(this.line.previous, this.line.lastMove, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.computing = this.filling = false;
      if (error instanceof Contradiction) throw error;
      this.say(`The kernel stopped: ${error.message}`);
    } finally {
      if (!signal.aborted) this.refresh();
    }
  }

  async _findValues(signal) {
    const survey = new Survey(this.engine, this.facts, this._questions(), () => this.learn());
    this.computing = survey.isOpen && !this.isStopped("values");
    this.wantLine();
    if (!this.computing) return;
    // The search for the curve of a review has priority.
    this.filling = Boolean(this.mode.filled);
    await this.mode.filled;
    signal.throwIfAborted();
    this.filling = false;
    const started = performance.now();
    await survey.run(signal);
    signal.throwIfAborted();
    this.computing = false;
    if (survey.nodes) this.took = { nodes: survey.nodes, seconds: (performance.now() - started) / 1000 };
    this.learn();
  }

  wantLine() {
    this.lines.want(this.position, valueOf(this.about.fact), this.computing ? EARLY_LINE_NODES : Infinity);
  }

  // --- Methods for the jobs (jobs.js) that the user can stop and resume

  isStopped = (job) => this.state.stopped.includes(job);

  setStopped(jobs, isStopped) {
    const others = this.state.stopped.filter((job) => !jobs.includes(job));
    this.dispatch({ type: "set", changes: { stopped: isStopped ? [...others, ...jobs] : others } });
    if (jobs.some((job) => job === "curve" || job === "reason")) this.modes.review.onStopped();
    this._looksElsewhere();
    this.analyse();
    this.refresh();
  }

  toggleAll() {
    this.setStopped(JOBS, this.state.stopped.length === 0);
  }

  // Return the questions for a survey. The position comes first, then the winner after each move, and then the exact values
  // after the moves; the most promising moves come first.
  _questions() {
    const sign = signOf(this.position);
    const own = { position: this.position, rank: (undecided) => (undecided ? 300 : 200) };
    const rank = (undecided, goal) => (undecided ? 100 : sign * goal);
    if (isOver(this.position)) return [];
    return [own, ...this.about.moves.map(({ child }) => ({ position: child, rank }))];
  }

  learn() {
    this.about = this.facts.about(this.position);
    this.wantLine();
    if (this.looked) this.look(this.looked);
    if (this.computing) this.refreshSoon();
    else this.refresh();
  }

  // --- Methods for lines of play

  look(one) {
    // The caller's data about the move can be old, so find the current data.
    const before = this.looked?.key;
    this.looked = (one && this.about.moves.find((now) => now.key === one.key)) ?? null;
    if (this.looked?.key !== before) this._looksElsewhere();
    if (this.looked) {
      this.lines.want(this.looked.child, valueOf(this.looked.fact));
      if (!this.computing) this.lines.explain(this.position, this.looked.moves[0], this.looking.signal);
    }
    this.refresh();
  }

  // Stop the searches for the move at which the user pointed last.
  _looksElsewhere() {
    this.looking.abort();
    this.looking = new AbortController();
  }

  // Return the line to show: the line after the move at which the user points, or else the best line of the position.
  shownLine() {
    if (!this.truths) return null;
    if (!this.looked) {
      const line = this.lines.get(this.position);
      return line?.moves.length ? line : null;
    }
    const line = this.lines.get(this.looked.child);
    const first = this.looked.moves[0];
    if (!line) return isOver(this.looked.child) ? { moves: [first], whole: true } : null;
    return { ...line, moves: [first, ...line.moves] };
  }

  // --- Methods for drawing

  // Return whether the page reserves space for an element. Once isWanted has been true, the space stays reserved while the
  // position is shown, so that other elements do not move when the text of the element appears.
  keepsRoom(name, isWanted) {
    if (isWanted) this.rooms.add(name);
    return this.rooms.has(name);
  }

  // Draw in the next frame, or after a delay in milliseconds, unless another call draws earlier. The delay is used while the
  // kernel works, because frequent drawing would slow the kernel down.
  refresh(delay = 0) {
    if (this.scheduled && (delay || !this.delayed)) return;
    clearTimeout(this.delayed);
    this.scheduled = true;
    this.delayed = delay ? setTimeout(() => this.refresh(), delay) : null;
    if (!delay)
      requestAnimationFrame(() => {
        this.scheduled = false;
        this.render();
      });
  }

  refreshSoon() {
    this.refresh(LEARN_MILLISECONDS);
  }

  render() {
    const { position, line } = this;
    setText(byId("you"), this.mode.you ?? "");
    setText(byId("turn"), this._turnText());
    byId("back").disabled = byId("to-start").disabled = line.at === 0 || this.modeName === "edit";
    byId("forward").disabled = byId("to-end").disabled = line.at === line.moves.length || this.modeName === "edit";
    byId("pass").disabled = isOver(position) || this.modeName === "edit" || this.mode.locked === true;
    byId("undo").disabled = !this.past.before.length;
    byId("redo").disabled = !this.past.after.length;
    byId("mine").hidden = !this.state.visit || isNoGame(this.state.game);
    byId("welcome").hidden = !this._isFirstScreen();
    document.body.toggleAttribute("data-first", this._isFirstScreen());
    for (const id of ["review", "review-list"]) byId(id).hidden = this.modeName !== "review";
    this._renderPass();
    this.played.render();
    this.verdict.render();
    this.jobs.render();
    this.mode.render();
    this.variations.render();
    this.beside.render();
    this.verdict.keepHeight();
    const labels = [...Array(POINTS).keys()].map((point) => this._label(point));
    this.board.show(this._view(), labels);
    byId("board").dataset.computing = this.computing;
  }

  _view() {
    const { position, looked } = this;
    const own = this.mode.view?.();
    if (own) return { ...own, names: this.state.names };
    const shown = looked ? this.shownLine() : null;
    // A line of one stone is not drawn, because it would hide the results of all moves and show nothing new.
    const ghosts = shown && shown.moves.length > 1 ? ghostsOf(position, shown.moves) : [];
    const marks = new Map();
    if (this.truths && !isOver(position))
      for (const one of this.about.moves)
        for (const move of one.moves)
          if (move !== PASS) {
            const lit = looked?.key === one.key;
            marks.set(move, {
              fact: one.fact,
              best: isBest(one),
              lit,
              dim: ghosts.length > 0 && !lit,
            });
          }
    for (const move of this.mode.hinted ?? [])
      if (move !== PASS) marks.set(move, { hint: true });
    const { lastMove: last, taken } = this.line;
    const { names } = this.state;
    return { position, last, taken, marks, named: this.beside.framed, ghosts, signs: marksShown(this.state), names };
  }

  _label(point) {
    const { position } = this;
    const colour = stoneAt(position, point);
    if (colour !== null) return `${moveName(point)}: ${NAMES[colour]} stone`;
    const one = this.about.moves.find((move) => move.moves.includes(point));
    if (this.modeName === "edit" || isOver(position)) return `${moveName(point)}: empty`;
    if (!one) return `${moveName(point)}: empty, illegal`;
    return this.truths ? `${moveLabel(one, point)}${this.mode.label?.(point) ?? ""}` : `${moveName(point)}: empty`;
  }

  _isFirstScreen() {
    const { mode, visit, game, beside } = this.state;
    return !this.isIn && mode === "explore" && !visit && !beside && isNoGame(game);
  }

  // Leave the first screen.
  comeIn() {
    this.isIn = true;
    this.refresh();
  }

  _turnText() {
    const { position } = this;
    if (this.mode.title) return this.mode.title;
    if (this._isFirstScreen()) return "The empty board: Black plays first.";
    if (isOver(position))
      return `The game is over after ${this.line.start === START ? `ply ${this.line.at}` : "the last move"}.`;
    const ko = position.ko === null ? "" : ` ${moveName(position.ko)} is ${BY_KO}.`;
    const passed = position.passed ? " The last ply was a PASS: another one ends the game." : "";
    const last = position.ply === PLIES - 1 ? " This is the last ply." : "";
    return `${position.ply} of ${PLIES} plies played, ${turnText(position)}.${ko}${passed}${last}`;
  }

  // Show the result of PASS on its button, because PASS has no point on the board.
  _renderPass() {
    const element = byId("pass-worth");
    const one = this.truths ? this.about.moves.find((move) => move.moves.includes(PASS)) : null;
    if (!one) return setText(element, "");
    const winner = winnerOf(one.fact);
    setText(element, shortResult(one.fact));
    element.className = winner === null ? "open" : NAMES[winner].toLowerCase();
    element.classList.toggle("best", isBest(one));
  }

  _spokenVerdict() {
    if (!this.truths && !isOver(this.position)) return "";
    const { fact } = this.about;
    return `${spokenResult(fact)}. ${marginText(fact)}`;
  }

  // --- Small methods

  // Show a message. isBad: whether the message reports a failure.
  say(text, isBad = false) {
    this.note = text;
    const element = byId("message");
    element.classList.toggle("bad", isBad);
    element.hidden = !text;
    setText(element, text);
  }

  speak(text) {
    setText(byId("spoken"), text);
  }

  _onPoint(point) {
    if (this.variations.onPoint(point)) return;
    if (this.mode.onPoint) this.mode.onPoint(point);
    else this.play(point);
  }

  // Write the address of the state into the browser's history, so that its Back button undoes the last action of the user.
  // Several moves along a line count as one action.
  _writeAddress(action) {
    const address = addressOf(this.state);
    const isSame = location.hash.slice(1) === address;
    if (action.type === "visit") return (this.written = address);
    const replaces = isSame || action.isReply || (action.type === "goTo" && this.wrote === "goTo") || !this.isOpen;
    this.wrote = action.type;
    this.written = address;
    try {
      if (replaces) history.replaceState(this.state, "", `#${address}`);
      else history.pushState(this.state, "", `#${address}`);
    } catch {
      location.hash = address;
    }
  }

  // Show the state that the address describes, or a message if the address is not valid. kept: the state that the browser has
  // stored with the address, or null.
  readAddress(kept = history.state) {
    const fragment = location.hash.slice(1);
    if (fragment === this.written) return;
    try {
      const had = kept?.game ? revived(kept) : null;
      const isHere = had && addressOf(had) === fragment;
      const place = isHere ? had : placeOf(fragment, this.rules, BOARDS, OPPONENTS);
      this.wrote = "visit";
      this.dispatch({ type: "visit", place });
      this._writeState();
    } catch (error) {
      if (!(error instanceof BadText)) throw error;
      this.load({ start: START, moves: [] });
      this.say(`The link does not work: ${error.message}.`, true);
    }
  }

  // Replace the address by its usual form, and store the state with the address, so that a reload of the page restores the
  // state.
  _writeState() {
    this.written = addressOf(this.state);
    try {
      history.replaceState(this.state, "", `#${this.written}`);
    } catch {
      // If the browser forbids this, a reload shows only the line of the address.
    }
  }
}

const isNoGame = ({ start, root }) => start === START && !root.children.length;

// Return a stored state in which copies of START are replaced by START itself, because other functions compare with ===.
function revived(state) {
  const withStart = (game) => game && { ...game, start: isStart(game.start) ? START : game.start };
  return { ...state, game: withStart(state.game), visit: withStart(state.visit) };
}

// --- Functions that start the page

const dataOf = (id) => byId(id).textContent;

async function readFacts(rules) {
  const [book, atlas, proved, traps] = await Promise.all(
    ["book", "atlas", "proved", "traps"].map((id) => unpack(dataOf(id))),
  );
  return new Facts(rules, {
    book: readBook(book),
    atlas: readAtlas(atlas, rules),
    lines: readLines(dataOf("lines"), rules),
    proved: readProved(proved),
    traps: readTraps(traps),
  });
}

// Add the values of a ply, if the page contains these values. isWhole: whether no value is missing.
async function addLevel(facts, ply, isWhole) {
  const packed = dataOf(`ply${ply}`);
  if (packed) facts.addLevel(ply, readBlocks(ply, await unpack(packed)), isWhole);
}

async function startEngine(bytes, facts) {
  try {
    const engine = new Engine(dataOf("worker"), bytes, facts.taught, await unpack(dataOf("shared-kernel")));
    await engine.open();
    return engine;
  } catch (error) {
    console.warn(`no kernel: ${error.message}`);
    return null;
  }
}

async function start() {
  const bytes = await unpack(dataOf("kernel"));
  const rules = new Rules(await openKernel(bytes));
  const facts = await readFacts(rules);
  const app = new App(rules, facts, await startEngine(bytes, facts));
  // If two sources contradict each other about a position, show this fault to the user.
  for (const event of ["error", "unhandledrejection"])
    addEventListener(event, (/** @type {any} */ { error, reason }) => {
      if ((error ?? reason) instanceof Contradiction) app.say(`A fault, please report it. ${(error ?? reason).message}`);
    });
  app._showMode();
  app.changed();
  app.readAddress();
  wireSettings(app);
  app.isOpen = true;
  wireButtons(app);
  wireKeys(app);
  wireOpen(app);
  wireShare(app);
  // Functions for the browser's console and for the tests (docs/guides/EXPLORER.md).
  globalThis.explorer = {
    app,
    answer: (position) => answerOf(app, position),
    perfect: (position, nodes) => perfectMove(app.engine, app.facts, position, { nodes }),
    words: (fact) => [shortResult(fact), resultText(fact), spokenResult(fact)],
    reason: (position, worse, better) => reason(app.rules, position, worse, better),
    address: () => addressOf(app.state),
    bench: (lines, questions) => app.engine.lanes[0].ask("bench", { lines, questions }),
  };
  document.documentElement.dataset.ready = "true";
  if (app.engine) complete(app).catch((error) => console.warn(`the last plies of the atlas are missing: ${error.message}`));
}

// Start the other workers and load the last plies of the atlas, which the page does not need at the start.
async function complete(app) {
  await app.engine.openOthers();
  await addLevel(app.facts, 6, true);
  await addLevel(app.facts, 7, false);
  app.learn();
}

// Return the exact value of a position, with the names of fields as in the command line's JSON. The kernel searches only if the
// facts do not contain the value.
async function answerOf(app, position) {
  const fault = app.rules.fault(position);
  if (fault) throw new Error(fault);
  const quest = new Quest(app.engine, app.facts, position);
  if (!isOver(position) && valueOf(app.facts.about(position).fact) === null) await quest.exact();
  const { fact } = app.facts.about(position);
  return { value: valueOf(fact), lo: fact.lo, hi: fact.hi, source: valueSource(fact), nodes: quest.nodes };
}

// In a worker this script only reads long texts (reader.js).
if (typeof document === "undefined") serveReader();
else
  start().catch((error) => {
    setText(byId("turn"), `This browser cannot run the page: ${error.message}`);
    throw error;
  });
