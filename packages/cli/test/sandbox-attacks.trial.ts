/** A hostile model against the sandbox, through the built command: what it plants, where it works, and what it waits for. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProxy } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type Conversation, call, calls, converse, resultsIn, says } from './conversation.ts';
import { proxiedGet } from './proxied-get.ts';

const settings = { permissionMode: 'auto' };
const bash = (command: string, more: object = {}) => calls(call('bash', { command, ...more }));
const unapproved = /^Not allowed: this needs approval/;

/** What the model was told of every call until the last request. */
const toldIn = ({ model }: Conversation) => {
  const last = model.requests.at(-1);
  return last ? resultsIn(last).map(({ text }) => text) : [];
};

test('keys behind links stay closed, links to what steers tools too, and no repository is made of the project for git to run', async () => {
  const scene = await converse(
    [bash('sh evil.sh'), calls(call('write', { path: 'HEAD', content: 'ref: refs/heads/main' })), says('done')],
    { contained: true, settings, git: true },
  );
  const { write, home, project, read } = scene;
  write(join(home, 'dotfiles/npmrc'), 'key-1');
  write(join(home, 'dotfiles/aws/credentials'), 'key-2');
  symlinkSync('dotfiles/npmrc', join(home, '.npmrc'));
  symlinkSync(join(home, 'dotfiles/aws'), join(home, '.aws'));
  write('tools/vscode/tasks.json', 'mine');
  write('tools/envrc', 'mine');
  symlinkSync('tools/vscode', join(project, '.vscode'));
  symlinkSync('tools/envrc', join(project, '.envrc'));
  const proof = join(home, 'proof');
  write(
    'evil.sh',
    `cat ~/.npmrc ~/.aws/credentials ~/dotfiles/npmrc ~/dotfiles/aws/credentials
for file in .vscode/tasks.json tools/vscode/tasks.json .envrc tools/envrc; do echo evil > $file; done
mv tools elsewhere
rm .git/HEAD; mkdir objects refs; echo 'ref: refs/heads/main' > head
cp head HEAD; mv head HEAD; ln head HEAD; ln -s head HEAD
printf '[core]\\nrepositoryformatversion=0\\nworktree=%s\\nfsmonitor=touch %s;false\\n' "$PWD" "${proof}" > config
true`,
  );
  await scene.tau(['-p', 'go']);
  const [told = '', written = ''] = toldIn(scene);
  expect(told).not.toMatch(/key-\d/);
  expect(told).toMatch(/The sandbox refused: .*write .*\/project\/HEAD/);
  expect(written).toMatch(unapproved);
  expect([read('tools/vscode/tasks.json'), read('tools/envrc')]).toEqual(['mine', 'mine']);
  // What the user's own shell does at its next prompt.
  expect(() =>
    execFileSync('git', ['status'], { cwd: project, stdio: 'pipe', env: { ...process.env, HOME: home } }),
  ).toThrow();
  expect([existsSync(proof), existsSync(join(project, 'HEAD'))]).toEqual([false, false]);
});

test('--sandbox is a wall for file tools and for outside in dangerously mode too: what leaves asks, the rest runs', async () => {
  const scene = await converse(
    [
      bash('echo evil >> ~/.bashrc'),
      bash('sh work.sh', { outside: 'true' }),
      calls(call('write', { path: '~/made', content: 'x' })),
      calls(call('read', { path: '~/.bashrc' })),
      bash('sleep 60', { outside: true, background: true }),
      bash('sh work.sh; rm -rf scratch'),
      says('done'),
    ],
    { contained: true, settings: { permissionMode: 'dangerously' } },
  );
  const { write, read, home, project } = scene;
  write(join(home, '.bashrc'), 'mine');
  write('work.sh', 'echo x > here; echo x > "$HOME/made"; echo ran');
  write('scratch/a', '');
  const run = await scene.tau(['-p', 'go', '--sandbox']);
  const told = toldIn(scene);
  for (const text of told.slice(0, 5)) expect(text).toMatch(unapproved);
  expect(told[5]).toMatch(/ran\n.*The sandbox refused: write .*\/home\/made/s);
  expect([existsSync(join(project, 'here')), existsSync(join(project, 'scratch'))]).toEqual([true, false]);
  expect([existsSync(join(home, 'made')), read(join(home, '.bashrc'))]).toEqual([false, 'mine']);
  expect(run.code).toBe(3);
});

test('wherever the project is, its own files are written and what starts with the user, or holds the command, is not', async () => {
  const scene = await converse(
    [bash('sh w.sh'), says('one'), bash('sh w.sh'), says('two'), bash('sh w.sh'), says('three')],
    {
      contained: true,
      settings,
    },
  );
  const { write, home, project } = scene;
  // Home itself.
  const steering = [
    '.bashrc',
    '.profile',
    '.ssh/config',
    '.local/bin/ls',
    '.tau/settings.json',
    '.gitconfig',
    '.aws/x',
  ];
  write(
    join(home, 'w.sh'),
    `${steering.map((path) => `mkdir -p $(dirname ${path}); echo evil >> ${path} && echo made ${path}`).join('\n')}
cat .tau/models.json; echo x > ordinary`,
  );
  const before = readFileSync(join(home, '.tau/settings.json'), 'utf8');
  await scene.tau(['-p', 'go'], { cwd: home });
  expect(toldIn(scene)[0]).not.toMatch(/^made|test-key/m);
  expect(readFileSync(join(home, '.tau/settings.json'), 'utf8')).toBe(before);
  expect(readdirSync(home).toSorted()).toEqual(['.tau', 'ordinary', 'w.sh']);
  // The temporary folder, where the sandbox keeps what it needs.
  const temporary = join(home, '../tmp');
  write(
    join(temporary, 'w.sh'),
    'for f in tau-contained-*/filter-all; do echo > $f && echo made $f; done; echo x > ordinary',
  );
  await scene.tau(['-p', 'go'], { cwd: temporary });
  expect(toldIn(scene)[0]).toMatch(/cannot create tau-contained-\w+\/filter-all: Read-only/);
  expect(existsSync(join(temporary, 'ordinary'))).toBe(true);
  // A link to the project: the folder it leads to is the project, and the link's neighbours are not.
  symlinkSync(project, join(home, 'link'));
  write('w.sh', 'echo x > ordinary; echo x > "$HOME/beside"; echo x > ../beside; true');
  await scene.tau(['-p', 'go'], { cwd: join(home, 'link'), env: { PWD: join(home, 'link') } });
  expect(existsSync(join(project, 'ordinary'))).toBe(true);
  // Beside a project in the temporary folder is the private one.
  expect([join(home, 'beside'), join(project, '../beside')].filter(existsSync)).toEqual([]);
});

test('nothing hidden is shown through the temporary folder of the machine, and no command writes there', async () => {
  const steps: Parameters<typeof converse>[0] = [];
  const scene = await converse(steps, { contained: true, settings });
  const { write, home } = scene;
  const d = join(home, '../tmp/d');
  write(join(home, '.ssh/id_test'), 'a private key');
  write('plant.sh', `ln -s "${home}/.ssh" $1/planted; echo x > $1/made; true`);
  write('look.sh', 'cat $1/id_test; echo looked');
  steps.push(
    calls(call('write', { path: join(d, 'note'), content: 'x' })),
    bash(`sh plant.sh ${d} > ${d}/log; cat ${d}/note`),
    bash(`sh look.sh ${d}/l; sh look.sh ${d}/planted`),
    says('done'),
    // In plan, where nothing asks.
    bash(`echo ${d}/l; x=l; cat ${d}/$x/id_test; sh look.sh ${d}/l`),
    says('done'),
  );
  mkdirSync(d);
  symlinkSync(join(home, '.ssh'), join(d, 'l'));
  await scene.tau(['-p', 'go']);
  const [, planted, looked] = toldIn(scene);
  // What tau's tools wrote there is read all the same.
  expect(planted).toMatch(/x$/m);
  expect(looked).toContain('looked');
  expect(looked).not.toContain('a private key');
  expect(readdirSync(d).toSorted()).toEqual(['l', 'note']);
  await scene.tau(['-p', 'go', '--permission-mode', 'plan']);
  expect(toldIn(scene).join('\n')).not.toContain('a private key');
  expect(toldIn(scene).join('\n')).toContain('looked');
});

test("what a person approves is done to the guarded file itself; the time they take is not the command's, and a command that outlives its run can still ask", async () => {
  const site = createServer((_, response) => response.end('hello'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const proxy = await startProxy({ target: `http://127.0.0.1:${(site.address() as AddressInfo).port}` });
  onTestFinished(async () => {
    await proxy.close();
    site.closeAllConnections();
    site.close();
  });
  // Enough for a program to start on a slow machine; what the person takes is more.
  const timeout_secs = 10;
  const scene = await converse(
    [
      bash('echo approved > .npmrc'),
      bash('echo approved > .husky/pre-push'),
      bash('node get.cjs http://slow.example/', { timeout_secs }),
      bash('sh late.sh', { background: true }),
      says('done'),
    ],
    { contained: true, settings },
  );
  const { write, read } = scene;
  write('.npmrc', 'mine');
  write('.husky/other', '');
  write('get.cjs', proxiedGet);
  write(
    'late.sh',
    'until [ -e go ]; do sleep 0.05; done; node get.cjs http://late.example/ > late.part; mv late.part late',
  );
  const run = scene.start(['--json'], { openStdin: true, env: { http_proxy: proxy.url, no_proxy: '127.0.0.1' } });
  const allow = async (id: string, waitMs = 0) => {
    await run.waitFor(`"id":"${id}"`);
    await sleep(waitMs);
    run.send({ type: 'permission_response', id, outcome: 'allow' });
  };
  run.send({ type: 'message', content: 'go' });
  await allow('ask-1');
  await allow('ask-2');
  await allow('host-1', timeout_secs * 1000 + 100);
  await run.waitFor('agent_end');
  write('go', '');
  await allow('host-2');
  await expect.poll(() => existsSync(join(scene.project, 'late'))).toBe(true);
  run.endInput();
  const done = await run.done;
  expect([read('.npmrc'), read('.husky/pre-push')]).toEqual(['approved\n', 'approved\n']);
  expect(toldIn(scene)[2]).toContain('http://slow.example/ 200 hello');
  expect(read('late')).toContain('http://late.example/ 200 hello');
  const asked = done.events().filter(({ type }) => type === 'permission_request');
  expect(asked.map(({ id }) => id)).toEqual(['ask-1', 'ask-2', 'host-1', 'host-2']);
});

test('where nobody looks on, a file that steers tools is taken away after the command and told as made, and doctor says why', async () => {
  const scene = await converse([bash('sh make.sh'), says('done')], { contained: true, settings });
  const { write, home, project } = scene;
  const perl = join(home, 'programs/perl');
  write(perl, '#!/bin/sh\nexit 1\n');
  chmodSync(perl, 0o755);
  const env = { PATH: `${dirname(perl)}:${process.env.PATH}` };
  write('make.sh', 'echo evil > .envrc; echo fine > ordinary');
  const run = await scene.tau(['-p', 'go', '--output-format', 'stream-json'], { env });
  const made = { path: join(project, '.envrc'), happened: true, aside: join(project, '.envrc.refused') };
  expect(run.events().filter(({ type }) => type === 'sandbox_violation')).toEqual([expect.objectContaining(made)]);
  expect(toldIn(scene)[0]).toMatch(
    /could not refuse this, and it was made: write .*\.envrc \(moved to .*\.envrc\.refused\)/,
  );
  expect(readdirSync(project).toSorted()).toEqual(['.envrc.refused', 'make.sh', 'ordinary']);
  expect(readFileSync(join(scene.tauHome, 'logs/permissions.jsonl'), 'utf8')).toContain(
    'could not keep it from making',
  );
  expect((await scene.tau(['doctor'], { env })).stdout).toMatch(
    /Sandbox reports +no perl that can look on[^→]*→ Install perl/,
  );
});

/** A package that is in the user's cache, and in no registry. */
function fetchedByNpm({ home }: Conversation): { resolved: string; integrity: string } {
  const folder = join(home, 'dep');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'dep', version: '1.0.0', main: 'two.js' }));
  writeFileSync(join(folder, 'two.js'), 'module.exports = 2;');
  const npm = (args: string[]) =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: home } });
  const [packed]: { integrity: string }[] = JSON.parse(npm(['pack', '--json']));
  npm(['cache', 'add', join(folder, 'dep-1.0.0.tgz')]);
  return { resolved: 'https://registry.npmjs.org/dep/-/dep-1.0.0.tgz', integrity: packed?.integrity ?? '' };
}

test('the suites of small projects of node, python and make run unasked, with what was fetched for them before', async () => {
  const scene = await converse(
    [
      bash('npm ci --offline 2>&1'),
      bash('npm test --silent 2>&1'),
      bash('python3 -m unittest 2>&1'),
      bash('make -s check'),
      bash('make -s fetch'),
      bash('make -s fetched'),
      says('done'),
    ],
    {
      contained: true,
      settings,
    },
  );
  const { write } = scene;
  const crates = join(scene.home, '.cargo/registry/cache/i');
  mkdirSync(crates, { recursive: true });
  writeFileSync(join(crates, 'a-1.0.0.crate'), 'a\n');
  // Where python may not leave what it compiles.
  writeFileSync(join(scene.home, 'library.py'), 'two = 2\n');
  write('Cargo.toml', '');
  const small = { name: 'small', version: '1.0.0', dependencies: { dep: '1.0.0' } };
  write('package.json', JSON.stringify({ ...small, scripts: { test: 'node --test' } }));
  const packages = { '': small, 'node_modules/dep': { version: '1.0.0', ...fetchedByNpm(scene) } };
  write('package-lock.json', JSON.stringify({ ...small, lockfileVersion: 3, packages }));
  write('small.test.js', "require('node:test')('adds', () => require('node:assert').equal(1 + 1, require('dep')));");
  write(
    'test_small.py',
    'import unittest, library\nclass Small(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(1 + 1, library.two)\n',
  );
  write(
    'Makefile',
    `check: out/sum\n\ttest "$$(cat out/sum)" = 2 && echo checked\nout/sum:\n\tmkdir -p out && expr 1 + 1 > $@
fetch:\n\techo b > ${crates}/b-1.0.0.crate\nfetched:\n\tcat ${crates}/*.crate\n`,
  );
  const run = await scene.tau(['-p', 'go'], { env: { PYTHONPATH: scene.home } });
  const [installed, node, python, make, , crate] = toldIn(scene);
  expect(installed).toMatch(/added 1 package/);
  expect(node).toMatch(/pass 1\b/);
  expect(python).toMatch(/Ran 1 test.*OK/s);
  expect(make).toBe('checked');
  expect(crate).toBe('a\nb');
  expect(readdirSync(crates)).toEqual(['a-1.0.0.crate']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
});
