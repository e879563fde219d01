// Tables as CSV or JSON: all moves of a position, or all plies of a review. docs/reference/FIELDS.md describes the fields.

import { OTHER_GAME } from "./formats.js";
import { NAMES, moveName, moverOf, signOf } from "./rules.js";
import { valueOf, winnerOf } from "./evidence.js";
import { originOf, ranked } from "./moves.js";
import { resultText } from "./words.js";

// Return a row for each class of symmetric moves; the best moves come first. key: the key of the position.
export function moveRows(position, about, key) {
  return ranked(position, about).map(({ key: after, moves, fact, lost }) => ({
    key: String(key),
    after_key: String(after),
    ply: position.ply,
    mover: NAMES[moverOf(position)],
    move: moveName(moves[0]),
    alike: moves.slice(1).map(moveName),
    ...known(fact),
    lost_least: lost[0],
    lost_most: lost[1],
    ...found(fact),
    ...OTHER_GAME,
  }));
}

// Return a row for each ply of a line. A row contains the fact after the move and the points that the move lost.
export function plyRows(line, facts) {
  return line.moves.map((move, index) => {
    const position = line.positions[index];
    const [was, is] = [valueOf(facts[index]), valueOf(facts[index + 1])];
    const lost = was === null || is === null ? null : signOf(position) * (was - is);
    return {
      ply: position.ply + 1,
      mover: NAMES[moverOf(position)],
      move: moveName(move),
      ...known(facts[index + 1]),
      lost_least: lost,
      lost_most: lost,
      ...found(facts[index + 1]),
    };
  });
}

function known(fact) {
  return { winner: NAMES[winnerOf(fact)] ?? null, worth: resultText(fact), value: valueOf(fact), lo: fact.lo, hi: fact.hi };
}

// Return the source of a fact, and the number of nodes if the page's kernel has searched the position.
function found(fact) {
  const searched = fact.claims.find((claim) => claim.nodes);
  return { sources: [originOf(fact, false)], nodes: searched?.nodes ?? null };
}

export function asCsv(rows) {
  const columns = Object.keys(rows[0] ?? { move: "" });
  const cell = (value) => {
    const text = value === null ? "" : Array.isArray(value) ? value.join(" ") : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
