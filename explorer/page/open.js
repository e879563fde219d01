// Opening: pasted text, files chosen or dropped; of several games one is chosen.

import { BadText, readGames, textOf } from "./formats.js";
import { Task } from "./engine.js";
import { byId, make, on } from "./dom.js";

// More than this is no game, and would only make the page slow.
const MOST_BYTES = 20e6;
const LIST_AT_ONCE = 200;

async function fileText(file) {
  if (file.size > MOST_BYTES) throw new BadText("damaged", `${file.name} is too large: ${Math.round(file.size / 1e6)} MB`);
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (head[0] !== 0x1f || head[1] !== 0x8b) return textOf(new Uint8Array(await file.arrayBuffer()));
  const parts = [];
  let size = 0;
  try {
    const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    for (let part = await reader.read(); !part.done && size <= MOST_BYTES; part = await reader.read()) {
      size += part.value.length;
      parts.push(part.value);
    }
    if (size > MOST_BYTES) reader.cancel();
  } catch {
    throw new BadText("damaged", `${file.name} is damaged: it cannot be unpacked`);
  }
  if (size > MOST_BYTES) throw new BadText("damaged", `${file.name} unpacks to more than ${MOST_BYTES / 1e6} MB`);
  return textOf(new Uint8Array(await new Blob(parts).arrayBuffer()));
}

export function wireOpen(app) {
  const dialog = byId("open-dialog");
  const [text, file, error] = [byId("open-text"), byId("open-file"), byId("open-error")];
  const complain = (message) => {
    error.hidden = !message;
    error.textContent = message;
    if (message && !dialog.open) app.say(message);
  };
  const opening = new Task();
  // Take a text, or the promise of one, unless something else is opened or the dialog is left before.
  const take = async (content) => {
    try {
      await opening.run(
        () => content,
        (text) => {
          if (!text.trim()) throw new BadText("damaged", "the text is empty");
          const games = readGames(text, app.rules);
          dialog.close();
          show(app, games);
          complain("");
        },
      );
    } catch (problem) {
      if (!(problem instanceof BadText)) throw problem;
      complain(`Cannot open this: ${problem.message}.`);
    }
  };
  dialog.addEventListener("close", () => opening.stop());
  on("open-button", "click", () => {
    complain("");
    dialog.showModal();
    text.focus();
    text.select();
  });
  dialog.querySelector("form").addEventListener("submit", (event) => {
    if (event.submitter?.value !== "open") return;
    event.preventDefault();
    take(text.value);
  });
  file.addEventListener("change", () => {
    if (file.files[0]) take(fileText(file.files[0]));
    file.value = "";
  });
  wireDrop(take);
  addEventListener("paste", (event) => {
    if (event.target.closest?.("dialog, textarea, input")) return;
    const pasted = event.clipboardData.getData("text");
    if (pasted) take(pasted);
  });
}

function wireDrop(take) {
  const { classList } = document.documentElement;
  addEventListener("dragover", (event) => {
    event.preventDefault();
    classList.add("dropping");
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && classList.remove("dropping"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    classList.remove("dropping");
    const { files } = event.dataTransfer;
    if (files[0]) take(fileText(files[0]));
    else if (event.dataTransfer.getData("text")) take(event.dataTransfer.getData("text"));
  });
}

// Show the only game, or let one be chosen.
function show(app, games) {
  app.setMode(games[0].moves.length ? "review" : "explore");
  const [box, list, filter] = [byId("games"), byId("games-list"), byId("games-filter")];
  const fill = () => {
    const word = filter.value.toLowerCase();
    const fit = games.map((game, index) => [game, index]).filter(([game]) => game.title.toLowerCase().includes(word));
    const shown = fit.slice(0, LIST_AT_ONCE);
    list.replaceChildren(...shown.map(([game, index]) => make("option", { value: index }, game.title)));
    if (fit.length) app.load(fit[0][0]);
  };
  box.hidden = games.length === 1;
  filter.value = "";
  filter.oninput = fill;
  list.onchange = () => app.load(games[Number(list.value)]);
  byId("games-close").onclick = () => (box.hidden = true);
  byId("games-count").textContent = `${games.length} games`;
  fill();
}
