/**
 * Every class of failure through the built command, in each protocol that has it: the class in the stream, one sentence
 * on stderr, the exit code, and the prompt kept in the session.
 */
import type { ScriptStep } from '@tau/testkit';
import { expect, test } from 'vitest';
import { type Api, apis, converse } from './conversation.ts';
import { at } from './json.ts';
import { linesOf, onlySession } from './sessions.ts';

const sse = { 'content-type': 'text/event-stream' };
const events = (...payloads: unknown[]): ScriptStep => ({
  status: 200,
  headers: sse,
  body: payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join(''),
});

interface Case {
  api: Api;
  kind: string;
  step: ScriptStep;
  code: number;
  sentence: RegExp;
  settings?: object;
}

const inAll = (one: Omit<Case, 'api'>): Case[] => apis.map((api) => ({ ...one, api }));

const patience = /^tau: scripted answered 429: scripted error 429\. This passes with a little patience\n$/;
const passes = 'The trouble is on its side and usually passes';
const tooLong = 'The conversation is too long for this model: start a new one, or choose a model with a larger context';

const overflow = { message: 'too long', type: 'invalid_request_error', code: 'context_length_exceeded' };

/** The vendors' own words for a conversation that does not fit. Gemini has none, only a sentence. */
const overflowSteps: [Api, ScriptStep][] = [
  ['anthropic-messages', { status: 413 }],
  ['openai-completions', { status: 400, body: { error: overflow } }],
  ['openai-responses', { status: 400, body: { error: overflow } }],
  ['openai-responses', events({ type: 'response.failed', response: { status: 'failed', error: overflow } })],
];

const overflows = overflowSteps.map(
  ([api, step]): Case => ({
    api,
    step,
    kind: 'contextOverflow',
    code: 1,
    sentence: new RegExp(`^tau: scripted (answered 4\\d\\d|broke off): [\\w ]+\\. ${tooLong}\\n$`),
  }),
);

const refusalSteps: [Api, ScriptStep][] = [
  [
    'anthropic-messages',
    events(
      { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details: { explanation: 'not this' } } },
      { type: 'message_stop' },
    ),
  ],
  ['openai-completions', events({ choices: [{ index: 0, delta: {}, finish_reason: 'content_filter' }] })],
  [
    'openai-responses',
    events({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output: [] },
    }),
  ],
  ['google-generative-ai', events({ candidates: [{ content: { parts: [] }, finishReason: 'SAFETY' }] })],
  ['google-generative-ai', events({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })],
];

const refusals = refusalSteps.map(
  ([api, step]): Case => ({
    api,
    step,
    kind: 'refused',
    code: 1,
    sentence: /^tau: scripted (refused|filtered)[^\n]*\. Say it in other words, or choose another model\n$/,
  }),
);

const cases: Case[] = [
  ...inAll({ kind: 'rateLimited', step: { status: 429 }, code: 1, sentence: patience }),
  ...inAll({
    kind: 'overloaded',
    step: { status: 503 },
    code: 1,
    sentence: new RegExp(`^tau: scripted answered 503: scripted error 503\\. ${passes}\\n$`),
  }),
  ...inAll({
    kind: 'network',
    step: { blocks: [{ text: 'x' }], faults: [{ reset: 'beforeHeaders' }] },
    code: 1,
    sentence:
      /^tau: scripted cannot be reached at [\d.:]+: the connection was closed before an answer came \(ECONNRESET\)\n$/,
  }),
  ...inAll({
    kind: 'network',
    step: { cut: true, blocks: [{ text: 'This will not be finished' }] },
    code: 1,
    sentence: /^tau: scripted closed the stream before the message was complete[^\n]*\n$/,
  }),
  ...inAll({
    kind: 'timeout',
    step: { blocks: [{ text: 'x' }], faults: [{ silence: 'afterHeaders' }] },
    settings: { limits: { modelIdleSecs: 0.2 } },
    code: 1,
    sentence: /^tau: scripted: no byte from the provider for 0\.2 s\. How long [^\n]*limits\.modelIdleSecs[^\n]*\n$/,
  }),
  ...inAll({
    kind: 'timeout',
    step: { status: 504 },
    code: 1,
    sentence: new RegExp(`^tau: scripted answered 504: scripted error 504\\. ${passes}\\n$`),
  }),
  ...inAll({
    kind: 'auth',
    step: { status: 401 },
    code: 2,
    sentence:
      /^tau: scripted answered 401: scripted error 401\. Set the key of scripted with "tau auth set scripted" or in its variable\n$/,
  }),
  ...inAll({
    kind: 'auth',
    step: { status: 403 },
    code: 2,
    sentence:
      /^tau: scripted answered 403: scripted error 403\. The key of scripted may not do this: check its rights,/,
  }),
  ...inAll({
    kind: 'badRequest',
    step: { status: 400 },
    code: 1,
    sentence:
      /^tau: scripted answered 400: scripted error 400\. Check that the model and its settings suit this provider\n$/,
  }),
  ...inAll({
    kind: 'badRequest',
    step: { status: 404 },
    code: 1,
    sentence: /^tau: scripted answered 404: scripted error 404\. Check the model id and the base URL\n$/,
  }),
  ...overflows,
  ...refusals,
  ...inAll({
    kind: 'unknown',
    step: { blocks: [{ text: 'one two three four five' }], faults: ['notJson'] },
    code: 1,
    sentence: /^tau: scripted sent an event that is not its protocol: \{"is": not JSON[^\n]*\n$/,
  }),
];

test.each(cases)('$kind over $api ends with $code and says what to do: $sentence', async (one) => {
  const { kind, api, step, code, sentence, settings } = one;
  const { tau, model, tauHome } = await converse([step], { api, settings: { retry: { retries: 0 }, ...settings } });
  const run = await tau(['-p', 'what was asked', '--output-format', 'stream-json']);
  expect(run.stderr).toMatch(sentence);
  expect(run.code).toBe(code);
  const said = run.stderr.slice('tau: '.length, -1);
  expect(run.events().find(({ type }) => type === 'error')).toMatchObject({ class: kind, message: said });
  expect(run.events().at(-1)).toMatchObject({ type: 'agent_end', reason: 'error' });
  expect(model.requests).toHaveLength(1);
  // Nothing is lost: what was asked, and what came of it.
  const messages = linesOf(onlySession(tauHome)).filter((line) => at(line, 'type') === 'message');
  expect(messages).toMatchObject([
    { message: { role: 'user', content: 'what was asked' } },
    { message: { role: 'assistant', stopReason: 'error', errorMessage: said } },
  ]);
});

test.each(apis)('an answer that was cut at the output limit over %s is shown, and ends with 4', async (api) => {
  const settings = { limits: { recoveries: 0 } };
  const cut = { blocks: [{ text: 'half an ans' }], stopReason: 'length' as const };
  const { tau, tauHome } = await converse([cut], { api, settings });
  expect(await tau(['-p', 'hi'])).toMatchObject({
    code: 4,
    stdout: 'half an ans\n',
    stderr: 'tau: the answer is cut: the model reached its output limit (maxTokens in models.json)\n',
  });
  expect(linesOf(onlySession(tauHome)).at(-1)).toMatchObject({ message: { stopReason: 'length' } });
});

test.each(apis)('an account without credit over %s is not asked again, and says so', async (api) => {
  const body = { error: { message: 'no credit', type: 'insufficient_quota', code: 'insufficient_quota' } };
  const { tau, model } = await converse([{ status: 429, body }], {
    api,
    settings: { retry: { retries: 3, baseMs: 1 } },
  });
  const run = await tau(['-p', 'hi']);
  expect(run.stderr).toBe(
    'tau: scripted answered 429: no credit. Check the plan and the credit of your scripted account\n',
  );
  expect(run.code).toBe(1);
  expect(model.requests).toHaveLength(1);
});

test.each(apis)(
  'aborted over %s: the class is in the stream, stderr is silent, and the prompt is kept',
  async (api) => {
    const { start, tauHome } = await converse([{ hang: 'midStream' }], { api });
    const run = start(['-p', 'what was asked', '--output-format', 'stream-json']);
    await run.waitFor('message_update');
    run.kill('SIGINT');
    const done = await run.done;
    expect(done).toMatchObject({ code: 130, signal: null, stderr: '' });
    expect(done.events().find(({ type }) => type === 'error')).toMatchObject({ class: 'aborted' });
    const messages = linesOf(onlySession(tauHome)).filter((line) => at(line, 'type') === 'message');
    expect(messages).toMatchObject([
      { message: { role: 'user', content: 'what was asked' } },
      { message: { role: 'assistant', stopReason: 'aborted', content: [{ type: 'text' }] } },
    ]);
  },
);
