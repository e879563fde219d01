// A substitute for the page's App, for the tests of the page's modules in Node.js.

import { readFileSync } from "node:fs";
import "./small_dom.mjs";

const { Facts } = await import("../../explorer/page/facts.js");
const { Line } = await import("../../explorer/page/line.js");
const { FIRST_STATE, reduce, shownGame } = await import("../../explorer/page/state.js");
const board = await import("../../explorer/page/rules.js");

export const rules = new board.Rules(await board.openKernel(readFileSync(new URL("../../explorer/kernel.wasm", import.meta.url))));

// A substitute for the page's App. It records the calls.
export function newApp(more = {}) {
  const app = { rules, said: [], sent: [], loaded: [], modes: [], ...more };
  app.say = (text, isBad = false) => {
    app.said.push((app.note = text));
    app.isBad = isBad;
  };
  app.speak = () => {};
  app.dispatch = (action) => void app.sent.push(action);
  app.load = (game) => void app.loaded.push(game);
  app.setMode = (mode) => void app.modes.push(mode);
  app.notebook = { open: () => {} };
  return app;
}

const EMPTY = { keys: new BigUint64Array(0), lo: new Int8Array(0), hi: new Int8Array(0), best: [], decided: [] };
export const newFacts = () => new Facts(rules, { book: EMPTY, atlas: EMPTY, lines: EMPTY, proved: EMPTY, traps: new Map() });

// Return the position after moves.
export const after = (...moves) => moves.reduce((position, move) => rules.play(position, move), board.START);

// Return an App whose state changes by its actions.
export function newLiveApp(more = {}) {
  const app = newApp({ state: FIRST_STATE, facts: newFacts(), modes: [], ...more });
  app.dispatch = (action) => {
    app.state = reduce(app.state, action);
    app.line = new Line(rules, shownGame(app.state), app.line);
    app.position = app.line.position;
  };
  app.stopLine = () => {};
  app.refresh = () => {};
  app.goTo = (at) => app.dispatch({ type: "goTo", at });
  app.goHome = () => app.dispatch({ type: "home" });
  app.isStopped = () => false;
  return app;
}

// Wait until a text is read and all promises are settled.
export const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
