// The mode "Explore": the list of moves, the best line, and the trap if the position is lost.

import { PLIES, isOver, moveName } from "./rules.js";
import { lineSign, reasonSign } from "./jobs.js";
import { MoveList } from "./moves.js";
import { showReason } from "./verdict.js";
import { byId, on, setText } from "./dom.js";

export class ExploreMode {
  constructor(app) {
    this.app = app;
    this.truths = true;
    this.list = new MoveList({ onLook: (one) => app.look(one), onPlay: (move) => app.play(move) });
    on("play-line", "click", () => (app.playing ? app.stopLine() : app.playLine(app.shownLine().moves)));
  }

  render() {
    const { app } = this;
    this.list.element.hidden = isOver(app.position) || !app.truths;
    this.list.show(app.position, app.about, app.computing);
    this.list.light(app.looked?.moves ?? null);
    app.trap.render(app.truths);
    const text = this._lineText();
    setText(byId("bestline-text"), text);
    setText(byId("bestline-kept"), `Best line: ${"0,0 ".repeat(PLIES - app.position.ply)}…`);
    const isKept = app.truths && app.keepsRoom("line", Boolean(text || lineSign(app)));
    byId("bestline").hidden = !isKept && !app.playing;
    byId("play-line").disabled = !text && !app.playing;
    const [from, move] = [app.position, app.looked?.moves[0]];
    const why = text && app.looked ? app.lines.why(from, move) : null;
    const isPending = Boolean(app.looked && reasonSign(app, from, move));
    showReason(app, "why", isPending, [byId("bestline-why"), byId("why-kept")], why);
    setText(byId("bestline-why"), why?.text ?? "");
    setText(byId("play-line"), app.playing ? "Stop" : "Play it");
  }

  _lineText() {
    const { app } = this;
    const shown = app.shownLine();
    if (!shown) return "";
    const rest = shown.whole ? "" : " …";
    return `${app.looked ? "Line" : "Best line"}: ${shown.moves.map(moveName).join(" ")}${rest}`;
  }
}
