// Drawn boards: rows of signs, as we and others print them (notation/board.py).

import { SIZE, moveName } from "./rules.js";
import { BadText, partsOf, shown } from "./parts.js";
import { placeBoard, placedGame } from "./placed.js";
import { Context, readHead, readLine, senseiMover } from "./context.js";

const SIGNS = [".·", "Xx#●Bb", "Oo○Ww"];
const KO = "+";
const STONE_SIGNS = SIGNS.slice(1).join("");
const ROW_POINT = (empty) => `(?:[${empty}${STONE_SIGNS}${KO}]|[${STONE_SIGNS}][1-3](?![0-9]))`;
const rowForm = (empty) =>
  new RegExp(`^ *(?:([0-9]) +)?(${ROW_POINT(empty)}(?: *${ROW_POINT(empty)}){4}) *(?:(?<= )([0-9])(?: +[^ ][^]*| *))?$`, "d");
const [ROW, DASHED] = [rowForm(SIGNS[0]), rowForm("_\\-")];
const DIGITS = /^ *(?:([0-9]) +)?([012](?: *[012]){4}) *(?:(?<= )([0-9]) *)?$/d;
const LISTED_SIGN = `(?:[012]\\.?|'[${SIGNS[0]}_${STONE_SIGNS} -]'|"[${SIGNS[0]}_${STONE_SIGNS} -]")`;
const LISTED = new RegExp(`\\[ *(${LISTED_SIGN}(?:(?: *, *| +)${LISTED_SIGN}){4}) *\\]`, "g");
// A row of a smaller or larger board.
const PART_ROW = new RegExp(`^ *(?:[0-9] +)?(?:[${SIGNS[0]}${STONE_SIGNS}${KO}] *){3,}(?:(?<= )[0-9](?: [^]*)?)?$`);

const BLANKS = /[\t\v\f\u00a0\u2002\u2003\u2007\u2009\u202f\u3000\ufeff]/g;
const QUOTED = /^[ >]*(?:\$\$(?= ))?/;

export function maskOf(signs, colour) {
  return [...signs].reduce((mask, sign, point) => (colour.includes(sign) ? mask | (1 << point) : mask), 0);
}

// The lines of a text behind the marks of a quotation, { text, begin }[].
function linesIn(text) {
  const lines = [];
  let at = 0;
  for (const piece of text.split(/(\r\n|\r|\n)/)) {
    if (!/^[\r\n]/.test(piece)) {
      const line = piece.replace(BLANKS, " ");
      const marks = line.match(QUOTED)[0].length;
      lines.push({ text: withoutEnd(line.slice(marks)), begin: at + marks });
    }
    at += piece.length;
  }
  return lines;
}

// Without the blanks at its end: a pattern would go over a long run of them again from each.
function withoutEnd(line) {
  let end = line.length;
  while (end && line[end - 1] === " ") end--;
  return line.slice(0, end);
}

const withoutAround = (line) => line.replace(/[()|]/g, " ");

// The rows of the board in a text, { signs, number, begin, end }[]; with dashes for empty points only where no row has
// a dot or a zero.
function boardRows(lines) {
  const rows = lines.flatMap((line) => [...listedRows(line), ...drawnRows(line, ROW), ...drawnRows(line, DIGITS)]);
  if (rows.some(({ signs }) => signs.includes("."))) return rows;
  const dashed = lines.flatMap((line) => drawnRows(line, DASHED));
  // A line of dashes alone separates texts.
  const isBoard = dashed.length === SIZE || dashed.some(({ signs }) => /[^.+]/.test(signs));
  return isBoard && dashed.length > rows.length ? dashed : rows;
}

function listedRows({ text, begin }) {
  return [...text.matchAll(LISTED)].map((match) => {
    const signs = [...match[1].matchAll(/([012])\.?|['"](.)['"]/gu)];
    const row = signs.map(([, digit, sign]) => (digit ? ".XO"[digit] : " -_".includes(sign) ? "." : sign)).join("");
    return { signs: row, number: null, begin: begin + match.index, end: begin + match.index + match[0].length };
  });
}

// The rows of a line: one, or those that slashes separate.
function drawnRows(line, form) {
  const rows = [];
  let at = line.begin;
  for (const piece of line.text.split("/")) {
    const match = withoutAround(piece).match(form);
    if (match) {
      const signs = form === DIGITS ? match[2].replace(/ /g, "").replace(/./g, (digit) => ".XO"[digit]) : match[2].replace(/[ 1-3]/g, "");
      const [, end] = match.indices[3] ?? match.indices[2];
      rows.push({ signs: signs.replace(/[-_]/g, "."), number: match[1] ?? null, begin: at, end: at + end });
    } else if (piece) return [];
    at += piece.length + 1;
  }
  return rows;
}

export function showsRows(text) {
  const lines = linesIn(text);
  const pieces = lines.filter((line) => line.text.includes(".")).flatMap((line) => line.text.split("/"));
  return pieces.some((piece) => piece.includes(".") && PART_ROW.test(withoutAround(piece))) || boardRows(lines).length > 0;
}

// Five rows of signs, with what stands around them: the mover, the plies played, a PASS.
export function readBoard(text, rules) {
  const lines = linesIn(text);
  const rows = boardRows(lines);
  if (rows.length !== SIZE)
    throw new BadText(
      rows.length > SIZE ? "ambiguous" : "damaged",
      `${rows.length} rows of a board, want 5 of 5 points: . empty, X Black, O White, + ko`,
    );
  const { context, taken } = contextOf(lines, rows);
  context.checkGame();
  const signs = rows.map((row) => row.signs).join("");
  checkRows(rows, signs);
  const [black, white] = SIGNS.slice(1).map((colour) => maskOf(signs, colour));
  const { facts, ply } = context;
  checkStones([black, white], facts);
  const ko = signs.split(KO).length === 2 ? signs.indexOf(KO) : (facts.ko ?? null);
  const captured = [facts.capturedBlack ?? 0, facts.capturedWhite ?? 0];
  const mover = facts.over ? null : (facts.mover ?? null);
  const placed = placeBoard({ black, white, ko, passed: facts.passed ?? false }, mover, ply, rules, captured);
  if (facts.ko !== undefined && placed.position.ko !== facts.ko)
    throw new BadText("ambiguous", `no ko is possible at ${moveName(facts.ko)}, which a line names`);
  const spans = [...taken, ...rows.map((row) => [row.begin, row.end])].sort((one, other) => one[0] - other[0]);
  return { ...placedGame(placed, "The board"), parts: partsOf(text, spans) };
}

function contextOf(lines, rows) {
  const context = new Context();
  const taken = [];
  for (const line of lines) {
    let { text, begin } = line;
    const ends = rows.filter((row) => row.begin >= begin && row.begin <= begin + text.length).map((row) => row.end);
    const head = ends.length ? null : readHead(text);
    if (ends.length) {
      const last = Math.max(...ends);
      text = text.slice(last - begin);
      begin = last;
    } else if (head) {
      taken.push([begin, begin + head]);
      const mover = senseiMover(text);
      if (mover !== null) context.add({ mover }, text);
      text = text.slice(head);
      begin += head;
    }
    const blanks = text.match(/^ */)[0].length;
    const stripped = withoutEnd(text.slice(blanks));
    const found = readLine(stripped);
    if (found) {
      taken.push([begin + blanks, begin + blanks + stripped.length]);
      context.add(found, stripped);
    }
  }
  return { context, taken };
}

function checkRows(rows, signs) {
  for (const colour of SIGNS.slice(1)) {
    const used = [...colour].filter((sign) => signs.includes(sign));
    if (used.length > 1)
      throw new BadText("ambiguous", `${shown(used[0])} and ${shown(used[1])} on one board: want one sign for each side`);
  }
  const numbers = rows.filter(({ number }) => number !== null).map(({ number }) => Number(number));
  const steps = new Set(numbers.slice(1).map((number, index) => number - numbers[index]));
  if (numbers.length && (numbers.length !== SIZE || steps.size !== 1 || Math.abs([...steps][0]) !== 1))
    throw new BadText("damaged", `its rows have the numbers ${numbers.join(", ")}`);
}

function checkStones(board, facts) {
  for (const [side, count] of [facts.onBlack, facts.onWhite].entries()) {
    const stones = board[side].toString(2).replaceAll("0", "").length;
    if (count !== undefined && count !== stones)
      throw new BadText("ambiguous", `${["Black", "White"][side]} has ${stones} stones on the board, and ${count} by a line around it`);
  }
  if (facts.last && !((board[facts.last[0]] >> facts.last[1]) & 1))
    throw new BadText("ambiguous", "the last move that it names is no stone of that side on the board");
}
