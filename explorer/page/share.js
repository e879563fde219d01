// Taking along: a link, moves, input.txt, the JSON of the command line, SGF and a drawing.

import { START, moveName, signOf } from "./rules.js";
import { valueOf } from "./evidence.js";
import { DRAWING_COLOURS, boardSvg } from "./board.js";
import { fragmentOf, inputText, positionRecord, sgfOf } from "./formats.js";
import { resultText } from "./words.js";
import { byId, copy, download, make, on } from "./dom.js";

export function wireShare(app) {
  on("share-button", "click", () => {
    byId("shares").replaceChildren(...shares(app));
    byId("share-dialog").showModal();
  });
}

function shares(app) {
  const { line } = app;
  const moves = line.moves.slice(0, line.at).map(moveName).join(" ");
  const fromStart = line.start === START;
  const input = inputText(app.position, line.previous);
  const address = location.href.split("#")[0];
  return [
    share("link", "Link to this line and position", `${address}#${fragmentOf(line)}`),
    fromStart ? share("moves", "For the command line", `little-go query --moves "${moves}"`) : null,
    share("record", "The position as JSON, for little-go query --lines", positionRecord(app.position)),
    share("input", "input.txt for a player of the course", input ?? "", {
      name: "input.txt",
      missing: "The board before the last move is not known here: go one move forward.",
    }),
    share("sgf", "SGF of the line, with what is known of each position", sgfOfLine(app), { name: "little-go.sgf" }),
    share("svg", "The board as SVG", boardSvg(app._view(), DRAWING_COLOURS), { name: "little-go.svg" }),
  ].filter(Boolean);
}

function share(id, title, text, { name, missing } = {}) {
  const rows = text.includes("\n") ? 3 : 1;
  const area = make("textarea", { id: `share-${id}`, readonly: true, rows, spellcheck: "false" });
  area.value = text;
  if (!text) return make("div", { class: "share" }, make("span", {}, title), make("p", { class: "hint" }, missing));
  const onclick = async () => (button.textContent = (await copy(text, area)) ? "Copied" : "Select and copy");
  const button = make("button", { type: "button", onclick }, "Copy");
  const save = name && make("button", { type: "button", onclick: () => download(name, text, "text/plain") }, "Save");
  const row = make("div", { class: "row" }, area, button, save || null);
  return make("div", { class: "share" }, make("label", { for: area.id }, title), row);
}

function sgfOfLine(app) {
  const { line, facts } = app;
  const comments = line.positions.map((position) => comment(facts.about(position).fact));
  // Behind the last move a variation would look like the game going on.
  const rest = app.lines.movesFrom(line.positions.at(-1));
  if (rest.length) comments[comments.length - 1] += ` Best line: ${rest.map(moveName).join(" ")}`;
  const variations = line.moves.map((move, index) => {
    const [position, after] = line.positions.slice(index, index + 2);
    const best = app.lines.movesFrom(position);
    return best.length && best[0] !== move && !keeps(facts, position, after) ? [best] : [];
  });
  return sgfOf(line, comments, variations);
}

function comment(fact) {
  const result = resultText(fact);
  return result === "?" ? "Not computed." : `${result} under best play.`;
}

// Whether the move that was played is one of the best.
function keeps(facts, position, after) {
  const [before, next] = [valueOf(facts.about(position).fact), valueOf(facts.about(after).fact)];
  return before !== null && next !== null && signOf(position) * (before - next) === 0;
}
