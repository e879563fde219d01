// The trap that the book sets in a lost position: why this move, and how likely opponents err.

import { NAMES, moveName, moverOf } from "./rules.js";
import { percent } from "./words.js";
import { make } from "./dom.js";

export class TrapCard {
  constructor(app) {
    this.app = app;
    this.element = make("section", { class: "card trap", id: "trap", hidden: true });
  }

  render() {
    const { position } = this.app;
    if (this.position === position) return;
    this.position = position;
    const trap = this.app.facts.trap(position);
    this.element.hidden = !trap;
    if (!trap) return;
    const [we, they] = [NAMES[moverOf(position)], NAMES[1 - moverOf(position)]];
    const holding = trap.replies.filter((reply) => reply.holds);
    this.element.replaceChildren(
      make("h3", {}, `The trap: ${moveName(trap.move)}`),
      make(
        "p",
        {},
        `Every move loses against best play, so the book plays where opponents most often err. After ${moveName(trap.move)}, ` +
          `${holding.length} of ${they}'s ${trap.replies.length} replies keep the win: ${holding.map((reply) => moveName(reply.move)).join(", ")}. `,
        make(
          "b",
          {},
          `The chance that an opponent errs at once is ${percent(trap.chance)}, and that it errs here or at a later trap ${percent(trap.later)}`,
        ),
        `, by the models fitted to logged games. ${we} needs one error.`,
      ),
      make(
        "button",
        { type: "button", onclick: () => this.app.play(trap.move) },
        `Set it: play ${moveName(trap.move)}`,
      ),
    );
  }
}
