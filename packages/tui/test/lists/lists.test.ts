import { describe, expect, test } from 'vitest';
import { createText } from '../../src/boxes/text.ts';
import { createSelectList } from '../../src/lists/select-list.ts';
import { createSettingsList, type Setting } from '../../src/lists/settings-list.ts';
import { createTable } from '../../src/lists/table.ts';
import { createTabs } from '../../src/lists/tabs.ts';
import { createTree, type TreeNode } from '../../src/lists/tree.ts';
import { colours, hostile, linesAt, plain, screens } from '../lines.ts';
import { bytes, defaultKeys, press } from '../press.ts';

const everyWidth = [1, 2, 3, 5, 9, 40];
const trimmed = (lines: readonly string[]) => lines.map((line) => line.trimEnd());

describe('a settings list', () => {
  const keys = defaultKeys();
  const settings: Setting[] = [
    {
      id: 'theme',
      label: 'Theme',
      value: 'dark',
      values: ['dark', 'light'],
      description: 'The colours of the screen.',
    },
    {
      id: 'model',
      label: 'Model',
      value: 'small',
      submenu: (value, done) =>
        createSelectList({
          theme: plain,
          keys,
          items: ['small', 'large'].map((size) => ({ value: size, label: size })),
          selected: value,
          onSelect: ([chosen]) => done(chosen),
          onCancel: () => done(),
        }),
    },
    { id: 'sound', label: 'Sound', value: 'odd', values: ['on', 'off'] },
    { id: 'fixed', label: 'Version', value: '1.0' },
  ];

  function listOf(filter = false) {
    const said: string[] = [];
    const list = createSettingsList({
      theme: plain,
      keys,
      settings,
      filter,
      onChange: (id, value) => said.push(`${id}=${value}`),
      onCancel: () => said.push('cancelled'),
    });
    return { list, said };
  }

  test('shows values and what the chosen setting is about', () => {
    expect(trimmed(linesAt(listOf().list, 40))).toEqual([
      '› Theme    dark',
      '  Model    small ▸',
      '  Sound    odd',
      '  Version  1.0',
      '',
      'The colours of the screen.',
    ]);
  });

  test('shows groups under headings, passes over them, and has none of them while something is searched for', () => {
    const grouped = settings.map((setting, at) => ({ ...setting, group: at < 2 ? 'looks' : 'other' }));
    const list = createSettingsList({ theme: plain, keys, settings: grouped, filter: true });
    expect(trimmed(linesAt(list, 40)).slice(1, 7)).toEqual([
      'looks',
      '› Theme    dark',
      '  Model    small ▸',
      'other',
      '  Sound    odd',
      '  Version  1.0',
    ]);
    press(list, bytes.down, bytes.down);
    expect(list.current).toBe('sound');
    press(list, bytes.up, bytes.up, bytes.up);
    expect(list.current).toBe('fixed');
    press(list, 'o');
    expect(linesAt(list, 40)).not.toContain('other');
  });

  test('goes through values in both directions, from one that is not among them too', () => {
    const { list, said } = listOf();
    press(list, ' ', bytes.enter, bytes.left, bytes.down, bytes.down, bytes.right, bytes.left);
    expect(said).toEqual(['theme=light', 'theme=dark', 'theme=light', 'sound=on', 'sound=off']);
    expect(press(list, bytes.down, bytes.right, bytes.enter)).toEqual([true, false, false]);
  });

  test('opens a list of its own for a setting, and takes what was chosen', () => {
    const { list, said } = listOf();
    press(list, bytes.down, bytes.enter);
    expect(trimmed(linesAt(list, 40))).toEqual(['› small', '  large']);
    press(list, bytes.escape);
    expect(list.current).toBe('model');
    expect(said).toEqual([]);
    press(list, bytes.enter, bytes.down, bytes.enter);
    expect(said).toEqual(['model=large']);
    expect(trimmed(linesAt(list, 40))[1]).toBe('› Model    large ▸');
    press(list, bytes.escape);
    expect(said.at(-1)).toBe('cancelled');
  });

  test('finds settings by name or description', () => {
    const { list } = listOf(true);
    press(list, 'c', 'o', 'l', 'o', 'u');
    expect(trimmed(linesAt(list, 40))[1]).toBe('› Theme    dark');
    press(list, bytes.ctrl('u'), 's', 'o', 'u', 'n', 'x');
    expect(trimmed(linesAt(list, 40))).toEqual(['/ sounx', 'Nothing matches "sounx"']);
  });

  test('holds hostile text at every width', () => {
    const hard = hostile.map((text, index) => ({ id: `${index}`, label: text, value: text, description: text }));
    const list = createSettingsList({ theme: colours, keys, settings: hard, filter: true });
    for (const width of everyWidth) linesAt(list, width);
    expect(screens(createSettingsList({ theme: plain, keys, settings: hard }))).toMatchSnapshot();
  });
});

describe('a tree', () => {
  const roots: TreeNode<string>[] = [
    {
      value: 'src',
      label: 'src',
      children: [
        { value: 'a', label: 'alpha.ts', detail: '2 KB' },
        {
          value: 'lib',
          label: 'lib',
          children: [
            { value: 'b', label: 'beta.ts' },
            { value: 'c', label: 'gamma.ts' },
          ],
        },
      ],
    },
    { value: 'readme', label: 'README' },
  ];

  function treeOf(extra: Partial<Parameters<typeof createTree<string>>[0]> = {}) {
    const said: string[] = [];
    const tree = createTree<string>({
      theme: plain,
      keys: defaultKeys(),
      roots,
      onSelect: (value) => said.push(`chose ${value}`),
      onCancel: () => said.push('cancelled'),
      ...extra,
    });
    return { tree, said };
  }

  test('is drawn with the lines that lead to each row', () => {
    expect(trimmed(linesAt(treeOf().tree, 40))).toEqual([
      '› ▾ src',
      '  ├─ alpha.ts 2 KB',
      '  └─ ▾ lib',
      '     ├─ beta.ts',
      '     └─ gamma.ts',
      '  README',
    ]);
  });

  test('closes and opens, and stays at what is still seen', () => {
    const { tree, said } = treeOf({ selected: 'c' });
    press(tree, bytes.left);
    expect(tree.current).toBe('lib');
    press(tree, bytes.left);
    expect(trimmed(linesAt(tree, 40))[2]).toBe('› └─ ▸ lib');
    press(tree, bytes.right, bytes.right, bytes.right);
    expect(tree.current).toBe('b');
    press(tree, bytes.home, ' ');
    expect(trimmed(linesAt(tree, 40))).toEqual(['› ▸ src', '  README']);
    press(tree, ' ', bytes.end, bytes.up, bytes.enter, bytes.escape);
    expect(said).toEqual(['chose c', 'cancelled']);
  });

  test('a closed branch takes the choice up to it', () => {
    const { tree } = treeOf({ selected: 'b' });
    press(tree, bytes.up, bytes.up, bytes.up, '\u001b[1;5D');
    expect(trimmed(linesAt(tree, 40))).toEqual(['› ▸ src', '  README']);
    press(tree, bytes.right);
    expect(trimmed(linesAt(tree, 40))).toEqual(['› ▾ src', '  ├─ alpha.ts 2 KB', '  └─ ▸ lib', '  README']);
    press(tree, '\u001b[1;5C');
    expect(linesAt(tree, 40)).toHaveLength(6);
    expect(treeOf({ expanded: ['src'] }).tree.render(40)).toHaveLength(4);
  });

  test('a filter keeps what is above a match', () => {
    const { tree } = treeOf({ filter: true });
    press(tree, 'b', 'e', 't');
    expect(trimmed(linesAt(tree, 40))).toEqual(['/ bet', '  ▾ src', '  └─ ▾ lib', '›    └─ beta.ts']);
    press(tree, bytes.ctrl('u'));
    expect(tree.current).toBe('b');
    expect(linesAt(tree, 40)).toHaveLength(7);
    press(tree, 'q', 'q');
    expect(trimmed(linesAt(tree, 40))).toEqual(['/ qq', 'Nothing matches "qq"']);
  });

  test('an only child does not move in when the tree is flat, so a long chain stays readable', () => {
    const chain: TreeNode<string> = {
      value: '1',
      label: 'one',
      children: [
        {
          value: '2',
          label: 'two',
          children: [
            { value: '3', label: 'left' },
            { value: '4', label: 'right', children: [{ value: '5', label: 'next' }] },
          ],
        },
      ],
    };
    expect(trimmed(linesAt(treeOf({ roots: [chain], flat: true }).tree, 30))).toEqual([
      '› ▾ one',
      '  ▾ two',
      '  ├─ left',
      '  └─ ▾ right',
      '     next',
    ]);
  });

  test('may be as deep as it is long', () => {
    let node: TreeNode<string> = { value: 'end', label: 'end' };
    for (let depth = 20_000; depth > 0; depth -= 1)
      node = { value: `${depth}`, label: `level ${depth}`, children: [node] };
    const { tree } = treeOf({ roots: [node] });
    press(tree, bytes.end);
    const lines = linesAt(tree, 40);
    expect(lines.at(-2)).toMatch(/^› … .*└─ end/);
    press(tree, bytes.left, bytes.left);
    expect(tree.current).toBe('20000');
  });

  test('holds hostile text at every width', () => {
    const leaf = (prefix: string) =>
      hostile.map((text, index) => ({ value: `${prefix}${index}`, label: text, detail: text }));
    const hard = hostile
      .slice(0, 3)
      .map((text, index) => ({ value: `r${index}`, label: text, children: leaf(`${index}`) }));
    for (const width of everyWidth) linesAt(treeOf({ roots: hard, theme: colours, filter: true }).tree, width);
    expect(screens(treeOf({ roots: hard, height: 8 }).tree)).toMatchSnapshot();
  });
});

describe('a table', () => {
  const columns = [
    { title: 'Name', priority: 2 },
    { title: 'Size', align: 'right' as const, priority: 1, min: 4 },
    { title: 'About', wrap: true, min: 10 },
  ];
  const rows = [
    ['alpha', '12', 'the first letter of them all'],
    ['beta', '3000', 'the second'],
  ];

  test('aligns its columns', () => {
    expect(trimmed(linesAt(createTable({ theme: plain, columns, rows }), 60))).toEqual([
      'Name   Size  About',
      'alpha    12  the first letter of them all',
      'beta   3000  the second',
    ]);
  });

  test('wraps or cuts what shrinks, the least important first', () => {
    expect(trimmed(linesAt(createTable({ theme: plain, columns, rows }), 25))).toEqual([
      'Name   Size  About',
      'alpha    12  the first',
      '             letter of',
      '             them all',
      'beta   3000  the second',
    ]);
  });

  test('says which columns there is no room for', () => {
    expect(trimmed(linesAt(createTable({ theme: plain, columns, rows }), 20))).toEqual([
      'Name   Size',
      'alpha    12',
      'beta   3000',
      'No room for: About',
    ]);
    expect(trimmed(linesAt(createTable({ theme: plain, columns, rows }), 3))[0]).toBe('Na…');
  });

  test('without rows says so, and takes others', () => {
    const table = createTable({ theme: plain, columns, rows: [] });
    expect(linesAt(table, 40).at(-1)).toBe('No rows');
    table.setRows([['x']]);
    expect(trimmed(linesAt(table, 40))[1]).toBe('x');
  });

  test('holds hostile text at every width', () => {
    const hard = hostile.map((text) => [text, text, text]);
    const named = hostile.map((text, index) => [`row ${index}`, text, text]);
    for (const width of everyWidth) linesAt(createTable({ theme: colours, columns, rows: hard }), width);
    expect(screens(createTable({ theme: plain, columns, rows: named.slice(0, 6) }))).toMatchSnapshot();
  });
});

describe('tabs', () => {
  const tabsOf = (titles: readonly string[], theme = plain) =>
    createTabs({
      theme,
      keys: defaultKeys(),
      tabs: titles.map((title) => ({ title, child: createText({ theme, text: `page ${title}` }) })),
    });

  test('show one page, and go around', () => {
    const tabs = tabsOf(['One', 'Two', 'Three']);
    expect(linesAt(tabs, 30)).toEqual(['[One] Two  Three ', '─'.repeat(30), 'page One']);
    press(tabs, bytes.tab, bytes.right);
    expect(linesAt(tabs, 30)).toEqual([' One  Two [Three]', '─'.repeat(30), 'page Three']);
    press(tabs, bytes.tab);
    expect(tabs.selected).toBe(0);
    press(tabs, bytes.shiftTab);
    expect(tabs.selected).toBe(2);
  });

  test('show the titles around the chosen one where not all have room', () => {
    const tabs = tabsOf(['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon']);
    tabs.select(2);
    expect(linesAt(tabs, 20)[0]).toBe('‹[Gamma] Delta ›');
  });

  test('the page has the keys first, and the focus', () => {
    const list = createSelectList({
      theme: plain,
      keys: defaultKeys(),
      items: [{ value: 1, label: 'x' }],
      filter: true,
    });
    const tabs = createTabs({
      theme: plain,
      keys: defaultKeys(),
      tabs: [
        { title: 'List', child: list },
        { title: 'Text', child: createText({ theme: plain, text: 't' }) },
      ],
    });
    tabs.focused = true;
    expect(list.focused).toBe(true);
    press(tabs, 'x', bytes.right);
    expect(list.query).toBe('x');
    expect([tabs.selected, list.focused]).toEqual([1, false]);
  });

  test('hold hostile text at every width', () => {
    const tabs = tabsOf(hostile, colours);
    for (let index = 0; index < hostile.length; index += 1) {
      for (const width of everyWidth) linesAt(tabs, width);
      press(tabs, bytes.tab);
    }
  });
});
