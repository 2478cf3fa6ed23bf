/** However tau ends at a terminal, the shell gets it back as it was, and is told how to go on. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptStep } from '@tau/testkit';
import { expect, test } from 'vitest';
import { converse, says } from '../conversation.ts';
import { type Desk, keys, openDesk } from './desk.ts';

/** It never comes to its end. */
const streaming: ScriptStep = { blocks: [{ text: 'word '.repeat(80) }], faults: [{ silence: 'midStream' }] };

/** A program that is loaded before tau, and does this inside it. */
function inside(project: string, code: string): Record<string, string> {
  const file = join(project, 'inside.cjs');
  writeFileSync(file, code);
  return { NODE_OPTIONS: `--require ${file}` };
}

async function expectHint(desk: Desk): Promise<void> {
  await desk.shows('tau -c goes on with this conversation,');
  expect(desk.lines().join('\n')).toMatch(/\ntau -r [0-9a-f-]{36} also when there are newer ones\./);
}

test('Ctrl+C twice leaves with 0', async () => {
  const desk = await openDesk(await converse([says('An answer.')]), { args: ['hello'] });
  await desk.shows('An answer.');
  await desk.hides('esc stops)');
  desk.type(keys.ctrlC);
  await desk.shows('Ctrl+C once more');
  desk.type(keys.ctrlC);
  expect(await desk.leaves()).toBe(0);
  await expectHint(desk);
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s in the middle of an answer leaves with %i', async (signal, code) => {
  const desk = await openDesk(await converse([streaming]), { args: ['hello'] });
  await desk.shows('word word');
  desk.kill(signal);
  expect(await desk.leaves()).toBe(code);
  await expectHint(desk);
});

test('an exception in the middle of an answer is one sentence and code 1', async () => {
  const conversation = await converse([streaming]);
  const thrown = `const { existsSync } = require('node:fs');
    const timer = setInterval(() => { if (existsSync('now')) { clearInterval(timer); throw new Error('boom'); } }, 20);
    timer.unref();`;
  const desk = await openDesk(conversation, { args: ['hello'], env: inside(conversation.project, thrown) });
  await desk.shows('word word');
  conversation.write('now', '');
  expect(await desk.leaves()).toBe(1);
  await desk.shows('tau: something went wrong inside tau: boom');
  await expectHint(desk);
});

test.each([
  ['the app', {}],
  ['the line mode', { TAU_PLAIN: '1' }],
])('what fails while %s opens gives the terminal back and ends', async (_, env) => {
  const conversation = await converse([]);
  // Only once the terminal is taken.
  const failing = `const fs = require('node:fs');
    const { realpathSync } = fs;
    fs.realpathSync = Object.assign((...given) => {
      if (process.stdin.isRaw) throw new Error('boom');
      return realpathSync(...given);
    }, realpathSync);`;
  const desk = await openDesk(conversation, { env: { ...env, ...inside(conversation.project, failing) } });
  expect(await desk.leaves()).toBe(1);
  await desk.shows('tau: something went wrong inside tau: boom');
});
