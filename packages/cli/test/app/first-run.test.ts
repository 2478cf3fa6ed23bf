/** The first minutes with tau in a real terminal: no key yet, the editor of one's own, the way out; and the demo. */
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { bareSandbox, converse, request, says } from '../conversation.ts';
import { openApp } from './at-screen.ts';

const [enter, esc, ctrlC, ctrlD, ctrlG] = ['\r', '\u001b', '\u0003', '\u0004', '\u0007'];

test('without a key one is typed unseen and kept, and the first prompt goes out with it; a wrong one is replaced without leaving; leaving says how to go on', {
  timeout: 60_000,
}, async () => {
  const text = 'The **first** answer.\n\n```sh\nls\n```';
  const answer = { blocks: [{ text }], usage: { input: 90, output: 3 } };
  const model = await startScriptedModel([{ status: 401 }, answer]);
  onTestFinished(() => model.close());
  const sandbox = bareSandbox();
  const provider = {
    ...{ baseUrl: model.url, api: 'anthropic-messages', apiKey: 'NEW_PLACE_KEY' },
    models: [{ id: 'big', contextWindow: 100 }],
  };
  sandbox.write(join(sandbox.tauHome, 'models.json'), JSON.stringify({ providers: { 'new-place': provider } }));
  sandbox.write(join(sandbox.tauHome, 'settings.json'), JSON.stringify({ model: 'new-place/big' }));
  sandbox.write('my-editor', '#!/bin/sh\nprintf " world" >> "$1"\n');
  chmodSync(join(sandbox.project, 'my-editor'), 0o755);
  const desk = openApp(sandbox, [], { VISUAL: './my-editor' });

  await desk.shows('What shall it be?');
  desk.type('new-pl');
  await desk.hides('openrouter');
  desk.type(enter);
  await desk.shows('Key of new-place');
  desk.type(`two words${enter}`);
  await desk.shows('Nothing was stored');
  desk.type('\u0015');
  desk.type(`sk-typed-unseen-0123456789${enter}`);
  await desk.shows('Ask, or /help');
  expect(desk.screen()).not.toContain('sk-typed');
  const kept = join(sandbox.tauHome, 'auth.json');
  expect(readFileSync(kept, 'utf8')).toContain('sk-typed-unseen-0123456789');

  desk.type('hello');
  await desk.shows('> hello');
  desk.type(ctrlG);
  await desk.shows('> hello world');
  desk.type(enter);
  await desk.shows('Without leaving: /login new-place');
  desk.type(`/login new-place${enter}`);
  await desk.shows('Key of new-place');
  desk.type(`sk-the-right-one-0123456789${enter}`);
  await desk.shows('The key of new-place is kept');
  desk.type(`once more${enter}`);
  await desk.shows('The first answer.');
  expect(request(model, 0).headers['x-api-key']).toBe('sk-typed-unseen-0123456789');
  expect(request(model, 1).headers['x-api-key']).toBe('sk-the-right-one-0123456789');
  // Said once, by the screen, with the way out.
  await desk.shows('The context is 93 % full');
  expect(desk.screen()).not.toContain('The conversation fills');
  expect(JSON.stringify(request(model, 0).body)).toContain('hello world');

  desk.type(`/context${enter}`);
  await desk.shows('estimated by kind');
  desk.type(`/copy 1${enter}`);
  await desk.shows('Copied 2 characters');
  desk.type(`/login${enter}`);
  await desk.shows('new-place');
  desk.type(ctrlC);
  desk.type(ctrlD);
  expect(await desk.done).toBe(0);
  await desk.shows('tau -c goes on with this conversation');
});

test('what may be why there is no model is told; who wants none leaves with 2 and knows how to go on', async () => {
  const sandbox = bareSandbox();
  const mistaken = { mine: { baseUrl: 'http://127.0.0.1:9', api: 'anthropic-mesages', models: [{ id: 'x' }] } };
  sandbox.write(join(sandbox.tauHome, 'models.json'), JSON.stringify({ providers: mistaken }));
  const desk = openApp(sandbox);
  await desk.shows('What shall it be?');
  expect(desk.screen()).toContain('provider "mine" cannot be used');
  desk.type(esc);
  expect(await desk.done).toBe(2);
  await desk.shows('tau: No model to talk to yet. Any time: tau auth set PROVIDER keeps a key,');
});

test('the interactive demo asks before it acts, repairs the project, and touches no home', {
  timeout: 60_000,
}, async () => {
  const sandbox = bareSandbox();
  const desk = openApp(sandbox, ['demo', '--interactive'], { TMPDIR: join(sandbox.home, '../tmp') });
  await desk.shows('node --test --test-reporter=spec');
  await desk.shows('Yes, once');
  // Not before somebody could have read it.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  desk.type('s');
  await desk.shows('sort((a, b) => a - b)');
  await desk.shows('make this change?');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  desk.type('y');
  await desk.shows('The tests pass, 3 of 3.');
  desk.type(ctrlD);
  expect(await desk.done).toBe(0);
  await desk.shows('run once more: pass');
  expect(desk.screen()).not.toContain('tau -c');
  expect(readdirSync(sandbox.tauHome)).toEqual([]);
});

test('with --plain there are lines, and nothing is drawn over another', async () => {
  const sandbox = await converse([says('ok')]);
  const desk = openApp(sandbox, ['--plain']);
  await desk.shows('/help lists commands, Ctrl+D leaves.');
  desk.type(ctrlD);
  expect(await desk.done).toBe(0);
  expect(desk.screen()).not.toContain('───');
});
