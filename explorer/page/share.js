// The dialog "Share": a link, moves, input.txt, the JSON of the command line, SGF and a drawing.

import { START, moveName, signOf } from "./rules.js";
import { valueOf } from "./evidence.js";
import { DRAWING_COLOURS, boardSvg } from "./board.js";
import { commandOf, inputText, positionRecord, sgfOfTree } from "./formats.js";
import { addressOf } from "./address.js";
import { shownGame } from "./state.js";
import { linesOf } from "./tree.js";
import { asCsv, moveRows, plyRows } from "./tables.js";
import { resultText } from "./words.js";
import { byId, copy, download, make, on } from "./dom.js";

export function wireShare(app) {
  const take = (id, rows, name) => {
    for (const kind of ["csv", "json"])
      on(`${id}-${kind}`, "click", async ({ currentTarget: button }) => {
        const text = kind === "csv" ? asCsv(rows()) : `${JSON.stringify(rows())}\n`;
        const area = byId("take-area");
        area.value = text;
        const isCopied = await copy(text, area);
        if (!isCopied) download(`${name}.${kind}`, text, "text/plain");
        app.say(isCopied ? `${name === "moves" ? "The table of all moves" : "The table of all plies"} is copied as ${kind.toUpperCase()}.` : `Saved as ${name}.${kind}.`);
        button.focus();
      });
  };
  take("moves", () => moveRows(app.position, app.about, app.rules.key(app.position)), "moves");
  take("plies", () => plyRows(app.line, app.modes.review.facts), "plies");
  on("share-button", "click", () => {
    byId("shares").replaceChildren(...shares(app));
    byId("share-dialog").showModal();
  });
}

function shares(app) {
  const { line } = app;
  const moves = line.moves.slice(0, line.at).map(moveName).join(" ");
  const fromStart = line.start === START;
  const count = linesOf(shownGame(app.state).root).length;
  const input = inputText(app.position, line.previous);
  // The path of the file does not exist on another machine, but every reader of this project finds the position in the
  // fragment.
  const isFile = location.protocol === "file:";
  const address = isFile ? "explorer.html" : location.href.split("#")[0];
  const what = isFile
    ? "Text to paste into this page on another machine: here the page is a file, so a link to it works only on this machine"
    : "Link to the position and its line, without variations and comments";
  return [
    share("link", what, `${address}#${addressOf(app.state)}`),
    fromStart ? share("moves", "For the command line", commandOf(moves)) : null,
    share("record", "The position as JSON, for little-go query --lines", positionRecord(app.position)),
    share("input", "input.txt for a player of the course", input ?? "", {
      name: "input.txt",
      missing: "The board before the last move is not known here: go one move forward.",
    }),
    share("sgf", count > 1 ? `SGF of all ${count} lines, with comments, marks and what is known` : "SGF of the line, with comments, marks and what is known", sgfOfLine(app), { name: "little-go.sgf" }),
    share("svg", "The board as SVG", boardSvg(app._view(), DRAWING_COLOURS), { name: "little-go.svg" }),
  ].filter(Boolean);
}

function share(id, title, text, /** @type {any} */ { name, missing } = {}) {
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
  const positionAt = (path) => path.reduce((position, move) => app.rules.play(position, move), line.start);
  const isOn = (path) => path.every((move, index) => line.moves[index] === move);
  const said = (path) => {
    const here = isOn(path) ? line.positions[path.length] : positionAt(path);
    // Write the best line after the last move as a comment, because a variation would look like moves that were played.
    const rest = isOn(path) && path.length === line.moves.length ? app.lines.movesFrom(here) : [];
    return comment(facts.about(here).fact) + (rest.length ? ` Best line: ${rest.map(moveName).join(" ")}` : "");
  };
  const more = (path) => {
    if (!isOn(path) || path.length === line.moves.length) return [];
    const [position, after] = line.positions.slice(path.length, path.length + 2);
    const best = app.lines.movesFrom(position);
    // The comment is the same as in the output of `review --sgf`.
    const better = { moves: best, comment: `Better: ${resultText(facts.about(position).fact)}.` };
    return best.length && best[0] !== line.moves[path.length] && !keeps(facts, position, after) ? [better] : [];
  };
  return sgfOfTree(shownGame(app.state), said, more);
}

function comment(fact) {
  const result = resultText(fact);
  return result === "?" ? "Not computed." : `${result} under best play.`;
}

// Return whether the move that was played is proven to be one of the best moves.
function keeps(facts, position, after) {
  const [before, next] = [valueOf(facts.about(position).fact), valueOf(facts.about(after).fact)];
  return before !== null && next !== null && signOf(position) * (before - next) === 0;
}
