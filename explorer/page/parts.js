// What a reader took of a text and what it left out, in the text's own words (notation/parsed.py), and the error of all
// readers (notation/faults.py).

import { FORMS } from "./reading.js";

// A text that cannot be read, or that shows what no game can have; `fault` is what is wrong, in a word.
export class BadText extends Error {
  constructor(fault, message) {
    super(message);
    this.fault = fault;
  }
}

export const shown = (text) => `“${text.length > 20 ? `${text.slice(0, 20)}…` : text}”`;

const { neutral, quoted: MOST_QUOTED, most: MOST_PARTS } = FORMS.parts;
// The blanks of all readers.
export const BLANKS = ` \n${FORMS.fold[" "]}${FORMS.fold["\n"]}`;
// Signs without a meaning of their own between parts that were taken.
const SIGN = `[${BLANKS}${neutral.replace(/[\]\\^-]/g, "\\$&")}]`;
const NEUTRAL = new RegExp(`^${SIGN}*[.!?]?${SIGN}*$`);

// A text cut into what was taken and what was left out, { text, taken }[]; the parts make up the text. spans: where the
// pieces begin and end that were taken, in their order. Blanks around the others are taken as well, and so are brackets,
// lines and the like, with a full stop at most.
export function partsOf(text, spans) {
  const pieces = [];
  const add = (piece, taken) => {
    if (!piece) return;
    if (pieces.at(-1)?.taken === taken) pieces.at(-1).text += piece;
    else pieces.push({ text: piece, taken });
  };
  const addUnread = (piece) => {
    if (NEUTRAL.test(piece)) return add(piece, true);
    let [first, last] = [0, piece.length];
    while (BLANKS.includes(piece[first])) first++;
    while (BLANKS.includes(piece[last - 1])) last--;
    add(piece.slice(0, first), true);
    add(piece.slice(first, last), false);
    add(piece.slice(last), true);
  };
  let at = 0;
  for (const [begin, end] of [...spans, [text.length, text.length]]) {
    addUnread(text.slice(at, begin));
    add(text.slice(Math.max(at, begin), Math.max(at, end)), true);
    at = Math.max(at, end);
  }
  return pieces;
}

export const wholeText = (text) => partsOf(text, [[0, text.length]]);

export const leftOut = (parts) => parts.filter(({ taken }) => !taken).map(({ text }) => text);

// A sentence on each part that was left out; the last one counts those that it does not quote.
export function notRead(left) {
  const notes = left.slice(0, MOST_PARTS).map((text) => `Not read: ${quotedPart(text)}.`);
  const more = left.length - MOST_PARTS;
  return more > 0 ? [...notes, `Not read: ${more} more part${more > 1 ? "s" : ""}.`] : notes;
}

function quotedPart(text) {
  const [first, ...more] = text.split(/\r\n|\r|\n/);
  const quoted = `“${first.length > MOST_QUOTED ? `${first.slice(0, MOST_QUOTED)}…` : first}”`;
  return quoted + (more.length ? ` and ${more.length} more line${more.length > 1 ? "s" : ""}` : "");
}
