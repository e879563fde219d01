// The mode "Edit": set up any position by stones, ply, ko and PASS. If the position is impossible, the page explains why.

import { NAMES, PASS, PLIES, START, moveName, moverOf, stoneAt } from "./rules.js";
import { leastPly } from "./placed.js";
import { reachOf } from "./reach.js";
import { allOf, byId, make, on, setText } from "./dom.js";

export class EditMode {
  constructor(app) {
    this.app = app;
    this.truths = false;
    this.brush = "black";
    this.judged = { draft: null, reach: null };
    this.title = "Set up a position: choose a stone, then click on points.";
    this.ply = on("edit-ply", "change", () => this._set({ ply: Number(this.ply.value) }));
    for (let ply = 0; ply < PLIES; ply++)
      this.ply.append(make("option", { value: ply }, `${ply}: ${NAMES[ply % 2]} to move, ${PLIES - ply} left`));
    this.passed = on("edit-passed", "change", () => this._set({ passed: this.passed.checked }));
    this.fault = byId("edit-fault");
    this.brushes = allOf("[data-brush]");
    for (const button of this.brushes) button.addEventListener("click", () => this._choose(button.dataset.brush));
    this.done = on("edit-done", "click", () => this._finish());
    on("edit-clear", "click", () => this._set({ black: 0, white: 0, ko: null }));
    on("edit-cancel", "click", () => app.setMode("explore"));
  }

  get draft() {
    return this.app.state.draft ?? this.app.position;
  }

  enter() {
    if (this.app.state.draft) return;
    const { position } = this.app;
    this._draw({ ...position, ply: Math.min(position.ply, PLIES - 1) });
  }

  // Continue with another position on the board. If the user opened the position, it becomes the draft. A restored state has
  // its own draft.
  onPosition(isKept) {
    if (this.app.state.draft && !isKept) this._draw(null);
    this.enter();
  }

  onPoint(point) {
    if (point === PASS) return;
    const bit = 1 << point;
    const had = stoneAt(this.draft, point);
    const cleared = { black: this.draft.black & ~bit, white: this.draft.white & ~bit };
    const put = this.brush === "black" ? 0 : this.brush === "white" ? 1 : null;
    if (this.brush === "ko") return this._set({ ko: this.draft.ko === point ? null : point });
    if (put !== null && put !== had) cleared[this.brush] |= bit;
    this._set({ ...cleared, ko: this.draft.ko === point ? null : this.draft.ko });
    const now = stoneAt(this.draft, point);
    this.app.speak(`${moveName(point)}: ${now === null ? "empty" : NAMES[now]}`);
  }

  view() {
    return { position: this.draft, last: null, marks: new Map(), ghosts: [] };
  }

  render() {
    const { draft } = this;
    this.ply.value = draft.ply;
    this.passed.checked = draft.passed;
    for (const button of this.brushes)
      button.setAttribute("aria-pressed", String(button.dataset.brush === this.brush));
    const fault = this.app.rules.fault(draft);
    this.done.disabled = Boolean(fault);
    this.fault.dataset.reached = String(fault ? false : this._reach(draft).reached);
    this.fault.classList.toggle("bad", Boolean(fault));
    setText(this.fault, fault ? `Impossible: ${fault}.` : this._judgement(draft));
  }

  _judgement(draft) {
    const moves = `${NAMES[moverOf(draft)]} moves.`;
    const { reached, why } = this._reach(draft);
    if (reached) return `A possible position; ${moves}`;
    return reached === null ? `Not proved reachable: ${why}. ${moves}` : `No game reaches it: ${why}. ${moves}`;
  }

  // Return whether a game can reach the draft. The search that answers this question runs once for each draft.
  _reach(draft) {
    if (this.judged.draft !== draft) this.judged = { draft, reach: reachOf(this.app.rules, this.app.facts, draft) };
    return this.judged.reach;
  }

  _choose(brush) {
    this.brush = brush;
    this.app.refresh();
  }

  // Change the draft. If the ply is too small for the number of stones, raise the ply.
  _set(changes) {
    const draft = { ...this.draft, ...changes };
    const least = Math.min(...[0, 1].map((mover) => leastPly(draft, mover, draft.passed)));
    this._draw({ ...draft, ply: Math.min(Math.max(draft.ply, least), PLIES - 1) });
  }

  _draw(draft) {
    this.app.dispatch({ type: "set", changes: { draft } });
  }

  // Put the draft on the board. If the user changed nothing, the game with its moves stays.
  _finish() {
    const { app, draft } = this;
    const { black, white, ko, ply, passed } = draft;
    const isSame = JSON.stringify({ black, white, ko, ply, passed }) === JSON.stringify(plain(app.position));
    const isEmpty = !black && !white && ply === START.ply;
    app.setMode("explore");
    if (!isSame) app.load({ start: isEmpty ? START : { black, white, ko, ply, passed }, moves: [] });
  }
}

const plain = ({ black, white, ko, ply, passed }) => ({ black, white, ko, ply, passed });
