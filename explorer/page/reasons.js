// Why a move is worse than another: two sentences, by rule, about the two lines of play that follow. They are those of
// book/answers/reasons.py, word for word.

import { NAMES, PLIES, countOf, isOver, marginOf, moverOf, moveName, pointsOf } from "./rules.js";
import { resultOf } from "./words.js";

// No more stones are named one by one.
const NAMED = 3;

// { theme, worse, better }: what comes of the first move of one line, and of that of another. Lines of best play, of two
// moves at least or to the end of the game.
export function reason(rules, position, worse, better) {
  const [bad, good] = [new Sequel(rules, position, worse), new Sequel(rules, position, better)];
  const told = bad.endsByAPass || good.endsByAPass ? null : stonesLost(bad, good) ?? stonesLeft(bad, good);
  if (told) return told;
  const theme = bad.endsByAPass || good.endsByAPass ? "pass" : "count";
  return { theme, worse: bad.tell(bad.count()), better: good.tell(good.count()) };
}

class Sequel {
  constructor(rules, start, moves) {
    this.moves = moves;
    this.positions = [start];
    for (const move of moves) this.positions.push(rules.play(this.positions.at(-1), move));
    this.end = this.positions.at(-1);
    this.mover = moverOf(start);
    this.first = moveName(moves[0]);
    if (moves.length < 2 && !isOver(this.end)) throw new Error("a line has two moves at least, or goes to the end");
  }

  // The moves by which a colour takes stones: { at, stones }.
  captures(colour) {
    const held = this.positions.map((position) => standingOf(position, 1 - colour));
    const taken = held.slice(1).map((after, at) => ({ at, stones: held[at] & ~after }));
    return taken.filter(({ stones }) => stones);
  }

  taken(colour) {
    return this.captures(colour).reduce((points, { stones }) => points | stones, 0);
  }

  // Whether the first move or the answer to it is a PASS that ends the game before the last ply.
  get endsByAPass() {
    return isOver(this.end) && this.moves.length <= 2 && this.positions[0].ply + this.moves.length < PLIES;
  }

  tell(text) {
    return isOver(this.end) ? `${text}: ${resultOf(marginOf(this.end))}.` : `${text}.`;
  }

  count() {
    const { first, end } = this;
    const opponent = NAMES[1 - this.mover];
    if (!isOver(end)) return `After ${first} ${opponent} answers ${moveName(this.moves[1])}`;
    const stones = `${countOf(end.black)} black and ${countOf(end.white)} white stones`;
    if (!this.endsByAPass) return `After ${first} the game ends with ${stones}`;
    return this.moves.length > 1
      ? `After ${first} ${opponent}'s PASS ends the game with ${stones}`
      : `PASS ends the game with ${stones}`;
  }

  taking({ at }, what) {
    const after = this.positions[at + 1];
    const when = at > 1 ? ` at ply ${this.positions[at].ply + 1} with ${moveName(this.moves[at])}` : "";
    const ko = after.ko === null ? "" : `, and ${NAMES[moverOf(after)]} may not take back at once`;
    return `takes ${what}${when}${ko}`;
  }

  standing(stones, what) {
    const until = isOver(this.end) ? "to the end" : `after ply ${this.end.ply}`;
    return `${what} ${them(stones, "stand", "stands")} ${until}`;
  }
}

// Stones of the mover's that fall, and where they stand all along in the better line, of that.
function stonesLost(bad, good) {
  const { mover } = bad;
  const [fallen, falling] = [bad.taken(1 - mover), good.taken(1 - mover)];
  const kept = fallen & standingOf(good.positions[0], mover) & ~falling;
  if (!kept && countOf(fallen) <= countOf(falling)) return null;
  const { most, stones } = mostOf(bad.captures(1 - mover), kept || fallen);
  const worse = `${NAMES[1 - mover]} answers ${moveName(bad.moves[1])} and ${bad.taking(most, names(stones))}`;
  const better = kept ? `After ${good.first} ${good.standing(stones, them(stones, "they"))}` : good.count();
  return { theme: "capture", worse: bad.tell(worse), better: good.tell(better) };
}

// Stones of the opponent's that fall in the better line alone.
function stonesLeft(bad, good) {
  const { mover } = bad;
  const missed = standingOf(bad.positions[0], 1 - mover) & good.taken(mover) & ~bad.taken(mover);
  if (!missed) return null;
  const { most, stones } = mostOf(good.captures(mover), missed);
  const worse = `After ${bad.first} ${bad.standing(stones, `${NAMES[1 - mover]}'s ${names(stones)}`)}`;
  const by = most.at ? `After ${good.first} ${NAMES[mover]}` : good.first;
  const better = `${by} ${good.taking(most, them(stones, "them"))}`;
  return { theme: "missed capture", worse: bad.tell(worse), better: good.tell(better) };
}

// The first capture with the most of the stones, and these.
function mostOf(captures, of) {
  const counts = captures.map(({ stones }) => countOf(stones & of));
  const most = captures[counts.indexOf(Math.max(...counts))];
  return { most, stones: most.stones & of };
}

function standingOf(position, colour) {
  return colour ? position.white : position.black;
}

function them(stones, many, one = "it") {
  return countOf(stones) > 1 ? many : one;
}

// All stones by name, or of many the first ones and how many.
function names(stones) {
  const all = pointsOf(stones).map(moveName);
  if (all.length > NAMED) return `${all.length} stones (${all.slice(0, NAMED).join(" ")} …)`;
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : all[0];
}
