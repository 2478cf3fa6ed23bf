import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf } from '../../src/text/cells.ts';
import { builtinThemes } from '../../src/theme/builtin.ts';
import { openTheme } from '../../src/theme/load.ts';
import { createTheme } from '../../src/theme/paint.ts';
import { type Role, roles } from '../../src/theme/roles.ts';

const red = { kind: 'index', index: 1 } as const;
const blue = { kind: 'index', index: 4 } as const;
const paint = createTheme(
  {
    name: 'test',
    kind: 'dark',
    styles: new Map<Role, object>([
      ['error', { fg: red, bold: true }],
      ['info', { fg: blue, underline: true }],
      ['muted', { dim: true }],
      ['errorBg', { bg: red }],
    ]),
  },
  '16',
).paint;

test('a role opens what it has and closes exactly that', () => {
  expect(paint('error', 'x')).toBe('\x1b[1;31mx\x1b[22;39m');
  expect(paint('muted', 'x')).toBe('\x1b[2mx\x1b[22m');
  expect(paint('text', 'x')).toBe('x');
  expect(paint('error', '')).toBe('');
});

test('what is around goes on behind what is inside', () => {
  expect(paint('error', `a${paint('info', 'b')}c`)).toBe('\x1b[1;31ma\x1b[4;34mb\x1b[24;39;31mc\x1b[22;39m');
  expect(paint('error', `a${paint('muted', 'b')}c`)).toBe('\x1b[1;31ma\x1b[2mb\x1b[22;1mc\x1b[22;39m');
  expect(paint('errorBg', 'a\x1b[0;32mb\x1b[mc')).toBe('\x1b[41ma\x1b[0;41;32mb\x1b[0;41mc\x1b[49m');
  expect(paint('errorBg', 'a\x1b[38;5;49mb')).toBe('\x1b[41ma\x1b[38;5;49mb\x1b[49m');
});

test('nested to any depth, each letter looks like the roles around it, the inner before the outer', () => {
  const { theme } = openTheme('dark', { depth: 'truecolour' });
  const part = fc.oneof(fc.constant('x'), fc.constant('yy'));
  const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      part,
      fc.record({ role: fc.constantFrom(...roles), inside: fc.array(tie('tree'), { maxLength: 3 }) }),
    ),
  })).tree;
  const open = new Map(roles.map((role) => [role, cellsOf(theme.paint(role, 'x'))[0]?.style.slots ?? {}]));
  fc.assert(
    fc.property(tree, (made) => {
      const painted = cellsOf(drawn(made, theme.paint));
      const wanted = expected(made, {}, open);
      expect(painted.map((cell) => cell.style.slots)).toEqual(wanted);
    }),
    { seed: 16, numRuns: 300 },
  );
});

test('without colours nothing but the text is written', () => {
  const { theme } = openTheme('dark', { depth: 'none' });
  for (const role of roles) expect(theme.paint(role, 'x')).toBe('x');
});

const shapes = [
  ['16', /^(?:[39]\d|[4]\d|10\d)$/],
  ['256', /^(?:[39]\d|[34]8;5;\d{2,3})$/],
  ['truecolour', /^(?:[39]\d|[34]8;2;\d+;\d+;\d+)$/],
] as const;

test.each(shapes)('with %s colours every built-in role is written as the terminal understands it', (depth, shape) => {
  for (const { name } of builtinThemes) {
    const { theme } = openTheme(name, { depth });
    for (const role of roles) {
      const [painted, after] = cellsOf(`${theme.paint(role, 'x')}y`);
      for (const colour of [painted?.style.slots.fg, painted?.style.slots.bg])
        if (colour) expect(colour).toMatch(shape);
      expect(after?.style.slots).toEqual({});
    }
  }
});

test('with sixteen colours a faint ground is left out, and what is chosen still stands out', () => {
  const { theme } = openTheme('dark', { depth: '16' });
  expect(theme.paint('toolPendingBg', 'x')).toBe('x');
  const [chosen] = cellsOf(theme.paint('selection', 'x'));
  expect(chosen?.style.slots.inverse ?? chosen?.style.slots.bg).toBeDefined();
});

type Tree = string | { role: Role; inside: Tree[] };
type Slots = Readonly<Record<string, string>>;

function drawn(tree: Tree, paintRole: (role: Role, text: string) => string): string {
  if (typeof tree === 'string') return tree;
  return paintRole(tree.role, tree.inside.map((inner) => drawn(inner, paintRole)).join(''));
}

function expected(tree: Tree, around: Slots, open: ReadonlyMap<Role, Slots>): Slots[] {
  if (typeof tree === 'string') return [...tree].map(() => around);
  const here = { ...around, ...open.get(tree.role) };
  return tree.inside.flatMap((inner) => expected(inner, here, open));
}
