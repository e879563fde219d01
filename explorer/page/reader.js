// Read the texts that the user opens. A worker reads a long text, so that the page stays responsive. The worker runs the same
// script as the page; in a worker, this script only reads texts.

import { readGames } from "./formats.js";
import { BadText } from "./parts.js";
import { Rules, START, isStart, openKernel } from "./rules.js";
import { unpack } from "./packs.js";
import { byId } from "./dom.js";

// The minimum number of characters of a text that a worker reads. The page reads a shorter text in a few milliseconds.
const LONG = 50_000;

// Return the games of a text. Throw BadText if the text cannot be read, and an AbortError if the signal is aborted before the
// end.
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

// In a worker, answer each message with the games of the message's text.
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
