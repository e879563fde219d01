// Play: against the perfect player as either colour, or two people on one board; hints on demand.

import { KOMI, NAMES, PASS, START, countOf, isOver, marginOf, moveName, moverOf } from "./rules.js";
import { Task, perfectMove } from "./engine.js";
import { winnerOf } from "./evidence.js";
import { byId, on, setText } from "./dom.js";

// The perfect player's limit for a move.
const MOVE_NODES = 2e7;

// Whether the perfect player takes Black, and White, by who the people are.
const OURS = { black: [false, true], white: [true, false], both: [false, false] };

const FROM_TEXT = {
  rules: "it ends the game as a win",
  book: "from the book",
  value: "it keeps the best value",
  verdict: "it keeps the win",
  guess: "nothing is proved here in so short a time: the most promising move",
};

export class PlayMode {
  constructor(app) {
    this.app = app;
    this.started = false;
    this.shows = false;
    this.thinking = new Task();
    this.hinted = [];
    on("start-game", "click", () => this.start());
    on("play-on", "click", () => this.start(app.line));
    on("who", "change", () => {
      this.onPosition();
      app.refresh();
    });
    this.hintButton = on("hint", "click", () => this.hint());
    this.backButton = on("take-back", "click", () => this.back());
    this.truthsBox = on("play-truths", "change", () => this._show(this.truthsBox.checked));
    on("review-game", "click", () => app.setMode("review"));
  }

  get truths() {
    return this.shows || isOver(this.app.position);
  }

  // Whether it is the perfect player's turn.
  get locked() {
    return this._isOurs() && !isOver(this.app.position);
  }

  enter() {
    this._note("Black needs 3 stones more than White. The perfect player wins every position that is won.");
  }

  leave() {
    this.thinking.stop();
    this.started = false;
    this.hinted = [];
  }

  // A new game, or one that goes on from the position of a line.
  start(line = null) {
    this.thinking.stop();
    this.started = true;
    this._note("");
    if (line) {
      line.cut();
      this.app.changed();
    } else this.app.load({ start: START, moves: [] });
  }

  onPosition() {
    this.hinted = [];
    if (this.thinking.isRunning) this._note("");
    this.thinking.stop();
    const { line } = this.app;
    if (this.locked && line.at === line.moves.length) this._reply();
  }

  onPoint(point) {
    if (this.locked)
      return this.app.say(`It is ${NAMES[moverOf(this.app.position)]}'s turn: that is the perfect player.`);
    if (!this.started) this.started = true;
    this.app.play(point);
  }

  // Take back to one's own last turn.
  back() {
    const { line } = this.app;
    let at = line.at - 1;
    while (at > 0 && this.started && this._plays(line.positions[at])) at--;
    if (at < 0 || (this.started && this._plays(line.positions[at]))) return true;
    line.goTo(at);
    if (this.started) line.cut();
    this.app.changed();
    return true;
  }

  hint() {
    const { app } = this;
    const { position } = app;
    if (this.locked || isOver(position) || !app.engine) return;
    this._note("Looking …");
    this._choose(({ move, from }) => {
      app.learn();
      this.hinted = [move];
      const winner = winnerOf(app.facts.about(position).fact);
      const stands =
        winner === null
          ? ""
          : winner === moverOf(position)
            ? " You are winning."
            : " You are lost against best play.";
      this._note(`Hint: ${moveName(move)}, ${FROM_TEXT[from]}.${stands}`);
      app.refresh();
    });
  }

  render() {
    const { app } = this;
    const over = isOver(app.position);
    this.hintButton.disabled = over || this.locked || !app.engine;
    this.backButton.disabled = app.line.at === 0;
    this.truthsBox.checked = this.shows;
    app.trap.render(this.shows || this.hinted.length > 0);
    byId("play-result").hidden = !over;
    if (over) setText(byId("play-outcome"), endText(app.position));
  }

  _isOurs() {
    return this.started && this._plays(this.app.position);
  }

  // Whether the perfect player moves in a position.
  _plays(position) {
    return OURS[byId("who").querySelector(":checked").value][moverOf(position)];
  }

  _reply() {
    const { app } = this;
    if (!app.engine) return this._note("The kernel cannot run in this browser, so the perfect player cannot play.");
    this._note(`${NAMES[moverOf(app.position)]} is thinking …`);
    this._choose(({ move, from }) => {
      this._note(
        `${NAMES[moverOf(app.position)]} ${move === PASS ? "passes" : `played ${moveName(move)}`}: ${FROM_TEXT[from]}.`,
      );
      app.play(move);
    });
  }

  // Hand the perfect player's move to use(), unless the position is left before it is found.
  _choose(use) {
    const { engine, facts, position } = this.app;
    this.thinking
      .run((signal) => perfectMove(engine, facts, position, { nodes: MOVE_NODES, signal }), use)
      .catch((error) => this._note(`The kernel stopped: ${error.message}`));
  }

  _show(shows) {
    this.shows = shows;
    this.app.analyse();
    this.app.refresh();
  }

  _note(text) {
    setText(byId("play-said"), text);
  }
}

export function endText(position) {
  const [black, white] = [countOf(position.black), countOf(position.white)];
  const winner = marginOf(position) > KOMI ? 0 : 1;
  return `${NAMES[winner]} wins ${winner ? `${white + KOMI} : ${black}` : `${black} : ${white + KOMI}`}.`;
}
