// The whole page in Node.js: main.js with the page's data, a small document, and workers in the same thread.

import { readFileSync } from "node:fs";
import { byId, tellPage } from "./small_dom.mjs";

const HTML = readFileSync(new URL("../../explorer.html", import.meta.url), "utf8");

// Give the elements of the page the data that its HTML contains.
for (const [, id, data] of HTML.matchAll(/<script type="[^"]*" id="([^"]*)">([^<]*)<\/script>/g)) byId(id).textContent = data;

// Make the elements of the page that have a data attribute, by the selector of the attribute.
const made = new Map();
for (const name of ["mode", "job", "tool", "brush", "in"])
  made.set(
    `[data-${name}]`,
    [...HTML.matchAll(new RegExp(`<\\w+ [^>]*data-${name}="([^"]*)"[^>]*>`, "g"))].map(([tag, value]) => {
      const id = tag.match(/ id="([^"]*)"/)?.[1];
      const element = id ? byId(id) : document.createElement("button");
      element.dataset[name] = value;
      element.parentElement = document.createElement("div");
      element.querySelector = () => byId(`${name} ${value} path`);
      if (name !== "in") element.append(document.createElement("span"));
      return element;
    }),
  );
export const allOf = (selector) => (made.get(selector.replace(":not([hidden])", "")) ?? []).filter((one) => !selector.endsWith(":not([hidden])") || !one.hidden);
/** @type {any} */ (document).querySelectorAll = allOf;
byId("panel").replaceChildren(...allOf("[data-in]"));

// What a row of the list of moves needs of an element.
Object.defineProperties(Object.getPrototypeOf(byId("panel")), {
  firstChild: { configurable: true, get() { return this.children[0] ?? null; } },
  lastChild: { configurable: true, get() { return this.children.at(-1) ?? null; } },
});
function newRow() {
  const [row, button, name, ...others] = ["li", "button", "span", "span", "span", "span"].map((tag) => document.createElement(tag));
  name.append(document.createElement("b"), document.createElement("small"));
  const origin = others.at(-1);
  origin.append(document.createElement("span"));
  button.append(name, ...others);
  row.append(button);
  return Object.assign(row, { remove: () => {}, contains: (one) => one !== null && one === button });
}
byId("move-row").content = { firstElementChild: { cloneNode: newRow } };

// The browser's history and address. Each entry is [address, state].
export const visited = [];
globalThis.location = /** @type {any} */ ({ hash: "" });
globalThis.history = /** @type {any} */ ({
  state: null,
  pushState: (state, _, address) => visited.push(enter(address, state)),
  replaceState: (state, _, address) => visited.splice(-1, 1, enter(address, state)),
});
function enter(address, state) {
  location.hash = address;
  /** @type {any} */ (history).state = state;
  return [address, state];
}

// The drawings that wait for the next frame.
const frames = [];
globalThis.requestAnimationFrame = (does) => frames.push(does);
export const countFrames = () => frames.length;
export function drawFrame() {
  for (const does of frames.splice(0)) does(0);
}

// A worker in this thread. All workers answer one message after another, so that each has its answers for itself.
/** @type {any} */
let answering = null;
let last = Promise.resolve();
export const workers = [];
globalThis.postMessage = (message) => answering.tell("message", { data: structuredClone(message) });
globalThis.Worker = /** @type {any} */ (
  class {
    constructor() {
      this.listeners = {};
      this.asked = [];
      workers.push(this);
      const real = globalThis.addEventListener;
      last = last.then(async () => {
        globalThis.addEventListener = (name, listener) => (this.does = listener);
        await import(`../../explorer/page/worker.js?${workers.indexOf(this)}`);
        globalThis.addEventListener = real;
      });
    }
    addEventListener(name, listener) {
      this.listeners[name] = listener;
    }
    tell(name, event) {
      this.listeners[name]?.(event);
    }
    postMessage(message) {
      this.asked.push(message.name);
      last = last.then(() => new Promise((resolve) => setImmediate(resolve))).then(async () => {
        answering = this;
        await this.does({ data: message });
      });
    }
  }
);
Object.defineProperty(globalThis, "navigator", { value: { hardwareConcurrency: 2 }, configurable: true });
/** @type {any} */ (globalThis).matchMedia = () => ({ matches: true });

export const settled = (milliseconds = 20) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Wait until a condition is true.
export async function until(isTrue, what) {
  for (let times = 0; !isTrue(); times++) {
    if (times > 2000) throw new Error(`never: ${what ?? isTrue}`);
    await settled(5);
    drawFrame();
  }
}

export { byId, tellPage };
