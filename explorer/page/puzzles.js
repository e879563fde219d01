// The mode "Puzzles". In a puzzle one move wins, and every other move loses. After a wrong move the board shows how the move
// loses.

import { KOMI } from "./game.js";
import { BY_KO, NAMES, PLIES, START, countOf, isOver, marginOf, moveName, moverOf } from "./rules.js";
import { valueOf } from "./evidence.js";
import { unpack } from "./packs.js";
import { Task, bestLine } from "./engine.js";
import { counted, percent, winnerText } from "./words.js";
import { puzzleId } from "./address.js";
import { FIRST, Progress, SHOWN } from "./progress.js";
import { explained, reason } from "./explained.js";
import { byId, make, on, setText } from "./dom.js";

// The number of grades of difficulty. The grade of a puzzle follows from the probability that an opponent makes a mistake.
// lab/games/puzzle_maker.py draws about the same number of puzzles from each grade.
const GRADES = 5;

// The name of each theme in book/files/puzzles.py, and a hint for puzzles with this theme.
const THEMES = {
  pass: ["PASS", "Find out what happens if nobody plays another stone."],
  capture: ["Capture", "The move captures stones: find a group of the other colour with one empty point next to it, and play there."],
  ko: ["Ko", "The move captures one stone, and the opponent may not capture back immediately."],
  rescue: ["Rescue", "Some of your stones have only one empty point next to them and would be captured next. Save them."],
  connect: ["Connect", "The move joins your stones into one group."],
  centre: ["The centre", "The move is 2,2."],
  "self-atari": ["Self-atari", "The most likely mistake leaves a stone of yours with only one empty point next to it. Avoid this."],
  "last-plies": ["Last plies", "There are three plies at most: try each of them in your head, and count."],
};

// Return the puzzles of a grade, 0 to 4, and of a theme. The value "" means any grade or any theme.
export function fitting(puzzles, grade, theme) {
  return puzzles.filter(
    ({ themes, wrong }) =>
      (!grade || Math.min(Math.floor(GRADES * wrong), GRADES - 1) === Number(grade)) && (!theme || themes.includes(theme)),
  );
}

export class PuzzlesMode {
  constructor(app, packed) {
    this.app = app;
    this.packed = packed;
    this.truths = false;
    this.progress = new Progress(() => app.refresh());
    this.search = new Task();
    this.all = null;
    on("puzzle-next", "click", () => this.another());
    on("puzzle-again", "click", () => this.back());
    on("puzzle-hint", "click", () => this.hint());
    on("puzzle-answer", "click", () => this.show());
    on("puzzle-play", "click", () => (app.playing ? app.stopLine() : app.playLine(app.line.moves.slice(app.line.at))));
    on("puzzle-explore", "click", () => app.setMode("explore"));
    on("puzzle-learn", "click", () => app.setMode("learn"));
    this.grade = on("puzzle-grade", "change", () => this._filter());
    this.theme = on("puzzle-theme", "change", () => this._filter());
    for (let grade = 0; grade < GRADES; grade++) {
      const [from, to] = [grade, grade + 1].map((end) => Math.round((100 * end) / GRADES));
      this.grade.append(make("option", { value: grade }, `${grade + 1}: ${from} to ${to} % go wrong`));
    }
    for (const [theme, [name]] of Object.entries(THEMES)) this.theme.append(make("option", { value: theme }, name));
  }

  get kept() {
    return this.app.state.puzzles;
  }

  // The puzzle on the board, or null if the puzzles are not unpacked yet.
  get puzzle() {
    return this.all?.find(({ id }) => id === this.kept.id) ?? null;
  }

  get said() {
    if (this.search.isRunning) return `${this.kept.said} Looking for what follows …`;
    if (this.kept.said) return this.kept.said;
    return this.kept.done ? "Click on any other point to see why it loses." : askOf(this.puzzle.position);
  }

  // isThere: whether an address or a restored state has put a puzzle on the board already.
  async enter(isThere) {
    await this.search.run(
      () => this._read(),
      () => {
        byId("puzzle-rules").open = !this.progress.done.size;
        if (isThere && this.app.line.start !== START) this.onPosition();
        else this._open(this.puzzle ?? this._first(), this.kept.done);
        this.app.refresh();
      },
    );
  }

  leave() {
    this.search.stop();
  }

  async _read() {
    this.all ??= puzzlesOf(await unpack(this.packed));
    return this.all;
  }

  // Return a Map from each kind of mistake to the puzzles whose most likely wrong answer is a mistake of this kind.
  async byKind() {
    const { rules } = this.app;
    const found = new Map();
    for (const puzzle of await this._read()) {
      const { kind } = reason(rules, puzzle.position, puzzle.refutation, puzzle.solution);
      found.set(kind, [...(found.get(kind) ?? []), puzzle]);
    }
    return found;
  }

  openPuzzle({ id }) {
    this._set({ id, done: false, said: "" });
    this.app.setMode("puzzles");
  }

  // If an opened link has put another position on the board, leave this mode.
  onPosition() {
    if (this.all && !this.puzzle) this.app.setMode("explore");
  }

  // Moves are not possible while a line is shown.
  get locked() {
    return !this.puzzle || this.app.line.at > 0;
  }

  get title() {
    return this.locked ? null : taskOf(this.puzzle.position);
  }

  onPoint(move) {
    const { app, kept, progress, puzzle } = this;
    if (this.locked) return app.say("This is what follows after the move. Go back to the puzzle to try another move.");
    const why = app.rules.illegal(puzzle.position, move);
    if (why) return app.say(`Illegal: ${why}.`);
    if (!puzzle.answers.includes(move)) {
      progress.fail(puzzle.id);
      return this._tell(move, `No: ${moveName(move)} loses.`, kept.done);
    }
    progress.end(puzzle.id, FIRST);
    this._finish(move, "Right:");
  }

  // Return to the puzzle, so that the user can try another move.
  back() {
    if (this.puzzle) this._open(this.puzzle, this.kept.done);
    this._toBoard();
    return true;
  }

  hint() {
    if (this.locked) return;
    const hints = this.puzzle.themes.map((theme) => THEMES[theme][1]);
    this._say(`Hint: ${hints[0] ?? "no theme describes the move. Count to the end."}`);
  }

  show() {
    if (!this.puzzle) return;
    this.progress.end(this.puzzle.id, SHOWN);
    this._finish(this.puzzle.solution[0], "The answer:");
    byId("puzzle-next").focus();
  }

  // Show the next puzzle that is not solved, or the next puzzle if all are solved.
  another() {
    const fit = this._fitting();
    this._open(this._first([...fit, ...fit].slice(fit.indexOf(this.puzzle) + 1)));
    this._toBoard();
  }

  _first(puzzles = this._fitting()) {
    return puzzles.find(({ id }) => !this.progress.isSolved(id)) ?? puzzles[0];
  }

  // On a phone the task is above the board, and the buttons are below it, so scroll to the task.
  _toBoard() {
    byId("turn").scrollIntoView({ block: "nearest" });
    this.app.board.focus();
  }

  _fitting() {
    return fitting(this.all, this.kept.grade, this.kept.theme);
  }

  _filter() {
    this._set({ grade: this.grade.value, theme: this.theme.value });
    this._open(this._first());
  }

  _open(puzzle, done = false) {
    if (!puzzle) return this._say("There is no such puzzle.");
    this.search.stop();
    this._show({ start: puzzle.position, moves: [] }, { id: puzzle.id, done, said: "" });
  }

  _finish(move, found) {
    const { refutation, wrong } = this.puzzle;
    const err = `${percent(wrong)} of opponents go wrong here, most often by ${moveName(refutation[0])}.`;
    this._tell(move, `${found} ${moveName(move)} wins. ${err}`, true);
  }

  // Show a move and the best play after it on the board, and explain why the move wins or loses.
  async _tell(move, verdict, done) {
    const { app, puzzle } = this;
    const { position } = puzzle;
    this._show({ start: position, moves: [move] }, { done, said: verdict });
    await this.search.run(
      (signal) => this._after(move, signal),
      ({ line, told }) => {
        // If the user has returned to the puzzle meanwhile, keep showing the puzzle.
        const { at } = app.line;
        this._show({ start: position, moves: line, at }, { said: `${verdict} ${this._why(move, line, told)}` });
        this.isNew = true;
        const isShown = at > 0 && !puzzle.answers.includes(move);
        if (isShown && !matchMedia("(prefers-reduced-motion: reduce)").matches) app.playOn();
      },
    );
  }

  // Return a move with the best play after it, from the puzzle's data or else from a search. For a wrong move the search also
  // returns the reason why the move is worse.
  async _after(move, signal) {
    const { app, puzzle } = this;
    const { engine, facts } = app;
    const { others, position, refutation, solution } = puzzle;
    const told = [solution, refutation, ...others].find(([first]) => first === move);
    const child = app.rules.play(position, move);
    if (told || isOver(child) || !engine) return { line: told ?? [move] };
    const found = await explained(engine, facts, position, move, { signal });
    if (found) return { line: found.worse, told: found.told };
    return { line: [move, ...(await bestLine(engine, facts, child, valueOf(facts.own(child)), { signal }))] };
  }

  // Return the explanation of a move. A wrong move is compared with the solution, and the right move is compared with the most
  // likely mistake.
  _why(move, line, told) {
    const { rules } = this.app;
    const { answers, position, refutation, solution } = this.puzzle;
    if (line.length === 1 && !isOver(rules.play(position, move))) return "Without the kernel nothing more is known about the move.";
    if (!answers.includes(move)) return (told ?? reason(rules, position, line, solution)).worse;
    const { worse, better } = reason(rules, position, refutation, line);
    return `${NAMES.some((name) => worse.startsWith(name)) ? "Then " : ""}${worse} ${better}`;
  }

  _say(said) {
    this._set({ said });
  }

  _set(changes) {
    this.app.dispatch({ type: "set", changes: { puzzles: { ...this.kept, ...changes } } });
  }

  _show(game, changes) {
    this.app.dispatch({ type: "board", game, changes: { puzzles: { ...this.kept, ...changes } } });
  }

  render() {
    const { app, puzzle } = this;
    if (!puzzle) return;
    const { line, position } = app;
    const { done, grade, theme } = this.kept;
    this.grade.value = grade;
    this.theme.value = theme;
    const themes = done && puzzle.themes.length ? `: ${puzzle.themes.map((theme) => THEMES[theme][0].toLowerCase()).join(", ")}` : "";
    setText(byId("puzzle-number"), `Puzzle ${puzzle.number} of ${this.all.length}${themes}`);
    setText(byId("puzzle-said"), this.said);
    setText(byId("puzzle-count"), countText(position));
    setText(byId("puzzle-next"), done ? "Next puzzle" : "Skip");
    byId("puzzle-next").classList.toggle("primary", done);
    byId("puzzle-again").hidden = !this.locked;
    setText(byId("puzzle-again"), done ? "Try another move" : "Try again");
    byId("puzzle-again").classList.toggle("primary", !done);
    byId("puzzle-hint").hidden = byId("puzzle-answer").hidden = done || this.locked;
    byId("puzzle-play").hidden = !app.playing && (!line.at || line.at === line.moves.length);
    setText(byId("puzzle-play"), app.playing ? "Stop" : "Play it");
    byId("puzzle-explore").hidden = !done;
    const { first, solved } = this.progress.count(this._fitting().map(({ id }) => id));
    const { streak, best } = this.progress;
    setText(
      byId("puzzle-score"),
      `${solved} of ${counted(this._fitting().length, "puzzle")} solved, ${first} at the first try. ` +
        `Streak ${streak}, your longest ${best}.`,
    );
    // On a phone a new text can push the buttons out of view.
    if (this.isNew) byId("puzzle-next").scrollIntoView({ block: "nearest" });
    this.isNew = false;
  }
}

function puzzlesOf(bytes) {
  const rows = JSON.parse(new TextDecoder().decode(bytes));
  return rows.map((row, index) => ({ ...row, number: index + 1, id: puzzleId(row.position) }));
}

function taskOf(position) {
  const left = PLIES - position.ply;
  const ko = position.ko === null ? "" : ` ${moveName(position.ko)} is ${BY_KO}.`;
  const passed = position.passed ? " The last ply was a PASS: another one ends the game." : "";
  return `${NAMES[moverOf(position)]} to move, ${left === 1 ? "the last ply" : `${left} plies left`}. One move wins: find it.${ko}${passed}`;
}

function askOf(position) {
  const [we, they] = [NAMES[moverOf(position)], NAMES[1 - moverOf(position)]];
  const left = PLIES - position.ply;
  const rest = left > 2 ? `${we} and ${they} play in turn, ${left} plies in all` : left > 1 ? `${we} plays, ${they} answers` : `${we} plays`;
  return `Click on a point of the board, or on PASS. ${rest}, and the stones are counted.`;
}

function countText(position) {
  const [black, white] = [countOf(position.black), countOf(position.white)];
  const counts = `Black ${black}, White ${white} + ${KOMI} komi = ${white + KOMI}`;
  const margin = marginOf(position);
  return isOver(position) ? `The end: ${counts}. ${winnerText({ lo: margin, hi: margin })}.` : `Now: ${counts}.`;
}
