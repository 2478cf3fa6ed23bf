import { describe, expect, test } from 'vitest';
import { cursorMarker } from '../../src/component.ts';
import { createSelectList, type SelectItem } from '../../src/lists/select-list.ts';
import { colours, hostile, linesAt, plain, screens, widths } from '../lines.ts';
import { bytes, defaultKeys, press } from '../press.ts';

const fruits: SelectItem<string>[] = [
  { value: 'apple', label: 'Apple', description: 'Keeps the doctor away' },
  { value: 'pear', label: 'Pear', description: 'Best in September' },
  { value: 'plum', label: 'Plum', disabled: 'Sold out' },
  { value: 'cherry', label: 'Cherry', description: 'Red' },
];

function listOf(extra: Partial<Parameters<typeof createSelectList<string>>[0]> = {}) {
  const said: string[] = [];
  const list = createSelectList<string>({
    theme: plain,
    keys: defaultKeys(),
    items: fruits,
    onSelect: (values) => said.push(`chose ${values.join(' ')}`),
    onCancel: () => said.push('cancelled'),
    onChange: (value) => said.push(`at ${value}`),
    ...extra,
  });
  return { list, said };
}

describe('a select list', () => {
  test('shows labels and descriptions in two columns, with the chosen row marked', () => {
    const { list } = listOf();
    expect(linesAt(list, 40).map((line) => line.trimEnd())).toEqual([
      '› Apple   Keeps the doctor away',
      '  Pear    Best in September',
      '  Plum    Sold out',
      '  Cherry  Red',
    ]);
  });

  test('moves over what cannot be chosen, around the ends, and tells', () => {
    const { list, said } = listOf();
    press(list, bytes.down, bytes.down, bytes.down, bytes.up, bytes.end, bytes.home, bytes.ctrl('n'), bytes.enter);
    expect(said).toEqual(['at pear', 'at cherry', 'at apple', 'at cherry', 'at apple', 'at pear', 'chose pear']);
    press(list, bytes.escape);
    expect(said.at(-1)).toBe('cancelled');
  });

  test('stays at the end when it does not go around', () => {
    const { list } = listOf({ around: false });
    press(list, bytes.up);
    expect(list.current).toBe('apple');
    press(list, bytes.end, bytes.down);
    expect(list.current).toBe('cherry');
  });

  test('leaves keys that it does not know to others', () => {
    const { list } = listOf();
    expect(press(list, 'x', bytes.tab, bytes.left, bytes.down)).toEqual([false, false, false, true]);
  });

  test('scrolls a window, says where it stands, and pages', () => {
    const items = Array.from({ length: 30 }, (_, index) => ({ value: `${index}`, label: `item ${index}` }));
    const { list } = listOf({ items, height: 5 });
    expect(linesAt(list, 30)).toHaveLength(6);
    press(list, bytes.pageDown, bytes.down);
    expect(list.current).toBe('6');
    const lines = linesAt(list, 30).map((line) => line.trimEnd());
    expect(lines).toEqual(['  item 2', '  item 3', '  item 4', '  item 5', '› item 6', '  7/30']);
    press(list, bytes.up, bytes.up);
    expect(linesAt(list, 30)[2]?.trimEnd()).toBe('› item 4');
    press(list, bytes.end);
    expect(list.current).toBe('29');
    press(list, bytes.pageUp);
    expect(list.current).toBe('24');
    press(list, bytes.down, bytes.pageDown, bytes.pageDown);
    expect(list.current).toBe('29');
  });

  test('filters by letters in order, the best first, with what was found in colour', () => {
    const { list } = listOf({
      filter: true,
      theme: { ...plain, paint: (role, text) => (role === 'match' ? `<${text}>` : text) },
    });
    list.focused = true;
    press(list, 'e', 'a');
    expect(list.query).toBe('ea');
    const lines = list.render(60);
    expect(lines[0]).toBe(`/ ea${cursorMarker}`);
    expect(lines[1]).toContain('› P<ea>r');
    expect(lines.join('\n')).toContain('  Apple   Keeps th<e> doctor <a>way');
    press(list, 'r');
    expect(list.current).toBe('pear');
    press(list, 'z');
    expect(list.render(60)[1]).toBe('Nothing matches "earz"');
    expect(list.current).toBeUndefined();
    press(list, bytes.backspace, bytes.ctrl('w'));
    expect(list.query).toBe('');
    expect(list.render(60)).toHaveLength(5);
  });

  test('takes pastes into the filter, bounded and without line breaks', () => {
    const { list } = listOf({ filter: true });
    press(list, `\u001b[200~pe\nar${'x'.repeat(500)}\u001b[201~`);
    expect(list.query).toHaveLength(200);
    expect(list.query.startsWith('pe arx')).toBe(true);
  });

  test('keeps groups together under headings', () => {
    const items = [
      { value: '1', label: 'alpha', group: 'Greek' },
      { value: '2', label: 'beta', group: 'Greek' },
      { value: '3', label: 'alef', group: 'Hebrew' },
      { value: '4', label: 'none' },
    ];
    const { list } = listOf({ items, filter: true });
    expect(
      linesAt(list, 30)
        .slice(1)
        .map((line) => line.trimEnd()),
    ).toEqual(['Greek', '› alpha', '  beta', 'Hebrew', '  alef', '  none']);
    press(list, 'a', 'l', 'e');
    expect(
      linesAt(list, 30)
        .slice(1)
        .map((line) => line.trimEnd()),
    ).toEqual(['Hebrew', '› alef']);
  });

  test('marks several, all or none, and gives them in the order of the list', () => {
    const { list, said } = listOf({ multiple: true });
    press(list, bytes.end, ' ', bytes.home, ' ', bytes.down, ' ', ' ');
    expect(linesAt(list, 40).map((line) => line.trimEnd().slice(0, 12))).toEqual([
      '  [x] Apple ',
      '› [ ] Pear  ',
      '  [ ] Plum  ',
      '  [x] Cherry',
    ]);
    press(list, bytes.enter);
    expect(said.at(-1)).toBe('chose apple cherry');
    press(list, bytes.ctrl('a'), bytes.enter, bytes.ctrl('a'), bytes.enter);
    expect(said.slice(-2)).toEqual(['chose apple pear cherry', 'chose pear']);
  });

  test('keeps the choice when the items change', () => {
    const { list } = listOf({ selected: 'pear' });
    expect(list.current).toBe('pear');
    list.setItems([{ value: 'fig', label: 'Fig' }, ...fruits]);
    expect(list.current).toBe('pear');
    list.setItems([{ value: 'fig', label: 'Fig' }]);
    expect(list.current).toBe('fig');
    const { list: filtered } = listOf({ filter: true });
    press(filtered, 'e', bytes.down);
    const chosen = filtered.current;
    filtered.setItems([{ value: 'eel', label: 'eeel' }, ...fruits]);
    expect(filtered.current).toBe(chosen);
    list.setItems([]);
    expect(list.current).toBeUndefined();
    expect(linesAt(list, 40)).toEqual(['Nothing to choose from']);
    expect(press(list, bytes.down, bytes.enter)).toEqual([true, true]);
  });

  test('draws only what is seen of a long list', () => {
    let drawn = 0;
    const paint = (_: string, text: string) => {
      drawn += 1;
      return text;
    };
    const items = Array.from({ length: 20_000 }, (_, index) => ({ value: `${index}`, label: `item ${index}` }));
    const { list } = listOf({ items, theme: { ...plain, paint } });
    list.render(40);
    press(list, bytes.end);
    list.render(40);
    expect(drawn).toBeLessThan(100);
  });

  test('holds hostile text at every width', () => {
    const items = hostile.map((text, index) => ({
      value: `${index}`,
      label: text,
      description: text,
      group: text.slice(0, 4),
    }));
    for (const width of [1, 2, 3, 5, 9, ...widths]) {
      const { list } = listOf({ items, theme: colours, filter: true, multiple: true });
      list.focused = true;
      linesAt(list, width);
      press(list, 'e');
      linesAt(list, width);
    }
    expect(screens(listOf({ items: items.map(({ group: _, ...item }) => item), height: 12 }).list)).toMatchSnapshot();
  });
});
