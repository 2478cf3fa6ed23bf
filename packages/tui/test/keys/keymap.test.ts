import { describe, expect, test } from 'vitest';
import type { InputEvent } from '../../src/input/event.ts';
import { defaultActions } from '../../src/keys/defaults.ts';
import { helpRows } from '../../src/keys/help.ts';
import { bindingsOf, createKeymap } from '../../src/keys/keymap.ts';
import { needsKitty } from '../../src/keys/legacy.ts';
import { normalChord } from '../../src/keys/name.ts';
import { toolkitPresets } from '../../src/keys/presets.ts';

const press = (key: string): InputEvent => ({ type: 'key', key, kind: 'press' });

const actions = [
  { name: 'list.down', keys: ['down', 'j'], context: 'list', description: 'Move down' },
  { name: 'app.jump', keys: ['j'], context: 'global', description: 'Jump' },
  { name: 'app.save', keys: ['ctrl+x ctrl+s'], context: 'global', description: 'Save' },
  { name: 'app.tree', keys: ['ctrl+x t'], context: 'global', description: 'Tree' },
  { name: 'app.none', keys: [], context: 'global', description: 'Nothing yet' },
];

describe('a keymap', () => {
  test('asks contexts from the inner to the outer', () => {
    const keymap = createKeymap({ actions });
    expect(keymap.match(press('j'), ['list', 'global'])).toEqual({ action: 'list.down' });
    expect(keymap.match(press('j'), ['global', 'list'])).toEqual({ action: 'app.jump' });
    expect(keymap.match(press('j'), 'editor')).toBeUndefined();
    expect(keymap.match(press('x'), ['list', 'global'])).toBeUndefined();
  });

  test('counts presses and repeats, not releases, pastes or focus', () => {
    const keymap = createKeymap({ actions });
    expect(keymap.match({ type: 'key', key: 'j', kind: 'repeat' }, 'list')).toEqual({ action: 'list.down' });
    expect(keymap.match({ type: 'key', key: 'j', kind: 'release' }, 'list')).toBeUndefined();
    expect(keymap.match({ type: 'paste', text: 'j' }, 'list')).toBeUndefined();
  });

  test('waits for the rest of a chord', () => {
    const keymap = createKeymap({ actions });
    expect(keymap.match(press('ctrl+x'), ['list', 'global'])).toBe('pending');
    expect(keymap.pending).toEqual(['ctrl+x']);
    expect(keymap.match(press('ctrl+s'), ['list', 'global'])).toEqual({ action: 'app.save' });
    expect(keymap.pending).toEqual([]);
    expect(keymap.match(press('ctrl+s'), ['list', 'global'])).toBeUndefined();
  });

  test('a key that breaks a chord off does nothing, and the next one counts again', () => {
    const keymap = createKeymap({ actions });
    keymap.match(press('ctrl+x'), 'global');
    expect(keymap.match(press('j'), 'global')).toBe('pending');
    expect(keymap.pending).toEqual([]);
    expect(keymap.match(press('j'), 'global')).toEqual({ action: 'app.jump' });
  });

  test('a chord is forgotten after a while', () => {
    let time = 0;
    const keymap = createKeymap({ actions, chordMs: 1_000, now: () => time });
    keymap.match(press('ctrl+x'), 'global');
    time = 1_001;
    expect(keymap.pending).toEqual([]);
    expect(keymap.match(press('j'), 'global')).toEqual({ action: 'app.jump' });
  });

  test('whoever is asked about an event sees the chord as it was before it', () => {
    const both = [...actions, { name: 'list.pick', keys: ['ctrl+x p'], context: 'list', description: 'Pick' }];
    const keymap = createKeymap({ actions: both });
    const begin = press('ctrl+x');
    expect(keymap.match(begin, 'global')).toBe('pending');
    const outer = press('t');
    expect(keymap.match(outer, 'global')).toEqual({ action: 'app.tree' });
    expect(keymap.match(outer, 'global')).toEqual({ action: 'app.tree' });
    // The outer part is asked first, and passes on what an inner one goes on with.
    keymap.match(press('ctrl+x'), 'global');
    const inner = press('p');
    expect(keymap.match(inner, 'global')).toBeUndefined();
    expect(keymap.match(inner, 'list')).toEqual({ action: 'list.pick' });
    // A chord that only an inner one knows.
    const deep = createKeymap({ actions: both.filter(({ keys }) => keys[0] !== 'ctrl+x ctrl+s') });
    expect(deep.match(press('ctrl+x'), 'global')).toBe('pending');
    expect(deep.match(press('z'), 'global')).toBe('pending');
    expect(deep.match(press('z'), 'global')).toBeUndefined();
  });

  test('tells the keys of an action, and rows for a help screen', () => {
    const keymap = createKeymap({ actions });
    expect(keymap.keysFor('list.down')).toEqual(['down', 'j']);
    expect(helpRows(keymap, ['global']).map(({ keys, description }) => `${keys.join(', ')}: ${description}`)).toEqual([
      'j: Jump',
      'Ctrl+X Ctrl+S: Save',
      'Ctrl+X t: Tree',
      ': Nothing yet',
    ]);
    expect(helpRows(keymap)).toHaveLength(5);
  });
});

describe('the default keys', () => {
  const sets = Object.entries(toolkitPresets).map(([name, preset]) => ({
    name,
    actions: defaultActions.map((action) => ({ ...action, keys: preset[action.name] ?? action.keys })),
  }));

  test.each(sets)('of $name are all keys, and none is taken twice in a context', ({ actions }) => {
    const taken = new Map<string, string>();
    for (const { name, keys, context } of actions) {
      for (const key of keys) {
        const chord = normalChord(key);
        expect(chord?.join(' '), `${name}: ${key}`).toBe(key);
        expect(taken.get(`${context} ${key}`), `${key} in ${context}`).toBeUndefined();
        taken.set(`${context} ${key}`, name);
      }
    }
    for (const { keys, context } of bindingsOf(actions)) {
      for (let length = 1; length < keys.length; length += 1) {
        expect(taken.get(`${context} ${keys.slice(0, length).join(' ')}`)).toBeUndefined();
      }
    }
  });

  test('every action can be done on a terminal without the Kitty protocol', () => {
    for (const { name, keys } of defaultActions) {
      const possible = keys.some((key) => key.split(' ').every((part) => needsKitty(part) === undefined));
      expect(keys.length === 0 || possible, name).toBe(true);
    }
  });

  test('names are unique and presets name actions that there are', () => {
    const names = defaultActions.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const preset of Object.values(toolkitPresets))
      expect(names).toEqual(expect.arrayContaining(Object.keys(preset)));
  });
});
