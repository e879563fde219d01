// The line on the page: its start, its moves and positions, and the index of the shown position. The line is derived from the
// state. lost: the event that ended the game after the last move, as in formats.js.

import { nodeAt } from "./tree.js";

export class Line {
  // had: an earlier line. The positions after the moves that both lines share are reused.
  constructor(rules, game, had = null) {
    const { start, root, moves, at } = game;
    this.start = start;
    this.moves = moves;
    this.at = at;
    this.lost = nodeAt(root, moves).lost ?? null;
    const kept = had?.start === start ? had.positions.slice(0, sameMoves(had.moves, moves) + 1) : [start];
    this.positions = kept;
    for (const move of moves.slice(kept.length - 1)) kept.push(rules.play(kept.at(-1), move));
  }

  get position() {
    return this.positions[this.at];
  }

  // The number of plies played before the shown position. If two PASSes have ended the game, position.ply is the length of a
  // whole game instead.
  get ply() {
    return this.start.ply + this.at;
  }

  // The position before the last move to the shown position, or null if the shown position is the start.
  get previous() {
    return this.at ? this.positions[this.at - 1] : null;
  }

  get lastMove() {
    return this.at ? this.moves[this.at - 1] : null;
  }

  // The points from which the last move before the shown position captured stones, as a mask.
  get taken() {
    const { previous, position } = this;
    return previous ? (previous.black | previous.white) & ~(position.black | position.white) : 0;
  }

  // The moves up to the shown position. These moves are a path in the tree of the game.
  get path() {
    return this.moves.slice(0, this.at);
  }
}

function sameMoves(one, other) {
  const index = one.findIndex((move, at) => move !== other[at]);
  return index < 0 ? one.length : index;
}
