// Reading of what is opened. A long text is read by a worker, so that the page goes on meanwhile: the worker runs the page's own
// script, which in a worker does nothing but read.

import { readGames } from "./formats.js";
import { BadText } from "./parts.js";
import { Rules, START, isStart, openKernel } from "./rules.js";
import { unpack } from "./packs.js";
import { byId } from "./dom.js";

// Characters: shorter texts are read in some milliseconds.
const LONG = 50_000;

// The games of a text; raises BadText. signal: an AbortError ends it.
export async function gamesOf(text, rules, signal) {
  if (text.length < LONG) return readGames(text, rules);
  const script = document.querySelector("script[type=module]").textContent;
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(url);
  try {
    const kernel = await unpack(byId("kernel").textContent);
    const answer = await new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }) => resolve(data));
      worker.addEventListener("error", (event) => reject(new Error(event.message)));
      signal.addEventListener("abort", () => reject(new DOMException("left", "AbortError")));
      worker.postMessage({ text, kernel });
    });
    if (answer.message) throw new BadText(answer.fault, answer.message);
    return answer.games.map((game) => ({ ...game, start: isStart(game.start) ? START : game.start }));
  } finally {
    worker.terminate();
    URL.revokeObjectURL(url);
  }
}

// The worker's part.
export function serveReader() {
  addEventListener("message", async ({ data: { text, kernel } }) => {
    try {
      postMessage({ games: readGames(text, new Rules(await openKernel(kernel))) });
    } catch (error) {
      if (!(error instanceof BadText)) throw error;
      postMessage({ fault: error.fault, message: error.message });
    }
  });
}
