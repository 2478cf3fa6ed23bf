import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { kindFor, themeNameFor } from '../../src/theme/auto.ts';
import { colourDepth } from '../../src/theme/depth.ts';
import { parseTheme } from '../../src/theme/file.ts';
import { loadThemes, openTheme } from '../../src/theme/load.ts';
import { rolesTable, themeSchema } from '../../src/theme/schema.ts';
import { problemText } from '../../src/theme/source.ts';
import { type ThemeChange, watchTheme } from '../../src/theme/watch.ts';

const folders: string[] = [];
const repository = join(import.meta.dirname, '../../../..');

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(files: Record<string, string> = {}): string {
  const made = mkdtempSync(join(tmpdir(), 'tau-themes-'));
  folders.push(made);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
  return made;
}

test('a theme file says only what it changes; the rest comes from what it extends', async () => {
  const themes = folder({
    'mine.json': `{
      // my own
      "$schema": "x", "extends": "dark",
      "vars": { "accent": "#f00" },
      "colours": { "muted": 245, "error": { "fg": "red", "bold": true, "bg": "accent" }, },
    }`,
    'light.jsonc': '{ "name": "light", "extends": "light", "colors": { "muted": "#123456" } }',
    'notes.txt': 'no theme',
  });
  const { sources, problems } = await loadThemes([join(themes, 'missing'), themes]);
  expect(problems).toEqual([]);
  const { theme, problems: none } = openTheme('mine', { depth: 'truecolour', sources });
  expect(none).toEqual([]);
  expect(theme).toMatchObject({ name: 'mine', kind: 'dark' });
  expect(theme.paint('accent', 'x')).toBe('\x1b[38;2;255;0;0mx\x1b[39m');
  expect(theme.paint('muted', 'x')).toBe('\x1b[38;5;245mx\x1b[39m');
  expect(theme.paint('error', 'x')).toBe('\x1b[1;31;48;2;255;0;0mx\x1b[22;39;49m');
  // What nobody names falls back from role to role: placeholder to muted.
  expect(theme.paint('placeholder', 'x')).toBe(theme.paint('muted', 'x'));
  // A file may stand in front of a built-in theme and extend it.
  const light = openTheme('light', { depth: 'truecolour', sources });
  expect(light.problems).toEqual([]);
  expect(light.theme).toMatchObject({ kind: 'light' });
  expect(light.theme.paint('muted', 'x')).toContain('18;52;86');
});

test.each([
  ['{ "colours": { "acent": "#fff" } }', '1:16: There is no role "acent"; did you mean "accent"?'],
  ['{\n  "colours": {\n    "accent": "#ggg"\n  }\n}', '3:15: "#ggg" is no colour'],
  ['{ "colours": { "accent": { "fg": "blu" } } }', '1:34: "blu" is no colour'],
  ['{ "colours": { "accent": { "fgg": "blue" } } }', '1:28: A style has no "fgg"; did you mean "fg"?'],
  ['{ "colours": { "accent": { "bold": "yes" } } }', '1:36: "bold" is true or false'],
  ['{ "colours": { "accent": true } }', '1:26: A colour is a text'],
  ['{ "colours": { "accent": 256 } }', '1:26: "256" is no colour'],
  ['{ "colours": [] }', '1:14: "colours" is an object'],
  ['{ "kind": "grey" }', '1:11: "kind" is "dark" or "light"'],
  ['{ "name": 5 }', '1:11: "name" is a text'],
  ['{ "colour": {} }', '1:3: A theme has no "colour"; did you mean "colours"?'],
  ['{ "vars": { "a": "b", "b": "a" }, "colours": { "accent": "a" } }', 'in a circle: a → b → a'],
  ['{ "vars": { "a": "#xyz" }, "colours": { "accent": "a", "muted": "a" } }', '1:18: "#xyz" is no colour'],
  ['{ "extends": "drak" }', '1:14: There is no theme "drak" to extend'],
  ['{ "name": "me", "extends": "other" }', 'extend each other in a circle: me → other → me'],
  ['{ "colours": { "accent": "#fff" ', '1:33: This is not valid JSON: CloseBraceExpected'],
  ['[]', '1:1: A theme is an object'],
])('what is wrong is told with its place: %s', async (text, told) => {
  const { source, problems } = await parseTheme(text, 'me.json');
  const other = { name: 'other', extends: 'me' };
  const opened = source ? openTheme(source.name, { depth: '256', sources: [other, source] }) : { problems: [] };
  const all = [...problems, ...opened.problems].map(problemText);
  expect(all).toHaveLength(1);
  expect(all[0]).toContain(told);
  expect(all[0]).toMatch(/^me\.json:\d+:\d+: /);
});

test('a theme that is not there gives one that suits the terminal, and is told of', () => {
  const opened = openTheme('drak', { depth: '256', ground: { background: '#fafafa' } });
  expect(opened.theme.name).toBe('light');
  expect(opened.problems.map(problemText)).toEqual(['There is no theme "drak". Did you mean "dark"?']);
});

test('auto follows the background the terminal told, else COLORFGBG, else it is dark', () => {
  expect(kindFor({ background: '#282c34' })).toBe('dark');
  expect(kindFor({ background: '#fdf6e3', colourFgBg: '15;0' })).toBe('light');
  expect(kindFor({ colourFgBg: '0;15' })).toBe('light');
  expect(kindFor({ colourFgBg: '0;default;7' })).toBe('light');
  expect(kindFor({ colourFgBg: '15;0' })).toBe('dark');
  expect(kindFor({ colourFgBg: '15;8' })).toBe('dark');
  expect(kindFor({ colourFgBg: 'default;default' })).toBe('dark');
  expect(kindFor({})).toBe('dark');
  expect(themeNameFor('auto', { background: '#fff' })).toBe('light');
  expect(themeNameFor('auto-high-contrast', {})).toBe('dark-high-contrast');
  expect(themeNameFor('mine', { background: '#fff' })).toBe('mine');
});

test.each([
  [{ TERM: 'xterm-256color' }, true, '256'],
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, true, 'truecolour'],
  [{ TERM: 'xterm' }, true, '16'],
  [{ TERM: 'linux' }, true, '16'],
  [{ TERM: 'xterm-kitty' }, true, 'truecolour'],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, true, 'truecolour'],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' }, true, '256'],
  [{ TERM: 'tmux-256color', TERM_PROGRAM: 'vscode' }, true, '256'],
  [{ TERM: 'tmux-256color', COLORTERM: 'truecolor' }, true, 'truecolour'],
  [{ TERM: 'dumb', COLORTERM: 'truecolor' }, true, 'none'],
  [{}, true, 'none'],
  [{ TERM: 'xterm-256color' }, false, 'none'],
  [{ TERM: 'xterm-256color', NO_COLOR: '1' }, true, 'none'],
  [{ TERM: 'xterm-256color', NO_COLOR: '' }, true, '256'],
  [{ TERM: 'xterm-256color', NO_COLOR: '1', FORCE_COLOR: '1' }, true, '16'],
  [{ TERM: 'xterm-256color', FORCE_COLOR: '3' }, false, 'truecolour'],
  [{ TERM: 'xterm-256color', FORCE_COLOR: '0' }, true, 'none'],
  [{ TERM: 'dumb', FORCE_COLOR: '' }, false, '16'],
  [{ TERM: 'xterm-256color', FORCE_COLOR: 'nonsense' }, true, '256'],
] as const)('the environment %j with a terminal %s gives %s colours', (environment, isTerminal, depth) => {
  expect(colourDepth(environment, isTerminal)).toBe(depth);
});

test('a change of the file gives a new theme, a broken file says what is wrong, a mended one is taken', async () => {
  const home = folder({ 'mine.json': '{ "extends": "dark" }' });
  const file = join(home, 'mine.json');
  const changes: ThemeChange[] = [];
  let arrived = () => {};
  const watching = watchTheme(file, { depth: 'truecolour' }, (change) => {
    changes.push(change);
    arrived();
  });
  const next = async (write: () => void) => {
    const come = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    write();
    await come;
    return changes.at(-1);
  };
  const accent = (colour: string) => `{ "extends": "dark", "colours": { "accent": "${colour}" } }`;
  const first = await next(() => writeFileSync(file, accent('#010203')));
  expect(first?.problems).toEqual([]);
  expect(first?.theme?.paint('accent', 'x')).toContain('38;2;1;2;3');
  const broken = await next(() => writeFileSync(file, '{ "extends": '));
  expect(broken?.theme).toBeUndefined();
  expect(broken?.problems.map(problemText)[0]).toContain('mine.json:1:');
  // As editors do it: a new file is put in the place of the old one.
  const mended = await next(() => {
    writeFileSync(`${file}.tmp`, accent('#040506'));
    renameSync(`${file}.tmp`, file);
  });
  expect(mended?.theme?.paint('accent', 'x')).toContain('38;2;4;5;6');
  const gone = await next(() => rmSync(file));
  expect(gone?.theme).toBeUndefined();
  expect(gone?.problems.map(problemText)[0]).toContain('cannot be read');
  watching.close();
});

test('a folder that cannot be watched is told of', async () => {
  const change = await new Promise<ThemeChange>((resolve) => {
    watchTheme(join(folder(), 'missing', 'mine.json'), { depth: '256' }, resolve);
  });
  expect(change.theme).toBeUndefined();
  expect(change.problems[0]?.message).toContain('are not noticed');
});

test('a file that is no theme, or too long for one, is a problem and no more', async () => {
  const home = folder({ 'long.json': `{ "name": "${'x'.repeat(300_000)}" }` });
  mkdirSync(join(home, 'folder.json'));
  const { sources, problems } = await loadThemes([home]);
  expect(sources.filter(({ file }) => file !== undefined)).toEqual([]);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('cannot be read'),
    expect.stringContaining('too long'),
  ]);
});

test('the schema and the page in docs are made from the roles (node scripts/theme-schema.mjs)', () => {
  const schema: unknown = JSON.parse(readFileSync(join(repository, 'docs/theme-schema.json'), 'utf8'));
  expect(schema).toEqual(themeSchema());
  expect(readFileSync(join(repository, 'docs/themes.md'), 'utf8')).toContain(rolesTable());
});
