// The keys of the page, its settings, and the buttons of the board.

import { PASS, START } from "./rules.js";
import { MODES } from "./state.js";
import { allOf, byId, nameByLetters, on } from "./dom.js";

// The key under which the browser stores the settings: whether single letters work as keys, and how points are named.
const SETTINGS = "little-go settings";

function keptSettings() {
  try {
    const { keys, names } = JSON.parse(localStorage.getItem(SETTINGS));
    return { keys: keys !== false, names: names === "a1" ? "a1" : "ij" };
  } catch {
    return { keys: true, names: "ij" };
  }
}

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
    const target = /** @type {Element} */ (event.target);
    const isWriting = target.closest("dialog[open], textarea, input:not([type=radio], [type=checkbox]), select");
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !isWriting && "zy".includes(event.key.toLowerCase())) {
      event.preventDefault();
      return event.key.toLowerCase() === "y" || event.shiftKey ? app.redo() : app.undo();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog[open], textarea, input, select"))
      return;
    if (event.key.length === 1 && event.key !== " " && !byId("letter-keys").checked) return;
    const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action) {
      event.preventDefault();
      action(app);
    } else if (event.key === " " && !target.closest("button, a")) {
      event.preventDefault();
      app.toggleAll();
    }
  });
}

// Wire the two settings. If the browser has no storage, the settings last until the page is closed.
export function wireSettings(app) {
  const settings = keptSettings();
  const [keys, names] = [byId("letter-keys"), byId("letter-names")];
  const use = () => {
    settings.keys = keys.checked;
    settings.names = names.checked ? "a1" : "ij";
    nameByLetters(names.checked);
    app.dispatch({ type: "set", changes: { names: settings.names } });
    app.refresh();
  };
  keys.checked = settings.keys;
  names.checked = settings.names === "a1";
  use();
  for (const box of [keys, names])
    box.addEventListener("change", () => {
      use();
      try {
        localStorage.setItem(SETTINGS, JSON.stringify(settings));
      } catch {
        // There is no storage, so the setting is lost when the page is closed.
      }
    });
}

export function wireButtons(app) {
  for (const tab of allOf("[data-mode]")) tab.hidden = !MODES.includes(tab.dataset.mode);
  for (const [door, mode] of [["learn", "learn"], ["look", "tour"], ["puzzles", "puzzles"]]) byId(`door-${door}`).hidden = !MODES.includes(mode);
  const tabs = allOf("[data-mode]:not([hidden])");
  for (const tab of tabs) tab.addEventListener("click", () => app.setMode(tab.dataset.mode));
  // The arrow keys move between the tabs, as users of screen readers expect.
  tabs[0].parentElement.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(event.target);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = tabs[(to + tabs.length) % tabs.length];
    tab.click();
    tab.focus();
  });
  on("undo", "click", () => app.undo());
  on("redo", "click", () => app.redo());
  on("door-learn", "click", () => app.setMode("learn"));
  on("door-play", "click", () => {
    app.dispatch({ type: "set", changes: { play: { ...app.state.play, who: "black", opponent: "greedy" } } });
    app.setMode("play");
  });
  on("door-look", "click", () => app.setMode("tour"));
  on("door-puzzles", "click", () => app.setMode("puzzles"));
  on("door-explore", "click", () => app.comeIn());
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
    if (app.modeName === "play") return app.modes.play.start();
    if (app.modeName !== "review") app.setMode("explore");
    app.load({ start: START, moves: [] });
  });
  on("edit", "click", () => app.setMode(app.modeName === "edit" ? "explore" : "edit"));
  on("help-button", "click", () => byId("help-dialog").showModal());
  addEventListener("popstate", ({ state }) => app.readAddress(state));
  addEventListener("hashchange", () => app.readAddress());
}
