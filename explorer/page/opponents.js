// The opponents except the perfect player. Most of these opponents are the course's agents, and choose the same moves as in
// arena/agents. Another opponent makes mistakes like students' programs, according to the fitted models of generator/opponents.
// tests/explorer/test_opponents.py compares the moves and probabilities with the Python code.
//
// A chooser is a function of the rules and a position. A chooser returns { moves, weights }: the moves that the opponent can
// play, and their relative probabilities.

import { KOMI } from "./game.js";
import {
  FULL,
  PASS,
  PLIES,
  POINTS,
  SIZE,
  countOf,
  isOver,
  marginOf,
  moverOf,
  passEnds,
  pointsOf,
} from "./rules.js";

export const OPPONENTS = ["random", "greedy", "aggressive", "alphabeta", "human", "perfect"];

// The name of each opponent, and a sentence about it.
export const OPPONENT_TEXT = {
  random: ["Random", "It plays any move that the rules allow. You learn the rules best against it."],
  greedy: ["Greedy", "It takes as many stones as it can at once, and otherwise plays anywhere. It sees no danger of its own."],
  aggressive: ["Aggressive", "It plans to take stones with its next two moves, and begins in the centre. It never asks what you will do."],
  alphabeta: ["Alpha-beta", "It looks at its move and your answer, and plays solid shapes. It plays the same game each time."],
  human: ["Errs now and then", "Half of its moves are perfect. The others are drawn by models of how students' programs played, with their mistakes."],
  perfect: ["Perfect", "It never throws a win away. From the empty board you beat it only as Black, and only without a mistake that loses."],
};

const NEIGHBOURS = [...Array(POINTS).keys()].map((point) => {
  const [i, j] = [Math.floor(point / SIZE), point % SIZE];
  const around = [
    [i - 1, j],
    [i + 1, j],
    [i, j - 1],
    [i, j + 1],
  ];
  return around.filter((pair) => pair.every((x) => x >= 0 && x < SIZE)).reduce((mask, [a, b]) => mask | (1 << (SIZE * a + b)), 0);
});

const neighboursOf = (mask) => pointsOf(mask).reduce((all, point) => all | NEIGHBOURS[point], 0) & ~mask;
const farFromCentre = (point) => Math.abs(Math.floor(point / SIZE) - 2) + Math.abs((point % SIZE) - 2);

// Return the groups of one side: { stones, liberties }, both as masks.
function chainsOf(stones, others) {
  const groups = [];
  const empty = FULL & ~(stones | others);
  let left = stones;
  while (left) {
    let group = left & -left;
    for (let grown = group | (neighboursOf(group) & stones); grown !== group; grown = group | (neighboursOf(group) & stones)) group = grown;
    groups.push({ stones: group, liberties: neighboursOf(group) & empty });
    left &= ~group;
  }
  return groups;
}

const isInAtari = ({ liberties }) => (liberties & (liberties - 1)) === 0;

const moverAndOther = (position) => (moverOf(position) ? [position.white, position.black] : [position.black, position.white]);

const stonesOf = (rules, position) => rules.legalMoves(position).filter((move) => move !== PASS);

const evenly = (moves) => ({ moves, weights: moves.map(() => 1) });

// Compare two rows by their first different numbers.
const byRows = (a, b) => a.map((part, index) => part - b[index]).find(Boolean) ?? 0;

function random(rules, position) {
  const points = stonesOf(rules, position);
  return evenly(points.length ? points : [PASS]);
}

// Return an array with the number of stones that a stone on each point captures.
function captures(position) {
  const [mine, theirs] = moverAndOther(position);
  const taken = Array(POINTS).fill(0);
  for (const group of chainsOf(theirs, mine))
    if (isInAtari(group)) taken[pointsOf(group.liberties)[0]] += countOf(group.stones);
  return taken;
}

function greedy(rules, position) {
  const points = stonesOf(rules, position);
  if (!points.length) return evenly([PASS]);
  const taken = captures(position);
  const most = Math.max(...points.map((point) => taken[point]));
  return evenly(points.filter((point) => taken[point] === most));
}

function aggressive(rules, position) {
  const points = stonesOf(rules, position);
  const now = captures(position);
  if (!points.length || points.some((point) => now[point])) return greedy(rules, position);
  let most = 0;
  let firsts = [];
  for (const first of points) {
    const bit = 1 << first;
    const side = moverOf(position) ? "white" : "black";
    const following = { ...position, [side]: position[side] | bit, ko: null };
    const taken = captures(following);
    for (const second of stonesOf(rules, following)) {
      if (second <= first || !points.includes(second)) continue;
      if (taken[second] > most) [most, firsts] = [taken[second], []];
      if (taken[second] === most) firsts.push(first);
    }
  }
  if (!firsts.length) return evenly(points);
  const nearest = Math.min(...firsts.map((point) => FROM_CENTRE[point]));
  return evenly(firsts.filter((point) => FROM_CENTRE[point] === nearest));
}

const FROM_CENTRE = [...Array(POINTS).keys()].map(farFromCentre);

// The course's alpha-beta agent: a search of two plies, with at most ten moves for each position. Among equal moves the agent
// chooses the last one.
const [DEPTH, BRANCHING] = [2, 10];
const BORDER = pointsOf(FULL).filter((p) => [0, SIZE - 1].includes(Math.floor(p / SIZE)) || [0, SIZE - 1].includes(p % SIZE));
const EDGE_MASK = BORDER.reduce((mask, point) => mask | (1 << point), 0);

function alphabeta(rules, position) {
  if (!(position.black | position.white)) return evenly([12]);
  let [best, score] = [[PASS], -Infinity];
  for (const move of triedMoves(rules, position)) {
    const reached = -scoreOf(rules, rules.play(position, move), DEPTH - 1, -Infinity, 0.5 - score);
    if (reached > score) [best, score] = [[], reached];
    if (reached === score) best.push(move);
  }
  return evenly([Math.max(...best)]);
}

function scoreOf(rules, position, depth, alpha, beta) {
  if (depth <= 0 || isOver(position)) return evaluation(position);
  const moves = triedMoves(rules, position);
  let best = -Infinity;
  for (const move of moves.length ? moves : [PASS]) {
    best = Math.max(best, -scoreOf(rules, rules.play(position, move), depth - 1, -beta, -Math.max(alpha, best)));
    if (best >= beta) break;
  }
  return best;
}

function triedMoves(rules, position) {
  const taken = captures(position);
  const ranked = stonesOf(rules, position).sort((a, b) =>
    byRows([-taken[a], FROM_CENTRE[a], -a], [-taken[b], FROM_CENTRE[b], -b]),
  );
  return ranked.slice(0, BRANCHING);
}

function evaluation(position) {
  const [mine, theirs] = moverAndOther(position);
  return sideScore(mine, theirs) - sideScore(theirs, mine);
}

function sideScore(mine, theirs) {
  const empty = FULL & ~(mine | theirs);
  const contacts = pointsOf(neighboursOf(mine) & empty).reduce((sum, point) => sum + countOf(NEIGHBOURS[point] & mine), 0);
  const inAtari = chainsOf(mine, theirs).reduce((sum, group) => sum + (isInAtari(group) ? countOf(group.stones) : 0), 0);
  return 16 * countOf(mine) - 2 * contacts - 8 * countOf(mine & EDGE_MASK) - 3 * inAtari;
}

// --- Functions for the fitted models

// The numbers of plies that count as opening and as late, as in generator/opponents/features.py.
const [OPENING_PLIES, LATE_PLIES] = [6, 6];
const SPOTS = ["centre", "beside_centre", "inner_corner", "edge_middle", "edge_side", "corner"];
const HAS_EAST = pointsOf(FULL).reduce((mask, point) => (point % SIZE < SIZE - 1 ? mask | (1 << point) : mask), 0);

function spotOf(point) {
  const [far, near] = [Math.abs(Math.floor(point / SIZE) - 2), Math.abs((point % SIZE) - 2)].sort((a, b) => b - a);
  return SPOTS[(far * (far + 1)) / 2 + near];
}

function euler(stones) {
  const pairs = stones & (stones >> 1) & HAS_EAST;
  const down = stones >> SIZE;
  return countOf(stones) - countOf(pairs) - countOf(stones & down) + countOf(pairs & (pairs >> SIZE));
}

const stonesIn = (groups, liberties) =>
  groups.reduce((sum, group) => sum + (countOf(group.liberties) === liberties ? countOf(group.stones) : 0), 0);

const largestInAtari = (groups) => Math.max(0, ...groups.filter(isInAtari).map(({ stones }) => countOf(stones)));

// Return the features of each legal move, by name. A feature without an entry is 0.
export function featuresOf(rules, position) {
  const [mine, theirs] = moverAndOther(position);
  const empty = FULL & ~(mine | theirs);
  const [myGroups, theirGroups] = [chainsOf(mine, theirs), chainsOf(theirs, mine)];
  const [isOpening, isLate] = [position.ply < OPENING_PLIES, PLIES - position.ply <= LATE_PLIES];
  const board = (own, other, ownGroups, otherGroups) => ({
    at_risk: largestInAtari(ownGroups),
    at_risk_late: isLate ? largestInAtari(ownGroups) : 0,
    threatened: largestInAtari(otherGroups),
    own_liberties: countOf(neighboursOf(own) & FULL & ~(own | other)),
    their_liberties: countOf(neighboursOf(other) & FULL & ~(own | other)),
    own_shape: euler(own),
    their_shape: euler(other),
  });
  const effects = stonesOf(rules, position).map((point) => {
    const stone = 1 << point;
    const touched = myGroups.filter(({ liberties }) => liberties & stone);
    const hit = theirGroups.filter(({ liberties }) => liberties & stone);
    const captured = hit.filter(({ liberties }) => liberties === stone).reduce((mask, { stones }) => mask | stones, 0);
    const stones = touched.reduce((mask, group) => mask | group.stones, stone);
    const group = { stones, liberties: neighboursOf(stones) & (empty | captured) & ~stone };
    const staying = hit
      .filter(({ liberties }) => liberties !== stone)
      .map((one) => ({ stones: one.stones, liberties: one.liberties & ~stone }));
    return { point, stone, touched, captured, group, staying };
  });
  const most = Math.max(0, ...effects.map(({ captured }) => countOf(captured)));
  const rows = effects.map(({ point, stone, touched, captured, group, staying }) => {
    const taken = countOf(captured);
    const liberties = countOf(group.liberties);
    const [ataris, saved] = [stonesIn(staying, 1), liberties > 1 ? stonesIn(touched, 1) : 0];
    const beside = NEIGHBOURS[point];
    const isEye = (beside & mine) === beside;
    const freed = myGroups
      .filter((one) => !(one.liberties & stone))
      .map((one) => ({ stones: one.stones, liberties: one.liberties | (neighboursOf(one.stones) & captured) }));
    return {
      move: point,
      [spotOf(point)]: 1,
      [`opening_${spotOf(point)}`]: isOpening ? 1 : 0,
      captures: taken ? 1 : 0,
      captured: taken,
      captured_late: isLate ? taken : 0,
      most_captured: taken && taken === most ? 1 : 0,
      [`liberties_${Math.min(liberties, 4)}`]: 1,
      self_atari: liberties === 1 ? countOf(group.stones) : 0,
      ataris: ataris ? 1 : 0,
      atari: ataris,
      two_liberties: stonesIn(staying, 2),
      saves: saved ? 1 : 0,
      saved,
      own_beside: countOf(beside & mine),
      theirs_beside: countOf(beside & theirs),
      empty_beside: countOf(beside & empty),
      joins: Math.max(touched.length - 1, 0),
      fills_eye: isEye ? 1 : 0,
      fills_eye_late: isEye && isLate ? 1 : 0,
      ...board(mine | stone, theirs & ~captured, [group, ...freed], [
        ...staying,
        ...theirGroups.filter((one) => !(one.liberties & stone)),
      ]),
    };
  });
  const leads = marginOf(position) > KOMI === (moverOf(position) === 0);
  const passing = {
    move: PASS,
    pass: 1,
    pass_late: isLate ? 1 : 0,
    [leads ? "pass_ends_ahead" : "pass_ends_behind"]: passEnds(position) ? 1 : 0,
    ...board(mine, theirs, myGroups, theirGroups),
  };
  return [...rows, passing];
}

// Return the probability of each legal move: the mean of the fitted models and of a model in which all moves are equally likely.
// weights: a list for each model, with a number for each feature.
export function chancesOf(rules, position, { features, weights }) {
  const rows = featuresOf(rules, position);
  const total = rows.map(() => 0);
  for (const each of [...weights, features.map(() => 0)]) {
    const utilities = rows.map((row) => features.reduce((sum, name, index) => sum + each[index] * (row[name] ?? 0), 0));
    const top = Math.max(...utilities);
    const powers = utilities.map((utility) => Math.exp(utility - top));
    const sum = powers.reduce((a, b) => a + b, 0);
    for (const index of total.keys()) total[index] += powers[index] / sum / (weights.length + 1);
  }
  return { moves: rows.map(({ move }) => move), weights: total };
}

export const CHOOSERS = { random, greedy, aggressive, alphabeta };

// Return one of the moves, drawn with probabilities in proportion to their weights. chance: a random number from 0 to 1.
export function drawn({ moves, weights }, chance) {
  let rest = chance * weights.reduce((a, b) => a + b, 0);
  for (const [index, weight] of weights.entries()) {
    rest -= weight;
    if (rest < 0) return moves[index];
  }
  return moves.at(-1);
}
