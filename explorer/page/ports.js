// The functions that reading.js needs from JavaScript. notation/ports.py has the same functions for Python.

import { SIZE, NAMES } from "./rules.js";
import { BadText, shown } from "./parts.js";
import { FORMS } from "./reading.js";

const FOLDED = new Map();
for (let code = 0xff01; code < 0xff5f; code++) FOLDED.set(String.fromCharCode(code), String.fromCharCode(code - 0xfee0).toLowerCase());
for (const [first, end] of [[65, 91], [0xc0, 0xd7], [0xd8, 0xdf], [0x410, 0x430], [0x401, 0x402]])
  for (let code = first; code < end; code++) FOLDED.set(String.fromCharCode(code), String.fromCharCode(code).toLowerCase());
for (const [sign, all] of Object.entries(FORMS.fold)) for (const one of all) FOLDED.set(one, sign);
const TO_FOLD = new RegExp(`[${[...FOLDED.keys()].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}]`, "g");

const KINDS = { '"': "text", "{": "{", "}": "}", "[": "[", "]": "]", ",": ",", ":": ":" };

const ROLES = Object.fromEntries(["columns", "keys"].map((kind) =>
  [kind, new Map(Object.entries(FORMS[kind]).flatMap(([role, names]) => names.map((name) => [name, role])))]));

const COMPILED = new Map();

// Return the three regular expressions of a form, which match the whole text, a prefix of the text, or any part of the text.
// Macros in the form are replaced. If the name of a group occurs again, "_again" is added to the name.
function expression(name) {
  if (!COMPILED.has(name)) {
    let form = FORMS.patterns[name];
    for (let times = 0; times < 3; times++)
      for (const [macro, part] of Object.entries(FORMS.macros)) form = form.replaceAll(`<${macro}>`, part);
    const seen = {};
    form = form.replace(/\(\?<([a-z_0-9]+)>/g, (_, group) => {
      seen[group] = (seen[group] ?? -1) + 1;
      return `(?<${group}${"_again".repeat(seen[group])}>`;
    });
    COMPILED.set(name, [new RegExp(`^(?:${form})$`, "d"), new RegExp(form, "y"), new RegExp(form, "g")]);
  }
  return COMPILED.get(name);
}

// Return the error with a name from the table of errors, FORMS.refuse, with values inserted into its message.
export function refusal(name, ...values) {
  const [fault, text] = FORMS.refuse[name];
  return new BadText(fault, values.reduce((message, value, index) =>
    message.replaceAll(`<${index}>`, () => shown(String(value))).replaceAll(`{${index}}`, () => String(value)), text));
}

export class Ports {
  constructor(text) {
    this.text = this.outer = text;
    this.table = FORMS;
  }

  // Return the groups of the match if a form matches the whole text. Return null otherwise.
  match(name, text) {
    const found = expression(name)[0].exec(text);
    if (!found) return null;
    const groups = {};
    for (const [group, value] of Object.entries(found.groups ?? {}))
      if (value !== undefined) groups[group.replaceAll("_again", "")] = value;
    if (/^row\d/.test(name)) groups.end = (found.indices.groups.number2 ?? found.indices.groups.points)[1];
    return groups;
  }

  begins(name, text) {
    const form = expression(name)[1];
    form.lastIndex = 0;
    return form.exec(text)?.[0].length ?? 0;
  }

  search = (name, text) => text.search(expression(name)[2]);
  pieces = (text) => [...text.matchAll(expression("piece")[2])].map((piece) => [piece.index, piece[0]]);

  token(text, at) {
    const form = expression("token")[1];
    form.lastIndex = at;
    const found = form.exec(text);
    return [FORMS.token[FORMS.token.findIndex((_, index) => found.groups[`k${index}`] !== undefined)].kind, found[0]];
  }

  json_tokens = (text) => [...text.matchAll(expression("json_token")[2])].map(({ 0: word, index }) =>
    [KINDS[word[0]] ?? (/[-0-9]/.test(word[0]) ? "number" : "word"), word, index]);

  // Return the tuples of three numbers, one tuple from each bracket or line. Each number is a list of its value and its offset.
  // Return an empty list if the text contains anything else.
  tuples(text) {
    if (!/^[0-9,;()[\] \n]{1,2000}$/.test(text)) return [];
    const inner = [...text.matchAll(/(?<=[([])[^()[\]]*(?=[)\]])/g)];
    const groups = inner.length ? inner : [...text.matchAll(/[^\n]+/g)];
    const rows = groups.filter(([group]) => group.trim()).map(({ 0: group, index: at }) =>
      [...group.matchAll(/[0-9]{1,3}/g)].map(({ 0: number, index }) => [Number(number), at + index]));
    return rows.every((row) => row.length === 3) ? rows : [];
  }

  cells = (line) => (line.match(expression("cell")[2]) ?? []).map((cell) => cell.replace(/^[ "']+|[ "']+$/g, ""));
  signs = (points, scheme) => points.replace(scheme === 3 ? /[ |()"',.]/g : /[ |()"',]|(?<=[^0-9 |("',])[1-3]/g, "");
  signs_used = (rows, of) => [...new Set(rows.join(""))].filter((sign) => of.includes(this.fold(sign)) && !/[0-9]/.test(sign));
  fold = (text) => text.replace(TO_FOLD, (sign) => FOLDED.get(sign));
  simple = (name) => this.fold(name).replace(/[_ -]/g, "");
  role = (kind, name) => ROLES[kind].get(name) ?? "";
  names = (facts) => Object.keys(facts);
  holds = (part, text) => part !== "" && text.includes(part);
  any_of = (signs, text) => [...signs].some((sign) => text.includes(sign));
  index_of = (items, item) => items.indexOf(item);
  in_order = (spans) => [...spans].sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  digits = (text) => text.replace(/[^0-9]/g, "");
  number = (word) => Number(word.replace(/[^0-9+-]/g, ""));
  number_of = (word) => Number(word.startsWith("0x") || /[.e]/i.test(word) ? word : word.slice(0, 18));
  // Return whether a word is a whole number. 2.0 is a whole number, but a float of 16 digits or more is not, because it can be
  // inexact.
  is_whole = (word) => /^-?[0-9]+$/.test(word) || /^-?[0-9]{1,15}[.]0{1,9}$/.test(word);
  // Return whether a program can have printed the number from a float above 2**53, whose last digits can be wrong.
  is_rounded = (word) => word.length >= 16 && Number(word) > 2 ** 53 && String(Number(word)) === word;
  decimal = (word) => Number(word);
  count = (stones) => stones.toString(2).replaceAll("0", "").length;
  trim = (text) => this.trim_end(text.slice(this.begins("blanks", text)));

  // A regular expression would scan a long run of blanks again from each blank of the run, so use a loop.
  trim_end(text) {
    let end = text.length;
    while (end && text[end - 1] === " ") end--;
    return text.slice(0, end);
  }

  blanks = (count) => " ".repeat(Math.max(count, 0));
  is_blank = (text, begin, end) => /^[ \t\r\n\ufeff]*$/.test(text.slice(begin, end));
  before = (text, at) => text.slice(Math.max(at - 40, 0), at).trimEnd().slice(-1);

  single_blanks = (text) => text.replace(/ +/g, " ");

  is_between(text, begin, end) {
    const behind = text.slice(end, end + 40).trimStart().slice(0, 1);
    const before = this.before(text, begin);
    return before !== "" && behind !== "" && "([{\"'".includes(before) && ")]}\"'".includes(behind);
  }

  unquoted(word, at) {
    try {
      return JSON.parse(word);
    } catch {
      return this.refuse("json-text", at, [word]);
    }
  }

  shown = (text) => shown(text);
  side_name = (side) => NAMES[side];
  original = (at, length) => this.text.slice(at, at + length);
  within = (text) => (this.text = text || this.outer);

  // Return the items that a reader returns and the fault "", or no items and the fault for which it refuses.
  outcome(reader, ...given) {
    try {
      return { items: reader(this, ...given), fault: "" };
    } catch (error) {
      if (error instanceof BadText) return { items: [], fault: error.fault };
      throw error;
    }
  }

  point(row, column, at) {
    if (row >= 0 && row < SIZE && column >= 0 && column < SIZE) return SIZE * row + column;
    const word = /[0-9+-]+ *, *[0-9+-]+|[^ ,;]*/y;
    word.lastIndex = at;
    return this.refuse("off-board", at, [word.exec(this.text)?.[0] ?? ""]);
  }

  drop = (facts, name) => delete facts[name];

  // Throw the error with a name from the table of errors. at: the index in the text, or -1 if the error has no place.
  refuse(name, at, values) {
    const error = refusal(name, ...values);
    if (at >= 0 && at <= this.text.length && this.text === this.outer) {
      const before = this.text.slice(0, at).split("\n");
      const column = `column ${before.at(-1).length + 1}: `;
      error.message = (this.text.trim().includes("\n") ? `line ${before.length}, ${column}` : column) + error.message;
    }
    throw error;
  }
}
