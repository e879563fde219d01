// The kernel as WebAssembly, asked from Node.js: node wasm_bench.mjs KERNEL.wasm TABLE_LINES
//
// Questions on standard input, one a line, and an answer line for each on standard output, then one line of JSON about
// the module. tests/solver/lines.py says what the lines are; besides them `open LINES SEED` and `perft POSITION DEPTH
// COUNT_PASS`. Seconds are of CPU.

import { readFileSync } from "node:fs";

const [file, lines] = process.argv.slice(2);
const bytes = readFileSync(file);
const module = new WebAssembly.Module(bytes);
const kernel = new WebAssembly.Instance(module).exports;
if (!kernel.open(Number(lines), 0)) throw new Error(`no memory for a table of ${lines} lines`);

let nodes = 0;
let seconds = 0;
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const [command, ...words] = line.split(" ");
  const numbers = words.map(Number);
  if (command === "open") {
    console.log(kernel.open(...numbers));
  } else if (command === "perft") {
    console.log(kernel.perft(...numbers));
  } else {
    const start = process.cpuUsage();
    kernel[command](...numbers);
    const { user, system } = process.cpuUsage(start);
    seconds += (user + system) / 1e6;
    nodes += kernel.nodes();
    console.log(kernel.lo(), kernel.hi(), kernel.best(), kernel.nodes());
  }
}
const imports = WebAssembly.Module.imports(module).length;
console.log(JSON.stringify({ bytes: bytes.length, imports, nodes, seconds }));
