// Positions and games as text: read every common form, and write links and SGF.
//
// Each reader has a counterpart in notation/, in Python. tests/notation/*.jsonl compares the results in both languages.

import { KOMI } from "./game.js";
import { endingText } from "./words.js";
import {
  COURSE_KOMI,
  COURSE_PLIES,
  FULL,
  NAMES,
  OFF_BOARD,
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
import { BLANKS, BadText, leftOut, notRead, partsOf, shown, wholeText } from "./parts.js";
import { EMPTY_FOR_WHITE, placeBoard, placedGame, possible } from "./placed.js";
import { Ports, refusal } from "./ports.js";
import { FORMS, reading } from "./reading.js";

// The largest number of games of a text. Reading many more games would block the page.
const MOST_GAMES = 5000;

const MOST_SIGNS = FORMS.most.text;
// The smallest number of digits of a key without other text. A shorter number could mean anything.
const LEAST_KEY = 6;
// The number of characters after an input.txt whose statements are compared with the position.
const MOST_BEHIND = 1000;

const STONES = ".XO";
const SGF_POINTS = "abcde";
// Return all games of a text: { start, moves, title, … }[]. note: sentences that the user must read. parts: the text, cut into
// the parts that were read and the parts that were skipped. fault: the reason why a game is shown only up to an illegal move.
// lost: the event by which the side to move lost the game, { reason, move }, or null; move: the name of the illegal move.
export function readGames(content, rules) {
  const text = content.replace(/^\uFEFF+/, "");
  const word = text.trim();
  if (!word) throw new BadText("damaged", "the text is empty");
  const games = readForm(text, word, rules);
  const isWhole = games[0].parts.reduce((length, part) => length + part.text.length, 0) === text.length;
  if (!isWhole) games[0].parts = withBlanks(games[0].parts, text, word);
  return games.map((game) => {
    const notes = notRead(leftOut(game.parts));
    return { ...game, note: [game.note, ...notes].filter(Boolean).join(" ") };
  });
}

const INPUT = /^\+?0*[12][ \t]*[\r\n]/;

// Add the blanks before and after the text to the parts that a reader found in the stripped text. If the parts belong to only
// one of several lines, return the unchanged parts.
function withBlanks(parts, text, word) {
  if (parts.map((part) => part.text).join("") !== word) return parts;
  const begin = text.indexOf(word);
  const spans = [];
  let at = begin;
  for (const part of parts) {
    if (part.taken) spans.push([at, at + part.text.length]);
    at += part.text.length;
  }
  return partsOf(text, spans);
}

// Return the games of a text in any format. text: the whole text. word: the text without the blanks around it.
function readForm(text, word, rules) {
  if (isSgf(word)) return readSgf(word, rules);
  if (word.startsWith("{")) return readJson(word, rules);
  if (word.length > MOST_SIGNS) throw refusal("too-long", MOST_SIGNS);
  if (INPUT.test(word)) return [readInput(text, rules)];
  if (isLink(word)) return [readLink(word, rules)];
  if (word.length >= LEAST_KEY && KEY.test(word)) return [{ ...readKey(word, rules), parts: wholeText(word) }];
  const said = reading.read_text(new Ports(word), word);
  return [settled(said, word, said.moves ? "Pasted moves" : "The board", rules)];
}

// Return the game that the results of a reader describe, as in notation/settling.py. lenient: whether to keep the legal moves
// if a later move is illegal.
function settled(said, text, title, rules, lenient = false) {
  checkSaidGame(said.facts);
  const game = settledGame(said, text, title, rules, lenient);
  if (said.form !== "key" && said.key !== undefined && rules.key(readKey(said.key, rules).start) !== rules.key(endAfter(game, rules)))
    throw refusal("other-key");
  return game;
}

function settledGame(said, text, title, rules, lenient) {
  const { facts } = said;
  const parts = partsOf(text, said.taken);
  const notes = [...said.notes.map(sentence), ...(said.other_komi !== undefined && said.other_komi !== KOMI ? [otherKomi(said.other_komi)] : [])];
  if (said.form === "moves") {
    const game = playedOut(said, title, rules, lenient);
    return { ...game, parts, note: [...notes, game.note].filter(Boolean).join(" ") };
  }
  const placed = said.form === "board" ? drawnGame(said, title, rules) : { start: startTold(said, rules), moves: [], title: "A position", note: "" };
  checkFacts(facts, placed.start);
  if (said.beside) {
    const end = endAfter(playedOut({ ...said, moves: said.beside }, title, rules), rules);
    if (positionRecord(end) !== positionRecord(placed.start))
      throw refusal("stones-and-moves");
  }
  return { ...placed, parts, note: [...notes, placed.note].filter(Boolean).join(" ") };
}

const sentence = (clause) => `${clause[0].toUpperCase()}${clause.slice(1)}.`;
const endAfter = ({ start, moves }, rules) => moves.reduce((before, move) => rules.play(before, move), start);

function playedOut(said, title, rules, lenient = false) {
  const game = checked({ start: START, moves: said.moves, title, lenient }, rules);
  if (game.fault) return game;
  const stop = said.stop ?? game.moves.length;
  if (stop > game.moves.length) throw new BadText("damaged", `the line has plies 0 to ${game.moves.length}, and not ${stop}`);
  if (said.stop !== undefined) return { ...game, at: stop };
  const end = endAfter(game, rules);
  checkFacts(said.facts, end);
  if (said.shown && (end.black !== said.black || end.white !== said.white))
    throw refusal("moves-and-board");
  return game;
}

// Throw BadText if a stone or the ko point is outside the board.
function checkOnBoard({ black = 0, white = 0, ko = null }) {
  if (![black, white].every((mask) => mask >= 0 && mask <= FULL)) throw new BadText("unreachable", `a stone is ${OFF_BOARD}`);
  if (ko !== null && !(ko >= 0 && ko < POINTS)) throw new BadText("unreachable", `the ko point ${ko} is ${OFF_BOARD}`);
}

function startTold(said, rules) {
  if (said.form === "key") return readKey(said.key, rules).start;
  const { black, white, ko, facts } = said;
  checkOnBoard({ black, white, ko });
  return possible({ black, white, ko, ply: facts.ply, passed: facts.passed ?? false }, rules);
}

function drawnGame(said, title, rules) {
  const { black, white, facts } = said;
  const { over, mover = null } = facts;
  checkOnBoard({ black, white });
  if (over && (mover !== null || (facts.ply ?? PLIES) !== PLIES))
    throw refusal("over-and-more");
  const ply = over ? PLIES : (facts.ply ?? null);
  if (ply !== null && !over && mover !== null && ply % 2 !== mover)
    throw refusal("ply-and-side", ply);
  const captured = [facts.blacks ?? 0, facts.whites ?? 0];
  const board = { black, white, ko: said.ko, passed: facts.passed ?? false };
  if (said.before) {
    const after = lastMove(1 - mover, { black: said.before[0], white: said.before[1] }, board, rules);
    if (!after) throw refusal("boards-apart");
    board.ko = after.ko;
  }
  const placed = placeBoard(board, over ? null : mover, ply, rules, captured, "passed" in facts);
  if (facts.ko !== undefined && placed.position.ko !== facts.ko)
    throw refusal("no-ko", moveName(facts.ko));
  return placedGame(placed, title);
}

function checkSaidGame({ heading, plies, komi }) {
  const known = heading ? [COURSE_PLIES, COURSE_KOMI] : [PLIES, KOMI];
  checkGame(plies ?? known[0], komi ?? known[1]);
}

// Throw BadText if the facts that a text states contradict the position.
function checkFacts(facts, position) {
  const { over, mover, ply, passed } = facts;
  if (over && position.ply !== PLIES) throw refusal("not-over");
  if (!over && mover !== undefined && (isOver(position) || mover !== moverOf(position)))
    throw refusal("other-side", NAMES[mover]);
  if (ply !== undefined && ply !== position.ply) throw refusal("other-ply", ply, position.ply);
  if (!over && passed !== undefined && passed !== position.passed) throw refusal("other-pass");
}

// Throw BadText if the text around a game or a link contradicts the position.
function checkAround(outside, position) {
  const { facts } = reading.read_around(new Ports(outside), outside);
  checkSaidGame({ heading: false, plies: PLIES, komi: KOMI, ...facts });
  checkFacts(facts, position);
  for (const [name, mask] of [["on_black", position.black], ["on_white", position.white]])
    if (facts[name] !== undefined && facts[name] !== pointsOf(mask).length) throw refusal("other-stones");
}

function maskOf(signs, colour) {
  return [...signs].reduce((mask, sign, point) => (colour.includes(sign) ? mask | (1 << point) : mask), 0);
}

const CHARSET = /(?<![a-z])ca\s*\[\s*([\w.:-]{1,40})\s*\]/i;
const CODECS = /utf-?8|ascii|iso-?8859|windows|cp\d|shift|sjis|euc|gb|big5|koi8|mac|latin/i;

// Return the text of a file's bytes. If an SGF declares its character set, use this set. Otherwise read the bytes as UTF-8, or
// as Latin-1 if they are not UTF-8.
export function textOf(bytes) {
  const wide = { 0xfffe: "utf-16le", 0xfeff: "utf-16be" }[(bytes[0] << 8) | bytes[1]];
  if (wide) return new TextDecoder(wide).decode(bytes);
  const latin = new TextDecoder("latin1");
  const stated = latin.decode(bytes.subarray(0, 1 << 16)).match(CHARSET)?.[1] ?? "";
  try {
    if (CODECS.test(stated)) return new TextDecoder(stated).decode(bytes);
  } catch {
    // The browser does not support the declared character set.
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return latin.decode(bytes);
  }
}

// Return a game whose moves are all legal. If a lenient game has an illegal move, keep the moves before the illegal move. Throw
// BadText if another game has an illegal move.
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

const otherKomi = (komi) => `It states komi ${komi}, and what is said here is for komi ${KOMI}.`;

// --- Functions for input.txt

// Read input.txt: the colour, the board before the opponent's last move, and the current board. The file does not contain the
// ply, so the position gets the smallest possible ply.
function readInput(text, rules) {
  const numbered = text
    .split(/\r\n|\r|\n/)
    .map((line, index) => [index + 1, line.replace(/^[\s\x85]+|[\s\x85]+$/g, "")])
    .filter(([, line]) => line)
    .slice(0, 11);
  if (numbered.length < 11) {
    const count = numbered.length === 1 ? "1 line" : `${numbered.length} lines`;
    throw new BadText("damaged", `${count} instead of 11: write the colour, and two boards of 5 rows`);
  }
  const mover = Number(numbered[0][1]) - 1;
  const [before, now] = [hostBoard(numbered.slice(1, 6)), hostBoard(numbered.slice(6))];
  for (const [name, board] of Object.entries({ previous: before, current: now })) {
    const why = rules.fault({ ...board, ko: null, ply: 1, passed: false });
    if (why) throw new BadText("unreachable", `${why} on the ${name} board`);
  }
  const same = before.black === now.black && before.white === now.white;
  const first = !before.black && !before.white;
  if (same && first && mover) throw new BadText("unreachable", EMPTY_FOR_WHITE);
  const passed = same && !(first && !mover);
  const ko = same ? null : koAfter(before, now, mover, rules);
  const placed = placeBoard({ ...now, ko, passed }, mover, null, rules);
  const end = [...text.matchAll(/[^\r\n]+/g)].filter(([line]) => line.replace(/[\s\x85]+/g, ""))[10];
  const parts = partsOf(text, [[0, end.index + end[0].length]]);
  checkAround(leftOut(parts).join("\n").slice(0, MOST_BEHIND), placed.position);
  return { ...placedGame({ ...placed, guessed: !first }, "input.txt"), parts };
}

function hostBoard(rows) {
  for (const [number, row] of rows)
    if (!/^[012]{5}$/.test(row)) {
      const fault = /^[012]*$/.test(row) ? "not-5x5" : "damaged";
      throw new BadText(fault, `line ${number}: ${shown(row)} is not a row of the board: write five digits, each 0, 1 or 2`);
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

// Return the position after a stone of this colour that leads from the board `before` to the board `now`, or null if there is
// no such stone.
function lastMove(colour, before, now, rules) {
  const added = pointsOf(colour ? now.white & ~before.white : now.black & ~before.black);
  // Any ply at which this colour moves is sufficient here.
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

// Return the text of input.txt for a position. previous: the position before the last move, or null if it is not known. Return
// null if the board before the last move is not known.
export function inputText(position, previous) {
  const before = previous ?? (position.passed || position.ply === 0 ? position : null);
  if (!before) return null;
  return [moverOf(position) + 1, ...digits(before), ...digits(position)].join("\n");
}

// --- Functions for JSON: games in the logs of the arena and of the course, and positions in the output of the command line

function readJson(text, rules) {
  if (parsed(text)) return [readRecord(text, 0, rules)];
  const lines = text.split("\n").filter((line) => line.trim());
  if (lines.length > MOST_GAMES)
    throw refusal("many-games", lines.length, MOST_GAMES);
  const games = lines.map((line, index) => {
    try {
      return readRecord(line.trim(), index, rules);
    } catch (error) {
      if (error instanceof BadText && lines.length > 1) error.message = `line ${index + 1}: ${error.message}`;
      throw error;
    }
  });
  // The lines after the first line are the other games, so mark these lines as read.
  if (lines.length > 1) games[0].parts.push({ text: text.slice(games[0].parts.reduce((length, part) => length + part.text.length, 0)), taken: true });
  return games;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readRecord(text, index, rules) {
  if (text.length > MOST_SIGNS) throw refusal("too-long", MOST_SIGNS);
  const record = parsed(text);
  // The reader would refuse a move off the board, but such a move can end a real game. So remove this move here, and pass it to
  // endOf().
  const isOff = record?.reason === "invalid_off_board" && Array.isArray(record.moves);
  const offBoard = isOff ? String(record.moves.at(-1)) : null;
  const words = isOff ? JSON.stringify({ ...record, moves: record.moves.slice(0, -1) }) : text;
  const said = reading.read_json(new Ports(words), words);
  const game = settled(said, words, recordTitle(record, index), rules, said.moves !== null && !said.beside);
  if (isOff) game.parts = wholeText(text);
  if (said.form !== "moves") return game;
  const about = { result: winnerIn(record), reason: String(record.reason ?? ""), agents: sidesOf(record) };
  const { lost, left } = endOf(game, endAfter(game, rules), said.moves, about.reason, about.result, offBoard);
  return { ...game, about, lost, note: [game.note, left].filter(Boolean).join(" ") };
}

// The fields that distinguish the page's game from the course's game in tables and links.
export const OTHER_GAME = PLIES === COURSE_PLIES && KOMI === COURSE_KOMI ? {} : { plies: PLIES, komi: KOMI };

function checkGame(plies = COURSE_PLIES, komi = COURSE_KOMI) {
  for (const number of [plies, komi])
    if (typeof number !== "number" || !Number.isFinite(number)) throw new BadText("damaged", "its plies and komi are not numbers");
  if (plies !== PLIES || komi !== KOMI)
    throw new BadText("other-game", `it is of a game of ${plies} plies, komi ${komi}, and this page of ${PLIES} plies, komi ${KOMI}`);
}

const PLAYED_OUT = ["", "max", "two_passes"];

// Return the event that ended a game, { lost, left }. A move that the rules forbid ends a game, whatever the record says. lost:
// as in readGames(), or null if the game was played out or is not finished. left: a note if the game cannot have ended in the
// recorded way, otherwise "". end: the last position. list: all moves of the record. reason, winner: the values of the record;
// winner: 1, 2 or null. illegal: an illegal move that is not in the list, or null.
function endOf({ moves, fault }, end, list, reason, winner, illegal = null) {
  if (fault === "illegal") return { lost: { reason, move: moveName(list[moves.length]) }, left: "" };
  if (illegal !== null) return { lost: { reason, move: illegal }, left: "" };
  if (fault || PLAYED_OUT.includes(reason) || !winner) return { lost: null, left: "" };
  const mover = moverOf(end);
  if (!isOver(end) && winner === 2 - mover) return { lost: { reason, move: null }, left: "" };
  const deed = reason === "resigned" ? "resigned" : `lost by “${reason}”`;
  const when = isOver(end) ? "after the end of the game" : `at ${NAMES[mover]}'s turn`;
  return { lost: null, left: `Its end does not count: ${NAMES[2 - winner]} ${deed} ${when}.` };
}

const sidesOf = (record) => [record.black ?? agentName(record, 1), record.white ?? agentName(record, 2)].map(String);

// Return the winner as a number, or null if the record has no winner. The course's logs contain the number 1 or 2, and the
// arena's records contain the name of the colour.
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

// Return the shell command that analyses a line of moves from the empty board. moves: the names of the moves.
export function commandOf(moves) {
  const game = Object.entries(OTHER_GAME).map(([name, number]) => ` --${name} ${number}`);
  return `little-go query --moves "${moves}"${game.join("")}`;
}

export function positionRecord({ black, white, ko, ply, passed }) {
  return JSON.stringify({ black, white, ko, ply, passed, ...OTHER_GAME });
}

// --- Functions for links and keys

// A pattern of the punctuation that follows a link in a sentence.
const AFTER_LINK = /[^\w\uff00-\uffef-]+$/;
// A pattern of the fragment of a link. The link to the empty board has no fragment, so only its file name is matched.
const LINK = /#([^\s\x85]{0,99}\b(?:moves|from)=[^\s\x85]{0,999})|\bexplorer\.html#?(?=\W?$)/g;
// A pattern of the fragment of a link in which every possible character is percent-encoded.
const ESCAPED_LINK = /%23(?:moves|from)%3[Dd][^\s\x85]{0,999}/;
// The names of the parts of a fragment. HARMLESS_PART matches names that other programs add to links. A draft is the position
// that “Edit” shows.
const LINK_NAMES = ["moves", "from", "at", "plies", "komi", "mode", "side", "against", "board", "names", "beside", "draft"];
const HARMLESS_PART = /^(?:utm_[a-z]{1,20}|ref|fbclid|gclid|lang|theme)$/;
const NOT_IN_ADDRESS = " \t\r\n()<>[]\"'";
const LONGEST_ADDRESS = 300;

const isLink = (text) => text.search(LINK) >= 0 || ESCAPED_LINK.test(text);

// Return the index at which the address before a fragment begins. end: the index at which the fragment begins.
function addressBegin(text, end) {
  let begin = end;
  while (begin && end - begin < LONGEST_ADDRESS && !NOT_IN_ADDRESS.includes(text[begin - 1])) begin--;
  return begin;
}

function readLink(text, rules) {
  const [found, ...others] = text.matchAll(LINK);
  if (!found) {
    const { 0: escaped, index } = text.match(ESCAPED_LINK);
    let address;
    try {
      address = decodeURIComponent(escaped);
    } catch {
      throw new BadText("damaged", "the link is cut within an escape, % and two digits");
    }
    if (address.search(LINK) < 0) throw new BadText("damaged", "not a link of the page: give a link with #moves= or #from=");
    const game = readLink(address, rules);
    const spans = [[addressBegin(text, index), index + escaped.length]];
    checkAround(outsideOf(text, spans), positionAt(game, rules));
    return { ...game, parts: partsOf(text, spans) };
  }
  const fragmentIn = (match) => (match[1] ?? "").replace(AFTER_LINK, "");
  const fragment = fragmentIn(found);
  if (others.some((other) => fragmentIn(other) !== fragment)) throw refusal("two-links");
  const begin = addressBegin(text, found.index);
  const named = readFragment(fragment, rules);
  const draft = named.named.get("draft");
  const game = draft === undefined ? named : { ...named, start: readPosition(draft, rules, "draft"), moves: [], at: 0 };
  const links = [found, ...others].map((match) => [addressBegin(text, match.index), match.index + match[0].length]);
  checkAround(outsideOf(text, links), positionAt(game, rules));
  if (found[1] === undefined) return { ...game, parts: partsOf(text, [[begin, found.index + found[0].length]]) };
  let at = found.index + 1;
  const spans = [[begin, at]];
  for (const part of fragment.split("&")) {
    if (LINK_NAMES.includes(decodeURIComponent(part).split("=")[0])) spans.push([at, at + part.length]);
    at += part.length + 1;
  }
  return { ...game, parts: partsOf(text, spans) };
}

const positionAt = (game, rules) => endAfter({ ...game, moves: game.moves.slice(0, game.at) }, rules);

// Return the text outside the spans, with each piece on its own line.
const outsideOf = (text, spans) => [0, ...spans.map(([, end]) => end)].map((at, index) => text.slice(at, spans[index]?.[0] ?? text.length)).join("\n");

const KEY = /^(?:0|[1-9][0-9]{0,39}|0x[0-9a-f]{1,40})$/i;

function readKey(text, rules) {
  if (!KEY.test(text)) throw refusal("no-key", text);
  const key = BigInt(text);
  const left = Number((key >> 55n) & 31n);
  if (key >> 61n || left > PLIES || Number((key >> 50n) & 31n) > POINTS)
    throw new BadText("damaged", `${shown(text)} names no position`);
  return { start: possible(positionOf(key), rules), moves: [], title: "A position" };
}

// Return the parts of a link that identify the page's game. isNamed: whether the link already contains moves or a position.
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

// Read the part of a link after the #. Return a line of moves, and the number of moves before the shown position.
export function readFragment(text, rules) {
  // Remove punctuation after the link.
  const fragment = text.replace(AFTER_LINK, "");
  let decoded;
  try {
    decoded = decodeURIComponent(fragment);
  } catch {
    throw new BadText("damaged", "the link is cut within an escape, % and two digits");
  }
  const pairs = decoded.split("&").map((part) => [part.split("=")[0], part.replace(/^[^=]*=?/, "")]);
  const parts = new Map(/** @type {[string, string][]} */ (pairs));
  const twice = pairs.find(([name, value]) => parts.get(name) !== value);
  if (twice) throw new BadText("ambiguous", `${twice[0]}: it occurs twice: delete one of the two`);
  if (parts.has("from") || parts.has("moves")) checkLinkGame(parts);
  const unknown = [...parts.keys()].find((name) => name && !LINK_NAMES.includes(name) && !HARMLESS_PART.test(name));
  if (unknown !== undefined && (parts.has("from") || parts.has("moves"))) throw refusal("unknown-part", unknown);
  const start = parts.has("from") ? startOf(parts.get("from"), rules) : START;
  const words = (parts.get("moves") ?? "").replaceAll(".", " ");
  const { moves } = reading.read_line_of_moves(new Ports(words), words, start.ply, false);
  const game = checked({ start, moves, title: "Link" }, rules);
  const at = parts.get("at") ?? String(moves.length);
  if (!/^\d{1,3}$/.test(at) || Number(at) > moves.length)
    throw new BadText("damaged", `at: ${shown(at)} is not a place in a line of ${moves.length} moves`);
  return { ...game, at: Number(at), named: parts };
}

function checkLinkGame(parts) {
  const { plies = String(COURSE_PLIES), komi = String(COURSE_KOMI) } = Object.fromEntries(parts);
  if (!/^\d{1,2}$/.test(plies) || !/^-?\d{1,2}(?:\.\d)?$/.test(komi))
    throw new BadText("damaged", "its plies and komi are not numbers");
  checkGame(Number(plies), Number(komi));
}

// Read a complete position in a link. rules: null if any stones are allowed, as in a draft.
export function readPosition(text, rules, name = "from") {
  const position = placedIn(text, name);
  return rules ? possible(position, rules) : position;
}

function startOf(text, rules) {
  return possible(placedIn(text), rules);
}

function placedIn(text, name = "from") {
  const match = text.match(/^([_XO]{25})\.(\d{1,2})\.(-|\d{1,2})\.(P|-)$/);
  if (!match) throw new BadText("damaged", `${name}: not a position: give 25 of the signs _ X O, the ply, the ko point or -, and P or -`);
  const ko = match[3] === "-" ? null : Number(match[3]);
  checkOnBoard({ ko });
  const [black, white] = ["X", "O"].map((colour) => maskOf(match[1], colour));
  return { black, white, ko, ply: Number(match[2]), passed: match[4] === "P" };
}

// --- Functions for SGF (FF[1] to FF[4], https://www.red-bean.com/sgf/)

const SGF_BLANK = `[${BLANKS}]`;
const SGF_BLANKS = new RegExp(SGF_BLANK, "g");
const SGF_BLANK_ENDS = new RegExp(`^${SGF_BLANK}+|${SGF_BLANK}+$`, "g");
const NODE_TOKEN = new RegExp(`${SGF_BLANK}*(?:\\[((?:\\\\[^]|[^\\]\\\\])*)\\]|([A-Za-z]{1,64})|([;()]))`, "y");
// The SGF property names that standardName() cannot derive from long names by removing small letters, by long name.
const SGF_NAMES = { size: "SZ", komi: "KM", game: "GM", handicap: "HA", player: "PL", black: "B", white: "W" };

const SGF_BEGIN = new RegExp(`\\(${SGF_BLANK}*;`);
// A pattern of the nodes of a game without the parentheses around the game.
const BARE_NODES = new RegExp(`^${SGF_BLANK}*;${SGF_BLANK}*[A-Za-z]{1,8}${SGF_BLANK}*\\[`);

const isSgf = (text) => SGF_BEGIN.test(text) || BARE_NODES.test(text);

// Return the result of reader(). If reader() throws a BadText, return null, or throw the error if isNeeded is true.
function orNull(reader, isNeeded = false) {
  try {
    return reader();
  } catch (error) {
    if (error instanceof BadText && !isNeeded) return null;
    throw error;
  }
}

// Read all games of an SGF text. The parts of the first game report the text between the games as skipped.
function readSgf(text, rules) {
  if (text.split("(").length - 1 > FORMS.most.brackets) throw refusal("many-brackets", FORMS.most.brackets);
  if (BARE_NODES.test(text)) {
    const { line } = sgfMainLine(`(${text})`, 0);
    return [{ ...sgfGame(line, rules), parts: wholeText(text) }];
  }
  const games = [];
  const spans = [];
  const ends = [];
  let at = 0;
  for (;;) {
    const begin = text.slice(at).search(SGF_BEGIN);
    if (begin < 0) break;
    if (games.length === MOST_GAMES) throw new BadText("damaged", `too many games: at most ${MOST_GAMES} at once`);
    const game = orNull(() => sgfMainLine(text, at + begin), !games.length);
    // Skip everything after a game that cannot be read.
    ends.push([at + begin, game?.end ?? text.length]);
    if (!game) break;
    const read = orNull(() => sgfGame(game.line, rules), !games.length);
    if (read) {
      games.push({ ...read, parts: [] });
      spans.push([at + begin, game.end]);
    }
    at = game.end;
  }
  games[0].parts = partsOf(text, spans);
  checkAround(leftOut(partsOf(text, ends)).join("\n"), endAfter(games[0], rules));
  return games;
}

// Return the nodes of the main line, and the index in the text at which the game ends. A node is { node, next, text }. node:
// the properties by name, each with its raw values. next: the nodes that can follow this node; the node of the main line comes
// first. text(): the SGF from the node to the end of its variation.
function sgfMainLine(text, begin) {
  const bad = (what) => new BadText("damaged", `not SGF: ${what}`);
  const line = [];
  let [depth, open, node, values, isMain, isBare] = [0, false, null, null, true, false];
  // last: the node that the next node follows. inner: the current variation; its end is set when its parenthesis is closed.
  // forks: the values of `last` and `inner` before each open parenthesis.
  let [last, inner, forks] = [null, { end: begin }, []];
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
      // If a node has the same property twice, join the two lists of values.
      values = node[standardName(name)] ??= [];
      isBare = true;
      continue;
    }
    if (sign === ";") {
      if (!open) throw bad("unexpected node");
      node = {};
      const [from, variation] = [NODE_TOKEN.lastIndex - 1, inner];
      const follows = { node, next: [], text: () => text.slice(from, variation.end) };
      last?.next.push(follows);
      last = follows;
      if (isMain) line.push(follows);
      continue;
    }
    if (open && !node) throw bad("empty sequence");
    node = null;
    open = sign === "(";
    if (open) {
      forks.push([last, inner]);
      inner = { end: 0 };
    } else {
      inner.end = NODE_TOKEN.lastIndex - 1;
      [last, inner] = forks.pop() ?? [null, inner];
    }
    depth += open ? 1 : -1;
    isMain &&= open;
    if (!depth) return { line, end: NODE_TOKEN.lastIndex };
  }
}

function standardName(name) {
  return SGF_NAMES[name.toLowerCase()] ?? (name.replace(/[a-z]/g, "") || name.toUpperCase());
}

const valueIn = (node, name) => (node[name]?.[0] ?? "").replace(SGF_BLANKS, "");
const trimmed = (value) => value.replace(SGF_BLANK_ENDS, "");
const textIn = (node, name) => (node[name]?.[0] ?? "").replace(/\\([\s\S])/g, "$1").trim();

function sgfGame(line, rules) {
  const nodes = line.map(({ node }) => node);
  const root = nodes[0];
  const sized = checkSgf(root);
  const ours = valueIn(root, "RU").match(OUR_RULES);
  const stated = Number(valueIn(root, "KM") || NaN);
  if (ours) checkGame(Number(ours[1]), isKomi(stated) ? stated : KOMI);
  const walk = new SgfWalk(rules);
  try {
    nodes.forEach((node, index) => {
      walk.setUp(node, index + 1);
      for (const [name, values] of Object.entries(node))
        if (name === "B" || name === "W")
          for (const value of values) walk.play("BW".indexOf(name), sgfMove(value), `node ${index + 1}, ${name}`);
      for (const name of SGF_TITLES) if (node[name]) walk.titles.push(textIn(node, name));
      walk.addComment(textIn(node, "C"), index + 1);
    });
    walk.settle(/^\d+$/.test(valueIn(root, "HA")) && Number(valueIn(root, "HA")) > 1 ? 1 : walk.moverInComment());
  } catch (error) {
    if (error.fault === "off-board" && !sized)
      throw new BadText("not-5x5", `${error.message}; the game has no SZ, so it is on another board`);
    throw error;
  }
  const names = [textIn(root, "PB"), textIn(root, "PW")];
  const title = names.some(Boolean) ? `${names[0] || "?"} – ${names[1] || "?"}` : "SGF";
  const game = checked({ start: walk.start, moves: walk.moves, title, lenient: true }, rules);
  const unshown = { lines: 0, marks: new Set(), off: 0 };
  game.root = sgfRootNode(line, walk, game.start, rules, unshown);
  const [, side, how] = valueIn(root, "RE").match(/^([BW])\+([FRT])/) ?? [];
  const reason = { F: "forfeit", R: "resigned", T: "timeout" }[how] ?? "";
  // The SGF of this project has more details about the ending in its property LF (arena/standings/game_sgf.py).
  const [, told, illegal] = textIn(root, "LF").match(/^(\w+)(?: (\d+,\d+)(?= |$))?/) ?? [];
  const end = how && told ? told : reason;
  const last = game.moves.reduce((before, move) => rules.play(before, move), game.start);
  const { lost, left } = endOf(game, last, walk.moves, end, "BW".indexOf(side) + 1, end.startsWith("invalid_") ? (illegal ?? null) : null);
  const about = { result: "BW".indexOf(valueIn(root, "RE")[0] ?? "?") + 1 || null, reason: reason || told || "", agents: names.map((name) => name || "?") };
  return { ...game, about, lost, note: [komiNote(root), walk.note, game.note, left, unshownNote(unshown)].filter(Boolean).join(" ") };
}

// Return the root of the tree after the last set-up. This root also gets the properties of the game, such as the players'
// names, from the first node.
function sgfRootNode(line, walk, start, rules, unshown) {
  const { node, next } = line[walk.setUpAt];
  // If the node has moves, split it into a root and a node that follows the root.
  const isPlayed = movesOf(node).length > 0;
  const own = isPlayed ? without(node, TOLD) : node;
  const moves = without(node, Object.keys(own));
  const follows = isPlayed ? [{ node: moves, next, text: () => textOfNode(moves) + textOfLines(next) }] : next;
  const about = walk.setUpAt ? Object.fromEntries(Object.entries(line[0].node).filter(([name]) => !TOLD.includes(name))) : {};
  return sgfTree({ node: without({ ...about, ...own }, IN_ROOT), next: follows }, start, rules, unshown);
}

const without = (node, names) => Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)));

const textOfNode = (node) => `;${propertiesText(node)}`;
const propertiesText = (node) => Object.entries(node).map(([name, values]) => name + values.map((value) => `[${value}]`).join("")).join("");
const textOfLines = (lines) => (lines.length === 1 ? lines[0].text() : lines.map((one) => `(${one.text()})`).join(""));

function unshownNote({ lines, marks, off }) {
  const names = [...marks].sort();
  const kept = (what, are) => `${what} ${are} kept in the SGF but not shown here`;
  return [
    lines ? `${kept(lines === 1 ? "A variation" : `${lines} variations`, lines === 1 ? "is" : "are")}: stones set up, no move, or one that the rules forbid.` : "",
    names.length ? `${kept(`The marks ${names.join(" and ")}`, "are")}.` : "",
    off === 1 ? "A mark is off the board, and is left out." : off ? `${off} marks are off the board, and are left out.` : "",
  ].filter(Boolean).join(" ");
}

const SGF_MARKS = { TR: "triangle", SQ: "square", CR: "circle", LB: "letter", AR: "arrow" };

const OUR_COMMENT = /^(?:.* under best play\.|Not computed\.)(?: Best line: .*)?$/;

const SET_UP = ["AB", "AW", "AE", "PL", "LG"];
// IN_ROOT: the properties that the page itself writes into a root. TOLD: the properties of a node that the page shows.
const IN_ROOT = [...SET_UP, "FF", "GM", "CA", "AP", "SZ", "KM", "RU"];
const TOLD = ["B", "W", "C", "N", ...Object.keys(SGF_MARKS)];
const UNSHOWN_MARKS = ["MA", "LN", "SL", "DD", "VW"];

// Return whether the set-up in a node changes the position.
function isSetUp(node, position) {
  if (!SET_UP.some((name) => node[name])) return false;
  const [black, white, empty] = ["AB", "AW", "AE"].map((name) => sgfPoints(node[name] ?? []));
  const kept = ~(black | white | empty);
  const mover = node.PL && trimmed(node.PL[0]).toLowerCase();
  return (
    ((position.black & kept) | black) !== position.black ||
    ((position.white & kept) | white) !== position.white ||
    (mover !== undefined && Number(!"b1".includes(mover[0] ?? "")) !== moverOf(position)) ||
    Boolean(node.LG)
  );
}

// Return the variations, comments and marks after a position as a tree. The tree also keeps everything that the page cannot
// show, so that the page can write it again: other properties in `more`, and lines with a set-up or an illegal move in `kept`.
// isKeptFirst: whether the main line is the first line in `kept`. unshown: the number of kept lines and the names of the marks
// that the page cannot show; this function updates them.
function sgfTree({ node, next }, position, rules, unshown, move = null) {
  let told = toldOn(node, unshown);
  const children = [];
  const kept = [];
  const keep = (one) => {
    unshown.lines++;
    kept.push(one.text());
  };
  const take = (one, before) => {
    if (isEnd(one)) return;
    if (isOddNode(one.node, position)) return keep(one);
    const moves = movesOf(one.node);
    // If a variation has a text before its first move, add the text to that move.
    if (!moves.length) {
      if (!leadsOn(one, position, rules)) return keep(one);
      const words = toldMerged(before, toldOn(one.node, unshown));
      return one.next.forEach((each, index) => take(each, index ? {} : words));
    }
    const child = sgfChild(one, moves, position, rules, unshown);
    if (!child) return keep(one);
    const whole = { ...child, ...toldMerged(before, child) };
    const had = children.findIndex((other) => other.move === child.move);
    if (had < 0) children.push(whole);
    else children[had] = joined(children[had], whole);
  };
  // A node without a move belongs to the same position as the node before it, so merge the two nodes.
  next = withoutEnds(next);
  while (next.length === 1 && !movesOf(next[0].node).length && !isOddNode(next[0].node, position)) {
    told = toldMerged(told, toldOn(next[0].node, unshown));
    next = withoutEnds(next[0].next);
  }
  next.forEach((one) => take(one, {}));
  const isKeptFirst = next.length > 0 && kept[0] === next[0].text();
  const ends = next.length > 1 && isEnd(next[0]) && children.length + kept.length > 0;
  return { move, ...told, ...keptLines(kept, isKeptFirst, ends), children };
}

// Return whether a node is empty and no node follows it. Such a node means that one of several lines ends at the position
// before the node.
const isEnd = ({ node, next }) => !next.length && !Object.keys(node).length;

const withoutEnds = (next) => next.filter((one, index) => !index || !isEnd(one));

// Return the fields of a node of the tree about lines that the page does not show. kept: the SGF of these lines. isKeptFirst:
// whether the main line is the first line in `kept`. ends: whether one of the lines ends at this node.
const keptLines = (kept, isKeptFirst, ends) => ({
  ...(kept.length ? { kept } : {}),
  ...(isKeptFirst ? { isKeptFirst } : {}),
  ...(ends ? { ends } : {}),
});

// Skip nodes without moves, and return whether the first move after these nodes is legal.
function leadsOn(one, position, rules) {
  let at = one;
  while (at && !movesOf(at.node).length && !isOddNode(at.node, position)) at = at.next[0];
  if (!at || isOddNode(at.node, position)) return false;
  const [[colour, value]] = movesOf(at.node);
  return colour === moverOf(position) && orNull(() => rules.illegal(position, sgfMove(value)) === null) === true;
}

const movesOf = (node) =>
  Object.entries(node).flatMap(([name, values]) => (name === "B" || name === "W" ? values.map((value) => ["BW".indexOf(name), value]) : []));

// Return whether the set-up in a node changes the position or cannot be read.
function isOddNode(node, position) {
  return orNull(() => isSetUp(node, position)) ?? true;
}

// Merge two nodes that have the same move.
function joined(one, other) {
  const children = [...one.children];
  for (const child of other.children) {
    const had = children.findIndex(({ move }) => move === child.move);
    if (had < 0) children.push(child);
    else children[had] = joined(children[had], child);
  }
  const kept = [...(one.kept ?? []), ...(other.kept ?? [])];
  const isLeaf = (node) => !node.children.length && !node.kept;
  const ends = one.ends || (isLeaf(one) && !isLeaf(other));
  return { ...one, ...toldMerged(one, other), ...keptLines(kept, one.isKeptFirst, ends), children };
}

// Merge the comments, names, marks and other properties of two nodes of one position.
function toldMerged(one, other) {
  const told = {};
  const note = [one.note, other.note].filter(Boolean).join("\n");
  const name = one.name ?? other.name;
  const marks = [...(one.marks ?? []), ...(other.marks ?? [])];
  const more = { ...one.more };
  for (const [name, values] of Object.entries(other.more ?? {})) more[name] = [...(more[name] ?? []), ...values];
  if (note) told.note = note;
  if (name) told.name = name;
  if (marks.length) told.marks = marks;
  if (Object.keys(more).length) told.more = more;
  return told;
}

// Return the subtree of the first move in a node. The other moves of the node become separate nodes after the first move.
// Return null if the rules forbid the first move.
function sgfChild(one, moves, position, rules, unshown) {
  const [[colour, value], ...others] = moves;
  const move = orNull(() => sgfMove(value));
  if (move === null || colour !== moverOf(position) || rules.illegal(position, move)) return null;
  const after = rules.play(position, move);
  if (!others.length) return sgfTree({ node: without(one.node, SET_UP), next: one.next }, after, rules, unshown, move);
  const rest = others.reduceRight(
    (next, [side, raw], index) => {
      const node = { ["BW"[side]]: [raw], ...(index === others.length - 1 ? without(one.node, ["B", "W", ...SET_UP]) : {}) };
      return [{ node, next, text: () => textOfNode(node) + textOfLines(next) }];
    },
    one.next,
  );
  return sgfTree({ node: {}, next: rest }, after, rules, unshown, move);
}

function toldOn(node, unshown) {
  const told = {};
  // Remove the comments that this page or `little-go review --sgf` wrote, because these comments are computed from the game.
  const note = textIn(node, "C").split("\n").filter((line) => !OUR_COMMENT.test(line)).join("\n").trim();
  if (note) told.note = note;
  if (textIn(node, "N")) told.name = textIn(node, "N");
  const marks = Object.entries(SGF_MARKS).flatMap(([name, kind]) => (node[name] ?? []).map((value) => markIn(kind, value)));
  const onBoard = marks.filter((found) => found !== null).flat();
  unshown.off += marks.filter((found) => found === null).length;
  if (onBoard.length) told.marks = onBoard;
  const more = without(node, [...TOLD, ...SET_UP]);
  if (Object.keys(more).length) told.more = more;
  for (const name of UNSHOWN_MARKS) if (node[name]) unshown.marks.add(name);
  return told;
}

// Return the marks of a value, which can also be a rectangle of points, or null if a point is not on the board.
function markIn(kind, value) {
  const [first, second] = [value.slice(0, 2), value.slice(3)];
  const marks = {
    letter: () => [{ kind, point: sgfPointOf(first), text: second.replace(/\\([\s\S])/g, "$1") }],
    arrow: () => [{ kind, point: sgfPointOf(first), to: sgfPointOf(second) }],
  };
  return orNull(marks[kind] ?? (() => pointsOf(sgfPoints([value])).map((point) => ({ kind, point }))));
}

// Return whether the game states its board size, 5x5. Throw BadText if it states another size or another game.
function checkSgf(root) {
  const [size, kind] = [valueIn(root, "SZ"), valueIn(root, "GM")];
  if (!["", "1"].includes(kind)) throw new BadText("other-game", `GM: ${shown(kind)} is another game, and Go is 1`);
  if (root.SZ?.length > 1) throw new BadText("damaged", "SZ: it has two sizes: delete the wrong one");
  if (!size || /^0*5(?::0*5)?$/.test(size)) return size !== "";
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

// A pattern of the end of a comment that includes the next move, because the closing bracket of the comment is missing.
const OPEN_COMMENT = /;\s*[BW]\s*\[[A-Za-z]{0,2}$/;

// The properties, except comments, that contain a text about a game or a node.
const SGF_TITLES = ["GN", "GC", "EV", "N"];

// A main line that is being replayed. If a set-up changes the board or the mover, a new game begins at the changed position.
class SgfWalk {
  constructor(rules) {
    this.rules = rules;
    this.begin(START, "");
    this.mover = null;
    this.told = null;
    this.comments = [];
    this.titles = [];
    this.notedAt = 0;
    // The index of the node with the last set-up, and the index of the node at which the game begins.
    this.lastSetUp = 0;
    this.setUpAt = 0;
  }

  begin(position, note) {
    const number = this.moves?.length ?? 0;
    const before = number ? `The ${number === 1 ? "move" : `${number} moves`} before its last set-up do${number === 1 ? "es" : ""} not count.` : "";
    note = [before, note].filter(Boolean).join(" ");
    this.setUpAt = this.lastSetUp ?? 0;
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
    if ((black | white) & empty) throw new BadText("damaged", `node ${number}: a point gets a stone and is made empty`);
    const kept = ~(black | white | empty);
    this.stones = [(this.stones[0] & kept) | black, (this.stones[1] & kept) | white];
    if (SET_UP.some((name) => node[name])) this.lastSetUp = number - 1;
    if (node.LG) this.told = node.LG[0].trim();
    if (!node.PL) return;
    const colour = trimmed(node.PL[0]).toLowerCase();
    if (!["b", "w", "black", "white", "1", "2"].includes(colour))
      throw new BadText("damaged", `node ${number}, PL: ${shown(colour)} is not a colour: write B or W`);
    this.mover = Number(!"b1".includes(colour[0]));
  }

  // Add the comment of a node. Remove the comments that were added before the last move.
  addComment(comment, number) {
    if (OPEN_COMMENT.test(comment)) throw new BadText("damaged", `node ${number}, C: a comment lacks its ]: put it before the next move`);
    if (this.moves.length !== this.notedAt) this.comments = [];
    this.notedAt = this.moves.length;
    if (comment) this.comments.push(comment);
  }

  // If a set-up has no PL, return the side to move according to the titles and comments. Return null if the texts do not state
  // a side, or if no side is needed.
  moverInComment() {
    const { position, stones: [black, white] } = this;
    const said = [...this.titles, ...this.comments].join("\n");
    if (this.mover !== null || !said || (black === position.black && white === position.white)) return null;
    return reading.read_mover(new Ports(said), said);
  }

  // Begin a new game if the set-ups since the last move change the position. next: the colour that plays next, or null if it is
  // not known.
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
    const { start, note } = placedGame(placed, "Its set-up");
    this.begin(start, note);
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

// Return the position that the property LG describes, including ply, ko and PASS. Only this project writes the property. Return null if
// the text cannot be read.
const toldStart = (text, rules) => orNull(() => startOf(text, rules));

function sgfMove(raw) {
  const value = trimmed(raw);
  return value === "" || value === "tt" ? PASS : sgfPointOf(value);
}

function sgfPointOf(value) {
  const [column, row] = [SGF_POINTS.indexOf(value[0]), SGF_POINTS.indexOf(value[1])];
  if (value.length === 2 && column >= 0 && row >= 0) return SIZE * row + column;
  const fault = /^[a-z]{2}$/i.test(value) ? "off-board" : "not-a-move";
  throw new BadText(fault, `${shown(value)} is not a point of this board: write two letters from a to e`);
}

// Return the mask of a list of points, which can include rectangles.
function sgfPoints(values) {
  let mask = 0;
  for (const value of values) {
    const [first, last] = value.replace(SGF_BLANKS, "").split(":");
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

// Return a tree as SGF. said(path): a comment to add to the user's comment. more(path): computed lines to add as variations,
// each with its moves and a comment. A computed line is omitted if the tree has a variation with the same first move.
export function sgfOfTree({ start, root }, said = (/** @type {any} */ _) => "", more = (/** @type {any} */ _) => []) {
  const written = (node, path) => {
    const move = path.length ? sgfNode(start.ply + path.length - 1, node.move) : sgfRoot(start);
    const comment = [node.note, said(path)].filter(Boolean).join("\n");
    const text = (name, value) => (value ? `${name}[${escaped(value)}]` : "");
    const own = `${move}${propertiesText(node.more ?? {})}${text("N", node.name)}${text("C", comment)}${sgfMarks(node.marks ?? [])}\n`;
    const isNew = ({ moves }) => node.children.every((child) => child.move !== moves[0]);
    const others = more(path).filter(isNew).map(({ moves, comment }) => moves.map((each, k) =>
      sgfNode(start.ply + path.length + k, each) + (k ? "" : text("C", comment))).join(""));
    const [shownLines, kept] = [[...node.children.map((child) => written(child, [...path, child.move])), ...others], node.kept ?? []];
    const inOrder = node.isKeptFirst ? [kept[0], ...shownLines, ...kept.slice(1)] : [...shownLines, ...kept];
    const lines = node.ends ? [";", ...inOrder] : inOrder;
    return lines.length < 2 && !node.kept ? own + lines.join("") : own + lines.map((line) => `(${line})\n`).join("");
  };
  return `(${written(root, [])})\n`;
}

const sgfNode = (ply, move) => `;${"BW"[ply % 2]}[${sgfPoint(move)}]`;

// Return marks as SGF, with one property for each kind of mark.
function sgfMarks(marks) {
  const text = (kind) => marks.filter((mark) => mark.kind === kind).map(({ point, to, text }) => {
    const rest = kind === "letter" ? `:${escaped(text)}` : kind === "arrow" ? `:${sgfPoint(to)}` : "";
    return `[${sgfPoint(point)}${rest}]`;
  });
  const named = Object.entries(SGF_MARKS).map(([name, kind]) => [name, text(kind)]);
  return named.map(([name, points]) => (points.length ? name + points.join("") : "")).join("");
}

// Return a line as SGF. comments[i]: the comment on the position after i moves. variations[i]: other lines from the position
// after i moves.
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
