// The best lines found so far, by the position that they start from.

import { isOver } from "./rules.js";
import { bestLine } from "./engine.js";
import { valueOf } from "./facts.js";
import { reason } from "./reasons.js";

export class BestLines {
  constructor(app) {
    this.app = app;
    this._lines = new Map();
  }

  // The line from a position: its moves, whether it is whole, and whether the search for it goes on.
  get(position) {
    return this._lines.get(lineId(position));
  }

  movesFrom(position) {
    return this.get(position)?.moves ?? [];
  }

  // Why a move is worse than the best one, once best play after both is known to the end; null where it is not, or is as good.
  // { text, worse, better }: two sentences, and the lines that they tell of.
  why(position, move, child) {
    const { facts, rules } = this.app;
    const [after, best] = [this.get(child), this.get(position)];
    if (!after?.whole || !best?.whole || valueOf(facts.about(position).fact) === valueOf(facts.own(child))) return null;
    const lines = { worse: [move, ...after.moves], better: best.moves };
    const told = reason(rules, position, lines.worse, lines.better);
    return { text: `${told.worse} ${told.better}`, ...lines };
  }

  // Find the best line from a position, once its value is known, with at most so many nodes for each move.
  want(position, value, nodes = Infinity) {
    const { engine, facts, search } = this.app;
    const { signal } = search;
    const had = this.get(position);
    // A search that was left goes on from what it has found.
    const isLeft = had?.busy && had.signal.aborted;
    if (value === null || had?.whole || (!isLeft && (had?.busy || had?.nodes >= nodes))) return;
    const line = { moves: had?.moves ?? [], whole: isOver(position), busy: true, nodes, signal };
    this._lines.set(lineId(position), line);
    const onMoves = (moves, whole) => {
      if (moves.length >= line.moves.length) Object.assign(line, { moves, whole });
      this.app.refresh();
    };
    bestLine(engine, facts, position, value, { nodes, signal, onMoves })
      .catch((error) => {
        line.nodes = 0;
        if (error.name !== "AbortError") throw error;
      })
      .finally(() => {
        line.busy = false;
        this.app.refresh();
      });
  }

  // Note a best line that was found elsewhere.
  keep(position, moves) {
    const had = this.get(position);
    if (!had || had.moves.length < moves.length)
      this._lines.set(lineId(position), { moves, whole: false, busy: false, nodes: 0 });
  }
}

function lineId(position) {
  return `${position.black} ${position.white} ${position.ko} ${position.ply} ${position.passed}`;
}
