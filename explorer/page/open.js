// Open games: from a pasted text, or from a file that is chosen or dropped. If there are several games, the user chooses one.

import { textOf } from "./formats.js";
import { gamesOf } from "./reader.js";
import { FORMS } from "./reading.js";
import { BadText } from "./parts.js";
import { endingText } from "./words.js";
import { Task } from "./engine.js";
import { byId, make, on } from "./dom.js";

// The largest size of a file in bytes. Larger files would make the page slow.
const MOST_BYTES = 20e6;

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
    reader.cancel();
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
    if (message && !dialog.open) app.say(message, true);
  };
  byId("open-forms").textContent = FORMS.form.join(", ");
  const opening = new Task();
  // Read a text, or a promise of a text, and show its games, unless another text is opened or the dialog is closed meanwhile.
  const take = async (content) => {
    try {
      await opening.run(
        async (signal) => {
          const text = await content;
          complain("");
          if (!dialog.open) app.say("Reading …");
          return gamesOf(text, app.rules, signal);
        },
        (games) => {
          if (app.note === "Reading …") app.say("");
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
  const open = () => {
    complain("");
    dialog.showModal();
    text.focus();
    text.select();
  };
  on("open-button", "click", open);
  on("door-review", "click", open);
  // If the pasted text replaces the whole text of the field, open it immediately.
  text.addEventListener("paste", () => {
    const isAll = text.selectionStart === 0 && text.selectionEnd === text.value.length;
    if (isAll) setTimeout(() => take(text.value));
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
    if (/** @type {Element} */ (event.target).closest?.("dialog, textarea, input")) return;
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

// Show the games. If there are several, the user can filter them by result, ending, agent or a word of the title, and choose one.
function show(app, games) {
  app.setMode(games[0].moves.length ? "review" : "explore");
  const [box, list, count] = [byId("games"), byId("games-list"), byId("games-count")];
  const filters = ["games-result", "games-reason", "games-agent", "games-filter"].map(byId);
  const [result, reason, agent, word] = filters;
  const choose = (element, all, values, names = values) =>
    element.replaceChildren(make("option", { value: "" }, all), ...values.map((value, index) => make("option", { value }, names[index])));
  const told = games.map(({ about }) => about ?? { result: null, reason: "", agents: [] });
  choose(result, "any result", ["1", "2"], ["Black wins", "White wins"]);
  const endings = [...new Set(told.map((one) => one.reason).filter(Boolean))].sort();
  choose(reason, "any ending", endings, endings.map(endingText));
  choose(agent, "any agent", [...new Set(told.flatMap((one) => one.agents))].sort());
  const fits = (game, { result: winner, reason: ending, agents }) =>
    game.title.toLowerCase().includes(word.value.toLowerCase()) &&
    (!result.value || String(winner) === result.value) &&
    (!reason.value || ending === reason.value) &&
    (!agent.value || agents.includes(agent.value));
  const fill = () => {
    const fit = games.map((game, index) => [game, index]).filter(([game, index]) => fits(game, told[index]));
    list.replaceChildren(...fit.map(([game, index]) => make("option", { value: index }, game.title)));
    count.textContent = fit.length === games.length ? `${games.length} games` : `${fit.length} of ${games.length} games`;
    byId("games-summary").textContent = summaryOf(fit.map(([game, index]) => ({ ...told[index], plies: game.moves.length })));
    app.notebook.open(fit.map(([game]) => game));
    if (fit.length) app.load(fit[0][0]);
  };
  box.hidden = games.length === 1;
  word.value = "";
  for (const filter of filters) filter.oninput = fill;
  list.onchange = () => app.load(games[Number(list.value)]);
  byId("games-close").onclick = () => {
    app.notebook.open([]);
    box.hidden = true;
  };
  fill();
}

// Return a sentence about games: the number of wins of each side, the number of games that ended by a fault, and the length of
// the games.
function summaryOf(games) {
  if (!games.length) return "No game fits.";
  const won = (colour) => games.filter(({ result }) => result === colour).length;
  const faults = games.filter(({ reason }) => !["", "max", "two_passes", "resigned"].includes(reason)).length;
  const plies = games.map((game) => game.plies).sort((a, b) => a - b);
  const open = games.length - won(1) - won(2);
  return (
    `Black won ${won(1)}, White ${won(2)}${open ? `, ${open} without a result` : ""}; ${faults} ended by a fault. ` +
    `Half of them had ${plies[Math.floor((plies.length - 1) / 2)]} moves or fewer.`
  );
}
