// The state of the page, as one value, and its changes. reduce(state, action) returns the next state, and does not change the
// given state. This module does not use the document, the kernel or the clock. Undo (Past), the address (address.js) and the
// drawing are derived from the state.
//
// The fields of a state are { mode, game, visit, play, puzzles, trying, tour, learn, draft, beside, tool, names, stopped }:
// - game: the user's game, { start, root, moves, at, names }. root: a tree (tree.js). moves: a path in the tree. at: the number
//   of moves before the shown position. names: the names of Black's and White's players, or null.
// - visit: a game, such as a lesson, a puzzle or a best line, that the board temporarily shows instead of the user's game; or
//   null.
// - play: { who, opponent, started, shows, hint, said }. shows: whether the moves' values are shown. hint: a suggested move, or
//   null. said: a sentence. The hint and the sentence are about the position on the board.
// - puzzles: { id, done, said, grade, theme }. The value "" of grade or theme means any grade or theme.
// - trying: the mistake that the user tries to improve, { number, index, count, isDone, said }, or null. `trying` becomes null
//   when the moves of the game or the shown position change.
// - tour, learn: the index of the board.
// - draft: the position that is being set up, or null.
// - beside: a position that is compared with the position on the board, or null.
// - tool: the kind of mark that a click makes, or null.
// - names: how points are named, "ij" (such as 2,2) or "a1" (such as C3).
// - stopped: the jobs (jobs.js) that the user has stopped.

import { HAS_LESSONS } from "./game.js";
import { START } from "./rules.js";
import { ROOT, branchOf, nodeAt, toTheEnd, withBranchFirst, withLine, withNode, withoutNode } from "./tree.js";

const LESSONS_MODES = ["tour", "puzzles", "learn"];
export const MODES = ["explore", "play", "review", ...(HAS_LESSONS ? LESSONS_MODES : []), "edit"];
export const SIDES = ["black", "white", "both", "none"];

// The modes that put their own games on the board.
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

export const shownGame = (state) => state.visit ?? state.game;

// Return a game with a line of moves, which is added to the tree `root`. lost: the event that ended the game after its last
// move. about: the result, ending and players of the game (formats.js).
export function gameOf({ start, moves, at = moves.length, lost = null, root = ROOT, about = null }) {
  const grown = withLine(root, moves);
  const whole = lost ? withNode(grown, moves, (node) => ({ ...node, lost })) : grown;
  return { start, root: whole, moves: [...moves], at, names: about?.agents ?? null };
}

// Return whether two games differ at most in the shown line and position, so that a change from one game to the other loses
// nothing.
const isSame = (one, other) => one.start === other.start && one.root === other.root;

function withMove(game, move) {
  const path = [...game.moves.slice(0, game.at), move];
  if (game.moves[game.at] === move) return { ...game, at: path.length };
  const root = withLine(game.root, path);
  return { ...game, root, moves: toTheEnd(root, path), at: path.length };
}

// Return the state with another game on the board. If the user changes a visited game in a mode without lessons, the visited
// game becomes the user's own game.
function put(state, game, visits = state.visit !== null && VISITING.includes(state.mode)) {
  return visits ? { ...state, visit: game } : { ...state, game, visit: null };
}

function withoutVisit(state) {
  return { ...state, visit: null, mode: VISITING.includes(state.mode) ? "explore" : state.mode };
}

// The settings that stay the same when the user undoes or redoes an action, or opens an address.
const settingsOf = ({ names, stopped }) => ({ names, stopped, tool: null });

function onTree(state, change) {
  const game = shownGame(state);
  const root = change(game.root);
  return root === game.root ? state : put(state, { ...game, root });
}

const REDUCERS = {
  // If a game is opened in a mode with lessons, change to the mode "Explore".
  load: (state, { game, visits = false }) => put(visits ? state : withoutVisit(state), gameOf(game), visits),

  play: (state, { move }) => put(state, withMove(shownGame(state), move)),

  // Show another position of the game on the board. If isOwn is true, first return to the user's own game.
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

  // Take moves back. The moves stay in the tree, but the line ends after the first `at` moves.
  takeBack(state, { at }) {
    const game = shownGame(state);
    return put(state, { ...game, moves: game.moves.slice(0, at), at });
  },

  name: (state, { path, name }) => onTree(state, (root) => withNode(root, path, (node) => ({ ...node, name }))),

  fold: (state, { path }) => onTree(state, (root) => withNode(root, path, (node) => ({ ...node, isFolded: !node.isFolded }))),

  note: (state, { path, note }) => onTree(state, (root) => withNode(root, path, (node) => ({ ...node, note }))),

  // Add a mark to a node. If the node already has this mark, remove the mark.
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

  // Set fields of the state by their names.
  set: (state, { changes }) =>
    Object.entries(changes).every(([name, value]) => state[name] === value) ? state : { ...state, ...changes },

  // Show a board of a lesson or a puzzle, and set other fields of the state.
  board: (state, { game, changes }) => ({ ...state, ...changes, visit: gameOf(game) }),

  // Begin or continue to try a mistake of the game again, and show the position before the mistake. trying: the new value of
  // the field; null ends the attempt.
  try: (state, { trying }) => (trying ? { ...state, visit: null, game: { ...state.game, at: trying.index }, trying } : { ...state, trying }),

  tool: (state, { tool }) => ({ ...state, tool: tool === state.tool ? null : tool }),

  // Change to the position and mode that an address describes. If the user's game contains the line of the address, keep the
  // user's game with its tree.
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

// Return whether the board still shows the position before the mistake that the user tries again, in the same game.
function isTrying({ game }, next) {
  return next.mode === "review" && !next.visit && next.game.at === next.trying.index && isSameLine(game, next.game);
}

const isSamePlace = (one, other) =>
  one.start === other.start && one.at === other.at && one.moves.slice(0, one.at).every((move, index) => move === other.moves[index]);

export function reduce(state, action) {
  const changed = REDUCERS[action.type](state, action);
  const next = changed.trying && !isTrying(state, changed) ? { ...changed, trying: null } : changed;
  const isElsewhere = action.type === "load" || (action.type !== "visit" && next.play === state.play && !isSamePlace(shownGame(next), shownGame(state)));
  return isElsewhere && (next.play.hint !== null || next.play.said) ? { ...next, play: { ...next.play, hint: null, said: "" } } : next;
}

// Return whether undo can reverse the action. Folding a variation and showing another position cannot be undone.
export function isUndoable(action, before, after) {
  if (action.type === "fold" || action.isReply) return false;
  return !isSame(before.game, after.game) || (before.draft !== null && after.draft !== null && before.draft !== after.draft);
}

// The states for undo and redo: lists of earlier and of later states. Undo does not change the settings of the page.
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

// Return the path to the branch of the shown position, or null if the position is on the main line.
export function shownBranch(state) {
  const { root, moves, at } = shownGame(state);
  return branchOf(root, moves.slice(0, at));
}
