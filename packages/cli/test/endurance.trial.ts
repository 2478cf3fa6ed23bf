/** Many conversations in one process, and many calls in one message. `npm run soak` goes on for 10,000 turns. */
import { createAgent, type Extension, type Tool } from '@tau/agent';
import { expect, onTestFinished, test } from 'vitest';
import { call, calls, callsIn, converse, request, resultsIn, says } from './conversation.ts';
import { endure, growth } from './endurance.ts';
import { at } from './json.ts';

const free = ['--permission-mode', 'dangerously'];
const mega = 1024 * 1024;

test('300 turns in one process leave nothing behind: no heap, no open file, no process', async () => {
  const { heap, files, sockets } = await endure({ conversations: 15, turns: 20, session: 'new' });
  expect(heap).toHaveLength(15);
  expect(growth(heap, 3)).toBeLessThan(2 * mega);
  expect(growth(files, 3)).toBeLessThanOrEqual(0);
  expect(growth(sockets, 3)).toBeLessThanOrEqual(0);
}, 60_000);

const hundred = Array.from({ length: 100 }, (_, at) => at);

test('100 reads in one message: each its own result, in order', async () => {
  const { tau, write, model } = await converse([
    calls(...hundred.map((at) => call('read', { path: `f${at}.txt` }, `c${at}`))),
    says('ok'),
  ]);
  for (const at of hundred) write(`f${at}.txt`, `content ${at}\n`);
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(callsIn(request(model, 1))).toHaveLength(100);
  const expected = hundred.map((at) => ({ id: `c${at}`, text: `1\tcontent ${at}` }));
  expect(resultsIn(request(model, 1))).toEqual(expected);
});

test('100 commands that change things in one message run one after another, each once', async () => {
  const command = (at: number) => `echo begin ${at} >> log; echo end ${at} >> log; echo did ${at}`;
  const { tau, read, model } = await converse([
    calls(...hundred.map((at) => call('bash', { command: command(at) }, `c${at}`))),
    says('ok'),
  ]);
  expect(await tau(['-p', 'go', ...free])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(resultsIn(request(model, 1))).toEqual(hundred.map((at) => ({ id: `c${at}`, text: `did ${at}` })));
  expect(read('log').trimEnd().split('\n')).toEqual(hundred.flatMap((at) => [`begin ${at}`, `end ${at}`]));
});

test('of 100 commands that only wait, several run at once and never more than ten', async () => {
  const { tau, model } = await converse([
    calls(...hundred.map((at) => call('bash', { command: `sleep 0.02${at}` }, `c${at}`))),
    says('ok'),
  ]);
  const run = await tau(['-p', 'go', '--output-format', 'stream-json', ...free]);
  expect(run.code).toBe(0);
  expect(resultsIn(request(model, 1)).map(({ id }) => id)).toEqual(hundred.map((at) => `c${at}`));
  let running = 0;
  let most = 0;
  for (const event of run.events()) {
    const type = at(event, 'type');
    if (type === 'tool_execution_start') running += 1;
    if (type === 'tool_execution_end') running -= 1;
    most = Math.max(most, running);
  }
  expect(running).toBe(0);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(10);
});

test.each([
  [undefined, 10],
  [3, 3],
])(
  'limits.parallelTools %s: as many tools as it says are at work together, as the tool counts',
  async (setting, most) => {
    const settings = setting === undefined ? {} : { limits: { parallelTools: setting } };
    const steps = [calls(...hundred.map((at) => call('count', { number: at }, `c${at}`))), says('ok')];
    const { home, project, model } = await converse(steps, { settings });
    const seen: number[] = [];
    let inside = 0;
    let full = () => {};
    const crowd = new Promise<void>((resolve) => {
      full = resolve;
    });
    const tool: Tool = {
      name: 'count',
      description: 'Counts who is here.',
      parameters: { type: 'object', properties: { number: { type: 'integer' } } },
      effects: () => [{ kind: 'read', path: 'anything' }],
      async run() {
        inside += 1;
        seen.push(inside);
        if (inside === most) full();
        // Nobody leaves before the place was full once.
        await crowd;
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        return { content: [{ type: 'text', text: 'counted' }] };
      },
    };
    const extension: Extension = { name: 'counter', register: (api) => api.tool(tool) };
    const env = { HOME: home, PATH: process.env.PATH, TAU_SANDBOX_ENABLED: 'false' };
    const agent = await createAgent({
      cwd: project,
      env,
      extensions: [extension],
      session: 'none',
      rules: { allow: ['count'] },
    });
    onTestFinished(() => agent.close());
    expect(await agent.prompt('go').outcome).toMatchObject({ reason: 'done' });
    expect(resultsIn(request(model, 1))).toEqual(hundred.map((at) => ({ id: `c${at}`, text: 'counted' })));
    expect(Math.max(...seen)).toBe(most);
    expect(seen).toHaveLength(100);
  },
);
