// The card with the result of the position: the winner, the margin, the source of the result, and the progress of the kernel.

import { KOMI } from "./game.js";
import { NAMES, countOf, isOver, moveName } from "./rules.js";
import { winnerOf } from "./evidence.js";
import { valueSource, verdictSource } from "./facts.js";
import { reasonSign } from "./jobs.js";
import { badge } from "./moves.js";
import { marginText, resultOf, shortResult, tookText, winnerText } from "./words.js";
import { byId, fill, make, on, setText } from "./dom.js";

// A text that is as long as the longest reason. This text reserves the space for a reason that is not known yet.
export const LONGEST_REASON = "0,0 and ".repeat(41);

// Show the text of a reason if the reason is known. During and after the search for the reason, reserve space for its text.
// text: the element with the reason. kept: the element that reserves the space.
export function showReason(app, name, isPending, [text, kept], why) {
  text.hidden = !why;
  kept.hidden = !app.keepsRoom(name, isPending);
  setText(kept.querySelector("p") ?? kept, LONGEST_REASON);
}

export class VerdictCard {
  constructor(app) {
    this.app = app;
    this.element = byId("verdict");
    this.badges = byId("verdict-sources");
    on("reason-worse", "click", () => app.playLine(this.why.worse.slice(1)));
    on("reason-better", "click", () => this._showBetter());
    addEventListener("resize", () => this.release());
  }

  render() {
    const { app, element } = this;
    element.hidden = !app.truths;
    this._renderReason();
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
    this._renderBadges(fact);
    setText(byId("status"), this._statusText());
  }

  // Keep the height of the card while the same position is shown, because the signs in the card appear and disappear.
  keepHeight() {
    const { element } = this;
    if (!element.hidden) element.style.minHeight = `${element.getBoundingClientRect().height}px`;
  }

  release() {
    this.element.style.minHeight = "";
  }

  // Show whether the last move was a mistake, and the reason.
  _renderReason() {
    const { app } = this;
    const { line, lines } = app;
    const [from, move] = [line.previous, line.lastMove];
    this.why = from ? lines.why(from, move) : null;
    const pending = app.truths ? reasonSign(app, from, move) : "";
    showReason(app, "reason", Boolean(pending), [byId("reason"), byId("reason-kept")], this.why);
    // The mode "Review" has its own card for reasons.
    byId("reason-card").hidden = !app.truths || app.modeName === "review" || (!this.why && byId("reason-kept").hidden);
    const isBest = from && lines.isBest(from, move);
    setText(byId("reason-sign"), isBest ? `${moveName(move)} is one of the best moves.` : this.why || !pending ? "" : `Reason: ${pending}`);
    if (this.why) this._renderWhy();
  }

  // Show the reason, and buttons that show both lines on the board. Hide the buttons during a game against an opponent.
  _renderWhy() {
    const { app, why } = this;
    setText(byId("reason-text"), why.text);
    byId("reason-lines").hidden = app.modeName === "play";
    byId("reason-worse").hidden = why.worse.length < 2;
    setText(byId("reason-better"), `Show ${moveName(why.better[0])}`);
  }

  // Go back to the position before the mistake, and play the better line.
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
