// Run the page's modules in Node.js. Each line of input is JSON, { kind, vectors }. For each, write a line with the outcome of
// each vector.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import * as evidence from "../../explorer/page/evidence.js";
import { Facts, verdictSource } from "../../explorer/page/facts.js";
import { commandOf, fragmentOf, inputText, positionRecord, positionText, readGames, sgfOf, sgfOfTree, textOf } from "../../explorer/page/formats.js";
import { isBest, lossText, moveLabel, ranked } from "../../explorer/page/moves.js";
import { CHOOSERS, chancesOf, drawn } from "../../explorer/page/opponents.js";
import { reason } from "../../explorer/page/explained.js";
import { Level, readBlocks } from "../../explorer/page/levels.js";
import { BadText, leftOut, notRead, partsOf, shown } from "../../explorer/page/parts.js";
import * as board from "../../explorer/page/rules.js";
import { ghostsOf } from "../../explorer/page/board.js";
import { fitting } from "../../explorer/page/puzzles.js";
import { mistakeRecord, mistakesOf, turningPoint } from "../../explorer/page/mistakes.js";
import { reachOf } from "../../explorer/page/reach.js";
import { asCsv, plyRows } from "../../explorer/page/tables.js";
import * as words from "../../explorer/page/words.js";

const rules = new board.Rules(await board.openKernel(readFileSync(new URL("../../explorer/kernel.wasm", import.meta.url))));
const { features, models } = JSON.parse(readFileSync(new URL("../../generator/opponents/models.json", import.meta.url)));

const bounds = ([lo, hi]) => ({ lo, hi });
const listed = ({ lo, hi }) => [lo, hi];
const { intersect, moverEnd, opponentEnd, bestOf, afterMove, pointsLost } = evidence;

// By the name of a law in the file: (black, …given) => its outcome. evidence.js has the colours 0 and 1, and the file has 1 and
// 2.
const LAWS = {
  value: (black, one) => evidence.valueOf(bounds(one)),
  winner: (black, one) => ({ 0: 1, 1: 2, null: null })[evidence.winnerOf(bounds(one))],
  at_least: (black, one, goal) => evidence.atLeast(bounds(one), goal),
  reach: (black, one) => evidence.moverBound(black, bounds(one)),
  most: (black, one) => evidence.opponentBound(black, bounds(one)),
  kept: (black, one) => listed(moverEnd(black, bounds(one))),
  capped: (black, one) => listed(opponentEnd(black, bounds(one))),
  meet: (black, one, other) => listed(intersect(bounds(one), bounds(other))),
  best_of: (black, moves) => listed(bestOf(black, moves.map(bounds))),
  after_move: (black, here, isBest) => listed(afterMove(black, bounds(here), isBest)),
  goal_of: (black, value) => evidence.goalOf(value, black),
  won_by: (black, colour) => listed(evidence.wonBy(colour - 1)),
  points_lost: (black, here, after, others) => pointsLost(black, bounds(here), bounds(after), others.map(bounds)),
  rank: (black, after) => evidence.rank(black, bounds(after)).map((part) => part + 0),
};

const EMPTY = { keys: new BigUint64Array(0), lo: new Int8Array(0), hi: new Int8Array(0), best: [], decided: [] };

function question({ position, told }) {
  const facts = new Facts(rules, { book: EMPTY, atlas: EMPTY, lines: EMPTY, proved: EMPTY, traps: new Map() });
  try {
    // If the move is null, the bounds are those of the position itself.
    for (const [move, lo, hi] of told) facts.note(rules.key(move === null ? position : rules.play(position, move)), { lo, hi }, 0, 0);
    const { fact, moves } = facts.about(position);
    const rows = ranked(position, { moves });
    return {
      bounds: listed(fact),
      moves: rows.map((one) => [one.moves[0], ...listed(one.fact), ...one.lost]),
      best: moves.filter(isBest).flatMap((one) => one.moves).sort((a, b) => a - b),
    };
  } catch (error) {
    if (!(error instanceof evidence.Contradiction)) throw error;
    return { contradiction: true };
  }
}

// Return everything that the rules answer about a position, which can be impossible, and about its moves.
function ruled(position) {
  const fault = rules.fault(position);
  if (fault) return { fault };
  const moves = rules.legalMoves(position);
  const every = [...Array(board.POINTS + 1).keys()];
  return {
    fault,
    moves,
    after: moves.map((move) => rules.play(position, move)),
    illegal: every.map((move) => rules.illegal(position, move)),
    classes: rules.classes(position).map(({ moves: alike, key, child }) => [alike, String(key), child]),
    key: String(board.keyOf(position)),
    canonical: String(rules.key(position)),
    again: board.positionOf(board.keyOf(position)),
    next: [...rules.nextPly([rules.key(position)])].map(String),
    is_over: board.isOver(position),
    pass_ends: board.passEnds(position),
    margin: board.marginOf(position),
    mover: board.moverOf(position),
    sign: board.signOf(position),
    stones: every.slice(0, -1).map((point) => board.stoneAt(position, point)),
  };
}

function read(input) {
  try {
    const [game] = readGames(textOf(Buffer.from(input, "hex")), rules);
    const moves = game.moves.slice(0, game.at ?? game.moves.length);
    const position = moves.reduce((before, move) => rules.play(before, move), game.start);
    const written = game.fault ? [] : writtenOf(game, moves, position);
    return { fault: game.fault ?? null, position, written, note: game.note ?? "", parts: game.parts, left: leftOut(game.parts) };
  } catch (error) {
    if (!(error instanceof BadText)) throw error;
    return { fault: error.fault, message: error.message };
  }
}

// Write the position in all forms of the dialog "Share". The tests read each text again.
function writtenOf({ start }, moves, position) {
  const previous = moves.slice(0, -1).reduce((before, move) => rules.play(before, move), start);
  return [
    `explorer.html#${fragmentOf({ start, moves, at: moves.length })}`,
    `explorer.html#${fragmentOf({ start: position, moves: [], at: 0 })}`,
    positionRecord(position),
    sgfOf({ start, moves }, [], moves.map(() => [])),
    sgfOf({ start: position, moves: [] }, [], []),
    ...(start === board.START ? [commandOf(moves.map(board.moveName).join(" "))] : []),
    inputText(position, moves.length ? previous : null),
  ];
}

// Read a text that repeats a piece many times. Return the outcome and the CPU seconds.
function hostile([begin, piece, times, end]) {
  const content = Buffer.from(begin + piece.repeat(times) + end, "utf8");
  const seconds = (work) => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  let said;
  const cpu = seconds(() => {
    try {
      const [{ fault }] = readGames(textOf(content), rules);
      said = fault ?? "read";
    } catch (error) {
      said = error instanceof BadText ? error.message : `raised: ${error.name}`;
    }
  });
  return { said, cpu };
}

function opponents(position) {
  const moves = Object.entries(CHOOSERS).map(([name, choose]) => [name, choose(rules, position).moves]);
  const chances = chancesOf(rules, position, { features, weights: models.map(({ weights }) => weights) });
  return { ...Object.fromEntries(moves), human: [chances.moves, chances.weights] };
}

// Return the data of the games of a file: titles, ends, notes, and the tree as it is written again.
function games(text) {
  return readGames(text, rules).map(({ title, start, moves, note, about, lost, root, fault }) => ({
    title,
    moves,
    note: note ?? "",
    about: about ?? null,
    lost: lost ?? null,
    ended: lost ? words.lostText(lost, moves.length) : null,
    fault: fault ?? null,
    root: root ?? null,
    again: root ? sgfOfTree({ start, root }) : null,
  }));
}

// Return what the page shows of each game of a text, or the error. Fields without a content are omitted.
function opened(text) {
  const said = ({ title, start, moves, at, note, about, lost, fault, parts }) => ({
    title,
    start: start === board.START ? "" : positionText(start),
    moves: moves.map(board.moveName).join(" "),
    at: at === undefined || at === moves.length ? "" : String(at),
    note,
    about: about ? [about.result, about.reason, ...about.agents].join() : "",
    lost: lost ? [lost.reason, lost.move].join() : "",
    fault: fault ?? "",
    left: leftOut(parts).join("|"),
  });
  try {
    return readGames(text, rules).map((game) => Object.fromEntries(Object.entries(said(game)).filter(([, value]) => value)));
  } catch (error) {
    if (!(error instanceof BadText)) throw error;
    return `${error.fault}: ${error.message}`;
  }
}

// Return the SGF that is written again for each game of a text, without the properties that each root has.
function rewritten(text) {
  return readGames(text, rules).map(({ start, root }) => sgfOfTree({ start, root }).replace(/^\(;FF\[4\].*?plies\]/, "(;").replace(/\n(?=[;()]|$)/g, ""));
}

// Write a game as SGF, with a computed comment on each node and computed lines at a path. Then read and write the result once
// more.
function computed([text, at, lines]) {
  const said = () => "B+0.5 under best play.";
  const more = (path) => (path.join() === at.join() ? lines.map((moves) => ({ moves, comment: "Better: W+2.5." })) : []);
  const [first] = readGames(text, rules);
  const once = sgfOfTree(first, said, more);
  const [again] = readGames(once, rules);
  return { once, root: again.root, twice: sgfOfTree(again, said, more) };
}

// Return the bounds on each position of a line, after the bounds on the last one are applied to those before it.
function carriedBack({ moves, told }) {
  const positions = moves.reduce((line, move) => [...line, rules.play(line.at(-1), move)], [board.START]);
  const facts = new Facts(rules, { book: EMPTY, atlas: EMPTY, lines: EMPTY, proved: EMPTY, traps: new Map() });
  facts.note(rules.key(positions.at(-1)), bounds(told), 0, 0);
  facts.carryBack(positions);
  return positions.map((position) => listed(facts.own(position)));
}

// Return the mistakes of a line, as in a review. lines: by the ply of a mistake, best play after it and instead of it, and the
// outcome of the search for both lines.
function reviewed({ start, moves, bounds: ends, lines }) {
  const positions = moves.reduce((line, move) => [...line, rules.play(line.at(-1), move)], [start]);
  const mistakes = mistakesOf({ moves, positions }, ends.map(bounds));
  const why = ({ position }) => {
    const [worse, better, outcome] = lines[position.ply + 1];
    return { worse, better, told: reason(rules, position, worse, better, outcome) };
  };
  const turning = turningPoint(mistakes);
  return { mistakes: mistakes.map((each) => mistakeRecord(each, why(each))), turning_point: turning && turning.position.ply + 1 };
}

// Return whether a game reaches a position, without the atlas, so that the search must find out.
function reach(position) {
  const { reached, why } = reachOf(rules, { lists: () => false }, position);
  return [reached, why];
}

// Return the stored value of each key. A key in a block that is not stored has the value "no block".
function levels({ ply, bytes, keys }) {
  try {
    const level = new Level(ply, readBlocks(ply, Uint8Array.from(Buffer.from(bytes, "hex"))), rules, false);
    return keys.map((key) => {
      const value = level.value(BigInt(key));
      return value === undefined ? "no block" : value;
    });
  } catch (error) {
    return { error: error.message };
  }
}

// By the name of a function: (…given) => its outcome.
const TABLES = { ...words, asCsv, drawn, fragmentOf, inputText, notRead, plyRows, pointsLost, shown, fitting, ghostsOf, lossText, moveLabel, partsOf, verdictSource };

const KINDS = {
  laws: ({ law, black, given }) => LAWS[law](black, ...given),
  questions: question,
  reasons: ({ position, worse, better, outcome }) => reason(rules, position, worse, better, outcome),
  rules: ruled,
  readers: read,
  hostile,
  levels,
  opponents,
  games,
  opened,
  rewritten,
  decoded: (bytes) => textOf(Buffer.from(bytes, "hex")),
  computed,
  reviewed,
  carriedBack,
  reach,
  tables: ({ name, given }) => TABLES[name](...given) ?? null,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { kind, vectors } = JSON.parse(line);
  let answer;
  try {
    answer = { outcomes: vectors.map((vector) => KINDS[kind](vector)) };
  } catch (error) {
    answer = { error: error.stack };
  }
  console.log(JSON.stringify(answer));
}
