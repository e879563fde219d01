// What the page shows, as one value, and what people do to it: reduce(state, action) is the next state, nothing is changed in
// place, and nothing here knows the document, the kernel or the clock. Undo (Past), the address (address.js) and what is drawn
// follow from the state.
//
// { mode, game, visit, play, puzzles, trying, tour, learn, draft, beside, tool, names, stopped }
// game: what people have made, { start, root, moves, at, names }: a tree (tree.js), a path in it, how far along it one looks,
// and the names of Black's and White's players, or null.
// visit: a game that the page puts on the board for a while (a lesson, a puzzle, a best line), or null.
// play: { who, opponent, started, shows, hint, said }: shows, whether the moves' values are shown; hint, a move or null, and
// said, a sentence, are about the position on the board. puzzles: { id, done, said, grade, theme }, with "" for any grade and
// theme. trying: the mistake of the game that is tried again, { number, index, count, isDone, said }, or null. It ends with
// any change of the game's moves or of the place where one looks.
// tour, learn: the number of the board. draft: the position being set up, or null.
// beside: a position to compare with, or null. tool: the mark that a click makes, or null. names: "ij" or "a1".
// stopped: the jobs (jobs.js) that people have stopped.

import { HAS_LESSONS } from "./game.js";
import { START } from "./rules.js";
import { ROOT, branchOf, nodeAt, toTheEnd, withBranchFirst, withLine, withNode, withoutNode } from "./tree.js";

const LESSONS_MODES = ["tour", "puzzles", "learn"];
export const MODES = ["explore", "play", "review", ...(HAS_LESSONS ? LESSONS_MODES : []), "edit"];
export const SIDES = ["black", "white", "both", "none"];

// Those that put games of their own on the board.
export const VISITING = LESSONS_MODES;

export const NO_GAME = Object.freeze({ start: START, root: ROOT, moves: Object.freeze([]), at: 0, names: null });

/** @type {any} */
export const FIRST_STATE = Object.freeze({
  mode: "explore",
  game: NO_GAME,
  visit: null,
  play: Object.freeze({ who: "black", opponent: "greedy", started: false, shows: false, hint: null, said: "" }),
  puzzles: Object.freeze({ id: null, done: false, said: "", grade: "", theme: "" }),
  trying: null,
  tour: 0,
  learn: 0,
  draft: null,
  beside: null,
  tool: null,
  names: "ij",
  stopped: Object.freeze([]),
});

// The game on the board.
export const shownGame = (state) => state.visit ?? state.game;

// A game of one line, or of a tree if there is one. lost: what ended it after its last move.
// about: what a reader has found out about it (formats.js).
export function gameOf({ start, moves, at = moves.length, lost = null, root = ROOT, about = null }) {
  const grown = withLine(root, moves);
  const whole = lost ? withNode(grown, moves, (node) => ({ ...node, lost })) : grown;
  return { start, root: whole, moves: [...moves], at, names: about?.agents ?? null };
}

// Whether two games are of one kind: nothing of either is lost by going from the one to the other.
const isSame = (one, other) => one.start === other.start && one.root === other.root;

function withMove(game, move) {
  const path = [...game.moves.slice(0, game.at), move];
  if (game.moves[game.at] === move) return { ...game, at: path.length };
  const root = withLine(game.root, path);
  return { ...game, root, moves: toTheEnd(root, path), at: path.length };
}

// The state with another game on the board; what is visited becomes one's own by being changed.
function put(state, game, visits = state.visit !== null && VISITING.includes(state.mode)) {
  return visits ? { ...state, visit: game } : { ...state, game, visit: null };
}

function withoutVisit(state) {
  return { ...state, visit: null, mode: VISITING.includes(state.mode) ? "explore" : state.mode };
}

// What stays as it is by undo and on the way to another place.
const settingsOf = ({ names, stopped }) => ({ names, stopped, tool: null });

function onTree(state, change) {
  const game = shownGame(state);
  const root = change(game.root);
  return root === game.root ? state : put(state, { ...game, root });
}

const REDUCERS = {
  // What is opened in a mode that puts its own games on the board is for the explorer.
  load: (state, { game, visits = false }) => put(visits ? state : withoutVisit(state), gameOf(game), visits),

  play: (state, { move }) => put(state, withMove(shownGame(state), move)),

  // Only where one looks changes: what is visited stays so.
  // isOwn: in the game that people have made, whatever is visited.
  goTo(state, { at, isOwn = false }) {
    if (isOwn && state.visit) return REDUCERS.goTo(withoutVisit(state), { at });
    const game = shownGame(state);
    const moved = { ...game, at: Math.min(Math.max(at, 0), game.moves.length) };
    return moved.at === game.at ? state : state.visit ? { ...state, visit: moved } : { ...state, game: moved };
  },

  follow(state, { path, at }) {
    const game = { ...shownGame(state), moves: path, at };
    return state.visit ? { ...state, visit: game } : { ...state, game };
  },

  // Take moves back: they stay in the tree, and the line ends here.
  takeBack(state, { at }) {
    const game = shownGame(state);
    return put(state, { ...game, moves: game.moves.slice(0, at), at });
  },

  name: (state, { path, name }) => onTree(state, (root) => withNode(root, path, (node) => ({ ...node, name }))),

  fold: (state, { path }) => onTree(state, (root) => withNode(root, path, (node) => ({ ...node, isFolded: !node.isFolded }))),

  note: (state, { path, note }) => onTree(state, (root) => withNode(root, path, (node) => ({ ...node, note }))),

  // A mark that is there already goes.
  mark: (state, { path, mark }) =>
    onTree(state, (root) =>
      withNode(root, path, (node) => {
        const had = node.marks ?? [];
        const others = had.filter((one) => one.point !== mark.point || one.to !== mark.to);
        const isThere = had.some((one) => one.kind === mark.kind && one.point === mark.point && one.to === mark.to);
        return { ...node, marks: isThere ? others : [...others, mark] };
      }),
    ),

  promote: (state, { path }) => onTree(state, (root) => withBranchFirst(root, path)),

  remove(state, { path }) {
    const game = shownGame(state);
    if (!path.length || !nodeAt(game.root, path)) return state;
    const root = withoutNode(game.root, path);
    const isOn = path.every((move, index) => game.moves[index] === move);
    if (!isOn) return put(state, { ...game, root });
    const kept = path.slice(0, -1);
    return put(state, { ...game, root, moves: toTheEnd(root, kept), at: Math.min(game.at, kept.length) });
  },

  mode(state, { mode }) {
    if (mode === state.mode) return state;
    const draft = mode === "edit" ? state.draft : null;
    const play = state.mode === "play" ? { ...state.play, started: false, hint: null, said: "" } : state.play;
    return { ...state, mode, draft, play, tool: null };
  },

  home: withoutVisit,

  // Parts of the state, by their names.
  set: (state, { changes }) =>
    Object.entries(changes).every(([name, value]) => state[name] === value) ? state : { ...state, ...changes },

  // A board of a lesson or a puzzle, with what changes besides.
  board: (state, { game, changes }) => ({ ...state, ...changes, visit: gameOf(game) }),

  // Show a mistake of the game, to try it again or with the result; null ends it.
  try: (state, { trying }) => (trying ? { ...state, visit: null, game: { ...state.game, at: trying.index }, trying } : { ...state, trying }),

  tool: (state, { tool }) => ({ ...state, tool: tool === state.tool ? null : tool }),

  // To a place that an address names. What one has made stays if the place is in it.
  visit(state, { place }) {
    const { game, ...rest } = place;
    const next = { ...state, draft: null, visit: null, ...rest, trying: null, ...settingsOf(state) };
    if (!game) return next;
    const { start, root } = state.game;
    const isIn = JSON.stringify(start) === JSON.stringify(game.start) && nodeAt(root, game.moves);
    return { ...next, game: isIn ? { ...state.game, moves: toTheEnd(root, game.moves), at: game.at } : gameOf(game) };
  },
};

const isSameLine = (one, other) =>
  one.start === other.start && one.moves.length === other.moves.length && one.moves.every((move, at) => move === other.moves[at]);

// Whether a mistake is still asked: on the board stands the position before it, of the game that it is of.
function isTrying({ game }, next) {
  return next.mode === "review" && !next.visit && next.game.at === next.trying.index && isSameLine(game, next.game);
}

export function reduce(state, action) {
  const changed = REDUCERS[action.type](state, action);
  const next = changed.trying && !isTrying(state, changed) ? { ...changed, trying: null } : changed;
  const isElsewhere = shownGame(next) !== shownGame(state) && action.type !== "visit" && next.play === state.play;
  return isElsewhere && (next.play.hint !== null || next.play.said) ? { ...next, play: { ...next.play, hint: null, said: "" } } : next;
}

// Whether an action made or destroyed something that undo brings back. Folding and looking are not undone.
export function isUndoable(action, before, after) {
  if (action.type === "fold" || action.isReply) return false;
  return !isSame(before.game, after.game) || (before.draft !== null && after.draft !== null && before.draft !== after.draft);
}

// Undo and redo: the states before and after those that people made. The settings of the page stay as they are.
export class Past {
  constructor() {
    this.before = [];
    this.after = [];
  }

  note(state) {
    this.before.push(state);
    this.after = [];
  }

  undo(state) {
    return this._step(this.before, this.after, state);
  }

  redo(state) {
    return this._step(this.after, this.before, state);
  }

  _step(from, to, state) {
    const found = from.pop();
    if (!found) return null;
    to.push(state);
    return { ...found, ...settingsOf(state), beside: state.beside };
  }
}

// The path to the branch that one looks at, or null.
export function shownBranch(state) {
  const { root, moves, at } = shownGame(state);
  return branchOf(root, moves.slice(0, at));
}
