/** Tools that wait until they are looked for: found by name or by what they are for, offered from then on, and kept. */
import type { RecordedRequest } from '@tau/testkit';
import { expect, test } from 'vitest';
import { apis, bareSandbox, call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { at } from './json.ts';
import { defaultTools, offeredIn, toolsIn, waitingTools } from './offered.ts';

const looksFor = (query: string) => calls(call('tool_search', { query }));

/** Each tool as it was told, but for the mark that says how far a vendor's cache goes. */
const told = (asked: RecordedRequest) =>
  toolsIn(asked).map((tool) =>
    JSON.stringify(tool, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  );

test('tool_search names every tool that waits, and no other', async () => {
  const { tau, model } = await converse([says('ok')]);
  expect((await tau(['-p', 'hi'])).code).toBe(0);
  const tool = toolsIn(request(model, 0)).find((one) => at(one, 'name') === 'tool_search');
  expect(at(tool, 'description')).toBe(`Get more tools: ${waitingTools.join(', ')}.`);
});

test('the help names the tools there are, those that wait too', async () => {
  const { stdout } = await bareSandbox().tau(['--help']);
  const named = /^Tools: ([^.]*)\.[^:]*: ([^.]*)\./m.exec(stdout)?.slice(1) ?? [];
  const [offered, waiting] = named.map((names) => names.split(/,\s+/));
  expect(offered).toEqual(defaultTools.filter((name) => name !== 'tool_search'));
  expect(waiting?.toSorted()).toEqual([...waitingTools, 'plan_exit'].toSorted());
});

test.each([
  ['fetch a web page', 'web_fetch'],
  ['todo list', 'todo'],
  ['ask the user a question', 'ask_user'],
  ['apply a patch', 'apply_patch'],
  ['background commands', 'jobs'],
  ['plan before acting', 'plan_enter'],
  ['WebFetch', 'web_fetch'],
  ['select:todo', 'todo'],
])('looking for "%s" brings %s with the next request', async (query, name) => {
  const { tau, model } = await converse([looksFor(query), says('ok')]);
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stderr: '' });
  expect(offeredIn(request(model, 0))).toEqual(defaultTools);
  expect(offeredIn(request(model, 1))).toContain(name);
  expect(resultsIn(request(model, 1))[0]?.text).toContain(`- ${name}: `);
});

test('select: brings exactly what it names', async () => {
  const { tau, model } = await converse([looksFor('select:todo, web_fetch'), says('ok')]);
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(offeredIn(request(model, 1))).toEqual([...defaultTools, 'web_fetch', 'todo']);
});

test('what nothing fits is answered with what there is, and nothing new is offered', async () => {
  const { tau, model } = await converse([looksFor('xyzzy'), says('ok')]);
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(resultsIn(request(model, 1))[0]?.text).toBe(`Nothing fits. There are: ${waitingTools.join(', ')}.`);
  expect(offeredIn(request(model, 1))).toEqual(defaultTools);
});

test.each(apis)('what was offered before stays as it was, and the new comes last, over %s', async (api) => {
  const { tau, model } = await converse([looksFor('select:todo'), looksFor('select:ask_user'), says('ok')], { api });
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(offeredIn(request(model, 2))).toEqual([...defaultTools, 'todo', 'ask_user']);
  expect(told(request(model, 2)).slice(0, defaultTools.length)).toEqual(told(request(model, 0)));
});

test('a session that goes on offers what it had found', async () => {
  const { tau, model } = await converse([looksFor('select:web_fetch'), says('ok'), says('again'), says('anew')]);
  await tau(['-p', 'go']);
  expect((await tau(['-p', '-c', 'on'])).code).toBe(0);
  expect(offeredIn(request(model, 2))).toEqual(offeredIn(request(model, 1)));
  expect((await tau(['-p', 'new'])).code).toBe(0);
  expect(offeredIn(request(model, 3))).toEqual(defaultTools);
});

test('where nothing waits there is nothing to look for', async () => {
  const { tau, model } = await converse([says('ok')]);
  expect((await tau(['-p', 'hi', '--exclude-tools', [...waitingTools, 'plan_exit'].join(',')])).code).toBe(0);
  expect(offeredIn(request(model, 0))).toEqual(defaultTools.filter((name) => name !== 'tool_search'));
});

test('what is left out is not found', async () => {
  const { tau, model } = await converse([looksFor('web_fetch'), says('ok')]);
  expect((await tau(['-p', 'go', '--exclude-tools', 'web_fetch'])).code).toBe(0);
  expect(request(model, 0).raw).not.toContain('web_fetch');
  expect(offeredIn(request(model, 1))).not.toContain('web_fetch');
});

test('going into plan mode brings the way out', async () => {
  const { tau, model } = await converse([calls(call('plan_enter', {})), says('ok')]);
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(offeredIn(request(model, 1))).toEqual([...defaultTools, 'plan_exit']);
});
