// Which puzzles are solved, kept in this browser and nowhere else. Where it keeps nothing, the progress lasts as long as the page.

const PLACE = "little-go puzzles";

// How a puzzle ended: by the first try, by a later one, or shown.
export const FIRST = 1;
export const LATER = 2;
export const SHOWN = 3;

export class Progress {
  constructor() {
    this.done = new Map();
    this.streak = 0;
    this.best = 0;
    try {
      const { done, streak, best } = JSON.parse(localStorage.getItem(PLACE));
      this.done = new Map(Object.entries(done).filter(([, how]) => [FIRST, LATER, SHOWN].includes(how)));
      this.streak = Number(streak) || 0;
      this.best = Number(best) || 0;
    } catch {
      // Nothing is kept yet, or it is not ours, or the browser keeps nothing.
    }
  }

  isSolved(id) {
    return [FIRST, LATER].includes(this.done.get(id));
  }

  // How many of some puzzles are solved, and of these at the first try.
  count(ids) {
    const ends = ids.map((id) => this.done.get(id));
    const first = ends.filter((how) => how === FIRST).length;
    return { first, solved: first + ends.filter((how) => how === LATER).length };
  }

  // A try that fails ends the streak; of a puzzle that is done already nothing is counted.
  fail(id) {
    if (!this.done.has(id)) this.streak = 0;
    this._keep();
  }

  // Note how a puzzle ended; the first end stands, but for one that was only shown.
  end(id, how) {
    if (this.isSolved(id)) return;
    if (!this.done.has(id)) this.streak = how === FIRST ? this.streak + 1 : 0;
    this.best = Math.max(this.best, this.streak);
    this.done.set(id, this.done.has(id) && how === FIRST ? LATER : how);
    this._keep();
  }

  _keep() {
    try {
      const { done, streak, best } = this;
      localStorage.setItem(PLACE, JSON.stringify({ done: Object.fromEntries(done), streak, best }));
    } catch {
      // It lasts as long as the page.
    }
  }
}
