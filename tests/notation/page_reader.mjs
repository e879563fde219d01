// What the page's formats.js makes of vectors: lines of JSON in, each with the bytes in hex, and out.

import { readFileSync } from "node:fs";
import { BadText, fragmentOf, inputText, positionRecord, readGames, sgfOf, textOf } from "../../explorer/page/formats.js";
import { Rules, openKernel } from "../../explorer/page/rules.js";

const rules = new Rules(await openKernel(readFileSync(new URL("../../explorer/kernel.wasm", import.meta.url))));

function read(input) {
  try {
    const [game] = readGames(textOf(Buffer.from(input, "hex")), rules);
    const moves = game.moves.slice(0, game.at ?? game.moves.length);
    const position = moves.reduce((before, move) => rules.play(before, move), game.start);
    const written = game.fault ? [] : writtenOf(game, moves, position);
    return { fault: game.fault ?? null, position, written };
  } catch (error) {
    if (!(error instanceof BadText)) throw error;
    return { fault: error.fault, message: error.message };
  }
}

// The position as the page's Share writes it: each text is read again.
function writtenOf({ start }, moves, position) {
  const previous = moves.slice(0, -1).reduce((before, move) => rules.play(before, move), start);
  return [
    `explorer.html#${fragmentOf({ start, moves, at: moves.length })}`,
    `explorer.html#${fragmentOf({ start: position, moves: [], at: 0 })}`,
    positionRecord(position),
    sgfOf({ start, moves }, [], moves.map(() => [])),
    sgfOf({ start: position, moves: [] }, [], []),
    inputText(position, moves.length ? previous : null),
  ];
}

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean))
  console.log(JSON.stringify(read(JSON.parse(line).input)));
