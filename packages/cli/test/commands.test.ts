/** The list of commands by itself: names, other names, completion. What they do is told by the terminal's tests. */
import { expect, test } from 'vitest';
import { allCommands } from '../src/commands/all.ts';
import { type Command, type CommandWorld, createRegistry } from '../src/commands/command.ts';
import { bareSandbox, converse, says } from './conversation.ts';

const all = allCommands();
const plain = {};
const screen: NonNullable<CommandWorld['screen']> = {
  begin: async () => '',
  wentTo: () => {},
  copy: async () => '',
  setTheme: async (name) => name,
  themes: () => ['dark', 'light'],
  setVim: async () => '',
  isVim: () => false,
  secret: async () => undefined,
  showContext: () => '',
  openTranscript: () => {},
  reload: async () => '',
  keys: () => '',
};

function names(world: Pick<CommandWorld, 'screen'>): string[] {
  return all.list(world).flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}

test('no two commands share a name, and every one has a line of help', () => {
  expect(new Set(names({ screen })).size).toBe(names({ screen }).length);
  for (const { name, help } of all.list({ screen })) {
    expect(name).toMatch(/^[a-z][a-z-]*$/);
    expect(help).toMatch(/\w/);
  }
});

test('what only a screen can do is listed only where there is one', () => {
  expect(names(plain)).toEqual(
    expect.arrayContaining(['help', 'exit', 'quit', 'model', 'context', 'status', 'settings']),
  );
  for (const name of ['new', 'clone', 'resume', 'fork', 'copy', 'theme', 'vim']) {
    expect(names(plain)).not.toContain(name);
    expect(names({ screen })).toContain(name);
    expect(() => all.find(name, plain)).toThrow(`/${name} needs the screen`);
  }
});

/** The first is how it is listed, the others are heard too. */
const sameAs = [
  ['quit', 'exit', 'q'],
  ['name', 'rename'],
  ['settings', 'config'],
  ['session', 'status'],
  ['hotkeys', 'keybindings', 'keys'],
  ['changelog', 'release-notes'],
  ['thinking', 'effort'],
  ['ps', 'jobs'],
] as const;

test('an unknown name suggests the nearest one, and other names of the same are heard', () => {
  expect(() => all.find('sesion', plain)).toThrow(expect.objectContaining({ remedy: 'Did you mean /session?' }));
  for (const [name, ...aliases] of sameAs) {
    for (const alias of aliases) expect(all.find(alias, plain).name).toBe(name);
  }
});

test('completion offers names while one is typed, then what may stand behind it', async () => {
  let asked = 0;
  const colours: Command = {
    name: 'colour',
    aliases: ['hue'],
    help: 'h',
    choices() {
      asked += 1;
      return ['red-ish', 'red', 'rose', 'blue'];
    },
    run: () => '',
  };
  const other: Command = { name: 'cold', help: 'c', run: () => '' };
  const few = createRegistry([colours, other]);
  const values = async (line: string) => {
    const { from, items } = await few.complete(line, world());
    return items.map(({ value }) => line.slice(0, from) + value);
  };
  expect(await values('/co')).toEqual(['/colour', '/cold']);
  expect(await values('/h')).toEqual(['/hue']);
  expect(await values('/cd')).toEqual(['/cold']);
  expect(await values('/colour r')).toEqual(['/colour red-ish', '/colour red', '/colour rose']);
  expect((await values('/colour red'))[0]).toBe('/colour red');
  expect(await values('/hue b')).toEqual(['/hue blue']);
  expect(await values('/hue E')).toEqual(['/hue red-ish', '/hue red', '/hue rose', '/hue blue']);
  expect(await values('/cold x')).toEqual([]);
  const before = asked;
  for (const line of ['/colour ', '/colour r', '/colour ro']) await values(line);
  expect(asked).toBe(before + 1);
  expect(await values('no command')).toEqual([]);
});

test('whoever types a whole name and Enter gets that command, also where another begins with it', async () => {
  for (const name of names({ screen })) {
    const { items } = await all.complete(`/${name}`, Object.assign(world(), { screen }));
    expect(items[0]?.value).toBe(`/${name}`);
  }
});

/** Only what completion asks for. */
function world(): CommandWorld {
  const never = (): never => {
    throw new Error('completion does nothing');
  };
  return {
    get agent() {
      return never();
    },
    ...{ waiting: never, clearWaiting: never, spent: never, leave: never },
  };
}

test('the project tells its branch, what changed and which files were touched, without a model', async () => {
  const { tau, write, model } = await converse([], { git: true });
  write('new file.txt', '');
  const run = await tau(['-p', '/branch', '/diff', '/files', '/add-dir ..']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(
    /^main\nFiles that git does not know:\n {2}new file\.txt\nNo file was read or changed yet\.\n/,
  );
  expect(run.stdout).toMatch(/What counts as inside:\n {2}\S+project\n {2}\S+\n$/);
  expect(model.requests).toHaveLength(0);
});

test('a command is obeyed in print mode too, and no model hears of it', async () => {
  const { tau, model } = await converse([says('the model')]);
  const context = await tau(['-p', '/context']);
  expect(context).toMatchObject({ code: 0, stderr: '' });
  expect(context.stdout).toMatch(/^About [\d,]+ tokens.*\n {2}instructions +[\d,]+ /);
  const status = await tau(['-p', '/status', '--output-format', 'json']);
  expect(JSON.parse(status.stdout)).toEqual({
    command: 'status',
    text: expect.stringContaining('model     scripted/'),
  });
  expect(await tau(['-p', '/sesion'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr:
      'tau: There is no command /sesion. Did you mean /session? A blank in front of the slash makes it a prompt\n',
  });
  expect(model.requests).toHaveLength(0);
  expect(await tau(['-p', ' /sesion'])).toMatchObject({ code: 0, stdout: 'the model\n' });
  expect(model.requests).toHaveLength(1);
});

test('what needs no model works before there is a key, in one run and in one conversation', async () => {
  const { tau } = bareSandbox();
  const asked = [
    '/help',
    '/changelog',
    '/keybindings',
    '/permissions',
    '/settings list',
    '/login',
    '/model',
    '/status',
  ];
  const run = await tau(['-p', ...asked]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/^ {2}\/help +commands and keys[\s\S]*\n\nThe conversation\n {2}\/session/);
  expect(run.stdout).toMatch(/keybindings\.json changes them\.\n[\s\S]*Ctrl\+C +Clear the line/);
  expect(run.stdout).toContain('There are no rules.');
  expect(run.stdout).toMatch(/^permissionMode +default/m);
  expect(run.stdout).toMatch(/^No key yet\. Known: anthropic \(ANTHROPIC_API_KEY\)/m);
  expect(run.stdout).toContain('No model can be asked yet.');
  expect(run.stdout).toMatch(/^model +no model,/m);

  // One prompt among them needs one, before any of them is obeyed.
  const mixed = await tau(['-p', '/help', 'and hello']);
  expect(mixed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('tau: No model to talk to.') });
});
