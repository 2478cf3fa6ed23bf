import { expect, test } from 'vitest';
import { readKeybindings } from '../../src/keys/file.ts';
import { createKeymap } from '../../src/keys/keymap.ts';

const actions = [
  { name: 'tui.list.down', keys: ['down', 'ctrl+n'], context: 'list', description: 'Move down' },
  { name: 'tui.list.up', keys: ['up', 'ctrl+p'], context: 'list', description: 'Move up' },
  { name: 'tui.list.cancel', keys: ['escape'], context: 'list', description: 'Close' },
  { name: 'app.palette', keys: ['ctrl+p'], context: 'global', description: 'Commands' },
  { name: 'app.kill', keys: ['ctrl+k'], context: 'global', description: 'Kill' },
];

async function keysAfter(file: string): Promise<Record<string, string>> {
  const { bindings } = await readKeybindings(file, { actions });
  const keymap = createKeymap({ actions, bindings });
  return Object.fromEntries(actions.map(({ name }) => [name, keymap.keysFor(name).join(', ')]));
}

async function problems(file: string, kitty = false): Promise<string[]> {
  const read = await readKeybindings(file, { actions, kitty });
  return read.problems.map(({ severity, line, column, message }) => `${line}:${column} ${severity}: ${message}`);
}

test('an empty file leaves the defaults', async () => {
  const defaults = Object.fromEntries(actions.map(({ name, keys }) => [name, keys.join(', ')]));
  for (const file of ['', '{}', '[]', ' // nothing yet\n{}']) {
    expect(await keysAfter(file)).toEqual(defaults);
    expect(await problems(file)).toEqual([]);
  }
});

test('an object gives actions other keys, several keys, or none', async () => {
  const file = '{ // mine\n "tui.list.down": "Control+J", "tui.list.up": ["k", "shift+ctrl+k",], "app.palette": null }';
  expect(await keysAfter(file)).toEqual({
    'tui.list.down': 'ctrl+j',
    'tui.list.up': 'k, ctrl+shift+k',
    'tui.list.cancel': 'escape',
    'app.palette': '',
    'app.kill': 'ctrl+k',
  });
});

test('a list adds keys, takes them from others and frees them', async () => {
  const file = `{ "bindings": [
    { "key": "ctrl+p", "action": "app.kill" },
    { "key": "ctrl+n", "action": null },
    { "key": "f5", "action": "app.palette", "context": "list" }
  ] }`;
  const keys = await keysAfter(file);
  expect(keys['app.kill']).toBe('ctrl+p, ctrl+k');
  expect(keys['app.palette']).toBe('f5');
  expect(keys['tui.list.down']).toBe('down');
  // In another context the key stays with who had it.
  expect(keys['tui.list.up']).toBe('up, ctrl+p');
  expect(await keysAfter('[{ "key": "f5", "action": "app.kill" }]')).toMatchObject({ 'app.kill': 'f5, ctrl+k' });
});

test('a chord takes the key it begins with from a default', async () => {
  const keys = await keysAfter('{ "app.palette": "ctrl+k ctrl+p" }');
  expect(keys).toMatchObject({ 'app.palette': 'ctrl+k ctrl+p', 'app.kill': '' });
});

test('a preset lies under the own keys', async () => {
  expect(await keysAfter('{ "preset": "vim" }')).toMatchObject({ 'tui.list.down': 'down, j, ctrl+n, ctrl+j' });
  expect(await keysAfter('{ "tui.list.down": "x", "preset": "vim" }')).toMatchObject({ 'tui.list.down': 'x' });
  const own = { mine: { 'app.kill': ['f9'] } };
  const read = await readKeybindings('{ "preset": "mine" }', { actions, presets: own });
  expect(read).toMatchObject({ preset: 'mine', problems: [] });
  expect(createKeymap({ actions, bindings: read.bindings }).keysFor('app.kill')).toEqual(['f9']);
});

test('mistakes are told with their place and the nearest name, and the rest of the file counts', async () => {
  const file = `{
  "tui.list.dwon": "x",
  "tui.list.up": "crtl+pgup",
  "app.palette": ["ctrl+y", 7],
  "preset": "emcs",
  "bindings": [
    { "key": "f2" },
    { "key": "f3", "action": "app.kill", "context": "lits" },
    { "key": "entr", "action": "app.kill" },
    { "key": "a b c d e", "action": "app.kill" },
    { "key": "f4", "action": "app.kill", "wehn": 1 }
  ]
}`;
  expect(await problems(file)).toEqual([
    '2:3 error: There is no action "tui.list.dwon" (did you mean "tui.list.down"?).',
    '3:18 error: "crtl+pgup" is not a key (did you mean "ctrl+pageup"?). Write keys like ctrl+p, alt+enter or f1.',
    '4:29 error: 7 is not a key. Write keys like ctrl+p, alt+enter or f1.',
    '5:13 error: There is no preset "emcs" (did you mean "emacs"?). There are: default, emacs, vim.',
    '7:5 error: A binding needs "key" and "action".',
    '8:42 error: There is no context "lits" (did you mean "list"?). There are: list, global.',
    '9:14 error: "entr" is not a key (did you mean "enter"?). Write keys like ctrl+p, alt+enter or f1.',
    '10:14 error: "a b c d e" has 5 keys; a chord has at most 4.',
    '11:42 error: A binding has "key", "action" and "context"; "wehn" is none of them.',
  ]);
  expect(await keysAfter(file)).toMatchObject({
    'app.palette': 'ctrl+y',
    'tui.list.up': 'up, ctrl+p',
    'app.kill': 'f4, ctrl+k',
  });
});

test('two actions on one key in one context: the first keeps it, the second is told', async () => {
  const file = '{ "tui.list.down": "x",\n  "tui.list.up": "x y",\n  "app.kill": "x" }';
  expect(await problems(file)).toEqual([
    '2:3 error: x y already does tui.list.down in list, so it does not do tui.list.up.',
  ]);
});

test('a key that older terminals cannot send is noted, unless the terminal can', async () => {
  const file = '{ "app.palette": "ctrl+shift+p" }';
  expect(await problems(file)).toEqual([
    '1:18 note: Ctrl+Shift+P: most terminals do not tell Shift apart when Ctrl is held, unless they speak the Kitty keyboard protocol.',
  ]);
  expect(await problems(file, true)).toEqual([]);
  expect(await keysAfter(file)).toMatchObject({ 'app.palette': 'ctrl+shift+p' });
});

test('a file that is no JSON leaves the defaults and says where', async () => {
  expect(await problems('{\n  "app.kill": ctrl+k\n}')).toEqual([
    '2:15 error: This is not valid JSON (InvalidSymbol). The default keys are in force until it is mended.',
  ]);
  expect(await keysAfter('{\n  "app.kill": ctrl+k\n}')).toMatchObject({ 'app.kill': 'ctrl+k' });
  expect(await problems('7')).toEqual(['1:1 error: Expected an object of actions or a list of { "key", "action" }.']);
  expect(await problems(`"${'x'.repeat(1024 * 1024)}"`)).toHaveLength(1);
});
