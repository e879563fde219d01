// The line on the page: where it starts, its moves and positions, and how far along it one looks. It follows from the state;
// `lost`: what ended the game after its last move, as formats.js has it.

import { nodeAt } from "./tree.js";

export class Line {
  // had: an earlier line, whose positions stay those of the same moves.
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

  // The position before the last move, or null.
  get previous() {
    return this.at ? this.positions[this.at - 1] : null;
  }

  get lastMove() {
    return this.at ? this.moves[this.at - 1] : null;
  }

  // The moves up to where one looks: a path in the game's tree.
  get path() {
    return this.moves.slice(0, this.at);
  }
}

function sameMoves(one, other) {
  const index = one.findIndex((move, at) => move !== other[at]);
  return index < 0 ? one.length : index;
}
