/** What an embedding program can look at and change between prompts: messages, model, thinking, mode, names. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, type Message, type SessionEntry, textResult } from '@tau/core';
import { type RecordedRequest, startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { textOf } from '../src/index.ts';
import { call, collect, extensionOf, providerAt, resultText, says, toolOf, workbench } from './workbench.ts';

const write = call('write', { path: 'a.txt', content: 'x' });
const words = (messages: readonly Message[]) => messages.map((message) => `${message.role}: ${textOf(message)}`);
const field = (request: RecordedRequest | undefined, name: string): unknown =>
  isRecord(request?.body) ? request.body[name] : undefined;
/** The conversation in a request of the first vendor. */
const told = (request: RecordedRequest | undefined): string => JSON.stringify(field(request, 'messages'));

function entriesOf(path: string | undefined): SessionEntry[] {
  const [, ...lines] = readFileSync(path ?? '', 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

async function secondModel(steps: Parameters<typeof startScriptedModel>[0]) {
  const model = await startScriptedModel(steps);
  onTestFinished(() => model.close());
  return model;
}

test('messages taken from one agent go into another, which goes on with the conversation', async () => {
  const { agent, model, another } = await workbench([call('bash', { command: 'pwd' }), says('one'), says('two')]);
  await agent.prompt('first').outcome;
  const taken = agent.messages();
  expect(taken.map(({ role }) => role)).toEqual(['user', 'assistant', 'toolResult', 'assistant']);
  const heir = await another({ messages: JSON.parse(JSON.stringify(taken)) });
  expect(heir.messages()).toEqual(taken);
  await heir.prompt('second').outcome;
  const before = field(model.requests[1], 'messages');
  const after = field(model.requests[2], 'messages');
  expect(Array.isArray(before) && Array.isArray(after) && after.slice(0, before.length)).toEqual(before);
  expect(words(heir.messages()).slice(-3)).toEqual(['assistant: one', 'user: second', 'assistant: two']);
});

test('an agent that was given messages and is never asked leaves no file', async () => {
  const { agent } = await workbench([], { messages: [{ role: 'user', content: 'before', timestamp: 0 }] });
  expect(existsSync(agent.sessionPath ?? '')).toBe(false);
});

test('changing what messages() gave changes nothing of the conversation', async () => {
  const { agent, model } = await workbench([says('one'), says('two')]);
  await agent.prompt('first').outcome;
  agent.messages().length = 0;
  await agent.prompt('second').outcome;
  expect(told(model.requests[1])).toContain('first');
});

test('setMessages begins anew; what was there stays in the file, on a branch of its own', async () => {
  const { agent, model, another } = await workbench([says('one'), says('two'), says('three')]);
  await agent.prompt('first').outcome;
  const old = entriesOf(agent.sessionPath).map(({ id }) => id);
  agent.setMessages([{ role: 'user', content: 'another story', timestamp: 1 }]);
  expect(words(agent.messages())).toEqual(['user: another story']);
  await agent.prompt('second').outcome;
  expect(told(model.requests[1])).toContain('another story');
  expect(told(model.requests[1])).not.toContain('first');

  const entries = entriesOf(agent.sessionPath);
  expect(entries.slice(0, old.length).map(({ id }) => id)).toEqual(old);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  expect(byId.size).toBe(entries.length);
  const chain: SessionEntry[] = [];
  for (let entry = entries.at(-1); entry; entry = byId.get(entry.parentId ?? '')) chain.unshift(entry);
  expect(chain[0]?.parentId).toBeNull();
  expect(chain.some(({ id }) => old.includes(id))).toBe(false);

  await agent.close();
  const resumed = await another({ session: 'continue' });
  expect(words(resumed.messages())).toEqual(['user: another story', 'user: second', 'assistant: two']);
});

test('setMessages with nothing makes the conversation empty', async () => {
  const { agent, model } = await workbench([says('one'), says('two')]);
  await agent.prompt('first').outcome;
  agent.setMessages([]);
  expect(agent.messages()).toEqual([]);
  await agent.prompt('second').outcome;
  expect(told(model.requests[1])).not.toContain('first');
});

test('messages cannot be set while a run is under way', async () => {
  const { agent, model } = await workbench([{ hang: 'midStream' }]);
  const control = new AbortController();
  const run = agent.prompt('first', { signal: control.signal });
  await model.arrival(0);
  expect(() => agent.setMessages([])).toThrow('run is under way');
  control.abort();
  await run.outcome;
  await agent.idle();
  agent.setMessages([]);
  expect(agent.messages()).toEqual([]);
});

test('a session has the id and the name it was given', async () => {
  const sessionId = '018f4f6e-0000-7000-8000-000000000001';
  const { agent } = await workbench([says('one')], { sessionId, sessionName: 'my work' });
  await agent.prompt('go').outcome;
  expect(agent.sessionId).toBe(sessionId);
  expect(agent.sessionPath).toContain(sessionId);
  const named = () =>
    entriesOf(agent.sessionPath).flatMap((entry) => (entry.type === 'session_info' ? [entry.name] : []));
  expect(named()).toEqual(['my work']);
  agent.setName('your work');
  expect(named()).toEqual(['my work', 'your work']);
});

test('another model in mid-conversation, of another vendor, is told all of it in its own protocol', async () => {
  const other = await secondModel([says('two'), says('three')]);
  const { agent, model } = await workbench([call('bash', { command: 'echo found it' }), says('one'), says('four')], {
    providers: { other: providerAt(other, 'openai-responses') },
  });
  await agent.prompt('first').outcome;
  await agent.setModel('other/scripted');
  expect(agent.model).toMatchObject({ provider: 'other', api: 'openai-responses' });
  expect(await agent.prompt('second').outcome).toMatchObject({ reason: 'done', answer: 'two' });
  expect(await agent.prompt('third').outcome).toMatchObject({ reason: 'done', answer: 'three' });
  expect(model.requests).toHaveLength(2);
  expect(field(other.requests[0], 'input')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'function_call', name: 'bash' }),
      expect.objectContaining({ type: 'function_call_output', output: 'found it' }),
    ]),
  );
  // And back: the first vendor gets what the other said.
  await agent.setModel('scripted/scripted');
  expect(await agent.prompt('fourth').outcome).toMatchObject({ reason: 'done', answer: 'four' });
  for (const said of ['first', 'found it', 'one', 'second', 'two', 'third', 'three', 'fourth']) {
    expect(told(model.requests[2])).toContain(said);
  }
  const changes = entriesOf(agent.sessionPath).filter(({ type }) => type === 'model_change');
  expect(changes).toMatchObject([{ provider: 'scripted' }, { provider: 'other' }, { provider: 'scripted' }]);
});

test('another model in the middle of a run is asked from the next request on', async () => {
  const other = await secondModel([says('mine now')]);
  let change = async () => {};
  const changer = extensionOf('changer', (api) =>
    api.tool(
      toolOf('change', async () => {
        await change();
        return textResult('changed');
      }),
    ),
  );
  const { agent, model } = await workbench([call('change')], {
    providers: { other: providerAt(other, 'openai-responses') },
    extensions: [changer],
    rules: { allow: ['change'] },
  });
  change = () => agent.setModel('other/scripted');
  const { answer, models } = await agent.prompt('go').outcome;
  expect(answer).toBe('mine now');
  expect(models.map((use) => use.model)).toEqual(['scripted/scripted', 'other/scripted']);
  expect(model.requests).toHaveLength(1);
  expect(other.requests).toHaveLength(1);
});

test('a provider that was named for the first model does not bind the next ones', async () => {
  const other = await secondModel([says('two')]);
  const { agent } = await workbench([], {
    providers: { other: providerAt(other, 'openai-responses') },
    settings: { planModel: 'other/scripted' },
    provider: 'scripted',
    model: 'scripted',
  });
  await agent.setModel('other/scripted');
  expect(agent.model.provider).toBe('other');
});

test('a recording goes on with the next model, and with the one for plans', async () => {
  const other = await secondModel([says('two')]);
  const { agent, project } = await workbench([says('one')], {
    providers: { other: providerAt(other, 'openai-responses') },
    settings: { planModel: 'other/scripted' },
    record: 'talk.jsonl',
  });
  await agent.prompt('first').outcome;
  await agent.setModel('other/scripted');
  expect(await agent.prompt('second').outcome).toMatchObject({ reason: 'done', answer: 'two' });
  await agent.close();
  expect(readFileSync(join(project, 'talk.jsonl'), 'utf8')).toContain('openai-responses');
});

test('a model that does not exist is refused, and the one before stays', async () => {
  const { agent } = await workbench([says('still here')]);
  await expect(agent.setModel('nobody/nothing')).rejects.toMatchObject({ code: 'unknownModel' });
  expect(agent.model).toMatchObject({ provider: 'scripted', id: 'scripted' });
  expect(await agent.prompt('go').outcome).toMatchObject({ answer: 'still here' });
});

test('how hard it thinks changes with the next request, and is on record', async () => {
  const thinker = await secondModel([says('one'), says('two')]);
  const { agent } = await workbench([], {
    providers: { mine: providerAt(thinker, 'anthropic-messages', { reasoning: true }) },
    model: 'mine/scripted',
  });
  await agent.prompt('first').outcome;
  agent.setThinking('high');
  expect(agent.thinking).toBe('high');
  await agent.prompt('second').outcome;
  expect(thinker.requests.map((request) => field(request, 'thinking'))).toEqual([
    undefined,
    expect.objectContaining({ type: 'enabled' }),
  ]);
  expect(entriesOf(agent.sessionPath)).toContainEqual(
    expect.objectContaining({ type: 'thinking_level_change', thinkingLevel: 'high' }),
  );
});

test('plan mode denies what it allowed before, and the other mode allows it again', async () => {
  const { agent, project } = await workbench([write, says('one'), write, says('two')], {
    permissionMode: 'acceptEdits',
  });
  agent.setPermissionMode('plan');
  expect(agent.permissionMode).toBe('plan');
  expect(resultText(await collect(agent.prompt('go')))).toContain('plan mode only reads');
  expect(existsSync(join(project, 'a.txt'))).toBe(false);
  agent.setPermissionMode('acceptEdits');
  await agent.prompt('go').outcome;
  expect(existsSync(join(project, 'a.txt'))).toBe(true);
});

test('the model for plans is asked in plan mode and at no other time', async () => {
  const planner = await secondModel([call('plan_exit', { plan: 'do it' })]);
  const { agent, model } = await workbench([says('before'), says('done')], {
    providers: { planner: providerAt(planner, 'openai-responses') },
    settings: { planModel: 'planner/scripted' },
    ask: async () => ({ outcome: 'allow' }),
  });
  await agent.prompt('first').outcome;
  agent.setPermissionMode('plan');
  // The plan is approved on the way, so the other model carries it out.
  expect(await agent.prompt('plan it').outcome).toMatchObject({ reason: 'done', answer: 'done' });
  expect(planner.requests).toHaveLength(1);
  expect(model.requests).toHaveLength(2);
  expect(agent.permissionMode).toBe('default');
  expect(agent.model.provider).toBe('scripted');
});
