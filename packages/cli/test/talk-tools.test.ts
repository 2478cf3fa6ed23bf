import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis, call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { at, list } from './json.ts';

const toolsIn = (body: unknown) => list(at(body, 'tools')).map((tool) => at(tool, 'name'));

test.each(apis)('todo: the list comes back to the model, over %s', async (api) => {
  const todos = [
    { task: 'look', status: 'completed' },
    { task: 'act', status: 'pending' },
  ];
  const { tau, model } = await converse([calls(call('todo', { todos })), says('ok')], { api });
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stderr: '' });
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: '1 of 2 completed:\n[x] look\n[ ] act' }]);
});

test('TodoWrite, as another agent calls it, is the same tool', async () => {
  const todos = [{ content: 'look', status: 'pending', activeForm: 'Looking' }];
  const { tau, model } = await converse([calls(call('TodoWrite', { todos })), says('ok')]);
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stderr: '' });
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: '0 of 1 completed:\n[ ] look' }]);
});

test.each(apis)('ask_user: in print mode nobody is there, and the model is told to decide, over %s', async (api) => {
  const question = { question: 'Which?', options: ['a', 'b'] };
  const { tau, model } = await converse([calls(call('ask_user', question)), says('ok')], { api });
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringContaining('Nobody is there to answer') }]);
});

test('tool_search: what was found is offered with the next request, and works', async () => {
  const { tau, model } = await converse([
    calls(call('tool_search', { query: 'todo list' })),
    calls(call('todo', { todos: [{ task: 'look', status: 'pending' }] })),
    says('ok'),
  ]);
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stderr: '' });
  expect(toolsIn(request(model, 0).body)).toContain('tool_search');
  expect(toolsIn(request(model, 0).body)).not.toContain('todo');
  expect(toolsIn(request(model, 1).body)).toContain('todo');
  const [found, done] = resultsIn(request(model, 2));
  expect(found?.text).toContain('- todo: ');
  expect(done?.text).toBe('0 of 1 completed:\n[ ] look');
});

test('plan_enter: from then on nothing is written', async () => {
  const { tau, model, project } = await converse([
    calls(call('plan_enter', {})),
    calls(call('write', { path: 'a.txt', content: 'x' })),
    says('ok'),
  ]);
  await tau(['-p', 'go', '--permission-mode', 'acceptEdits']);
  expect(existsSync(join(project, 'a.txt'))).toBe(false);
  expect(resultsIn(request(model, 2))[1]?.text).toContain('plan mode only reads');
});

test('plan_exit: in print mode nobody can approve, so the plan is to be the answer and nothing is written', async () => {
  const { tau, model, project } = await converse([
    calls(call('plan_exit', { plan: '1. write a.txt' })),
    calls(call('write', { path: 'a.txt', content: 'x' })),
    says('The plan: write a.txt'),
  ]);
  const run = await tau(['-p', 'go', '--permission-mode', 'plan']);
  expect(run).toMatchObject({ code: 3, stdout: 'The plan: write a.txt\n' });
  expect(toolsIn(request(model, 0).body)).toContain('plan_exit');
  const [left, wrote] = resultsIn(request(model, 2));
  expect(left?.text).toContain('give the plan as your answer');
  expect(wrote?.text).toContain('plan mode only reads');
  expect(existsSync(join(project, 'a.txt'))).toBe(false);
});

test('plan_exit: outside plan mode there is nothing to leave', async () => {
  const { tau, model } = await converse([calls(call('plan_exit', { plan: 'x' })), says('ok')]);
  expect((await tau(['-p', 'go'])).code).toBe(0);
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringContaining('Not in plan mode') }]);
});
