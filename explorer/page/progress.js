// The user's progress in the puzzles. The browser stores it, and the page sends it nowhere. If the browser stores nothing, the
// progress lasts until the page is closed.

const PLACE = "little-go puzzles";

// The state of a puzzle: solved at the first try, solved later, or its answer shown. TRIED: only wrong moves so far.
export const FIRST = 1;
export const LATER = 2;
export const SHOWN = 3;
const TRIED = 4;

// Return the stored progress, or an empty one if the stored text is not ours or the browser stores nothing.
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

  // Join the progress that other tabs have stored: a puzzle that is solved in one of them is solved.
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

  // Return how many of these puzzles are solved, and how many of them at the first try.
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

  // Store how a puzzle ended: FIRST or SHOWN. If the puzzle was tried or shown before, FIRST becomes LATER. A puzzle that is
  // solved keeps its first result.
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
