// The lines around a drawn board that contain the mover, the plies, a PASS, the komi, the last move or captures
// (notation/board.py). A line counts only if the whole of it has a known form; every other line is left out.

import { KOMI } from "./game.js";
import { COURSE_KOMI, COURSE_PLIES, PLIES, SIZE } from "./rules.js";
import { BadText, shown } from "./parts.js";

const COLOUR = String.raw`black(?: \(x\))?|white(?: \(o\))?|x|o`;
const NUMBER = "[0-9]{1,3}";
const KOMI_OF = String.raw`-?[0-9]{1,2}(?:\.[0-9]{1,2})?`;
const STONE_WORDS = "(?:stones?|pieces?)";

// What the groups contain stands at _FORMS in notation/board.py.
const FORMS = [
  // Ours: query's board, the page's line, showboard, play, review.
  String.raw`(?<heading>)(?<alone>)(?<ply>${NUMBER}) of (?<plies>${NUMBER}) plies played, (?<mover>black \(x\)|white \(o\)) to move(?<passed>, after a PASS)?(?:; komi (?<komi>${KOMI_OF}))?\.`,
  String.raw`(?<alone>)(?<ply>${NUMBER}) of (?<plies>${NUMBER}) plies played, (?<mover>black|white) to move\.(?: (?<ko>[0-4],[0-4]) is forbidden by ko\.)?(?<passed> The last ply was a PASS: another one ends the game\.)?(?: This is the last ply\.)?`,
  String.raw`(?<heading>)(?<over>)The game(?: of (?<plies>${NUMBER}) plies)? is over(?:; komi (?<komi>${KOMI_OF}))?\.`,
  String.raw`(?<over>)The game is over after (?:ply ${NUMBER}|the last move)\.`,
  String.raw`(?<heading>)(?<over>)the game has ended: [BW]\+[0-9]{1,2}(?:\.[0-9])?`,
  String.raw`(?<heading>)ply (?<ply>${NUMBER}) of (?<plies>${NUMBER}), (?<mover>black|white) to move`,
  String.raw`Game: (?<plies>${NUMBER}) plies, komi (?<komi>${KOMI_OF})`,
  String.raw`ply (?<next>${NUMBER}) of (?<plies>${NUMBER}); x (?<on_black>[0-9]{1,2}) : o (?<on_white>[0-9]{1,2}) \+ (?<komi>${KOMI_OF})`,
  String.raw`(?<heading>)ply (?<next>${NUMBER}): (?<mover>black|white) plays (?:[0-4],[0-4]|PASS), (?:costs|loses) [0-9]{1,2}(?: points?)?(?: or more)?(?: and the win)?(?: \([a-z ]{1,40}\)?)?\.?`,
  String.raw`(?<heading>)It begins after ply (?<ply>${NUMBER}) with (?<mover>black|white) to move:`,
  // Everybody's.
  String.raw`(?:it is |it's )?(?<mover>${COLOUR}) to (?:move|play)[.!]?`,
  String.raw`(?:it is |it's )?(?<mover>${COLOUR})['\u2019]s (?:turn|move)(?: to (?:move|play))?[.!]?`,
  String.raw`(?:next player|player to move|next to move|next|to move|to play|turn) ?[:=] ?(?<mover>${COLOUR}|b|w)[.!]?`,
  // GNU Go's.
  String.raw`white \(o\) has captured (?<blacks>${NUMBER}) ${STONE_WORDS}`,
  String.raw`black \(x\) has captured (?<whites>${NUMBER}) ${STONE_WORDS}`,
  String.raw`(?<alone>)Last move: (?<last>black|white) (?:(?<stop>PASS)|(?<point>[a-e][1-5]))`,
  // KataGo's.
  String.raw`(?:= ?)?MoveNum: (?<ply>${NUMBER}) HASH: [0-9A-F]{1,64}`,
  String.raw`b stones captured: (?<blacks>${NUMBER})`,
  String.raw`w stones captured: (?<whites>${NUMBER})`,
  // GoGui's.
  String.raw`Prisoners: b (?<blacks>${NUMBER}) {1,2}w (?<whites>${NUMBER})`,
].map((form) => new RegExp(`^(?:${form})$`, "i"));

// Each of them has one of these words, and is no longer.
const FORM_WORD = /ply|plies|move|play|turn|next|over|ended|captured|prisoners/i;
const LONGEST_FORM = 160;

const SENSEI = /^\$\$([BW])?[0-9]{0,3}(?:m[0-9]{1,3})?c?(?![A-Za-z0-9])/i;
const HEAD = /^(?:0 *1 *2 *3 *4|1 *2 *3 *4 *5|a *b *c *d *e)(?<rest> {2,}[^ ][^]*)?$/i;

const HEAD_COLUMNS = "ABCDE";

// What the lines around a board contain, as facts by name.
export class Context {
  constructor() {
    this.facts = {};
  }

  // Add what one more line contains.
  add(found, line) {
    for (const [name, value] of Object.entries(found)) {
      if (name in this.facts && String(this.facts[name]) !== String(value))
        throw new BadText("ambiguous", `${shown(line)} contradicts another line around the board`);
      this.facts[name] = value;
    }
  }

  checkGame() {
    const { heading } = this.facts;
    const { plies = heading ? COURSE_PLIES : PLIES, komi = heading ? COURSE_KOMI : KOMI } = this.facts;
    if (plies !== PLIES || komi !== KOMI)
      throw new BadText("other-game", `it is of a game of ${plies} plies, komi ${komi}, and this page of ${PLIES} plies, komi ${KOMI}`);
  }

  // The plies played, or null.
  get ply() {
    const { over, mover, ply } = this.facts;
    if (over && (mover !== undefined || (ply ?? PLIES) !== PLIES))
      throw new BadText("ambiguous", "one line shows a game that is over, and another one that continues");
    if (over) return PLIES;
    if (ply !== undefined && mover !== undefined && ply % 2 !== mover)
      throw new BadText("ambiguous", `after ${ply} plies it is the other side's move`);
    return ply ?? null;
  }
}

// What a line contains that has a known form; null of any other line.
export function readLine(line) {
  if (line.length > LONGEST_FORM || !FORM_WORD.test(line)) return null;
  for (const form of FORMS) {
    const match = line.match(form);
    if (match) return factsOf(match.groups);
  }
  return null;
}

// How many characters of a line are the columns' names or Sensei's mark; null if it begins with neither.
export function readHead(line) {
  const sensei = line.match(SENSEI);
  if (sensei) return sensei[0].length;
  const head = line.match(HEAD);
  return head ? line.length - (head.groups.rest ?? "").length : null;
}

// The side that Sensei's mark names, or null.
export function senseiMover(line) {
  const colour = line.match(SENSEI)?.[1];
  return colour ? colourOf(colour) : null;
}

function factsOf(found) {
  const facts = {};
  const names = { ply: "ply", plies: "plies", blacks: "capturedBlack", whites: "capturedWhite", on_black: "onBlack", on_white: "onWhite" };
  for (const [group, name] of Object.entries(names)) if (found[group] !== undefined) facts[name] = Number(found[group]);
  if (found.next !== undefined) facts.ply = Number(found.next) - 1;
  if (found.mover !== undefined) facts.mover = colourOf(found.mover);
  if (found.komi !== undefined) facts.komi = Number(found.komi);
  if ("heading" in found) facts.heading = true;
  if (found.last !== undefined) {
    facts.mover = 1 - colourOf(found.last);
    if (found.point !== undefined)
      facts.last = [colourOf(found.last), SIZE * (SIZE - Number(found.point[1])) + HEAD_COLUMNS.indexOf(found.point[0].toUpperCase())];
  }
  if (found.ko !== undefined) facts.ko = SIZE * Number(found.ko[0]) + Number(found.ko[2]);
  if ("over" in found) facts.over = true;
  else if ("alone" in found) facts.passed = Boolean(found.passed ?? found.stop);
  return facts;
}

const colourOf = (word) => Number(!"bx".includes(word[0].toLowerCase()));
