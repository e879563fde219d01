// What the page's opponents.js makes of positions: lines of JSON in, and out the moves of each opponent, and the models' chances.

import { readFileSync } from "node:fs";
import { CHOOSERS, chancesOf } from "../../explorer/page/opponents.js";
import { Rules, openKernel } from "../../explorer/page/rules.js";

const rules = new Rules(await openKernel(readFileSync(new URL("../../explorer/kernel.wasm", import.meta.url))));
const { models } = JSON.parse(readFileSync(new URL("../../generator/opponents/models.json", import.meta.url)));

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const position = JSON.parse(line);
  const moves = Object.entries(CHOOSERS).map(([name, choose]) => [name, choose(rules, position).moves]);
  const chances = chancesOf(rules, position, models.map(({ weights }) => weights));
  console.log(JSON.stringify({ ...Object.fromEntries(moves), human: [chances.moves, chances.weights] }));
}
