// Why a move is worse than another: two sentences, by rule, about the two lines of play that follow. They are those of
// book/answers/reasons.py, word for word.

import { NAMES, PASS, PLIES, POINTS, countOf, isOver, marginOf, moverOf, moveName, pointsOf } from "./rules.js";
import { resultOf } from "./words.js";

// A capture so many plies after the move comes before everything else, and one after more plies than NEAR comes after what can
// be told otherwise.
const AT_ONCE = 4;
const NEAR = 8;

// No more points that end otherwise are listed whole, and no more is told of what a point does.
const FEW = 3;
const EFFECTS = 2;

const CENTRE = 12;

// { theme, worse, better }: what comes of the first move of one line, and of that of another. Lines of best play, of two
// moves at least or to the end of the game.
export function reason(rules, position, worse, better) {
  const [bad, good] = [new Sequel(rules, position, worse), new Sequel(rules, position, better)];
  const sentences = (theme, first, second) => ({ theme, worse: bad.tell(first), better: good.tell(second) });
  if (bad.endsByAPass || good.endsByAPass) return sentences("pass", bad.ending(), good.ending());
  for (const rule of RULES) {
    const told = rule(bad, good);
    if (told) return sentences(...told);
  }
  return sentences("answer", bad.ending(), good.ending());
}

class Sequel {
  constructor(rules, start, moves) {
    this.rules = rules;
    this.moves = moves;
    this.positions = [start];
    for (const move of moves) this.positions.push(rules.play(this.positions.at(-1), move));
    this.start = start;
    this.end = this.positions.at(-1);
    this.mover = moverOf(start);
    this.first = moveName(moves[0]);
    if (moves.length < 2 && !isOver(this.end)) throw new Error("a line has two moves at least, or goes to the end");
  }

  // The captures of stones of a colour: { at, stones, old }, old: those that stood before the line began.
  captures(colour) {
    let old = held(this.start, colour);
    const found = [];
    for (let at = 0; at < this.moves.length; at++) {
      const stones = held(this.positions[at], colour) & ~held(this.positions[at + 1], colour);
      if (stones) found.push({ at, stones, old: stones & old });
      old &= ~stones;
    }
    return found;
  }

  // The stones of a colour that stand from the beginning to the end.
  kept(colour) {
    return this.captures(colour).reduce((stones, capture) => stones & ~capture.old, held(this.start, colour));
  }

  ply(at) {
    return this.start.ply + at + 1;
  }

  // The plies at which a colour plays a move.
  plies(colour, move) {
    const at = [...this.moves.keys()].filter((index) => moverOf(this.positions[index]) === colour && this.moves[index] === move);
    return at.map((index) => this.ply(index));
  }

  // Whether the first move or the answer to it is a PASS that ends the game before the last ply.
  get endsByAPass() {
    return isOver(this.end) && this.moves.length <= 2 && this.start.ply + this.moves.length < PLIES;
  }

  tell(text) {
    return isOver(this.end) ? `${text}: ${resultOf(marginOf(this.end))}.` : `${text}.`;
  }

  get answer() {
    return `${NAMES[1 - this.mover]} answers ${moveName(this.moves[1])}`;
  }

  ending() {
    const { first, end } = this;
    if (!isOver(end)) return `After ${first} ${this.answer}`;
    const stones = `${countOf(end.black)} black and ${countOf(end.white)} white stones`;
    if (!this.endsByAPass) return `After ${first} the game ends with ${stones}`;
    return this.moves.length > 1
      ? `After ${first} ${NAMES[1 - this.mover]}'s PASS ends the game with ${stones}`
      : `PASS ends the game with ${stones}`;
  }

  taking({ at, stones, old }, what, told, other) {
    let text = `takes ${what}`;
    if (at > 1) text += ` at ply ${this.ply(at)} with ${moveName(this.moves[at])}`;
    const [both, added] = [old & ~told, stones & ~old & ~told];
    const also = [];
    if (both) also.push(`${names(both)}, which ${them(both, "fall", "falls")} after ${other.first} too`);
    if (added) also.push(`${names(added)}, played after this`);
    if (also.length) text += ` (also ${also.join("; also ")})`;
    const after = this.positions[at + 1];
    return after.ko === null ? text : `${text}, and ${NAMES[moverOf(after)]} may not take back at once`;
  }

  standing(stones, what) {
    const until = isOver(this.end) ? "to the end" : `until ply ${this.end.ply} at least`;
    return `${what} ${them(stones, "stand", "stands")} ${until}`;
  }
}

// --- stones that fall in one of the lines alone

// The earliest capture within so many plies that is in one of the lines alone.
const falling = (plies) => (bad, good) => {
  const tellers = [
    [lost(bad, good, bad.mover), stonesLost],
    [lost(good, bad, 1 - bad.mover), stonesLeft],
    [played(bad, good), stoneAdded],
  ];
  const earliest = tellers.flatMap(([fates, tell]) => fates.slice(0, 1).map((fate) => ({ ...fate, tell })));
  if (!earliest.length) return null;
  const first = earliest.reduce((one, other) => (other.capture.at < one.capture.at ? other : one));
  return first.capture.at >= plies ? null : first.tell(bad, good, first.capture, first.stones);
};

// Captures of stones that stood before both lines and fall in the first line alone, and these stones.
function lost(falls, stays, colour) {
  const kept = stays.kept(colour);
  return falls
    .captures(colour)
    .map((capture) => ({ capture, stones: capture.old & kept }))
    .filter(({ stones }) => stones);
}

// The capture of the stone just played, where it comes in the worse line alone.
function played(bad, good) {
  const stone = pointOf(bad.moves[0]);
  if (good.captures(bad.mover).some(({ stones }) => stones & stone)) return [];
  const captures = bad.captures(bad.mover).filter(({ stones }) => stones & stone);
  return captures.map((capture) => ({ capture, stones: stone }));
}

function stonesLost(bad, good, capture, stones) {
  const worse = `${bad.answer} and ${bad.taking(capture, names(stones), stones, good)}`;
  return ["capture", worse, `After ${good.first} ${good.standing(stones, them(stones, "they", "it"))}`];
}

function stonesLeft(bad, good, capture, stones) {
  const worse = `After ${bad.first} ${bad.standing(stones, `${NAMES[1 - bad.mover]}'s ${names(stones)}`)}`;
  const by = capture.at ? `After ${good.first} ${NAMES[bad.mover]}` : good.first;
  return ["missed capture", worse, `${by} ${good.taking(capture, them(stones, "them", "it"), stones, bad)}`];
}

function stoneAdded(bad, good, capture, stone) {
  const worse = `${bad.answer} and ${bad.taking(capture, `the new stone ${bad.first}`, stone, good)}`;
  const [later] = good.plies(bad.mover, bad.moves[0]);
  const better = later === undefined ? "no stone is lost there" : `${bad.first} is played at ply ${later} and is not taken`;
  return ["added stone", worse, `After ${good.first} ${better}`];
}

// --- a point that both sides want

// A point that is the best move, and the best answer to the move that was played instead. bare: where nothing can be told of
// what it does, and of when the move that was played is needed; else where it can.
const wanted = (bare) => (bad, good) => {
  const point = good.moves[0];
  if (point === PASS || bad.moves[1] !== point) return null;
  const { first, mover, rules } = bad;
  const [theirs, ours] = [bad.positions[1], good.start].map((position) => effectsOf(rules, position, point));
  const [later] = bad.moves[0] === PASS ? [] : good.plies(mover, bad.moves[0]);
  if (bare === (theirs.length + ours.length > 0 || later !== undefined)) return null;
  const does = theirs.map((each) => `, and ${each}`).join("");
  const worse = `${NAMES[1 - mover]} plays ${good.first}, the point that both sides want${does}`;
  const better = ours.length ? `${NAMES[mover]} ${ours.join(" and ")}` : `the point is ${NAMES[mover]}'s`;
  const wait = later === undefined ? "" : `; ${first} can wait until ply ${later}`;
  return ["point", worse, `After ${good.first} ${better}${wait}`];
};

// What a stone does at once, the most urgent first.
function effectsOf(rules, position, point) {
  const after = rules.play(position, point);
  const mover = moverOf(position);
  const theirs = held(after, 1 - mover);
  const near = neighbours(pointOf(point));
  const own = groupsOf(held(position, mover)).filter((group) => group & near);
  const others = groupsOf(theirs).filter((group) => group & near);
  const all = (groups) => groups.reduce((stones, group) => stones | group, 0);
  const taken = held(position, 1 - mover) & ~theirs;
  const saved = all(own.filter((group) => liberties(position, group) === 1 && liberties(after, group | pointOf(point)) > 1));
  const short = (count) => all(others.filter((group) => liberties(after, group) === count));
  const firsts = (groups) => all(groups.map((group) => group & near & -(group & near)));
  const found = [
    [taken, (stones) => `takes ${stones}`],
    [saved, (stones) => `saves ${stones}`],
    [short(1), (stones) => `leaves ${stones} one liberty`],
    [own.length > 1 ? firsts(own) : 0, (stones) => `joins ${stones}`],
    [others.length > 1 ? firsts(others) : 0, (stones) => `keeps ${stones} apart`],
    [point === CENTRE ? pointOf(point) : 0, () => "takes the centre"],
    [short(2), (stones) => `leaves ${stones} two liberties`],
    [own.length === 1 ? firsts(own) : 0, (stones) => `extends ${stones}`],
  ];
  const told = found.filter(([stones]) => stones).map(([stones, text]) => text(names(stones)));
  return told.slice(0, EFFECTS);
}

// --- what differs at the end

function fewPoints(bad, good) {
  const points = differing(bad, good);
  if (!points || countOf(points) > FEW) return null;
  const [worse, better] = [bad, good].map((line) => `After ${line.first} ${owners(line.end, points)} at the end`);
  return ["area", worse, `${better}, and all other points end alike`];
}

// Who passes when, where the whole difference is that.
function tempo(bad, good) {
  if (!isOver(bad.end) || !isOver(good.end)) return null;
  const more = (colour) => bad.plies(colour, PASS).length - good.plies(colour, PASS).length;
  const cost = (bad.mover ? -1 : 1) * (marginOf(good.end) - marginOf(bad.end));
  if (bad.moves.length !== good.moves.length || more(bad.mover) - more(1 - bad.mover) !== cost) return null;
  const [worse, better] = [bad, good].map((line) => `After ${line.first} ${passing(line)}`);
  return ["tempo", worse, better];
}

function passing(line) {
  const told = [line.mover, 1 - line.mover].map((colour) => {
    const plies = line.plies(colour, PASS);
    return `${NAMES[colour]} ${plies.length ? `passes at ply ${listed(plies)}` : "never passes"}`;
  });
  return told.join(" and ");
}

// The largest group of points that end otherwise.
function changing(bad, good) {
  const points = differing(bad, good);
  if (!points) return null;
  const hands = [bad.end.black & good.end.white, bad.end.white & good.end.black].flatMap(groupsOf);
  const groups = hands.length ? hands : groupsOf(points);
  const isLarger = (one, other) => countOf(one) - countOf(other) || other - one;
  const largest = groups.reduce((one, other) => (isLarger(other, one) > 0 ? other : one));
  const [worse, better] = [bad, good].map((line) => `After ${line.first} ${owners(line.end, largest)} at the end`);
  const rest = countOf(points) - countOf(largest);
  const others = rest ? `; ${rest} other point${rest > 1 ? "s end" : " ends"} otherwise too` : "";
  return ["area", worse, better + others];
}

// The points that end otherwise; none where a line does not go to the end.
function differing(bad, good) {
  if (!isOver(bad.end) || !isOver(good.end)) return 0;
  return (bad.end.black ^ good.end.black) | (bad.end.white ^ good.end.white);
}

function owners(end, points) {
  const parts = [end.black & points, end.white & points].map((stones, colour) => stones && `${NAMES[colour]} has ${names(stones)}`);
  const empty = points & ~(end.black | end.white);
  return [...parts, empty && `${names(empty)} ${them(empty, "are", "is")} empty`].filter(Boolean).join(", and ");
}

// The first that finds something counts.
const RULES = [
  falling(AT_ONCE),
  wanted(false),
  falling(NEAR),
  fewPoints,
  tempo,
  falling(PLIES),
  wanted(true),
  changing,
];

function held(position, colour) {
  return colour ? position.white : position.black;
}

function pointOf(move) {
  return move === PASS ? 0 : 1 << move;
}

function neighbours(mask) {
  const beside = pointsOf(mask).flatMap((point) => [
    point >= 5 ? point - 5 : POINTS,
    point < 20 ? point + 5 : POINTS,
    point % 5 > 0 ? point - 1 : POINTS,
    point % 5 < 4 ? point + 1 : POINTS,
  ]);
  return beside.filter((point) => point < POINTS).reduce((found, point) => found | (1 << point), 0);
}

// The groups of stones, that with the lowest point first.
function groupsOf(stones) {
  const groups = [];
  while (stones) {
    let [group, grown] = [0, stones & -stones];
    while (grown !== group) [group, grown] = [grown, (grown | neighbours(grown)) & stones];
    groups.push(group);
    stones &= ~group;
  }
  return groups;
}

function liberties(position, group) {
  return countOf(neighbours(group) & ~(position.black | position.white));
}

function them(stones, many, one) {
  return countOf(stones) > 1 ? many : one;
}

function names(stones) {
  return listed(pointsOf(stones).map(moveName));
}

function listed(all) {
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : `${all[0]}`;
}
