// Why a move is worse than another: two sentences, by rule, about the two lines of play that follow. They are those of
// book/answers/reasons.py, word for word.

import { NAMES, PASS, PLIES, POINTS, countOf, isOver, marginOf, moverOf, moveName, pointsOf } from "./rules.js";
import { resultOf } from "./words.js";

// A capture within NEAR plies comes before everything else, and one within REASON_LATER before an area.
const NEAR = 8;
const REASON_LATER = 12;

// No more points that end otherwise are a small area, no more stones or points are listed, and no more is told of what a
// point does.
const FEW = 4;
const NAMED_STONES = 5;
const EFFECTS = 2;

const CENTRE = 12;

const ALL = (1 << POINTS) - 1;
const MIDDLE = pointMask([6, 7, 8, 11, 12, 13, 16, 17, 18]);

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
    const kept = both & other.kept(1 - moverOf(this.positions[at]));
    const itself = added & pointOf(this.moves[0]);
    const also = [
      [both & ~kept, `which ${them(both & ~kept, "fall", "falls")} after ${other.first} too`],
      [kept, `which ${them(kept, "stand", "stands")} after ${other.first}`],
      [itself, "the stone just played"],
      [added & ~itself, "played later"],
    ]
      .filter(([some]) => some)
      .map(([some, fall]) => `${names(some)}, ${fall}`);
    if (also.length) text += ` (also ${also.join("; also ")})`;
    const after = this.positions[at + 1];
    return after.ko === null || isOver(after) ? text : `${text}, and ${NAMES[moverOf(after)]} may not take back at once`;
  }

  standing(stones, what) {
    const until = isOver(this.end) ? "to the end" : `until ply ${this.end.ply} at least`;
    return `${what} ${them(stones, "stand", "stands")} ${until}`;
  }
}

// --- stones that fall in one of the lines alone

// What points are worth to the mover: its own less the other side's at the end, better line less worse.
function worthOf(bad, good, points) {
  const [better, worse] = [good, bad].map(
    ({ end, mover }) => countOf(held(end, mover) & points) - countOf(held(end, 1 - mover) & points),
  );
  return better - worse;
}

function areWhole(bad, good) {
  return isOver(bad.end) && isOver(good.end);
}

// What the mistake brings elsewhere, where the points told of are worth more than it costs; often nothing.
function elsewhere(bad, good, points) {
  const more = areWhole(bad, good) ? worthOf(bad, good, points) - worthOf(bad, good, ALL) : 0;
  return more > 0 ? `; elsewhere ${NAMES[bad.mover]} has ${more} point${more > 1 ? "s" : ""} more after ${bad.first}` : "";
}

// That the mistake fills an eye of its own side, and the better move none; often nothing.
function ownEye(bad, good) {
  const fills = ({ moves, start, mover }) => moves[0] !== PASS && !(neighbours(pointOf(moves[0])) & ~held(start, mover));
  return fills(bad) && !fills(good) ? `; ${bad.first} fills an own eye` : "";
}

// Stones that fall within so many plies in one line alone, and are worth something to the mover: those taken at once, then
// those that are worth the most, up to the cost, then the earliest.
const falling = (plies) => (bad, good) => {
  const whole = areWhole(bad, good);
  const cost = worthOf(bad, good, ALL);
  const tellers = [
    [lost(bad, good, bad.mover), stonesLost],
    [lost(good, bad, 1 - bad.mover), stonesLeft],
    [played(bad, good), stoneAdded],
  ];
  let best = null;
  for (const [fates, tell] of tellers)
    for (const { capture, stones } of fates) {
      const worth = whole ? worthOf(bad, good, stones) : countOf(stones);
      if (capture.at >= plies || worth <= 0) continue;
      const rank = [Number(capture.at > 1), whole ? -Math.min(worth, cost) : 0, capture.at];
      if (!best || isBefore(rank, best.rank)) best = { rank, capture, stones, tell };
    }
  return best && best.tell(bad, good, best.capture, best.stones);
};

function isBefore(one, other) {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at >= 0 && one[at] < other[at];
}

// Captures of stones that stood before both lines and fall in the first line alone, and these stones.
function lost(falls, stays, colour) {
  const kept = stays.kept(colour);
  return falls
    .captures(colour)
    .map((capture) => ({ capture, stones: capture.old & kept }))
    .filter(({ stones }) => stones);
}

// The capture of the stone just played, where it comes in the worse line alone, and what falls with it alone.
function played(bad, good) {
  const stone = pointOf(bad.moves[0]);
  if (good.captures(bad.mover).some(({ stones }) => stones & stone)) return [];
  const captures = bad.captures(bad.mover).filter(({ stones }) => stones & stone);
  return captures.slice(0, 1).map((capture) => ({ capture, stones: stone | (capture.old & good.kept(bad.mover)) }));
}

function stonesLost(bad, good, capture, stones) {
  const cut = cuts(bad, stones) && capture.at > 1 ? ` to cut ${them(stones, "them", "it")} off` : "";
  const worse = `${bad.answer}${cut} and ${bad.taking(capture, names(stones), stones, good)}${ownEye(bad, good)}`;
  const better = `After ${good.first} ${good.standing(stones, them(stones, "they", "it"))}`;
  return ["capture", worse, better + elsewhere(bad, good, stones)];
}

// Whether the answer keeps stones apart from other stones of theirs.
function cuts(bad, stones) {
  const near = neighbours(pointOf(bad.moves[1]));
  const groups = groupsOf(held(bad.positions[2], bad.mover)).filter((group) => group & near);
  return groups.some((group) => group & stones) && groups.some((group) => !(group & stones));
}

function stonesLeft(bad, good, capture, stones) {
  const worse = `After ${bad.first} ${bad.standing(stones, `${NAMES[1 - bad.mover]}'s ${names(stones)}`)}${ownEye(bad, good)}`;
  const by = capture.at ? `After ${good.first} ${NAMES[bad.mover]}` : good.first;
  const better = `${by} ${good.taking(capture, them(stones, "them", "it"), stones, bad)}`;
  return ["missed capture", worse, better + elsewhere(bad, good, stones)];
}

function stoneAdded(bad, good, capture, stones) {
  const worse = `${bad.answer} and ${bad.taking(capture, `the new stone ${bad.first}`, pointOf(bad.moves[0]), good)}`;
  const [later] = good.plies(bad.mover, bad.moves[0]);
  const keeps = `${NAMES[bad.mover]} plays ${bad.first} at ply ${later} and keeps it`;
  const better = later === undefined ? "no stone is lost there" : keeps;
  return ["added stone", worse, `After ${good.first} ${better}${elsewhere(bad, good, stones)}`];
}

// --- a point that both sides want

// A point that is the best move, and the best answer to the move that was played instead; only where it does something.
function wanted(bad, good) {
  const point = good.moves[0];
  if (point === PASS || bad.moves[1] !== point) return null;
  const { mover, rules } = bad;
  const same = bad.moves[0] === PASS ? [] : effectsOf(rules, good.start, bad.moves[0]);
  const theirs = effectsOf(rules, bad.positions[1], point);
  const ours = effectsOf(rules, good.start, point).filter((each) => !same.includes(each));
  if (!theirs.length && !ours.length) return null;
  const does = theirs.map((each) => `, and ${each}`).join("");
  const worse = `${NAMES[1 - mover]} plays ${good.first}, the point that both sides want${does}`;
  const better = ours.length ? `${NAMES[mover]} ${ours.join(" and ")}` : `the point is ${NAMES[mover]}'s`;
  return ["point", worse, `After ${good.first} ${better}`];
}

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
  const atari = all(others.filter((group) => liberties(after, group) === 1 && liberties(position, group) > 1));
  const firsts = (groups) => all(groups.map((group) => group & near & -(group & near)));
  const found = [
    [taken, (stones) => `takes ${stones}`],
    [saved, (stones) => `saves ${stones}`],
    [atari, (stones) => `leaves ${stones} one liberty`],
    [own.length > 1 ? firsts(own) : 0, (stones) => `joins ${stones}`],
    [others.length > 1 ? firsts(others) : 0, (stones) => `keeps ${stones} apart`],
    [point === CENTRE ? pointOf(point) : 0, () => "takes the centre"],
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

// Who passes when, where the whole difference is that, and begins soon.
function tempo(bad, good) {
  if (!areWhole(bad, good) || bad.moves.length !== good.moves.length) return null;
  const more = (colour) => bad.plies(colour, PASS).length - good.plies(colour, PASS).length;
  if (more(bad.mover) - more(1 - bad.mover) !== worthOf(bad, good, ALL)) return null;
  const passes = [bad, good].flatMap((line) => [0, 1].flatMap((colour) => line.plies(colour, PASS)));
  if (Math.min(...passes, PLIES) > bad.ply(NEAR - 1)) return null;
  const [worse, better] = [bad, good].map((line) => `After ${line.first} ${passing(line)}`);
  return ["tempo", worse, better];
}

function passing(line) {
  const told = [line.mover, 1 - line.mover].map((colour) => {
    const plies = line.plies(colour, PASS);
    return `${NAMES[colour]} ${plies.length ? `passes at ply ${plies.join(" and ")}` : "never passes"}`;
  });
  return told.join(" and ");
}

// The centre that the better move takes, and what stands around it at the end.
function middle(bad, good) {
  if (good.moves[0] !== CENTRE || !areWhole(bad, good) || worthOf(bad, good, MIDDLE) <= 0) return null;
  const has = ({ end }) => [0, 1].map((each) => `${NAMES[each]} ${countOf(held(end, each) & MIDDLE)}`).join(" and ");
  const worse = `After ${bad.first} the nine points in the middle are ${has(bad)} at the end`;
  const better = `After ${good.first} ${NAMES[good.mover]} has the centre, and they are ${has(good)}`;
  return ["centre", worse, better + elsewhere(bad, good, MIDDLE)];
}

// Points beside each other, so many at most, that the mover has or denies in the better line alone; within: and that are worth
// no more than the cost. Of several areas that of the most worth, up to the cost, then the smallest, then the first.
const changing = (most, within) => (bad, good) => {
  if (!areWhole(bad, good)) return null;
  const cost = worthOf(bad, good, ALL);
  const gained = pointMask(pointsOf(differing(bad, good)).filter((point) => worthOf(bad, good, 1 << point) > 0));
  const areas = groupsOf(gained)
    .filter((area) => countOf(area) <= most)
    .map((area) => ({ area, worth: worthOf(bad, good, area) }))
    .filter(({ worth }) => !within || worth <= cost);
  if (!areas.length) return null;
  const rank = ({ area, worth }) => [-Math.min(worth, cost), countOf(area)];
  const { area } = areas.reduce((one, other) => (isBefore(rank(other), rank(one)) ? other : one));
  const [worse, better] = [bad, good].map((line) => `After ${line.first} ${owners(line.end, area)} at the end`);
  return ["area", worse, better + elsewhere(bad, good, area)];
};

// The points that end otherwise; none where a line does not go to the end.
function differing(bad, good) {
  if (!areWhole(bad, good)) return 0;
  return (bad.end.black ^ good.end.black) | (bad.end.white ^ good.end.white);
}

function owners(end, points) {
  const parts = [end.black & points, end.white & points].map((stones, colour) => stones && `${NAMES[colour]} has ${names(stones, "points")}`);
  const empty = points & ~(end.black | end.white);
  return [...parts, empty && `nothing stands on ${names(empty, "points")}`].filter(Boolean).join(", and ");
}

// The first that finds something counts.
const RULES = [
  falling(NEAR),
  fewPoints,
  falling(REASON_LATER),
  middle,
  changing(FEW, true),
  changing(PLIES, true),
  tempo,
  wanted,
  changing(PLIES, false),
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

// A few stones by name, or else how many there are, and where.
function names(stones, noun = "stones") {
  const points = pointsOf(stones);
  return points.length > NAMED_STONES ? `${points.length} ${noun} ${partOfBoard(points)}` : points.map(moveName).join(" and ");
}

// Where the mean of some points is: half a line or more from the middle is a side.
function partOfBoard(points) {
  const [rows, columns] = [(point) => Math.floor(point / 5), (point) => point % 5].map((axis) =>
    points.reduce((sum, point) => sum + 2 * (axis(point) - 2), 0),
  );
  const side = (sum, low, high) => (sum <= -points.length ? low : sum >= points.length ? high : "");
  const [row, column] = [side(rows, "upper", "lower"), side(columns, "left", "right")];
  if (row && column) return `in the ${row} ${column}`;
  return row || column ? `on the ${row || column} side` : "around the middle";
}

function pointMask(points) {
  return points.reduce((mask, point) => mask | (1 << point), 0);
}
