// Learn: the rules, on five boards that one plays on.

import { isOver, moveName } from "./rules.js";
import { readFragment } from "./formats.js";
import { RULES_BOARDS } from "./learning.js";
import { byId, on, setText } from "./dom.js";

export class LearnMode {
  constructor(app) {
    this.app = app;
    this.truths = false;
    this.said = "";
    this.step = 0;
    this.previous = on("learn-back", "click", () => this.show(this.index - 1));
    this.next = on("learn-next", "click", () => (this._isLast() ? this._play() : this.show(this.index + 1)));
    this.again = on("learn-again", "click", () => this.show(this.index));
  }

  get index() {
    return this.app.state.learn;
  }

  get lesson() {
    return RULES_BOARDS[this.index];
  }

  get title() {
    if (!this._isDone()) return "You are Black.";
    return this._isLast() ? "Done: now play a game." : "Done: go on with the next board.";
  }

  // A board that one comes back to begins again.
  enter() {
    this.show(this.index);
  }

  // Somebody went elsewhere on the line, or opened something.
  onPosition() {
    const { app } = this;
    const { start, moves } = readFragment(this.lesson.link, app.rules);
    if (JSON.stringify(app.line.start) !== JSON.stringify(start) || moves.length) return app.setMode("explore");
    if (app.line.at === 0) this._say(0, "");
  }

  show(index) {
    const { app } = this;
    const board = Math.min(Math.max(index, 0), RULES_BOARDS.length - 1);
    this._say(0, "");
    app.dispatch({ type: "board", mode: "learn", index: board, game: readFragment(RULES_BOARDS[board].link, app.rules) });
    app.speak(`${this._count()}: ${this.lesson.text}`);
  }

  onPoint(move) {
    const { app, lesson } = this;
    const why = app.rules.illegal(app.position, move);
    if (why) return app.say(`Not allowed: ${why}.`);
    if (this._isDone() || app.line.at < app.line.moves.length) return app.say("Show the board again to play on it once more.");
    const { moves, wrong, said, reply } = lesson.steps[this.step];
    const isWanted = moves.includes(moveName(move)) || (moves.includes("any") && moveName(move) !== "PASS");
    if (!isWanted) return app.say(wrong || "Put a stone on a point.");
    const step = this.step + 1;
    const line = [...app.line.moves, move];
    if (reply) line.push(this._reply(app.rules.play(app.position, move), reply));
    app.dispatch({ type: "load", game: { start: app.line.start, moves: line }, visits: true });
    this._say(step, said);
  }

  _reply(position, names) {
    const legal = this.app.rules.legalMoves(position);
    return names.map((name) => legal.find((move) => moveName(move) === name)).find((move) => move !== undefined);
  }

  _isDone() {
    return this.step === this.lesson.steps.length;
  }

  _isLast() {
    return this.index === RULES_BOARDS.length - 1;
  }

  _play() {
    this.app.dispatch({ type: "settings", play: { who: "black", opponent: "greedy" } });
    this.app.dispatch({ type: "home" });
    this.app.setMode("play");
    this.app.modes.play.start();
  }

  _say(step, said) {
    this.step = step;
    this.said = said;
    this.app.refresh();
  }

  _count() {
    return `The rules, board ${this.index + 1} of ${RULES_BOARDS.length}`;
  }

  render() {
    const { lesson } = this;
    setText(byId("learn-count"), this._count());
    setText(byId("learn-title"), lesson.title);
    setText(byId("learn-text"), lesson.text);
    setText(byId("learn-said"), this.said);
    this.previous.disabled = this.index === 0;
    this.next.classList.toggle("primary", this._isDone());
    setText(this.next, this._isLast() ? "Play a game against Greedy" : "Next");
    this.again.hidden = this.app.line.at === 0 && !isOver(this.app.position);
  }
}
