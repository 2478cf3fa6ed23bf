/** Keys and headers that a command prints: how often it runs, what it sees, and how little is said when it fails. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError, TauError } from '@tau/core';
import { expect, onTestFinished, test } from 'vitest';
import { holdTimers } from '../../host/test/held-timers.ts';
import { firstLine } from '../src/credentials/command.ts';
import type { CredentialOptions } from '../src/credentials/credentials.ts';
import { resolveHeaders } from '../src/credentials/headers.ts';
import { createCredentials } from '../src/index.ts';

const needy = { name: 'mine', baseUrl: 'https://mine.invalid', keyVariables: ['MINE_KEY'] };
const path = { PATH: process.env.PATH };

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tau-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const open = (options: Partial<CredentialOptions> = {}) =>
  createCredentials({ env: path, authFile: join(makeFolder(), 'auth.json'), ...options });

async function refusal(from: Promise<unknown>): Promise<TauError> {
  const error = await from.catch((reason: unknown) => reason);
  if (error instanceof TauError) return error;
  throw new Error(`it was not refused: ${String(error)}`);
}

/** The same command in both places. */
const places = [
  ['the apiKey of models.json', (command: string) => open().find({ ...needy, apiKey: `!${command}` })],
  ['the helper', (command: string) => open({ helper: command }).find(needy)],
] as const;

test.each(places)('%s: only the first line counts, without the space around it', async (_, find) => {
  expect(await find("printf '\\n  a-key \\r\\nsecond line\\n'")).toBe('a-key');
});

test.each(places.flatMap(([name, find]) => fates().map(([fate, command]) => ({ name, find, fate, command }))))(
  '$name: "$command" $fate',
  async ({ find, fate, command }) => {
    const error = await refusal(find(command));
    expect(error.code).toBe('credentials');
    expect(error.message.endsWith(` ${fate}`)).toBe(true);
    expect(error.remedy).toContain('run');
  },
);

function fates() {
  return [
    ['failed with exit code 3', 'exit 3'],
    ['failed with exit code 127', 'no-such-command-anywhere'],
    ['failed with exit code 1', 'echo looks-like-a-key; exit 1'],
    ['failed by SIGKILL', 'kill -9 $$'],
    ['printed nothing', 'true'],
    ['printed nothing', 'echo; echo " "'],
    ['printed more than a key', 'yes | head -c 100000'],
  ] as const;
}

test.each(places)('%s: neither the command nor what it printed is repeated', async (_, find) => {
  const error = await refusal(find('echo hunter2; echo hunter2 >&2; TOKEN=hunter2 no-such-helper --token hunter2'));
  expect(describeError(error)).not.toContain('hunter2');
  expect(describeError(error)).not.toContain('no-such-helper');
  expect(error.cause).toBeUndefined();
});

test('a command is run once for each provider, however often and at the same time it is asked', async () => {
  const folder = makeFolder();
  const credentials = open({ helper: `echo "$TAU_PROVIDER" >> '${folder}/runs'; echo "key-of-$TAU_PROVIDER"` });
  const other = { ...needy, name: 'other' };
  const keys = await Promise.all([needy, needy, other].map((provider) => credentials.find(provider)));
  expect([...keys, await credentials.find(needy)]).toEqual([
    'key-of-mine',
    'key-of-mine',
    'key-of-other',
    'key-of-mine',
  ]);
  expect(readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n').sort()).toEqual(['mine', 'other']);
});

test('a command that failed is tried again when it is asked again', async () => {
  const folder = makeFolder();
  const credentials = open({ helper: `cat '${folder}/key' || { echo late-key > '${folder}/key'; exit 1; }` });
  await refusal(credentials.find(needy));
  expect(await credentials.find(needy)).toBe('late-key');
});

test('no command is run to see whether there is a key, for the status, or when one is known', async () => {
  const folder = makeFolder();
  const run = `: > '${folder}/ran'; echo k`;
  const credentials = open({ helper: run });
  const both = { ...needy, apiKey: `!${run}` };
  expect(credentials.ready(both)).toBe(true);
  expect(await credentials.source(both)).toEqual({
    used: { kind: 'modelsFile', form: 'command' },
    others: [{ kind: 'helper' }],
    needed: true,
    variable: 'MINE_KEY',
  });
  expect(await open({ helper: run, env: { ...path, MINE_KEY: 'known' } }).find(both)).toBe('known');
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});

test("a command sees the agent's environment and the provider's name, and no input", async () => {
  process.env.TAU_TEST_OUTER = 'outer';
  onTestFinished(() => void delete process.env.TAU_TEST_OUTER);
  const helper = 'cat; echo "$INNER-$TAU_TEST_OUTER-$TAU_PROVIDER"';
  expect(await open({ helper, env: { ...path, INNER: 'inner' } }).find(needy)).toBe('inner--mine');
});

test('what takes too long is ended, with everything it started', async () => {
  const folder = makeFolder();
  const command = `sleep 300 & echo $! > '${folder}/pid'; wait`;
  const options = { env: path, what: 'The command', remedy: 'Wait', timeoutMs: 1500 };
  // However late it begins: its time is over when it has.
  const time = holdTimers(1500);
  const refused = refusal(firstLine(command, options));
  const pidOf = () => Number(readFileSync(join(folder, 'pid'), 'utf8'));
  await expect.poll(pidOf).toBeGreaterThan(0);
  time.strike();
  expect((await refused).message).toBe('The command was not done after 1.5 s');
  await expectGone(pidOf());
});

test('an abort ends a command that is still running', async () => {
  const folder = makeFolder();
  const controller = new AbortController();
  const credentials = open({ helper: `echo $$ > '${folder}/pid'; sleep 300; echo k`, signal: controller.signal });
  const refused = refusal(credentials.find(needy));
  const pidOf = () => Number(readFileSync(join(folder, 'pid'), 'utf8'));
  await expect.poll(pidOf).toBeGreaterThan(0);
  const pid = pidOf();
  controller.abort();
  expect((await refused).message).toMatch(/was interrupted$/);
  await expectGone(pid);
  expect((await refusal(credentials.find(needy))).message).toMatch(/was interrupted$/);
});

test('something left running in the background does not keep the key waiting', async () => {
  const folder = makeFolder();
  const key = await open({ helper: `echo a-key; sleep 300 & echo $! > '${folder}/pid'` }).find(needy);
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  process.kill(pid, 'SIGKILL');
  expect(key).toBe('a-key');
});

test('a header is a literal, a variable, or what a command prints; what was not written out is a secret', async () => {
  const headers = { 'x-plain': 'blue', 'x-caps': 'TRUE', 'x-var': 'TEAM_TOKEN', 'x-run': '!echo "run-$TAU_PROVIDER"' };
  const credentials = open({ env: { ...path, TEAM_TOKEN: 'team-secret' } });
  expect(await credentials.headers({ ...needy, headers })).toEqual({
    'x-plain': 'blue',
    'x-caps': 'TRUE',
    'x-var': 'team-secret',
    'x-run': 'run-mine',
  });
  expect(credentials.secrets().sort()).toEqual(['run-mine', 'team-secret']);
  expect(await credentials.headers(needy)).toEqual({});
});

test('a header that cannot be had is an error that names it', async () => {
  const unset = await refusal(resolveHeaders({ 'x-team': 'TEAM_TOKEN' }, path));
  expect(describeError(unset)).toBe(
    'The header "x-team" is in TEAM_TOKEN, which is not set. Set TEAM_TOKEN, or change the header in models.json',
  );
  const failed = await refusal(resolveHeaders({ 'x-team': '!echo hunter2; exit 4' }, path, { provider: 'mine' }));
  expect(failed.message).toBe('The command of the header "x-team" of mine failed with exit code 4');
  expect(describeError(failed)).not.toContain('hunter2');
});

/** One that nobody has reaped yet is gone all the same. */
async function expectGone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(0);
  const state = () => spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  await expect.poll(() => state()).toMatch(/^(Z.*)?$/);
}
