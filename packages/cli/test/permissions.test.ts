import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';

/** What a mode does with each kind of call: done, or why the model was refused. */
const probes = {
  read: call('read', { path: 'inside.txt' }),
  look: call('bash', { command: 'cat inside.txt' }),
  write: call('write', { path: 'new.txt', content: 'x' }),
  edit: call('edit', { path: 'inside.txt', old_string: 'text', new_string: 'word' }),
  command: call('bash', { command: 'touch made.txt' }),
  code: call('bash', { command: 'sh ./none.sh' }),
  outside: call('write', { path: '../outside.txt', content: 'x' }),
};

const nobody = /nobody is there/;
const planned = /plan mode only reads/;
const unasked = /dontAsk mode denies/;

test.each([
  ['default', { write: nobody, edit: nobody, command: nobody, code: nobody, outside: nobody }, 3],
  ['acceptEdits', { code: nobody, outside: nobody }, 3],
  ['trustProject', { outside: nobody }, 3],
  ['auto', { code: nobody, outside: nobody }, 3],
  ['plan', { write: planned, edit: planned, command: planned, code: planned, outside: planned }, 0],
  ['dontAsk', { write: unasked, edit: unasked, command: unasked, code: unasked, outside: unasked }, 0],
  ['dangerously', {}, 0],
] as const)('--permission-mode %s lets through what it says and refuses the rest', async (mode, refused, code) => {
  const refusals: Partial<Record<string, RegExp>> = refused;
  const steps = Object.values(probes).map((probe) => calls(probe));
  const { tau, model, write } = await converse([...steps, says('done')]);
  write('inside.txt', 'some text');
  const run = await tau(['-p', 'go', '--permission-mode', mode]);
  expect(run).toMatchObject({ code, stdout: 'done\n' });
  const results = resultsIn(request(model, steps.length));
  for (const [index, name] of Object.keys(probes).entries()) {
    const expected = refusals[name];
    const text = results[index]?.text ?? '';
    if (expected) expect(`${name}: ${text}`).toMatch(expected);
    else expect(`${name}: ${text}`).not.toMatch(/not allowed/i);
  }
});

test('an effect that was refused did not happen', async () => {
  const { tau, project } = await converse([calls(probes.write, probes.command, probes.outside), says('done')]);
  expect((await tau(['-p', 'go'])).code).toBe(3);
  for (const name of ['new.txt', 'made.txt', '../outside.txt']) expect(existsSync(join(project, name))).toBe(false);
});

test('the report names every refusal and the flags it gives allow exactly that', async () => {
  const commands = [`printf '%s' "it's" > 'a b.txt'`, 'echo * | tee [x].txt'];
  const step = calls(
    ...commands.map((command) => call('bash', { command })),
    call('write', { path: "o'clock?.txt", content: 'x' }),
  );
  const { tau, read, model } = await converse([step, says('no'), step, says('yes')]);
  const refused = await tau(['-p', 'go']);
  expect(refused).toMatchObject({ code: 3, stdout: 'no\n' });
  for (const name of [...commands, "o'clock?.txt"]) expect(refused.stderr).toContain(name);

  const flags = refused.stderr.match(/^To allow it: (.*), or choose/m)?.[1] ?? '';
  const args = execFileSync('sh', ['-c', `printf '%s\\n' ${flags}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  expect(args.filter((arg) => arg === '--allow')).toHaveLength(3);
  expect(await tau(['-p', 'go', ...args])).toMatchObject({ code: 0, stdout: 'yes\n', stderr: '' });
  expect(read('a b.txt')).toBe("it's");
  expect(read("o'clock?.txt")).toBe('x');
  expect(resultsIn(request(model, 3))).toHaveLength(3);
});

test('the report offers only what would help: no allow against an ask rule, none for a plan, and it names an address', async () => {
  const fetching = calls(call('web_fetch', { url: 'https://example.org/a' }));
  const leaving = calls(call('plan_exit', { plan: 'write a.txt' }));
  const { tau } = await converse([calls(probes.command), says('1'), leaving, says('2'), fetching, says('3')]);
  const asked = await tau(['-p', 'go', '--ask', 'bash']);
  expect(asked.code).toBe(3);
  expect(asked.stderr).toMatch(/^To allow it: take away the ask rule bash, or choose a --permission-mode$/m);

  const planned = await tau(['-p', 'go', '--permission-mode', 'plan']);
  expect(planned.stderr).toMatch(/^ {2}plan_exit: /m);
  expect(planned.stderr).toMatch(/^To allow it: go on with -c and another --permission-mode$/m);

  expect((await tau(['-p', 'go'])).stderr).toMatch(/^ {2}web_fetch https:\/\/example\.org\/a: it connects/m);
});

test('the flags for a path that leads elsewhere name both its forms, and are enough', async () => {
  const step = calls(call('write', { path: 'link/a.txt', content: 'x' }));
  const { tau, read, project } = await converse([step, says('no'), step, says('yes')]);
  execFileSync('sh', ['-c', 'mkdir real && ln -s real link'], { cwd: project });
  const { stderr } = await tau(['-p', 'go']);
  const rules = [...stderr.matchAll(/--allow '([^']+)'/g)].map(([, rule = '']) => rule);
  expect(rules).toHaveLength(2);
  const flags = rules.flatMap((rule) => ['--allow', rule]);
  expect(await tau(['-p', 'go', ...flags])).toMatchObject({ code: 0, stdout: 'yes\n', stderr: '' });
  expect(read('real/a.txt')).toBe('x');
});

test('what the model wrote into a path or a command cannot steer the terminal that shows the report', async () => {
  const evil = 'a\u001b[2J\u009b31mb\u202e.txt';
  const { tau } = await converse([
    calls(call('write', { path: evil, content: 'x' }), call('bash', { command: `rm '${evil}'` })),
    says('done'),
  ]);
  const run = await tau(['-p', 'go']);
  expect(run.code).toBe(3);
  expect([...run.stderr].filter((char) => /[\p{Cc}\p{Cf}]/u.test(char) && char !== '\n')).toEqual([]);
});

test('a denial by a rule is no question: the run ends with 0 and says nothing', async () => {
  const { tau, model } = await converse([calls(probes.command), says('done')]);
  const run = await tau(['-p', 'go', '--deny', 'bash(touch:*)', '--permission-mode', 'dangerously']);
  expect(run).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringContaining('rule bash(touch:*)') }]);
});

test('deny beats ask beats allow, in whatever order they are given', async () => {
  const { tau, model } = await converse([calls(probes.look, probes.read), says('done')]);
  const run = await tau([
    '-p',
    'go',
    '--allow',
    'read',
    '--allow=bash',
    '--ask',
    'read',
    '--deny',
    'bash',
    '--allow',
    'bash',
  ]);
  expect(run.code).toBe(3);
  const [look, read] = resultsIn(request(model, 1));
  expect(look?.text).toMatch(/rule bash/);
  expect(read?.text).toMatch(nobody);
});

test('--ask asks for what the mode would allow', async () => {
  const { tau, project } = await converse([calls(probes.write), says('done')]);
  const run = await tau(['-p', 'go', '--permission-mode', 'acceptEdits', '--ask', 'write(new.txt)']);
  expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining('write new.txt') });
  expect(existsSync(join(project, 'new.txt'))).toBe(false);
});

test('--allow may be given many times, and each counts', async () => {
  const { tau } = await converse([calls(probes.write, probes.command), says('done')]);
  const rules = ['--allow', 'write(new.txt)', '--allow', 'bash(touch:*)'];
  expect(await tau(['-p', 'go', ...rules])).toMatchObject({ code: 0, stderr: '' });
});

test('a rule that cannot be read is a warning, and it allows nothing', async () => {
  const { tau } = await converse([calls(probes.command), says('done')]);
  const run = await tau(['-p', 'go', '--allow', 'bash(touch *']);
  expect(run).toMatchObject({ code: 3, stderr: expect.stringMatching(/^tau: warning: .*bash\(touch \*/) });
});

test('a deny rule that cannot be read denies the whole tool', async () => {
  const { tau, model } = await converse([calls(probes.look), says('done')]);
  const run = await tau(['-p', 'go', '--deny', 'bash(cat:*:*)', '--permission-mode', 'dangerously']);
  expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('warning') });
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringMatching(/^Not allowed/) }]);
});

test.each(['.ssh/id_ed25519', '.tau/auth.json', '.netrc', '.aws/credentials'])(
  '~/%s is never read, in any mode, by any tool or link',
  async (name) => {
    const secret = 'TOP-SECRET';
    const { tau, model, home, write, project } = await converse([
      calls(
        call('read', { path: `../home/${name}` }),
        call('read', { path: 'link' }),
        call('bash', { command: `cat ../home/${name}` }),
        call('bash', { command: 'cat link' }),
        call('write', { path: `../home/${name}`, content: 'mine' }),
      ),
      says('done'),
    ]);
    write(join(home, name), secret);
    execFileSync('ln', ['-s', join(home, name), join(project, 'link')]);
    const run = await tau(['-p', 'go', '--permission-mode', 'dangerously', '--allow', 'read']);
    expect(run.code).toBe(0);
    expect(request(model, 1).raw).not.toContain(secret);
    expect(resultsIn(request(model, 1)).map(({ text }) => text)).toEqual(
      Array.from({ length: 5 }, () => expect.stringContaining('holds credentials')),
    );
  },
);

test('what steers tau is not written without a word, even where edits are accepted', async () => {
  const { tau, project } = await converse([calls(call('write', { path: '.git/hooks/x', content: 'x' })), says('done')]);
  expect((await tau(['-p', 'go', '--permission-mode', 'acceptEdits'])).code).toBe(3);
  expect(existsSync(join(project, '.git'))).toBe(false);
});
