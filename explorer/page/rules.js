// Positions, and the rules as the kernel has them: no second copy of them is here.
//
// A position is { black, white, ko, ply, passed } as in the JSON of the command line: stones as bit sets, bit 5 * i + j
// for the point in row i, column j; ko a point or null; plies played. Values are stones Black - White.

import { GAME_PLIES, KOMI } from "./game.js";

export const SIZE = 5;
export const POINTS = 25;
export const PASS = 25;
export const NO_MOVE = 26;
export const NO_GUESS = 99;
// The ply at which the game ends. Keys and the kernel count plies left.
export const PLIES = GAME_PLIES;
// Those of the course's game, which texts name that name no other one.
export const COURSE_PLIES = 24;
export const COURSE_KOMI = 2.5;
export const MOST = 24;
export const FULL = 0x1ffffff;
// The least value with which Black wins.
export const BLACK_WINS = Math.floor(KOMI) + 1;
export const NAMES = ["Black", "White"];

export const START = Object.freeze({ black: 0, white: 0, ko: null, ply: 0, passed: false });

// By solver/family.py the empty board of a shorter game counts as one after a PASS, which keys tell.
const MOST_PLIES = 24;

// Whether a position is START, also as a copy.
export const isStart = ({ black, white, ply }) => !black && !white && ply === START.ply;

const NO_KO = -1;
// A fault's number, as solver/native/wasm.c packs it: what is wrong, and the point that shows it.
const FAULT = 32;
const FAULTS = [
  null,
  (point) => `the group at ${moveName(point)} has no liberty`,
  (point) => `the ko point ${moveName(point)} is not surrounded by the opponent`,
  (point) => `no lone stone beside ${moveName(point)} could have taken the ko`,
];

export async function openKernel(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes);
  return instance.exports;
}

export function moveName(move) {
  return move === PASS ? "PASS" : `${Math.floor(move / SIZE)},${move % SIZE}`;
}

// The mover: 0 Black, 1 White.
export function moverOf(position) {
  return position.ply % 2;
}

// 1 when Black moves, else -1: what turns a value from the mover's side into one from Black's, and back.
export function signOf(position) {
  return 1 - 2 * moverOf(position);
}

export function isOver(position) {
  return position.ply >= PLIES;
}

// Whether a PASS now ends the game: on the first ply too it leaves the board as it was before.
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

// 0 Black, 1 White, or null.
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

// A position as the kernel takes it: mover's stones, opponent's, ko, plies left, whether a PASS ends the game.
export function kernelArguments(position) {
  const sides = moverOf(position) ? [position.white, position.black] : [position.black, position.white];
  return [...sides, position.ko ?? NO_KO, PLIES - position.ply, passEnds(position) ? 1 : 0];
}

// The position that the kernel has from its mover's side.
export function positionSeen(me, opp, ko, left, passed) {
  const [black, white] = left % 2 ? [opp >>> 0, me >>> 0] : [me >>> 0, opp >>> 0];
  const ply = PLIES - left;
  return { black, white, ko: ko === NO_KO ? null : ko, ply, passed: Boolean(passed) && ply > 0 };
}

// The moves of a line in the kernel's memory, a PlayLine of solver/native/explain.h: as many as it has, or as many as it gets.
export function lineOf(kernel, which, count = null) {
  const view = new DataView(kernel.memory.buffer, kernel.line(which));
  if (count !== null) view.setInt32(0, count, true);
  return new Uint8Array(kernel.memory.buffer, view.byteOffset + 4, view.getInt32(0, true));
}

export class Rules {
  constructor(kernel) {
    this.kernel = kernel;
  }

  // Points in order, PASS last; none when the game is over.
  legalMoves(position) {
    if (isOver(position)) return [];
    const [me, opp, ko] = kernelArguments(position);
    return [...pointsOf(this.kernel.legal(me, opp, ko)), PASS];
  }

  // The position after a legal move. A PASS that ends the game leaves no plies.
  play(position, move) {
    const { kernel } = this;
    kernel.play(...kernelArguments(position), move);
    const [me, opp] = [kernel.me() >>> 0, kernel.opp() >>> 0];
    const [black, white] = moverOf(position) ? [me, opp] : [opp, me];
    const ko = kernel.ko();
    return { black, white, ko: ko === NO_KO ? null : ko, ply: PLIES - kernel.left(), passed: move === PASS };
  }

  // The position's canonical key: one for all that differ by a turn or a reflection.
  key(position) {
    return this.canonical(keyOf(position));
  }

  // The canonical key of a position, given by its key in any orientation.
  canonical(key) {
    return BigInt.asUintN(64, this.kernel.canonical(key));
  }

  // The canonical keys of all positions one ply later in which the game goes on, each once, in order.
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

  // The reason why a move is illegal, as a clause, or null.
  illegal(position, move) {
    if (isOver(position)) return "the game is over";
    if (move === PASS || this.legalMoves(position).includes(move)) return null;
    if (stoneAt(position, move) !== null) return `${moveName(move)} is occupied`;
    if (move === position.ko) return `${moveName(move)} is forbidden by ko`;
    return `${moveName(move)} is suicide`;
  }

  // The reason why a position is impossible, as a clause, or null; as Position.check() in solver/position.py.
  fault(position) {
    const { black, white, ko, ply, passed } = position;
    if (black & white) return `${moveName(pointsOf(black & white)[0])} holds both a black and a white stone`;
    if (!(ply >= 0 && ply <= PLIES)) return `ply ${ply} is not within 0 to ${PLIES}`;
    if (ply === 0 && (black || white || passed)) return "the game starts from the empty board";
    const board = this.kernel.fault(black, white, NO_KO);
    if (board) return faultText(board);
    if (ko === null) return null;
    if (passed) return `ko at ${moveName(ko)} after a PASS: a PASS lifts every ko`;
    if (stoneAt(position, ko) !== null) return `the ko point ${moveName(ko)} is occupied`;
    return faultText(this.kernel.fault(...kernelArguments(position).slice(0, 3)));
  }

  // The legal moves in classes: those that lead to the same position but for a turn or a reflection.
  // { moves, key, child }[], by the first move of each.
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
