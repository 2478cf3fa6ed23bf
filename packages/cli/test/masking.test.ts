/** Secrets that turn up in the work are in no log, no recording and no message; the model and the session have the truth. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scrub } from '@tau/agent';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';

const root = join(import.meta.dirname, '../../..');
const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ'.repeat(3);
/** Put together here, so that nobody takes this file for a leak. */
const secrets = {
  token: ['ghp_', letters.slice(0, 36)].join(''),
  slack: ['xoxb-', '1234567890-', letters.slice(0, 24)].join(''),
  password: ['swordfish', '-99-', 'swordfish'].join(''),
  fromEnv: ['platypus', '-77-', 'platypus'].join(''),
  key: letters,
};
const pem = `-----BEGIN OPENSSH PRIVATE KEY-----\n${secrets.key}\n${secrets.key}\n-----END OPENSSH PRIVATE KEY-----\n`;
const leaks = (text: string) =>
  Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));

test('the debug log, the log of decisions and a recording have none of them', async () => {
  const command = `curl -s -H 'Authorization: Bearer ${secrets.token}' http://127.0.0.1:1/ ; cat id .env; echo ${secrets.fromEnv} ${secrets.slack}`;
  const sandbox = await converse([calls(call('bash', { command })), says(`The token is ${secrets.token}`)]);
  sandbox.write('id', pem);
  sandbox.write('.env', `DB_PASSWORD=${secrets.password}\n`);
  const run = await sandbox.tau(
    [
      '-p',
      `use ${secrets.slack}`,
      '--permission-mode',
      'dangerously',
      '--debug-file',
      'debug.log',
      '--record',
      'r.jsonl',
    ],
    { env: { DEPLOY_TOKEN: secrets.fromEnv } },
  );
  expect(run.stdout).toBe(`The token is ${secrets.token}\n`);
  // The model works with what is there.
  expect(leaks(resultsIn(request(sandbox.model, 1))[0]?.text ?? '')).toEqual(['slack', 'password', 'fromEnv', 'key']);
  const written = {
    debug: sandbox.read('debug.log'),
    decisions: sandbox.read(join(sandbox.tauHome, 'logs', 'permissions.jsonl')),
    recording: sandbox.read('r.jsonl'),
  };
  for (const [name, text] of Object.entries(written)) {
    expect(text, name).toContain('[secret]');
    expect(leaks(text), name).toEqual([]);
  }
  // And the recording is still one.
  for (const line of written.recording.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
});

test('what a provider quotes in an error is told without them', async () => {
  const message = `bad request: ${secrets.token}, postgres://jo:${secrets.password}@db.example/x, ${secrets.fromEnv}`;
  const body = { type: 'error', error: { type: 'invalid_request_error', message } };
  for (const format of ['text', 'json', 'stream-json']) {
    const sandbox = await converse([{ status: 400, body }]);
    const run = await sandbox.tau(['-p', 'go', '--output-format', format], { env: { DEPLOY_TOKEN: secrets.fromEnv } });
    expect(`${run.stdout}${run.stderr}`).toContain(
      'bad request: [secret], postgres://jo:[secret]@db.example/x, [secret]',
    );
    expect(leaks(`${run.stdout}${run.stderr}`)).toEqual([]);
  }
});

test('a key in the settings is not listed', async () => {
  const sandbox = await converse([], { settings: { env: { NAME: `x ${secrets.token}`, MY_TOKEN: 'short' } } });
  const run = await sandbox.tau(['config', 'list', '--json']);
  expect(run.stdout).toContain('"NAME": "x [secret]"');
  expect(run.stdout).toContain('"MY_TOKEN": "[secret]"');
});

test('our own sources and pages have nothing that would be taken for a secret', () => {
  const tracked = execFileSync('git', ['ls-files', 'packages/*/src/*', 'docs', 'scripts', '*.md'], { cwd: root });
  const files = tracked
    .toString()
    .split('\n')
    .filter((path) => /\.(?:ts|mjs|cjs|md|jsonl?)$/.test(path));
  expect(files.length).toBeGreaterThan(300);
  const changed = files.filter((path) => {
    try {
      const text = readFileSync(join(root, path), 'utf8');
      return scrub(text, []) !== text;
    } catch (error) {
      // Tracked, and deleted in the working tree.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    }
  });
  expect(changed).toEqual([]);
});
