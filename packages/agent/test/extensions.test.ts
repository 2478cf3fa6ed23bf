import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { textResult } from '@tau/core';
import { expect, test } from 'vitest';
import { call, collect, extensionOf, greeter, resultText, says, toolOf, workbench } from './workbench.ts';

const greet = call('greet', { name: 'you' });
const allowed = { extensions: [greeter], rules: { allow: ['greet'] } };

test("an extension's tool is offered to the model, and runs when a rule allows it", async () => {
  const { agent, model } = await workbench([greet, says('ok')], allowed);
  const events = await collect(agent.prompt('go'));
  expect(events[0]).toMatchObject({ tools: expect.arrayContaining(['read', 'greet']) });
  expect(model.requests[0]?.raw).toContain('"does greet"');
  expect(resultText(events)).toBe('Hello, you');
  expect(model.requests[1]?.raw).toContain('Hello, you');
});

test("an extension's tool asks when no rule names it, whatever effects it claims", async () => {
  const { agent } = await workbench([greet, says('ok')], { extensions: [greeter] });
  const events = await collect(agent.prompt('go'));
  expect(events.find(({ type }) => type === 'permission_request')).toMatchObject({ toolName: 'greet' });
  expect(events.find(({ type }) => type === 'permission_response')).toMatchObject({
    outcome: 'deny',
    unattended: true,
  });
  expect(resultText(events)).toMatch(/greet comes from an extension/);
});

test('a tool that throws is an error for the model, and the run goes on', async () => {
  const broken = extensionOf('broken', (api) =>
    api.tool(
      toolOf('break', async () => {
        throw new Error('it fell apart');
      }),
    ),
  );
  const { agent } = await workbench([call('break'), says('ok')], { extensions: [broken], rules: { allow: ['break'] } });
  const events = await collect(agent.prompt('go'));
  expect(resultText(events)).toBe('it fell apart');
  expect(events.at(-1)).toMatchObject({ reason: 'done', turns: 2 });
});

test('two tools of one name are an error that names both extensions', async () => {
  const again = extensionOf('second greeter', (api) => api.tool(toolOf('greet', async () => textResult(''))));
  await expect(workbench([], { extensions: [greeter, again] })).rejects.toThrow(/greeter and second greeter/);
  const thief = extensionOf('thief', (api) => api.tool(toolOf('bash', async () => textResult(''))));
  await expect(workbench([], { extensions: [thief] })).rejects.toThrow(/builtin and thief/);
});

test('calls of a tool that claims to read run together, and each result goes to its call', async () => {
  const waiting: (() => void)[] = [];
  const meet = extensionOf('meet', (api) =>
    api.tool({
      ...toolOf('meet', async ({ name }) => {
        // Resolves only when all three are here.
        await new Promise<void>((resolve) => {
          if (waiting.push(resolve) === 3) for (const wake of waiting) wake();
        });
        return textResult(`met ${name}`);
      }),
      effects: async ({ name }, { cwd }) => [{ kind: 'read', path: `${cwd}/${name}` }],
    }),
  );
  const blocks = ['a', 'b', 'c'].map((name) => ({ call: 'meet', input: { name }, id: `id_${name}` }));
  const { agent } = await workbench([{ blocks }, says('ok')], { extensions: [meet], rules: { allow: ['meet'] } });
  const events = await collect(agent.prompt('go'));
  const turn = events.find((event) => event.type === 'turn_end');
  expect(turn).toMatchObject({
    toolResults: ['a', 'b', 'c'].map((name) => ({ toolCallId: `id_${name}`, content: [{ text: `met ${name}` }] })),
  });
});

test('calls of a tool that claims to do nothing do not run together: it may do anything', async () => {
  let running = 0;
  let most = 0;
  const quiet = extensionOf('quiet', (api) =>
    api.tool(
      toolOf('quiet', async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return textResult('done');
      }),
    ),
  );
  const blocks = ['a', 'b', 'c'].map((name) => ({ call: 'quiet', input: { name }, id: `id_${name}` }));
  const { agent } = await workbench([{ blocks }, says('ok')], { extensions: [quiet], rules: { allow: ['quiet'] } });
  await collect(agent.prompt('go'));
  expect(most).toBe(1);
});

test('details that no session can hold are left out, and the run goes on', async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const odd = extensionOf('odd', (api) =>
    api.tool(toolOf('odd', async () => ({ ...textResult('fine'), details: cyclic }))),
  );
  const { agent } = await workbench([{ blocks: [{ call: 'odd', input: {} }] }, says('ok')], {
    extensions: [odd],
    rules: { allow: ['odd'] },
  });
  const events = await collect(agent.prompt('go'));
  expect(resultText(events)).toBe('fine');
  expect(events.at(-1)).toMatchObject({ reason: 'done' });
});

test('what a tool tells while it runs is heard while it runs', async () => {
  let heard = () => {};
  const wasHeard = new Promise<void>((resolve) => (heard = resolve));
  const teller = extensionOf('teller', (api) =>
    api.tool(
      toolOf('tell', async (_, context) => {
        context.onUpdate('half way');
        await wasHeard;
        return textResult('there');
      }),
    ),
  );
  const { agent } = await workbench([call('tell'), says('ok')], { extensions: [teller], rules: { allow: ['tell'] } });
  agent.subscribe((event) => {
    if (event.type === 'tool_execution_update' && event.delta === 'half way') heard();
  });
  expect(await agent.prompt('go').outcome).toMatchObject({ reason: 'done' });
});

test('an abort reaches the signal of a running tool', async () => {
  const control = new AbortController();
  const sleeper = extensionOf('sleeper', (api) =>
    api.tool(
      toolOf('sleep', async (_, { signal }) => {
        const woken = new Promise((resolve) => signal.addEventListener('abort', resolve));
        control.abort();
        await woken;
        return textResult('woken');
      }),
    ),
  );
  const { agent, model } = await workbench([call('sleep'), says('never')], {
    extensions: [sleeper],
    rules: { allow: ['sleep'] },
  });
  expect(await agent.prompt('go', { signal: control.signal }).outcome).toMatchObject({ reason: 'aborted' });
  expect(model.requests).toHaveLength(1);
});

test('a hook may block a call, and the model hears why', async () => {
  const guard = extensionOf('guard', (api) => api.beforeTool(() => ({ block: 'not on Fridays' })));
  const { agent, project } = await workbench([call('write', { path: 'a', content: 'b' }), says('ok')], {
    extensions: [guard],
    permissionMode: 'dangerously',
  });
  expect(resultText(await collect(agent.prompt('go')))).toMatch(/not on Fridays/);
  expect(existsSync(join(project, 'a'))).toBe(false);
});

test('a hook that throws blocks: guards fail closed', async () => {
  const guard = extensionOf('guard', (api) =>
    api.beforeTool(() => {
      throw new Error('no idea');
    }),
  );
  const { agent, project } = await workbench([call('write', { path: 'a', content: 'b' }), says('ok')], {
    extensions: [guard],
    permissionMode: 'dangerously',
  });
  expect(resultText(await collect(agent.prompt('go')))).toMatch(/guard failed: no idea/);
  expect(existsSync(join(project, 'a'))).toBe(false);
});

test('what a hook changed is judged again, as if the model had asked for it', async () => {
  const swap = extensionOf('swap', (api) => api.beforeTool(() => ({ input: { command: 'touch made.txt' } })));
  const { agent, project } = await workbench([call('bash', { command: 'pwd' }), says('ok')], { extensions: [swap] });
  const events = await collect(agent.prompt('go'));
  expect(events.find(({ type }) => type === 'permission_request')).toMatchObject({
    input: { command: 'touch made.txt' },
  });
  expect(existsSync(join(project, 'made.txt'))).toBe(false);
});

test('a hook that changes the arguments into nonsense does not get past the schema', async () => {
  const spoil = extensionOf('spoil', (api) => api.beforeTool(() => ({ input: { command: { pwd: true } } })));
  const { agent } = await workbench([call('bash', { command: 'pwd' }), says('ok')], {
    extensions: [spoil],
    permissionMode: 'dangerously',
  });
  expect(resultText(await collect(agent.prompt('go')))).toMatch(/do not fit bash/);
});

test('hooks see each call in turn, and a later one sees what an earlier one made of it', async () => {
  const seen: unknown[] = [];
  const first = extensionOf('first', (api) => api.beforeTool(({ input }) => ({ input: { name: `${input.name}!` } })));
  const second = extensionOf('second', (api) =>
    api.beforeTool((one) => {
      seen.push(one);
      return undefined;
    }),
  );
  const { agent } = await workbench([greet, says('ok')], { ...allowed, extensions: [greeter, first, second] });
  expect(resultText(await collect(agent.prompt('go')))).toBe('Hello, you!');
  expect(seen).toEqual([{ id: 'greet_1', toolName: 'greet', input: { name: 'you!' } }]);
});

test('a hook after a call may replace its result, and the model sees the new one', async () => {
  const censor = extensionOf('censor', (api) =>
    api.afterTool((_, result) => ({ ...result, ...textResult('[removed]') })),
  );
  const { agent, model } = await workbench([greet, says('ok')], { ...allowed, extensions: [greeter, censor] });
  expect(resultText(await collect(agent.prompt('go')))).toBe('[removed]');
  expect(model.requests[1]?.raw).not.toContain('Hello, you');
});

test('a hook that fails after a call does not let the result through', async () => {
  const censor = extensionOf('censor', (api) =>
    api.afterTool(() => {
      throw new Error('cannot censor');
    }),
  );
  const { agent, model } = await workbench([greet, says('ok')], { ...allowed, extensions: [greeter, censor] });
  await agent.prompt('go').outcome;
  expect(model.requests[1]?.raw).toContain('cannot censor');
  expect(model.requests[1]?.raw).not.toContain('Hello, you');
});

test("an extension that cannot be registered is the caller's to know", async () => {
  const broken = extensionOf('broken', async () => {
    throw new Error('no licence');
  });
  await expect(workbench([], { extensions: [broken] })).rejects.toThrow('no licence');
});
