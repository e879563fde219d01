// The mode "Learn": the rules, on five boards on which the user plays.

import { isOver, moveName } from "./rules.js";
import { readFragment } from "./formats.js";
import { shownGame } from "./state.js";
import { RULES_BOARDS, isWanted, stepsDone } from "./learning.js";
import { byId, on, setText } from "./dom.js";

export class LearnMode {
  constructor(app) {
    this.app = app;
    this.truths = false;
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

  // The number of steps that the moves on the board have completed; null if White's reply is still missing.
  get step() {
    return stepsDone(this.lesson, this.app.line.path);
  }

  get you() {
    if (!this._isDone()) return "You are Black: your turn.";
    return this._isLast() ? "Done: now play a game." : "Done: continue with the next board.";
  }

  // When the user returns to this mode, show the start of the lesson's board, unless an address or a restored state has set the
  // board.
  enter(isThere) {
    if (!isThere || !this._isFollowed()) this.show(this.index);
  }

  // If an opened link has replaced the board of the lesson, leave this mode.
  onPosition() {
    if (!this._isFollowed()) this.app.setMode("explore");
  }

  _isFollowed() {
    const { app, lesson } = this;
    const wanted = readFragment(lesson.link, app.rules).start;
    const { start, moves } = shownGame(app.state);
    return JSON.stringify(start) === JSON.stringify(wanted) && stepsDone(lesson, moves) !== null;
  }

  show(index) {
    const { app } = this;
    const learn = Math.min(Math.max(index, 0), RULES_BOARDS.length - 1);
    app.dispatch({ type: "board", game: readFragment(RULES_BOARDS[learn].link, app.rules), changes: { learn } });
    app.speak(`${this._count()}: ${this.lesson.text}`);
  }

  onPoint(move) {
    const { app, lesson } = this;
    const why = app.rules.illegal(app.position, move);
    if (why) return app.say(`Not allowed: ${why}.`);
    if (this._isDone() || this.step === null) return app.say("Show the board again to play on it once more.");
    const step = lesson.steps[this.step];
    if (!isWanted(step, move)) return app.say(step.wrong || "Put a stone on a point.");
    const moves = [...app.line.path, move];
    if (step.reply) moves.push(this._reply(app.rules.play(app.position, move), step.reply));
    app.dispatch({ type: "load", game: { start: app.line.start, moves }, visits: true });
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
    this.app.dispatch({ type: "home" });
    this.app.setMode("play");
    this.app.modes.play.start({ who: "black", opponent: "greedy" });
  }

  _count() {
    return `The rules, board ${this.index + 1} of ${RULES_BOARDS.length}`;
  }

  render() {
    const { lesson } = this;
    setText(byId("learn-count"), this._count());
    setText(byId("learn-title"), lesson.title);
    setText(byId("learn-text"), lesson.text);
    setText(byId("learn-said"), this.step ? lesson.steps[this.step - 1].said : "");
    this.previous.disabled = this.index === 0;
    this.next.classList.toggle("primary", this._isDone());
    setText(this.next, this._isLast() ? "Play a game against Greedy" : "Next");
    this.again.hidden = this.app.line.at === 0 && !isOver(this.app.position);
  }
}
