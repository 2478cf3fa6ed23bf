/** Which tools a model is offered, what they are called, and questions they put to the user. */
import { isRecord, type Question, textResult } from '@tau/core';
import type { RecordedRequest } from '@tau/testkit';
import { expect, test } from 'vitest';
import { call, collect, extensionOf, greeter, resultText, says, toolOf, workbench } from './workbench.ts';

/** The tools of a request, each as its bytes. */
function toolsIn(request: RecordedRequest | undefined): string[] {
  const tools = isRecord(request?.body) ? request.body.tools : undefined;
  return Array.isArray(tools) ? tools.map(withoutMarker) : [];
}

/** Where the vendor's cache begins and ends is said in a marker on the last one, which is no part of the tool. */
function withoutMarker(tool: unknown): string {
  if (!isRecord(tool)) return '';
  const { cache_control: _, ...rest } = tool;
  return JSON.stringify(rest);
}

const names = (request: RecordedRequest | undefined) => toolsIn(request).map((tool) => JSON.parse(tool).name);

test('a list of tools is all the model gets, also those that wait otherwise', async () => {
  const { agent, model } = await workbench([says('ok')], { tools: ['read', 'todo'] });
  expect(agent.tools).toEqual(['read', 'todo']);
  await agent.prompt('go').outcome;
  expect(names(model.requests[0])).toEqual(['read', 'todo']);
});

test('an empty list is no tools at all', async () => {
  const { agent, model } = await workbench([says('ok')], { tools: [] });
  await agent.prompt('go').outcome;
  expect(names(model.requests[0])).toEqual([]);
});

test('a tool that was left out is neither offered nor found when it is called', async () => {
  const { agent, model } = await workbench([call('bash', { command: 'pwd' }), says('ok')], { excludeTools: ['bash'] });
  const events = await collect(agent.prompt('go'));
  expect(names(model.requests[0])).not.toContain('bash');
  expect(resultText(events)).toContain('no tool named "bash"');
});

test('without the built-in tools only those of extensions are there', async () => {
  const { agent, model } = await workbench([says('ok')], { builtinTools: false, extensions: [greeter] });
  await agent.prompt('go').outcome;
  expect(names(model.requests[0])).toEqual(['greet']);
});

test('a tool that does not exist is refused by name, with the nearest one', async () => {
  await expect(workbench([], { tools: ['raed'] })).rejects.toThrow('There is no tool "raed"; did you mean read?');
});

test('toolSpecs says what the model is told of each tool', async () => {
  const { agent, model } = await workbench([says('ok')]);
  const specs = agent.toolSpecs();
  expect(specs.map(({ name }) => name)).toEqual(agent.tools);
  await agent.prompt('go').outcome;
  const sent = toolsIn(model.requests[0]).map((tool) => JSON.parse(tool));
  expect(specs.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }))).toEqual(
    sent,
  );
});

test('a tool that was looked for comes last, and not a byte of those before it changes', async () => {
  const steps = [call('tool_search', { query: 'select:todo' }), call('todo', { todos: [] }), says('ok'), says('still')];
  const { agent, model, another } = await workbench(steps);
  expect(agent.tools).not.toContain('todo');
  await agent.prompt('go').outcome;
  const [before, after] = [toolsIn(model.requests[0]), toolsIn(model.requests[1])];
  expect(after.slice(0, before.length)).toEqual(before);
  expect(names(model.requests[1]).slice(before.length)).toEqual(['todo']);
  expect(toolsIn(model.requests[2])).toEqual(after);

  await agent.close();
  const resumed = await another({ session: 'continue' });
  await resumed.prompt('go on').outcome;
  expect(names(model.requests[3])).toContain('todo');
});

test("an extension's tool may wait to be looked for too", async () => {
  const rare = extensionOf('rare', (api) =>
    api.tool({ ...toolOf('moon', async () => textResult('full')), deferred: true, snippet: 'the phase of the moon' }),
  );
  const { agent, model } = await workbench([call('tool_search', { query: 'phase' }), call('moon'), says('ok')], {
    extensions: [rare],
    rules: { allow: ['moon'] },
  });
  await agent.prompt('go').outcome;
  expect(names(model.requests[0])).not.toContain('moon');
  expect(names(model.requests[1]).at(-1)).toBe('moon');
  expect(model.requests[2]?.raw).toContain('full');
});

test('a call by the name that another agent gives the tool is that tool', async () => {
  const { agent, write } = await workbench([call('Read', { file_path: 'a.txt' }), says('ok')]);
  write('a.txt', 'the words\n');
  expect(resultText(await collect(agent.prompt('go')))).toContain('the words');
});

const ask = call('ask_user', { question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue' }] });

test('a question goes to the embedding program, and its answer to the model', async () => {
  const asked: Question[] = [];
  const { agent, model } = await workbench([ask, says('ok')], {
    question: async (question) => {
      asked.push(question);
      return { answers: ['blue'] };
    },
  });
  const events = await collect(agent.prompt('go'));
  expect(asked).toEqual([
    { question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue' }], multiSelect: false },
  ]);
  expect(model.requests[1]?.raw).toContain('The user answered: blue');
  const told = events.filter(({ type }) => type.startsWith('question_'));
  expect(told).toMatchObject([
    { type: 'question_request', toolCallId: 'ask_user_1', question: { question: 'Which colour?' } },
    { type: 'question_response', toolCallId: 'ask_user_1', reply: { answers: ['blue'] } },
  ]);
});

test('a question that is declined, or that nobody is there for, is told as such', async () => {
  const declined = await workbench([ask, says('ok')], { question: async () => ({ declined: true }) });
  expect(resultText(await collect(declined.agent.prompt('go')))).toContain('would not answer');
  const alone = await workbench([ask, says('ok')]);
  expect(resultText(await collect(alone.agent.prompt('go')))).toContain('Nobody is there');
});

test('the schema of the answer is in the request', async () => {
  const answerSchema = {
    type: 'object' as const,
    properties: { sum: { type: 'integer' as const } },
    required: ['sum'],
  };
  const { agent, model } = await workbench([says('{"sum":3}')], { answerSchema });
  expect(await agent.prompt('1 + 2').outcome).toMatchObject({ answer: '{"sum":3}' });
  expect(model.requests[0]?.raw).toContain('"sum":{"type":"integer"}');
});
