/** The sandbox's files. Running the binary in it is what the cli's own tests do. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSandbox, startScriptedModel } from '../src/index.ts';

test.each([
  ['anthropic-messages', ''],
  ['openai-completions', '/v1'],
  ['openai-responses', '/v1'],
  ['google-generative-ai', '/v1beta'],
] as const)('with a model, %s is configured as the default model', async (api, suffix) => {
  const model = await startScriptedModel([]);
  const sandbox = makeSandbox({ model, api, settings: { permissionMode: 'plan' } });
  expect(JSON.parse(sandbox.read(join(sandbox.tauHome, 'models.json')))).toEqual({
    providers: {
      scripted: { baseUrl: `${model.url}${suffix}`, api, apiKey: 'test-key', models: [{ id: 'scripted' }] },
    },
  });
  expect(JSON.parse(sandbox.read(join(sandbox.tauHome, 'settings.json')))).toEqual({
    model: 'scripted/scripted',
    retry: { retries: 0 },
    permissionMode: 'plan',
  });
  sandbox.dispose();
  await model.close();
});

test('without a model or settings the home is empty, and disposing removes everything', () => {
  const sandbox = makeSandbox();
  expect(existsSync(join(sandbox.tauHome, 'models.json'))).toBe(false);
  expect(existsSync(join(sandbox.tauHome, 'settings.json'))).toBe(false);
  sandbox.write('deep/er/file.txt', 'hello');
  expect(sandbox.read('deep/er/file.txt')).toBe('hello');
  sandbox.dispose();
  expect(existsSync(dirname(sandbox.home))).toBe(false);
});

test('a git project is a clean repository with one commit', () => {
  const sandbox = makeSandbox({ git: true });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: sandbox.project, encoding: 'utf8' }).trim();
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '--format=%an %s')).toBe('Test start');
  sandbox.dispose();
});
