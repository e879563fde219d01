// Positions and games as text: in from whatever people have, out to the same and to a link.
//
// The readers are those of notation/ in Python, function by function; tests/notation/*.jsonl holds both to the same answers.

import { KOMI } from "./game.js";
import { endingText } from "./words.js";
import {
  FULL,
  NAMES,
  PASS,
  PLIES,
  POINTS,
  SIZE,
  START,
  isOver,
  moveName,
  moverOf,
  pointsOf,
  positionOf,
  stoneAt,
} from "./rules.js";

// A text that cannot be read, or that shows what no game can have; `fault` is what is wrong, in a word (notation/faults.py).
export class BadText extends Error {
  constructor(fault, message) {
    super(message);
    this.fault = fault;
  }
}

// With many more, the page would stand still while it reads them.
const MOST_GAMES = 5000;

const STONES = ".XO";
const SGF_POINTS = "abcde";
const TOO_MANY = `so many stones take ${PLIES} plies or more, and then the game is over`;
const EMPTY_FOR_WHITE = "White moves on an empty board, but a PASS on the first ply ends the game";

// A game is { start, moves, title }: what can be opened. `note` is what a reader has to know; `fault` is why a game is
// shown only up to an illegal move. `lost` is what ended a game for the side to move, instead of its score: { reason, move },
// with the illegal move's name.
export function readGames(text, rules) {
  const word = text.replace(/^\uFEFF/, "").trim();
  if (/\(\s*;/.test(word)) return readSgf(word, rules);
  if (/^\+?0*[12][ \t]*[\r\n]/.test(word)) return [readInput(text, rules)];
  if (word.startsWith("{")) return readJson(word, rules);
  const link = word.match(LINK);
  if (link) return [readFragment(link[1] ?? "", rules)];
  if (KEY.test(word)) return [readKey(word, rules)];
  if (showsRows(word)) return [readBoard(word, rules)];
  return [checked({ start: START, moves: readMoves(word), title: "Pasted moves" }, rules)];
}

const CHARSET = /(?<![a-z])ca\s*\[\s*([\w.:-]{1,40})\s*\]/i;
const CODECS = /utf-?8|ascii|iso-?8859|windows|cp\d|shift|sjis|euc|gb|big5|koi8|mac|latin/i;

// The text of a file's bytes: decoded as an SGF says, or else as UTF-8, or Latin-1 where it is none.
export function textOf(bytes) {
  const wide = { 0xfffe: "utf-16le", 0xfeff: "utf-16be" }[(bytes[0] << 8) | bytes[1]];
  if (wide) return new TextDecoder(wide).decode(bytes);
  const latin = new TextDecoder("latin1");
  const stated = latin.decode(bytes.subarray(0, 1 << 16)).match(CHARSET)?.[1] ?? "";
  try {
    if (CODECS.test(stated)) return new TextDecoder(stated).decode(bytes);
  } catch {
    // The browser does not know it.
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return latin.decode(bytes);
  }
}

const shown = (text) => `“${text.length > 20 ? `${text.slice(0, 20)}…` : text}”`;

// Where an offset is, for the beginning of a message.
function where(text, offset) {
  const before = text.slice(0, offset).split("\n");
  const column = `column ${before.at(-1).length + 1}: `;
  return text.trim().includes("\n") ? `line ${before.length}, ${column}` : column;
}

// The game with its moves; a lenient one is kept up to an illegal move.
function checked(game, rules) {
  let position = game.start;
  const moves = [];
  for (const move of game.moves) {
    const why = rules.illegal(position, move);
    if (why) {
      const fault = isOver(position) ? "too-long" : "illegal";
      if (!game.lenient) throw new BadText(fault, `move ${moves.length + 1}: ${why}`);
      const note = `Move ${moves.length + 1} is illegal: ${why}. The game is shown up to there.`;
      return { ...game, moves, fault, note };
    }
    moves.push(move);
    position = rules.play(position, move);
  }
  return { ...game, moves };
}

function possible(position, rules) {
  const fault = rules.fault(position);
  if (fault) throw new BadText("unreachable", fault);
  return position;
}

// --- a board in a game

export function leastPly({ black, white }, mover, passed) {
  let [blacks, whites] = [pointsOf(black).length, pointsOf(white).length];
  if (passed) mover ? blacks++ : whites++;
  return mover ? 2 * Math.max(blacks - 1, whites) + 1 : 2 * Math.max(blacks, whites);
}

// The position of a board: its ply is the least that fits unless it is told; a ko point that cannot be one is dropped.
function placeBoard(board, mover, ply, rules) {
  let fault = null;
  for (const each of ply === null ? leastPlies(board, mover) : [ply]) {
    if (mover !== null && each % 2 !== mover)
      throw new BadText("wrong-colour", `after ${each} plies it is the other side's move`);
    const found = { ...board, ply: each, passed: board.passed && each > 0 };
    const why = rules.fault(found) ?? tooManyStones(found);
    if (!why) return { position: found, guessed: ply === null, notes: [] };
    fault ??= why;
  }
  if (!fault) throw new BadText("unreachable", board.black | board.white ? TOO_MANY : EMPTY_FOR_WHITE);
  if (board.ko === null) throw new BadText("unreachable", fault);
  const placed = placeBoard({ ...board, ko: null }, mover, ply, rules);
  return { ...placed, notes: ["The + is read as an empty point, as no ko is possible there."] };
}

function tooManyStones(position) {
  const least = leastPly(position, moverOf(position), position.passed);
  if (!(position.black | position.white) || position.ply >= least) return null;
  return `so many stones take ${least} plies, and not ${position.ply}`;
}

function leastPlies(board, mover) {
  const empty = !(board.black | board.white);
  const least = (side) => (empty ? (side ? PLIES : 0) : leastPly(board, side, board.passed));
  const plies = mover === null ? [least(0), least(1)] : [least(mover)];
  return plies.filter((ply) => ply < PLIES).sort((a, b) => a - b);
}

const guessNote = (what, ply) =>
  `${what} does not tell the ply: it cannot be less than ${ply}, so ${ply} is taken. “Edit” changes it.`;

function placedGame({ position, guessed, notes }, title) {
  const guess = guessed && position.ply ? [guessNote(title, position.ply)] : [];
  return { start: position.ply ? position : START, moves: [], title, note: [...notes, ...guess].join(" ") };
}

// --- moves

const TOKEN =
  /([\s,;()[\]"']+)|([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})(?!\d)|(\d{1,3})[.)]+(?=\D|\d\s*,)|(black|white|[xobw])(?!\w):?|(pass|tt)(?!\w)|([a-hj-z])(\d{1,2})(?!\w)|(\d+)(?!\w)|([^\s,;()[\]"']+)/iy;
const OPTION = /--moves(?:=|\s+)(?:"([^"]*)"|'([^']*)'|([\s\S]*))/;
const LABEL = /^\s*(?!(?:black|white|[xobw])\s*:)[a-z][a-z ]{0,30}:/i;
const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const WANTED = `want i,j from 0,0 to ${SIZE - 1},${SIZE - 1}, a vertex such as C3, or PASS`;

// The moves in a text, the first one after so many plies; whether the rules allow them is not asked.
export function readMoves(text, ply = 0) {
  const option = text.match(OPTION);
  const line = option ? (option[1] ?? option[2] ?? option[3]) : text.replace(LABEL, "");
  const moves = [];
  let mark = null;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < line.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(line);
    const [whole, blank, , , number, colour] = token;
    const count = ply + moves.length;
    const bad = (fault, message) => new BadText(fault, where(line, at) + message);
    if (blank) continue;
    if (colour) {
      mark = colour;
      if (!["xb", "ow"][count % 2].includes(colour[0].toLowerCase()))
        throw bad("wrong-colour", `${shown(colour)} before move ${count + 1}, which is ${NAMES[count % 2]}'s`);
    } else if (number) {
      if (![count + 1, Math.floor(count / 2) + 1].includes(Number(number)))
        throw bad("damaged", `number ${number} before move ${count + 1}: moves are missing`);
    } else {
      moves.push(moveOf(token, (fault, what) => bad(fault, `${shown(whole)} ${what}: ${WANTED}`)));
      mark = null;
    }
  }
  if (mark) throw new BadText("not-a-move", `${shown(mark)} and no move behind it: ${WANTED}`);
  return moves;
}

function moveOf(token, bad) {
  const [, , i, j, , , stop, letter, height, bare] = token;
  if (stop) return PASS;
  if (bare) throw bad("not-a-move", "alone is no point");
  if (!i && !letter) throw bad("not-a-move", "is no move");
  const [row, column] = i ? [Number(i), Number(j)] : [SIZE - Number(height), COLUMNS.indexOf(letter.toUpperCase())];
  if (!(row >= 0 && row < SIZE && column >= 0 && column < SIZE)) throw bad("off-board", "is off the board");
  return SIZE * row + column;
}

// --- boards

const SIGNS = [".·", "Xx#●Bb", "Oo○Ww"];
const KO = "+";
const ANY = `${SIGNS.join("")}${KO}`;
const ROW = new RegExp(`^\\s*(?:\\d\\s+)?((?:[${ANY}]\\s*){5})(?:(?<=\\s)\\d\\b.*)?$`);
const DIGITS = /^\s*([012](?:\s*[012]){4})\s*$/;
// The same of a smaller or larger board.
const PART = new RegExp(`^\\s*(?:\\d\\s+)?(?:[${ANY}]\\s*){3,}(?:(?<=\\s)\\d\\b.*)?$`);
/** @type {[RegExp, number][]} */
const PLAYED = [
  [/\b(\d{1,3}) of (\d{1,3}) plies played/, 0],
  [/\bply (\d{1,3}) of (\d{1,3}),/, 0],
  [/\bply (\d{1,3}) of (\d{1,3});/, 1],
  [/\bPly (\d{1,3}): (?:Black|White) plays\b/, 1],
];

const boardLines = (text) => text.replaceAll("/", "\n").split(/\r\n|\r|\n/);

function boardRows(text) {
  return boardLines(text).flatMap((line) => {
    const row = line.replace(/[()|]/g, " ").match(ROW);
    if (row) return [row[1].replace(/\s/g, "")];
    const digits = line.match(DIGITS);
    return digits ? [digits[1].replace(/\s/g, "").replace(/./g, (digit) => STONES[digit])] : [];
  });
}

const showsRows = (text) =>
  boardLines(text).some((line) => line.includes(".") && PART.test(line.replace(/[()|]/g, " "))) || boardRows(text).length > 0;

// Five rows of signs, with what stands around them: the mover, the plies played, a PASS.
function readBoard(text, rules) {
  const rows = boardRows(text);
  if (rows.length !== SIZE)
    throw new BadText("damaged", `${rows.length} rows of a board, want 5 of 5 points: . empty, X Black, O White, + ko`);
  const signs = rows.join("");
  for (const colour of SIGNS.slice(1)) {
    const used = [...colour].filter((sign) => signs.includes(sign));
    if (used.length > 1)
      throw new BadText("ambiguous", `${shown(used[0])} and ${shown(used[1])} on one board: want one sign for each side`);
  }
  const [black, white] = SIGNS.slice(1).map((colour) => maskOf(signs, colour));
  const ko = signs.split(KO).length === 2 ? signs.indexOf(KO) : null;
  const found = text.match(/\b(?:(black|white)|([xo]))\b[^\n]{0,40}\bto (?:move|play)\b/i);
  const mover = found ? Number(!["black", "x"].includes((found[1] ?? found[2]).toLowerCase())) : null;
  return placedGame(
    placeBoard({ black, white, ko, passed: /\bafter a PASS\b/i.test(text) }, mover, toldPly(text), rules),
    "The board",
  );
}

function toldPly(text) {
  if (/^[ \t]*(?:The game is over\.|the game has ended: )/m.test(text)) return PLIES;
  for (const [told, less] of PLAYED) {
    const found = text.match(told);
    if (found && found[2] !== undefined && Number(found[2]) !== PLIES)
      throw new BadText("other-game", `it is of a game of ${found[2]} plies, and this page has ${PLIES}`);
    if (found) return Number(found[1]) - less;
  }
  return null;
}

function maskOf(signs, colour) {
  return [...signs].reduce((mask, sign, point) => (colour.includes(sign) ? mask | (1 << point) : mask), 0);
}

// --- input.txt

// The colour, the board before the opponent's last move, the board now. The ply is not in it: the least one is taken.
function readInput(text, rules) {
  const numbered = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .map((line, index) => [index + 1, line.trim()])
    .filter(([, line]) => line)
    .slice(0, 11);
  if (numbered.length < 11) {
    const count = numbered.length === 1 ? "1 line" : `${numbered.length} lines`;
    throw new BadText("damaged", `${count}, want 11: the colour, and two boards of 5 rows`);
  }
  const [number, sign] = numbered[0];
  if (!/^[+]?0*[12]$/.test(sign))
    throw new BadText("damaged", `line ${number}: ${shown(sign)} where the colour is wanted, 1 or 2`);
  const mover = Number(sign) - 1;
  const [before, now] = [hostBoard(numbered.slice(1, 6)), hostBoard(numbered.slice(6))];
  for (const [name, board] of Object.entries({ previous: before, current: now })) {
    const why = rules.fault({ ...board, ko: null, ply: 1, passed: false });
    if (why) throw new BadText("unreachable", `${why} on the ${name} board`);
  }
  const same = before.black === now.black && before.white === now.white;
  const first = !before.black && !before.white;
  if (same && first && mover) throw new BadText("unreachable", EMPTY_FOR_WHITE);
  const passed = same && !(first && !mover);
  if (leastPly(now, mover, passed) >= PLIES) throw new BadText("unreachable", TOO_MANY);
  const ko = same ? null : koAfter(before, now, mover, rules);
  const placed = placeBoard({ ...now, ko, passed }, mover, null, rules);
  return placedGame({ ...placed, guessed: !first }, "input.txt");
}

function hostBoard(rows) {
  for (const [number, row] of rows)
    if (!/^[012]{5}$/.test(row)) {
      const fault = /^[012]*$/.test(row) ? "not-5x5" : "damaged";
      throw new BadText(fault, `line ${number}: ${shown(row)} where a row is wanted: five of 0, 1, 2`);
    }
  const signs = rows.map(([, row]) => row).join("");
  return { black: maskOf(signs, "1"), white: maskOf(signs, "2") };
}

function koAfter(before, now, mover, rules) {
  const after = lastMove(1 - mover, before, now, rules);
  if (after) return after.ko;
  if (lastMove(mover, before, now, rules))
    throw new BadText("wrong-colour", "the last move was the mover's own, so it is the other side's turn");
  throw new BadText("unreachable", "no move of the opponent leads from the previous board to the current one");
}

// The position after a stone of this colour that leads from one board to the other, or null.
function lastMove(colour, before, now, rules) {
  const added = pointsOf(colour ? now.white & ~before.white : now.black & ~before.black);
  // The ply only says whose move it was.
  const position = { ...before, ko: null, ply: 2 - colour, passed: false };
  if (added.length !== 1 || rules.illegal(position, added[0])) return null;
  const after = rules.play(position, added[0]);
  return after.black === now.black && after.white === now.white ? after : null;
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

// --- JSON: games as the arena and the course's logs have them, positions as the command line does

function readJson(text, rules) {
  if (parsed(text)) return [readRecord(text, 0, rules)];
  const lines = text.split("\n").filter((line) => line.trim());
  if (lines.length > MOST_GAMES)
    throw new BadText("damaged", `${lines.length} games are too many: at most ${MOST_GAMES} at once`);
  return lines.map((line, index) => {
    try {
      return readRecord(line, index, rules);
    } catch (error) {
      if (error instanceof BadText && lines.length > 1) error.message = `line ${index + 1}: ${error.message}`;
      throw error;
    }
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readRecord(text, index, rules) {
  const record = parsed(text);
  if (!record || typeof record !== "object" || Array.isArray(record)) throw new BadText("damaged", "not a JSON object");
  if ("plies" in record || "komi" in record) checkGame(record.plies, record.komi);
  // The names of a game's sides are texts.
  const isPosition = typeof record.ply === "number" || ("black" in record && typeof record.black !== "string");
  const start = isPosition ? positionIn(record, rules) : null;
  const { moves, key } = record;
  if (isMoves(moves)) {
    // A move that is off the board is none for a reader, and the host ends the game with it.
    const offBoard = record.reason === "invalid_off_board" && Array.isArray(moves) ? String(moves.at(-1)) : null;
    const list = readMoves(typeof moves === "string" ? moves : JSON.stringify(offBoard === null ? moves : moves.slice(0, -1)));
    const played = checked({ start: START, moves: list, title: recordTitle(record, index), lenient: true }, rules);
    const about = { result: winnerIn(record), reason: String(record.reason ?? ""), agents: sidesOf(record) };
    const game = { ...played, about, lost: lostBy(played, list, about.reason, about.result, offBoard) };
    const end = game.moves.reduce((before, move) => rules.play(before, move), START);
    if (start && positionRecord(start) !== positionRecord(end))
      throw new BadText("ambiguous", "moves: they lead to another position than its stones show");
    return game;
  }
  if (start) return { start, moves: [], title: "A position" };
  if ("moves" in record) throw new BadText("damaged", "moves: want a text, or a list of moves");
  if (record.position && typeof record.position === "object")
    return { start: positionIn(record.position, rules), moves: [], title: "A position" };
  // A number of 61 bits is more than JavaScript keeps.
  if (key !== undefined) return readKey(text.match(/"key"\s*:\s*"?([0-9a-fx]+)/i)?.[1] ?? "", rules);
  throw new BadText("damaged", "no position: want moves, or key, or black, white and ply");
}

// What names no length or komi is the course's.
const COURSE_PLIES = 24;
const COURSE_KOMI = 2.5;

// What a table and a link have of the page's game: nothing of the course's.
export const OTHER_GAME = PLIES === COURSE_PLIES && KOMI === COURSE_KOMI ? {} : { plies: PLIES, komi: KOMI };

function checkGame(plies = COURSE_PLIES, komi = COURSE_KOMI) {
  for (const number of [plies, komi])
    if (typeof number !== "number" || !Number.isFinite(number)) throw new BadText("damaged", "its plies and komi are no numbers");
  if (plies !== PLIES || komi !== KOMI)
    throw new BadText("other-game", `it is of a game of ${plies} plies, komi ${komi}, and this page of ${PLIES} plies, komi ${KOMI}`);
}

const PLAYED_OUT = ["", "max", "two_passes"];

// What ended a game, given all its moves, the record's reason and winner, 1 or 2, and an illegal move that is not among the
// moves; null for a game that was played out or goes on. A move that the rules forbid ends it, whatever the record says.
function lostBy({ start, moves, fault }, list, reason, winner, illegal = null) {
  if (fault === "illegal") return { reason, move: moveName(list[moves.length]) };
  if (illegal !== null) return { reason, move: illegal };
  const mover = (start.ply + moves.length) % 2;
  return fault || PLAYED_OUT.includes(reason) || winner !== 2 - mover ? null : { reason, move: null };
}

const isMoves = (value) =>
  typeof value === "string" ||
  (Array.isArray(value) && !value.some((move) => move && typeof move === "object" && !Array.isArray(move)));

const sidesOf = (record) => [record.black ?? agentName(record, 1), record.white ?? agentName(record, 2)].map(String);

// The winner's number: the course's logs have it, the arena's records the name; null where there is none.
function winnerIn({ winner }) {
  const number = typeof winner === "string" ? 1 + NAMES.findIndex((name) => name.toLowerCase() === winner.toLowerCase()) : winner;
  return number === 1 || number === 2 ? number : null;
}

function recordTitle(record, index) {
  const [black, white] = sidesOf(record);
  const winner = winnerIn(record);
  const ending = winner ? `, ${NAMES[winner - 1]} wins` : "";
  return `${index + 1}. ${black} – ${white}${ending}${record.reason ? ` (${endingText(String(record.reason))})` : ""}`;
}

function agentName(record, colour) {
  return record.staff_color === colour ? (record.staff_agent ?? "?") : record.staff_color ? "student" : "?";
}

function positionIn(record, rules) {
  const { black, white, ply, ko = null, passed = false } = record;
  for (const [name, value] of Object.entries({ black, white, ply, ko: ko ?? 0 }))
    if (typeof value !== "number" || value % 1) throw new BadText("damaged", `“${name}” must be an integer`);
  if (typeof passed !== "boolean") throw new BadText("damaged", "“passed” must be true or false");
  if (![black, white].every((mask) => mask >= 0 && mask <= FULL))
    throw new BadText("unreachable", "a stone is off the board");
  if (ko !== null && !(ko >= 0 && ko < POINTS)) throw new BadText("unreachable", `the ko point ${ko} is off the board`);
  return possible({ black, white, ko, ply, passed }, rules);
}

export function positionRecord({ black, white, ko, ply, passed }) {
  return JSON.stringify({ black, white, ko, ply, passed });
}

// --- links and keys

// A link to the empty board has nothing behind its #.
const LINK = /#(\S{0,99}\b(?:moves|from)=\S{0,999})|\bexplorer\.html#?(?=\W?$)/;
const KEY = /^(?:[0-9]{1,40}|0x[0-9a-f]{1,40})$/i;

function readKey(text, rules) {
  if (!KEY.test(text)) throw new BadText("damaged", `${shown(text)} is no key: want a number of at most 61 bits`);
  const key = BigInt(text);
  const left = Number((key >> 55n) & 31n);
  if (key >> 61n || left > PLIES || Number((key >> 50n) & 31n) > POINTS)
    throw new BadText("damaged", `${shown(text)} names no position`);
  return { start: possible(positionOf(key), rules), moves: [], title: "A position" };
}

// What names the page's game in a link. isNamed: whether the link has moves or a position already.
function gameParts(isNamed) {
  const parts = Object.entries(OTHER_GAME).map(([name, number]) => `${name}=${number}`);
  return isNamed || !parts.length ? parts : ["moves=", ...parts];
}

export function fragmentOf({ start, moves, at }) {
  const parts = [];
  if (start !== START) parts.push(`from=${positionText(start)}`);
  if (moves.length) parts.push(`moves=${moves.map(moveName).join(".")}`);
  if (at !== moves.length) parts.push(`at=${at}`);
  return [...parts, ...gameParts(parts.length > 0)].join("&");
}

export const positionText = (start) => `${boardText(start)}.${start.ply}.${start.ko ?? "-"}.${start.passed ? "P" : "-"}`;

export function boardText(position) {
  return [...Array(POINTS).keys()]
    .map((point) => STONES[(stoneAt(position, point) ?? -1) + 1])
    .join("")
    .replaceAll(".", "_");
}

// The line and the place on it that a link shows, given what follows its #.
export function readFragment(text, rules) {
  // A sentence or a bracket may leave something behind a link.
  const fragment = text.replace(/[^\w-]+$/, "");
  let decoded;
  try {
    decoded = decodeURIComponent(fragment);
  } catch {
    throw new BadText("damaged", "the link is cut within an escape, % and two digits");
  }
  const parts = new Map(decoded.split("&").map((part) => [part.split("=")[0], part.replace(/^[^=]*=?/, "")]));
  if (parts.has("from") || parts.has("moves")) checkLinkGame(parts);
  const start = parts.has("from") ? startOf(parts.get("from"), rules) : START;
  const moves = readMoves((parts.get("moves") ?? "").replaceAll(".", " "), start.ply);
  const game = checked({ start, moves, title: "Link" }, rules);
  const at = parts.get("at") ?? String(moves.length);
  if (!/^\d{1,3}$/.test(at) || Number(at) > moves.length)
    throw new BadText("damaged", `at: ${shown(at)} is no place of a line of ${moves.length} moves`);
  return { ...game, at: Number(at), parts };
}

function checkLinkGame(parts) {
  const { plies = String(COURSE_PLIES), komi = String(COURSE_KOMI) } = Object.fromEntries(parts);
  if (!/^\d{1,2}$/.test(plies) || !/^-?\d{1,2}(?:\.\d)?$/.test(komi))
    throw new BadText("damaged", "its plies and komi are no numbers");
  checkGame(Number(plies), Number(komi));
}

// The position that a link tells in full. rules: null where any stones will do, as while a position is set up.
export function readPosition(text, rules, name = "from") {
  const position = placedIn(text, name);
  return rules ? possible(position, rules) : position;
}

function startOf(text, rules) {
  return possible(placedIn(text), rules);
}

function placedIn(text, name = "from") {
  const match = text.match(/^([_XO]{25})\.(\d{1,2})\.(-|\d{1,2})\.(P|-)$/);
  if (!match) throw new BadText("damaged", `${name}: want 25 of _ X O, the ply, the ko point or -, and P or -`);
  const ko = match[3] === "-" ? null : Number(match[3]);
  if (ko !== null && ko >= POINTS) throw new BadText("unreachable", `the ko point ${ko} is off the board`);
  const [black, white] = ["X", "O"].map((colour) => maskOf(match[1], colour));
  return { black, white, ko, ply: Number(match[2]), passed: match[4] === "P" };
}

// --- SGF (FF[1] to FF[4], https://www.red-bean.com/sgf/)

const NODE_TOKEN = /\s*(?:\[((?:\\[\s\S]|[^\]\\])*)\]|([A-Za-z]{1,64})|([;()]))/y;
// Names that do not follow from their capital letters.
const SGF_NAMES = { size: "SZ", komi: "KM", game: "GM", handicap: "HA", player: "PL", black: "B", white: "W" };

// The main lines of all games.
function readSgf(text, rules) {
  const games = [];
  let at = 0;
  for (;;) {
    const begin = text.slice(at).search(/\(\s*;/);
    if (begin < 0) return games;
    if (games.length === MOST_GAMES) throw new BadText("damaged", `too many games: at most ${MOST_GAMES} at once`);
    const { nodes, tree, end } = sgfMainLine(text, at + begin);
    games.push(sgfGame(nodes, tree, rules));
    at = end;
  }
}

// The nodes up to the end of the first variation, and where the game ends: properties by name, each with its raw values, and
// `next`, the nodes that may follow, the main line's first.
function sgfMainLine(text, begin) {
  const bad = (what) => new BadText("damaged", `not SGF: ${what}`);
  const nodes = [];
  let [depth, open, node, values, isMain, isBare] = [0, false, null, null, true, false];
  // The node that the next one follows, and those to come back to where a variation ends.
  let [last, tree, forks] = [null, null, []];
  NODE_TOKEN.lastIndex = begin;
  for (;;) {
    const token = NODE_TOKEN.exec(text);
    if (!token) throw bad("unexpected end of SGF data");
    const [, value, name, sign] = token;
    if (value !== undefined) {
      if (!values) throw bad("unexpected value");
      values.push(value);
      isBare = false;
      continue;
    }
    if (isBare) throw bad("property with no values");
    values = null;
    if (name) {
      if (!node) throw bad("property value outside a node");
      // A property that is there twice has the values of both.
      values = node[standardName(name)] ??= [];
      isBare = true;
      continue;
    }
    if (sign === ";") {
      if (!open) throw bad("unexpected node");
      node = {};
      const follows = { node, next: [] };
      last?.next.push(follows);
      last = follows;
      if (isMain) nodes.push(node);
      tree ??= follows;
      continue;
    }
    if (open && !node) throw bad("empty sequence");
    node = null;
    open = sign === "(";
    if (open) forks.push(last);
    else last = forks.pop() ?? null;
    depth += open ? 1 : -1;
    isMain &&= open;
    if (!depth) return { nodes, tree, end: NODE_TOKEN.lastIndex };
  }
}

function standardName(name) {
  return SGF_NAMES[name.toLowerCase()] ?? (name.replace(/[a-z]/g, "") || name.toUpperCase());
}

const valueIn = (node, name) => (node[name]?.[0] ?? "").replace(/\s/g, "");
const textIn = (node, name) => (node[name]?.[0] ?? "").replace(/\\([\s\S])/g, "$1").trim();

function sgfGame(nodes, tree, rules) {
  const root = nodes[0];
  const sized = checkSgf(root);
  const ours = valueIn(root, "RU").replace(/\s/g, "").match(OUR_RULES);
  const stated = Number(valueIn(root, "KM") || NaN);
  if (ours) checkGame(Number(ours[1]), isKomi(stated) ? stated : KOMI);
  const walk = new SgfWalk(rules);
  try {
    nodes.forEach((node, index) => {
      walk.setUp(node, index + 1);
      for (const [name, values] of Object.entries(node))
        if (name === "B" || name === "W")
          for (const value of values) walk.play("BW".indexOf(name), sgfMove(value), `node ${index + 1}, ${name}`);
    });
    walk.settle(/^\d+$/.test(valueIn(root, "HA")) && Number(valueIn(root, "HA")) > 1 ? 1 : null);
  } catch (error) {
    if (error.fault === "off-board" && !sized)
      throw new BadText("not-5x5", `${error.message}; the game has no SZ, so it is on another board`);
    throw error;
  }
  const names = [textIn(root, "PB"), textIn(root, "PW")];
  const title = names.some(Boolean) ? `${names[0] || "?"} – ${names[1] || "?"}` : "SGF";
  const game = checked({ start: walk.start, moves: walk.moves, title, lenient: true }, rules);
  if (!nodes.slice(1).some(isSetUp)) game.root = sgfTree(tree, game.start, rules);
  const [, side, how] = valueIn(root, "RE").match(/^([BW])\+([FRT])/) ?? [];
  const reason = { F: "forfeit", R: "resigned", T: "timeout" }[how] ?? "";
  // Our own SGF says more in LF (arena/standings/game_sgf.py).
  const [, told, illegal] = textIn(root, "LF").match(/^(\w+)(?: (\d+,\d+)(?= |$))?/) ?? [];
  const end = how && told ? told : reason;
  const lost = lostBy(game, walk.moves, end, "BW".indexOf(side) + 1, end.startsWith("invalid_") ? (illegal ?? null) : null);
  const about = { result: "BW".indexOf(valueIn(root, "RE")[0] ?? "?") + 1 || null, reason: reason || told || "", agents: names.map((name) => name || "?") };
  return { ...game, about, lost, note: [komiNote(root), walk.note, game.note].filter(Boolean).join(" ") };
}

const SGF_MARKS = { TR: "triangle", SQ: "square", CR: "circle", LB: "letter", AR: "arrow" };

const OUR_COMMENT = /^(?:.* under best play\.|Not computed\.)(?: Best line: .*)?$/;

const isSetUp = (node) => ["AB", "AW", "AE", "PL"].some((name) => node[name]);

// The variations, comments and marks of a game without set-ups behind its root; what the rules forbid is left out.
function sgfTree({ node, next }, position, rules, move = null) {
  const children = [];
  let said = toldOn(node);
  const take = (following) => {
    for (const one of following) {
      const moves = ["B", "W"].flatMap((name, colour) => (one.node[name] ?? []).map((value) => [colour, value]));
      // A node without a move says more of the same position.
      if (!moves.length) {
        said = { ...said, ...toldOn(one.node) };
        take(one.next);
        continue;
      }
      const child = sgfChild(one, moves, position, rules);
      if (!child) continue;
      const had = children.findIndex((other) => other.move === child.move);
      if (had < 0) children.push(child);
      else children[had] = { ...child, ...children[had], children: joined(children[had].children, child.children) };
    }
  };
  if (!isOver(position)) take(next);
  return { move, ...said, children };
}

function joined(one, other) {
  return [...one, ...other.filter(({ move }) => !one.some((had) => had.move === move))];
}

function sgfChild(one, moves, position, rules) {
  const [[colour, value]] = moves;
  if (moves.length > 1 || colour !== moverOf(position) || isSetUp(one.node)) return null;
  try {
    const move = sgfMove(value);
    return rules.illegal(position, move) ? null : sgfTree(one, rules.play(position, move), rules, move);
  } catch (error) {
    if (error instanceof BadText) return null;
    throw error;
  }
}

function toldOn(node) {
  const told = {};
  // What we write ourselves is worked out again.
  const note = textIn(node, "C").split("\n").filter((line) => !OUR_COMMENT.test(line)).join("\n").trim();
  if (note) told.note = note;
  if (textIn(node, "N")) told.name = textIn(node, "N");
  const marks = Object.entries(SGF_MARKS).flatMap(([name, kind]) => (node[name] ?? []).flatMap((value) => markIn(kind, value)));
  if (marks.length) told.marks = marks;
  return told;
}

// A list of points is written as a rectangle as well.
function markIn(kind, value) {
  const [first, second] = [value.slice(0, 2), value.slice(3)];
  try {
    if (kind === "letter") return [{ kind, point: sgfPointOf(first), text: second.replace(/\\([\s\S])/g, "$1").slice(0, 3) }];
    if (kind === "arrow") return [{ kind, point: sgfPointOf(first), to: sgfPointOf(second) }];
    return pointsOf(sgfPoints([value])).map((point) => ({ kind, point }));
  } catch (error) {
    if (error instanceof BadText) return [];
    throw error;
  }
}

// Whether the game says that it is on 5x5.
function checkSgf(root) {
  const [size, kind] = [valueIn(root, "SZ"), valueIn(root, "GM")];
  if (!["", "1"].includes(kind)) throw new BadText("other-game", `GM: ${shown(kind)} is another game, and Go is 1`);
  if (["", "5", "5:5"].includes(size)) return size !== "";
  const fault = /^\d+(:\d+)?$/.test(size) ? "not-5x5" : "damaged";
  throw new BadText(fault, `SZ: a board of size ${shown(size)}, but only 5 is possible here`);
}

const OUR_RULES = /^Little-Go:stonesalonecount,(\d{1,3})plies$/;

const isKomi = (komi) => Math.abs(komi) < 25 && Math.abs(komi % 1) === 0.5;

function komiNote(root) {
  const text = valueIn(root, "KM");
  const komi = Number(text);
  return !text || !Number.isFinite(komi) || komi === KOMI
    ? ""
    : `It states komi ${komi}, and what is said here is for komi ${KOMI}.`;
}

// Along a main line: a set-up that changes the board or the mover begins again from what it makes.
class SgfWalk {
  constructor(rules) {
    this.rules = rules;
    this.begin(START, "");
    this.mover = null;
    this.told = null;
  }

  begin(position, note) {
    this.start = position;
    this.moves = [];
    this.note = note;
    this.position = position;
    this.stones = [position.black, position.white];
    this.fault = null;
  }

  setUp(node, number) {
    const [black, white, empty] = ["AB", "AW", "AE"].map((name) => sgfPoints(node[name] ?? []));
    if (black & white) throw new BadText("damaged", `node ${number}: a point gets a black and a white stone`);
    const kept = ~(black | white | empty);
    this.stones = [(this.stones[0] & kept) | black, (this.stones[1] & kept) | white];
    if (node.LG) this.told = node.LG[0].trim();
    if (!node.PL) return;
    const colour = node.PL[0].trim().toLowerCase();
    if (!["b", "w", "black", "white", "1", "2"].includes(colour))
      throw new BadText("damaged", `node ${number}, PL: ${shown(colour)} where B or W is wanted`);
    this.mover = Number(!"b1".includes(colour[0]));
  }

  // next: who plays next, or null.
  settle(next) {
    const { position, mover, told } = this;
    this.mover = this.told = null;
    const [black, white] = this.stones;
    const written = told && toldStart(told, this.rules);
    if (written && written.black === black && written.white === white && written.ply !== position.ply) {
      if (this.fault) throw this.fault;
      return this.begin(written, "");
    }
    if (black === position.black && white === position.white && [null, moverOf(position)].includes(mover)) return;
    if (this.fault) throw this.fault;
    const placed = placeBoard({ black, white, ko: null, passed: false }, mover ?? next, null, this.rules);
    this.begin(placed.position, guessNote("Its set-up", placed.position.ply));
  }

  play(colour, move, part) {
    this.settle(colour);
    if (colour !== (this.start.ply + this.moves.length) % 2)
      throw new BadText("wrong-colour", `${part}: move ${this.moves.length + 1} is ${NAMES[colour]}'s, out of turn`);
    this.moves.push(move);
    if (this.fault) return;
    const why = this.rules.illegal(this.position, move);
    if (why) this.fault = new BadText(isOver(this.position) ? "too-long" : "illegal", `${part}: ${why}`);
    else this.position = this.rules.play(this.position, move);
    this.stones = [this.position.black, this.position.white];
  }
}

// The position that our own SGF tells with its ply, ko and PASS, or null.
function toldStart(text, rules) {
  try {
    return startOf(text, rules);
  } catch {
    return null;
  }
}

function sgfMove(raw) {
  const value = raw.trim();
  return value === "" || value === "tt" ? PASS : sgfPointOf(value);
}

function sgfPointOf(value) {
  const [column, row] = [SGF_POINTS.indexOf(value[0]), SGF_POINTS.indexOf(value[1])];
  if (value.length === 2 && column >= 0 && row >= 0) return SIZE * row + column;
  const fault = /^[a-z]{2}$/i.test(value) ? "off-board" : "not-a-move";
  throw new BadText(fault, `${shown(value)} is no point of this board: want two letters from a to e`);
}

// The points of a list, rectangles among them, as a mask.
function sgfPoints(values) {
  let mask = 0;
  for (const value of values) {
    const [first, last] = value.replace(/\s/g, "").split(":");
    if (!first) continue;
    const [from, to] = [sgfPointOf(first), sgfPointOf(last || first)];
    for (let row = Math.floor(from / SIZE); row <= Math.floor(to / SIZE); row++)
      for (let column = from % SIZE; column <= to % SIZE; column++) mask |= 1 << (SIZE * row + column);
  }
  return mask;
}

export function sgfPoint(move) {
  return move === PASS ? "" : SGF_POINTS[move % SIZE] + SGF_POINTS[Math.floor(move / SIZE)];
}

const escaped = (text) => text.replace(/[\\\]]/g, "\\$&");

// A tree as SGF. said(path): a comment to write behind one's own; more(path): lines of moves to write as variations there.
export function sgfOfTree({ start, root }, said = (/** @type {any} */ _) => "", more = (/** @type {any} */ _) => []) {
  const written = (node, path) => {
    const move = path.length ? sgfNode(start.ply + path.length - 1, node.move) : sgfRoot(start);
    const comment = [node.note, said(path)].filter(Boolean).join("\n");
    const text = (name, value) => (value ? `${name}[${escaped(value)}]` : "");
    const own = `${move}${text("N", node.name)}${text("C", comment)}${sgfMarks(node.marks ?? [])}\n`;
    const others = more(path).map((list) => list.map((each, k) => sgfNode(start.ply + path.length + k, each)).join(""));
    const lines = [...node.children.map((child) => written(child, [...path, child.move])), ...others];
    return lines.length < 2 ? own + lines.join("") : own + lines.map((line) => `(${line})\n`).join("");
  };
  return `(${written(root, [])})\n`;
}

const sgfNode = (ply, move) => `;${"BW"[ply % 2]}[${sgfPoint(move)}]`;

// Each property once, with all its points.
function sgfMarks(marks) {
  const text = (kind) => marks.filter((mark) => mark.kind === kind).map(({ point, to, text }) => {
    const rest = kind === "letter" ? `:${escaped(text)}` : kind === "arrow" ? `:${sgfPoint(to)}` : "";
    return `[${sgfPoint(point)}${rest}]`;
  });
  const named = Object.entries(SGF_MARKS).map(([name, kind]) => [name, text(kind)]);
  return named.map(([name, points]) => (points.length ? name + points.join("") : "")).join("");
}

// A line as SGF: `comments[i]` on the position after i moves, `variations[i]` lines of moves instead of move i.
export function sgfOf({ start, moves }, comments, variations) {
  const line = [...moves].reverse().reduce((next, move) => [{ move, children: next }], []);
  const root = { move: null, children: line };
  return sgfOfTree(
    { start, root },
    (path) => comments[path.length] ?? "",
    (path) => variations[path.length] ?? [],
  );
}

function sgfRoot(start) {
  const setup = ["B", "W"].map((colour) => {
    const stones = pointsOf(colour === "B" ? start.black : start.white).map((point) => `[${sgfPoint(point)}]`);
    return stones.length ? `A${colour}${stones.join("")}` : "";
  });
  const turn = start === START ? "" : `PL[${"BW"[moverOf(start)]}]LG[${positionText(start)}]`;
  return `;FF[4]GM[1]CA[UTF-8]SZ[5]KM[${KOMI}]RU[Little-Go: stones alone count, ${PLIES} plies]${setup.join("")}${turn}`;
}
