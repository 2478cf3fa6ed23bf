/** How hard to think and what was thought, through the built command: the flag to the wire, and signatures there and back. */
import { startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type Api, apis, call, calls, request, says } from './conversation.ts';
import { at, list } from './json.ts';
import { homeWith, providerAt } from './providers.ts';
import { linesOf, onlySession } from './sessions.ts';

type Levels = Readonly<Record<'off' | 'minimal' | 'high' | 'max', unknown>>;

/** What each level is on the wire, for a model that is only known to think. */
const onWire: Readonly<Record<Api, Levels>> = {
  'anthropic-messages': {
    off: { type: 'disabled' },
    minimal: { type: 'enabled', budget_tokens: 1024 },
    high: { type: 'enabled', budget_tokens: 12_288 },
    max: { type: 'enabled', budget_tokens: 12_288 },
  },
  'openai-completions': { off: undefined, minimal: 'low', high: 'high', max: 'high' },
  'openai-responses': {
    off: { effort: 'low', summary: 'auto' },
    minimal: { effort: 'low', summary: 'auto' },
    high: { effort: 'high', summary: 'auto' },
    max: { effort: 'high', summary: 'auto' },
  },
  'google-generative-ai': {
    off: { thinkingLevel: 'MINIMAL' },
    minimal: { thinkingLevel: 'MINIMAL', includeThoughts: true },
    high: { thinkingLevel: 'HIGH', includeThoughts: true },
    max: { thinkingLevel: 'HIGH', includeThoughts: true },
  },
};

const wireField: Readonly<Record<Api, (string | number)[]>> = {
  'anthropic-messages': ['thinking'],
  'openai-completions': ['reasoning_effort'],
  'openai-responses': ['reasoning'],
  'google-generative-ai': ['generationConfig', 'thinkingConfig'],
};

async function thinker(api: Api, steps: Parameters<typeof startScriptedModel>[0], settings: object = {}) {
  const model = await startScriptedModel(steps);
  onTestFinished(() => model.close());
  const home = homeWith({ mine: providerAt(model, api, { reasoning: true }) }, settings);
  return { ...home, model, asked: (n: number) => at(request(model, n).body, ...wireField[api]) };
}

const levels = ['off', 'minimal', 'high', 'max'] as const;
const answers = (count: number) => Array.from({ length: count }, () => says('ok'));

test.each(apis)('--thinking is in the request over %s, in its own words', async (api) => {
  const { tau, asked } = await thinker(api, answers(levels.length));
  for (const [n, level] of levels.entries()) {
    expect(await tau(['-p', 'hi', '--thinking', level])).toMatchObject({ code: 0, stderr: '' });
    expect(asked(n), level).toEqual(onWire[api][level]);
  }
});

test.each(apis)('nothing is said about thinking over %s when nobody asked for it', async (api) => {
  const { tau, asked, tauHome } = await thinker(api, answers(1));
  await tau(['-p', 'hi']);
  expect(asked(0)).toBeUndefined();
  expect(changesIn(tauHome)).toEqual([]);
});

test.each(apis)('a model that cannot think over %s is not asked to', async (api) => {
  const { tau, asked, write, read, tauHome } = await thinker(api, answers(1));
  const path = `${tauHome}/models.json`;
  write(path, read(path).replace('"reasoning":true', '"reasoning":false'));
  expect((await tau(['-p', 'hi', '--thinking', 'high'])).code).toBe(0);
  expect(asked(0)).toBeUndefined();
});

test.each(apis)('over %s the flag goes before the level behind the name, and that before the settings', async (api) => {
  const { tau, asked } = await thinker(api, answers(3), { thinking: 'max', model: 'mine/x' });
  const { minimal, high, max } = onWire[api];
  await tau(['-p', 'hi']);
  expect(asked(0)).toEqual(max);
  await tau(['-p', 'hi', '--model', 'mine/x:minimal']);
  expect(asked(1)).toEqual(minimal);
  await tau(['-p', 'hi', '--model', 'mine/x:minimal', '--thinking', 'high']);
  expect(asked(2)).toEqual(high);
});

/** The changes of the level that a session holds, in order. */
function changesIn(tauHome: string): unknown[] {
  const lines = linesOf(onlySession(tauHome)).filter((line) => at(line, 'type') === 'thinking_level_change');
  return lines.map((line) => at(line, 'thinkingLevel'));
}

test.each(apis)('a session over %s remembers the level, and writes it down only when it changes', async (api) => {
  const { tau, asked, tauHome } = await thinker(api, answers(5), { thinking: 'max' });
  const { minimal, high } = onWire[api];
  await tau(['-p', 'one', '--thinking', 'high']);
  expect(changesIn(tauHome)).toEqual(['high']);
  await tau(['-p', '-c', 'two']);
  await tau(['-p', '-c', 'three', '--thinking', 'high']);
  expect([asked(1), asked(2)]).toEqual([high, high]);
  expect(changesIn(tauHome)).toEqual(['high']);
  await tau(['-p', '-c', 'four', '--model', 'mine/x:minimal']);
  await tau(['-p', '-c', 'five']);
  expect([asked(3), asked(4)]).toEqual([minimal, minimal]);
  expect(changesIn(tauHome)).toEqual(['high', 'minimal']);
});

/** The thought of the first answer as it must come back, and the same where the vendor withheld its words. */
const thoughts: Readonly<Record<Api, { plain: unknown; redacted: unknown }>> = {
  'anthropic-messages': {
    plain: { type: 'thinking', thinking: 'I must look first', signature: 'sig_scripted_0_0' },
    redacted: { type: 'redacted_thinking', data: 'sealed_scripted_0_0' },
  },
  'openai-completions': {
    plain: { reasoning_content: 'I must look first' },
    redacted: { reasoning_details: [{ type: 'reasoning.encrypted', data: 'sealed_scripted_0_0', index: 0 }] },
  },
  'openai-responses': {
    plain: {
      type: 'reasoning',
      id: 'rs_scripted_0_0',
      encrypted_content: 'gAAAA_scripted_0_0',
      summary: [{ type: 'summary_text', text: 'I must look first' }],
    },
    redacted: { type: 'reasoning', id: 'rs_scripted_0_0', encrypted_content: 'gAAAA_scripted_0_0', summary: [] },
  },
  'google-generative-ai': {
    plain: { text: 'I must look first', thought: true, thoughtSignature: 'sig_scripted_0_0' },
    redacted: { text: '', thought: true, thoughtSignature: 'sig_scripted_0_0' },
  },
};

/** The parts of the model's first message in a request, whatever the protocol calls them. */
function firstSpoken(api: Api, body: unknown): unknown[] {
  switch (api) {
    case 'anthropic-messages':
      return list(at(body, 'messages', 1, 'content'));
    case 'openai-completions':
      return [at(body, 'messages', 2)];
    case 'openai-responses':
      return list(at(body, 'input')).slice(1);
    case 'google-generative-ai':
      return list(at(body, 'contents', 1, 'parts'));
  }
}

test.each(apis.flatMap((api) => (['plain', 'redacted'] as const).map((form) => [form, api] as const)))(
  'a %s thought over %s goes back as it came, in the same run and after -c',
  async (form, api) => {
    const thought = { thinking: 'I must look first', ...(form === 'redacted' && { redacted: true }) };
    const { tau, model, write } = await thinker(api, [
      calls(thought, call('read', { path: 'a.txt' }, 'c_1')),
      says('seen'),
      says('again'),
    ]);
    write('a.txt', 'x');
    expect(await tau(['-p', 'hi', '--thinking', 'high'])).toMatchObject({ code: 0, stdout: 'seen\n', stderr: '' });
    const expected = expect.objectContaining(thoughts[api][form]);
    const spoken = firstSpoken(api, request(model, 1).body);
    expect(spoken[0]).toEqual(expected);
    expect(await tau(['-p', '-c', 'more'])).toMatchObject({ code: 0, stdout: 'again\n', stderr: '' });
    // A new process has it from the session, and the bytes of what was said do not change.
    expect(firstSpoken(api, request(model, 2).body).slice(0, spoken.length)).toEqual(spoken);
  },
);

test('the signature of a Gemini call goes back on the call, first of several and no other', async () => {
  const { tau, model, write } = await thinker('google-generative-ai', [
    calls(call('read', { path: 'a.txt' }, 'c_1'), call('read', { path: 'a.txt' }, 'c_2')),
    says('ok'),
  ]);
  write('a.txt', 'x');
  await tau(['-p', 'hi']);
  expect(firstSpoken('google-generative-ai', request(model, 1).body)).toEqual([
    { functionCall: { id: 'c_1', name: 'read', args: { path: 'a.txt' } }, thoughtSignature: 'sig_scripted_0_0' },
    { functionCall: { id: 'c_2', name: 'read', args: { path: 'a.txt' } } },
  ]);
});
