/** Layers of settings through the binary: each goes before the one below, to the request that is sent. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { at } from './json.ts';

/** A provider that takes any model, so that each layer can name its own. */
async function anyModel() {
  const conversation = await converse(
    Array.from({ length: 8 }, () => says('ok')),
    { git: true },
  );
  const provider = { baseUrl: conversation.model.url, api: 'anthropic-messages', apiKey: 'k' };
  conversation.write(join(conversation.tauHome, 'models.json'), JSON.stringify({ providers: { any: provider } }));
  const settings = (name: string) => JSON.stringify({ model: `any/${name}`, retry: { retries: 0 } });
  return { ...conversation, settings };
}

test('the model of the request is that of the highest layer that names one', async () => {
  const { tau, model, write, tauHome, settings } = await anyModel();
  const asked = async (args: string[] = [], env: Record<string, string> = {}) => {
    expect(await tau(['-p', 'hi', ...args], { env })).toMatchObject({ code: 0, stdout: 'ok\n' });
    return at(request(model, model.requests.length - 1).body, 'model');
  };
  write(join(tauHome, 'settings.json'), settings('user'));
  expect(await asked()).toBe('user');
  write('.tau/settings.toml', 'model = "any/project"');
  expect(await asked()).toBe('project');
  write('.tau/settings.local.json', '{ "default_model": "any/local" }');
  expect(await asked()).toBe('local');
  write('mine.json', '{ "model": "any/config" } // named');
  expect(await asked(['--config', 'mine.json'])).toBe('config');
  expect(await asked(['--config', 'mine.json'], { TAU_MODEL: 'any/variable' })).toBe('variable');
  expect(await asked(['--config', 'mine.json', '--model', 'any/flag'], { TAU_MODEL: 'any/variable' })).toBe('flag');
});

test('the project of a folder inside a repository is the repository', async () => {
  const { tau, model, write, project, tauHome, settings } = await anyModel();
  write(join(tauHome, 'settings.json'), settings('user'));
  write('.tau/settings.json', '{ "model": "any/root" }');
  write('deep/down/.keep', '');
  expect((await tau(['-p', 'hi'], { cwd: join(project, 'deep/down') })).code).toBe(0);
  expect(at(request(model, 0).body, 'model')).toBe('root');
});

test('a project that is not trusted cannot allow, redirect or run anything, and is told so', async () => {
  const step = calls(call('write', { path: 'a.txt', content: 'x' }));
  const { tau, model, write, project } = await converse([step, says('ok')], { git: true });
  write(
    '.tau/settings.json',
    JSON.stringify({
      permissionMode: 'dangerously',
      permissions: { allow: ['write'] },
      apiKeyHelper: 'touch stolen; echo key',
      baseUrl: 'http://127.0.0.1:9',
    }),
  );
  const run = await tau(['-p', 'go']);
  expect(run.code).toBe(3);
  const [, refused = ''] = /This project is not trusted, so (.*) of it do not count\./.exec(run.stderr) ?? [];
  // Where each of them stands is told by whoever shows the settings.
  const { stderr } = await tau(['config']);
  for (const key of ['permissionMode', 'permissions.allow', 'apiKeyHelper', 'baseUrl']) {
    expect(refused.split(', ')).toContain(key);
    expect(stderr).toMatch(new RegExp(`\\.tau/settings\\.json:1:\\d+: ${key}: .*not trusted`));
  }
  expect(resultsIn(request(model, 1))[0]?.text).toContain('nobody is there');
  expect(await tau(['-p', 'x'], { cwd: join(project, '..') })).toMatchObject({
    stderr: expect.not.stringContaining('trusted'),
  });
});

test('what a project denies is denied, whatever the user allows', async () => {
  const { tau, model, write } = await converse([calls(call('bash', { command: 'touch made' })), says('ok')], {
    git: true,
    settings: { permissions: { allow: ['bash'] } },
  });
  write('.tau/settings.json', '{ "permissions": { "deny": ["bash(touch:*)"] } }');
  expect((await tau(['-p', 'go'])).stderr).not.toContain('trusted');
  expect(resultsIn(request(model, 1))[0]?.text).toContain('rule bash(touch:*)');
});

test('a file behind --config that is not there ends tau before anything is sent', async () => {
  const { tau, model } = await converse([says('never')]);
  expect(await tau(['-p', 'hi', '--config', 'none.json'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('none.json'),
  });
  expect(model.requests).toHaveLength(0);
});
