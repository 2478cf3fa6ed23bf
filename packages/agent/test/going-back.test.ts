/** Going back: before something that was said, and to where a branch was left. Nothing is lost on the way. */
import { appendFileSync, readFileSync } from 'node:fs';
import { isRecord, type SessionEntry, textOf } from '@tau/core';
import type { RecordedRequest } from '@tau/testkit';
import { expect, test } from 'vitest';
import { type Agent, describeError } from '../src/index.ts';
import { call, collect, extensionOf, says, workbench } from './workbench.ts';

const words = (agent: Agent) => agent.messages().map((message) => `${message.role}: ${textOf(message)}`);
const told = (request: RecordedRequest | undefined) => JSON.stringify(isRecord(request?.body) && request.body.messages);

function entriesOf(path: string | undefined): SessionEntry[] {
  const [, ...lines] = readFileSync(path ?? '', 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

test('the conversation goes on from before a message, the branch that was left can be gone back to, and both survive', async () => {
  const { agent, model, another, write } = await workbench([says('one'), says('two'), says('three'), says('four')]);
  write('a.txt', 'the attached file');
  await agent.prompt('first').outcome;
  await agent.prompt('look at @a.txt', { attachments: await agent.attach('a.txt') }).outcome;
  const said = agent.going.said();
  expect(said.map(({ text }) => text)).toEqual(['look at @a.txt', 'first']);
  expect(agent.going.branches()).toEqual([]);

  // The words come back without what was attached to them.
  expect(agent.going.goTo(said[0]?.entryId ?? '')).toBe('look at @a.txt');
  expect(words(agent)).toEqual(['user: first', 'assistant: one']);
  expect(agent.going.said().map(({ text }) => text)).toEqual(['first']);
  expect(agent.going.branches()).toMatchObject([{ text: 'look at @a.txt' }]);
  const before = entriesOf(agent.sessionPath).length;

  // Killed now: nothing was closed. Who opens the file finds the conversation where it went.
  await agent.close();
  const heir = await another({ session: 'continue' });
  expect(words(heir)).toEqual(['user: first', 'assistant: one']);
  await heir.prompt('instead').outcome;
  expect(told(model.requests[2])).not.toContain('the attached file');
  expect(words(heir)).toEqual(['user: first', 'assistant: one', 'user: instead', 'assistant: three']);

  // To the end of the branch that was left: nothing is to be said anew.
  const [left] = heir.going.branches();
  expect(heir.going.goTo(left?.entryId ?? '')).toBe('');
  expect(words(heir).slice(-1)).toEqual(['assistant: two']);
  expect(heir.going.branches()).toMatchObject([{ text: 'instead' }]);
  await heir.prompt('on it').outcome;
  expect(told(model.requests[3])).toContain('the attached file');
  expect(told(model.requests[3])).not.toContain('instead');
  expect(entriesOf(heir.sessionPath).length).toBeGreaterThan(before);
});

test('before the first message the conversation begins afresh, and what cannot be gone to says so', async () => {
  const { agent } = await workbench([says('one'), says('two')]);
  await agent.prompt('first').outcome;
  const [first] = agent.going.said();
  expect(agent.going.goTo(first?.entryId ?? '')).toBe('first');
  expect(agent.messages()).toEqual([]);
  expect(() => agent.going.goTo('ffffffff')).toThrow(/no message ffffffff/);
  const run = agent.prompt('again');
  const error = await Promise.resolve()
    .then(() => agent.going.goTo(first?.entryId ?? ''))
    .catch((given: unknown) => describeError(given));
  expect(error).toMatch(/a run is under way/);
  await run.outcome;
  expect(words(agent)).toEqual(['user: again', 'assistant: two']);
  expect(agent.going.goTo(null)).toBe('');
  expect(agent.messages()).toEqual([]);
  expect(agent.going.branches().map(({ text }) => text)).toEqual(['again', 'first']);
});

test('what the user allowed and denied counts after going back, also when the session goes on another day', async () => {
  const { agent, another } = await workbench([says('one'), says('two')]);
  await agent.prompt('first').outcome;
  await agent.prompt('second').outcome;
  agent.allow('bash(make:*)');
  agent.deny('bash(curl:*)');
  const mine = ({ rules }: Pick<Agent, 'rules'>) =>
    rules().flatMap(({ rule, outcome }) => (/make|curl/.test(rule) ? [`${outcome} ${rule}`] : []));
  const both = ['deny bash(curl:*)', 'allow bash(make:*)'];
  agent.going.goTo(agent.going.said()[1]?.entryId ?? '');
  expect(mine(agent)).toEqual(both);
  await agent.close();
  const heir = await another({ session: 'continue' });
  expect(heir.messages()).toEqual([]);
  expect(mine(heir)).toEqual(both);
});

test('what nobody typed is no message to go back to, and is known as such when the session goes on', async () => {
  const { agent, another } = await workbench([call('bash', { command: 'true' }), says('one'), says('two')], {
    permissionMode: 'dangerously',
    extensions: [
      extensionOf('x', (api) =>
        api.afterTool((_, result) => {
          api.say('from an extension');
          return result;
        }),
      ),
    ],
  });
  const events = await collect(agent.prompt('first'));
  const heard = events.flatMap((event) =>
    event.type === 'message_end' && event.message.role === 'user' ? [event.message.origin] : [],
  );
  expect(heard).toEqual([undefined, 'tau.word']);
  agent.tell('later');
  await agent.prompt('second').outcome;
  expect(agent.going.said().map(({ text }) => text)).toEqual(['second', 'first']);
  await agent.close();
  const heir = await another({ session: 'continue' });
  const users = heir.messages().flatMap((one) => (one.role === 'user' ? [[textOf(one), one.origin]] : []));
  expect(users).toEqual([
    ['first', undefined],
    ['from an extension', 'tau.word'],
    ['later', 'tau.word'],
    ['second', undefined],
  ]);
});

test('a move that was torn by the end of the process leaves the conversation where it was', async () => {
  const { agent, another } = await workbench([says('one'), says('two')]);
  await agent.prompt('first').outcome;
  await agent.prompt('second').outcome;
  const whole = words(agent);
  const path = agent.sessionPath ?? '';
  await agent.close();
  appendFileSync(path, '{"type":"custom","customType":"tau.move","id":"abcd0123","parentId":nul');
  const heir = await another({ session: 'continue' });
  expect(words(heir)).toEqual(whole);
});
