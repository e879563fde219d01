// The mode "Tour" has lessons with several boards each.

import { readFragment } from "./formats.js";
import { LESSONS } from "./lessons.js";
import { byId, make, on, setText } from "./dom.js";

export const TOUR_BOARDS = LESSONS.flatMap(({ title, boards }, lesson) =>
  boards.map((board, index) => ({ ...board, title, lesson, count: `board ${index + 1} of ${boards.length}` })),
);

export class TourMode {
  constructor(app) {
    this.app = app;
    on("tour-rules", "click", () => app.setMode("learn"));
    this.previous = on("tour-back", "click", () => this.show(this.index - 1));
    this.next = on("tour-next", "click", () => this.show(this.index + 1));
    this.again = on("tour-again", "click", () => this.show(this.index));
    this.lesson = on("tour-lesson", "change", () =>
      this.show(TOUR_BOARDS.findIndex(({ lesson }) => lesson === Number(this.lesson.value))),
    );
    this.lesson.append(...LESSONS.map(({ title }, lesson) => make("option", { value: lesson }, `${lesson + 1}. ${title}`)));
  }

  get index() {
    return this.app.state.tour;
  }

  get truths() {
    return !TOUR_BOARDS[this.index].plain;
  }

  // isThere: whether an address or a restored state has put a board on the page already.
  enter(isThere) {
    if (!isThere) this.show(this.index);
  }

  show(wanted) {
    const { app } = this;
    const tour = Math.min(Math.max(wanted, 0), TOUR_BOARDS.length - 1);
    app.dispatch({ type: "board", game: this._game(tour), changes: { tour } });
    app.speak(`${this._count()}: ${TOUR_BOARDS[tour].text}`);
  }

  _game(index) {
    return readFragment(TOUR_BOARDS[index].link, this.app.rules);
  }

  // Return whether the board is the same as in the lesson.
  _isAsShown() {
    const { line } = this.app;
    const { start, moves, at } = this._game(this.index);
    return line.at === at && `${line.moves}` === `${moves}` && JSON.stringify(line.start) === JSON.stringify(start);
  }

  _count() {
    const { lesson, count, title } = TOUR_BOARDS[this.index];
    return `Lesson ${lesson + 1} of ${LESSONS.length}, ${title}, ${count}`;
  }

  render() {
    const { lesson, count, text, title } = TOUR_BOARDS[this.index];
    setText(byId("tour-count"), `Lesson ${lesson + 1} of ${LESSONS.length}, ${count}`);
    setText(byId("tour-title"), title);
    setText(byId("tour-text"), text);
    this.lesson.value = lesson;
    this.previous.disabled = this.index === 0;
    this.next.disabled = this.index === TOUR_BOARDS.length - 1;
    this.again.hidden = this._isAsShown();
    this.app.modes.explore.render();
  }
}
