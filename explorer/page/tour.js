// The guided tour: lessons, each of some boards.

import { readFragment } from "./formats.js";
import { LESSONS } from "./lessons.js";
import { byId, make, on, setText } from "./dom.js";

const BOARDS = LESSONS.flatMap(({ title, boards }, lesson) =>
  boards.map((board, index) => ({ ...board, title, lesson, count: `board ${index + 1} of ${boards.length}` })),
);

export class TourMode {
  constructor(app) {
    this.app = app;
    this.visits = true;
    this.index = 0;
    this.back = on("tour-back", "click", () => this.show(this.index - 1));
    this.next = on("tour-next", "click", () => this.show(this.index + 1));
    this.again = on("tour-again", "click", () => this.show(this.index));
    this.lesson = on("tour-lesson", "change", () =>
      this.show(BOARDS.findIndex(({ lesson }) => lesson === Number(this.lesson.value))),
    );
    this.lesson.append(...LESSONS.map(({ title }, lesson) => make("option", { value: lesson }, `${lesson + 1}. ${title}`)));
  }

  get truths() {
    return !BOARDS[this.index].plain;
  }

  enter() {
    queueMicrotask(() => this.show(this.index));
  }

  show(index) {
    if (this.app.mode !== this) return;
    this.index = Math.min(Math.max(index, 0), BOARDS.length - 1);
    this.app.load(readFragment(BOARDS[this.index].link, this.app.rules));
    this.shown = this.app.position;
    this.app.speak(`${this._count()}: ${BOARDS[this.index].text}`);
  }

  _count() {
    const { lesson, count, title } = BOARDS[this.index];
    return `Lesson ${lesson + 1} of ${LESSONS.length}, ${title}, ${count}`;
  }

  render() {
    const { lesson, count, text, title } = BOARDS[this.index];
    setText(byId("tour-count"), `Lesson ${lesson + 1} of ${LESSONS.length}, ${count}`);
    setText(byId("tour-title"), title);
    setText(byId("tour-text"), text);
    this.lesson.value = lesson;
    this.back.disabled = this.index === 0;
    this.next.disabled = this.index === BOARDS.length - 1;
    this.again.hidden = this.app.position === this.shown;
    this.app.modes.explore.render();
  }
}
