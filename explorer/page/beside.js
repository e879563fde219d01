// Compare two positions: the position that the user kept, and the position on the board.

import { NAMES, PASS, isOver, moveName, pointsOf } from "./rules.js";
import { valueOf, winnerOf } from "./evidence.js";
import { Survey } from "./engine.js";
import { PAGE_COLOURS, boardSvg } from "./board.js";
import { isBest } from "./moves.js";
import { counted, resultText, shortResult, turnText } from "./words.js";
import { byId, fill, make, on, setText } from "./dom.js";

// The largest number of changed stones whose points are listed. If more stones differ, only their number is given.
const MOST_NAMED = 5;

export class Beside {
  constructor(app) {
    this.app = app;
    this.search = null;
    on("beside-keep", "click", () => this._keep());
    on("beside-close", "click", () => app.dispatch({ type: "set", changes: { beside: null } }));
    on("beside-swap", "click", () => this._swap());
  }

  // Keep the position for a comparison, and scroll to the card, which is above the button and can be out of view.
  _keep() {
    const { app } = this;
    app.dispatch({ type: "set", changes: { beside: { ...app.position } } });
    app.render();
    byId("beside").scrollIntoView({ block: "nearest" });
  }

  _swap() {
    const { app } = this;
    const { beside } = app.state;
    const now = { ...app.position };
    app.load({ start: beside, moves: [] });
    app.dispatch({ type: "set", changes: { beside: now } });
  }

  // Search the kept position and its moves, but only if the search for the position on the board is not running.
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

  // The points whose stones differ between the two positions, as a set. The set is empty if nothing is compared.
  get framed() {
    const { app } = this;
    const kept = app.state.mode === "explore" ? app.state.beside : null;
    return new Set(kept ? pointsOf((kept.black ^ app.position.black) | (kept.white ^ app.position.white)) : []);
  }

  render() {
    const { app } = this;
    const kept = app.state.beside;
    const isShown = kept !== null && app.state.mode === "explore";
    byId("beside").hidden = !isShown;
    if (!isShown) return;
    this._ask(kept);
    const [there, here] = [app.facts.about(kept), app.about];
    const { rows, same, open } = comparison(there, here);
    const isOther = differs(kept, app.position);
    const marks = new Map(
      there.moves.flatMap((one) =>
        one.moves.filter((move) => move !== PASS).map((move) => [move, { fact: one.fact, best: isBest(one), dim: isOther && same.includes(move) }]),
      ),
    );
    const svg = boardSvg({ position: kept, last: null, taken: 0, marks, named: this.framed, ghosts: [], names: app.state.names }, PAGE_COLOURS);
    const board = byId("beside-board");
    if (this.drawn !== svg) board.innerHTML = this.drawn = svg;
    setText(byId("beside-kept"), `Kept: ${resultText(there.fact)}, ${isOver(kept) ? "the game is over" : `${kept.ply} plies played, ${turnText(kept)}`}.`);
    setText(byId("beside-stones"), differences(kept, app.position));
    fill(byId("beside-moves"), JSON.stringify(rows), () =>
      rows.map(({ results, moves }) => make("tr", {}, ...[...results, moves.map(moveName).join(" ")].map((cell) => make("td", {}, cell)))),
    );
    byId("beside-table").hidden = !rows.length;
    setText(byId("beside-same"), isOther ? restText(same.length, open) : "");
  }
}

const differs = (one, other) => ["black", "white", "ko", "ply", "passed"].some((name) => one[name] !== other[name]);

// Return a sentence on the differences between two boards. If the positions are equal, the sentence explains what to do next.
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
  if (parts.length) return `The board has ${parts.join("; ")}.`;
  if (!differs(one, other)) return "This position is kept. Go to another position, and the differences are shown here.";
  return "The stones are the same.";
}

// Compare the results of all moves in two positions. rows: { results, moves } of the moves that have different results, or that
// are legal in only one of the positions; moves that change the winner come first. same: the moves with the same result in both.
// open: the number of moves whose results are not exact enough to compare.
function comparison(there, here) {
  const facts = [there, here].map((about) => new Map(about.moves.flatMap((one) => one.moves.map((move) => [move, one.fact]))));
  const moves = [...new Set(facts.flatMap((each) => [...each.keys()]))].sort((a, b) => a - b);
  const rows = new Map();
  const same = [];
  let open = 0;
  for (const move of moves) {
    const pair = facts.map((each) => each.get(move));
    const isOpen = pair.some((fact) => fact && valueOf(fact) === null);
    const [one, other] = pair.map((fact) => fact && winnerOf(fact));
    const changes = pair.every(Boolean) && one !== null && other !== null && one !== other;
    if (isOpen && !changes) open++;
    else if (pair.every(Boolean) && !changes && valueOf(pair[0]) === valueOf(pair[1])) same.push(move);
    else {
      const results = pair.map((fact) => (fact ? shortResult(fact) : "illegal"));
      const row = rows.get(results.join()) ?? { results, moves: [], rank: changes ? 0 : pair.every(Boolean) ? 1 : 2 };
      row.moves.push(move);
      rows.set(results.join(), row);
    }
  }
  return { rows: [...rows.values()].sort((a, b) => a.rank - b.rank), same, open };
}

function restText(same, open) {
  const parts = [];
  if (same) parts.push(`${counted(same, "move")} ${same === 1 ? "has" : "have"} the same result in both.`);
  if (open) parts.push(`The results of ${counted(open, "move")} are not known yet.`);
  return parts.join(" ");
}
