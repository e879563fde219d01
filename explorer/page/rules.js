// Positions and rules. This module calls the kernel for the rules, so the page contains the rules only once.
//
// A position is { black, white, ko, ply, passed }, as in the JSON of the command line. black, white: the stones as masks, where
// bit 5 * i + j is the point in row i, column j. ko: a point, or null. ply: the number of plies played. A value is Black's stones
// minus White's at the end.

import { GAME_PLIES, KOMI } from "./game.js";

export const SIZE = 5;
export const POINTS = 25;
export const PASS = 25;
export const NO_MOVE = 26;
export const NO_GUESS = 99;
// The ply at which the game ends. Keys and the kernel count the plies that are left instead.
export const PLIES = GAME_PLIES;
// The length and komi of the course's game. A text that states no other game is about the course's game.
export const COURSE_PLIES = 24;
export const COURSE_KOMI = 2.5;
export const MOST = 24;
export const FULL = 0x1ffffff;
// The least value with which Black wins.
export const BLACK_WINS = Math.floor(KOMI) + 1;
export const NAMES = ["Black", "White"];

// The reasons in all messages about illegal moves, with the words of solver/position.py.
export const OFF_BOARD = "off the board";
export const OCCUPIED = "occupied";
export const BY_KO = "forbidden by ko";
export const SUICIDE = "suicide";

export const START = Object.freeze({ black: 0, white: 0, ko: null, ply: 0, passed: false });

// The length of the course's game. In a shorter game, the empty board has the key of an empty board after a PASS, with fewer
// plies left (solver/family.py).
const MOST_PLIES = 24;

// Return whether a position is START or a copy of it.
export const isStart = ({ black, white, ply }) => !black && !white && ply === START.ply;

const NO_KO = -1;
// The kernel's fault() returns the number of a reason times FAULT, plus a point (solver/native/wasm.c).
const FAULT = 32;
const FAULTS = [
  null,
  (point) => `the group at ${moveName(point)} has no liberty`,
  (point) => `the ko point ${moveName(point)} is not surrounded by the opponent`,
  (point) => `no single stone next to ${moveName(point)} can have captured there`,
];

export async function openKernel(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes);
  return instance.exports;
}

export function moveName(move) {
  return move === PASS ? "PASS" : `${Math.floor(move / SIZE)},${move % SIZE}`;
}

// Return the mover: 0 for Black, 1 for White.
export function moverOf(position) {
  return position.ply % 2;
}

// Return 1 if Black moves, otherwise -1. Multiplication by this number converts a value between the mover's side and Black's
// side.
export function signOf(position) {
  return 1 - 2 * moverOf(position);
}

export function isOver(position) {
  return position.ply >= PLIES;
}

// Return whether a PASS now ends the game. A PASS as the first ply ends the game, because the board stays empty.
export function passEnds(position) {
  return position.passed || position.ply === 0;
}

export function countOf(mask) {
  return pointsOf(mask).length;
}

export function marginOf(position) {
  return countOf(position.black) - countOf(position.white);
}

export function pointsOf(mask) {
  return [...Array(POINTS).keys()].filter((point) => (mask >> point) & 1);
}

// Return the colour of the stone on a point, 0 or 1, or null if the point is empty.
export function stoneAt(position, point) {
  return (position.black >> point) & 1 ? 0 : (position.white >> point) & 1 ? 1 : null;
}

export function keyOf(position) {
  return (
    BigInt(position.black) |
    (BigInt(position.white) << 25n) |
    (BigInt(position.ko === null ? 0 : position.ko + 1) << 50n) |
    (BigInt(PLIES - position.ply) << 55n) |
    (BigInt(position.passed || (position.ply === 0 && PLIES < MOST_PLIES) ? 1 : 0) << 60n)
  );
}

export function positionOf(key) {
  const ko = Number((key >> 50n) & 31n);
  const ply = PLIES - Number((key >> 55n) & 31n);
  return {
    black: Number(key & BigInt(FULL)),
    white: Number((key >> 25n) & BigInt(FULL)),
    ko: ko ? ko - 1 : null,
    ply,
    passed: key >> 60n === 1n && ply > 0,
  };
}

// Return a position as arguments of the kernel's functions: the mover's stones, the opponent's stones, the ko point, the plies
// left, and whether a PASS ends the game.
export function kernelArguments(position) {
  const sides = moverOf(position) ? [position.white, position.black] : [position.black, position.white];
  return [...sides, position.ko ?? NO_KO, PLIES - position.ply, passEnds(position) ? 1 : 0];
}

// Return a position that the kernel describes from the mover's side.
export function positionSeen(me, opp, ko, left, passed) {
  const [black, white] = left % 2 ? [opp >>> 0, me >>> 0] : [me >>> 0, opp >>> 0];
  const ply = PLIES - left;
  return { black, white, ko: ko === NO_KO ? null : ko, ply, passed: Boolean(passed) && ply > 0 };
}

// Return the moves of a line in the kernel's memory, which is a struct PlayLine (solver/native/explain.h). count: the new
// length of the line, or null to keep the length.
export function lineOf(kernel, which, count = null) {
  const view = new DataView(kernel.memory.buffer, kernel.line(which));
  if (count !== null) view.setInt32(0, count, true);
  return new Uint8Array(kernel.memory.buffer, view.byteOffset + 4, view.getInt32(0, true));
}

export class Rules {
  constructor(kernel) {
    this.kernel = kernel;
  }

  // Return the legal moves, points in order and PASS last. If the game is over, return an empty list.
  legalMoves(position) {
    if (isOver(position)) return [];
    const [me, opp, ko] = kernelArguments(position);
    return [...pointsOf(this.kernel.legal(me, opp, ko)), PASS];
  }

  // Return the position after a legal move. If the move is a PASS that ends the game, the ply of the position is PLIES.
  play(position, move) {
    const { kernel } = this;
    kernel.play(...kernelArguments(position), move);
    const [me, opp] = [kernel.me() >>> 0, kernel.opp() >>> 0];
    const [black, white] = moverOf(position) ? [me, opp] : [opp, me];
    const ko = kernel.ko();
    return { black, white, ko: ko === NO_KO ? null : ko, ply: PLIES - kernel.left(), passed: move === PASS };
  }

  // Return the position's canonical key, which is the same for all rotations and reflections of the position.
  key(position) {
    return this.canonical(keyOf(position));
  }

  // Return the canonical key of a position whose key is known in any orientation.
  canonical(key) {
    return BigInt.asUintN(64, this.kernel.canonical(key));
  }

  // Return the sorted canonical keys of all positions one ply later in which the game is not over. Each key occurs once.
  nextPly(keys) {
    const { kernel } = this;
    const found = [];
    for (const key of keys)
      for (let index = kernel.children(key) - 1; index >= 0; index--) {
        const child = BigInt.asUintN(64, kernel.child(index));
        if ((child >> 55n) & 31n) found.push(child);
      }
    return BigUint64Array.from(found)
      .sort()
      .filter((key, index, sorted) => key !== sorted[index - 1]);
  }

  // Return the reason, as a clause, why a move is illegal, or null if the move is legal.
  illegal(position, move) {
    if (isOver(position)) return "the game is over";
    if (move === PASS || this.legalMoves(position).includes(move)) return null;
    if (stoneAt(position, move) !== null) return `${moveName(move)} is ${OCCUPIED}`;
    if (move === position.ko) return `${moveName(move)} is ${BY_KO}`;
    return `${moveName(move)} is ${SUICIDE}`;
  }

  // Return the reason, as a clause, why a position is impossible, or null if it is possible. Position.check() in
  // solver/position.py has the same result.
  fault(position) {
    const { black, white, ko, ply, passed } = position;
    if (black & white) return `${moveName(pointsOf(black & white)[0])} holds both a black and a white stone`;
    if (!(ply >= 0 && ply <= PLIES)) return `ply ${ply} is not within 0 to ${PLIES}`;
    if (ply === 0 && (black || white || passed)) return "the game starts from the empty board";
    const board = this.kernel.fault(black, white, NO_KO);
    if (board) return faultText(board);
    if (ko === null) return null;
    if (passed) return `ko at ${moveName(ko)} after a PASS: a PASS lifts every ko`;
    if (stoneAt(position, ko) !== null) return `the ko point ${moveName(ko)} is ${OCCUPIED}`;
    return faultText(this.kernel.fault(...kernelArguments(position).slice(0, 3)));
  }

  // Return the legal moves in classes { moves, key, child }, ordered by the first move of each class. Moves belong to one class
  // if the positions after these moves are rotations or reflections of each other.
  classes(position) {
    const classes = new Map();
    for (const move of this.legalMoves(position)) {
      const child = this.play(position, move);
      const key = this.key(child);
      if (classes.has(key)) classes.get(key).moves.push(move);
      else classes.set(key, { moves: [move], key, child });
    }
    return [...classes.values()];
  }
}

function faultText(fault) {
  return fault ? FAULTS[Math.floor(fault / FAULT)](fault % FAULT) : null;
}
