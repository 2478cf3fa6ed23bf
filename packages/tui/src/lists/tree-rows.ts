/** The rows of a tree: what is open, with the lines that lead to it. No recursion: a tree may be as deep as it is long. */
import { printableLine } from '../text/ansi.ts';
import { fuzzyMatch } from '../text/fuzzy.ts';

export interface TreeNode<T> {
  value: T;
  label: string;
  /** Said in muted letters behind the label. */
  detail?: string;
  children?: readonly TreeNode<T>[];
}

export interface TreeRow<T> {
  node: TreeNode<T>;
  parent: TreeRow<T> | undefined;
  depth: number;
  /** The row that moved in to this depth: itself, or the first of the chain it stands in. */
  level: TreeRow<T> | undefined;
  /** Another one follows on the same level. */
  goesOn: boolean;
  /** Where the query was found in the label. */
  positions: readonly number[];
  /** It was found itself, not only something below it. */
  found: boolean;
}

export interface TreeView<T> {
  isOpen(node: TreeNode<T>): boolean;
  query: string;
  /** An only child stays below its parent instead of moving in: long chains stay readable. */
  flat: boolean;
}

export function treeRows<T>(roots: readonly TreeNode<T>[], { isOpen, query, flat }: TreeView<T>): TreeRow<T>[] {
  const kept = query === '' ? undefined : keptNodes(roots, query);
  const rows: TreeRow<T>[] = [];
  const waiting: TreeRow<T>[] = [];
  const push = (nodes: readonly TreeNode<T>[], parent: TreeRow<T> | undefined) => {
    const shown = kept ? nodes.filter((node) => kept.has(node)) : nodes;
    const movesIn = !(flat && shown.length === 1 && parent !== undefined);
    const depth = parent === undefined ? 0 : parent.depth + (movesIn ? 1 : 0);
    shown.toReversed().forEach((node, index) => {
      const positions = kept?.get(node);
      const level = movesIn ? undefined : (parent?.level ?? parent);
      const goesOn = index > 0;
      waiting.push({ node, parent, depth, level, goesOn, positions: positions ?? [], found: positions !== undefined });
    });
  };
  push(roots, undefined);
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    // While a query is on, everything that was kept is seen.
    if (row.node.children && (kept || isOpen(row.node))) push(row.node.children, row);
  }
  return rows;
}

/** Nodes that match, with the places, and all above them, with none. */
function keptNodes<T>(roots: readonly TreeNode<T>[], query: string): Map<TreeNode<T>, readonly number[] | undefined> {
  const kept = new Map<TreeNode<T>, readonly number[] | undefined>();
  const parents = new Map<TreeNode<T>, TreeNode<T>>();
  const waiting = [...roots];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const match = fuzzyMatch(query, printableLine(node.label));
    if (match) {
      kept.set(node, match.positions);
      for (let above = parents.get(node); above && !kept.has(above); above = parents.get(above))
        kept.set(above, undefined);
    }
    for (const child of node.children ?? []) {
      parents.set(child, node);
      waiting.push(child);
    }
  }
  return kept;
}

/** The lines that lead to a row, at most `most` cells: of a deep one the outer levels are left out. */
export function guides<T>(row: TreeRow<T>, most: number): string {
  const room = Math.max(1, Math.floor(most / 3));
  const parts: string[] = [];
  let level = row.level ?? row;
  while (level.depth > 0 && parts.length < room) {
    if (level === row) parts.unshift(level.goesOn ? '├─ ' : '└─ ');
    else parts.unshift(level.goesOn ? '│  ' : '   ');
    if (!level.parent) break;
    level = level.parent.level ?? level.parent;
  }
  if (level.depth > 0 && parts.length > 1) parts[0] = '…  ';
  return parts.join('').slice(0, Math.max(0, most));
}
