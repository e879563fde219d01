// Which puzzles are solved, keptProgress in this browser and nowhere else. Where it keeps nothing, the progress lasts as long as the page.

const PLACE = "little-go puzzles";

// How a puzzle ended: by the first try, by a later one, or shown; or that it was only tried.
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
  // onOther() is told when another tab has keptProgress something.
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

  // What other tabs have keptProgress since: a puzzle that is solved there is solved.
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

  // How many of some puzzles are solved, and of these at the first try.
  count(ids) {
    const ends = ids.map((id) => this.done.get(id));
    const first = ends.filter((how) => how === FIRST).length;
    return { first, solved: first + ends.filter((how) => how === LATER).length };
  }

  // A try that fails ends the streak; of a puzzle that is done already nothing is counted.
  fail(id) {
    this._join();
    if (!this.done.has(id)) {
      this.streak = 0;
      this.done.set(id, TRIED);
    }
    this._keep();
  }

  // Note how a puzzle ended: FIRST, which is LATER if it was tried or shown before, or SHOWN. The first end stands, but for
  // one that was only shown.
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
      // It lasts as long as the page.
    }
  }
}
