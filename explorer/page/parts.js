// The parts of a text that a reader has read or skipped (notation/parsed.py), and the error that all readers throw
// (notation/faults.py).

import { FORMS } from "./reading.js";

// Thrown if a text cannot be read, or describes something that no game can have. fault: the kind of the problem, one of the
// words in notation/faults.py.
export class BadText extends Error {
  constructor(fault, message) {
    super(message);
    this.fault = fault;
  }
}

export const shown = (text) => `“${text.length > 20 ? `${text.slice(0, 20)}…` : text}”`;

const { neutral, quoted: MOST_QUOTED, most: MOST_PARTS } = FORMS.parts;
// The characters that all readers treat as blanks.
export const BLANKS = ` \n${FORMS.fold[" "]}${FORMS.fold["\n"]}`;
// Characters that have no meaning between two parts.
const SIGN = `[${BLANKS}${neutral.replace(/[\]\\^-]/g, "\\$&")}]`;
const NEUTRAL = new RegExp(`^${SIGN}*[.!?]?${SIGN}*$`);

// Cut a text into parts that were read and parts that were skipped, { text, taken }[]. Together the parts make up the whole text.
// spans: the start and end of each piece that was read, in order. A piece between two spans counts as read if it contains only
// blanks, signs that have no meaning, such as brackets, and at most one full stop. The blanks around other pieces count as read
// too.
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

// Return a sentence on each part that was skipped. If many parts were skipped, the last sentence gives the number of the other
// parts.
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
