/** Completions: who is asked, what is offered, what becomes of the text. */
import { describe, expect, test } from 'vitest';
import { combinedProvider } from '../../src/editor/completion/combined.ts';
import { type CompletionProvider, type Completions, firstOf } from '../../src/editor/completion/provider.ts';
import { hostile, linesAt, widths } from '../lines.ts';
import { keys, stage } from './stage.ts';

const files = ['src/', 'src/index.ts', 'src/edit.ts', 'a file.md'];

function combined(listed: string[] = []): CompletionProvider {
  return combinedProvider({
    commands: () => [
      { name: 'help', description: 'What tau can do' },
      { name: 'model', description: 'Choose a model', complete: () => [{ value: 'fast' }, { value: 'slow' }] },
      { name: 'memory' },
    ],
    mentions: (query) => files.filter((file) => file.includes(query)),
    list: (folder) => {
      listed.push(folder);
      return [
        { name: 'docs', folder: true },
        { name: 'do it.txt', folder: false },
      ];
    },
  });
}

describe('commands', () => {
  test('are offered after a slash at the start, best match first, and enter sends one that takes no argument', () => {
    const { type, rows, sent } = stage({ provider: combined() });
    type('/');
    expect(rows()).toEqual(['/', '› /help    What tau can do', '  /model   Choose a model', '  /memory']);
    type('me');
    expect(rows()[1]).toBe('› /memory');
    type(keys.backspace, keys.backspace, 'hl', keys.enter);
    expect(sent).toEqual(['/help']);
  });

  test('that take one are completed, then their arguments are offered', () => {
    const { type, rows, editor, sent } = stage({ provider: combined() });
    type('/mod', keys.enter);
    expect(rows()).toEqual(['/model ', '› fast', '  slow']);
    type('sl', keys.tab, keys.enter);
    expect(sent).toEqual(['/model slow']);
    expect(editor.text()).toBe('');
  });

  test('are not offered anywhere else', () => {
    const { type, rows } = stage({ provider: combined() });
    type('a /he', keys.ctrl('j'), '/he');
    expect(rows()).toEqual(['a /he', '/he']);
  });

  test('escape closes the list and leaves the text; the arrows choose, around the ends', () => {
    const { type, rows, editor } = stage({ provider: combined() });
    type('/', keys.up);
    expect(rows()[3]).toBe('› /memory');
    type(keys.down, keys.down);
    expect(rows()[2]).toBe('› /model   Choose a model');
    expect(type(keys.escape)).toEqual([true]);
    expect(rows()).toEqual(['/']);
    expect(editor.text()).toBe('/');
  });
});

describe('files', () => {
  test('are offered after an at sign, a folder goes on, and a name with blanks is quoted', () => {
    const { type, editor, rows } = stage({ provider: combined() });
    type('see @sr', keys.tab);
    expect(editor.text()).toBe('see @src/');
    expect(rows()).toContain('› src/');
    type('ed', keys.tab, '@fi', keys.tab);
    expect(editor.text()).toBe('see @src/edit.ts @"a file.md" ');
  });

  test('an address of mail is no mention', () => {
    const { type, rows } = stage({ provider: combined() });
    type('me@src');
    expect(rows()).toEqual(['me@src']);
  });

  test('tab lists the folder that was typed; the only match is taken at once', () => {
    const listed: string[] = [];
    const { type, editor } = stage({ provider: combined(listed) });
    type('cat ../x\\ y/it', keys.tab);
    expect(listed).toEqual(['../x y/']);
    expect(editor.text()).toBe('cat ../x\\ y/do\\ it.txt ');
  });
});

describe('answers that take their time', () => {
  interface Asked {
    before: string;
    signal: AbortSignal;
    answer(found: Completions | undefined): void;
    fail(error: Error): void;
  }

  function slow(): { asked: Asked[]; provider: CompletionProvider } {
    const asked: Asked[] = [];
    const provider: CompletionProvider = {
      complete: ({ before, signal }) =>
        new Promise((answer, fail) => {
          asked.push({ before, signal, answer, fail });
        }),
    };
    return { asked, provider };
  }

  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test('are dropped when the text has gone on, and shown when it has not', async () => {
    const { asked, provider } = slow();
    let updates = 0;
    const { type, rows } = stage({ provider, onUpdate: () => updates++ });
    type('a', 'b');
    expect(asked.map(({ before }) => before)).toEqual(['a', 'ab']);
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    asked[0]?.answer({ replaces: 1, items: [{ value: 'late' }] });
    await settled();
    expect(rows()).toEqual(['ab']);
    asked[1]?.answer({ replaces: 2, items: [{ value: 'about' }] });
    await settled();
    expect(rows()).toEqual(['ab', '› about']);
    expect(updates).toBe(1);
    type('o');
    expect(rows()).toEqual(['abo', '› about']);
    type(keys.tab);
    expect(rows()[0]).toBe('about');
  });

  test('are not taken for a text they were not offered for: enter sends what was typed', async () => {
    const { asked, provider } = slow();
    const { type, rows, sent } = stage({ provider });
    type('/');
    asked[0]?.answer({
      replaces: 1,
      items: [
        { value: '/help', submits: true },
        { value: '/thinking', submits: true },
      ],
    });
    await settled();
    expect(rows()[1]).toBe('› /help');
    type('t', 'h', keys.enter);
    expect(sent).toEqual(['/th']);
  });

  test('that add nothing to what is typed do not keep Enter from sending it', () => {
    const provider: CompletionProvider = {
      complete: ({ before }) => ({ replaces: before.length - '/trust '.length, items: [{ value: 'yes' }] }),
    };
    const { type, sent, editor } = stage({ provider });
    type('/trust ye', keys.enter);
    expect(sent).toEqual([]);
    expect(editor.text()).toBe('/trust yes');
    type(' ', keys.backspace, keys.enter);
    expect(sent).toEqual(['/trust yes']);
  });

  test('that fail are told, and those nobody waits for are not', async () => {
    const { asked, provider } = slow();
    const { type, errors } = stage({ provider });
    type('a', 'b');
    asked[0]?.fail(new Error('old'));
    asked[1]?.fail(new Error('new'));
    await settled();
    expect(errors).toEqual([new Error('new')]);
  });

  test('a provider is asked only if those before it have nothing', async () => {
    const none: CompletionProvider = { complete: async () => undefined };
    const some: CompletionProvider = { complete: () => ({ replaces: 0, items: [{ value: 'x' }] }) };
    const request = {
      text: '',
      cursor: 0,
      before: '',
      first: true,
      forced: true,
      signal: new AbortController().signal,
    };
    expect(await firstOf([none, some]).complete(request)).toMatchObject({ items: [{ value: 'x' }] });
    expect(firstOf([some, none]).complete(request)).toMatchObject({ items: [{ value: 'x' }] });
    expect(firstOf([]).complete(request)).toBeUndefined();
  });
});

test('a long list shows a part of it, and hostile names are harmless at every width', () => {
  const items = Array.from({ length: 30 }, (_, index) => ({ value: `item ${index}` }));
  const many = stage({ provider: { complete: () => ({ replaces: 1, items }) } });
  many.type('a', keys.up);
  expect(many.rows().slice(-2)).toEqual(['› item 29', '  30 of 30']);
  const bad = hostile.map((text) => ({ value: text, label: `x${text}`, description: text }));
  const { type, editor } = stage({ provider: { complete: () => ({ replaces: 1, items: bad }) } });
  type('a');
  for (const width of [4, 10, ...widths]) linesAt(editor, width);
});

describe('a provider without commands', () => {
  const paths = combinedProvider({
    mentions: (query) => ['my docs/', 'my docs/a.md'].filter((path) => path.startsWith(query)),
    list: () => [{ name: 'hosts', folder: false }],
  });

  test('completes a path that begins with a slash', () => {
    const { type, editor } = stage({ provider: paths });
    type('/etc/ho', keys.tab);
    expect(editor.text()).toBe('/etc/hosts ');
  });

  test('goes into a folder first; one that stands there already is meant itself and its quote is closed', () => {
    const { type, editor, rows } = stage({ provider: paths });
    type('@my', keys.tab);
    expect(editor.text()).toBe('@"my docs/');
    expect(rows().slice(1)).toEqual(['› my docs/', '  my docs/a.md']);
    expect(editor.inner()).toBe('completion');
    type(keys.tab);
    expect(editor.text()).toBe('@"my docs/" ');
    expect(editor.inner()).toBeUndefined();
    type(keys.ctrl('r'));
    expect(editor.inner()).toBe('historySearch');
  });
});
