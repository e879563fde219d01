// A game as a tree of variations, which is never changed in place: each function returns a root that shares what stays.
//
// A node is { move, children, name, note, marks, isFolded, lost }; the root's move is null. The first child is the main line,
// and no two children have the same move. A path is the moves from the root to a node. note: a comment; marks: signs on the
// board, { kind, point, to, text }; lost: what ended the game after the node, as formats.js has it.

export const ROOT = Object.freeze({ move: null, children: Object.freeze([]) });

const childOf = (node, move) => node.children.find((child) => child.move === move) ?? null;

// The node at a path, or null.
export function nodeAt(root, path) {
  let node = root;
  for (const move of path) {
    node = childOf(node, move);
    if (!node) return null;
  }
  return node;
}

// The tree with change(node) in the place of the node at a path.
export function withNode(root, path, change) {
  if (!path.length) return change(root);
  const [move, ...rest] = path;
  return { ...root, children: root.children.map((child) => (child.move === move ? withNode(child, rest, change) : child)) };
}

// The tree with the moves of a line, the new ones behind those that are there.
export function withLine(root, path) {
  if (!path.length) return root;
  const [move, ...rest] = path;
  const had = childOf(root, move);
  const child = withLine(had ?? { move, children: [] }, rest);
  if (child === had) return root;
  return { ...root, children: had ? root.children.map((one) => (one === had ? child : one)) : [...root.children, child] };
}

// The tree without a node and what follows from it.
export function withoutNode(root, path) {
  const move = path.at(-1);
  return withNode(root, path.slice(0, -1), (node) => ({
    ...node,
    children: node.children.filter((child) => child.move !== move),
  }));
}

// The path to the first move of the branch that a path lies on, or null on the main line.
export function branchOf(root, path) {
  let node = root;
  let branch = null;
  for (const [index, move] of path.entries()) {
    if (node.children[0].move !== move) branch = path.slice(0, index + 1);
    node = childOf(node, move);
  }
  return branch;
}

// The tree in which a branch has become the main line at its fork.
export function withBranchFirst(root, branch) {
  const move = branch.at(-1);
  return withNode(root, branch.slice(0, -1), (node) => ({
    ...node,
    children: [childOf(node, move), ...node.children.filter((child) => child.move !== move)],
  }));
}

// A path and the main line behind it.
export function toTheEnd(root, path) {
  const moves = [...path];
  for (let node = nodeAt(root, path); node.children.length; node = node.children[0]) moves.push(node.children[0].move);
  return moves;
}

// The lines of a tree, the main one first: { branch, path, node }[], branch: the path to where a line leaves another one,
// path: to its end, node: its first node.
export function linesOf(root) {
  const lines = [];
  const visit = (branch) => {
    const path = toTheEnd(root, branch);
    lines.push({ branch, path, node: nodeAt(root, branch) });
    for (let length = path.length - 1; length >= branch.length; length--) {
      const at = path.slice(0, length);
      for (const child of nodeAt(root, at).children.slice(1)) visit([...at, child.move]);
    }
  };
  visit([]);
  return lines;
}
