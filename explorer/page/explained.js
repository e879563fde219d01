// The lines that show why a move is worse than the best one, by the rules of book/answers/teaching.py. They depend on the
// rules of the game alone.

import { PASS, isOver, moverOf } from "./rules.js";
import { Quest, keepsValue, settlingFirst } from "./engine.js";
import { valueOf } from "./evidence.js";
import { reason } from "./reasons.js";

// Why a move is worse: { worse, better, told }, both lines to the end of the game, each with its move, and the reason; null
// where the move is as good as any. An AbortError ends the search.
export async function explained(engine, facts, position, move, { signal }) {
  const { rules } = facts;
  const after = rules.play(position, move);
  const [value, worth] = await Promise.all([position, after].map((each) => valueFound(engine, facts, each, signal)));
  if (value === worth) return null;
  const ask = { engine, facts, signal };
  const keeps = await Promise.all(settlingFirst(rules, position).map((one) => isKept(ask, position, one.move, value)));
  const wanted = settlingFirst(rules, position)
    .map((one) => one.move)
    .filter((_, index) => keeps[index]);
  const worse = [move];
  if (!isOver(after)) {
    const [answer] = await settledLine(ask, after, worth, wanted, 1);
    worse.push(answer, ...(await settledLine(ask, rules.play(after, answer), worth)));
  }
  const first = wanted.includes(worse[1]) ? worse[1] : wanted[0];
  const reused = worse.filter((each) => each !== PASS);
  const better = [first, ...(await settledLine(ask, rules.play(position, first), value, reused))];
  return { worse, better, told: reason(rules, position, worse, better) };
}

async function valueFound(engine, facts, position, signal) {
  if (valueOf(facts.own(position)) === null) await new Quest(engine, facts, position).exact({ signal });
  return valueOf(facts.own(position));
}

// Best play to the end: moves that take stones, then the preferred ones, then those that settle the board soonest.
async function settledLine(ask, position, value, preferred = [], plies = Infinity) {
  const moves = [];
  while (!isOver(position) && moves.length < plies) {
    const ranked = settlingFirst(ask.facts.rules, position);
    const isPreferred = (one) => Number(preferred.includes(one.move));
    ranked.sort((a, b) => b.taken - a.taken || isPreferred(b) - isPreferred(a));
    let next = 0;
    while (!(await isKept(ask, position, ranked[next].move, value))) next++;
    moves.push(ranked[next].move);
    position = ask.facts.rules.play(position, ranked[next].move);
  }
  return moves;
}

// Whether a move keeps a position's exact value: by what is known, else by a search.
async function isKept({ engine, facts, signal }, position, move, value) {
  const { lo, hi } = facts.own(facts.rules.play(position, move));
  const [least, most] = moverOf(position) ? [-hi, -lo] : [lo, hi];
  const wanted = moverOf(position) ? -value : value;
  if (least >= wanted || most < wanted) return least >= wanted;
  return keepsValue(engine, facts, position, move, value, { signal });
}
