// Draw the board, and put a button on each point for the mouse, the keyboard and screen readers.

import { PASS, POINTS, SIZE, moveName, stoneAt } from "./rules.js";
import { winnerOf } from "./evidence.js";
import { shortResult } from "./words.js";
import { make, setLabel, watch } from "./dom.js";

const CELL = 100;
const EDGE = 34;
const SPAN = CELL * SIZE + 2 * EDGE;
const STONE = 43;
const CHIP = 36;
// The font size of a result, by the number of its characters: "?" has 1, "B+" 2, "W+2.5" 5 and "W+12.5" 6.
const LETTERS = [0, 24, 24, 24, 24, 17.5, 15];
// The largest number of characters that a label on the board shows. SGF files can contain longer labels.
const MOST_LABEL = 3;
// The largest number of moves of a line that are drawn as small stones ("ghosts").
const MOST_GHOSTS = 12;

// The colours of a downloaded drawing. The page's style sheet defines the same names, with other colours for each theme.
export const DRAWING_COLOURS = {
  board: "#e6c48c",
  line: "#6b4f2a",
  edge: "#6b4f2a",
  black: "#1f1d1b",
  white: "#fbfaf6",
  rim: "#57534b",
  "black-wins": "#175a96",
  "white-wins": "#b84300",
  "on-result": "#ffffff",
  open: "#fdf4e0",
  "on-open": "#3c2f1a",
  best: "#1f1d1b",
  good: "#1d6b34",
  bad: "#a3260b",
  lit: "#175a96",
};
export const PAGE_COLOURS = Object.fromEntries(Object.keys(DRAWING_COLOURS).map((name) => [name, `var(--${name})`]));

const centre = (index) => EDGE + CELL * index + CELL / 2;
/** @type {(point: number) => [number, number]} */
const place = (point) => [centre(point % SIZE), centre(Math.floor(point / SIZE))];

const inXml = (content) => String(content).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const text = (x, y, size, fill, content, weight = 400) =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" text-anchor="middle" ` +
  `dominant-baseline="central" fill="${fill}">${inXml(content)}</text>`;
const shortened = (letters) => (letters.length > MOST_LABEL ? [...letters.slice(0, MOST_LABEL - 1), "…"] : letters).join("");

// Return the drawing of a board as SVG.
//
// view: { position, last, taken, marks, ghosts, signs, named, names }. last: the point of the last stone. taken: a mask of
// points from which stones were just captured. marks: a Map from point to mark. ghosts: [{ point, colour, number }]. signs: the
// marks that the user has drawn. named: the points to highlight. names: how the edges are labelled. mark: { fact, best, lit,
// dim }, or { hint: true }, or { move, colour } for a move of a review, where `move` is the sign to draw. The mark of PASS is
// drawn below the board.
export function boardSvg(view, colours) {
  const { ghosts = [] } = view;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SPAN} ${SPAN}" font-family="ui-sans-serif, system-ui, sans-serif">`,
    `<rect width="${SPAN}" height="${SPAN}" rx="18" fill="${colours.board}"/>`,
    grid(colours),
    coordinates(colours, view.names),
  ];
  const signs = view.signs ?? [];
  // Draw arrows first, so that they lie below stones and results.
  for (const sign of signs) if (sign.kind === "arrow") parts.push(arrow(sign, colours));
  for (let point = 0; point < POINTS; point++) {
    const colour = stoneAt(view.position, point);
    if (colour !== null) parts.push(stone(point, colour, point === view.last, colours));
    else if (view.marks?.has(point) && !ghosts.some((ghost) => ghost.point === point))
      parts.push(chip(point, view.marks.get(point), colours));
    else if ((view.taken >> point) & 1) parts.push(cross(point, colours));
  }
  if (view.position.ko !== null) parts.push(koSign(view.position.ko, colours));
  for (const ghost of ghosts) parts.push(ghostStone(ghost, colours));
  for (const point of view.named ?? []) parts.push(lit(point, colours));
  if (view.marks?.has(PASS)) parts.push(passSign(view.marks.get(PASS), colours));
  for (const sign of signs) if (sign.kind !== "arrow") parts.push(signOn(sign, view, colours));
  return parts.join("") + "</svg>";
}

function grid(colours) {
  const lines = [...Array(SIZE).keys()].map((i) => {
    const [at, from, to] = [centre(i), centre(0), centre(SIZE - 1)];
    return `M${from} ${at}H${to}M${at} ${from}V${to}`;
  });
  const [x, y] = place(12);
  return (
    `<path d="${lines.join("")}" stroke="${colours.line}" stroke-width="2" fill="none" stroke-linecap="square"/>` +
    `<circle cx="${x}" cy="${y}" r="5" fill="${colours.line}"/>`
  );
}

function coordinates(colours, names) {
  const label = (x, y, name) => text(x, y, 17, colours.edge, name);
  const [column, row] = names === "a1" ? [(i) => "ABCDE"[i], (i) => SIZE - i] : [(i) => i, (i) => i];
  return [...Array(SIZE).keys()].map((i) => label(centre(i), 22, column(i)) + label(22, centre(i), row(i))).join("");
}

// Draw a sign that the user has put on a point. On an empty point the sign has a disc as its background. If the point shows a
// result or a number, the sign is small and at the upper right.
function signOn({ kind, point, text: letter }, { position, marks, ghosts = [] }, colours) {
  const [x, y] = place(point);
  const colour = stoneAt(position, point);
  const ink = colour === 0 ? colours.white : colours.black;
  const plate = colour === null ? disc(x, y, 27, `fill="${colours.board}" stroke="${colours.line}" stroke-width="2"`) : "";
  const isBeside = colour === null && (marks?.has(point) || ghosts.some((ghost) => ghost.point === point));
  const line = `fill="none" stroke="${ink}" stroke-width="5" stroke-linejoin="round"`;
  const signs = {
    letter: () => text(x, y + 1, 34, ink, shortened([...letter]), 700),
    triangle: () => `<path d="M${x} ${y - 19}L${x + 17} ${y + 11}H${x - 17}Z" ${line}/>`,
    square: () => square(x, y, 14, line),
    circle: () => disc(x, y, 15, line),
  };
  const drawn = plate + signs[kind]();
  return isBeside ? `<g transform="translate(${x + 33} ${y - 33}) scale(.6) translate(${-x} ${-y})">${drawn}</g>` : drawn;
}

function arrow({ point, to }, colours) {
  const [[x, y], [toX, toY]] = [place(point), place(to)];
  const length = Math.hypot(toX - x, toY - y);
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const [tipX, tipY] = [toX - STONE * dx, toY - STONE * dy];
  const head = [1, -1].map((side) => `${tipX - 26 * dx + side * 15 * dy} ${tipY - 26 * dy - side * 15 * dx}`);
  return (
    `<g opacity=".85"><path d="M${x + 14 * dx} ${y + 14 * dy}L${tipX - 20 * dx} ${tipY - 20 * dy}" stroke="${colours.best}" stroke-width="9"/>` +
    `<path d="M${tipX} ${tipY}L${head[0]}L${head[1]}Z" fill="${colours.best}"/></g>`
  );
}

function stone(point, colour, isLast, colours) {
  const [x, y] = place(point);
  const [fill, other] = colour ? [colours.white, colours.black] : [colours.black, colours.white];
  const mark = isLast ? `<circle cx="${x}" cy="${y}" r="13" fill="none" stroke="${other}" stroke-width="4"/>` : "";
  return (
    `<circle cx="${x + 1.5}" cy="${y + 3}" r="${STONE}" fill="#000" opacity=".18"/>` +
    `<circle cx="${x}" cy="${y}" r="${STONE}" fill="${fill}" stroke="${colours.rim}" stroke-width="1.5"/>${mark}`
  );
}

// Draw the result of a move. A win for Black is drawn as a square and a win for White as a disc, so the shape and the letter
// show the winner even without colours. The results of the best moves are filled and have a ring; the results of other moves
// are outlines. A hint has a neutral colour.
function chip(point, mark, colours) {
  const [x, y] = place(point);
  if (mark.move) return judged(point, mark, colours);
  if (mark.hint) return disc(x, y, CHIP, `fill="${colours.best}"`) + text(x, y + 1, 20, colours.board, "hint", 700);
  const winner = winnerOf(mark.fact);
  const known = winner !== null;
  const colour = known ? colours[winner ? "white-wins" : "black-wins"] : colours["on-open"];
  const shape = winner === 0 ? square : disc;
  const size = (winner === 0 ? CHIP : CHIP + 3) + (mark.lit ? 3 : 0);
  const outline = `fill="${mark.best ? colour : colours.open}" stroke="${colour}" stroke-width="${known ? 3 : 1.5}"`;
  const ring = mark.best ? shape(x, y, size + 5.5, `fill="none" stroke="${colours.best}" stroke-width="3.5"`) : "";
  const result = shortResult(mark.fact);
  return (
    `<g${mark.dim ? ' opacity=".5"' : ""}>${shape(x, y, size, outline + (known ? "" : ' stroke-dasharray="4 4"'))}${ring}` +
    `${text(x, y + 1, LETTERS[result.length], mark.best ? colours["on-result"] : colour, result, 700)}</g>`
  );
}

// Draw a move of a review: the better move as a square with "!", and the move that was played as a disc with its sign.
function judged(point, { move, colour }, colours) {
  const [x, y] = place(point);
  const [fill, ink] = colour ? [colours.white, colours.black] : [colours.black, colours.white];
  if (move === "!") return square(x, y, CHIP + 3, `fill="${fill}" stroke="${colours.good}" stroke-width="8"`) + text(x, y + 1, 44, ink, move, 700);
  return disc(x, y, CHIP + 3, `fill="${fill}" stroke="${colours.bad}" stroke-width="8" stroke-dasharray="10 6"`) + text(x, y + 1, 32, ink, move, 700);
}

function passSign({ move }, colours) {
  return text(SPAN / 2, SPAN - 16, 22, colours.edge, `PASS ${move}`, 700);
}

// Highlight a point that a reason mentions.
function lit(point, colours) {
  const [x, y] = place(point);
  return square(x, y, 46, `fill="none" stroke="${colours.lit}" stroke-width="5"`);
}

function square(x, y, r, attributes) {
  return `<rect x="${x - r}" y="${y - r}" width="${2 * r}" height="${2 * r}" rx="${r / 4}" ${attributes}/>`;
}

function disc(x, y, r, attributes) {
  return `<circle cx="${x}" cy="${y}" r="${r}" ${attributes}/>`;
}

// Draw a cross on a point from which a stone has just been captured.
function cross(point, colours) {
  const [x, y] = place(point);
  const arms = `M${x - 13} ${y - 13}L${x + 13} ${y + 13}M${x - 13} ${y + 13}L${x + 13} ${y - 13}`;
  return `<path d="${arms}" stroke="${colours.line}" stroke-width="6" stroke-linecap="round"/>`;
}

function koSign(point, colours) {
  const [x, y] = place(point);
  return (
    `<rect x="${x - 22}" y="${y - 22}" width="44" height="44" fill="${colours.board}" stroke="${colours.line}" stroke-width="4"/>` +
    text(x, y + 1, 20, colours.line, "ko", 700)
  );
}

function ghostStone({ point, colour, number }, colours) {
  const [x, y] = place(point);
  const [fill, ink] = colour ? [colours.white, colours.black] : [colours.black, colours.white];
  return (
    `<g opacity=".92"><circle cx="${x}" cy="${y}" r="${STONE - 9}" fill="${fill}" stroke="${colours.rim}" stroke-width="2" ` +
    `stroke-dasharray="6 4"/>${text(x, y + 1, 26, ink, number, 700)}</g>`
  );
}

// Return the numbered stones of a line. Stop before the first stone that would be on an occupied point.
export function ghostsOf(position, line) {
  const ghosts = [];
  const taken = new Set();
  for (const [index, move] of line.slice(0, MOST_GHOSTS).entries()) {
    if (move >= POINTS) continue;
    if (taken.has(move) || stoneAt(position, move) !== null) break;
    taken.add(move);
    ghosts.push({ point: move, colour: (position.ply + index) % 2, number: index + 1 });
  }
  return ghosts;
}

// The board in the page. onPoint(point) is called for clicks and keys. onHover(point) is called if the pointer or the focus is
// on a point, and onHover(null) if the pointer or the focus leaves it.
export class Board {
  constructor(element, { onPoint, onHover }) {
    this.element = element;
    this.drawing = element.querySelector(".drawing");
    this.buttons = [...Array(POINTS).keys()].map((point) => this._button(point, onPoint, onHover));
    const grid = element.querySelector(".points");
    for (let i = 0; i < SIZE; i++) {
      const cells = this.buttons.slice(SIZE * i, SIZE * i + SIZE).map((button) => make("div", { role: "gridcell" }, button));
      grid.append(make("div", { role: "row" }, ...cells));
    }
    this._rove(12);
    grid.addEventListener("keydown", (event) => this._arrow(event));
  }

  _button(point, onPoint, onHover) {
    const listeners = { onclick: () => onPoint(point), onfocus: () => this._rove(point) };
    const button = make("button", { type: "button", "data-point": moveName(point), ...listeners });
    watch(button, (isLookedAt) => onHover(isLookedAt ? point : null));
    return button;
  }

  // Make one point the only point that the Tab key reaches. The arrow keys move the focus from this point to the other points.
  _rove(point) {
    this.buttons.forEach((button, index) => (button.tabIndex = index === point ? 0 : -1));
  }

  _arrow(event) {
    const point = this.buttons.indexOf(event.target);
    const [i, j] = [Math.floor(point / SIZE), point % SIZE];
    const to = { ArrowUp: [i - 1, j], ArrowDown: [i + 1, j], ArrowLeft: [i, j - 1], ArrowRight: [i, j + 1] }[
      event.key
    ];
    if (!to || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (to.every((index) => index >= 0 && index < SIZE)) this.buttons[SIZE * to[0] + to[1]].focus();
  }

  focus() {
    this.buttons.find((button) => button.tabIndex === 0).focus({ preventScroll: true });
  }

  show(view, labels) {
    this.drawing.innerHTML = boardSvg(view, PAGE_COLOURS);
    this.buttons.forEach((button, point) => {
      setLabel(button, labels[point]);
      button.classList.toggle("stone", stoneAt(view.position, point) !== null);
    });
  }
}
