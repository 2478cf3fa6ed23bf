import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { at } from './json.ts';

test('model is the one to talk to', async () => {
  const { tau, model, write, tauHome } = await converse([says('ok')], { settings: { model: 'second/b' } });
  const provider = { baseUrl: model.url, api: 'anthropic-messages', apiKey: 'k' };
  write(
    join(tauHome, 'models.json'),
    JSON.stringify({ providers: { first: { ...provider, models: [{ id: 'a' }] }, second: provider } }),
  );
  expect((await tau(['-p', 'hi'])).code).toBe(0);
  expect(at(request(model, 0).body, 'model')).toBe('b');
});

test('permissionMode is the mode, and the flag goes before it', async () => {
  const step = calls(call('write', { path: 'a.txt', content: 'x' }));
  const { tau, read } = await converse([step, says('ok'), step, says('ok')], {
    settings: { permissionMode: 'acceptEdits' },
  });
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stderr: '' });
  expect(read('a.txt')).toBe('x');
  expect((await tau(['-p', 'go', '--permission-mode', 'default'])).code).toBe(3);
});

test('permissions.allow, ask and deny count, together with the flags', async () => {
  const permissions = { allow: ['bash(touch:*)'], ask: ['read'], deny: ['bash(pwd)'] };
  const { tau, model, project } = await converse(
    [
      calls(
        call('bash', { command: 'touch made.txt' }),
        call('read', { path: 'made.txt' }),
        call('bash', { command: 'pwd' }),
        call('bash', { command: 'echo hi' }),
      ),
      says('ok'),
    ],
    { settings: { permissions } },
  );
  expect((await tau(['-p', 'go', '--allow', 'bash', '--deny', 'bash(echo:*)'])).code).toBe(3);
  expect(existsSync(join(project, 'made.txt'))).toBe(true);
  const texts = resultsIn(request(model, 1)).map(({ text }) => text);
  expect(texts.slice(1)).toEqual([
    expect.stringContaining('nobody is there'),
    expect.stringContaining('rule bash(pwd)'),
    expect.stringContaining('rule bash(echo:*)'),
  ]);
});

test('limits.parallelTools of 1 lets one call run at a time', async () => {
  const nap = call('bash', { command: 'sleep 0.3' });
  const { tau } = await converse([calls(nap, nap), says('ok')], { settings: { limits: { parallelTools: 1 } } });
  const run = await tau(['-p', 'go', '--output-format', 'stream-json']);
  const types = run.events().map(({ type }) => String(type));
  const once = ['tool_execution_start', 'tool_execution_end'];
  expect(types.filter((type) => once.includes(type))).toEqual([...once, ...once]);
});

test('limits.resultChars cuts a result, says so, and the whole is where it says', async () => {
  const { tau, model, write } = await converse([calls(call('read', { path: 'long.txt' })), says('ok')], {
    settings: { limits: { resultChars: 100 } },
  });
  write('long.txt', 'x'.repeat(5000));
  expect((await tau(['-p', 'go'])).code).toBe(0);
  const text = resultsIn(request(model, 1))[0]?.text ?? '';
  expect(text.length).toBeLessThan(400);
  const kept = text.match(/the first 100 of 5002 characters; the whole is in (.*)\]$/)?.[1] ?? '';
  expect(readFileSync(kept, 'utf8')).toBe(`1\t${'x'.repeat(5000)}`);
});

test('limits.bashTimeoutSecs stops a command, and the model is told', async () => {
  const { tau, model } = await converse([calls(call('bash', { command: 'sleep 300' })), says('ok')], {
    settings: { limits: { bashTimeoutSecs: 0.2 } },
  });
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(resultsIn(request(model, 1))[0]?.text).toMatch(/stopped after 0\.2 s/);
});

test.each(['beforeHeaders', 'midStream'] as const)(
  'limits.modelIdleSecs ends a wait for a provider that is silent %s',
  async (hang) => {
    const { tau, model } = await converse([{ hang }], { settings: { limits: { modelIdleSecs: 0.3 } } });
    const run = await tau(['-p', 'go', '--output-format', 'stream-json']);
    expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(/no byte.* 0\.3 s/) });
    expect(run.events().find(({ type }) => type === 'error')).toMatchObject({ class: 'timeout' });
    await (await model.arrival(0)).aborted;
  },
);

const scripted = '"model": "scripted/scripted"';

async function runWith(settings: string) {
  const conversation = await converse([says('ok')]);
  const path = join(conversation.tauHome, 'settings.json');
  conversation.write(path, settings);
  return { path, model: conversation.model, run: await conversation.tau(['-p', 'hi']) };
}

test('comments and trailing commas are fine', async () => {
  const { run } = await runWith(`// mine\n{\n  /* the one */ ${scripted},\n}\n`);
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
});

test.each([
  ['an unknown key', `{\n  ${scripted},\n  "modle": "x"\n}`, '3:3', 'modle'],
  ['an unknown limit', `{ ${scripted}, "limits": {\n    "speed": 9 } }`, '2:5', 'limits.speed'],
  ['a wrong type', `{ ${scripted},\n "limits": { "resultChars": "many" } }`, '2:14', 'limits.resultChars'],
  ['a wrong number', `{ ${scripted},\n "limits": { "parallelTools": 0 } }`, '2:14', 'limits.parallelTools'],
  ['a fraction of a call', `{ ${scripted},\n "limits": { "parallelTools": 1.5 } }`, '2:14', 'limits.parallelTools'],
  ['limits that are no object', `{ ${scripted},\n\n  "limits": 7 }`, '3:3', 'limits'],
])('%s is a warning with its place, and the run goes on', async (_, settings, place, key) => {
  const { run, path } = await runWith(settings);
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(run.stderr).toMatch(/^tau: warning: [^\n]+\n$/);
  expect(run.stderr).toContain(`${path}:${place}: ${key}:`);
});

test('a wrong setting does not take its neighbours with it', async () => {
  const { tau, model, write } = await converse([calls(call('read', { path: 'long.txt' })), says('ok')], {
    settings: { limits: { parallelTools: 'many', resultChars: 100 } },
  });
  write('long.txt', 'x'.repeat(5000));
  const run = await tau(['-p', 'go']);
  expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('limits.parallelTools') });
  expect(resultsIn(request(model, 1))[0]?.text).toContain('the first 100 of 5002 characters');
});

test('a model that is no text is a warning, and the first with a key is used', async () => {
  const { run } = await runWith('{ "model": 5 }');
  expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('settings.json:1:3: model:') });
});

test.each([
  ['an unknown mode', `{ ${scripted},\n  "permissionMode": "yolo" }`, '2:3'],
  ['a rule that is no text', `{ ${scripted},\n  "permissions": { "deny": ["bash", 5] } }`, '2:'],
  ['rules that are no list', `{ ${scripted},\n  "permissions": { "deny": "bash" } }`, '2:'],
  ['an unknown kind of rule', `{ ${scripted},\n  "permissions": { "denied": ["bash"] } }`, '2:'],
  ['permissions that are no object', `{ ${scripted},\n  "permissions": [] }`, '2:3'],
])('%s stops tau before anything is sent', async (_, settings, place) => {
  const { run, path, model } = await runWith(settings);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`${path}:${place}`) });
  expect(model.requests).toHaveLength(0);
});

test.each([
  ['broken JSON', '{\n  "model": oops\n}', ':2:12:'],
  ['half a file', '{\n  "model": "x",\n  "limits": {', ':3:'],
  ['an empty file', '', ':1:1:'],
  ['a list', '[1]', ':1:1:'],
  ['null', 'null', ':1:1:'],
])(
  '%s instead of settings is a warning with its place, and an error when it speaks of permissions',
  async (_, settings, place) => {
    const { run, path } = await runWith(settings);
    expect(run).toMatchObject({ code: 0, stdout: 'ok\n', stderr: expect.stringContaining(`${path}${place}`) });
    const guarded = await runWith(`${settings} // permissions`);
    expect(guarded.run).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`${guarded.path}:`),
    });
    expect(guarded.model.requests).toHaveLength(0);
  },
);

test('--model takes the small model and the aliases of the settings', async () => {
  const settings = {
    smallModel: 'scripted/scripted',
    aliases: { mine: 'scripted/scripted:high', other: 'scripted/gone' },
  };
  const { tau, model } = await converse([says('small'), says('mine')], {
    settings: { ...settings, model: 'nobody/x' },
  });
  expect(await tau(['-p', 'hi', '--model', 'small'])).toMatchObject({ code: 0, stdout: 'small\n', stderr: '' });
  expect(await tau(['-p', 'hi', '--model', 'mine'])).toMatchObject({ code: 0, stdout: 'mine\n', stderr: '' });
  expect(await tau(['-p', 'hi', '--model', 'other'])).toMatchObject({ code: 2, stdout: '' });
  expect(model.requests).toHaveLength(2);
});
