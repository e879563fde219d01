// The best lines found so far. Each line is stored under the position from which it starts.

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

  // Return the line from a position: { moves, whole, busy, nodes, signal }. whole: whether the line reaches the end of the
  // game. busy: whether a search for the line is running, unless its signal is aborted. Return undefined if no line is stored.
  get(position) {
    return this._lines.get(lineId(position));
  }

  movesFrom(position) {
    return this.get(position)?.moves ?? [];
  }

  // Return the reason why a move is worse than the best one: { text, told, worse, better }. text: two sentences. told: the
  // reason as in explained.js. worse, better: the lines of play that the sentences describe. Return null if no reason is
  // stored, or if the move is a best move.
  why(position, move) {
    return this._whys.get(`${lineId(position)} ${move}`)?.found ?? null;
  }

  // Return whether a move is proven to be as good as the best one.
  isBest(position, move) {
    const { facts } = this.app;
    const [value, next] = [position, facts.rules.play(position, move)].map((each) => valueOf(facts.own(each)));
    return value !== null && value === next;
  }

  // Return whether the search for a reason has ended, either with a reason or with the result that the move is a best move.
  isExplained(position, move) {
    return this._whys.get(`${lineId(position)} ${move}`)?.found !== undefined;
  }

  isExplaining(position, move) {
    return this._whys.get(`${lineId(position)} ${move}`)?.signal.aborted === false;
  }

  // Find the reason why a move is worse than the best one. First all workers find the values of the position before and after the
  // move. If a search for the same reason is running already, wait until it ends.
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
      // The search failed, so remove its entry from the map.
      this._whys.delete(`${lineId(position)} ${move}`);
      throw error;
    }
  }

  // Start a search for the best line from a position. Do nothing if the value of the position is not known yet. nodes: the node
  // limit for each move of the line.
  want(position, value, nodes = Infinity) {
    const { engine, facts, search } = this.app;
    const { signal } = search;
    const had = this.get(position);
    // A search whose signal was aborted has left a part of the line. The new search continues this line.
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
        // If the limit has been raised meanwhile, start the search again here, because no other event does so.
        if (!line.whole) this.app.wantLine();
      })
      .catch((error) => {
        line.busy = false;
        line.nodes = 0;
        if (error.name !== "AbortError") throw error;
      })
      .finally(() => this.app.refresh());
  }
}

function lineId(position) {
  return `${position.black} ${position.white} ${position.ko} ${position.ply} ${position.passed}`;
}
