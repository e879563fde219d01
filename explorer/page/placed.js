// Make a position from a board: find the ply and the mover, and check that a game can reach the position (notation/parsed.py).

import { NAMES, PLIES, START, isStart, moverOf, pointsOf } from "./rules.js";
import { BadText } from "./parts.js";

const TOO_MANY = `so many stones take ${PLIES} plies or more, and then the game is over`;
export const EMPTY_FOR_WHITE = "White moves on an empty board, but a PASS on the first ply ends the game";

// Check a position and return it, or START if the position is the start. Throw BadText if no game can reach the position.
export function possible(position, rules) {
  const fault = rules.fault(position) ?? wrongCount(position);
  if (fault) throw new BadText("unreachable", fault);
  return isStart(position) ? START : position;
}

// Return the smallest possible ply of a board. captured: the numbers of captured black and white stones, if the text states them.
export function leastPly({ black, white }, mover, passed, captured = [0, 0]) {
  let [blacks, whites] = [pointsOf(black).length + captured[0], pointsOf(white).length + captured[1]];
  if (passed) mover ? blacks++ : whites++;
  return mover ? 2 * Math.max(blacks - 1, whites) + 1 : 2 * Math.max(blacks, whites);
}

// Return { position, guessed, notes } for a board. ply: null if the text does not state it; then the smallest possible ply is
// used. A ko point that is not possible is removed, and a note reports this. isTold: whether the text states if the last move
// was a PASS. If the text does not state this, and the side that moved last has no stone, the last move was a PASS.
export function placeBoard(board, mover, ply, rules, captured = [0, 0], isTold = false) {
  let fault = null;
  const boards = [0, 1].map((side) => (isTold ? board : withPass(board, side)));
  for (const each of ply === null ? leastPlies(boards, mover, captured) : [ply]) {
    if (mover !== null && each % 2 !== mover)
      throw new BadText("wrong-colour", `after ${each} plies it is the other side's move`);
    const one = each === PLIES ? board : boards[each % 2];
    const found = { ...one, ply: each, passed: one.passed && each > 0 };
    const why = rules.fault(found) ?? wrongCount(found, captured);
    const notes = one === board ? [] : ["The side that moved last has no stone, so its last ply was a PASS."];
    if (!why) return { position: found, guessed: ply === null, notes };
    fault ??= why;
  }
  if (!fault) throw new BadText("unreachable", board.black | board.white ? TOO_MANY : EMPTY_FOR_WHITE);
  if (board.ko === null) throw new BadText("unreachable", fault);
  const placed = placeBoard({ ...board, ko: null }, mover, ply, rules, captured, isTold);
  return { ...placed, notes: ["The + is read as an empty point, as no ko is possible there.", ...placed.notes] };
}

function withPass(board, mover) {
  const [own, other] = mover ? [board.white, board.black] : [board.black, board.white];
  return own && !other ? { ...board, passed: true, ko: null } : board;
}

// Return the reason why the stones are not possible after the plies of the position, or null if they are possible.
function wrongCount(position, captured = [0, 0]) {
  const { black, white } = position;
  // Black's first ply is a stone, because a PASS as the first ply ends the game. A single white stone cannot have captured
  // Black's first stone.
  if (!black && pointsOf(white).length === 1) return "a white stone alone: Black puts down the first stone, and it stays";
  const mover = moverOf(position);
  if (position.ply > 0 && position.ply < PLIES && !position.passed && !(mover ? black : white))
    return `${NAMES[1 - mover]} moved last and has no stone on the board, so it has passed`;
  const least = leastPly(position, mover, position.passed, captured);
  if (!(black | white) || position.ply >= least) return null;
  return `so many stones take ${least} plies, and not ${position.ply}`;
}

function leastPlies(boards, mover, captured) {
  const empty = !(boards[0].black | boards[0].white);
  const least = (side) => (empty ? (side ? PLIES : 0) : leastPly(boards[side], side, boards[side].passed, captured));
  const plies = mover === null ? [least(0), least(1)] : [least(mover)];
  return plies.filter((ply) => ply < PLIES).sort((a, b) => a - b);
}

const guessNote = (what, ply) =>
  `${what} does not tell the ply: it cannot be less than ${ply}, so ${ply} is taken. “Edit” changes it.`;

export function placedGame({ position, guessed, notes }, title) {
  const guess = guessed && position.ply ? [guessNote(title, position.ply)] : [];
  return { start: position.ply ? position : START, moves: [], title, note: [...notes, ...guess].join(" ") };
}
