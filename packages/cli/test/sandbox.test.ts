/** Commands in the sandbox, through the built command: what it holds runs, what leaves it asks, and everything is told. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Conversation, call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { at, list } from './json.ts';
import { expectGone, pidsIn } from './processes.ts';

const auto = { permissionMode: 'auto' };
const bash = (command: string, more: object = {}) => calls(call('bash', { command, ...more }));
const contained = { contained: true, settings: auto };

/** What the model was told, call by call. */
const toldIn = ({ model }: Conversation, count: number) =>
  resultsIn(request(model, count))
    .slice(-count)
    .map(({ text }) => text);

const sandboxIn = (run: { events(): Record<string, unknown>[] }) =>
  run.events().find(({ type }) => type === 'agent_start')?.sandbox;

test('in auto what nobody knows runs contained, and what would leave the project asks', async () => {
  const scene = await converse(
    [
      bash('sh work.sh'),
      bash('touch ~/plain'),
      bash('sh work.sh', { outside: true }),
      bash('echo "token: $MY_TOKEN."; cat ~/.ssh/id_test', {}),
      says('done'),
    ],
    contained,
  );
  const { tau, write, project, home } = scene;
  write('work.sh', 'echo in > made; echo out > "$HOME/made" || echo kept out');
  write(join(home, '.ssh/id_test'), 'private');
  const run = await tau(['-p', 'go', '--output-format', 'stream-json'], { env: { MY_TOKEN: 'tell-no-one' } });
  const told = toldIn(scene, 4);
  expect(told[0]).toMatch(
    /kept out\n.*The sandbox refused: write .*\/home\/made\. The command succeeded all the same\. Nobody can be asked here, so outside: true would be refused: .* needs a rule outside\(\.\.\.\)/s,
  );
  expect(told[1]).toMatch(/^Not allowed: this needs approval .*outside the project/);
  expect(told[2]).toMatch(/^Not allowed: this needs approval .*it asks to run outside the sandbox/);
  expect(told[3]).toMatch(/holds credentials/);
  expect([existsSync(join(project, 'made')), existsSync(join(home, 'made')), existsSync(join(home, 'plain'))]).toEqual([
    true,
    false,
    false,
  ]);
  expect(run.code).toBe(3);
  expect(sandboxIn(run)).toEqual({ on: true, backend: 'bubblewrap' });
  expect(run.events().filter(({ type }) => type === 'sandbox_violation')).toEqual([
    expect.objectContaining({ what: 'write', path: join(home, 'made'), command: 'sh work.sh' }),
  ]);
  const log = readFileSync(join(scene.tauHome, 'logs/permissions.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(log.map((line) => [at(line, 'outcome'), at(line, 'sandbox')])).toEqual([
    ['allow', 'contained'],
    ['deny', undefined],
    ['ask', undefined],
    ['ask', 'outside'],
    ['deny', undefined],
  ]);
});

test('a contained command has no secret of the environment; stderr says what was refused, and the third time is one too many', async () => {
  const settings = { ...auto, sandbox: { unreadable: ['hidden.txt'] } };
  const look = bash('sh look.sh');
  const scene = await converse([look, look, look, bash('cat hidden.txt'), says('done')], { contained: true, settings });
  scene.write('hidden.txt', 'pssst');
  scene.write('look.sh', 'echo "token: $MY_TOKEN."; cat "$HOME/.ssh/id_test"; echo x > "$HOME/x"; false');
  scene.write(join(scene.home, '.ssh/id_test'), 'private');
  const run = await scene.tau(['-p', 'go'], { env: { MY_TOKEN: 'tell-no-one' } });
  expect(run).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(run.stderr).toContain(`tau: the sandbox refused: write ${join(scene.home, 'x')}`);
  const [told = '', , last = '', hidden = ''] = toldIn(scene, 4);
  // Its words say that it reads it, so that is told although it succeeds.
  expect(run.stderr).toContain(`tau: the sandbox refused: read ${join(scene.project, 'hidden.txt')}`);
  expect(hidden).toContain('The sandbox refused: read ');
  expect(hidden).not.toContain('pssst');
  expect(told).toContain('token: .');
  expect(told).not.toContain('private');
  expect(told).not.toContain('do not try it again');
  expect(last).toContain('denied 3 times: do not try it again');
});

test('a program that failed after it opened a hidden file, or made a refused call, is told so by the sandbox', async () => {
  const scene = await converse(
    [bash('sh push.sh'), bash('sh trace.sh'), bash('sh npm.sh'), bash('sh npm.sh'), bash('sh fine.sh'), says('done')],
    contained,
  );
  const { home, write } = scene;
  for (const name of ['.ssh/id_test', '.npmrc']) write(join(home, name), 'private');
  const key = join(home, '.ssh/id_test');
  write('push.sh', `[ -n "$(cat ${key})" ] || exit 7`);
  write('trace.sh', 'unshare -U true');
  write('npm.sh', `cat ${join(home, '.npmrc')}; echo 1 test failed; false`);
  write('fine.sh', `cat ${key}; unshare -U true 2>&-; echo fine`);
  const run = await scene.tau(['-p', 'go', '--output-format', 'stream-json']);
  const told = toldIn(scene, 5);
  const hidden = (path: string) => `read ${path} (it is hidden, and seems empty)`;
  expect(told[0]).toContain('exit code: 7');
  expect(told[0]).toContain(`The sandbox refused: ${hidden(key)}. Nobody can be asked here`);
  expect(told[1]).toContain('The sandbox refused: the system call unshare. Nobody can be asked here');
  // Tools read it at every start: it is told once.
  expect(told[2]).toContain(`The sandbox refused: ${hidden(join(home, '.npmrc'))}.`);
  expect(told[3]).not.toContain('The sandbox refused');
  expect(told[4]).toBe('fine');
  expect(JSON.stringify(told)).not.toContain('private');
  const violations = run.events().filter(({ type }) => type === 'sandbox_violation');
  expect(violations.map(({ what, path, call: name }) => [what, path ?? name])).toEqual([
    ['read', key],
    ['call', 'unshare'],
    ['read', join(home, '.npmrc')],
  ]);
  const log = readFileSync(join(scene.tauHome, 'logs/permissions.jsonl'), 'utf8');
  expect(log).toContain('the sandbox refused to call unshare');
});

test('git looks at the project from inside, with what the user set in the environment', async () => {
  const looks = ['git status --short', 'git diff', 'git log --oneline'];
  const scene = await converse([...looks.map((look) => bash(look)), bash('sh commit.sh'), says('done')], contained);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: scene.project });
  git('init', '-q', '-b', 'main');
  scene.write('a.txt', 'one\n');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first words');
  scene.write('a.txt', 'two\n');
  scene.write('commit.sh', 'git commit -qam second && git log --format=%an -1; env | grep hunter2');
  const settings = [
    ['user.name', 'Of The Environment'],
    ['http.extraheader', 'AUTHORIZATION: basic hunter2'],
    ['user.email', 'e@example.org'],
  ];
  const set = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  const env = { ...Object.fromEntries(set), GIT_CONFIG_COUNT: '3' };
  await scene.tau(['-p', 'go'], { env });
  const [status, diff, log, commit] = toldIn(scene, 4);
  expect(status).toContain(' M a.txt');
  expect(diff).toContain('+two');
  expect(log).toMatch(/first words$/);
  expect(commit).toMatch(/^Of The Environment\nexit code: 1$/);
});

test('a rule opens paths and hosts to the commands it allows, and to no others', async () => {
  const permissions = {
    allow: [{ rule: 'bash(sh deploy.sh:*)', writable: ['~/released'], hosts: ['a.example'] }],
    deny: [{ rule: 'bash(sh never.sh)', writable: ['~'] }],
  };
  const scene = await converse(
    [
      bash('sh deploy.sh now'),
      bash('sh deploy.sh now; sh other.sh'),
      bash('sh other.sh'),
      bash('sh get.sh'),
      says('done'),
    ],
    { contained: true, settings: { ...auto, permissions } },
  );
  const { home, write } = scene;
  write(join(home, 'released/there'), '');
  write('get.sh', 'curl -s -o /dev/null -w "%{http_code}" http://a.example/; true');
  write('deploy.sh', 'sh get.sh; echo $1 > "$HOME/released/made"');
  write('other.sh', 'echo other > "$HOME/released/other"; true');
  // Through a proxy that does not answer nobody is reached: what counts is whether it is tried.
  const run = await scene.tau(['-p', 'go'], { env: { http_proxy: 'http://127.0.0.1:9', no_proxy: '127.0.0.1' } });
  const told = toldIn(scene, 4);
  expect(readFileSync(join(home, 'released/made'), 'utf8')).toBe('now\n');
  expect(existsSync(join(home, 'released/other'))).toBe(false);
  expect(told[0]).toMatch(/^502/);
  expect(told[0]).not.toContain('approval');
  expect(told[1]).toContain(`write ${join(home, 'released/made')}`);
  expect(told[2]).toContain(`write ${join(home, 'released/other')}`);
  expect(told[3]).toMatch(/^403\n.*connect a\.example \(it needs approval/s);
  expect(run.stderr).toContain('The deny rule "bash(sh never.sh)" opens nothing');
});

test('a rule that opens what nobody can read as a path stops tau with the place and the way out', async () => {
  const allow = [{ rule: 'bash(sh deploy.sh)', writable: ['dist/**'] }];
  const scene = await converse([says('done')], { contained: true, settings: { permissions: { allow } } });
  const run = await scene.tau(['-p', 'go']);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('permissions.allow.0.writable.0');
  expect(run.stderr).toContain('"dist/**" is a pattern, which is not understood here');
});

test('the model may ask to run outside: only a rule that says so lets it, and what it offers is told in the request', async () => {
  const scene = await converse(
    [bash('sh out.sh', { outside: true }), bash('sh out.sh'), bash('sh other.sh', { outside: true }), says('done')],
    contained,
  );
  const { tau, write, home, model } = scene;
  write('out.sh', 'echo x > "$HOME/made" && echo reached');
  write('other.sh', 'true');
  const run = await tau(['-p', 'go', '--allow', 'outside(sh out.sh)', '--allow', 'bash']);
  const told = toldIn(scene, 3);
  expect(told[0]).toBe('reached');
  expect(existsSync(join(home, 'made'))).toBe(true);
  // The rule would let it.
  expect(told[1]).toMatch(/The sandbox refused: write .*\. If that is needed, call again with outside: true\.$/);
  expect(told[2]).toContain('it asks to run outside the sandbox');
  expect(run.code).toBe(3);
  expect(run.stderr).toContain("To allow it: --allow 'outside(sh other.sh)'");
  const tools = list(at(request(model, 0).body, 'tools'));
  const tool = tools.find((one) => at(one, 'name') === 'bash');
  expect(Object.keys(at(tool, 'input_schema', 'properties') ?? {})).toContain('outside');
  expect(JSON.stringify(request(model, 0).body).length).toBeLessThan(8192);
});

test('a person can say yes to one command outside, and that yes is not one to the next', async () => {
  const scene = await converse(
    [bash('sh out.sh'), bash('sh out.sh', { outside: true }), bash('sh out.sh', { outside: true }), says('done')],
    contained,
  );
  scene.write('out.sh', 'echo x >> "$HOME/made"');
  const run = scene.start(['--json'], { openStdin: true });
  run.send({ type: 'message', content: 'go' });
  await run.waitFor('"id":"ask-1"');
  run.send({ type: 'permission_response', id: 'ask-1', outcome: 'allow', scope: 'always' });
  await run.waitFor('"id":"ask-2"');
  run.send({ type: 'permission_response', id: 'ask-2', outcome: 'deny' });
  await run.waitFor('agent_end');
  run.endInput();
  await run.done;
  expect(toldIn(scene, 3)[0]).toMatch(
    /The sandbox refused: write .*call again with outside: true, which asks the user\.$/,
  );
  expect(scene.read(join(scene.home, 'made'))).toBe('x\n');
  expect(existsSync(join(scene.tauHome, 'permissions.json'))).toBe(false);
});

test.each([
  ['in dontAsk', ['--permission-mode', 'dontAsk', '--allow', 'bash']],
  ['with approvals switched off', ['--approve', 'none']],
])('%s nobody is asked, so the model is not sent outside, although somebody is there', async (_, flags) => {
  const scene = await converse([bash('sh out.sh'), says('done')], contained);
  scene.write('out.sh', 'echo x >> "$HOME/made"');
  const run = scene.start(['--json', ...flags], { openStdin: true });
  run.send({ type: 'message', content: 'go' });
  await run.waitFor('agent_end');
  run.endInput();
  await run.done;
  expect(toldIn(scene, 1)[0]).toMatch(
    /The sandbox refused: write .*\. Nobody can be asked here, so outside: true would/,
  );
});

test('what a person approves beyond the project is open to that command, and to no other', async () => {
  const scene = await converse([bash('cp made.txt ~/notes/new.txt'), bash('sh later.sh'), says('done')], {
    contained: true,
    settings: { ...auto, permissions: { allow: ['bash(cp:*)'] } },
  });
  scene.write('made.txt', 'x');
  scene.write('later.sh', 'echo y > "$HOME/notes/new.txt"; true');
  scene.write(join(scene.home, 'notes/old.txt'), '');
  await scene.tau(['-p', 'go']);
  expect(toldIn(scene, 2)[1]).toContain('The sandbox refused: write');
  expect(scene.read(join(scene.home, 'notes/new.txt'))).toBe('x');
});

test('plan runs what nobody knows with everything read-only', async () => {
  const scene = await converse([bash('sh look.sh'), bash('touch made'), says('done')], {
    contained: true,
    settings: { permissionMode: 'plan' },
  });
  scene.write('look.sh', 'echo looked; echo x > made; echo x > "$TMPDIR/scratch" && echo scratched');
  const run = await scene.tau(['-p', 'go']);
  const told = toldIn(scene, 2);
  expect(told[0]).toMatch(
    /looked\n.*scratched\n.*The sandbox refused: write .*made\. The command succeeded all the same\. In plan mode/s,
  );
  expect(told[1]).toContain('plan mode only reads');
  expect(existsSync(join(scene.project, 'made'))).toBe(false);
  expect(run.code).toBe(0);
});

test('a background command is contained too, is refused the same, and is gone when tau is', async () => {
  const scene = await converse(
    [
      bash('sh serve.sh', { background: true }),
      // Not before it was seen outside: tau takes it along when it ends.
      bash('until [ -e ready ] && [ -e seen ]; do sleep 0.02; done'),
      calls(call('jobs', { action: 'output', id: 'job-1' })),
      says('done'),
    ],
    contained,
  );
  const sleep = `sleep 1000.${process.pid}`;
  const asleep = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').includes(sleep);
  scene.write(
    'serve.sh',
    `echo x > "$HOME/made"; setsid ${sleep} & echo x > ready; until [ -e never ]; do sleep 1; done`,
  );
  const run = scene.start(['-p', 'go']);
  await expect.poll(asleep).toBe(true);
  scene.write('seen', '');
  expect((await run.done).code).toBe(0);
  expect(toldIn(scene, 3)[2]).toMatch(/The sandbox refused: write .*\/home\/made/);
  expect(existsSync(join(scene.home, 'made'))).toBe(false);
  // Even what left its group: its namespace of processes is gone.
  await expect.poll(asleep).toBe(false);
});

test('without the sandbox a background command leaves a process id that is gone with tau as well', async () => {
  const scene = await converse(
    [bash('sh serve.sh', { background: true }), bash('until [ -s pids ]; do sleep 0.02; done'), says('done')],
    { contained: true, settings: { permissionMode: 'dangerously' } },
  );
  scene.write('serve.sh', 'sleep 1000 & echo $! > pids; echo x > "$HOME/made"; wait');
  await scene.tau(['-p', 'go']);
  await expectGone(await pidsIn(join(scene.project, 'pids'), 1));
  // Dangerously does without a sandbox, unless the user says otherwise.
  expect(existsSync(join(scene.home, 'made'))).toBe(true);
});

test('--sandbox holds commands in dangerously mode too: what they only read elsewhere is left to it, what leaves asks', async () => {
  const scene = await converse(
    [
      bash('sh out.sh'),
      bash('cat ~/notes.txt'),
      bash('touch ~/made'),
      calls(call('read', { path: '~/notes.txt' })),
      says('done'),
    ],
    { contained: true, settings: { permissionMode: 'dangerously' } },
  );
  scene.write('out.sh', 'echo x > "$HOME/made"');
  scene.write(join(scene.home, 'notes.txt'), 'noted');
  await scene.tau(['-p', 'go', '--sandbox']);
  const told = toldIn(scene, 4);
  expect(told[0]).toContain('The sandbox refused: write');
  expect(told[1]).toBe('noted');
  expect(told[2]).toMatch(/^Not allowed: this needs approval .*outside the project/);
  expect(told[3]).toMatch(/^Not allowed: this needs approval .*outside the project/);
  expect(existsSync(join(scene.home, 'made'))).toBe(false);
});

test('a hook is contained, and one that says outside is not', async () => {
  const hook = (name: string, more: object = {}) => ({
    ...{ event: 'PostToolUse', tools: ['read'], command: `echo x > "$HOME/${name}"; true` },
    ...more,
  });
  const scene = await converse([calls(call('read', { path: 'a.txt' })), says('done')], {
    contained: true,
    settings: { hooks: [hook('held'), hook('free', { outside: true })] },
  });
  scene.write('a.txt', 'a');
  await scene.tau(['-p', 'go']);
  expect([existsSync(join(scene.home, 'held')), existsSync(join(scene.home, 'free'))]).toEqual([false, true]);
});

test('--sandbox where there is none runs no command, and says why and what to do', async () => {
  const scene = await converse([bash('echo hello > made'), bash('ls'), says('done')], {
    contained: true,
    settings: { sandbox: { backend: 'seatbelt' } },
  });
  const run = await scene.tau(['-p', 'go', '--sandbox', '--allow', 'bash']);
  expect(run.stderr).toContain('No command will run, because there is no sandbox: seatbelt is for macOS');
  for (const told of toldIn(scene, 2)) {
    expect(told).toMatch(/^Not run: commands run in a sandbox or not at all: seatbelt is for macOS.*sandbox\.backend/s);
  }
  expect(existsSync(join(scene.project, 'made'))).toBe(false);
});

test('a self-test that fails switches it off with the reason, asks as before, and is kept for a while', async () => {
  const scene = await converse([bash('sh work.sh'), says('done'), says('again')], contained);
  scene.write('work.sh', 'true');
  const bin = join(scene.home, 'programs');
  scene.write(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2; exit 1\n');
  chmodSync(join(bin, 'bwrap'), 0o755);
  const env = { PATH: `${bin}:${process.env.PATH}` };
  const first = await scene.tau(['-p', 'go', '--output-format', 'stream-json'], { env });
  expect(sandboxIn(first)).toMatchObject({ on: false, reason: expect.stringContaining('bwrap') });
  // Nobody has to be told in every run.
  expect(first.stderr).not.toContain('sandbox');
  expect(first.code).toBe(3);
  const path = join(scene.tauHome, 'sandbox.json');
  const record: unknown = JSON.parse(scene.read(path));
  expect(at(record, 'result', 'works')).toBe(false);
  // What is kept is what counts, as long as it is about the same program.
  const said = { works: false, reason: 'somebody wrote this', remedy: 'mend it' };
  writeFileSync(path, JSON.stringify({ ...Object(record), result: said }));
  const second = await scene.tau(['-p', 'go', '--verbose'], { env });
  expect(second.stderr).toContain('tau: sandbox off, because somebody wrote this');
});

test('a self-test that found less than there is is made again after an hour', async () => {
  const scene = await converse([says('one'), says('two'), says('three')], contained);
  const path = join(scene.tauHome, 'sandbox.json');
  const facts = () => at(JSON.parse(scene.read(path)), 'result', 'facts');
  const run = () => scene.tau(['-p', 'go', '--output-format', 'stream-json']);
  await run();
  const [whole, record] = [facts(), Object(JSON.parse(scene.read(path)))];
  expect(whole).toHaveProperty('perl');
  const { perl: _, ...less } = Object(whole);
  for (const [testedAt, then] of [
    [Date.now(), less],
    [Date.now() - 2 * 60 * 60_000, whole],
  ]) {
    writeFileSync(path, JSON.stringify({ ...record, testedAt, result: { works: true, facts: less } }));
    expect(sandboxIn(await run())).toMatchObject({ on: true });
    expect(facts()).toEqual(then);
  }
});

test('what a person allowed for good while there was a sandbox is asked about again when there is none', async () => {
  const steps = [bash('sh work.sh'), says('done')];
  const scene = await converse([...steps, ...steps, ...steps], {
    contained: true,
    settings: { permissionMode: 'default' },
  });
  scene.write('work.sh', 'echo x >> made');
  const run = scene.start(['--json'], { openStdin: true });
  run.send({ type: 'message', content: 'go' });
  await run.waitFor('"id":"ask-1"');
  run.send({ type: 'permission_response', id: 'ask-1', outcome: 'allow', scope: 'always' });
  await run.waitFor('agent_end');
  run.endInput();
  await run.done;
  expect(scene.read(join(scene.tauHome, 'permissions.json'))).toContain('contained(sh work.sh)');
  expect((await scene.tau(['-p', 'go'])).code).toBe(0);
  expect((await scene.tau(['-p', 'go', '--no-sandbox'])).code).toBe(3);
  expect(scene.read(join(scene.project, 'made'))).toBe('x\nx\n');
});

test('--no-sandbox is visible, and commands are asked about as without one', async () => {
  const scene = await converse([bash('sh work.sh'), says('done')], contained);
  scene.write('work.sh', 'true');
  const run = await scene.tau(['-p', 'go', '--no-sandbox', '--output-format', 'stream-json']);
  expect(sandboxIn(run)).toEqual({ on: false, reason: '--no-sandbox says so' });
  expect(run.code).toBe(3);
  expect(await scene.tau(['-p', 'go', '--sandbox', '--no-sandbox'])).toMatchObject({ code: 2 });
});

test('whoever switches it off is told before the first command that nothing holds it, and is not told where none runs', async () => {
  const scene = await converse([bash('sh work.sh'), bash('sh work.sh'), says('done'), says('hi')], contained);
  scene.write('work.sh', 'true');
  const run = await scene.tau(['-p', 'go', '--no-sandbox', '--allow', 'bash']);
  expect(
    run.stderr.match(/tau: the sandbox is off, because --no-sandbox says so: commands can do what you can/g),
  ).toHaveLength(1);
  const { stderr } = await scene.tau(['-p', 'hi', '--no-sandbox']);
  expect(stderr).not.toContain('sandbox');
});

test('/sandbox shows it, and switches it off for the session only', async () => {
  const scene = await converse([bash('sh out.sh'), says('done')], { contained: true });
  scene.write('out.sh', 'echo x > "$HOME/made"');
  const run = await scene.tau(['-p', '/sandbox', '/sandbox off', 'go', '--allow', 'bash']);
  expect(run.stdout).toMatch(/^sandbox: on, by bubblewrap\nsandbox: off, because it was switched off in this session/);
  expect(existsSync(join(scene.home, 'made'))).toBe(true);
  expect((await scene.tau(['-p', '/sandbox'])).stdout).toBe('sandbox: on, by bubblewrap\n');
  expect((await scene.tau(['-p', '/sandbox on', '--no-sandbox'])).stderr).toContain('cannot be switched on');
});

test('the mode nobody chose is auto in a trusted project with a sandbox, else default', async () => {
  const scene = await converse([says('one'), says('two'), says('three')], { contained: true, git: true });
  const modeOf = async (args: string[] = []) => {
    const run = await scene.tau(['-p', 'go', '--output-format', 'stream-json', ...args]);
    return run.events().find(({ type }) => type === 'agent_start')?.permissionMode;
  };
  expect(await modeOf()).toBe('default');
  await scene.tau(['trust', 'yes']);
  expect(await modeOf()).toBe('auto');
  expect(await modeOf(['--no-sandbox'])).toBe('default');
  const explained = await scene.tau(['permissions', 'explain', 'make all']);
  expect(explained.stdout).toMatch(
    /^allow: .*\n.*\n {2}mode {3}auto \(the project is trusted.*\n {2}runs {3}contained by bubblewrap/,
  );
});
