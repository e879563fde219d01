// The list of moves with their results; the best moves come first.

import { NAMES, moveName, signOf } from "./rules.js";
import { rank, valueOf, winnerOf } from "./evidence.js";
import { COMPUTING, UNKNOWN, valueSource, verdictSource } from "./facts.js";
import { SOURCE_HELP, SOURCE_TEXT, nodesText, points, resultText, secondsText, spokenResult } from "./words.js";
import { byId, make, setText, watch } from "./dom.js";

// Return the source of a fact: the source of its value if the value is exact, otherwise the source of its winner.
export function originOf(fact, computing) {
  const source = valueOf(fact) !== null ? valueSource(fact) : verdictSource(fact);
  return source ?? (computing ? COMPUTING : UNKNOWN);
}

export function badge(source, label = SOURCE_TEXT[source]) {
  return make("span", { class: `badge ${source}`, title: SOURCE_HELP[source], "data-source": source }, label);
}

export function isBest({ lost }) {
  return lost.every((points) => points === 0);
}

// Return the moves in an order in which, as far as the facts show, better moves come first.
export function ranked(position, { moves }) {
  const ranks = new Map(moves.map((one) => [one, [...rank(signOf(position) > 0, one.fact), one.moves[0]]]));
  const difference = (a, b) => ranks.get(a).map((part, index) => part - ranks.get(b)[index]).find(Boolean);
  return [...moves].sort(difference);
}

export function lossText(one) {
  if (isBest(one)) return "best";
  const [least, most] = one.lost;
  if (least === most) return points(least);
  return least ? `${least} or more` : "";
}

export function moveLabel(one, move) {
  const parts = [winnerOf(one.fact) === null ? "winner not known" : spokenResult(one.fact)];
  const [least, most] = one.lost;
  if (isBest(one)) parts.push("best move");
  else if (least === most) parts.push(`loses ${points(least)}`);
  return `${moveName(move)}: ${parts.join(", ")}`;
}

export class MoveList {
  // onLook(one) is called when the user begins to point at a row, and onLook(null) when the user stops. onPlay(move) is called
  // when a row is chosen.
  constructor({ onLook, onPlay }) {
    this.rows = new Map();
    this.onLook = onLook;
    this.onPlay = onPlay;
    this.element = byId("moves");
    this.list = this.element.querySelector("ol");
  }

  show(position, about, computing) {
    const order = ranked(position, about);
    const keys = new Set(order.map((one) => this._id(one)));
    for (const [id, row] of this.rows) if (!keys.has(id)) this.rows.delete(id) && row.remove();
    const rows = order.map((one) => this._row(one, computing));
    if (rows.some((row, index) => this.list.children[index] !== row) || this.list.children.length !== rows.length) {
      const focused = rows.find((row) => row.contains(document.activeElement));
      this.list.replaceChildren(...rows);
      focused?.firstElementChild.focus();
    }
  }

  light(moves) {
    for (const row of this.rows.values())
      row.classList.toggle("lit", Boolean(moves) && row.dataset.moves === moves.map(moveName).join(" "));
  }

  _id(one) {
    return `${one.key} ${one.moves.join(" ")}`;
  }

  _row(one, computing) {
    const id = this._id(one);
    const row = this.rows.get(id) ?? this._newRow(one, id);
    const winner = winnerOf(one.fact);
    const source = originOf(one.fact, computing);
    row.dataset.lo = one.fact.lo;
    row.dataset.hi = one.fact.hi;
    row.dataset.source = source;
    row.className = winner === null ? "open" : NAMES[winner].toLowerCase();
    row.classList.toggle("best", isBest(one));
    row.classList.toggle("exact", valueOf(one.fact) !== null);
    const [name, result, loss, origin] = row.firstElementChild.children;
    setText(name.firstChild, moveName(one.moves[0]));
    setText(name.lastChild, one.moves.length > 1 ? `= ${one.moves.slice(1).map(moveName).join(" ")}` : "");
    setText(result, resultText(one.fact));
    setText(loss, lossText(one));
    if (origin.dataset.source !== source) {
      origin.dataset.source = source;
      origin.replaceChildren(badge(source));
    }
    const kernel = source === "kernel" && one.fact.claims.find((claim) => claim.nodes);
    const took = kernel ? ` It took ${nodesText(kernel.nodes)}, ${secondsText(kernel.seconds)}.` : "";
    origin.firstElementChild.title = SOURCE_HELP[source] + took;
    return row;
  }

  _newRow(one, id) {
    const row = byId("move-row").content.firstElementChild.cloneNode(true);
    const button = row.firstElementChild;
    row.dataset.moves = one.moves.map(moveName).join(" ");
    button.addEventListener("click", () => this.onPlay(one.moves[0]));
    watch(button, (isLookedAt) => this.onLook(isLookedAt ? one : null));
    this.rows.set(id, row);
    return row;
  }
}
