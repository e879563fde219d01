// The page. What is shown is one state (state.js): people's deeds are actions, App.dispatch() hands them to the reducer, and what
// follows from the next state is done here: the line and its analysis, undo, the address and the browser's history, the drawing.
//
// - tree.js has games as trees of variations, address.js says what a state's address is;
// - rules.js and engine.js ask the compiled kernel, the one at once and the other in workers (worker.js);
// - evidence.js has the laws of bounds;
// - packs.js unpacks what the build packed, and levels.js looks up the values of later plies, whose keys it makes;
// - facts.js brings together what the book, the atlas, the certificates and the kernel say of a position;
// - bestlines.js finds lines of play; words.js puts results into words, formats.js games into links and SGF;
// - board.js, played.js, verdict.js, moves.js and variations.js draw what App hands them;
// - explore.js, play.js, review.js, tour.js, puzzles.js, learn.js and edit.js are the modes: each fills its cards beside the
//   board, and may answer a click on a point, draw a board of its own, or keep what the moves are worth to itself;
// - notebook.js reviews all games of a file, one after the other;
// - controls.js, open.js and share.js wire the keys, the buttons and the dialogs.
//
// Whatever is learnt ends in App.learn(). refresh() draws once per frame, however often it is called.

import {
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

// Between two plies of a line that is played.
const PLY_MILLISECONDS = 900;

// Time between two drawings while the kernel works.
const LEARN_MILLISECONDS = 150;

// Nodes for each move of the best line while the values are not all known.
const EARLY_LINE_NODES = 1e6;

// What each mode of lessons shows, as links.
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
    // Whether what the moves are worth is asked, and whether that waits for a review's curve.
    this.computing = false;
    this.filling = false;
    this.search = new AbortController();
    this.looking = new AbortController();
    this.note = "";
    // What keeps its room on the page while one position is looked at.
    this.rooms = new Set();
    // Whether somebody is past the first screen.
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

  // --- what changes the state

  // Apply an action of the user. isReply: the action answers the previous one, and is undone and left together with it.
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
    // An undone or visited state has its board; a mode that is opened may put one there.
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
    this.dispatch({ type: "play", move, isReply });
    this.speak(
      `${plyText(this.position.ply, move)}. ${isOver(this.position) ? "The game is over. " : ""}${this._spokenVerdict()}`,
    );
  }

  goTo(at) {
    if (this.mode !== this.modes.edit && at >= 0 && at <= this.line.moves.length) this.dispatch({ type: "goTo", at });
  }

  load(game) {
    this.dispatch({ type: "load", game });
    // The note on another text goes, also if the board stays.
    this.say(game.note ?? "");
  }

  // The position looked at has changed: leave what was asked about the old one. What is known on the way holds here too.
  // isKept: the whole state is one that was kept.
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

  // Play a line from a place of the present one, ply by ply, until its end or until somebody goes elsewhere; one's own line is
  // kept.
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

  // Play the rest of the line, the next move after a pause.
  playOn() {
    if (this.line.at < this.line.moves.length) this.playing = setTimeout(() => this._step(), PLY_MILLISECONDS);
    this.refresh();
  }

  stopLine() {
    clearTimeout(this.playing);
    this.playing = null;
    this.refresh();
  }

  // --- modes

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

  // Whether what moves are worth is shown.
  get truths() {
    return this.mode.truths;
  }

  // Back to what one has made oneself.
  goHome() {
    this.dispatch({ type: "home" });
  }

  // --- what is known

  // Ask the kernel about the position and its moves, until all is exact or it is left.
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
      // Why the last move was a mistake comes after what the moves are worth.
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
    // A review's curve comes first.
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

  // --- jobs (jobs.js) that people stop and resume

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

  // The position itself comes first, then who wins after each move, then the moves that may be best.
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

  // --- lines of play

  look(one) {
    // A row of the list may be older than what is known now.
    const before = this.looked?.key;
    this.looked = (one && this.about.moves.find((now) => now.key === one.key)) ?? null;
    if (this.looked?.key !== before) this._looksElsewhere();
    if (this.looked) {
      this.lines.want(this.looked.child, valueOf(this.looked.fact));
      if (!this.computing) this.lines.explain(this.position, this.looked.moves[0], this.looking.signal);
    }
    this.refresh();
  }

  // Leave what was asked about the move looked at before.
  _looksElsewhere() {
    this.looking.abort();
    this.looking = new AbortController();
  }

  // The line to show: of the move looked at, or of the best one.
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

  // --- what is shown

  // Whether something has room, wanted now or before at this position: what comes late moves nothing that is below it.
  keepsRoom(name, isWanted) {
    if (isWanted) this.rooms.add(name);
    return this.rooms.has(name);
  }

  // Draw in the next frame, or after some milliseconds unless something else draws before: drawing takes time from the kernel.
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
    // A line of one stone hides what the points are worth for nothing.
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
    const { previous } = this.line;
    const taken = previous ? (previous.black | previous.white) & ~(position.black | position.white) : 0;
    const { names } = this.state;
    return { position, last: this.line.lastMove, taken, marks, named: this.beside.framed, ghosts, signs: marksShown(this.state), names };
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

  // Somebody is past the doors of the first screen.
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
    const ko = position.ko === null ? "" : ` ${moveName(position.ko)} is forbidden by ko.`;
    const passed = position.passed ? " The last ply was a PASS: another one ends the game." : "";
    const last = position.ply === PLIES - 1 ? " This is the last ply." : "";
    return `${position.ply} of ${PLIES} plies played, ${turnText(position)}.${ko}${passed}${last}`;
  }

  // PASS is no point of the board: what it is worth stands on its button.
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

  // --- small things

  // isBad: it did not work.
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

  // The browser's Back leads to where one was before the last deed; going to and fro along a line is one deed.
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

  // Show what the address names; what is wrong with it is told. kept: the state that the browser has kept with it.
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

  // The address as it would be written here, with the state for a reload.
  _writeState() {
    this.written = addressOf(this.state);
    try {
      history.replaceState(this.state, "", `#${this.written}`);
    } catch {
      // Without it a reload has the line alone.
    }
  }
}

const isNoGame = ({ start, root }) => start === START && !root.children.length;

// A state that the browser has kept: the empty board is START again.
function revived(state) {
  const withStart = (game) => game && { ...game, start: isStart(game.start) ? START : game.start };
  return { ...state, game: withStart(state.game), visit: withStart(state.visit) };
}

// --- the start

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

// Add the values of a later ply, if the page has some. isWhole: whether they are all.
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
  // Nothing is shown of a position of which two sources contradict each other.
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
  // For the console and for tests; docs/guides/EXPLORER.md tells what it can be asked.
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
  if (app.engine) complete(app).catch((error) => console.warn(`the atlas stays short: ${error.message}`));
}

// What the page can begin without: the other workers, and the last plies of the atlas.
async function complete(app) {
  await app.engine.openOthers();
  await addLevel(app.facts, 6, true);
  await addLevel(app.facts, 7, false);
  app.learn();
}

// The exact value of a position as JSON keys: of the facts if they have it, else by the kernel.
async function answerOf(app, position) {
  const fault = app.rules.fault(position);
  if (fault) throw new Error(fault);
  const quest = new Quest(app.engine, app.facts, position);
  if (!isOver(position) && valueOf(app.facts.about(position).fact) === null) await quest.exact();
  const { fact } = app.facts.about(position);
  return { value: valueOf(fact), lo: fact.lo, hi: fact.hi, source: valueSource(fact), nodes: quest.nodes };
}

// In a worker it reads long texts (reader.js).
if (typeof document === "undefined") serveReader();
else
  start().catch((error) => {
    setText(byId("turn"), `This browser cannot run the page: ${error.message}`);
    throw error;
  });
