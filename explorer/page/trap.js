// The card on the trap that the book sets in a lost position: the reason for the book's move, and the probability that
// opponents make a mistake.

import { NAMES, moveName, moverOf } from "./rules.js";
import { percent } from "./words.js";
import { byId, make } from "./dom.js";

export class TrapCard {
  constructor(app) {
    this.app = app;
    this.element = byId("trap");
  }

  render(isShown = true) {
    const { position } = this.app;
    if (this.position !== position) {
      this.position = position;
      this.trap = this.app.facts.trap(position);
      if (this.trap) this._fill(this.trap, position);
    }
    this.element.hidden = !isShown || !this.trap;
  }

  _fill(trap, position) {
    const [we, they] = [NAMES[moverOf(position)], NAMES[1 - moverOf(position)]];
    const holding = trap.replies.filter((reply) => reply.holds);
    this.element.replaceChildren(
      make("h3", {}, `The trap: ${moveName(trap.move)}`),
      make(
        "p",
        {},
        `Every move loses against best play, so the book plays where opponents most often err. After ${moveName(trap.move)}, ` +
          `${holding.length} of ${they}'s ${trap.replies.length} replies ${holding.length === 1 ? "keeps" : "keep"} the win: ${holding.map((reply) => moveName(reply.move)).join(" and ")}. `,
        make(
          "b",
          {},
          `The probability that an opponent errs at once is ${percent(trap.chance)}, and the probability of an error here or at a later trap is ${percent(trap.later)}`,
        ),
        `, according to the models fitted to logged games. ${we} needs one error.`,
      ),
      make("button", { type: "button", onclick: () => this.app.play(trap.move) }, `Set it: play ${moveName(trap.move)}`),
    );
  }
}
