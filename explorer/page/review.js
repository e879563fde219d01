// Review: the value of the line ply by ply as a curve, the mistakes and what to play instead, the turning point.

import { KOMI } from "./game.js";
import { BLACK_WINS, NAMES, PLIES, isOver, marginOf, moveName, moverOf, signOf } from "./rules.js";
import { Quest, Survey, Task, bestLine } from "./engine.js";
import { valueOf, winnerOf } from "./evidence.js";
import { counted, lostText, plyText, points, resultOf, resultText, tookText } from "./words.js";
import { endText } from "./play.js";
import { byId, fill, make, on, setText } from "./dom.js";

const INSTEAD_NODES = 1e7;

// The curve's drawing, in pixels: as wide as its place, up to WIDTH, so that its letters keep their size.
const [WIDTH, LEAST_WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [600, 240, 230, 72, 28, 12];

// Moves of a line that lost something, { index, loss, flips }[]; loss null where it is not known how much. facts: of each
// position.
export function mistakesOf(positions, facts) {
  return facts
    .slice(1)
    .map((after, index) => {
      const before = facts[index];
      const [was, is] = [valueOf(before), valueOf(after)];
      const loss = was === null || is === null ? null : signOf(positions[index]) * (was - is);
      const flips = winnerOf(before) !== null && winnerOf(after) !== null && winnerOf(before) !== winnerOf(after);
      return { index, loss, flips };
    })
    .filter(({ loss, flips }) => flips || loss > 0);
}

export class ReviewMode {
  constructor(app) {
    this.app = app;
    this.search = new Task();
    this.instead = new Map();
    on("try-mistakes", "click", () => (this.trying ? this._stopTrying("") : this._try(0)));
    on("try-next", "click", () => this._try(this.trying.number + 1));
    on("try-show", "click", () => this._showAnswer());
    on("try-side", "change", () => this._stopTrying(""));
    this.curve = on("curve", "click", (event) => this._onCurve(event));
  }

  enter() {
    this._run();
  }

  leave() {
    this.search.stop();
  }

  // The curve is stopped, or resumed.
  onStopped() {
    if (this.app.isStopped("curve")) this._stop();
    else if (this.app.mode === this && !this.search.isRunning) this._run();
  }

  _stop() {
    this.search.stop();
    this.filled = null;
  }

  // What is left to do, or "".
  get progress() {
    if (!this.search.isRunning && !this.app.isStopped("curve")) return "";
    const { facts } = this;
    const exact = facts.filter((fact) => valueOf(fact) !== null).length;
    if (exact < facts.length) return `${exact} of ${facts.length} positions exact`;
    const mistakes = this._mistakes();
    const found = mistakes.filter(({ index }) => this.instead.has(index)).length;
    return this.search.isRunning || found < mistakes.length ? `${found} of ${counted(mistakes.length, "better move")} found` : "";
  }

  get trying() {
    return this.app.state.trying;
  }

  _set(trying) {
    this.app.dispatch({ type: "set", changes: { trying } });
  }

  // While a mistake is asked nothing shows the answer.
  get truths() {
    return this.trying === null || this.trying.isDone;
  }

  get title() {
    const { trying } = this;
    if (!trying || trying.isDone) return null;
    const { line } = this.app;
    return `${NAMES[moverOf(line.position)]} to move: ${moveName(line.moves[trying.index])} was played. Find a better move.`;
  }

  // --- one's own mistakes, one after the other

  // The mistakes of the side chosen, of which a better move is known or can be told from what is known.
  _asked() {
    const { line } = this.app;
    const side = byId("try-side").value;
    return this._mistakes().filter(({ index }) => side === "" || moverOf(line.positions[index]) === Number(side));
  }

  _try(number) {
    const asked = this._asked();
    if (!asked.length) return this._stopTrying("There is no mistake to try again.");
    if (number >= asked.length) return this._stopTrying(`That was the last of ${counted(asked.length, "mistake")}.`);
    const { index } = asked[number];
    this._set({ number, index, count: asked.length, isDone: false, said: "" });
    byId("turn").scrollIntoView({ block: "nearest" });
    this.app.goTo(index);
  }

  _stopTrying(said) {
    this._set(null);
    if (said) this.app.say(said);
  }

  // A move tried against what is known of it; null where it is not known yet.
  async onPoint(move) {
    const { app, trying } = this;
    if (!trying || trying.isDone) return app.play(move);
    const why = app.rules.illegal(app.position, move);
    if (why) return app.say(`Illegal: ${why}.`);
    const { line } = app;
    const position = line.positions[trying.index];
    const [value, worth] = [valueOf(app.facts.about(position).fact), await this._worth(position, move)];
    if (this.trying?.index !== trying.index || this.trying.isDone || worth === null || value === null) return;
    const lost = signOf(position) * (value - worth);
    const was = signOf(position) * (value - (valueOf(app.facts.own(line.positions[trying.index + 1])) ?? value));
    if (lost === 0) this._finish(`Right: ${moveName(move)} loses nothing.`);
    else if (move === line.moves[trying.index]) this._say(`${moveName(move)} is what was played.`);
    else this._say(`${moveName(move)} loses ${points(lost)}${lost < was ? ", less than what was played" : ""}. Try again.`);
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
    const best = this.instead.get(this.trying.index);
    this._finish(best === undefined ? "The best moves are filled on the board." : `The answer: ${moveName(best)}.`);
  }

  _renderTrying() {
    const { trying } = this;
    const { line } = this.app;
    const sides = [0, 1].map((side) => this._mistakes().filter(({ index }) => moverOf(line.positions[index]) === side).length);
    byId("trying").hidden = !trying && sides[0] + sides[1] === 0;
    setText(byId("try-mistakes"), trying ? "Stop" : "Try the mistakes again");
    for (const id of ["try-next", "try-show", "try-said"]) byId(id).hidden = !trying;
    if (!trying) return;
    byId("try-show").hidden = trying.isDone;
    setText(byId("try-next"), trying.number + 1 === trying.count ? "Finish" : trying.isDone ? "Next mistake" : "Skip");
    setText(byId("try-said"), `Mistake ${trying.number + 1} of ${trying.count}. ${trying.said || "Click on the move you would play now."}`);
  }

  onPosition() {
    const { line } = this.app;
    if (this.trying && line.at !== this.trying.index) this._stopTrying("");
    if (this.reviewed !== lineText(line)) this._run();
  }

  render() {
    this._renderSummary();
    this._renderCurve();
    this._renderMistakes();
    this._renderTable();
    this._renderTrying();
    // What is asked is not given away.
    for (const id of ["curve", "mistakes", "review-table"]) byId(id).hidden = !this.truths;
    this.app.modes.explore.render();
  }

  // The facts at each position of the line.
  get facts() {
    return this.app.line.positions.map((position) => this.app.facts.own(position));
  }

  _run() {
    const { app } = this;
    this.reviewed = lineText(app.line);
    this.instead = new Map();
    this.took = null;
    this._stop();
    if (!app.engine || app.isStopped("curve")) return;
    this.search
      .run((signal) => this._review(signal))
      .catch((error) => app.say(`The kernel stopped: ${error.message}`))
      .finally(() => app.refresh());
  }

  // filled: the promise of the curve while it is sought, which others wait for; it does not matter to them how that ends.
  async _review(signal) {
    const filling = this._fill(this.app.line.positions, signal);
    const filled = filling.catch(() => {}).then(() => {
      if (this.filled === filled) this.filled = null;
    });
    this.filled = filled;
    await filling;
    await this._findInstead(signal);
  }

  // Who was winning comes first: it is what a review is about, and by far the cheaper question. The late positions are cheap
  // too, and tell the others much.
  async _fill(positions, signal) {
    const { app } = this;
    const items = positions.map((position, index) => ({ position, rank: (undecided) => index + (undecided ? 100 : 0) }));
    const survey = new Survey(app.engine, app.facts, items.filter(({ position }) => !isOver(position)), (position) => {
      app.facts.carryBack(positions.slice(0, positions.indexOf(position) + 1));
      this._noteInstead();
      app.refreshSoon();
    });
    const started = performance.now();
    await survey.run(signal);
    signal.throwIfAborted();
    this.took = { nodes: survey.nodes, seconds: (performance.now() - started) / 1000 };
  }

  // The better play where the best move is known by now.
  _noteInstead() {
    const { facts, line } = this.app;
    for (const { index } of this._mistakes()) {
      const value = valueOf(facts.about(line.positions[index]).fact);
      const move = value === null ? null : facts.keeper(line.positions[index], value);
      if (move !== null) this.instead.set(index, move);
    }
  }

  // The better play, once every value is known: the best line's first move.
  async _findInstead(signal) {
    const { engine, facts, line, lines } = this.app;
    for (const { index } of this._mistakes()) {
      const position = line.positions[index];
      const value = valueOf(facts.own(position));
      const moves = await bestLine(engine, facts, position, value, { nodes: INSTEAD_NODES, signal });
      signal.throwIfAborted();
      if (!moves.length) continue;
      lines.keep(position, moves);
      this.instead.set(index, moves[0]);
      this.app.refresh();
    }
  }

  _mistakes() {
    return mistakesOf(this.app.line.positions, this.facts);
  }

  _renderSummary() {
    const { line } = this.app;
    const facts = this.facts;
    if (!line.moves.length) return setText(byId("review-summary"), "There is no game yet: play one, or open one with “Open…”.");
    const last = line.positions.at(-1);
    const flips = this._mistakes().filter((mistake) => mistake.flips);
    const ending = line.lost ? lostText(line.lost, last.ply) : isOver(last) ? endText(last) : "The game is not finished.";
    const turned = line.lost ? this._standing(last, facts.at(-1)) : this._turningPoint(flips, facts);
    setText(byId("review-summary"), `${ending} ${turned}`);
    const open = facts.filter((fact) => valueOf(fact) === null).length;
    setText(
      byId("review-status"),
      open
        ? `${facts.length - open} of ${facts.length} positions are exact.`
        : `Every position is exact${tookText(this.took)}.`,
    );
  }

  // How the side stood that lost the game at once: the end is the turning point, whatever came before.
  _standing(last, fact) {
    if (winnerOf(fact) === null) return "Who was winning is not known yet.";
    const loser = moverOf(last);
    return winnerOf(fact) === loser
      ? `That was the turning point: ${NAMES[loser]} was winning (${resultText(fact)}).`
      : `${NAMES[loser]} was losing already (${resultText(fact)}).`;
  }

  _turningPoint(flips, facts) {
    if (facts.some((fact) => winnerOf(fact) === null)) return "Who was winning is not known at every ply yet.";
    if (!flips.length) return `There was no turning point: ${NAMES[winnerOf(facts[0])]} was winning throughout.`;
    const { index } = flips.at(-1);
    const { line } = this.app;
    const times = flips.length === 1 ? "" : ` The win changed hands ${flips.length} times; this was the last.`;
    const ply = line.start.ply + index + 1;
    return `The turning point was ply ${ply}: ${plyText(ply, line.moves[index])} and throws the win away.${times}`;
  }

  _renderMistakes() {
    const { line } = this.app;
    const items = this._mistakes().map((mistake) => this._mistakeText(mistake));
    const end = line.moves.length;
    const lost = line.lost && { index: end - 1, flips: winnerOf(this.facts[end]) === moverOf(line.positions[end]) };
    if (lost) items.unshift([lost, lostText(line.lost, line.positions[end].ply)]);
    const wanted = items.map(([, text]) => text).join("\n");
    const item = ([{ index, flips }, text]) => {
      const button = make("button", { type: "button", "data-index": index, onclick: () => this.app.goTo(index + 1) }, text);
      return make("li", { class: flips ? "flip" : "" }, button);
    };
    fill(byId("mistakes"), wanted, () => items.map(item));
  }

  _mistakeText(mistake) {
    const { index, loss, flips } = mistake;
    const { line } = this.app;
    const ply = line.start.ply + index + 1;
    const threw = [flips ? "throws the win away" : "", loss > 0 ? `loses ${points(loss)}` : ""]
      .filter(Boolean)
      .join(", ");
    const instead = this.instead.has(index) ? ` Better: ${moveName(this.instead.get(index))}.` : "";
    return [mistake, `Ply ${ply}: ${plyText(ply, line.moves[index])}: ${threw}.${instead}`];
  }

  _renderTable() {
    const { line } = this.app;
    const facts = this.facts;
    const lost = new Map(this._mistakes().map((mistake) => [mistake.index, mistake]));
    const rows = line.moves.map((move, index) => {
      const loss = lost.get(index);
      return [
        line.start.ply + index + 1,
        moveName(move),
        resultText(facts[index + 1]),
        loss ? (loss.loss === null ? "the win" : points(loss.loss)) : "",
      ];
    });
    const row = (cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, String(cell))));
    fill(byId("plies"), rows.join("\n"), () => rows.map(row));
  }

  // --- the curve

  _scale(facts) {
    const ends = facts.flatMap((fact) => (valueOf(fact) === null ? [] : [valueOf(fact)]));
    const low = Math.min(-4, ...ends) - 1;
    const high = Math.max(6, ...ends) + 1;
    const plies = Math.max(PLIES - this.app.line.start.ply, 1);
    const width = Math.min(Math.max(this.curve.clientWidth || WIDTH, LEAST_WIDTH), WIDTH);
    return {
      width,
      x: (index) => LEFT + (index * (width - LEFT - 12)) / plies,
      y: (value) => TOP + ((high - Math.min(Math.max(value, low), high)) * (HEIGHT - TOP - BOTTOM)) / (high - low),
      low,
      high,
    };
  }

  _renderCurve() {
    const { line } = this.app;
    const facts = this.facts;
    const scale = this._scale(facts);
    const turning = this._mistakes()
      .filter((mistake) => mistake.flips)
      .map(({ index }) => index + 1);
    const svg = curveSvg(facts, scale, line, turning);
    if (this.drawn !== svg) this.curve.innerHTML = this.drawn = svg;
  }

  _onCurve(event) {
    const svg = this.curve.firstElementChild;
    const { left, width } = svg.getBoundingClientRect();
    const { line } = this.app;
    const scale = this._scale(this.facts);
    const step = scale.x(1) - scale.x(0);
    const x = ((event.clientX - left) / width) * scale.width;
    this.app.goTo(Math.min(Math.max(Math.round((x - LEFT) / step), 0), line.moves.length));
  }
}

function lineText(line) {
  return `${JSON.stringify(line.start)} ${line.moves.join(" ")}`;
}

function curveSvg(facts, { width, x, y, low, high }, line, turning) {
  const border = y(KOMI);
  const right = width - 12;
  const values = facts.map(valueOf);
  const label = `The result with best play, from ply ${line.start.ply} on: ${facts.map(resultText).join(", ")}`;
  const steps = values.flatMap((value, index) =>
    value === null ? [] : [`${values[index - 1] === null || !index ? "M" : "L"}${x(index)} ${y(value)}`],
  );
  const text = (px, py, content, anchor = "middle") =>
    `<text x="${px}" y="${py}" text-anchor="${anchor}">${content}</text>`;
  const ticks = [...Array(Math.floor((right - LEFT) / (4 * (x(1) - x(0)))) + 1).keys()].map((k) => 4 * k);
  const marks = [low + 1, 0, BLACK_WINS, high - 1].filter((value, index, all) => all.indexOf(value) === index);
  return [
    `<svg viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${label}">`,
    `<rect class="black" x="${LEFT}" y="${TOP}" width="${right - LEFT}" height="${border - TOP}"/>`,
    `<rect class="white" x="${LEFT}" y="${border}" width="${right - LEFT}" height="${HEIGHT - BOTTOM - border}"/>`,
    text(LEFT + 8, TOP + 18, "Black wins", "start") + text(LEFT + 8, HEIGHT - BOTTOM - 8, "White wins", "start"),
    marks.map((value) => text(LEFT - 8, y(value) + 5, resultOf(value), "end")).join(""),
    ticks.map((index) => text(x(index), HEIGHT - 6, line.start.ply + index)).join(""),
    `<path class="now" d="M${x(line.at)} ${TOP}V${HEIGHT - BOTTOM}"/>`,
    facts
      .map((fact, index) =>
        values[index] === null ? `<path class="bar" d="M${x(index)} ${y(fact.lo)}V${y(fact.hi)}"/>` : "",
      )
      .join(""),
    `<path class="values" d="${steps.join("")}"/>`,
    values
      .map((value, index) =>
        value === null
          ? ""
          : `<circle class="${turning.includes(index) ? "turn" : "dot"}" cx="${x(index)}" cy="${y(value)}" r="${turning.includes(index) ? 8 : 4.5}"/>`,
      )
      .join(""),
    "</svg>",
  ].join("");
}
