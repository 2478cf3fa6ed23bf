/** Failures are the last event of a stream, with a class made from a status, a code or what the system threw. */
import { TauError } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import { type Api, apis, ask, askAt, canned, closedUrl, modelAt, saying, startModel } from './wire.ts';

const classes = [
  [400, 'badRequest'],
  [401, 'auth'],
  [403, 'auth'],
  [404, 'badRequest'],
  [413, 'contextOverflow'],
  [429, 'rateLimited'],
  [500, 'overloaded'],
  [503, 'overloaded'],
  [529, 'overloaded'],
] as const;

const garbage = [
  ['HTML', '<html><h1>Bad\n  Gateway</h1></html>'],
  ['nothing', ''],
  ['JSON of another shape', [{ error: null }]],
  ['an error that is a sentence', { error: 'something went wrong' }],
  ['words of another vendor', { error: { type: 'Oops', code: 17, message: 'no' } }],
] as const;

describe.each(apis)('%s', (api) => {
  test.each(classes)("the status %i with the vendor's own body is %s", async (status, expected) => {
    const { error, message, events } = await ask(api, { status });
    expect(error).toMatchObject({
      class: expected,
      status,
      message: expect.stringMatching(new RegExp(`^scripted answered ${status}: scripted error ${status}\\. [A-Z]`)),
    });
    expect(message.content).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['start', 'usage', 'error']);
  });

  describe.each(garbage)('with %s for a body', (_, body) => {
    test.each(classes)('the status %i is %s', (status, expected) => expectClass(api, status, body, expected));
  });

  test.each([
    [302, 'badRequest'],
    [402, 'rateLimited'],
    [408, 'timeout'],
    [422, 'badRequest'],
    [504, 'timeout'],
  ] as const)('the status %i, about which no vendor says more, is %s', (status, expected) =>
    expectClass(api, status, '', expected),
  );

  test('words that every object has are no words of a vendor', () =>
    expectClass(api, 429, { error: { type: 'constructor', code: 'toString', message: 'no' } }, 'rateLimited'));

  test('an error message is one line of bounded length, whoever wrote it', async () => {
    const long = 'word\n'.repeat(5000);
    for (const body of [long, { error: { message: long } }]) {
      const { error } = await ask(api, { status: 500, body });
      expect(error?.message).toContain('word');
      expect(error?.message.length).toBeLessThan(2000);
      expect(error?.message).not.toContain('\n');
    }
  });

  test('a status is not forgotten when its body breaks off', async () => {
    const { error } = await askAt(modelAt('http://canned.invalid', api), async () => ({
      status: 429,
      headers: {},
      body: (async function* () {
        yield Buffer.from('{"error":');
        throw new Error('socket hang up');
      })(),
    }));
    expect(error).toMatchObject({ class: 'rateLimited', status: 429 });
  });

  test('a server that cannot be reached is a network error that names it and the reason', async () => {
    const url = await closedUrl();
    for (const reachable of [url, url.replace('127.0.0.1', 'localhost')]) {
      const { error } = await askAt(modelAt(reachable, api), httpTransport());
      expect(error?.class).toBe('network');
      expect(error?.message).toContain(new URL(reachable).host);
      expect(error?.message).toContain('ECONNREFUSED');
    }
  });

  test('a failure without words, as when two addresses of a host refuse, is told by its code', async () => {
    const { error } = await askAt(modelAt('http://two.invalid', api), async () => {
      throw Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    });
    expect(error).toMatchObject({ class: 'network', message: expect.stringContaining('ECONNREFUSED') });
  });

  test('an address that is none is an error event, not a throw', async () => {
    const { error } = await askAt(modelAt('', api, { baseUrl: 'not an address' }), httpTransport());
    expect(error?.class).toBe('badRequest');
  });

  test('a key that cannot be sent is not the fault of the network, and is not shown', async () => {
    const { error } = await askAt(modelAt(await closedUrl(), api), httpTransport(), { key: 'sk-secret\nx' });
    expect(error?.class).toBe('auth');
    expect(error?.message).not.toContain('sk-secret');
  });

  test('a tau error from below keeps its sentence', async () => {
    const { error } = await askAt(modelAt('http://canned.invalid', api), async () => {
      throw new TauError('recording', 'the tape is over');
    });
    expect(error).toEqual({ class: 'badRequest', message: 'the tape is over' });
  });

  test.each(['{not json', 'null'])('an event that is not the protocol is an unknown error: %s', async (data) => {
    const { error, message } = await ask(api, saying(...partOf(api), data, '{also not'));
    expect(error).toMatchObject({ class: 'unknown', message: expect.stringContaining(data) });
    expect(message.content).toEqual([{ type: 'text', text: 'so far' }]);
  });

  test.each([
    ['nothing', '', 'network', 'closed the stream before'],
    ['a web page that does not say so', '\n<html>Welcome</html>', 'badRequest', 'answered with a web page'],
    ['an answer that is not streamed', { id: 'x', choices: [] }, 'badRequest', "with JSON, not a model's stream"],
    [
      'an error in the words of a vendor',
      { error: { code: 'invalid_api_key', message: 'No' } },
      'auth',
      'answered: No. Set',
    ],
    ['an error with its status inside', { error: { code: 429, message: 'No' } }, 'rateLimited', 'answered: No. This'],
    ['an error without a word to know', { error: 'something went wrong' }, 'unknown', 'answered: something went wrong'],
    ['a list with an error', [{ error: { status: 'UNAVAILABLE', message: 'No' } }], 'overloaded', 'answered: No. The'],
  ] as const)('a success that is no stream but %s is an error', async (_, body, expected, words) => {
    const { error, message } = await ask(api, { status: 200, body });
    expect(error).toMatchObject({ class: expected, message: expect.stringContaining(words) });
    expect(message.content).toEqual([]);
  });

  test.each(['text/html', 'Text/HTML; charset=utf-8'])(
    'a web page (%s) is not a model: check the address',
    async (type) => {
      const server = await startModel({
        status: 200,
        body: '<html>Welcome</html>',
        headers: { 'content-type': type },
      });
      const { error } = await askAt(modelAt(server.url, api), httpTransport());
      expect(error).toEqual({
        class: 'badRequest',
        message: `scripted at ${new URL(server.url).host} answered with a web page, not a model's stream; check the address`,
      });
    },
  );

  test('bytes that are no UTF-8 do not break the stream', async () => {
    const bytes = Buffer.concat([Buffer.from(': '), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('\n\n')]);
    const { error } = await askAt(modelAt('http://canned.invalid', api), canned([bytes]));
    expect(error?.class).toBe('network');
  });
});

async function expectClass(api: Api, status: number, body: unknown, expected: string): Promise<void> {
  const { error } = await ask(api, { status, body });
  expect(error).toMatchObject({ class: expected, status });
  expect(error?.message).toMatch(new RegExp(`^scripted answered ${status}(: .+)?\\. [A-Z].+$`));
}

function partOf(api: Api): unknown[] {
  switch (api) {
    case 'anthropic-messages':
      return [{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'so far' } }];
    case 'openai-completions':
      return [{ choices: [{ delta: { content: 'so far' } }] }];
    case 'openai-responses':
      return [{ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'so far' }];
    case 'google-generative-ai':
      return [{ candidates: [{ content: { parts: [{ text: 'so far' }], role: 'model' } }] }];
  }
}

// Bodies as the vendors really send them, where a general word stands beside a telling status or code.
test.each([
  ['OpenAI without a key', 401, { type: 'invalid_request_error', code: null }, 'auth'],
  ['OpenAI with a key that may not use the model', 403, { type: 'invalid_request_error', code: null }, 'auth'],
  [
    'OpenAI with a prompt too long',
    400,
    { type: 'invalid_request_error', code: 'context_length_exceeded' },
    'contextOverflow',
  ],
  ['OpenAI without credit', 429, { type: 'insufficient_quota', code: 'insufficient_quota' }, 'rateLimited'],
  ['Ollama without a key', 401, { type: 'api_error', code: null }, 'auth'],
  ['a filter', 400, { type: 'invalid_request_error', code: 'content_filter' }, 'refused'],
] as const)('%s (%i) is told by what is most precise', async (_, status, words, expected) => {
  const { error } = await ask('openai-completions', { status, body: { error: { message: 'no', ...words } } });
  expect(error).toMatchObject({
    class: expected,
    status,
    message: expect.stringMatching(new RegExp(`^scripted answered ${status}: no\\. [A-Z]`)),
  });
});

test.each([
  ['overloaded_error', 'overloaded'],
  ['api_error', 'overloaded'],
  ['rate_limit_error', 'rateLimited'],
  ['timeout_error', 'timeout'],
  ['invalid_request_error', 'badRequest'],
  ['error_of_next_year', 'unknown'],
  ['constructor', 'unknown'],
])('an Anthropic stream that breaks off with %s is %s and keeps what had arrived', async (type, expected) => {
  const api = 'anthropic-messages';
  const failure = { type: 'error', error: { type, message: 'Sorry' } };
  const { error, message } = await ask(api, saying(...partOf(api), failure, ...partOf(api)));
  expect(error).toMatchObject({
    class: expected,
    message: expect.stringMatching(/^scripted broke off: Sorry\. [A-Z]/),
  });
  expect(message.content).toEqual([{ type: 'text', text: 'so far' }]);
});

test.each([
  [{ type: 'server_error', code: null }, 'overloaded'],
  [{ type: 'requests', code: 'rate_limit_exceeded' }, 'rateLimited'],
  [{ code: 429 }, 'rateLimited'],
  [{ type: 'Strange' }, 'unknown'],
])('a Chat Completions stream that breaks off with %j is %s and keeps what had arrived', async (words, expected) => {
  const api = 'openai-completions';
  const { error, message } = await ask(api, saying(...partOf(api), { error: { message: 'Sorry', ...words } }));
  expect(error).toMatchObject({
    class: expected,
    message: expect.stringMatching(/^scripted broke off: Sorry\. [A-Z]/),
  });
  expect(message.content).toEqual([{ type: 'text', text: 'so far' }]);
});

test('a protocol that tau does not speak is told without asking anybody', async () => {
  const model = { ...modelAt('http://canned.invalid', 'anthropic-messages'), api: 'smoke-signals' };
  let asked = 0;
  const { error, events } = await askAt(model, async () => {
    asked += 1;
    throw new Error('asked');
  });
  expect(error).toEqual({ class: 'badRequest', message: 'scripted speaks smoke-signals, which tau does not' });
  expect(events).toHaveLength(3);
  expect(asked).toBe(0);
});
