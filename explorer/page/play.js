// The mode "Play": a game against one of six opponents, between two people, or of an opponent against itself. Hints are
// available.

import { KOMI } from "./game.js";
import { BLACK_WINS, NAMES, PASS, START, countOf, isOver, marginOf, moveName, moverOf } from "./rules.js";
import { Task, perfectMove } from "./engine.js";
import { winnerOf } from "./evidence.js";
import { CHOOSERS, OPPONENTS, OPPONENT_TEXT, chancesOf, drawn } from "./opponents.js";
import { byId, make, on, setText } from "./dom.js";

// The node limit of the perfect player for a move.
const MOVE_NODES = 2e7;

// The pause in milliseconds between the moves if an opponent plays against itself.
const WATCH_MILLISECONDS = 700;

// For each choice of the colours that people play: whether the opponent plays Black, and whether the opponent plays White.
const OURS = { black: [false, true], white: [true, false], both: [false, false], none: [true, true] };

const FROM_TEXT = {
  rules: "it ends the game as a win",
  book: "from the book",
  value: "it keeps the best value",
  verdict: "it keeps the win",
  guess: "nothing was proved in the available time: this is the most promising move",
};

export class PlayMode {
  constructor(app) {
    this.app = app;
    this.thinking = new Task();
    this.models = JSON.parse(byId("models").textContent);
    on("start-game", "click", () => this.start());
    on("play-on", "click", () => this.start({}, true));
    on("who", "change", () => this._settle({ who: byId("who").querySelector(":checked").value }));
    this.opponent = on("opponent", "change", () => this._settle({ opponent: this.opponent.value }));
    this.opponent.append(...OPPONENTS.map((name) => make("option", { value: name }, OPPONENT_TEXT[name][0])));
    this.hintButton = on("hint", "click", () => this.hint());
    this.backButton = on("take-back", "click", () => this.back());
    this.truthsBox = on("play-truths", "change", () => this._set({ shows: this.truthsBox.checked }));
    on("review-game", "click", () => app.setMode("review"));
  }

  get settings() {
    return this.app.state.play;
  }

  get truths() {
    return this.settings.shows || isOver(this.app.position);
  }

  get hinted() {
    return this.settings.hint === null ? [] : [this.settings.hint];
  }

  // The sentence on the user's colour and on the side to move.
  get you() {
    const { position } = this.app;
    const { who } = this.settings;
    const mover = NAMES[moverOf(position)];
    if (isOver(position)) return who === "black" || who === "white" ? `You were ${this._people()}.` : "";
    if (who === "both") return `${mover}'s turn.`;
    if (who === "none") return `You are watching: ${mover}'s turn.`;
    return `You are ${this._people()}: ${this._plays(position) ? `${mover}'s turn, your opponent` : "your turn"}.`;
  }

  // Whether the opponent is to move.
  get locked() {
    return this.settings.started && this._plays(this.app.position) && !isOver(this.app.position);
  }

  enter() {
    this._replyIfDue();
  }

  leave() {
    this.thinking.stop();
  }

  // Begin a new game with these settings. If goesOn is true, continue from the shown position instead.
  start(settings = {}, goesOn = false) {
    const { app } = this;
    this.thinking.stop();
    this._set({ ...settings, started: true, hint: null, said: "" });
    if (goesOn) app.dispatch({ type: "takeBack", at: app.line.at });
    else app.load({ start: START, moves: [] });
    this._replyIfDue();
  }

  onPosition() {
    this.thinking.stop();
    this._replyIfDue();
  }

  // If the user chooses a colour or an opponent, apply the choice immediately.
  onState({ play }) {
    if (["who", "opponent", "started"].every((name) => play[name] === this.settings[name])) return;
    this.thinking.stop();
    this._replyIfDue();
  }

  _settle(changes) {
    const { app } = this;
    this._set({ ...changes, started: true, hint: null, said: "" });
    app.dispatch({ type: "takeBack", at: app.line.at });
  }

  _set(changes) {
    this.app.dispatch({ type: "set", changes: { play: { ...this.settings, ...changes } } });
  }

  _replyIfDue() {
    const { line } = this.app;
    if (this.app.mode === this && this.locked && line.at === line.moves.length && !this.thinking.isRunning) this._reply();
  }

  onPoint(point) {
    const { app } = this;
    if (!this.settings.started) {
      app.dispatch({ type: "takeBack", at: app.line.at });
      this._set({ started: true });
    }
    if (this.locked) return app.say(`It is ${NAMES[moverOf(app.position)]}'s turn: that is the opponent. You are ${this._people()}.`);
    app.play(point);
  }

  _people() {
    return { black: "Black", white: "White", none: "watching" }[this.settings.who];
  }

  // Take back moves until it is the user's turn again.
  back() {
    const { line } = this.app;
    const { started, who } = this.settings;
    if (who === "none") {
      this.thinking.stop();
      this._set({ started: false });
    }
    let at = line.at - 1;
    while (at >= 0 && started && who !== "none" && this._plays(line.positions[at])) at--;
    if (at < 0) return true;
    this.app.dispatch(started ? { type: "takeBack", at } : { type: "goTo", at });
    return true;
  }

  hint() {
    const { app } = this;
    const { position } = app;
    if (this.locked || isOver(position) || !app.engine) return;
    this._choose("perfect", ({ move, from }) => {
      app.learn();
      const winner = winnerOf(app.facts.about(position).fact);
      const stands =
        winner === null
          ? ""
          : winner === moverOf(position)
            ? " You are winning."
            : " You are lost against best play.";
      this._set({ hint: move, said: `Hint: ${moveName(move)}, ${FROM_TEXT[from]}.${stands}` });
    });
  }

  render() {
    const { app } = this;
    const over = isOver(app.position);
    this.hintButton.disabled = over || this.locked || !app.engine;
    this.backButton.disabled = app.line.at === 0;
    this.truthsBox.checked = this.settings.shows;
    byId(`who-${this.settings.who}`).checked = true;
    this.opponent.value = this.settings.opponent;
    this.opponent.disabled = this.settings.who === "both";
    setText(byId("opponent-text"), this.settings.who === "both" ? "" : OPPONENT_TEXT[this.settings.opponent][1]);
    app.trap.render(this.settings.shows || this.hinted.length > 0);
    setText(byId("play-said"), this._said());
    byId("play-result").hidden = !over;
    if (over) setText(byId("play-outcome"), endText(app.position));
  }

  // Return whether the opponent moves in a position.
  _plays(position) {
    return OURS[this.settings.who][moverOf(position)];
  }

  _reply() {
    const { app } = this;
    const { opponent, who } = this.settings;
    const name = NAMES[moverOf(app.position)];
    if (!app.engine && ["perfect", "human"].includes(opponent))
      return this._set({ said: "The kernel cannot run in this browser, so this opponent cannot play. The other opponents can." });
    this._choose(opponent, ({ move, from }) => {
      app.play(move, who !== "none" || app.line.at > 0);
      this._set({ said: `${name} ${move === PASS ? "passes" : `played ${moveName(move)}`}${from ? `: ${FROM_TEXT[from]}` : ""}.` });
    });
  }

  // Return a text that says that the opponent is thinking, or else the last message.
  _said() {
    const { said, started } = this.settings;
    if (this.thinking.isRunning) return this.locked ? `${NAMES[moverOf(this.app.position)]} is thinking …` : "Looking …";
    return said || (started ? "" : `Black needs ${BLACK_WINS} stones more than White. Choose your colour and an opponent, or click on a point.`);
  }

  // Find an opponent's move and pass it to use(), unless another position is shown before the move is found.
  _choose(opponent, use) {
    const { engine, facts, position, rules } = this.app;
    const wait = this.settings.who === "none" ? WATCH_MILLISECONDS : 0;
    const isOne = CHOOSERS[opponent] ?? (opponent === "human" && Math.random() < 0.5 ? this._human : null);
    this.thinking
      .run(async (signal) => {
        if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
        if (isOne) return { move: drawn(isOne.call(this, rules, position), Math.random()) };
        return perfectMove(engine, facts, position, { nodes: MOVE_NODES, signal });
      }, use)
      .catch((error) => this._set({ said: `The kernel stopped: ${error.message}` }));
    this.app.refresh();
  }

  _human(rules, position) {
    return chancesOf(rules, position, this.models);
  }

}

export function endText(position) {
  const [black, white] = [countOf(position.black), countOf(position.white)];
  const winner = marginOf(position) > KOMI ? 0 : 1;
  return `${NAMES[winner]} wins ${winner ? `${white + KOMI} : ${black}` : `${black} : ${white + KOMI}`}.`;
}
