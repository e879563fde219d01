// Edit: set up any position, stones, ply, ko and pass; what is impossible is told while it is being set up.

import { NAMES, PASS, PLIES, START, moveName, moverOf, stoneAt } from "./rules.js";
import { make, setText } from "./dom.js";

const BRUSHES = [
  ["black", "Black"],
  ["white", "White"],
  ["empty", "Empty"],
  ["ko", "Ko"],
];

export class EditMode {
  constructor(app) {
    this.app = app;
    this.truths = false;
    this.brush = "black";
    this.title = "Set up a position: choose a stone, then click on points.";
    this.ply = make("select", { id: "edit-ply", onchange: () => this._set({ ply: Number(this.ply.value) }) });
    for (let ply = 0; ply < PLIES; ply++)
      this.ply.append(make("option", { value: ply }, `${ply}: ${NAMES[ply % 2]} to move, ${PLIES - ply} left`));
    this.passed = make("input", {
      type: "checkbox",
      id: "edit-passed",
      onchange: () => this._set({ passed: this.passed.checked }),
    });
    this.fault = make("p", { class: "fault", id: "edit-fault", role: "status" });
    this.brushes = BRUSHES.map(([brush, name]) =>
      make(
        "button",
        { type: "button", "aria-pressed": "false", "data-brush": brush, onclick: () => this._choose(brush) },
        make("i", { class: brush, "aria-hidden": "true" }),
        name,
      ),
    );
    this.done = make(
      "button",
      { type: "button", class: "primary", id: "edit-done", onclick: () => this._finish() },
      "Explore it",
    );
  }

  enter(panel) {
    this.draft = { ...this.app.position };
    if (this.draft.ply >= PLIES) this.draft.ply = PLIES - 1;
    panel.append(
      make(
        "section",
        { class: "card edit" },
        make("h2", {}, "Set up a position"),
        make(
          "div",
          { class: "row brushes", role: "group", "aria-label": "What a click puts on the board" },
          ...this.brushes,
        ),
        make(
          "p",
          { class: "hint" },
          "A second click removes the stone. Ko marks the point that the side to move may not play.",
        ),
        make("label", { for: "edit-ply" }, "Plies played"),
        this.ply,
        make("label", { class: "check" }, this.passed, " The last ply was a PASS"),
        this.fault,
        make(
          "div",
          { class: "row" },
          this.done,
          make(
            "button",
            { type: "button", onclick: () => this._set({ black: 0, white: 0, ko: null }) },
            "Clear the board",
          ),
          make("button", { type: "button", onclick: () => this.app.setMode("explore") }, "Cancel"),
        ),
      ),
    );
    this._choose(this.brush);
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

  _set(changes) {
    this.draft = { ...this.draft, ...changes };
    this.app.refresh();
  }

  _finish() {
    const { black, white, ko, ply, passed } = this.draft;
    const empty = !black && !white && ply === 0;
    this.app.setMode("explore");
    this.app.load({ start: empty ? START : { black, white, ko, ply, passed }, moves: [] });
  }
}
