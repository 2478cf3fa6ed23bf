/** `--record` and then `--replay` through the built command: the same run without the model, and no secret in the file. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, type ScriptStep, startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type Api, apis, bareSandbox, call, calls, converse, says } from './conversation.ts';
import { at, list, textAt } from './json.ts';
import { homeWith, key, providerAt } from './providers.ts';
import { linesOf } from './sessions.ts';

const free = ['--permission-mode', 'dangerously'];

/** A loop of two tools. What was read holds the key, and the model says it aloud, a few characters at a time. */
const loop: ScriptStep[] = [
  calls(
    { thinking: 'I must look first' },
    call('read', { path: 'notes.txt' }),
    call('bash', { command: 'echo $((6 * 7))' }),
  ),
  calls(call('write', { path: 'made.txt', content: 'by the model' })),
  { blocks: [{ text: `It is made. The key was ${key}, and the header team-secret-42.` }], chunk: 3 },
];

async function scripted(steps: ScriptStep[]) {
  const model = await startScriptedModel(steps);
  onTestFinished(() => model.close());
  return model;
}

async function recorded(api: Api) {
  const model = await scripted(loop);
  const provider = { ...providerAt(model, api, { reasoning: true }), headers: { 'x-team': 'TEAM_WORD' } };
  const home = homeWith({ mine: provider });
  home.write('notes.txt', `the key is ${key}\n`);
  const run = await home.tau(['-p', 'go', '--thinking', 'high', ...free, '--record', 'tape.jsonl'], {
    env: { TEAM_WORD: 'team-secret-42' },
  });
  return { ...home, model, run, path: join(home.project, 'tape.jsonl') };
}

/** Somebody else's machine: no key, no provider, other words in the file. */
function elsewhere(tape: string): Sandbox {
  const other = bareSandbox();
  other.write('tape.jsonl', readFileSync(tape, 'utf8'));
  other.write('notes.txt', 'other words\n');
  return other;
}

test.each(apis)('a tool loop over %s is recorded and replayed: same answers, real tools, no model', async (api) => {
  const { run, model, path, read } = await recorded(api);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain(key);
  expect(read('made.txt')).toBe('by the model');
  expect(statSync(path).mode & 0o777).toBe(0o600);

  const { tau, read: readThere } = elsewhere(path);
  const answer = 'It is made. The key was [secret], and the header [secret].\n';
  const replayed = await tau(['-p', 'other words', ...free, '--replay', 'tape.jsonl']);
  expect(replayed).toMatchObject({ code: 0, stdout: answer, stderr: '' });
  expect(readThere('made.txt')).toBe('by the model');
  // Again, in the same folder, and the model was not asked once more.
  expect(await tau(['-p', 'go', ...free, '--replay', 'tape.jsonl'])).toMatchObject({ code: 0, stdout: answer });
  expect(model.requests).toHaveLength(3);
});

test.each(apis)('neither the keys nor where the model is stand in a recording over %s', async (api) => {
  const { path, model } = await recorded(api);
  const text = readFileSync(path, 'utf8');
  expect(text.includes(key)).toBe(false);
  expect(text.includes('team-secret-42')).toBe(false);
  expect(text.includes('x-team')).toBe(false);
  expect(text.includes(new URL(model.url).host)).toBe(false);
  const [head, ...exchanges] = linesOf(path);
  expect(head).toMatchObject({ type: 'tau-recording', version: 2 });
  expect(exchanges).toHaveLength(3);
  for (const [index, exchange] of exchanges.entries()) {
    expect(exchange).toMatchObject({
      number: index + 1,
      api,
      provider: 'mine',
      model: 'x',
      status: 200,
      end: 'complete',
    });
    expect(list(at(exchange, 'tools'))).toEqual(expect.arrayContaining(['bash', 'edit', 'read', 'write']));
  }
  // What the tool read is in the request that followed, without the key.
  expect(JSON.stringify(exchanges[1])).toContain('the key is [secret]');
});

test('a recording never writes over a file: exit 2, the file as it was, nobody asked', async () => {
  const { tau, model, read, write } = await converse([says('never')]);
  write('notes.jsonl', 'mine');
  const run = await tau(['-p', 'hi', '--record', 'notes.jsonl']);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(
    /^tau: \/.*\/notes\.jsonl is there already, and a recording never writes over a file\. Name another file, or remove that one first\n$/,
  );
  expect(read('notes.jsonl')).toBe('mine');
  expect(model.requests).toHaveLength(0);
});

test.each(['nowhere/tape.jsonl', '.', 'a-file/tape.jsonl'])(
  'a recording that cannot be made at %s stops tau: exit 2, nobody asked',
  async (path) => {
    const { tau, model, write } = await converse([says('never')]);
    write('a-file', '');
    const run = await tau(['-p', 'hi', '--record', path]);
    expect(run).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^tau: .*Check the path|^tau: .*Name an/),
    });
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(model.requests).toHaveLength(0);
  },
);

test('--record and --replay exclude each other', async () => {
  const { tau, write, project } = bareSandbox();
  write('tape.jsonl', '');
  const run = await tau(['-p', 'hi', '--record', 'new.jsonl', '--replay', 'tape.jsonl']);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: 'tau: --record and --replay exclude each other\n' });
  expect(existsSync(join(project, 'new.jsonl'))).toBe(false);
});

test.each(apis)('a run over %s that leaves its recording ends with 1 and says where', async (api) => {
  const { path } = await recorded(api);
  const { tau } = elsewhere(path);
  const more = await tau(['-p', 'go', 'and one prompt more', ...free, '--replay', 'tape.jsonl']);
  expect(more).toMatchObject({ code: 1, stdout: expect.stringMatching(/^It is made\./) });
  expect(more.stderr).toBe(
    'tau: The conversation leaves the recording tape.jsonl at exchange 4: the recording has 3 exchanges, and one more was ' +
      'begun. Record it again if it should go this way\n',
  );
});

test.each(apis)('a session that is continued leaves a recording over %s that began with nothing', async (api) => {
  const { path } = await recorded(api);
  const { tau } = elsewhere(path);
  expect((await tau(['-p', 'go', ...free, '--replay', 'tape.jsonl'])).code).toBe(0);
  const run = await tau(['-p', '-c', 'go', ...free, '--replay', 'tape.jsonl']);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(
    /at exchange 1: it was recorded with 1 message, and \d+ came: \d+ are new\. Record it again/,
  );
});

test.each(apis)('tries and a stand-in of another protocol are replayed, from %s', async (api) => {
  const standIn = apis.find((one) => one !== api) ?? api;
  const model = await scripted([
    { status: 503 },
    calls(call('bash', { command: 'echo one' })),
    { status: 503 },
    { status: 503 },
    calls(call('bash', { command: 'echo two' })),
    says('from the stand-in'),
  ]);
  const home = homeWith(
    { mine: providerAt(model, api), other: providerAt(model, standIn) },
    { retry: { retries: 1, baseMs: 1 } },
  );
  const run = await home.tau(['-p', 'go', ...free, '--fallback-model', 'other/x', '--record', 'tape.jsonl']);
  expect(run).toMatchObject({ code: 0, stdout: 'from the stand-in\n' });
  const path = join(home.project, 'tape.jsonl');
  expect(
    linesOf(path)
      .slice(1)
      .map((line) => textAt(line, 'api')),
  ).toEqual([api, api, api, api, standIn, standIn]);

  const there = elsewhere(path);
  there.write(join(there.tauHome, 'settings.json'), JSON.stringify({ retry: { retries: 1, baseMs: 1 } }));
  const replayed = await there.tau(['-p', 'go', ...free, '--replay', 'tape.jsonl']);
  expect(replayed).toMatchObject({ code: 0, stdout: 'from the stand-in\n' });
  expect(replayed.stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/ answered 503.*; trying again in/),
    expect.stringMatching(/ answered 503.*; trying again in/),
    expect.stringMatching(/ answered 503.*; now asking replay\/other\/x$/),
  ]);
});

test('a failure of the provider is recorded, and fails the replay in the same way', async () => {
  const { tau, project } = await converse([{ status: 400 }]);
  const run = await tau(['-p', 'hi', '--record', 'tape.jsonl']);
  expect(run.code).toBe(1);
  const replayed = await elsewhere(join(project, 'tape.jsonl')).tau(['-p', 'hi', '--replay', 'tape.jsonl']);
  expect(replayed).toMatchObject({
    code: 1,
    stdout: '',
    stderr: run.stderr.replace('scripted answered', 'replay answered'),
  });
});
