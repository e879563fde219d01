// The guided tour: six positions that show the theorem.

import { START } from "./rules.js";
import { parseMove } from "./formats.js";
import { byId, on, setText } from "./dom.js";

// Each claim of a stop is tested against the native kernel: tests/explorer/test_tour.py.
export const STOPS = [
  {
    title: "Only 2,2",
    moves: "",
    text: "The empty board. Black wins by three stones, and only by opening in the centre: after any other first move White wins. With a komi of 2.5, three stones are just enough. A PASS on the first ply ends the game at once: the host takes the unchanged board for a second PASS.",
  },
  {
    title: "Why 1,2 is the best of the rest",
    moves: "1,2",
    text: "Next to the centre Black comes closest: with best play the stones end level, and komi alone decides for White. White's answer is the centre that Black left open. The other first stones lose two or three stones on the board as well.",
  },
  {
    title: "The trap",
    moves: "2,2",
    text: "After 2,2 White is lost, whatever White plays. So White plays where people go wrong: after 1,2, the book's move, only two of Black's 24 replies keep the win: 2,1 and 2,3. The card below the moves shows how likely opponents are to miss them.",
  },
  {
    title: "A ko",
    moves: "2,2 1,1 2,1 1,2 2,3 1,3 3,2 0,0 2,4 2,0 3,0 1,4 1,0",
    text: "Black has just taken a stone at 2,0. If White could take back there at once, White would win; but that would bring back the board before Black's move, so the point is forbidden for one ply. Now every move loses. The square marks a ko.",
  },
  {
    title: "A PASS that wins",
    moves: "2,2 1,1 2,1 1,2 2,3 1,3 3,2 1,0 4,0 0,0 3,0 3,1 4,1 1,4 3,4 0,1 3,3 0,2 4,3 2,4 2,0",
    text: "Three plies are left, and White to move may only play 0,3 or 0,4. Either one takes a liberty that White's own stones live on, and Black would take them all. PASS keeps Black at two stones ahead, which is half a point short of the komi. Nobody has to move, and here moving loses.",
  },
  {
    title: "The last ply",
    moves: "2,2 0,0 1,1 0,1 1,0 4,3 1,2 0,2 3,2 2,3 3,3 4,2 3,1 0,4 0,3 2,1 4,1 1,3 1,4 0,2 0,0 0,4 2,4",
    text: "White always has the last ply, the 24th. Here Black would win after any other move, including PASS. At 3,4 White takes two stones: Black is only one ahead, and White wins.",
  },
];

export class TourMode {
  constructor(app) {
    this.app = app;
    this.truths = true;
    this.visits = true;
    this.index = 0;
    this.back = on("tour-back", "click", () => this.show(this.index - 1));
    this.next = on("tour-next", "click", () => this.show(this.index + 1));
    on("tour-again", "click", () => this.show(this.index));
  }

  enter() {
    queueMicrotask(() => this.show(this.index));
  }

  show(index) {
    if (this.app.mode !== this) return;
    this.index = Math.min(Math.max(index, 0), STOPS.length - 1);
    const { moves } = STOPS[this.index];
    this.app.load({ start: START, moves: moves ? moves.split(" ").map(parseMove) : [] });
    this.app.speak(`Stop ${this.index + 1}: ${STOPS[this.index].title}`);
  }

  render() {
    const { title, text } = STOPS[this.index];
    setText(byId("tour-count"), `Stop ${this.index + 1} of ${STOPS.length}`);
    setText(byId("tour-title"), title);
    setText(byId("tour-text"), text);
    this.back.disabled = this.index === 0;
    this.next.disabled = this.index === STOPS.length - 1;
    this.app.modes.explore.render();
  }
}
