/** The signal of a prompt, at every place where a run can be; and that its end always comes. */
import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textResult } from '@tau/core';
import { expect, test, vi } from 'vitest';
import type { StampedEvent } from '../src/index.ts';
import { call, collect, extensionOf, resultText, says, toolOf, workbench } from './workbench.ts';

const ends = (events: readonly StampedEvent[]) => events.filter(({ type }) => type === 'agent_end');

function isAlive(pid: string): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).trim();
    return state !== '' && !state.startsWith('Z');
  } catch {
    return false;
  }
}

test('while the model speaks: what it had said is kept, the end comes, and the next prompt is told of it', async () => {
  const { agent, model } = await workbench([{ hang: 'midStream' }, says('back')]);
  const control = new AbortController();
  const run = agent.prompt('go', { signal: control.signal });
  const events: StampedEvent[] = [];
  for await (const event of run) {
    events.push(event);
    if (event.type === 'message_update') control.abort();
  }
  await (await model.arrival(0)).aborted;
  expect(ends(events)).toMatchObject([{ reason: 'aborted', turns: 1 }]);
  expect(events.at(-1)?.type).toBe('agent_end');
  expect(await run.outcome).toMatchObject({ reason: 'aborted', answer: expect.stringContaining('This') });
  expect(agent.messages().map(({ role }) => role)).toEqual(['user', 'assistant']);
  expect(agent.messages()[1]).toMatchObject({ stopReason: 'aborted' });
  expect(await agent.prompt('again').outcome).toMatchObject({ reason: 'done', answer: 'back' });
});

test('while a command runs: it and its children are gone, and its call has a result', async () => {
  const command = 'sleep 60 & echo $! > pids; echo $$ >> pids; wait';
  const { agent, model, project } = await workbench([call('bash', { command }), says('never')], {
    permissionMode: 'dangerously',
  });
  const control = new AbortController();
  const run = agent.prompt('go', { signal: control.signal });
  const collected = collect(run);
  const pids = await vi.waitFor(
    () => {
      const lines = readFileSync(join(project, 'pids'), 'utf8').trim().split('\n');
      expect(lines).toHaveLength(2);
      return lines;
    },
    { timeout: 20_000 },
  );
  control.abort();
  const events = await collected;
  expect(ends(events)).toMatchObject([{ reason: 'aborted' }]);
  expect(agent.messages().map(({ role }) => role)).toEqual(['user', 'assistant', 'toolResult']);
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  expect(model.requests).toHaveLength(1);
});

test('at a read: the run ends, the call has its one result, and no request follows', async () => {
  const control = new AbortController();
  // The last moment before the tool runs.
  const stopper = extensionOf('stopper', (api) =>
    api.beforeTool(() => {
      control.abort();
      return undefined;
    }),
  );
  const { agent, model, write } = await workbench([call('read', { path: 'a.txt' }), says('never')], {
    extensions: [stopper],
  });
  write('a.txt', 'secret words');
  const events = await collect(agent.prompt('go', { signal: control.signal }));
  expect(ends(events)).toMatchObject([{ reason: 'aborted' }]);
  expect(events.filter(({ type }) => type === 'tool_execution_end')).toHaveLength(1);
  expect(resultText(events)).not.toContain('secret words');
  expect(model.requests).toHaveLength(1);
});

test('before a write: nothing is written, also when the answer to the ask was yes', async () => {
  const control = new AbortController();
  const { agent, project, model } = await workbench([call('write', { path: 'a.txt', content: 'x' }), says('never')], {
    ask: async () => {
      control.abort();
      return { outcome: 'allow' };
    },
  });
  const events = await collect(agent.prompt('go', { signal: control.signal }));
  expect(ends(events)).toMatchObject([{ reason: 'aborted' }]);
  expect(existsSync(join(project, 'a.txt'))).toBe(false);
  expect(events.filter(({ type }) => type === 'tool_execution_end')).toHaveLength(1);
  expect(model.requests).toHaveLength(1);
});

test('an ask that nobody answers does not hold the run back, and its signal says so', async () => {
  const control = new AbortController();
  let withdrawn = false;
  const { agent } = await workbench([call('write', { path: 'a.txt', content: 'x' }), says('never')], {
    ask: (_, signal) => {
      signal.addEventListener('abort', () => {
        withdrawn = true;
      });
      queueMicrotask(() => control.abort());
      return new Promise(() => {});
    },
  });
  expect(await agent.prompt('go', { signal: control.signal }).outcome).toMatchObject({ reason: 'aborted' });
  expect(withdrawn).toBe(true);
});

test('one signal aborts its own prompt only: the one that waits goes on', async () => {
  const { agent, model } = await workbench([{ hang: 'midStream' }, says('mine')]);
  const control = new AbortController();
  const first = agent.prompt('first', { signal: control.signal });
  const second = agent.prompt('second');
  await model.arrival(0);
  control.abort();
  expect(await first.outcome).toMatchObject({ reason: 'aborted' });
  expect(await second.outcome).toMatchObject({ reason: 'done', answer: 'mine' });
});

test('a prompt that is aborted while it waits is never sent, and the one before it is not disturbed', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const wait = extensionOf('wait', (api) =>
    api.tool(
      toolOf('wait', async () => {
        await held;
        return textResult('waited');
      }),
    ),
  );
  const { agent, model } = await workbench([call('wait'), says('one')], {
    extensions: [wait],
    rules: { allow: ['wait'] },
  });
  const first = agent.prompt('first');
  const control = new AbortController();
  const second = agent.prompt('second', { signal: control.signal });
  await model.arrival(0);
  control.abort();
  release();
  expect(await first.outcome).toMatchObject({ reason: 'done', answer: 'one' });
  expect(await second.outcome).toMatchObject({ reason: 'aborted', turns: 0 });
  expect(model.requests).toHaveLength(2);
});

test('idle comes when all prompts are over', async () => {
  const { agent } = await workbench([says('one'), says('two')]);
  const over: string[] = [];
  agent.prompt('first').outcome.then(() => over.push('first'));
  agent.prompt('second').outcome.then(() => over.push('second'));
  await agent.idle();
  expect(over).toEqual(['first', 'second']);
});

test('closing ends the commands in the background', async () => {
  const command = 'echo $$ > pids; sleep 60';
  const { agent, project } = await workbench([call('bash', { command, background: true }), says('ok')], {
    permissionMode: 'dangerously',
  });
  await agent.prompt('go').outcome;
  const pid = await vi.waitFor(
    () => {
      const text = readFileSync(join(project, 'pids'), 'utf8').trim();
      expect(text).not.toBe('');
      return text;
    },
    { timeout: 20_000 },
  );
  expect(isAlive(pid)).toBe(true);
  await agent.close();
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('closing twice is closing once', async () => {
  const { agent } = await workbench([says('ok')]);
  await agent.prompt('go').outcome;
  await agent.close();
  await agent.close();
  await expect(agent.prompt('go').outcome).rejects.toThrow('closed');
});

test('two agents in one process do not disturb each other', async () => {
  const one = await workbench([{ hang: 'midStream' }, says('one again')], { permissionMode: 'plan' });
  const two = await workbench([call('bash', { command: 'pwd' }), says('two')]);
  const heard: string[] = [];
  two.agent.subscribe(({ type }) => heard.push(type));
  const control = new AbortController();
  const run = one.agent.prompt('go', { signal: control.signal });
  await one.model.arrival(0);
  expect(heard).toEqual([]);
  const events = await collect(two.agent.prompt('go'));
  expect(resultText(events)).toBe(two.project);
  expect(two.agent.permissionMode).toBe('default');
  control.abort();
  expect(await run.outcome).toMatchObject({ reason: 'aborted' });
  await two.agent.close();
  expect(await one.agent.prompt('again').outcome).toMatchObject({ answer: 'one again' });
});

test('many agents leave no listeners on the process, and Node has nothing to warn of', async () => {
  const warned: Error[] = [];
  const listen = (warning: Error) => warned.push(warning);
  process.on('warning', listen);
  const listeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  const before = listeners();
  const answers = Array.from({ length: 50 }, () => [call('bash', { command: 'pwd' }), says('ok')]).flat();
  const { another } = await workbench(answers);
  const agents = [];
  const { signal } = new AbortController();
  for (let n = 0; n < 50; n++) {
    const agent = await another();
    await agent.prompt('go', { signal }).outcome;
    agents.push(agent);
  }
  for (const agent of agents) await agent.close();
  expect(listeners()).toBe(before);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', listen);
  expect(warned).toEqual([]);
});
