// A game as a tree of variations. Trees are immutable. A function that changes a tree returns a new root, which shares the
// unchanged nodes with the old tree.
//
// A node is { move, children, name, note, marks, isFolded, lost }. The move of the root is null. The first child of a node
// belongs to the main line, and no two children of a node have the same move. A path is the list of moves from the root to a
// node. note: a comment. marks: the user's marks on the board, { kind, point, to, text }. lost: the event that ended the game
// after the node, as in formats.js.

export const ROOT = Object.freeze({ move: null, children: Object.freeze([]) });

const childOf = (node, move) => node.children.find((child) => child.move === move) ?? null;

// Return the node at a path, or null if the tree does not contain the path.
export function nodeAt(root, path) {
  let node = root;
  for (const move of path) {
    node = childOf(node, move);
    if (!node) return null;
  }
  return node;
}

// Return a tree in which change(node) replaces the node at a path.
export function withNode(root, path, change) {
  if (!path.length) return change(root);
  const [move, ...rest] = path;
  return { ...root, children: root.children.map((child) => (child.move === move ? withNode(child, rest, change) : child)) };
}

// Return a tree to which the moves of a line are added. New children come after existing children.
export function withLine(root, path) {
  if (!path.length) return root;
  const [move, ...rest] = path;
  const had = childOf(root, move);
  const child = withLine(had ?? { move, children: [] }, rest);
  if (child === had) return root;
  return { ...root, children: had ? root.children.map((one) => (one === had ? child : one)) : [...root.children, child] };
}

// Return a tree without the node at a path and everything that follows this node.
export function withoutNode(root, path) {
  const move = path.at(-1);
  return withNode(root, path.slice(0, -1), (node) => ({
    ...node,
    children: node.children.filter((child) => child.move !== move),
  }));
}

// Return the path to the first move of the branch to which a path belongs, or null if the path is on the main line.
export function branchOf(root, path) {
  let node = root;
  let branch = null;
  for (const [index, move] of path.entries()) {
    if (node.children[0].move !== move) branch = path.slice(0, index + 1);
    node = childOf(node, move);
  }
  return branch;
}

// Return a tree in which a branch is the main line from the node where the branch begins.
export function withBranchFirst(root, branch) {
  const move = branch.at(-1);
  return withNode(root, branch.slice(0, -1), (node) => ({
    ...node,
    children: [childOf(node, move), ...node.children.filter((child) => child.move !== move)],
  }));
}

// Return a path that is extended by the main line after its last node.
export function toTheEnd(root, path) {
  const moves = [...path];
  for (let node = nodeAt(root, path); node.children.length; node = node.children[0]) moves.push(node.children[0].move);
  return moves;
}

// Return the lines of a tree, { branch, path, node }[]; the main line comes first. branch: the path to the first node at which
// the line differs from the line from which it branches. path: the path to the end of the line. node: the node at `branch`.
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
