// The line on the page: where it starts, its moves, and the position looked at. `lost`: what ended the game after its last
// move, as formats.js has it.

import { START } from "./rules.js";

export class Line {
  constructor(rules) {
    this.rules = rules;
    this.load({ start: START, moves: [] });
  }

  load({ start, moves, at = moves.length, lost = null }) {
    this.start = start;
    this.lost = lost;
    this.moves = [...moves];
    this.at = at;
    this.positions = [start];
    for (const move of moves) this.positions.push(this.rules.play(this.positions.at(-1), move));
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

  // Play a legal move; one that the line has next goes on in it, another one starts a new end.
  play(move) {
    if (this.moves[this.at] !== move) {
      this.cut();
      this.moves.push(move);
      this.positions.push(this.rules.play(this.position, move));
    }
    this.at++;
  }

  goTo(at) {
    this.at = Math.min(Math.max(at, 0), this.moves.length);
  }

  // Drop the moves after the position looked at.
  cut() {
    this.moves.length = this.at;
    this.positions.length = this.at + 1;
    this.lost = null;
  }
}
