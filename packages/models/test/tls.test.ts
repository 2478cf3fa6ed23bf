/** Providers with certificates of their own: trusted when named, refused in plain words when not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from '@tau/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import { apis, askAt, modelAt, startModel, startTlsModel } from './wire.ts';

const hello = { blocks: [{ text: 'hello' }] };
const api = 'anthropic-messages';

describe.each(apis)('%s', (each) => {
  test('a certificate that was named is trusted, and turns share the connection', async () => {
    const server = await startTlsModel(hello, hello);
    const transport = httpTransport({ ca: server.ca });
    for (let turn = 0; turn < 2; turn++) {
      const { error, message } = await askAt(modelAt(server.url, each), transport);
      expect(error).toBeUndefined();
      expect(message.content).toMatchObject([{ type: 'text', text: 'hello' }]);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(server.connections()).toBe(1);
  });

  test('a certificate that nobody named is refused before anything is said', async () => {
    const server = await startTlsModel(hello);
    const { error } = await askAt(modelAt(server.url, each), httpTransport());
    expect(error).toEqual({
      class: 'network',
      message:
        `scripted cannot be reached at ${new URL(server.url).host}: its certificate is not trusted here ` +
        '(DEPTH_ZERO_SELF_SIGNED_CERT). If you trust whoever signed it, name their certificate in the setting caFile or in ' +
        'NODE_EXTRA_CA_CERTS',
    });
    expect(server.requests).toHaveLength(0);
    await expect.poll(() => server.open()).toBe(0);
  });
});

test('another certificate that was named does not help', async () => {
  const server = await startTlsModel(hello);
  const { cert } = await makeCertificate();
  const { error } = await askAt(modelAt(server.url, api), httpTransport({ ca: cert }));
  expect(error?.message).toContain('its certificate is not trusted here');
});

test('several certificates in one text are all trusted, whatever stands between them', async () => {
  const server = await startTlsModel(hello);
  const { cert } = await makeCertificate();
  const ca = `# of the company\n${cert}\n# of the lab\n${server.ca}\n`;
  expect((await askAt(modelAt(server.url, api), httpTransport({ ca }))).error).toBeUndefined();
});

test('a certificate of NODE_EXTRA_CA_CERTS is still trusted when others are named', async () => {
  const server = await startTlsModel(hello);
  const folder = mkdtempSync(join(tmpdir(), 'tau-trust-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'extra.pem');
  writeFileSync(path, server.ca);
  const { cert } = await makeCertificate();
  const transport = httpTransport({ ca: cert, env: { NODE_EXTRA_CA_CERTS: path } });
  expect((await askAt(modelAt(server.url, api), transport)).error).toBeUndefined();
});

test('a named certificate says nothing against plain http', async () => {
  const server = await startModel(hello);
  const { cert } = await makeCertificate();
  expect((await askAt(modelAt(server.url, api), httpTransport({ ca: cert }))).error).toBeUndefined();
});

test.each([
  ['nothing', '', 'it holds no certificate'],
  ['a text', 'hello', 'it holds no certificate'],
  [
    'a damaged certificate',
    '-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----',
    'one of its certificates cannot be read',
  ],
])('%s for certificates is an error, not a silent nothing', async (_, ca, why) => {
  const { error } = await askAt(modelAt('https://127.0.0.1:9', api), httpTransport({ ca }));
  expect(error).toEqual({
    class: 'badRequest',
    message: `The certificates named by caFile cannot be used: ${why}. Give a file with certificates in PEM form`,
  });
});

test('a server that speaks plain http where TLS is expected is told as such', async () => {
  const server = await startModel(hello);
  const { error } = await askAt(modelAt(server.url.replace('http:', 'https:'), api), httpTransport());
  expect(error).toMatchObject({
    class: 'network',
    message: expect.stringContaining('it does not speak TLS'),
  });
  expect(error?.message).toContain('Check whether the address should begin with http://');
});

test('a server that never agrees on TLS is given up', async () => {
  let open = 0;
  const server = createServer((socket) => {
    open += 1;
    socket.on('error', () => {}).resume();
    socket.once('close', () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const { error } = await askAt(modelAt(`https://${host}`, api), httpTransport({ connectMs: 200 }));
  expect(error).toEqual({
    class: 'network',
    message: `scripted cannot be reached at ${host}: no connection within 0.2 s. Check the network and the address`,
  });
  await expect.poll(() => open).toBe(0);
});
