// Convert a state into its address, the text after the #, and an address into the part of a state that it describes.
//
// Every reader of links understands the parts `from`, `moves`, `at`, `plies` and `komi` (formats.js). Only the page uses the
// other parts: `mode`; `side` and `against` for a game against an opponent; `board` for a lesson; `draft` for a position that
// is being set up; `beside` for a position that is compared with the board; and `names`.

import { fragmentOf, positionText, readFragment, readPosition } from "./formats.js";
import { BadText } from "./parts.js";
import { keyOf } from "./rules.js";
import { FIRST_STATE, MODES, SIDES, VISITING, gameOf, shownGame } from "./state.js";

// The names of the parts that any address can have, and of the parts that belong to one mode.
const PARTS = ["moves", "from", "at", "plies", "komi", "mode", "beside"];
const PARTS_OF = { play: ["side", "against"], tour: ["board"], learn: ["board"], edit: ["draft"] };
const NAMES_OF_PARTS = [...PARTS, ...Object.values(PARTS_OF).flat()];

export function addressOf(state) {
  const { mode, play } = state;
  const shown = shownGame(state);
  // The address of a puzzle omits the moves, so it does not give the solution away.
  const { start, moves, at } = mode === "puzzles" ? { ...shown, moves: [], at: 0 } : shown;
  const parts = [fragmentOf({ start, moves, at })];
  if (mode !== FIRST_STATE.mode) parts.push(`mode=${mode}`);
  if (mode === "play" && play.who !== FIRST_STATE.play.who) parts.push(`side=${play.who}`);
  if (mode === "play" && play.opponent !== FIRST_STATE.play.opponent) parts.push(`against=${play.opponent}`);
  if (mode === "tour" || mode === "learn") parts.push(`board=${state[mode] + 1}`);
  if (mode === "edit" && state.draft) parts.push(`draft=${positionText(state.draft)}`);
  if (state.beside) parts.push(`beside=${positionText(state.beside)}`);
  // A fragment without moves or a position would not be recognized as a link.
  if (!parts[0] && parts.length > 1) parts[0] = "moves=";
  return parts.filter(Boolean).join("&");
}

// Return the name of a puzzle. The name depends only on the position, so it stays the same if the list of puzzles changes.
export const puzzleId = (position) => keyOf(position).toString(36);

// Return the part of a state that an address describes. Throw BadText if the address is not valid. boards: for each mode of
// lessons, the links of its boards. opponents: the names that exist.
export function placeOf(fragment, rules, boards, opponents) {
  const found = readFragment(fragment, rules);
  const { named: parts } = found;
  if (fragment && !NAMES_OF_PARTS.some((name) => parts.has(name)))
    throw new BadText("damaged", `“${fragment.slice(0, 20)}” names no position: want moves=2,2.1,1 or another link of this page`);
  const mode = parts.get("mode") ?? FIRST_STATE.mode;
  if (!MODES.includes(mode)) throw noneOf("mode", mode, MODES);
  const known = [...PARTS, ...(PARTS_OF[mode] ?? [])];
  const unknown = [...parts.keys()].find((name) => name && !known.includes(name));
  if (unknown) throw noneOf(`a link to ${mode}`, unknown, known);
  const game = gameOf({ start: found.start, moves: found.moves, at: found.at });
  const place = { mode, beside: parts.has("beside") ? readPosition(parts.get("beside"), rules, "beside") : null };
  if (VISITING.includes(mode)) place.visit = game;
  else place.game = game;
  if (mode === "play") {
    const { who, opponent } = FIRST_STATE.play;
    const play = { ...FIRST_STATE.play, who: parts.get("side") ?? who, opponent: parts.get("against") ?? opponent };
    if (!SIDES.includes(play.who)) throw noneOf("side", play.who, SIDES);
    if (!opponents.includes(play.opponent)) throw noneOf("against", play.opponent, opponents);
    place.play = play;
  }
  if (mode === "puzzles" && parts.get("from")) place.puzzles = { ...FIRST_STATE.puzzles, id: puzzleId(found.start) };
  if (boards[mode]) {
    const board = parts.get("board") ?? "1";
    if (!/^\d{1,3}$/.test(board) || !(Number(board) >= 1 && Number(board) <= boards[mode].length))
      throw new BadText("damaged", `board: “${board}” is none of ${boards[mode].length} boards`);
    place[mode] = Number(board) - 1;
    if (!parts.get("from") && !parts.get("moves")) place.visit = gameOf(readFragment(boards[mode][place[mode]], rules));
  }
  if (mode === "edit") place.draft = parts.has("draft") ? readPosition(parts.get("draft"), null, "draft") : game.start;
  return place;
}

function noneOf(name, word, words) {
  return new BadText("damaged", `${name}: “${word.slice(0, 20)}” is none of ${words.join(", ")}`);
}
