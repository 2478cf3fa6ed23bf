/** A tree to walk through: open and close, choose, filter without losing what is above. */
import type { Focusable } from '../component.ts';
import type { KeyMatcher } from '../keys/keymap.ts';
import { printableLine } from '../text/ansi.ts';
import { cut, pad } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import type { Theme } from '../theme/theme.ts';
import { marked } from './filter.ts';
import { guides, type TreeNode, type TreeRow, treeRows } from './tree-rows.ts';
import { createWalk } from './walk.ts';

export type { TreeNode } from './tree-rows.ts';

export interface TreeOptions<T> {
  theme: Theme;
  keys: KeyMatcher;
  roots: readonly TreeNode<T>[];
  height?: number;
  filter?: boolean;
  /** An only child does not move in. */
  flat?: boolean;
  /** Open in the beginning; all unless said. */
  expanded?: readonly T[];
  selected?: T;
  onSelect?(value: T): void;
  onCancel?(): void;
  onChange?(value: T | undefined): void;
}

export interface Tree<T> extends Focusable {
  readonly current: T | undefined;
  setRoots(roots: readonly TreeNode<T>[]): void;
  select(value: T): void;
}

export function createTree<T>(options: TreeOptions<T>): Tree<T> {
  const { theme, flat = false } = options;
  let roots = options.roots;
  // What is closed is kept, by value, so that new nodes are open.
  let closed = new Set<T>(options.expanded ? closedBut(roots, new Set(options.expanded)) : []);
  let rows = build('');
  const walk = createWalk<TreeRow<T>>({
    theme,
    keys: options.keys,
    contexts: ['tree', 'list'],
    filter: options.filter ?? false,
    height: options.height ?? 12,
    around: true,
    emptyText: 'Nothing here',
    rows: () => rows,
    canChoose: () => true,
    isEntry: () => true,
    drawRow,
    goTo: choose,
    search: rebuild,
    act,
    onCancel: () => options.onCancel?.(),
  });
  walk.place(walk.firstFrom(0));
  if (options.selected !== undefined) choose(rowOf(options.selected));

  function build(query: string): TreeRow<T>[] {
    return treeRows(roots, { isOpen: (node) => !closed.has(node.value), query, flat });
  }

  function rowOf(value: T): number {
    return rows.findIndex((row) => row.node.value === value);
  }

  function choose(row: number): boolean {
    if (row < 0 || row >= rows.length) return false;
    const changed = rows[row]?.node.value !== rows[walk.at]?.node.value;
    walk.place(row);
    if (changed) options.onChange?.(rows[row]?.node.value);
    return true;
  }

  /** The rows are others now. The chosen one stays, or the nearest above it that is still seen. */
  function rebuild(): boolean {
    const { query } = walk;
    const before = rows[walk.at];
    rows = build(query);
    const places = new Map(rows.map((row, index) => [row.node.value, index]));
    let near: TreeRow<T> | undefined = before;
    while (near && !places.has(near.node.value)) near = near.parent;
    const kept = near && places.get(near.node.value);
    const firstFound = rows.findIndex((row) => row.found);
    const at = query !== '' && firstFound >= 0 ? firstFound : walk.firstFrom(kept ?? 0);
    walk.place(at);
    if (rows[at]?.node.value !== before?.node.value) options.onChange?.(rows[at]?.node.value);
    return true;
  }

  function drawRow(row: TreeRow<T>, chosen: boolean, width: number): string {
    const { node } = row;
    const { query } = walk;
    const folds = (node.children?.length ?? 0) > 0;
    const mark = !folds ? '' : query === '' && closed.has(node.value) ? '▸ ' : '▾ ';
    const lead = guides(row, Math.floor(width / 2));
    const before = `${chosen ? theme.paint('selection', '› ') : '  '}${theme.paint('borderMuted', lead)}${theme.paint('muted', mark)}`;
    const room = Math.max(0, width - 2 - widthOf(lead) - mark.length);
    const role = chosen ? 'selection' : query !== '' && !row.found ? 'muted' : undefined;
    const label = cut(marked(printableLine(node.label), row.positions, theme, role), room);
    const left = room - widthOf(label) - 1;
    const detail = node.detail && left > 3 ? ` ${theme.paint('muted', cut(printableLine(node.detail), left))}` : '';
    const line = cut(`${before}${label}${detail}`, width);
    return chosen ? theme.paint('selectionBg', pad(line, width)) : line;
  }

  function setOpen(node: TreeNode<T>, open: boolean, all = false): boolean {
    if ((node.children?.length ?? 0) === 0 || walk.query !== '') return false;
    const changed = all ? [...withChildren([node])] : [node];
    const next = new Set(closed);
    for (const { value } of changed) {
      if (open) next.delete(value);
      else next.add(value);
    }
    closed = next;
    return rebuild();
  }

  function act(action: string): boolean {
    const { at } = walk;
    const row = rows[at];
    switch (action) {
      case 'tui.tree.expand':
        if (!row) return false;
        return (
          (closed.has(row.node.value) && setOpen(row.node, true)) || (rows[at + 1]?.parent === row && choose(at + 1))
        );
      case 'tui.tree.collapse':
        if (!row) return false;
        if (!closed.has(row.node.value) && setOpen(row.node, false)) return true;
        return row.parent !== undefined && choose(rows.indexOf(row.parent));
      case 'tui.tree.toggle':
        return row !== undefined && setOpen(row.node, closed.has(row.node.value));
      case 'tui.tree.expandAll':
        return row !== undefined && setOpen(row.node, true, true);
      case 'tui.tree.collapseAll':
        return row !== undefined && setOpen(row.node, false, true);
      case 'tui.list.select':
        if (row) options.onSelect?.(row.node.value);
        return row !== undefined;
      default:
        return false;
    }
  }

  return {
    render: walk.render,
    handleInput: walk.handleInput,
    get focused() {
      return walk.focused;
    },
    set focused(value) {
      walk.focused = value;
    },
    get current() {
      return rows[walk.at]?.node.value;
    },
    setRoots(next) {
      roots = next;
      rebuild();
    },
    select(value) {
      choose(rowOf(value));
    },
  };
}

function closedBut<T>(roots: readonly TreeNode<T>[], open: ReadonlySet<T>): T[] {
  const closed: T[] = [];
  for (const { value, children } of withChildren(roots)) if (children?.length && !open.has(value)) closed.push(value);
  return closed;
}

function* withChildren<T>(nodes: readonly TreeNode<T>[]): Iterable<TreeNode<T>> {
  const waiting = [...nodes];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    for (const child of node.children ?? []) waiting.push(child);
  }
}
