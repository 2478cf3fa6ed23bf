/** Lists to choose from: what stands in them, what their keys do, and what becomes of a choice. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConfig } from '@tau/agent';
import { defaultActions, type InputEvent, openTheme, stripAnsi } from '@tau/tui';
import { expect, onTestFinished, test } from 'vitest';
import { helpLines, keyLines } from '../../src/app/find/help.ts';
import { createLiveKeymap, readKeyFile } from '../../src/app/find/keybindings.ts';
import { aboutModel, createModelCycle } from '../../src/app/find/models.ts';
import { paletteItems } from '../../src/app/find/palette.ts';
import { sessionItems } from '../../src/app/find/sessions.ts';
import { createSettingsPanel } from '../../src/app/find/settings.ts';
import { createThemes } from '../../src/app/find/themes.ts';
import { appActions } from '../../src/app/keys.ts';
import { createChoice } from '../../src/app/panels/choose.ts';
import { allCommands } from '../../src/commands/all.ts';

const { theme } = openTheme('dark', { depth: 'none' });
const actions = [...appActions, ...defaultActions];
const plain = (text: string) => text;

function press(key: string): InputEvent {
  return { type: 'key', key, kind: 'press', ...(key.length === 1 && { text: key }) };
}

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'tau-find-')));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test('help and palette tell the keys in force, and a file of keys changes them with its mistakes told by place', async () => {
  const home = folder();
  const keys = createLiveKeymap(actions);
  const commands = allCommands().list({});
  expect(helpLines(keys, commands, plain)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^ {2}\/model \[NAME\] +which model answers/),
      expect.stringMatching(/^ {2}F1 +Keys and commands/),
    ]),
  );
  expect(await readKeyFile(home, actions)).toMatchObject({ bindings: undefined, problems: [] });

  writeFileSync(join(home, 'keybindings.json'), '{\n  "app.help": "f2",\n  "app.palete": "ctrl+k"\n}\n');
  const { path, bindings, problems } = await readKeyFile(home, actions);
  expect(problems).toEqual([
    expect.stringMatching(/keybindings\.json:3:3: There is no action "app\.palete" .*app\.palette/),
  ]);
  expect(path).toBe(join(home, 'keybindings.json'));
  keys.use(bindings);
  expect(keys.match(press('f2'), 'app')).toEqual({ action: 'app.help' });
  expect(keys.match(press('f1'), 'app')).toBeUndefined();
  const lines = keyLines(keys, plain);
  expect(lines.some((line) => /^ {2}F2 +Keys and commands/.test(line))).toBe(true);
  const found = paletteItems(commands, keys).find(({ value }) => value.kind === 'action' && value.name === 'app.help');
  expect(found?.description).toBe('F2');
});

test('no key does two things of the app', () => {
  const keys = createLiveKeymap(actions);
  const used = appActions.flatMap(({ name, context }) => keys.keysFor(name).map((key) => `${context} ${key}`));
  expect(new Set(used).size).toBe(used.length);
});

test.each(['rab', 'crab', 'emacs', 'vim', 'default'])(
  'with the preset %s no key does two things in one place',
  async (preset) => {
    const home = folder();
    writeFileSync(join(home, 'keybindings.json'), JSON.stringify({ preset }));
    const { bindings = [], problems } = await readKeyFile(home, actions);
    expect(problems).toEqual([]);
    const used = bindings.map(({ context, keys }) => `${context}: ${keys.join(' ')}`);
    expect(used.filter((one, at) => used.indexOf(one) !== at)).toEqual([]);
    // Of a chord, the beginning is no key of its own.
    for (const one of used) expect(used.filter((other) => one.startsWith(`${other} `))).toEqual([]);
  },
);

test('a preset gives the keys of another program, and what stands beside it in the file goes before it', async () => {
  const home = folder();
  const keys = createLiveKeymap(actions);
  const use = async (file: object) => {
    writeFileSync(join(home, 'keybindings.json'), JSON.stringify(file));
    const { bindings, problems } = await readKeyFile(home, actions);
    keys.use(bindings);
    return problems;
  };
  await use({ preset: 'rab' });
  expect(keys.match(press('ctrl+r'), ['editor', 'app'])).toEqual({ action: 'app.session.resume' });
  expect(keys.match(press('shift+tab'), 'app')).toEqual({ action: 'app.thinking.cycle' });
  expect(keys.match(press('ctrl+e'), 'editor')).toEqual({ action: 'tui.editor.external' });
  await use({ preset: 'crab', 'app.palette': 'f9' });
  expect(keys.match(press('ctrl+z'), ['editor', 'app'])).toEqual({ action: 'tui.editor.undo' });
  expect(keys.match(press('f9'), 'app')).toEqual({ action: 'app.palette' });
  expect(keys.match(press('ctrl+p'), 'app')).toBeUndefined();
  expect(await use({ preset: 'crap' })).toEqual([expect.stringMatching(/There is no preset "crap".*crab/)]);
});

test('the palette leaves out what is about the line itself, and knows which commands want a word', () => {
  const items = paletteItems(allCommands().list({}), createLiveKeymap(actions));
  const named = (name: string) => items.find(({ value }) => value.name === name);
  expect(named('app.clear')).toBeUndefined();
  expect(named('allow')?.value).toEqual({ kind: 'command', name: 'allow', needsArgument: true });
  expect(named('model')?.value).toEqual({ kind: 'command', name: 'model', needsArgument: false });
});

test('the keys for the next model go through the scope, round and on from each other', async () => {
  const models = ['a', 'b', 'c'].map((id) => ({ provider: 'p', id }));
  const asked: (readonly string[] | undefined)[] = [];
  const agent = {
    model: { provider: 'p', id: 'c', api: 'anthropic-messages' as const, baseUrl: '' },
    async setModel(name: string) {
      agent.model = { ...agent.model, id: name.slice(2) };
    },
  };
  let scope: readonly string[] | undefined;
  const cycle = createModelCycle(
    agent,
    () => scope,
    async (patterns) => {
      asked.push(patterns);
      return patterns ? models.slice(1, 2) : models;
    },
    () => 0,
  );
  expect(await Promise.all([cycle.step(1), cycle.step(1), cycle.step(-1)])).toEqual(['Now p/a', 'Now p/b', 'Now p/a']);
  expect(asked).toEqual([undefined]);
  scope = ['b'];
  expect(await cycle.step(-1)).toBe('Now p/b');
  expect(await cycle.step(1)).toBe('p/b is the only one; /scoped-models chooses more');
});

test('a model tells its window, price and skills, and what nobody published is left out', () => {
  const model = { provider: 'p', id: 'm', label: 'p', api: 'x', baseUrl: '', local: false, ready: true };
  const cost = { input: 3, output: 15 };
  expect(aboutModel({ ...model, contextWindow: 1_000_000, cost, reasoning: true, images: true })).toBe(
    '1M · $3 in, $15 out · thinks · images',
  );
  expect(aboutModel(model)).toBe('');
});

test('a conversation tells what it is about, its age and size; one in use cannot be chosen', () => {
  const common = { path: '/s', cwd: '/p', created: '2026-01-01T00:00:00Z', size: 2_500_000 };
  const items = sessionItems(
    [
      { ...common, id: '1', modified: '2026-01-02T00:00:00Z', firstPrompt: 'mend\nthe bug', name: 'Mending' },
      { ...common, id: '2', modified: '2026-01-02T23:59:30Z', owner: { pid: 7, host: 'h', since: '' } },
    ],
    Date.parse('2026-01-03T00:00:00Z'),
  );
  expect(items).toEqual([
    { value: '1', label: '[Mending] mend the bug', description: '1 d ago · 2.5 MB' },
    { value: '2', label: '2', description: 'just now · 2.5 MB', disabled: 'in use by process 7' },
  ]);
});

test('a list with keys of its own asks them first, and tells what they do', () => {
  const keys = createLiveKeymap(actions);
  const done: string[] = [];
  const choice = createChoice<string>({
    ...{ theme, keys, title: 'Which', rows: () => 30 },
    items: ['one', 'two'].map((value) => ({ value, label: value })),
    hints: [['app.sessions.delete', 'deletes']],
    more: {
      context: 'sessions',
      act: (action, value) => done.push(`${action} ${value}`),
      onOther: () => done.push('other'),
    },
    onMove: (value) => done.push(`at ${value}`),
    onChoose: (values) => done.push(`chose ${values.join()}`),
    onCancel: () => done.push('gave up'),
  });
  for (const key of ['ctrl+d', 'down', 'enter', 'escape']) choice.handleInput(press(key));
  expect(done).toEqual(['app.sessions.delete one', 'other', 'at two', 'other', 'chose two', 'other', 'gave up']);
  expect(stripAnsi(choice.render(60).join('\n'))).toContain('Ctrl+D deletes');
});

async function settingsIn(local: string) {
  const place = folder();
  const [home, cwd] = [join(place, 'home'), join(place, 'project')];
  mkdirSync(join(cwd, '.tau'), { recursive: true });
  mkdirSync(home);
  const file = join(home, 'settings.json');
  writeFileSync(file, '{\n  // mine\n  "tips": false\n}\n');
  if (local !== '') writeFileSync(join(cwd, '.tau', 'settings.local.json'), local);
  const config = openConfig({ env: { HOME: place, TAU_HOME: home }, cwd });
  const set: unknown[] = [];
  const panel = await createSettingsPanel({
    ...{ theme, keys: createLiveKeymap(actions), config, rows: () => 40, onClose: () => {}, onChange: () => {} },
    choices: (key) => (key === 'theme' ? ['auto', 'dusk'] : undefined),
    onSet: (key, value) => set.push([key, value]),
  });
  const type = (text: string) => {
    for (const letter of text) panel.handleInput(press(letter));
  };
  const screen = () => stripAnsi(panel.render(100).join('\n'));
  return { panel, file, set, type, screen, text: () => readFileSync(file, 'utf8') };
}

test('a setting that is changed is the only thing written, and taking it out leaves the file as it was', async () => {
  const { panel, set, type, screen, text, file } = await settingsIn('');
  expect(screen()).toMatch(/^general\n/m);
  type('vim');
  expect(screen()).toContain('from: default');
  panel.handleInput(press('enter'));
  await expect.poll(() => set).toEqual([['vim', true]]);
  expect(text()).toBe('{\n  // mine\n  "tips": false,\n  "vim": true\n}\n');
  expect(screen()).toContain(`vim is written to ${file}`);
  panel.handleInput(press('delete'));
  await expect.poll(() => set).toHaveLength(2);
  expect(text()).toBe('{\n  // mine\n  "tips": false\n}\n');
  expect(set[1]).toEqual(['vim', false]);
});

test('a value that is typed is checked before it is written, and a layer that goes before is named', async () => {
  const { panel, set, type, screen, text } = await settingsIn('{ "limits": { "readLines": 7 } }');
  type('limits.readLines');
  panel.handleInput(press('enter'));
  panel.handleInput(press('delete'));
  for (const key of ['end', 'backspace']) panel.handleInput(press(key));
  type('x');
  panel.handleInput(press('enter'));
  expect(screen()).toContain('is not the JSON it takes');
  panel.handleInput(press('backspace'));
  type('500');
  panel.handleInput(press('enter'));
  await expect.poll(() => set).toEqual([['limits.readLines', 7]]);
  expect(text()).toContain('"limits"');
  expect(screen()).toMatch(/settings\.local\.json:1:\d+\s+goes before it/);
});

test("a theme of the user's is known by its file, and its mistakes are told by their place", async () => {
  const place = folder();
  mkdirSync(join(place, 'themes'), { recursive: true });
  writeFileSync(
    join(place, 'themes', 'dusk.json'),
    '{ "name": "dusk", "extends": "dark", "colours": { "bordr": "red" } }',
  );
  const shown: string[] = [];
  const themes = createThemes({
    stage: {
      setTheme(name, sources) {
        shown.push(name);
        return sources?.some((source) => source.name === name) || name === 'auto' ? [] : [`There is no theme ${name}`];
      },
    },
    config: { files: () => [{ layer: 'user', path: join(place, 'settings.json'), exists: true }] },
    name: 'dusk',
    onProblem: () => {},
  });
  onTestFinished(themes.close);
  expect(themes.names()).not.toContain('dusk');
  expect(await themes.load()).toEqual([expect.stringMatching(/dusk\.json:1:\d+: There is no role "bordr"/)]);
  expect(themes.names()).toEqual(expect.arrayContaining(['auto', 'dark', 'light', 'dusk']));
  expect(themes.show('auto')).toEqual([]);
  expect(shown).toEqual(['dusk', 'auto']);
});
