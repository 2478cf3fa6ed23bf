/** The examples, run as a user runs them: plain Node, the built package, a home with settings. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { makeSandbox, type ScriptedModel, type ScriptStep, startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { call, says } from './workbench.ts';

const examples = join(import.meta.dirname, '../../../examples');

interface Started {
  model: ScriptedModel;
  project: string;
  /** What it wrote so far. */
  output: { stdout: string; stderr: string };
  shows(text: string, stream: 'stdout' | 'stderr'): Promise<void>;
  type(line: string): void;
  kill(signal: NodeJS.Signals): void;
  /** The exit code, when it has ended. */
  over: Promise<number | null>;
}

interface StartOptions {
  args?: string[];
  steps?: ScriptStep[];
  settings?: object;
}

async function start(example: string, options: StartOptions): Promise<Started> {
  const { args = [], steps = [], settings = {} } = options;
  const model = await startScriptedModel(steps);
  const { home, project, dispose } = makeSandbox({ model, settings });
  const child = spawn(process.execPath, [join(examples, example), ...args], {
    cwd: project,
    env: { HOME: home, PATH: process.env.PATH ?? '', TAU_SANDBOX_ENABLED: 'false' },
  });
  const over = once(child, 'close').then(([code]) => code);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await over;
    await model.close();
    dispose();
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return {
    model,
    project,
    output,
    shows: (text, stream) => expect.poll(() => output[stream]).toContain(text),
    type: (line) => void child.stdin.write(`${line}\n`),
    kill: (signal) => void child.kill(signal),
    over,
  };
}

test('the script prints the answer on stdout, and what happened and what it cost on stderr', async () => {
  const steps = [call('bash', { command: 'pwd' }), says('It is a project.')];
  const { output, over } = await start('script.mjs', { args: ['What is this?'], steps });
  expect(await over).toBe(0);
  expect(output.stdout).toBe('It is a project.');
  expect(output.stderr).toBe('[bash] {"command":"pwd"}\n\ndone after 2 turns, 30 tokens, price unknown\n');
});

test.each(['script.mjs', 'sse-server.mjs', 'editor.mjs'])('%s without a key says what to do', async (example) => {
  const { output, over } = await start(example, { args: ['0'], settings: { model: 'openai/gpt-5.4' } });
  expect(await over).toBe(2);
  expect(output.stderr).toMatch(/^There is no API key for openai\. Set OPENAI_API_KEY.*\n$/);
});

test('the script without a prompt says how it is used', async () => {
  const { output, over } = await start('script.mjs', {});
  expect(await over).toBe(2);
  expect(output.stderr).toContain('usage:');
});

test('the script ends its run and its request at Ctrl+C', async () => {
  const { model, kill, output, over } = await start('script.mjs', { args: ['go'], steps: [{ hang: 'midStream' }] });
  const asked = await model.arrival(0);
  kill('SIGINT');
  await asked.aborted;
  expect(await over).toBe(1);
  expect(output.stderr).toContain('aborted after 1 turn,');
});

async function serve(steps: ScriptStep[], settings = {}): Promise<Started & { url: string }> {
  const server = await start('sse-server.mjs', { steps, settings });
  await server.shows('listening', 'stdout');
  return { ...server, url: `${/http:\S+/.exec(server.output.stdout)?.[0]}/api/prompt` };
}

const json = { 'content-type': 'application/json' };
const post = (url: string, prompt: unknown) =>
  fetch(url, { method: 'POST', headers: json, body: JSON.stringify({ prompt }) });

function eventsOf(body: string): { type: string }[] {
  const lines = body.split('\n\n').filter((line) => line !== '');
  expect(lines.every((line) => line.startsWith('data: '))).toBe(true);
  return lines.map((line) => JSON.parse(line.slice(6)));
}

/** A client that can leave. */
function ask(url: string, prompt: string): ClientRequest {
  const client = request(url, { method: 'POST', headers: json });
  client.on('error', () => {});
  client.end(JSON.stringify({ prompt }));
  return client;
}

test('the server streams the events of a run, and the next prompt goes on with the conversation', async () => {
  const { url, model, kill, over } = await serve([says('Hello'), says('Again')]);
  const first = await post(url, 'greet me');
  expect(first.headers.get('content-type')).toBe('text/event-stream');
  const events = eventsOf(await first.text());
  expect(events[0]?.type).toBe('agent_start');
  expect(events.at(-1)).toMatchObject({ type: 'agent_end', reason: 'done' });
  expect(events.find(({ type }) => type === 'message_update')).toMatchObject({ delta: { text: 'Hello' } });
  await (await post(url, 'once more')).text();
  expect(model.requests[1]?.raw).toContain('greet me');
  kill('SIGTERM');
  expect(await over).toBe(0);
});

test('the server aborts the run when the client goes away, and answers the next one', async () => {
  const { url, model, kill, over } = await serve([{ hang: 'midStream' }, says('Back')]);
  const client = ask(url, 'go');
  const asked = await model.arrival(0);
  client.destroy();
  await asked.aborted;
  const events = eventsOf(await (await post(url, 'still there?')).text());
  expect(events.at(-1)).toMatchObject({ type: 'agent_end', reason: 'done' });
  kill('SIGTERM');
  expect(await over).toBe(0);
});

test('a command that ran for a client that went away is gone too, and all it started', async () => {
  const command = 'sleep 60 & echo $! > pids; echo $$ >> pids; wait';
  const steps = [call('bash', { command }), says('never')];
  const { url, model, project, kill, over } = await serve(steps, { permissionMode: 'dangerously' });
  const client = ask(url, 'go');
  const pids = await vi.waitFor(
    () => {
      const lines = readFileSync(join(project, 'pids'), 'utf8').trim().split('\n');
      expect(lines).toHaveLength(2);
      return lines;
    },
    { timeout: 20_000 },
  );
  expect(pids.filter(isAlive)).toEqual(pids);
  client.destroy();
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  kill('SIGTERM');
  expect(await over).toBe(0);
  expect(model.requests).toHaveLength(1);
});

test('the server stops at a signal also while a run is under way', async () => {
  const { url, model, kill, over } = await serve([{ hang: 'midStream' }]);
  ask(url, 'go');
  const asked = await model.arrival(0);
  kill('SIGTERM');
  await asked.aborted;
  expect(await over).toBe(0);
});

test('the server refuses with JSON what is not a prompt', async () => {
  const { url, model } = await serve([]);
  const refusal = async (answer: Response) => {
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({ error: expect.any(String) });
    return answer.status;
  };
  expect(await refusal(await fetch(url.replace('/api/prompt', '/')))).toBe(404);
  expect(await refusal(await fetch(url))).toBe(405);
  expect(await refusal(await fetch(url, { method: 'POST', body: '{"prompt":"go"}' }))).toBe(415);
  expect(await refusal(await fetch(url, { method: 'POST', headers: json, body: 'no json' }))).toBe(400);
  expect(await refusal(await post(url, 42))).toBe(400);
  expect(await refusal(await post(url, 'x'.repeat(1024 * 1024)))).toBe(413);
  expect(model.requests).toHaveLength(0);
});

const write = call('write', { path: 'new.txt', content: 'x' });
const editor = (steps: ScriptStep[]) => start('editor.mjs', { args: ['go'], steps });

test('the editor asks in its window, keeps the session in the workspace, and tells its output channel', async () => {
  const { project, model, output, shows, type, over } = await editor([write, says('Done')]);
  await shows('Allow or Deny?', 'stderr');
  type('allow');
  expect(await over).toBe(0);
  expect(output.stdout).toBe('Done\n');
  expect(existsSync(join(project, 'new.txt'))).toBe(true);
  expect(readdirSync(join(project, '.vscode/agent-sessions'), { recursive: true }).join()).toMatch(/\.jsonl/);
  expect(output.stderr).toContain('[tau] write: {"path":"new.txt","content":"x"}');
  expect(model.requests).toHaveLength(2);
});

test('the editor lets nothing through that was not allowed', async () => {
  const { project, model, output, shows, type, over } = await editor([write, says('Pity')]);
  await shows('Allow or Deny?', 'stderr');
  type('');
  expect(await over).toBe(0);
  expect(output.stdout).toBe('Pity\n');
  expect(existsSync(join(project, 'new.txt'))).toBe(false);
  expect(model.requests).toHaveLength(2);
});

test("the editor's cancellation ends the run", async () => {
  const { model, kill, over } = await editor([{ hang: 'midStream' }]);
  const asked = await model.arrival(0);
  kill('SIGINT');
  await asked.aborted;
  expect(await over).toBe(1);
});

test("the editor's cancellation takes an open question back, and nothing is done", async () => {
  const { project, model, kill, shows, over } = await editor([write, says('never')]);
  await shows('Allow or Deny?', 'stderr');
  kill('SIGINT');
  expect(await over).toBe(1);
  expect(existsSync(join(project, 'new.txt'))).toBe(false);
  expect(model.requests).toHaveLength(1);
});

/** A zombie that nobody has reaped yet is dead all the same. */
function isAlive(pid: string): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).trim();
    return state !== '' && !state.startsWith('Z');
  } catch {
    return false;
  }
}
