// Positions and games as text: in from moves, input.txt, SGF and JSON lines; out to the same, and to a link.

import {
  FULL,
  KOMI,
  NAMES,
  PASS,
  PLIES,
  POINTS,
  SIZE,
  START,
  moveName,
  moverOf,
  pointsOf,
  stoneAt,
} from "./rules.js";

export class BadText extends Error {}

// With many more, the page would stand still while it reads them.
const MOST_GAMES = 5000;

const MOVE = /^(?:[0-4],[0-4]|PASS)$/i;
const STONES = ".XO";
const SGF_POINTS = "abcde";

export function parseMove(text) {
  if (!MOVE.test(text)) throw new BadText(`“${text.slice(0, 20)}” is no move: want i,j from 0,0 to 4,4, or PASS`);
  if (/^p/i.test(text)) return PASS;
  return SIZE * Number(text[0]) + Number(text[2]);
}

// A game is { start, moves, title }: what can be opened. Moves are checked by the rules; the first illegal one is told.
export function readGames(text, rules) {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (!trimmed) throw new BadText("nothing to open: the text is empty");
  if (trimmed.startsWith("{")) return readJsonLines(trimmed, rules);
  if (/^\(\s*;/.test(trimmed)) return [readSgf(trimmed, rules)];
  if (/^[12]\s*\n/.test(trimmed)) return [readInput(trimmed, rules)];
  const fragment = trimmed.match(/#(.*(?:moves|from)=.*)$/);
  if (fragment) return [readFragment(fragment[1], rules)];
  return [checked({ start: START, moves: readMoves(trimmed), title: "Pasted moves" }, rules)];
}

function readMoves(text) {
  const words = text
    .replace(/^--moves[ =]/, "")
    .replace(/["']/g, " ")
    .replace(/;/g, " ")
    .trim()
    .split(/\s+/);
  return words.map((word) => parseMove(word.replace(/,$/, "")));
}

// The game with its moves; what the game does not show is kept in `note`.
function checked(game, rules) {
  let position = game.start;
  const moves = [];
  for (const move of game.moves) {
    const why = rules.illegal(position, move);
    if (why) {
      if (!game.lenient) throw new BadText(`move ${moves.length + 1}: ${why}`);
      return { ...game, moves, note: `Move ${moves.length + 1} is illegal: ${why}. The game is shown up to there.` };
    }
    moves.push(move);
    position = rules.play(position, move);
  }
  return { ...game, moves };
}

function possible(position, rules) {
  const fault = rules.fault(position);
  if (fault) throw new BadText(fault);
  return position;
}

// The stones of a board's 25 signs, given the signs of both colours.
function stonesOf(signs, colours) {
  const [black, white] = [...colours].map((colour) =>
    [...signs].reduce((mask, sign, point) => (sign === colour ? mask | (1 << point) : mask), 0),
  );
  return { black, white };
}

// --- input.txt

function boardOf(rows, first) {
  rows.forEach((row, i) => {
    if (!/^[012]{5}$/.test(row))
      throw new BadText(`line ${first + i} is “${row.slice(0, 20)}”, want five of 0, 1, 2`);
  });
  return stonesOf(rows.join(""), "12");
}

// The colour, the board before the opponent's last move, the board now. The ply is not in it: the least one is taken.
function readInput(text, rules) {
  const lines = text.split("\n").map((line) => line.trim());
  if (lines.length !== 11) throw new BadText(`${lines.length} lines, want 11: the colour and two boards`);
  const mover = Number(lines[0]) - 1;
  const before = boardOf(lines.slice(1, 6), 2);
  const now = boardOf(lines.slice(6), 7);
  const same = before.black === now.black && before.white === now.white;
  const opening = same && mover === 0 && !now.black && !now.white;
  const ply = leastPly(now, mover, same && !opening);
  if (ply >= PLIES) throw new BadText(`the boards show a game of more than ${PLIES} plies`);
  const ko = same ? null : koAfter(before, now, mover, rules);
  const start = { ...now, ko, ply, passed: same && !opening };
  const note = opening
    ? ""
    : `input.txt does not tell the ply: it cannot be less than ${ply}, so ${ply} is taken. “Edit” changes it.`;
  return { start: possible(start, rules), moves: [], title: "input.txt", note };
}

export function leastPly({ black, white }, mover, passed) {
  let [blacks, whites] = [pointsOf(black).length, pointsOf(white).length];
  if (passed) mover ? blacks++ : whites++;
  return mover ? 2 * Math.max(blacks - 1, whites) + 1 : 2 * Math.max(blacks, whites);
}

function koAfter(before, now, mover, rules) {
  const [theirs, had] = mover ? [now.black, before.black] : [now.white, before.white];
  const added = pointsOf(theirs & ~had);
  // The ply only says whose move it was.
  const position = { ...before, ko: null, ply: mover ? 2 : 1, passed: false };
  if (added.length === 1 && !rules.illegal(position, added[0])) {
    const after = rules.play(position, added[0]);
    if (after.black === now.black && after.white === now.white) return after.ko;
  }
  throw new BadText("no move of the opponent leads from the previous board to the current one");
}

function digits({ black, white }) {
  const row = (i) =>
    [...Array(SIZE).keys()]
      .map((j) => ((black >> (SIZE * i + j)) & 1) + 2 * ((white >> (SIZE * i + j)) & 1))
      .join("");
  return [...Array(SIZE).keys()].map(row);
}

// The text of input.txt, given the position and the one before the last move, or null where that is not known.
export function inputText(position, previous) {
  const before = previous ?? (position.passed || position.ply === 0 ? position : null);
  if (!before) return null;
  return [moverOf(position) + 1, ...digits(before), ...digits(position)].join("\n");
}

// --- JSON lines: games as the arena and the course's logs have them, positions as the command line does

function readJsonLines(text, rules) {
  const lines = text.split("\n").filter((line) => line.trim());
  if (lines.length > MOST_GAMES) throw new BadText(`${lines.length} games are too many: at most ${MOST_GAMES} at once`);
  return lines.map((line, index) => {
    let record;
    try {
      record = JSON.parse(line);
    } catch {
      throw new BadText(`line ${index + 1} is not JSON`);
    }
    try {
      if (Array.isArray(record.moves)) return readRecord(record, index, rules);
      return readPosition(record, rules);
    } catch (error) {
      if (error instanceof BadText) throw new BadText(`line ${index + 1}: ${error.message}`);
      throw error;
    }
  });
}

function readRecord(record, index, rules) {
  const [black, white] = [record.black ?? agentName(record, 1), record.white ?? agentName(record, 2)];
  const ending = record.winner ? `${NAMES[record.winner - 1]} wins` : "";
  const title = `${index + 1}. ${black} – ${white}${ending && `, ${ending}`}${record.reason ? ` (${record.reason})` : ""}`;
  return checked(
    { start: START, moves: record.moves.map((move) => parseMove(String(move))), title, lenient: true },
    rules,
  );
}

function agentName(record, colour) {
  return record.staff_color === colour ? (record.staff_agent ?? "?") : record.staff_color ? "student" : "?";
}

function readPosition(record, rules) {
  const { black, white, ply, ko = null, passed = false } = record;
  for (const [name, value] of Object.entries({ black, white, ply, ko: ko ?? 0 }))
    if (!Number.isInteger(value) || value < 0 || value > FULL) throw new BadText(`“${name}” must be an integer`);
  if (ko !== null && ko >= POINTS) throw new BadText(`the ko point ${ko} is off the board`);
  const start = { black, white, ko, ply, passed: Boolean(passed) };
  return { start: possible(start, rules), moves: [], title: "A position" };
}

export function positionRecord({ black, white, ko, ply, passed }) {
  return JSON.stringify({ black, white, ko, ply, passed });
}

// --- links

export function fragmentOf({ start, moves, at }) {
  const parts = [];
  if (start !== START)
    parts.push(`from=${boardText(start)}.${start.ply}.${start.ko ?? "-"}.${start.passed ? "P" : "-"}`);
  if (moves.length) parts.push(`moves=${moves.map(moveName).join(".")}`);
  if (at !== moves.length) parts.push(`at=${at}`);
  return parts.join("&");
}

export function boardText(position) {
  return [...Array(POINTS).keys()]
    .map((point) => STONES[(stoneAt(position, point) ?? -1) + 1])
    .join("")
    .replaceAll(".", "_");
}

export function readFragment(text, rules) {
  const parts = new Map(
    decodeURIComponent(text)
      .split("&")
      .map((part) => part.split("=")),
  );
  const start = parts.has("from") ? startOf(parts.get("from"), rules) : START;
  const moves = parts.get("moves") ? parts.get("moves").split(".").map(parseMove) : [];
  const game = checked({ start, moves, title: "Link" }, rules);
  const at = parts.has("at") ? Number(parts.get("at")) : moves.length;
  if (!(at >= 0 && at <= moves.length)) throw new BadText(`the link's ply ${parts.get("at")} is none of its line`);
  return { ...game, at };
}

function startOf(text, rules) {
  const match = text.match(/^([_XO]{25})\.(\d+)\.(-|\d+)\.(P|-)$/);
  if (!match) throw new BadText("the link names no position");
  const { black, white } = stonesOf(match[1], "XO");
  const ko = match[3] === "-" ? null : Number(match[3]);
  if (ko !== null && ko >= POINTS) throw new BadText("the link's ko point is off the board");
  return possible({ black, white, ko, ply: Number(match[2]), passed: match[4] === "P" }, rules);
}

// --- SGF (FF[4], https://www.red-bean.com/sgf/)

// The main line of the first game.
function readSgf(text, rules) {
  const nodes = mainLine(text);
  const root = nodes[0];
  const size = root.SZ?.[0];
  if (size && size !== "5") throw new BadText(`the SGF is of a board of size ${size}, want 5`);
  const start = sgfStart(nodes);
  const moves = [];
  let mover = moverOf(start);
  for (const node of nodes)
    for (const colour of [0, 1]) {
      const value = node[colour ? "W" : "B"]?.[0];
      if (value === undefined) continue;
      if (colour !== mover) throw new BadText(`move ${moves.length + 1} is ${NAMES[colour]}'s out of turn`);
      moves.push(sgfMove(value));
      mover = 1 - mover;
    }
  possible(start, rules);
  const names = [root.PB?.[0], root.PW?.[0]];
  const title = names.some(Boolean) ? `${names[0] ?? "?"} – ${names[1] ?? "?"}` : "SGF";
  return checked({ start, moves, title, lenient: true }, rules);
}

function sgfStart(nodes) {
  const stones = (values = []) => values.reduce((mask, value) => mask | (1 << sgfMove(value)), 0);
  const board = { black: stones(nodes[0].AB), white: stones(nodes[0].AW) };
  if (!board.black && !board.white) return START;
  const first = nodes.find((node) => node.B || node.W);
  const mover = (nodes[0].PL?.[0] ?? (first?.W ? "W" : "B")) === "W" ? 1 : 0;
  return { ...board, ko: null, ply: leastPly(board, mover, false), passed: false };
}

function sgfMove(value) {
  if (value === "" || value === "tt") return PASS;
  const [column, row] = [SGF_POINTS.indexOf(value[0]), SGF_POINTS.indexOf(value[1])];
  if (value.length !== 2 || column < 0 || row < 0) throw new BadText(`“${value.slice(0, 10)}” is no point of 5x5`);
  return SIZE * row + column;
}

function mainLine(text) {
  const nodes = [];
  let depth = 0;
  let deepest = 0;
  const token = /\s*(?:([();])|([A-Za-z]+)\s*((?:\[(?:\\[\s\S]|[^\]\\])*\]\s*)+))/y;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (!match) {
      if (!text.slice(at).trim()) break;
      throw new BadText(`no SGF: “${text.slice(at, at + 12).trim()}”`);
    }
    if (match[1] === "(") deepest = ++depth;
    else if (match[1] === ")") {
      depth--;
      // The first variation that closes ends the main line.
      break;
    } else if (match[1] === ";") nodes.push({});
    else if (nodes.length) nodes.at(-1)[match[2].replace(/[a-z]/g, "")] = sgfValues(match[3]);
  }
  if (!nodes.length || !deepest) throw new BadText("no SGF: it has no node");
  return nodes;
}

function sgfValues(text) {
  return [...text.matchAll(/\[((?:\\[\s\S]|[^\]\\])*)\]/g)].map((match) => match[1].replace(/\\([\s\S])/g, "$1"));
}

export function sgfPoint(move) {
  return move === PASS ? "" : SGF_POINTS[move % SIZE] + SGF_POINTS[Math.floor(move / SIZE)];
}

const escaped = (text) => text.replace(/[\\\]]/g, "\\$&");

// A line as SGF: `comments[i]` on the position after i moves, `variations[i]` lines of moves instead of move i.
export function sgfOf({ start, moves }, comments, variations) {
  const setup = ["B", "W"].map((colour) => {
    const stones = pointsOf(colour === "B" ? start.black : start.white).map((point) => `[${sgfPoint(point)}]`);
    return stones.length ? `A${colour}${stones.join("")}` : "";
  });
  const turn = setup.join("") ? `PL[${"BW"[moverOf(start)]}]` : "";
  const comment = (text) => (text ? `C[${escaped(text)}]` : "");
  const node = (ply, move) => `;${"BW"[ply % 2]}[${sgfPoint(move)}]`;
  const line = (ply, list) => list.map((move, k) => node(ply + k, move)).join("");
  const from = (index) => {
    if (index === moves.length) return "";
    const others = variations[index].map((list) => `(${line(start.ply + index, list)})\n`).join("");
    const main = `${node(start.ply + index, moves[index])}${comment(comments[index + 1])}\n${from(index + 1)}`;
    return others ? `(${main})\n${others}` : main;
  };
  const root = `;FF[4]GM[1]CA[UTF-8]SZ[5]KM[${KOMI}]RU[Little-Go: stones alone count, 24 plies]${setup.join("")}${turn}`;
  return `(${root}${comment(comments[0])}\n${from(0)})\n`;
}
