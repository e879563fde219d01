// The curve of a review: the value of each position of a line. A click on the curve shows that position.

import { KOMI } from "./game.js";
import { BLACK_WINS, PLIES } from "./rules.js";
import { valueOf } from "./evidence.js";
import { resultOf, resultText } from "./words.js";
import { on } from "./dom.js";

// The maximum width and the height of the drawing in pixels. A narrow container makes the drawing narrower, so that the letters
// keep their size.
const [WIDTH, LEAST_WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [600, 240, 230, 72, 28, 12];

export class Curve {
  // If the user chooses a position, onGo(at) is called, where `at` is the number of moves before it.
  constructor(onGo) {
    this.onGo = onGo;
    this.element = on("curve", "click", (event) => this._onClick(event));
  }

  // Draw the curve. turning: the indices of the moves that changed the winner. at: the number of moves before the shown position.
  render(line, facts, turning, at) {
    this.scale = this._scale(line, facts);
    this.last = line.moves.length;
    const svg = curveSvg(facts, this.scale, { first: line.start.ply, at }, turning);
    if (this.drawn !== svg) this.element.innerHTML = this.drawn = svg;
  }

  _scale(line, facts) {
    const ends = facts.flatMap((fact) => (valueOf(fact) === null ? [] : [valueOf(fact)]));
    const low = Math.min(-4, ...ends) - 1;
    const high = Math.max(6, ...ends) + 1;
    const plies = Math.max(PLIES - line.start.ply, 1);
    const width = Math.min(Math.max(this.element.clientWidth || WIDTH, LEAST_WIDTH), WIDTH);
    return {
      width,
      x: (index) => LEFT + (index * (width - LEFT - 12)) / plies,
      y: (value) => TOP + ((high - Math.min(Math.max(value, low), high)) * (HEIGHT - TOP - BOTTOM)) / (high - low),
      low,
      high,
    };
  }

  _onClick(event) {
    const { left, width } = this.element.firstElementChild.getBoundingClientRect();
    const step = this.scale.x(1) - this.scale.x(0);
    const x = ((event.clientX - left) / width) * this.scale.width;
    this.onGo(Math.min(Math.max(Math.round((x - LEFT) / step), 0), this.last));
  }
}

function curveSvg(facts, { width, x, y, low, high }, { first, at }, turning) {
  const border = y(KOMI);
  const right = width - 12;
  const values = facts.map(valueOf);
  const label = `The result with best play, from ply ${first} on: ${facts.map(resultText).join(", ")}`;
  const steps = values.flatMap((value, index) =>
    value === null ? [] : [`${values[index - 1] === null || !index ? "M" : "L"}${x(index)} ${y(value)}`],
  );
  const text = (px, py, content, anchor = "middle") =>
    `<text x="${px}" y="${py}" text-anchor="${anchor}">${content}</text>`;
  const ticks = [...Array(Math.floor((right - LEFT) / (4 * (x(1) - x(0)))) + 1).keys()].map((k) => 4 * k);
  const marks = [low + 1, 0, BLACK_WINS, high - 1].filter((value, index, all) => all.indexOf(value) === index);
  return [
    `<svg viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${label}">`,
    `<rect class="black" x="${LEFT}" y="${TOP}" width="${right - LEFT}" height="${border - TOP}"/>`,
    `<rect class="white" x="${LEFT}" y="${border}" width="${right - LEFT}" height="${HEIGHT - BOTTOM - border}"/>`,
    text(LEFT + 8, TOP + 18, "Black wins", "start") + text(LEFT + 8, HEIGHT - BOTTOM - 8, "White wins", "start"),
    marks.map((value) => text(LEFT - 8, y(value) + 5, resultOf(value), "end")).join(""),
    ticks.map((index) => text(x(index), HEIGHT - 6, first + index)).join(""),
    `<path class="now" d="M${x(at)} ${TOP}V${HEIGHT - BOTTOM}"/>`,
    facts
      .map((fact, index) =>
        values[index] === null ? `<path class="bar" d="M${x(index)} ${y(fact.lo)}V${y(fact.hi)}"/>` : "",
      )
      .join(""),
    `<path class="values" d="${steps.join("")}"/>`,
    values
      .map((value, index) =>
        value === null
          ? ""
          : `<circle class="${turning.includes(index) ? "turn" : "dot"}" cx="${x(index)}" cy="${y(value)}" r="${turning.includes(index) ? 8 : 4.5}"/>`,
      )
      .join(""),
    "</svg>",
  ].join("");
}
