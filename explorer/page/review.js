// The mode "Review" has a card that shows one mistake at a time, a list of all moves, and the curve. The shown mistake is drawn
// on the board before the move.
//
// The review is about the user's own game, even while the board shows a line of best play (`visit` in state.js). If a mistake
// was made in the position on the board, the card shows this mistake.

import { NAMES, PASS, isOver, marginOf, moveName, moverOf, signOf } from "./rules.js";
import { Quest, Survey, Task } from "./engine.js";
import { valueOf, winnerOf } from "./evidence.js";
import { Line } from "./line.js";
import { Curve } from "./curve.js";
import { mistakeRecord, mistakesOf, pointsNamed, turningPoint, worstOf } from "./mistakes.js";
import { counted, lostText, plyText, points, resultText, shortResult, tookText } from "./words.js";
import { LONGEST_REASON } from "./verdict.js";
import { endText } from "./play.js";
import { byId, fill, make, on, setLabel, setText } from "./dom.js";

// The signs of a mistake, as in annotated games: ?? lost the win, and ?! cost only points.
const [LOST, COST] = ["??", "?!"];
const signOfMistake = ({ decisive }) => (decisive ? LOST : COST);

export class ReviewMode {
  constructor(app) {
    this.app = app;
    this.search = new Task();
    this.curve = new Curve((at) => this._goTo(at));
    on("try-mistakes", "click", () => this._try(0));
    on("try-stop", "click", () => this._stopTrying(""));
    on("try-next", "click", () => this._try(this.trying.number + 1));
    on("try-show", "click", () => this._showAnswer());
    on("try-side", "change", () => this._stopTrying(""));
    on("mistake-show", "click", () => this._show(worstOf(this.mistakes)));
    on("mistake-back", "click", () => this._step(-1));
    on("mistake-next", "click", () => this._step(1));
    on("mistake-worse", "click", () => this._playLine("worse"));
    on("mistake-better", "click", () => this._playLine("better"));
    on("mistake-home", "click", () => app.goHome());
  }

  enter() {
    this._run();
  }

  leave() {
    this.search.stop();
    this._renderSigns([]);
  }

  // Stop or resume the review after the user has stopped or resumed a job.
  onStopped() {
    if (this.app.isStopped("curve")) this._stop();
    else if (this.app.mode === this && !this.search.isRunning) this._run();
  }

  _stop() {
    this.search.stop();
    this.filled = null;
  }

  // The progress of the review as text, or "" if nothing is left to do.
  get progress() {
    if (!this.search.isRunning && !this.app.isStopped("curve")) return "";
    const { facts } = this;
    const exact = facts.filter((fact) => valueOf(fact) !== null).length;
    if (exact < facts.length) return `${exact} of ${facts.length} positions exact`;
    const { mistakes } = this;
    const found = mistakes.filter((each) => this.whyOf(each)).length;
    return this.search.isRunning || found < mistakes.length ? `${found} of ${counted(mistakes.length, "mistake")} explained` : "";
  }

  // --- Methods for the game and its facts

  // The line of the user's own game, even while the board shows a line of best play.
  get line() {
    const { game } = this.app.state;
    if (this.game !== game) this.own = new Line(this.app.rules, (this.game = game), this.own);
    return this.own;
  }

  // The facts at each position of the line.
  get facts() {
    return this.line.positions.map((position) => this.app.facts.own(position));
  }

  get mistakes() {
    return mistakesOf(this.line, this.facts);
  }

  // Return the reason why a move is a mistake, or null if the reason is not known yet.
  whyOf({ position, move }) {
    return this.app.lines.why(position, move);
  }

  // The record of the review, with the same fields as in `little-go review --json`.
  get record() {
    const mistakes = this.mistakes.map((each) => mistakeRecord(each, this.whyOf(each)));
    return { mistakes, turning_point: this._turningPly() };
  }

  // Return the ply of the turning point, or null if there was none. The turning point is the fault that ended the game, or else
  // the last mistake that changed the winner.
  _turningPly() {
    if (this._endsByAFault()) return this.line.positions.at(-1).ply + 1;
    const turning = turningPoint(this.mistakes);
    return turning && turning.position.ply + 1;
  }

  // Return whether the game ended by a fault. Resignation is a fault only if the player was winning (arena/review/fault.py).
  _endsByAFault() {
    const { lost, positions } = this.line;
    return Boolean(lost) && (lost.reason !== "resigned" || winnerOf(this.facts.at(-1)) === moverOf(positions.at(-1)));
  }

  // The mistake that was made in the position on the board, or null if no mistake was made there.
  get shown() {
    const { at } = this.line;
    return this.mistakes.find(({ index }) => index === at) ?? null;
  }

  // The position and the move of the mistake whose reason is shown.
  get explains() {
    const { shown } = this;
    return shown && [shown.position, shown.move];
  }

  get isAway() {
    return this.app.state.visit !== null;
  }

  // --- Methods for actions of the user

  _goTo(at) {
    this.app.stopLine();
    this.app.dispatch({ type: "goTo", at, isOwn: true });
  }

  // Show the board before a mistake, and scroll it into view.
  _show({ index }) {
    this._goTo(index);
    this.bringIntoSight();
  }

  // Scroll to the card. On a phone, scroll to the board, because the list of moves is below the board.
  bringIntoSight() {
    const isNarrow = matchMedia("(max-width: 60rem)").matches;
    // If the page shows no list of games, the board and the card fit on the first screen.
    if (isNarrow && byId("games").hidden) return scrollTo({ top: 0 });
    const first = byId(isNarrow ? "board" : "review");
    if (isNarrow || first.getBoundingClientRect().top < 0) first.scrollIntoView({ block: "start" });
  }

  // Show the previous or the next mistake. In a line of best play, show the previous or the next ply.
  _step(by) {
    const { app } = this;
    if (this.isAway) return app.goTo(app.line.at + by);
    const to = this._beside(by);
    if (to) this._show(to);
  }

  _beside(by) {
    const { at } = this.line;
    return by < 0 ? this.mistakes.findLast(({ index }) => index < at) : this.mistakes.find(({ index }) => index > at);
  }

  // Show a line of best play, from the position after its first move. which: "worse" for the line that begins with the mistake,
  // "better" for the line that begins with a better move.
  _playLine(which) {
    const { app, shown } = this;
    const { start, moves } = this.line;
    const path = moves.slice(0, shown.index);
    app.dispatch({ type: "load", game: { start, moves: [...path, ...this.whyOf(shown)[which]], at: path.length + 1 }, visits: true });
  }

  // --- Methods with which the user tries mistakes again

  get trying() {
    return this.app.state.trying;
  }

  _set(trying) {
    this.app.dispatch({ type: "try", trying });
  }

  // Whether the values of the moves are shown. While the user looks for a better move, the values are hidden.
  get truths() {
    return this.trying === null || this.trying.isDone;
  }

  get title() {
    const { trying, line } = this;
    if (!trying || trying.isDone) return null;
    return `${NAMES[moverOf(line.position)]} to move: ${moveName(line.moves[trying.index])} was played. Find a better move.`;
  }

  // Return the mistakes of the chosen side.
  _asked() {
    const side = byId("try-side").value;
    return this.mistakes.filter(({ position }) => side === "" || moverOf(position) === Number(side));
  }

  _try(number) {
    const asked = this._asked();
    if (!asked.length) return this._stopTrying("There is no mistake to try again.");
    if (number >= asked.length) return this._stopTrying(`That was the last of ${counted(asked.length, "mistake")}.`);
    const { index } = asked[number];
    this._set({ number, index, count: asked.length, isDone: false, said: "" });
    this.bringIntoSight();
  }

  _stopTrying(said) {
    this._set(null);
    if (said) this.app.say(said);
  }

  // Compare the value after the user's move with the value of the position. If a value is not known, search it first.
  async onPoint(move) {
    const { app, trying } = this;
    if (!trying || trying.isDone) return app.play(move);
    const why = app.rules.illegal(app.position, move);
    if (why) return app.say(`Illegal: ${why}.`, true);
    const { line } = this;
    const position = line.positions[trying.index];
    const [value, worth] = [valueOf(app.facts.about(position).fact), await this._worth(position, move)];
    if (this.trying?.index !== trying.index || this.trying.isDone || worth === null || value === null) return;
    const lost = signOf(position) * (value - worth);
    const was = signOf(position) * (value - (valueOf(app.facts.own(line.positions[trying.index + 1])) ?? value));
    if (lost === 0) this._finish(`Right: ${moveName(move)} loses nothing.`);
    else if (move === line.moves[trying.index]) this._say(`${moveName(move)} is the move that was played.`);
    else this._say(`${moveName(move)} loses ${points(lost)}${lost < was ? ", less than the move that was played" : ""}. Try again.`);
  }

  async _worth(position, move) {
    const { app } = this;
    const child = app.rules.play(position, move);
    if (isOver(child)) return marginOf(child);
    if (valueOf(app.facts.own(child)) === null && app.engine) {
      this._say("Looking …");
      await new Quest(app.engine, app.facts, child).exact();
    }
    return valueOf(app.facts.own(child));
  }

  _say(said) {
    this._set({ ...this.trying, said });
  }

  _finish(said) {
    this._set({ ...this.trying, isDone: true, said });
  }

  _showAnswer() {
    this._finish("");
  }

  // --- Methods for searches

  onPosition() {
    if (this.reviewed !== lineText(this.line)) this._run();
  }

  _run() {
    const { app } = this;
    this.reviewed = lineText(this.line);
    this.took = null;
    this._stop();
    if (!app.engine || app.isStopped("curve")) return;
    this.search
      .run((signal) => this._review(signal))
      .catch((error) => app.say(`The kernel stopped: ${error.message}`))
      .finally(() => app.refresh());
  }

  // While the curve is being computed, this.filled is a promise that is never rejected. Other searches wait for this promise.
  async _review(signal) {
    const filling = this._fill(this.line.positions, signal);
    const filled = filling.catch(() => {}).then(() => {
      if (this.filled === filled) this.filled = null;
    });
    this.filled = filled;
    await filling;
    await explainMistakes(this.app, this.mistakes, signal);
  }

  async _fill(positions, signal) {
    this.took = await surveyPositions(this.app, positions, signal);
  }

  // --- Methods for drawing

  // Return a view of the board before the shown mistake, with both moves and the points that the reason mentions. Return null
  // if the board of the line is shown instead.
  view() {
    const { shown, app } = this;
    if (!shown || this.isAway || !this.truths) return null;
    const { line } = app;
    const why = this.whyOf(shown);
    const marks = new Map([[shown.move, { move: signOfMistake(shown), colour: moverOf(shown.position) }]]);
    if (why) marks.set(why.better[0], { move: "!", colour: moverOf(shown.position) });
    const named = new Set(why && Object.values(pointsNamed(why.told)).flat().map((name) => POINT_NAMES.indexOf(name)));
    return { position: shown.position, last: line.lastMove, taken: line.taken, marks, named, ghosts: [] };
  }

  // Return the text that is added to the label of a point, which screen readers read.
  label(point) {
    const marks = this.view()?.marks;
    return marks?.has(point) ? `, ${marks.get(point).move === "!" ? "the better move" : "the mistake"}` : "";
  }

  render() {
    const isAsking = !this.truths;
    document.body.toggleAttribute("data-asks", isAsking);
    const { mistakes, facts } = this;
    this._renderCard(mistakes, facts);
    this._renderList(mistakes, facts);
    this._renderSigns(mistakes);
    this._renderTrying(mistakes);
    this.curve.render(this.line, facts, mistakes.filter(({ decisive }) => decisive).map(({ index }) => index + 1), this.line.at);
    // While the user looks for a better move, hide everything that shows a better move.
    for (const id of ["curve", "mistakes", "plies-take", "mistake-card"]) byId(id).hidden = isAsking;
    this.app.modes.explore.render();
  }

  _renderCard(mistakes, facts) {
    const { line, shown } = this;
    const number = shown && mistakes.findIndex(({ index }) => index === shown.index) + 1;
    const { names } = this.app.state.game;
    setText(byId("review-names"), names ? `${names[0]} (Black), ${names[1]} (White)` : "");
    setText(byId("review-title"), this._titleText(shown, number, mistakes.length));
    this._renderStep(byId("mistake-back"), -1);
    this._renderStep(byId("mistake-next"), 1);
    const why = shown && this.whyOf(shown);
    setText(byId("review-summary"), this._summaryText(mistakes, facts));
    byId("review-summary").hidden = shown !== null;
    for (const id of ["mistake-deed", "mistake-why"]) byId(id).hidden = !shown;
    if (shown) this._renderMistake(shown, why);
    setText(byId("deed-kept"), LONGEST_DEED);
    setText(byId("mistake-kept"), `Better: 0,0. ${LONGEST_REASON}`);
    // The worst mistake is known only if the winner is known at every ply.
    const isJudged = !this.search.isRunning || facts.every((fact) => winnerOf(fact) !== null);
    this._renderButtons(shown, why, isJudged ? worstOf(mistakes) : undefined);
    const open = facts.filter((fact) => valueOf(fact) === null).length;
    const exact = `${facts.length - open} of ${facts.length} positions are exact.`;
    setText(byId("review-status"), !line.moves.length ? "" : open ? exact : `Every position is exact${tookText(this.took)}.`);
  }

  _titleText(shown, number, count) {
    const { app } = this;
    if (this.isAway) return `Best play, ply ${app.line.ply}`;
    if (!shown) return "Review";
    return `Mistake ${number} of ${count}`;
  }

  _renderStep(button, by) {
    const { app } = this;
    const at = app.line.at + by;
    button.disabled = !this.truths || (this.isAway ? at < 0 || at > app.line.moves.length : !this._beside(by));
    const what = this.isAway ? "ply" : "mistake";
    setLabel(button, `${by < 0 ? "Previous" : "Next"} ${what}`);
  }

  _renderMistake(mistake, why) {
    const { move, position } = mistake;
    const kind = why && why.told.kind !== "other" ? ` (${why.told.kind})` : "";
    setText(byId("mistake-deed"), `Ply ${position.ply + 1}: ${plyText(position.ply + 1, move)}, which ${costText(mistake)}${kind}.`);
    setText(byId("mistake-why"), why ? `Better: ${moveName(why.better[0])}. ${why.text}` : this._pendingText());
  }

  _pendingText() {
    const { app } = this;
    if (!app.engine) return "The kernel cannot run in this browser, so the better move is not known.";
    if (app.isStopped("reason") || app.isStopped("curve")) return "The search for the better move is stopped.";
    return "Looking for the better move …";
  }

  // Show the buttons of the card. worst: the worst mistake, null if there is no mistake, or undefined if the worst mistake is
  // not known yet.
  _renderButtons(shown, why, worst) {
    const show = byId("mistake-show");
    show.hidden = shown !== null || !this.line.moves.length;
    show.disabled = !worst;
    setText(show, worst ? `Show ${worst.decisive ? "where the win was lost" : "the costliest mistake"}` : worst === null ? "No mistake" : "Looking for mistakes …");
    for (const which of ["worse", "better"]) {
      const button = byId(`mistake-${which}`);
      button.hidden = !shown || this.isAway;
      button.disabled = !why || (which === "worse" && why.worse.length < 2);
    }
    if (shown) setText(byId("mistake-worse"), `After ${moveName(shown.move)}`);
    setText(byId("mistake-better"), why ? `After ${moveName(why.better[0])}` : "After …");
    byId("mistake-home").hidden = !this.isAway;
  }

  _summaryText(mistakes, facts) {
    const { line } = this;
    if (!line.moves.length) return "There is no game yet: play one, or open one with “Open…”.";
    const last = line.positions.at(-1);
    const ending = line.lost ? lostText(line.lost, last.ply) : isOver(last) ? endText(last) : "The game is not finished.";
    const standing = line.lost ? `${this._standing(last, facts.at(-1))} ` : "";
    return `${ending} ${standing}${this._endsByAFault() ? "" : this._turningText(mistakes, facts)}`.trim();
  }

  // Return a sentence that states whether the side that lost by a fault was winning before the fault. If that side was winning,
  // the fault was the turning point.
  _standing(last, fact) {
    if (winnerOf(fact) === null) return "Who was winning is not known yet.";
    const loser = moverOf(last);
    return winnerOf(fact) === loser
      ? `That was the turning point: ${NAMES[loser]} was winning (${resultText(fact)}).`
      : `${NAMES[loser]} was losing already (${resultText(fact)}).`;
  }

  _turningText(mistakes, facts) {
    if (facts.some((fact) => winnerOf(fact) === null)) return "Who was winning is not known at every ply yet.";
    const turning = turningPoint(mistakes);
    if (!turning) return `There was no turning point: ${NAMES[winnerOf(facts[0])]} was winning throughout.`;
    const count = mistakes.filter(({ decisive }) => decisive).length;
    const times = count === 1 ? "" : ` The win changed hands ${count} times; this was the last.`;
    const ply = turning.position.ply + 1;
    return `The turning point was ply ${ply}: ${plyText(ply, turning.move)} and throws the win away.${times}`;
  }

  // Show a row for each move from the start, so that no row moves when a mistake is found.
  _renderList(mistakes, facts) {
    const { line } = this;
    const key = `${line.start.ply} ${line.moves.join(" ")} ${JSON.stringify(line.lost)}`;
    fill(byId("mistakes"), key, () => [...line.moves.map((move, index) => this._row(move, index)), ...this._lostRow()]);
    const byIndex = new Map(mistakes.map((mistake) => [mistake.index, mistake]));
    const rows = [...byId("mistakes").children].slice(0, line.moves.length);
    for (const [index, row] of rows.entries()) this._fillRow(row, index, byIndex.get(index) ?? null, facts[index + 1]);
  }

  _row(move, index) {
    const ply = this.line.start.ply + index;
    const stone = make("i", { class: ply % 2 ? "white" : "black", "aria-hidden": "true" }, make("b", {}, "BW"[ply % 2]));
    /** @type {any[]} */
    const cells = ["sign", "result", "cost", "instead"].map((name) => make("span", { class: name }));
    const onclick = () => {
      const mistake = this.mistakes.find((each) => each.index === index);
      if (mistake) this._show(mistake);
      else this._goTo(index + 1);
    };
    const name = make("span", { class: "name" }, stone, moveName(move));
    return make("li", {}, make("button", { type: "button", "data-index": index, onclick }, make("span", {}, String(ply + 1)), name, ...cells));
  }

  _fillRow(row, index, mistake, after) {
    const button = row.firstElementChild;
    const why = mistake && this.whyOf(mistake);
    const better = why ? moveName(why.better[0]) : "";
    const { line } = this;
    const ply = line.start.ply + index + 1;
    row.classList.toggle("mistake", mistake !== null);
    row.classList.toggle("flip", mistake?.decisive ?? false);
    button.setAttribute("aria-current", String(!this.isAway && (mistake ? line.at === index : line.at === index + 1 && !this.shown)));
    const texts = { sign: mistake ? signOfMistake(mistake) : "", result: shortResult(after), cost: mistake ? shortCost(mistake) : "", instead: better };
    for (const [name, text] of Object.entries(texts)) setText(button.querySelector(`.${name}`), text);
    const told = mistake ? `, ${costText(mistake)}${better ? `, better: ${better}` : ""}` : "";
    setLabel(button, `Ply ${ply}: ${plyText(ply, line.moves[index])}${told}, ${resultText(after)}`);
  }

  // Return a list with a row for the event, such as a fault, that ended the game. If there was no such event, return an empty
  // list.
  _lostRow() {
    const { line } = this;
    if (!line.lost) return [];
    const onclick = () => this._goTo(line.moves.length);
    const { ply } = line.positions.at(-1);
    return [make("li", { class: "fault" }, make("button", { type: "button", "data-index": line.moves.length, onclick }, lostText(line.lost, ply)))];
  }

  // Show the signs "??" and "?!" in the list of the moves that were played.
  _renderSigns(mistakes) {
    const signs = new Map(this.isAway || !this.truths ? [] : mistakes.map((each) => [each.index, signOfMistake(each)]));
    for (const [index, { firstElementChild: button }] of [...byId("line").children].entries())
      if (signs.has(index)) button.dataset.sign = signs.get(index);
      else delete button.dataset.sign;
  }

  _renderTrying(mistakes) {
    const { trying } = this;
    byId("try-start").hidden = trying !== null || !mistakes.length;
    byId("trying").hidden = !trying;
    if (!trying) return;
    byId("try-show").hidden = trying.isDone;
    setText(byId("try-next"), trying.number + 1 === trying.count ? "Finish" : trying.isDone ? "Next mistake" : "Skip");
    setText(byId("try-said"), `Mistake ${trying.number + 1} of ${trying.count}. ${trying.said || (trying.isDone ? "The answer is on the board." : "Click on the move you would play now.")}`);
  }
}

// A text that is as long as the longest sentence on a mistake. This text reserves the space for such a sentence.
const LONGEST_DEED = "Ply 10: White plays 0,0, which costs 10 points and the win (leaves the other side moves).";

const POINT_NAMES = [...Array(PASS).keys()].map(moveName);

export function costText({ cost, exact, decisive }) {
  return `costs ${points(cost)}${exact ? "" : " or more"}${decisive ? " and the win" : ""}`;
}

const shortCost = ({ cost, exact }) => `−${cost}${exact ? "" : "…"}`;

// Find the exact value of each position of a line, and return the nodes and seconds that the search cost. The winners come
// first, because they are the main result of a review and cost far less than exact values. Among equal questions, late
// positions come first, because they are cheap and their values help to decide the earlier positions.
export async function surveyPositions(app, positions, signal) {
  const items = positions.map((position, index) => ({ position, rank: (undecided) => index + (undecided ? 100 : 0) }));
  const survey = new Survey(app.engine, app.facts, items.filter(({ position }) => !isOver(position)), (position) => {
    app.facts.carryBack(positions.slice(0, positions.indexOf(position) + 1));
    app.refreshSoon();
  });
  const started = performance.now();
  await survey.run(signal);
  signal.throwIfAborted();
  return { nodes: survey.nodes, seconds: (performance.now() - started) / 1000 };
}

// Explain the worst mistake first, because users see it first. Then explain the other mistakes from the end of the game,
// because later mistakes cost less.
export async function explainMistakes(app, mistakes, signal) {
  const worst = worstOf(mistakes);
  for (const { position, move } of worst ? [worst, ...[...mistakes].reverse()] : []) {
    await app.lines.explain(position, move, signal);
    signal.throwIfAborted();
    app.refresh();
  }
}

function lineText(line) {
  return `${JSON.stringify(line.start)} ${line.moves.join(" ")}`;
}
