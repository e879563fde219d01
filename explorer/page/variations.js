// The tree of variations, and the comment and the marks of the shown position.

import { NAMES, PASS, moveName } from "./rules.js";
import { shownBranch, shownGame } from "./state.js";
import { linesOf, nodeAt } from "./tree.js";
import { allOf, byId, fill, make, on, setText } from "./dom.js";

const MOST_DEPTH = 4;
const MARK_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

function shownNode(state) {
  const { root, moves, at } = shownGame(state);
  return nodeAt(root, moves.slice(0, at));
}

export function marksShown(state) {
  return state.mode === "puzzles" || state.mode === "edit" ? [] : (shownNode(state).marks ?? []);
}

export class Variations {
  constructor(app) {
    this.app = app;
    this.from = null;
    this.tree = byId("tree");
    this.name = on("branch-name", "change", () => this._do("name", shownBranch(app.state), { name: this.name.value.trim() || undefined }));
    this.noteArea = on("note", "change", () => this._do("note", app.line.path, { note: this.noteArea.value.trim() || undefined }));
    this.tools = allOf("[data-tool]");
    for (const button of this.tools)
      button.addEventListener("click", () => {
        this.from = null;
        app.dispatch({ type: "tool", tool: button.dataset.tool });
      });
  }

  _do(type, path, more = {}) {
    if (path) this.app.dispatch({ type, path, ...more });
  }

  // If a tool is chosen, use a click on a point to make a mark. Return whether the click was used for a mark.
  onPoint(point) {
    const { app } = this;
    const { tool } = app.state;
    if (!tool) return false;
    if (point === PASS) return true;
    if (tool === "arrow" && this.from === null) {
      this.from = point;
      app.say(`An arrow from ${moveName(point)}: click on the point where it ends.`);
      return true;
    }
    const mark = { kind: tool, point };
    if (tool === "arrow") Object.assign(mark, { point: this.from, to: point });
    if (tool === "letter") mark.text = this._letter(point);
    this.from = null;
    app.say("");
    if (mark.point !== mark.to) this._do("mark", app.line.path, { mark });
    return true;
  }

  // Return the letter that marks a point, or the first letter that is not used yet.
  _letter(point) {
    const letters = marksShown(this.app.state).filter(({ kind }) => kind === "letter");
    const had = letters.find((mark) => mark.point === point);
    return had?.text ?? [...MARK_LETTERS].find((letter) => !letters.some(({ text }) => text === letter)) ?? "Z";
  }

  render() {
    const { state, line } = this.app;
    const { root } = shownGame(state);
    const lines = linesOf(root);
    const branch = shownBranch(state);
    byId("variations").hidden = !line.moves.length && !root.children.length;
    this.tree.hidden = lines.length < 2;
    const shown = lines.filter(({ branch: path }) => !isHidden(root, path));
    const wanted = JSON.stringify([shown.map(({ path, node, branch: from }) => [path, from.length, node.name, node.isFolded]), branch, line.start.ply]);
    fill(this.tree, wanted, () => shown.map((one) => this._row(one, lines, branch)));
    byId("variations-count").textContent = lines.length > 1 ? `(${lines.length} lines)` : "";
    const node = shownNode(state);
    const isNamed = branch !== null;
    byId("branch-name-row").hidden = !isNamed;
    if (document.activeElement !== this.name) this.name.value = isNamed ? (nodeAt(root, branch).name ?? "") : "";
    if (document.activeElement !== this.noteArea) this.noteArea.value = node.note ?? "";
    for (const button of this.tools) button.setAttribute("aria-pressed", String(button.dataset.tool === state.tool));
    const note = state.mode === "explore" || state.mode === "review" ? (node.note ?? "") : "";
    byId("note-shown").hidden = !note;
    setText(byId("note-shown"), note);
  }

  _row({ branch, path, node }, lines, current) {
    const { app } = this;
    const depth = lines.filter((other) => other.branch.length && other.branch !== branch && startsWith(branch, other.branch)).length;
    const isOn = `${current ?? []}` === `${branch}`;
    const ply = app.line.start.ply + branch.length;
    const moves = path.slice(Math.max(branch.length - 1, 0), node.isFolded ? branch.length : path.length).map(moveName).join(" ");
    const name = node.name ?? (branch.length ? `Ply ${ply}, ${NAMES[(ply + 1) % 2]}` : "Main line");
    const go = make(
      "button",
      { type: "button", class: "go", "aria-current": String(isOn), onclick: () => app.dispatch({ type: "follow", path, at: branch.length || path.length }) },
      `${name}: ${moves}${node.isFolded ? " …" : ""}`,
    );
    const does = (label, sign, onclick) => make("button", { type: "button", "aria-label": `${label}: ${name}`, title: label, onclick }, sign);
    const tools = branch.length
      ? [
          does(node.isFolded ? "Unfold" : "Fold", node.isFolded ? "▸" : "▾", () => this._do("fold", branch)),
          does("Make it the main line", "↑", () => this._do("promote", branch)),
          does("Delete", "×", () => this._do("remove", branch)),
        ]
      : [];
    return make("li", { class: `depth-${Math.min(depth, MOST_DEPTH)}` }, go, ...tools);
  }
}

const startsWith = (path, start) => start.every((move, index) => move === path[index]);

// Return whether a branch is hidden, because it belongs to a folded line.
function isHidden(root, branch) {
  for (let length = 1; length < branch.length; length++) if (nodeAt(root, branch.slice(0, length)).isFolded) return true;
  return false;
}
