// The user's progress in the puzzles. The browser stores the progress, and the page does not send it anywhere. If the browser
// stores nothing, the progress lasts until the page is closed.

const PLACE = "little-go puzzles";

// The states of a puzzle: FIRST if it was solved at the first try, LATER if it was solved later, SHOWN if the answer was shown,
// and TRIED if the user has only made wrong moves.
export const FIRST = 1;
export const LATER = 2;
export const SHOWN = 3;
const TRIED = 4;

// Return the stored progress. Return an empty progress if the browser stores nothing, or if the stored text cannot be read.
function keptProgress() {
  try {
    const { done, streak, best } = JSON.parse(localStorage.getItem(PLACE));
    const ends = Object.entries(done).filter(([, how]) => [FIRST, LATER, SHOWN, TRIED].includes(how));
    return { done: new Map(ends), streak: Number(streak) || 0, best: Number(best) || 0 };
  } catch {
    return { done: new Map(), streak: 0, best: 0 };
  }
}

export class Progress {
  // onOther() is called when another tab has stored its progress.
  constructor(onOther = () => {}) {
    const { done, streak, best } = keptProgress();
    this.done = done;
    this.streak = streak;
    this.best = best;
    globalThis.addEventListener?.("storage", ({ key }) => {
      if (key !== PLACE) return;
      this._join();
      onOther();
    });
  }

  // Merge the progress that other tabs have stored. A puzzle that is solved in any tab counts as solved.
  _join() {
    const { done, streak, best } = keptProgress();
    const known = this.done.size;
    for (const [id, how] of done) if (!this.isSolved(id)) this.done.set(id, how);
    this.best = Math.max(this.best, best);
    if (done.size > known) this.streak = streak;
  }

  isSolved(id) {
    return [FIRST, LATER].includes(this.done.get(id));
  }

  // Return the number of these puzzles that are solved, and the number of puzzles that were solved at the first try.
  count(ids) {
    const ends = ids.map((id) => this.done.get(id));
    const first = ends.filter((how) => how === FIRST).length;
    return { first, solved: first + ends.filter((how) => how === LATER).length };
  }

  // Count a wrong move. The first wrong move in a puzzle ends the streak. If the puzzle has ended already, nothing changes.
  fail(id) {
    this._join();
    if (!this.done.has(id)) {
      this.streak = 0;
      this.done.set(id, TRIED);
    }
    this._keep();
  }

  // Store the state in which a puzzle ended, FIRST or SHOWN. If the puzzle was tried or shown before, FIRST becomes LATER. A
  // puzzle that is solved keeps its first result.
  end(id, how) {
    this._join();
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
      // The progress lasts until the page is closed.
    }
  }
}
