// What the page's reasons.js makes of vectors: lines of JSON in, each with two lines of play, and out, the reason.

import { readFileSync } from "node:fs";
import { reason } from "../../explorer/page/reasons.js";
import { Rules, openKernel } from "../../explorer/page/rules.js";

const rules = new Rules(await openKernel(readFileSync(new URL("../../explorer/kernel.wasm", import.meta.url))));

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { position, worse, better } = JSON.parse(line);
  console.log(JSON.stringify(reason(rules, position, worse, better)));
}
