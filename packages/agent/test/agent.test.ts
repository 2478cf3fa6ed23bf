import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textResult } from '@tau/core';
import { expect, test } from 'vitest';
import { createAgent, type StampedEvent, textOf } from '../src/index.ts';
import { call, collect, extensionOf, resultText, says, toolOf, workbench } from './workbench.ts';

test('iterating a prompt gives every event in order, and ends', async () => {
  const { agent } = await workbench([call('bash', { command: 'echo hi' }), says('Done')]);
  const heard: StampedEvent[] = [];
  agent.subscribe((event) => heard.push(event));
  const run = agent.prompt('go');
  const events = await collect(run);
  expect(events[0]).toMatchObject({ type: 'agent_start', sessionId: agent.sessionId });
  expect(events.at(-1)).toMatchObject({ type: 'agent_end', reason: 'done', turns: 2 });
  const structure = (all: StampedEvent[]) => all.map(({ type }) => type).filter((type) => !type.endsWith('_update'));
  expect(structure(events)).toEqual(structure(heard));
  expect(resultText(events)).toBe('hi');
  expect(await run.outcome).toMatchObject({ reason: 'done', turns: 2, usage: { input: 20 } });
});

test('who reads late finds the deltas joined and everything else', async () => {
  const words = 'one two three four five '.repeat(20);
  const { agent } = await workbench([{ blocks: [{ text: words }], chunk: 3 }]);
  let deltas = 0;
  agent.subscribe((event) => {
    if (event.type === 'message_update') deltas += 1;
  });
  const run = agent.prompt('go');
  const events = run[Symbol.asyncIterator]();
  await run.outcome;
  const late = await collect({ outcome: run.outcome, [Symbol.asyncIterator]: () => events });
  const updates = late.filter((event) => event.type === 'message_update');
  expect(deltas).toBe(160);
  expect(updates).toMatchObject([{ delta: { kind: 'text', index: 0, text: words } }]);
  expect(late.at(-1)?.type).toBe('agent_end');
});

test('two who iterate get the same, and one who leaves early does not disturb the other', async () => {
  const { agent } = await workbench([says('Hello')]);
  const run = agent.prompt('go');
  const impatient = async () => {
    for await (const event of run) return event.type;
    return undefined;
  };
  const [first, all] = await Promise.all([impatient(), collect(run)]);
  expect(first).toBe('agent_start');
  expect(all.at(-1)?.type).toBe('agent_end');
});

test('iterating a run that is over ends at once', async () => {
  const { agent } = await workbench([says('Hello')]);
  const run = agent.prompt('go');
  await run.outcome;
  expect(await collect(run)).toEqual([]);
});

test('who unsubscribed hears nothing more', async () => {
  const { agent } = await workbench([says('one'), says('two')]);
  const heard: string[] = [];
  const leave = agent.subscribe(({ type }) => heard.push(type));
  await agent.prompt('go').outcome;
  const before = heard.length;
  expect(before).toBeGreaterThan(0);
  leave();
  await agent.prompt('again').outcome;
  expect(heard.length).toBe(before);
});

test('a listener that throws harms neither the run nor the other listeners', async () => {
  const { agent } = await workbench([call('bash', { command: 'echo hi' }), says('Done')]);
  const heard: string[] = [];
  agent.subscribe(() => {
    throw new Error('a broken reader');
  });
  agent.subscribe(({ type }) => heard.push(type));
  expect(await agent.prompt('go').outcome).toMatchObject({ reason: 'done', turns: 2 });
  expect(heard.at(-1)).toBe('agent_end');
});

test('a second prompt waits for the first, and each has its own events', async () => {
  const { agent } = await workbench([says('one'), says('two')]);
  const first = collect(agent.prompt('go'));
  const second = collect(agent.prompt('me too'));
  const answers = (events: readonly StampedEvent[]) =>
    events.flatMap((event) => (event.type === 'message_end' ? [textOf(event.message)] : []));
  expect(answers(await first)).toEqual(['go', 'one']);
  expect(answers(await second)).toEqual(['me too', 'two']);
});

test('prompts of one agent are one conversation in one file', async () => {
  const { agent, model } = await workbench([says('one'), says('two')]);
  await agent.prompt('remember me').outcome;
  await agent.prompt('second').outcome;
  expect(model.requests[1]?.raw).toContain('remember me');
  const lines = readFileSync(agent.sessionPath ?? '', 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(6);
  expect(lines[0]).toContain(agent.sessionId);
});

test('an abort ends the run and its request, and the next prompt works', async () => {
  const { agent, model } = await workbench([{ hang: 'midStream' }, says('back')]);
  const control = new AbortController();
  const run = agent.prompt('go', { signal: control.signal });
  const request = await model.arrival(0);
  control.abort();
  expect(await run.outcome).toMatchObject({ reason: 'aborted', turns: 1 });
  await request.aborted;
  expect(await agent.prompt('again').outcome).toMatchObject({ reason: 'done' });
});

test('a prompt that was aborted before it began sends nothing', async () => {
  const { agent, model } = await workbench([says('never')]);
  expect(await agent.prompt('go', { signal: AbortSignal.abort() }).outcome).toMatchObject({ reason: 'aborted' });
  expect(model.requests).toHaveLength(0);
});

test('a provider that fails is an outcome, not a throw', async () => {
  const { agent } = await workbench([{ status: 500 }]);
  const run = agent.prompt('go');
  const events = await collect(run);
  expect(await run.outcome).toMatchObject({ reason: 'error' });
  expect(events.find(({ type }) => type === 'error')).toMatchObject({ class: 'overloaded' });
});

test('a session that cannot be written is a throw, and who iterates is not left waiting', async () => {
  const { agent, model } = await workbench([says('never')]);
  agent.close();
  const run = agent.prompt('go');
  const outcome = expect(run.outcome).rejects.toThrow('session is closed');
  const events: StampedEvent[] = [];
  const iteration = (async () => {
    for await (const event of run) events.push(event);
  })();
  await expect(iteration).rejects.toThrow('session is closed');
  await outcome;
  expect(events.slice(-2)).toMatchObject([
    { type: 'error', message: expect.stringContaining('session is closed') },
    { type: 'agent_end', reason: 'error' },
  ]);
  expect(model.requests).toHaveLength(0);
});

test('maxTurns is for each prompt', async () => {
  const step = call('bash', { command: 'pwd' });
  const { agent } = await workbench([step, step, says('ok')], { maxTurns: 2 });
  expect(await agent.prompt('go').outcome).toMatchObject({ reason: 'maxTurns', turns: 2 });
  expect(await agent.prompt('go on').outcome).toMatchObject({ reason: 'done', turns: 1 });
});

test('warnings say what was ignored', async () => {
  const { agent } = await workbench([], { settings: { colour: 'red' }, rules: { allow: ['bash(rm:*:*)'] } });
  expect(agent.warnings).toEqual([
    expect.stringMatching(/settings\.json:\d+:\d+: colour/),
    expect.stringContaining('bash(rm:*:*)'),
  ]);
});

test('an agent says who it is', async () => {
  const { agent } = await workbench([], { permissionMode: 'plan', session: 'none' });
  expect(agent).toMatchObject({
    model: { provider: 'scripted', id: 'scripted' },
    permissionMode: 'plan',
    sessionPath: undefined,
    warnings: [],
  });
});

test('a folder that does not exist is an error of usage', async () => {
  const { home, project } = await workbench([]);
  const made = createAgent({ cwd: join(project, 'nowhere'), env: { HOME: home } });
  await expect(made).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('nowhere') });
});

test('details of a result are for the readers and the file, not for the model', async () => {
  const secret = extensionOf('secret', (api) =>
    api.tool(toolOf('look', async () => textResult('seen', { unspoken: 42 }))),
  );
  const { agent, model } = await workbench([call('look'), says('ok')], {
    extensions: [secret],
    rules: { allow: ['look'] },
  });
  const events = await collect(agent.prompt('go'));
  expect(events.find(({ type }) => type === 'tool_execution_end')).toMatchObject({
    result: { details: { unspoken: 42 } },
  });
  expect(readFileSync(agent.sessionPath ?? '', 'utf8')).toContain('"unspoken":42');
  expect(model.requests[1]?.raw).not.toContain('unspoken');
});
