// The keyboard, and the buttons of the board.

import { PASS, START } from "./rules.js";
import { byId, on } from "./dom.js";

const KEYS = {
  p: (app) => !byId("pass").disabled && app.mode.locked !== true && byId("pass").click(),
  n: () => byId("new").click(),
  e: () => byId("edit").click(),
  o: () => byId("open-button").click(),
  s: () => byId("share-button").click(),
  h: (app) => app.mode.hint?.(),
  "?": () => byId("help-button").click(),
  Backspace: (app) => app.mode.back?.() ?? app.goTo(app.line.at - 1),
  ArrowLeft: (app) => app.goTo(app.line.at - 1),
  ArrowRight: (app) => app.goTo(app.line.at + 1),
  Home: (app) => app.goTo(0),
  End: (app) => app.goTo(app.line.moves.length),
  1: (app) => app.setMode("explore"),
  2: (app) => app.setMode("play"),
  3: (app) => app.setMode("review"),
  4: (app) => app.setMode("tour"),
  5: (app) => app.setMode("puzzles"),
};

export function wireKeys(app) {
  addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog[open], textarea, input, select"))
      return;
    const does = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (does) {
      event.preventDefault();
      does(app);
    } else if (event.key === " " && !target.closest("button, a")) {
      event.preventDefault();
      app.togglePause();
    }
  });
}

export function wireButtons(app) {
  for (const tab of document.querySelectorAll("[data-mode]"))
    tab.addEventListener("click", () => app.setMode(tab.dataset.mode));
  const goes = {
    "to-start": () => 0,
    back: () => app.line.at - 1,
    forward: () => app.line.at + 1,
    "to-end": () => app.line.moves.length,
  };
  for (const [id, to] of Object.entries(goes)) on(id, "click", () => app.goTo(to()));
  on("pass", "click", () => app._onPoint(PASS));
  on("mine", "click", () => app.goHome());
  on("new", "click", () => {
    if (app.mode.another) return app.mode.another();
    if (app.modeName === "edit") app.setMode("explore");
    app.load({ start: START, moves: [] });
  });
  on("edit", "click", () => app.setMode(app.modeName === "edit" ? "explore" : "edit"));
  on("help-button", "click", () => byId("help-dialog").showModal());
  addEventListener("hashchange", () => app.readAddress());
}
