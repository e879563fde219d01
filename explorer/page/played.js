// The list of moves that were played. Each move is a button that shows the position after the move.

import { NAMES, moveName } from "./rules.js";
import { byId, fill, make } from "./dom.js";

export class PlayedList {
  constructor(app) {
    this.app = app;
    this.element = byId("line");
  }

  render() {
    const { line } = this.app;
    const wanted = `${line.start.ply} ${line.moves.join(" ")}`;
    fill(this.element, wanted, () => line.moves.map((move, index) => this._item(move, index)));
    [...this.element.children].forEach((item, index) => {
      item.firstElementChild.setAttribute("aria-current", String(index + 1 === line.at));
      item.classList.toggle("later", index + 1 > line.at);
    });
  }

  _item(move, index) {
    const ply = this.app.line.start.ply + index;
    const name = moveName(move);
    const label = `Ply ${ply + 1}: ${NAMES[ply % 2]} ${name}`;
    // The letter shows the colour of the stone if the page is printed without colours.
    const stone = make("i", { class: ply % 2 ? "white" : "black", "aria-hidden": "true" }, make("b", {}, "BW"[ply % 2]));
    return make(
      "li",
      {},
      make("button", { type: "button", "aria-label": label, onclick: () => this.app.goTo(index + 1) }, stone, name),
    );
  }
}
