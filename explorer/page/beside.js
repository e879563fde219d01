// Two positions side by side: the one that was kept, and what differs in the one on the board.

import { NAMES, PASS, isOver, moveName, pointsOf } from "./rules.js";
import { Survey } from "./engine.js";
import { PAGE_COLOURS, boardSvg } from "./board.js";
import { isBest } from "./moves.js";
import { counted, resultText, shortResult } from "./words.js";
import { byId, fill, make, on, setText } from "./dom.js";

// More stones than this are a number.
const MOST_NAMED = 5;

export class Beside {
  constructor(app) {
    this.app = app;
    this.search = null;
    on("beside-keep", "click", () => app.dispatch({ type: "set", changes: { beside: { ...app.position } } }));
    on("beside-close", "click", () => app.dispatch({ type: "set", changes: { beside: null } }));
    on("beside-swap", "click", () => this._swap());
  }

  _swap() {
    const { app } = this;
    const { beside } = app.state;
    const now = { ...app.position };
    app.load({ start: beside, moves: [] });
    app.dispatch({ type: "set", changes: { beside: now } });
  }

  // Ask about the kept position and its moves, once nothing else is asked.
  async _ask(position) {
    const { app } = this;
    if (!app.engine || this.asked === position || app.computing || app.isStopped("values") || isOver(position)) return;
    this.asked = position;
    this.search?.abort();
    this.search = new AbortController();
    const items = [position, ...app.facts.about(position).moves.map(({ child }) => child)].filter((each) => !isOver(each));
    const survey = new Survey(
      app.engine,
      app.facts,
      items.map((each, index) => ({ position: each, rank: (undecided) => (undecided ? 100 : 0) - index })),
      () => app.refreshSoon(),
    );
    try {
      await survey.run(this.search.signal);
      app.refresh();
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  }

  render() {
    const { app } = this;
    const kept = app.state.beside;
    const isShown = kept !== null && app.state.mode === "explore";
    byId("beside").hidden = !isShown;
    if (!isShown) return;
    this._ask(kept);
    const [there, here] = [app.facts.about(kept), app.about];
    const marks = new Map(
      there.moves.flatMap((one) =>
        one.moves.filter((move) => move !== PASS).map((move) => [move, { fact: one.fact, best: isBest(one) }]),
      ),
    );
    const svg = boardSvg({ position: kept, last: null, taken: 0, marks, ghosts: [], names: app.state.names }, PAGE_COLOURS);
    const board = byId("beside-board");
    if (this.drawn !== svg) board.innerHTML = this.drawn = svg;
    setText(byId("beside-kept"), `Kept: ${standing(kept, there.fact)}.`);
    setText(byId("beside-here"), `On the board: ${standing(app.position, here.fact)}.`);
    setText(byId("beside-stones"), differences(kept, app.position));
    const rows = otherResults(there, here);
    fill(byId("beside-moves"), JSON.stringify(rows), () => rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell)))));
    byId("beside-table").hidden = !rows.length;
  }
}

function standing(position, fact) {
  return `${position.ply} plies played, ${isOver(position) ? "over" : `${NAMES[position.ply % 2]} to move`}, ${resultText(fact)}`;
}

function differences(one, other) {
  const parts = ["black", "white"].flatMap((side, colour) => {
    const [gone, come] = [one[side] & ~other[side], other[side] & ~one[side]];
    const change = (points, what) => {
      const names = points.length > MOST_NAMED ? "" : ` (${points.map(moveName).join(" and ")})`;
      return points.length ? [`${counted(points.length, `${NAMES[colour].toLowerCase()} stone`)} ${what}${names}`] : [];
    };
    return [...change(pointsOf(come), "more"), ...change(pointsOf(gone), "less")];
  });
  if (one.ko !== other.ko) parts.push(`ko ${one.ko === null ? "nowhere" : moveName(one.ko)}, now ${other.ko === null ? "nowhere" : moveName(other.ko)}`);
  return parts.length ? `The board has ${parts.join("; ")}.` : "The stones are the same.";
}

// The moves that are possible in one of the two alone, or whose result differs: move, result there, result here.
function otherResults(there, here) {
  const results = [there, here].map((about) => new Map(about.moves.flatMap((one) => one.moves.map((move) => [move, shortResult(one.fact)]))));
  const moves = [...new Set(results.flatMap((each) => [...each.keys()]))].sort((a, b) => a - b);
  return moves
    .map((move) => [moveName(move), ...results.map((each) => each.get(move) ?? "–")])
    .filter(([, one, other]) => one !== other);
}
