/** The published schema of events, held against the events of real runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createValidate, describeProblem, isRecord, type JsonSchema, textResult } from '@tau/core';
import { expect, test } from 'vitest';
import { eventSchema, type StampedEvent } from '../src/index.ts';
import { call, collect, extensionOf, says, toolOf, workbench } from './workbench.ts';

/** The same schema, but what it does not name is wrong: published it is open for what later versions say. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isRecord(schema)) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return isRecord(schema.properties) ? { ...parts, additionalProperties: false } : parts;
}

async function problemsOf(schema: unknown, events: readonly unknown[]): Promise<string[]> {
  if (!isRecord(schema)) return ['the schema is no object'];
  const validate = createValidate();
  const found: string[] = [];
  for (const event of events) {
    const problems = await validate(schema, JSON.parse(JSON.stringify(event)));
    if (problems.length > 0) found.push(`${JSON.stringify(event)}: ${problems.map(describeProblem).join('; ')}`);
  }
  return found;
}

const typesIn = ({ oneOf }: JsonSchema): string[] =>
  Array.isArray(oneOf) ? oneOf.map(({ $ref }) => String($ref).replace('#/$defs/', '')) : [];

/** Runs in which everything happens that can happen. */
async function everything(): Promise<StampedEvent[]> {
  const busy = extensionOf('busy', (api) => {
    api.tool(
      toolOf('work', async (_, { onUpdate }) => {
        onUpdate('half way');
        api.say('hurry');
        api.status('work', 'half done');
        return textResult('worked', { anything: [1, null] });
      }),
    );
    api.beforeStop((answer) => (answer === 'hasty' ? 'look again' : undefined));
  });
  const limits = { 'anthropic-ratelimit-requests-limit': '50', 'anthropic-ratelimit-requests-remaining': '49' };
  const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
  const { agent, write } = await workbench(
    [
      { status: 529 },
      { blocks: [{ thinking: 'hm' }, { text: 'I work' }, { call: 'work', input: {}, id: 'w1' }], headers: limits },
      { blocks: [{ call: 'write', input: { path: 'a.txt', content: 'x' } }] },
      { blocks: [{ call: 'bash', input: { command: 'true', background: true } }] },
      { blocks: [{ call: 'bash', input: { command: 'echo hi; exit 3' } }] },
      { blocks: [{ call: 'bash', input: { command: 'sh reach.sh' } }] },
      { blocks: [{ call: 'web_fetch', input: { url: 'https://example.invalid/' } }] },
      call('ask_user', { question: 'Which?', options: [{ label: 'a', description: 'the first' }] }),
      says('hasty'),
      says('done'),
      { status: 400 },
    ],
    {
      settings: { colour: 'red', retry: { retries: 1, baseMs: 1 }, hooks: [{ event: 'Stop', command: 'true' }] },
      hookEvents: true,
      sandbox: true,
      extensions: [busy],
      rules: { allow: ['work', 'bash'], ask: ['write'] },
      ask: async ({ toolName }) => ({ outcome: 'deny', feedback: `no ${toolName}` }),
      question: async () => ({ answers: ['a'] }),
    },
  );
  write('reach.sh', 'echo x > /usr/nothing');
  // A command in the background ends when it likes.
  const ends: StampedEvent[] = [];
  agent.subscribe((event) => event.type === 'job_end' && ends.push(event), { deltas: false });
  const events = await collect(agent.prompt('go', { attachments: [image] }));
  const more = await collect(agent.prompt('again'));
  await expect.poll(() => ends).toHaveLength(1);
  return [...events, ...more, ...ends];
}

test('every kind of event happens in these runs, and fits the schema to the last field', async () => {
  const events = await everything();
  const seen = new Set(events.map(({ type }) => type));
  expect([...seen].sort()).toEqual(typesIn(eventSchema()).sort());
  expect(await problemsOf(closed(eventSchema()), events)).toEqual([]);
  expect(await problemsOf(eventSchema(), events)).toEqual([]);
});

test('an aborted run, and questions that nobody answered, fit it too', async () => {
  const ask = call('ask_user', { question: 'Which?' });
  const { agent, model } = await workbench([call('write', { path: 'a', content: 'b' }), ask, { hang: 'midStream' }]);
  const control = new AbortController();
  const run = agent.prompt('go', { signal: control.signal });
  const collected = collect(run);
  await model.arrival(2);
  control.abort();
  const events = await collected;
  expect(events.at(-1)).toMatchObject({ reason: 'aborted' });
  expect(await problemsOf(closed(eventSchema()), events)).toEqual([]);
});

test('what is no event does not fit', async () => {
  const timestamp = new Date(0).toISOString();
  const good = { type: 'turn_start', turn: 1, timestamp };
  expect(await problemsOf(eventSchema(), [good, { ...good, later: true }])).toEqual([]);
  const bad = [
    { type: 'turn_start', timestamp },
    { type: 'turn_start', turn: 1 },
    { type: 'turn_start', turn: 'one', timestamp },
    { type: 'take_off', timestamp },
    { type: 'agent_end', reason: 'bored', turns: 1, usage: {}, models: [], timestamp },
  ];
  expect(await problemsOf(eventSchema(), bad)).toHaveLength(bad.length);
});

test('the published file is made from the code (node scripts/events-schema.mjs)', () => {
  const file = join(import.meta.dirname, '../../cli/events.schema.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(eventSchema());
});
