// Tables to take along: all moves of a position, or all plies of a review, as CSV or JSON, in the words of the command line.

import { moveName, signOf } from "./rules.js";
import { valueOf, winnerOf } from "./evidence.js";
import { ranked, isBest, originOf } from "./moves.js";

const TABLE_COLUMNS = ["move", "alike", "winner", "value", "lo", "hi", "loses", "loses_most", "best", "source", "nodes"];

// A row for each class of moves, best ones first. Values are stones Black - White; loses: points, at least and at most.
export function moveRows(position, about) {
  return ranked(position, about).map((one) => {
    const [loses, most] = one.lost;
    const kernel = one.fact.claims.find((claim) => claim.nodes);
    return {
      move: moveName(one.moves[0]),
      alike: one.moves.slice(1).map(moveName).join(" "),
      ...boundColumns(one.fact),
      loses,
      loses_most: most,
      best: isBest(one),
      source: originOf(one.fact, false),
      nodes: kernel?.nodes ?? 0,
    };
  });
}

// A row for each ply of a line, with what its move lost.
export function plyRows(line, facts) {
  return line.moves.map((move, index) => {
    const [was, is] = [valueOf(facts[index]), valueOf(facts[index + 1])];
    const known = was !== null && is !== null;
    return {
      ply: line.start.ply + index + 1,
      move: moveName(move),
      ...boundColumns(facts[index + 1]),
      loses: known ? signOf(line.positions[index]) * (was - is) : null,
      source: originOf(facts[index + 1], false),
      nodes: facts[index + 1].claims.find((claim) => claim.nodes)?.nodes ?? 0,
    };
  });
}

function boundColumns(fact) {
  const winner = winnerOf(fact);
  return { winner: winner === null ? null : winner + 1, value: valueOf(fact), lo: fact.lo, hi: fact.hi };
}

export function asCsv(rows, columns = rows.length ? Object.keys(rows[0]) : TABLE_COLUMNS) {
  const cell = (value) => {
    const text = value === null ? "" : typeof value === "boolean" ? String(Number(value)) : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}
