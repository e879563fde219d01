// Edit: set up any position, stones, ply, ko and pass; what is impossible is told while it is being set up.

import { NAMES, PASS, PLIES, START, moveName, moverOf, stoneAt } from "./rules.js";
import { leastPly } from "./formats.js";
import { byId, make, on, setText } from "./dom.js";

export class EditMode {
  constructor(app) {
    this.app = app;
    this.truths = false;
    this.brush = "black";
    this.title = "Set up a position: choose a stone, then click on points.";
    this.ply = on("edit-ply", "change", () => this._set({ ply: Number(this.ply.value) }));
    for (let ply = 0; ply < PLIES; ply++)
      this.ply.append(make("option", { value: ply }, `${ply}: ${NAMES[ply % 2]} to move, ${PLIES - ply} left`));
    this.passed = on("edit-passed", "change", () => this._set({ passed: this.passed.checked }));
    this.fault = byId("edit-fault");
    this.brushes = [...document.querySelectorAll("[data-brush]")];
    for (const button of this.brushes) button.addEventListener("click", () => this._choose(button.dataset.brush));
    this.done = on("edit-done", "click", () => this._finish());
    on("edit-clear", "click", () => this._set({ black: 0, white: 0, ko: null }));
    on("edit-cancel", "click", () => app.setMode("explore"));
  }

  enter() {
    this.draft = { ...this.app.position };
    if (this.draft.ply >= PLIES) this.draft.ply = PLIES - 1;
    this.app.refresh();
  }

  onPosition() {
    this.draft = { ...this.app.position };
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
    this.fault.classList.toggle("bad", Boolean(fault));
    setText(this.fault, fault ? `Impossible: ${fault}.` : `A possible position; ${NAMES[moverOf(draft)]} moves.`);
  }

  _choose(brush) {
    this.brush = brush;
    this.app.refresh();
  }

  // The ply rises to the least that has so many stones.
  _set(changes) {
    this.draft = { ...this.draft, ...changes };
    const least = Math.min(...[0, 1].map((mover) => leastPly(this.draft, mover, this.draft.passed)));
    this.draft.ply = Math.min(Math.max(this.draft.ply, least), PLIES - 1);
    this.app.refresh();
  }

  _finish() {
    const { black, white, ko, ply, passed } = this.draft;
    const empty = !black && !white && ply === 0;
    this.app.setMode("explore");
    this.app.load({ start: empty ? START : { black, white, ko, ply, passed }, moves: [] });
  }
}
