/** Places that settings open to contained commands, or hide, through the built command. */
import { existsSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Conversation, call, calls, converse, request, resultsIn, says } from './conversation.ts';

const bash = (command: string, more: object = {}) => calls(call('bash', { command, ...more }));

/** In auto, contained. */
const place = (sandbox: object, permissionMode = 'auto') => ({
  contained: true,
  settings: { permissionMode, sandbox },
});

/** What the model was told, call by call. */
const toldIn = ({ model }: Conversation, count: number) =>
  resultsIn(request(model, count))
    .slice(-count)
    .map(({ text }) => text);

test('a link that a command puts in the place of a folder to be opened leads nowhere, now and in the next session', async () => {
  const scene = await converse(
    [bash('sh plant.sh'), bash('sh use.sh'), says('done'), bash('sh use.sh'), says('done')],
    {
      ...place({ writable: ['build/cache'] }),
    },
  );
  const { home, write, tau } = scene;
  write('plant.sh', 'mkdir -p build; ln -s "$HOME" build/cache && echo planted');
  write('use.sh', 'echo x > "$HOME/pwned"; echo x > build/cache/pwned; true');
  expect((await tau(['-p', 'go'])).stderr).not.toContain('sandbox.writable');
  const told = toldIn(scene, 2);
  expect(told[0]).toContain('planted');
  expect(told[1]).toContain(`The sandbox refused: write ${join(home, 'pwned')}`);
  const again = await tau(['-p', 'go']);
  expect(again.stderr).toContain('sandbox.writable: build/cache is left out: a link leads from it to');
  expect(resultsIn(request(scene.model, 4)).at(-1)?.text).toContain('The sandbox refused: write');
  expect(existsSync(join(home, 'pwned'))).toBe(false);
});

test('a link in one opened folder does not move another, and what is opened by a link of yours is', async () => {
  const scene = await converse([bash('sh plant.sh'), bash('sh use.sh'), says('done')], {
    ...place({ writable: ['~/out', '~/out/sub', '~/mine'] }),
  });
  const { home, write } = scene;
  for (const name of ['out', 'kept', 'else']) mkdirSync(join(home, name));
  symlinkSync('kept', join(home, 'mine'));
  write('plant.sh', 'ln -s ../else "$HOME/out/sub" && echo planted');
  write('use.sh', 'for at in else kept out; do echo x > "$HOME/$at/made"; done; true');
  await scene.tau(['-p', 'go']);
  expect(toldIn(scene, 2)[0]).toContain('planted');
  const made = ['else', 'kept', 'out'].map((name) => existsSync(join(home, name, 'made')));
  expect(made).toEqual([false, true, true]);
});

test('no command puts another folder in the place of one that was added, nor of the one above it', async () => {
  const scene = await converse([bash('sh plant.sh'), bash('sh use.sh'), says('done')], place({}));
  const { home, write, project } = scene;
  mkdirSync(join(project, 'above/added'), { recursive: true });
  write('plant.sh', 'mv above/added gone; mv above gone; mkdir above; ln -s ../../home above/added; echo tried');
  write('use.sh', 'echo x > "$HOME/pwned"; true');
  await scene.tau(['-p', 'go', '--add-dir', 'above/added']);
  const told = toldIn(scene, 2);
  expect(told[0]).toContain('tried');
  expect(told[1]).toContain('The sandbox refused: write');
  expect(existsSync(join(home, 'pwned'))).toBe(false);
  expect(lstatSync(join(project, 'above/added')).isDirectory()).toBe(true);
});

test('a link in the project does not lead an added folder of the settings out of it', async () => {
  const settings = { permissionMode: 'auto', additionalDirectories: ['shared', '~/mine'] };
  const scene = await converse([bash('sh use.sh'), says('done')], { contained: true, settings });
  const { home, project, write } = scene;
  mkdirSync(join(home, 'mine'));
  symlinkSync(home, join(project, 'shared'));
  write('use.sh', 'echo x > "$HOME/mine/made"; echo x > "$HOME/pwned"; true');
  const run = await scene.tau(['-p', 'go']);
  expect(run.stderr).toContain('additionalDirectories: shared is left out: a link in the project leads from it to');
  expect([existsSync(join(home, 'mine/made')), existsSync(join(home, 'pwned'))]).toEqual([true, false]);
});

test('what is hidden stays so when its link leads elsewhere, and where it leads then is hidden too', async () => {
  const scene = await converse([bash('sh turn.sh'), bash('sh look.sh'), says('done')], {
    ...place({ unreadable: ['secret'] }),
  });
  scene.write('store/one', 'first');
  scene.write('store/two', 'second');
  symlinkSync('store/one', join(scene.project, 'secret'));
  scene.write('turn.sh', 'ln -sfn store/two secret && echo turned');
  scene.write('look.sh', 'cat store/one store/two; echo looked');
  await scene.tau(['-p', 'go']);
  const told = toldIn(scene, 2);
  expect(told[0]).toContain('turned');
  expect(told[1]).toMatch(/^looked/);
});

test('what steers tools is guarded at the top of an opened folder, and what starts with the user where home is one', async () => {
  const names = ['.envrc', '.vscode/tasks.json', '.git/hooks/pre-commit', '.mcp.json', 'HEAD'];
  const script = (folder: string, paths: string[]) =>
    paths.map((path) => `mkdir -p "$(dirname ${folder}/${path})"; echo x > ${folder}/${path}; `).join('');
  const out = await converse([bash('sh use.sh'), says('done')], place({ writable: ['~/out'] }));
  mkdirSync(join(out.home, 'out'));
  out.write('use.sh', `${script('"$HOME/out"', [...names, 'plain'])} true`);
  expect((await out.tau(['-p', 'go'])).stderr).not.toContain('nearly all of your files');
  expect([...names, 'plain'].filter((name) => existsSync(join(out.home, 'out', name)))).toEqual(['plain']);

  const home = await converse([bash('sh use.sh'), says('done')], place({ writable: ['~'] }));
  const starts = ['.bashrc', '.config/systemd/user/x.service', 'bin/ls', '.envrc'];
  home.write(join(home.home, '.bashrc'), 'mine\n');
  home.write('use.sh', `${script('"$HOME"', [...starts, 'plain'])} true`);
  const run = await home.tau(['-p', 'go']);
  expect(run.stderr.split('sandbox.writable: ~ is your home').length).toBe(2);
  expect(home.read(join(home.home, '.bashrc'))).toBe('mine\n');
  expect([...starts, 'plain'].filter((name) => existsSync(join(home.home, name)))).toEqual(['.bashrc', 'plain']);
});

test('file tools keep off what is hidden, whoever hides it, and say which setting does', async () => {
  const scene = await converse(
    [
      calls(
        call('read', { path: 'secret/a.txt' }),
        call('write', { path: 'secret/new.txt', content: 'x' }),
        call('edit', { path: 'key.txt', edits: [{ oldText: 'pssst', newText: 'x' }] }),
        call('ls', { path: 'secret' }),
        call('grep', { pattern: 'pssst' }),
        call('glob', { pattern: '**/*.txt' }),
        call('bash', { command: 'cat key.txt' }),
      ),
      says('done'),
    ],
    { settings: { permissionMode: 'dangerously', sandbox: { unreadable: ['secret'] } } },
  );
  const { write, project } = scene;
  // A project that nobody trusts may hide more, and open nothing.
  write('.tau/settings.json', JSON.stringify({ sandbox: { unreadable: ['key.txt'] } }));
  for (const path of ['secret/a.txt', 'key.txt', 'open.txt']) write(path, 'pssst');
  await scene.tau(['-p', 'go', '--no-sandbox', '--tools', 'read,write,edit,ls,grep,glob,bash']);
  const told = resultsIn(request(scene.model, 1)).map(({ text }) => text);
  const [read, written, edited, listed, grep, glob, cat] = told;
  for (const text of [read, written, edited, listed, cat])
    expect(text).toMatch(/^Not allowed: the setting sandbox\.unreadable hides/);
  expect(grep).toContain('open.txt');
  expect(`${grep}${glob}`).not.toMatch(/secret|key\.txt/);
  expect(glob).toContain('2 files left out');
  expect([existsSync(join(project, 'secret/new.txt')), scene.read('key.txt')]).toEqual([false, 'pssst']);
});

test('in auto what a command says that it writes into an opened folder runs as what a script does there', async () => {
  const steps = [
    bash('echo x > ~/out/g && cat ~/out/g'),
    bash('echo x > ~/out/.envrc'),
    calls(call('write', { path: '~/out/w', content: 'x' })),
    says('done'),
  ];
  const auto = await converse(steps, place({ writable: ['~/out'] }));
  mkdirSync(join(auto.home, 'out'));
  expect((await auto.tau(['-p', 'go'])).code).toBe(3);
  const told = toldIn(auto, 3);
  expect(told[0]).toBe('x');
  expect(told[1]).toMatch(/^Not allowed: this needs approval .*steers/);
  expect(told[2]).toMatch(/^Not allowed: this needs approval .*outside the project/);

  const edits = await converse([bash('echo x > ~/out/g'), says('done')], place({ writable: ['~/out'] }, 'acceptEdits'));
  mkdirSync(join(edits.home, 'out'));
  await edits.tau(['-p', 'go']);
  expect(toldIn(edits, 1)[0]).toMatch(/outside the project/);
  expect([auto, edits].map(({ home }) => existsSync(join(home, 'out/g')))).toEqual([true, false]);
});

test.each([
  ['unreadable', '*.pem', 'is a pattern'],
  ['unreadable', '/', 'would hide everything'],
  ['writable', 'src/**', 'is a pattern'],
  ['writable', '$HOME/x', 'has a variable in it'],
  ['writable', '~user/x', 'is not understood: write the whole path'],
  ['hosts', 'https://example.org/x', 'is no host: write "example.org"'],
  ['hosts', 'example.org:70000', 'is no host: a port is'],
])('sandbox.%s: %s means nothing, which is said at the start and when it is set', async (key, value, why) => {
  const settings = { sandbox: { [key]: ['fine', value] } };
  const scene = await converse([says('done')], { settings });
  const run = await scene.tau(['-p', 'go']);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(`settings.json:9:7: sandbox.${key}.1: ${JSON.stringify(value)} ${why}`);
  const path = join(scene.tauHome, 'settings.json');
  scene.write(path, '{}');
  const set = await scene.tau(['config', 'set', `sandbox.${key}`, JSON.stringify([value])]);
  expect(set).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  expect(scene.read(path)).toBe('{}');
});

test('a folder with brackets in its name is one, and what is not there is told of', async () => {
  const scene = await converse([bash('sh look.sh'), says('done')], place({ unreadable: ['app/[id]', 'key[12].txt'] }));
  scene.write('app/[id]/secret.txt', 'pssst');
  scene.write('look.sh', 'cat "app/[id]/secret.txt"; true');
  const run = await scene.tau(['-p', 'go']);
  expect(run.stderr).toContain('sandbox.unreadable: there is no key[12].txt, and patterns are not understood here');
  expect(run.stderr).not.toContain('there is no app/[id]');
  expect(toldIn(scene, 1)[0]).not.toContain('pssst');
});

test('settings that change in a session open what they name, and leave the rest where it was', async () => {
  const steps = [bash('sh plant.sh'), says('one'), bash('sh use.sh'), says('two')];
  const scene = await converse(steps, place({ writable: ['build/cache'] }));
  const { home, write, tauHome } = scene;
  for (const name of ['new', 'else']) mkdirSync(join(home, name));
  write('plant.sh', 'mkdir -p build; ln -s "$HOME/else" build/cache && echo planted');
  write('use.sh', 'for at in new else; do echo x > "$HOME/$at/made"; done; true');
  const run = scene.start(['--json'], { openStdin: true });
  run.send({ type: 'message', content: 'go' });
  await run.waitFor('"reason":"done"');
  const path = join(tauHome, 'settings.json');
  const settings: object = JSON.parse(scene.read(path));
  write(path, JSON.stringify({ ...settings, sandbox: { writable: ['build/cache', '~/new'] } }));
  run.send({ type: 'message', content: 'again' });
  await run.waitFor('sandbox.writable counts from now on');
  run.endInput();
  await run.done;
  expect(['new', 'else'].map((name) => existsSync(join(home, name, 'made')))).toEqual([true, false]);
});
