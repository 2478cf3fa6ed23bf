import { type GatePorts, malformedArguments, type Tool, type ToolResult, textResult } from '@tau/core';
import { expect, test } from 'vitest';
import { createScene, type Scene } from './scene.ts';
import { act, calls, exec, foreign, read, says, write } from './speech.ts';

type Options = Parameters<typeof createScene>[0];

/** Plays one call and returns the scene; the run must come through whatever the call does. */
async function playOne(call: Parameters<typeof calls>[0][number], options: Options = {}): Promise<Scene> {
  const scene = createScene(options);
  expect(await scene.play(calls([call]), says('done'))).toMatchObject({ reason: 'done', turns: 2 });
  expect(scene.results().map((result) => result.toolCallId)).toEqual([call.id]);
  const brackets = scene.log.filter((line) => /^tool_execution_(start|end)/.test(line));
  expect(brackets).toEqual([`tool_execution_start ${call.id}`, `tool_execution_end ${call.id}`]);
  return scene;
}

const isError = (scene: Scene) => scene.results()[0]?.isError;
const broken = (why: string) => () => {
  throw new Error(why);
};

test('a tool that nobody registered is named in the answer', async () => {
  const scene = await playOne({ ...act('a'), name: 'raed' });
  expect(scene.told('a')).toContain('no tool named "raed"');
  expect(isError(scene)).toBe(true);
});

test('arguments that are no JSON go back to the model as it sent them, cut where they are long', async () => {
  const sent = `{"path": "a${'x'.repeat(5000)}`;
  const scene = await playOne({ ...act('a'), arguments: { [malformedArguments]: sent } }, { resultChars: 100_000 });
  expect(scene.told('a')).toContain(`You sent: ${sent.slice(0, 2000)}... and 3011 more characters`);
  const short = await playOne({ ...act('a'), arguments: { [malformedArguments]: '{"a": ' } });
  expect(short.told('a')).toMatch(/valid JSON\. You sent: \{"a": $/);
});

test.each<[string, Options]>([
  ['a tool', { deeds: { a: broken('it broke') } }],
  ['a registry', { ports: { findTool: broken('it broke') } }],
  ['a hook before', { ports: { beforeTool: broken('it broke') } }],
  ['a hook after', { ports: { afterTool: broken('it broke') } }],
  ['the policy', { ports: { decide: broken('it broke') } }],
  ['the host', { ports: { resolve: broken('it broke') } }],
  ['a checkpoint', { ports: { checkpoint: broken('it broke') } }],
  ['the journal', { ports: { journal: broken('it broke') } }],
])('%s that throws is an error result with the reason, and the run goes on', async (_who, options) => {
  const scene = await playOne(act('a', write('/a')), options);
  expect(scene.told('a')).toContain('it broke');
  expect(isError(scene)).toBe(true);
});

test.each<[keyof GatePorts]>([['beforeTool'], ['decide'], ['resolve'], ['checkpoint'], ['journal']])(
  'a call is not made when %s fails',
  async (port) => {
    const scene = await playOne(act('a', write('/a')), { ports: { [port]: broken('it broke') } });
    expect(scene.log).not.toContain('run a');
    expect(scene.told('a')).toMatch(/not made|Not run/);
  },
);

test('a failed hook after a call hides the result, but says that the call was made', async () => {
  const scene = await playOne(act('a', write('/a')), {
    deeds: { a: () => textResult('the secret') },
    ports: { afterTool: broken('cannot redact') },
  });
  expect(scene.told('a')).toBe('The call was made, but a hook failed on its result, which is withheld: cannot redact');
});

test('the hooks after a call see an error that was thrown, too', async () => {
  const afterTool: GatePorts['afterTool'] = async (_call, result) => ({
    ...result,
    content: [{ type: 'text', text: 'redacted' }],
  });
  const scene = await playOne(act('a', read('/a')), { deeds: { a: broken('the secret') }, ports: { afterTool } });
  expect(scene.told('a')).toBe('redacted');
  expect(isError(scene)).toBe(true);
});

/** As plain JavaScript would return it. */
const untyped = (value: unknown): ToolResult => JSON.parse(JSON.stringify({ value })).value;

test.each([
  ['nothing', undefined],
  ['text', 'hello'],
  ['content that is text', { content: 'hello' }],
  ['a block without its text', { content: [{ type: 'text' }] }],
  ['a block of no kind', { content: [{}] }],
])('a tool or a hook that returns %s instead of a result is told apart from one that worked', async (_what, value) => {
  const deed = { name: 'plain', description: '', parameters: {}, effects: () => [], run: async () => untyped(value) };
  const tool = await playOne({ ...act('a'), name: 'plain' }, { tools: [deed] });
  expect(tool.told('a')).toBe('the tool did not return a result');
  const hook = await playOne(act('a'), { ports: { afterTool: async () => untyped(value) } });
  expect(hook.told('a')).toContain('the hook did not return a result');
  expect([isError(tool), isError(hook)]).toEqual([true, true]);
});

test('a hook may block a call, and the model is told why', async () => {
  const scene = await playOne(act('a', read('/a')), {
    ports: { beforeTool: async () => ({ block: 'not on Fridays' }) },
  });
  expect(scene.told('a')).toBe('Blocked by a hook: not on Fridays');
  expect(scene.log).not.toContain('run a');
});

/** A tool that tells the input it got. */
const teller: Tool = {
  name: 'tell',
  description: '',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, lines: { type: 'integer' } },
    required: ['path'],
    additionalProperties: false,
  },
  aliases: { file: 'path' },
  effects: ({ path }) => [{ kind: 'read', path: String(path) }],
  run: async (input) => textResult(JSON.stringify(input)),
};
const tell = (input: Record<string, unknown>) => ({ ...act('a'), name: 'tell', arguments: input });

test('an input changed by a hook is coerced, validated, resolved and judged again', async () => {
  const judged: unknown[] = [];
  const options = (input: Record<string, unknown>): Options => ({
    tools: [teller],
    ports: {
      beforeTool: async () => ({ input }),
      decide: (call, _source, effects) => {
        judged.push([call.input, effects]);
        return { outcome: 'allow', reason: '', class: 'unknown', effects };
      },
    },
  });
  const good = await playOne(tell({ path: '/a' }), options({ file: '/b', lines: '3' }));
  expect(good.told('a')).toBe('{"path":"/b","lines":3}');
  expect(judged).toEqual([[{ path: '/b', lines: 3 }, [{ kind: 'read', path: '/b', resolved: '/b' }]]]);
  const bad = await playOne(tell({ path: '/a' }), options({ path: '/b', lines: 'many' }));
  expect(bad.told('a')).toContain('lines: ');
  expect(judged).toHaveLength(1);
});

test('a hook that changes the input it was shown changes nothing', async () => {
  const beforeTool: GatePorts['beforeTool'] = async (call) => {
    call.input.path = '/etc/passwd';
    return undefined;
  };
  const scene = await playOne(tell({ path: '/a' }), { tools: [teller], ports: { beforeTool } });
  expect(scene.told('a')).toBe('{"path":"/a"}');
  expect(scene.appended[1]).toMatchObject({ content: [{ arguments: { path: '/a' } }] });
});

test('the tool of an extension is journalled even if it claims to read only', async () => {
  expect((await playOne(foreign('a', read('/a')))).log).toContain('journal a');
  expect((await playOne(foreign('a'))).log).toContain('journal a');
});

test('the intent holds the effects with the places their paths lead to', async () => {
  const intents: unknown[] = [];
  const ports: Options = { ports: { journal: async (intent) => void intents.push(intent) } };
  await playOne(act('a', write('/a')), ports);
  expect(intents).toEqual([
    { toolCallId: 'a', toolName: 'act', effects: [{ kind: 'write', path: '/a', resolved: '/a' }] },
  ]);
});

test('updates of a tool go out as they come, and none after its end', async () => {
  let late: (delta: string) => void = () => {};
  const scene = await playOne(act('a', exec()), {
    deeds: {
      a: ({ onUpdate }) => {
        onUpdate('one');
        late = onUpdate;
        return textResult('ok');
      },
    },
  });
  late('two');
  expect(scene.events.filter((event) => event.type === 'tool_execution_update')).toEqual([
    { type: 'tool_execution_update', toolCallId: 'a', delta: 'one' },
  ]);
});

test('a huge result is cut for the model, kept whole, and keeps its images and its error', async () => {
  const kept: string[] = [];
  const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
  const content = [{ type: 'text' as const, text: 'abc' }, image, { type: 'text' as const, text: 'defghi' }];
  const scene = await playOne(act('a', read('/a')), {
    resultChars: 5,
    ports: { keep: async (text) => (kept.push(text) ? '/tmp/kept' : '') },
    deeds: { a: () => ({ content, isError: true, details: { n: 1 } }) },
  });
  expect(kept).toEqual(['abcdefghi']);
  const cut = 'abcde\n[cut: the first 5 of 9 characters; the whole is in /tmp/kept]';
  expect(scene.results()[0]).toMatchObject({
    content: [{ type: 'text', text: cut }, image],
    isError: true,
    details: { n: 1 },
  });
});

test.each([
  ['a result as long as the limit is left alone', '12345', '12345'],
  ['a character is never cut in half', '1234😀', '1234\n[cut: the first 4 of 6 characters; the whole is in /kept]'],
])('%s', async (_name, text, told) => {
  const scene = await playOne(act('a', read('/a')), { resultChars: 5, deeds: { a: () => textResult(text) } });
  expect(scene.told('a')).toBe(told);
});

test('an error is bounded like any result', async () => {
  const scene = await playOne(act('a', read('/a')), { resultChars: 5, deeds: { a: broken('x'.repeat(50)) } });
  expect(scene.told('a')).toMatch(/^xxxxx\n\[cut: the first 5 of 50/);
});

test('when the whole cannot be kept, what fits is still told, and that the rest is lost', async () => {
  const scene = await playOne(act('a', read('/a')), {
    resultChars: 5,
    ports: { keep: async () => broken('disk full')() },
    deeds: { a: () => textResult('123456789') },
  });
  expect(scene.told('a')).toMatch(/^12345\n\[cut: the first 5 of 9 characters; the rest is lost.*disk full\]$/);
  expect(isError(scene)).toBe(false);
});
