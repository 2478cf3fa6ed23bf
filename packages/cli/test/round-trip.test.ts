/** A conversation that changes its provider half-way, and comes back: each of the four protocols to each of the others. */
import { type RecordedRequest, startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type Api, apis, call, calls, callsIn, request, resultsIn, says, talkIn } from './conversation.ts';
import { at, list } from './json.ts';
import { homeWith, providerAt } from './providers.ts';

const pairs = apis.flatMap((from) => apis.filter((to) => to !== from).map((to) => [from, to] as const));

/** An id that no vendor gives and some refuse. */
const oddId = 'call:1/of the first, with spaces and more than sixty-four characters in it';

/** The names and inputs of the calls in a request, in order. */
function madeIn(api: Api, { body }: RecordedRequest): unknown[] {
  switch (api) {
    case 'anthropic-messages':
      return list(at(body, 'messages')).flatMap((message) => {
        const content = at(message, 'content');
        const blocks = Array.isArray(content) ? content.filter((block) => at(block, 'type') === 'tool_use') : [];
        return blocks.map((block) => [at(block, 'name'), at(block, 'input')]);
      });
    case 'openai-completions':
      return list(at(body, 'messages')).flatMap((message) =>
        list(at(message, 'tool_calls') ?? []).map((made) => called(at(made, 'function'))),
      );
    case 'openai-responses':
      return list(at(body, 'input'))
        .filter((item) => at(item, 'type') === 'function_call')
        .map(called);
    case 'google-generative-ai':
      return list(at(body, 'contents'))
        .flatMap((content) => list(at(content, 'parts')))
        .flatMap((part) => at(part, 'functionCall') ?? [])
        .map((made) => [at(made, 'name'), at(made, 'args')]);
  }
}

const called = (made: unknown) => [at(made, 'name'), JSON.parse(String(at(made, 'arguments')))];

/** Every result with the call it answers, by whatever the protocol tells them apart. */
function answersIn(api: Api, asked: RecordedRequest): string[] {
  if (api !== 'google-generative-ai') return resultsIn(asked).map(({ text }) => text);
  return list(at(asked.body, 'contents'))
    .flatMap((content) => list(at(content, 'parts')))
    .flatMap((part) => at(part, 'functionResponse') ?? [])
    .map((response) => String(at(response, 'response', 'output') ?? at(response, 'response', 'error')));
}

test.each(pairs)('a conversation over %s goes on over %s, and comes back whole', async (from, to) => {
  const model = await startScriptedModel([
    calls(
      { thinking: 'a thought of the first' },
      { text: 'Let me look.' },
      call('read', { path: 'a.txt' }, oddId),
      call('read', { path: 'nowhere.txt' }),
    ),
    calls({ thinking: 'sealed', redacted: true }, call('bash', { command: 'pwd' })),
    says('first answer'),
    calls({ thinking: 'a thought of the second' }, { text: 'My turn.' }, call('read', { path: 'a.txt' })),
    says('second answer'),
    says('third answer'),
  ]);
  onTestFinished(() => model.close());
  const facts = { reasoning: true };
  const { tau, write, project } = homeWith({ one: providerAt(model, from, facts), two: providerAt(model, to, facts) });
  write('a.txt', 'what is in it');
  const first = await tau(['-p', 'begin', '--thinking', 'high']);
  expect(first).toMatchObject({ code: 0, stdout: 'first answer\n', stderr: '' });

  const second = await tau(['-p', '-c', '--model', 'two/x', 'go on']);
  expect(second).toMatchObject({ code: 0, stdout: 'second answer\n', stderr: '' });
  const taken = request(model, 3);
  const reads = [
    ['read', { path: 'a.txt' }],
    ['read', { path: 'nowhere.txt' }],
    ['bash', { command: 'pwd' }],
  ];
  const results = ['1\twhat is in it', expect.stringContaining('no file nowhere.txt'), project];
  expect(talkIn(taken)).toEqual(['user: begin', 'assistant: Let me look.', 'assistant: first answer', 'user: go on']);
  expect(madeIn(to, taken)).toEqual(reads);
  expect(answersIn(to, taken)).toEqual(results);
  expectPairs(to, taken);
  // What one vendor signed is nothing to another.
  expect(sealsIn(taken)).toEqual([]);
  expect(answersIn(to, request(model, 4)).at(-1)).toBe('1\twhat is in it');

  const third = await tau(['-p', '-c', '--model', 'one/x', 'and back']);
  expect(third).toMatchObject({ code: 0, stdout: 'third answer\n', stderr: '' });
  const back = request(model, 5);
  expect(madeIn(from, back)).toEqual([...reads, ['read', { path: 'a.txt' }]]);
  expect(answersIn(from, back)).toEqual([...results, '1\twhat is in it']);
  expectPairs(from, back);
  expect(talkIn(back)).toEqual([...talkIn(taken), 'assistant: My turn.', 'assistant: second answer', 'user: and back']);
  // Its own thoughts come back to it, sealed or not; the other's do not.
  expect(back.raw.includes('a thought of the first')).toBe(true);
  expect(back.raw.includes('a thought of the second')).toBe(false);
  expect(new Set(sealsIn(back).map((seal) => seal.at(-1)))).toEqual(new Set(ownSeals[from]));
});

/** The numbers of the answers whose seals are in a request, such as `sig_scripted_0`. */
function sealsIn({ raw }: RecordedRequest): string[] {
  return raw.match(/(sig|sealed|gAAAA|rs)_scripted_\d/g) ?? [];
}

/** Chat Completions signs no plain thought. */
const ownSeals: Readonly<Record<Api, string[]>> = {
  'anthropic-messages': ['0', '1'],
  'openai-completions': ['1'],
  'openai-responses': ['0', '1'],
  'google-generative-ai': ['0', '1'],
};

/** Each call has one result with its own id, and the ids are such as every vendor takes. Gemini goes by order for foreign ones. */
function expectPairs(api: Api, asked: RecordedRequest): void {
  if (api === 'google-generative-ai') {
    expectOrdered(asked);
    return;
  }
  const ids = callsIn(asked);
  expect(resultsIn(asked).map(({ id }) => id)).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
}

/** After a content with calls comes one with exactly their results, in order. */
function expectOrdered({ body }: RecordedRequest): void {
  const contents = list(at(body, 'contents'));
  const named = (content: unknown, field: string) =>
    list(at(content, 'parts') ?? []).flatMap((part) => {
      const found = at(part, field);
      return found === undefined ? [] : [[at(found, 'name'), at(found, 'id')]];
    });
  for (const [index, content] of contents.entries()) {
    const made = named(content, 'functionCall');
    if (made.length > 0) expect(named(contents[index + 1], 'functionResponse')).toEqual(made);
  }
}
