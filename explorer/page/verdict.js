// The card that says who wins, by how much, from which source, and how far the kernel is.

import { KOMI } from "./game.js";
import { NAMES, countOf, isOver, moveName } from "./rules.js";
import { winnerOf } from "./evidence.js";
import { valueSource, verdictSource } from "./facts.js";
import { badge } from "./moves.js";
import { marginText, resultOf, shortResult, tookText, winnerText } from "./words.js";
import { byId, fill, make, on, setText } from "./dom.js";

export class VerdictCard {
  constructor(app) {
    this.app = app;
    this.element = byId("verdict");
    this.badges = byId("verdict-sources");
    on("reason-worse", "click", () => app.playLine(this.why.worse.slice(1)));
    on("reason-better", "click", () => this._showBetter());
  }

  render() {
    const { app, element } = this;
    element.hidden = !app.truths;
    if (!app.truths) return;
    const { fact } = app.about;
    const winner = winnerOf(fact);
    const over = isOver(app.position);
    element.className = `card verdict ${winner === null ? "open" : NAMES[winner].toLowerCase()}`;
    Object.assign(element.dataset, { lo: fact.lo, hi: fact.hi, winner: winner ?? "" });
    setText(byId("verdict-value"), shortResult(fact));
    byId("verdict-value").classList.toggle("long", shortResult(fact).length > 5);
    setText(byId("verdict-winner"), over ? `${winnerText(fact)} the game` : winnerText(fact));
    setText(byId("verdict-text"), over ? finalText(app.position) : marginText(fact));
    const { line, lines } = app;
    this.why = line.at ? lines.why(line.previous, line.lastMove) : null;
    byId("reason").hidden = !this.why;
    if (this.why) this._renderWhy();
    this._renderBadges(fact);
    setText(byId("status"), this._statusText());
  }

  // Why the last move was a mistake; where nobody plays against anybody, with both lines to be seen on the board.
  _renderWhy() {
    const { app, why } = this;
    setText(byId("reason-text"), why.text);
    byId("reason-lines").hidden = app.modeName === "play";
    byId("reason-worse").hidden = why.worse.length < 2;
    setText(byId("reason-better"), `Show ${moveName(why.better[0])}`);
  }

  // Take the mistake back, and play the better line.
  _showBetter() {
    const { app, why } = this;
    app.playLine(why.better, app.line.at - 1);
  }

  _renderBadges(fact) {
    const { app, badges } = this;
    const [verdict, value] = [verdictSource(fact), valueSource(fact)];
    const unknown = app.computing ? "computing" : "unknown";
    const wanted =
      verdict && verdict === value
        ? [[verdict, "Winner and value"]]
        : [
            [verdict ?? unknown, "Winner"],
            [value ?? unknown, "Value"],
          ];
    if (!verdict && !value) wanted.length = 1;
    fill(badges, wanted.join(" "), () =>
      wanted.map(([source, what]) =>
        make("span", { class: "told" }, make("small", {}, verdict || value ? what : "Winner and value"), badge(source)),
      ),
    );
  }

  _statusText() {
    const { app } = this;
    if (!app.engine) return "The kernel cannot run in this browser: only book and atlas are shown.";
    return app.took ? `Every move is exact${tookText(app.took)}.` : "";
  }
}

function finalText(position) {
  const [black, white] = [countOf(position.black), countOf(position.white)];
  return `Black has ${black}, White ${white} and ${KOMI} komi: ${resultOf(black - white)}.`;
}
