// The jobs of the page, such as the search for values. Each job has a sign, which shows the progress or the reason why the job
// waits. The sign is also a button that stops or resumes the job.

import { PLIES, isOver, moveName } from "./rules.js";
import { valueOf } from "./evidence.js";
import { allOf, setLabel, setText } from "./dom.js";

export const JOBS = ["values", "line", "reason", "curve"];

// For each job, a function that returns the progress as text, or "" if the job has nothing left to do.
const PROGRESS = {
  values({ about, computing, filling, isStopped, position }) {
    const exact = about.moves.filter(({ fact }) => valueOf(fact) !== null).length;
    const isWhole = isOver(position) || (exact === about.moves.length && valueOf(about.fact) !== null);
    // A worker can still be searching a question that other workers' answers have settled, so `computing` can be true while all
    // values are known.
    if (!computing && (isWhole || !isStopped("values"))) return "";
    return filling ? "waits for the curve" : `${exact} of ${about.moves.length} exact`;
  },

  line: lineSign,

  reason(app) {
    const { line, looked, mode, position } = app;
    const [from, move] = looked ? [position, looked.moves[0]] : (mode.explains ?? [line.previous, line.lastMove]);
    return reasonSign(app, from, move);
  },

  curve: ({ modeName, modes }) => (modeName === "review" ? modes.review.progress : ""),
};

// Return the progress of the search for the best line, or "" if the search has nothing left to do.
export function lineSign({ about, computing, isStopped, lines, looked, position }) {
  const [from, fact] = looked ? [looked.child, looked.fact] : [position, about.fact];
  const { moves, whole, busy } = lines.get(from) ?? { moves: [], whole: isOver(from), busy: false };
  if (whole) return "";
  if (valueOf(fact) === null) return computing || isStopped("line") ? "waits for the value" : "";
  if (!busy && !isStopped("line")) return computing ? "waits for the values" : "";
  return `${moves.length} of at most ${PLIES - from.ply} plies`;
}

// Return the progress of the search for the reason why a move is worse, or "" if the search has nothing left to do.
export function reasonSign({ computing, engine, facts, filling, isStopped, lines }, from, move) {
  if (!engine || !from || lines.isExplained(from, move)) return "";
  const values = [from, facts.rules.play(from, move)].map((each) => valueOf(facts.own(each)));
  const isKnown = !values.includes(null);
  if (isKnown && values[0] === values[1]) return "";
  if (!lines.isExplaining(from, move) && !isStopped("reason"))
    return computing ? `waits for ${filling ? "the curve" : "the values"}` : "";
  return isKnown ? `why ${moveName(move)} is worse` : `whether ${moveName(move)} loses points`;
}

const TITLES = { values: "Values", line: "Line", reason: "Reason", curve: "Curve" };

// The SVG paths of the button's two icons.
const [STOPS, RESUMES] = ["M3 3h10v10H3z", "M4 2v12l9-6z"];

export class JobList {
  constructor(app) {
    this.app = app;
    this.buttons = allOf("[data-job]");
    for (const button of this.buttons) {
      const { job } = button.dataset;
      button.addEventListener("click", () => app.setStopped([job], !app.isStopped(job)));
    }
  }

  render() {
    const { app } = this;
    for (const button of this.buttons) {
      const { job } = button.dataset;
      const sign = app.engine && app.truths ? PROGRESS[job](app) : "";
      const isStopped = app.isStopped(job);
      const text = `${TITLES[job]}: ${isStopped ? "stopped" : sign}`;
      button.parentElement.hidden = !sign;
      button.title = isStopped ? "Resume" : "Stop";
      button.querySelector("path").setAttribute("d", isStopped ? RESUMES : STOPS);
      setText(button.firstElementChild, text);
      setLabel(button, `${text}. ${button.title}`);
    }
  }
}
