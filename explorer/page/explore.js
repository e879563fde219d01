// Explore: the list of moves, the best line, and in a lost position the trap.

import { isOver, moveName } from "./rules.js";
import { MoveList } from "./moves.js";
import { byId, setText } from "./dom.js";

export class ExploreMode {
  constructor(app) {
    this.app = app;
    this.truths = true;
    this.list = new MoveList({ onLook: (one) => app.look(one), onPlay: (move) => app.play(move) });
    this.bestLine = byId("bestline");
  }

  render() {
    const { app } = this;
    this.list.element.hidden = isOver(app.position);
    this.list.show(app.position, app.about, app.computing);
    this.list.light(app.looked?.moves ?? null);
    app.trap.render();
    setText(this.bestLine, this._lineText());
    this.bestLine.hidden = !this.bestLine.textContent;
  }

  _lineText() {
    const { app } = this;
    const shown = app.shownLine();
    if (!shown) return "";
    const rest = shown.whole ? "" : shown.busy ? " …" : " … (further on it takes a longer search)";
    return `${app.looked ? "Line" : "Best line"}: ${shown.moves.map(moveName).join(" ")}${rest}`;
  }
}
