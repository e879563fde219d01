// The best lines found so far, by the position that they start from.

import { isOver } from "./rules.js";
import { valueOf } from "./evidence.js";
import { Survey, bestLine } from "./engine.js";
import { explained } from "./explained.js";

export class BestLines {
  constructor(app) {
    this.app = app;
    this._lines = new Map();
    this._whys = new Map();
  }

  // The line from a position: its moves, whether it is whole, and whether the search for it goes on.
  get(position) {
    return this._lines.get(lineId(position));
  }

  movesFrom(position) {
    return this.get(position)?.moves ?? [];
  }

  // Why a move is worse than the best one, once that is found; null where it is not, or is as good.
  // { text, told, worse, better }: two sentences, what they are made of (explained.js), and the lines that they tell of.
  why(position, move) {
    return this._whys.get(`${lineId(position)} ${move}`)?.found ?? null;
  }

  // Whether a move is known to be as good as the best one.
  isBest(position, move) {
    const { facts } = this.app;
    const [value, next] = [position, facts.rules.play(position, move)].map((each) => valueOf(facts.own(each)));
    return value !== null && value === next;
  }

  // Whether it is known why a move is worse, or that it is not, and whether that is searched.
  isExplained(position, move) {
    return this._whys.get(`${lineId(position)} ${move}`)?.found !== undefined;
  }

  isExplaining(position, move) {
    return this._whys.get(`${lineId(position)} ${move}`)?.signal.aborted === false;
  }

  // Find out why a move is worse, unless that is known: first whether it is, by all workers. Who asks while another one searches
  // waits for that.
  async explain(position, move, signal) {
    const { app } = this;
    const id = `${lineId(position)} ${move}`;
    while (app.engine && !signal.aborted && !app.isStopped("reason") && !this.isExplained(position, move)) {
      if (!this.isExplaining(position, move)) {
        const why = { signal, found: undefined, ended: null };
        this._whys.set(id, why);
        return (why.ended = this._explain(position, move, why));
      }
      await this._whys.get(id).ended.catch(() => {});
    }
  }

  async _explain(position, move, why) {
    const { app } = this;
    const { engine, facts } = app;
    const items = [position, facts.rules.play(position, move)].filter((each) => !isOver(each));
    try {
      await new Survey(engine, facts, items.map((each) => ({ position: each, rank: () => 0 })), () => app.learn()).run(why.signal);
      const found = await explained(engine, facts, position, move, why);
      why.found = found && { text: `${found.told.worse} ${found.told.better}`, ...found };
      app.refresh();
    } catch (error) {
      if (why.signal.aborted) return;
      // Nobody waits for it any more.
      this._whys.delete(`${lineId(position)} ${move}`);
      throw error;
    }
  }

  // Find the best line from a position, once its value is known, with at most so many nodes for each move.
  want(position, value, nodes = Infinity) {
    const { engine, facts, search } = this.app;
    const { signal } = search;
    const had = this.get(position);
    // A search that was left goes on from what it has found.
    const isLeft = had?.busy && had.signal.aborted;
    if (value === null || had?.whole || this.app.isStopped("line") || (!isLeft && (had?.busy || had?.nodes >= nodes))) return;
    const line = { moves: had?.moves ?? [], whole: isOver(position), busy: true, nodes, signal };
    this._lines.set(lineId(position), line);
    const onMoves = (moves, whole) => {
      if (whole || moves.length >= line.moves.length) Object.assign(line, { moves, whole });
      this.app.refresh();
    };
    bestLine(engine, facts, position, value, { nodes, signal, onMoves })
      .then(() => {
        line.busy = false;
        // More nodes may be allowed by now, and nothing else may ask again.
        if (!line.whole) this.app.wantLine();
      })
      .catch((error) => {
        line.busy = false;
        line.nodes = 0;
        if (error.name !== "AbortError") throw error;
      })
      .finally(() => this.app.refresh());
  }

  // Note a best line that was found elsewhere.
  keep(position, moves) {
    const had = this.get(position);
    // A search for it that goes on keeps its line.
    if (!had) this._lines.set(lineId(position), { moves, whole: false, busy: false, nodes: 0 });
    else if (!had.whole && had.moves.length < moves.length) had.moves = moves;
  }
}

function lineId(position) {
  return `${position.black} ${position.white} ${position.ko} ${position.ply} ${position.passed}`;
}
