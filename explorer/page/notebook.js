// The notebook of the games in a file: the kinds of mistakes that cost a player most, each with an example and a puzzle.

import { NAMES, moverOf } from "./rules.js";
import { Task } from "./engine.js";
import { Line } from "./line.js";
import { kindsToLearn, mistakeRecord, mistakesOf } from "./mistakes.js";
import { explainMistakes, surveyPositions } from "./review.js";
import { gameOf } from "./state.js";
import { counted, points } from "./words.js";
import { byId, make, on, setText } from "./dom.js";

// The largest number of games in a notebook. The review of a game takes a few seconds.
const NOTEBOOK_GAMES = 50;

export class Notebook {
  constructor(app) {
    this.app = app;
    this.search = new Task();
    // The puzzles by kind, which are the same for all notebooks, or null if they are not read yet.
    this.puzzles = null;
    this.player = on("notebook-player", "change", () => this.render());
    on("notebook-make", "click", () => (this.search.isRunning ? this._stop() : this._make()));
    this.open([]);
  }

  // Begin a new notebook. games: the games that match the filters of the list of games.
  open(games) {
    this.search.stop();
    this.games = games.slice(0, NOTEBOOK_GAMES);
    this.isCut = games.length > NOTEBOOK_GAMES;
    this.done = 0;
    // The explained mistakes, { player, game, index, record }[]. index: the number of moves before the mistake. record: the
    // mistake as JSON.
    this.mistakes = [];
    this.render();
  }

  _stop() {
    this.search.stop();
    this.render();
  }

  // Review the remaining games, one after the other.
  _make() {
    const { app } = this;
    if (!app.engine) return app.say("The kernel cannot run in this browser, so no game can be reviewed.", true);
    this.search
      .run(async (signal) => {
        for (const game of this.games.slice(this.done)) {
          const found = await this._reviewed(game, signal);
          this.mistakes.push(...found);
          this.done++;
          this.puzzles ??= await app.modes.puzzles.byKind();
          this.render();
        }
      })
      .catch((error) => app.say(`The kernel stopped: ${error.message}`, true))
      .finally(() => this.render());
    this.render();
  }

  async _reviewed(game, signal) {
    const { app } = this;
    const { names, ...rest } = gameOf(game);
    const line = new Line(app.rules, rest);
    await surveyPositions(app, line.positions, signal);
    const mistakes = mistakesOf(line, line.positions.map((position) => app.facts.own(position)));
    await explainMistakes(app, mistakes, signal);
    return mistakes.map((mistake) => {
      const mover = moverOf(mistake.position);
      const record = mistakeRecord(mistake, app.lines.why(mistake.position, mistake.move));
      return { player: names?.[mover] ?? NAMES[mover], game, index: mistake.index, record };
    });
  }

  // The mistakes of the chosen player, or of all players if none is chosen.
  get chosen() {
    return this.mistakes.filter(({ player }) => !this.player.value || player === this.player.value);
  }

  // The notebook of the chosen player, with the same fields as in `little-go review --json`. In the result, `worst` is an item
  // of this.mistakes.
  get entries() {
    const { chosen } = this;
    return kindsToLearn(chosen.map(({ record }) => record)).map((kind) => ({ ...kind, worst: chosen[kind.worst] }));
  }

  render() {
    const { done, games } = this;
    const { isRunning } = this.search;
    const made = byId("notebook-make");
    byId("notebook").hidden = games.length < 2;
    setText(made, isRunning ? "Stop" : done ? "Go on" : `Review all ${games.length}: what to learn first`);
    made.hidden = done === games.length;
    const isDone = done === games.length ? "" : isRunning ? ` Game ${done + 1} is being reviewed.` : "";
    const cut = this.isCut ? ` The notebook contains only the first ${NOTEBOOK_GAMES}.` : "";
    setText(byId("notebook-status"), done || isRunning || cut ? `${done} of ${games.length} games reviewed.${isDone}${cut}` : "");
    this._renderPlayers();
    const { entries } = this;
    byId("notebook-kinds").replaceChildren(...entries.map((entry) => this._entry(entry)));
    setText(byId("notebook-rest"), unlistedText(this.chosen, entries));
  }

  _renderPlayers() {
    const players = [...new Set(this.mistakes.map(({ player }) => player))].sort();
    const shown = [...this.player.options].slice(1).map(({ value }) => value);
    this.player.hidden = !players.length;
    if (`${players}` === `${shown}`) return;
    const { value } = this.player;
    this.player.replaceChildren(make("option", { value: "" }, "Mistakes of all players"), ...players.map((name) => make("option", { value: name }, name)));
    this.player.value = players.includes(value) ? value : "";
  }

  _entry({ kind, mistakes, cost, decisive, worst }) {
    const wins = decisive ? `, ${counted(decisive, "win")} given away` : "";
    const puzzle = this.puzzles?.get(kind)?.[0];
    const example = make("button", { type: "button", onclick: () => this._show(worst) }, "The worst example");
    const practice = puzzle && make("button", { type: "button", onclick: () => this.app.modes.puzzles.openPuzzle(puzzle) }, "A puzzle of this kind");
    const row = make("div", { class: "row" }, example, ...(practice ? [practice] : []));
    return make("li", {}, make("b", {}, kind), `: ${counted(mistakes, "mistake")}, ${points(cost)}${wins}`, row);
  }

  // Open the game of a mistake, and show the board before the mistake.
  _show({ game, index }) {
    const { app } = this;
    app.setMode("review");
    app.load({ ...game, at: index });
    app.modes.review.bringIntoSight();
  }
}

// Return a sentence on the mistakes that are not of the kinds in a notebook, or "" if there are none.
function unlistedText(mistakes, entries) {
  const cost = mistakes.reduce((sum, { record }) => sum + record.cost, 0) - entries.reduce((sum, entry) => sum + entry.cost, 0);
  const count = mistakes.length - entries.reduce((sum, entry) => sum + entry.mistakes, 0);
  return count ? `${counted(count, "mistake")} of other kinds, which cost ${points(cost)}, ${count === 1 ? "is" : "are"} not listed.` : "";
}
