/** What tau sends is what the official SDKs would send, given the same to say. */
import { expect, test } from 'vitest';
import type { RecordedRequest } from '../../packages/testkit/src/index.ts';
import { dummyKey, startServer, type WireApi } from './answers.ts';
import { passOn } from './passed-on.ts';
import { apis, requestTable } from './requests.ts';

test.each(apis)('%s: an SDK given the same to say puts the same body on the wire', async (api) => {
  const rows = await requestTable(api);
  const server = await startServer(...rows.map(() => ({ blocks: [{ text: 'Heard.' }] })));
  for (const [at, row] of rows.entries()) {
    for await (const _ of await passOn[api](server.url, row));
    const { name, wire } = row;
    expect({ name, body: bodyOf(server.requests[at]) }).toEqual({ name, body: JSON.parse(wire.body) });
  }
});

/** Google's SDK sends the settings of the generation also when there are none. */
function bodyOf(request: RecordedRequest | undefined): unknown {
  const body: unknown = request?.body;
  if (typeof body !== 'object' || body === null || !('generationConfig' in body)) return body;
  const { generationConfig, ...rest } = body;
  return JSON.stringify(generationConfig) === '{}' ? rest : body;
}

/** Where the key and the version of the protocol go. */
const telling = ['x-api-key', 'authorization', 'x-goog-api-key', 'anthropic-version', 'anthropic-beta'];

function told(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(telling.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

/**
 * Anthropic takes a key in either header, and its SDK asks for a newer version of the API. The older one is served on,
 * and the two differ in nothing that tau sends.
 */
const sdkDifferences: Partial<Record<WireApi, Record<string, unknown>>> = {
  'anthropic-messages': {
    'x-api-key': undefined,
    authorization: `Bearer ${dummyKey}`,
    'anthropic-version': '2026-10-21',
  },
};

test.each(apis)('%s: an SDK asks at the same path with the same key and betas', async (api) => {
  const rows = await requestTable(api);
  const server = await startServer(...rows.map(() => ({ blocks: [{ text: 'Heard.' }] })));
  for (const [at, row] of rows.entries()) {
    for await (const _ of await passOn[api](server.url, row));
    const { pathname, search } = new URL(row.wire.url);
    const { path = '', headers = {} } = server.requests[at] ?? {};
    // The SDK marks what is a beta in the address too; the vendor goes by the header.
    expect(path.replace('?beta=true', '')).toBe(pathname + search);
    expect(told(headers)).toEqual(told({ ...row.wire.headers, ...sdkDifferences[api] }));
    expect(JSON.stringify(told(row.wire.headers))).toContain(dummyKey);
  }
});
