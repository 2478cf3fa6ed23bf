/** A whole conversation at a real terminal: a project that is not trusted yet, and every kind of answer once. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from '../conversation.ts';
import { openApp } from './at-screen.ts';
import { keys } from './seat.ts';

const touch = (name: string) => call('bash', { command: `touch ${name}` });
const options = [{ label: 'red', description: 'like a rose' }, { label: 'blue' }];

test('trust, every answer to an ask, questions and a plan, each given once and heard by the model', {
  timeout: 60_000,
}, async () => {
  const sandbox = await converse(
    [
      calls(touch('once')),
      calls(touch('session')),
      calls(touch('always')),
      calls(touch('no')),
      calls(touch('words')),
      calls(call('read', { path: 'a.ts' })),
      calls(call('edit', { path: 'a.ts', old_string: 'one', new_string: 'two' })),
      calls(call('ask_user', { question: 'Which colour?', options })),
      calls(call('ask_user', { question: 'Which of them?', options, multi_select: true })),
      calls(call('ask_user', { question: 'Your name?' })),
      calls(call('plan_enter', {})),
      calls(call('plan_exit', { plan: '# Mend it\n\n- **read**', allowed_prompts: ['bash(touch planned)'] })),
      calls(touch('planned')),
      calls(touch('session')),
      calls(touch('writing')),
      says('all done'),
    ],
    { git: true },
  );
  sandbox.write('.tau/settings.json', '{ "permissions": { "allow": ["bash(true:*)"] } }');
  sandbox.write('a.ts', 'const a = one;\n');
  const made = (name: string) => existsSync(join(sandbox.project, name));
  const desk = openApp(sandbox);

  await desk.shows('Trust this project?');
  await desk.shows('bash(true:*)');
  desk.type(keys.ctrlO);
  await desk.shows('What it would enable');
  desk.type('q');
  await desk.shows('› n No, not now');
  expect(sandbox.model.requests).toHaveLength(0);
  desk.type('y');
  await desk.shows('is trusted as it is now');

  await desk.shows('Ask, or /help');
  desk.type(`go${keys.enter}`);
  await desk.shows('  touch once');
  await desk.shows('bash: run this command? [');
  expect([made('once'), desk.screen().includes('› n   No')]).toEqual([false, true]);
  desk.type('y');
  await desk.shows('  touch session');
  expect([made('once'), made('session')]).toEqual([true, false]);
  await desk.shows('a longer yes allows bash(touch session)');
  desk.type('s');
  await desk.shows('  touch always');
  desk.type('a');
  await desk.shows('  touch no');
  desk.type('n');
  await desk.shows('  touch words');
  desk.type(keys.tab);
  await desk.shows('No, and the model hears:');
  desk.type(`use mkdir${keys.enter}`);

  await desk.shows('edit: make this change?');
  await desk.shows('1 - const a = one;');
  await desk.shows('1 + const a = two;');
  desk.type(keys.ctrlO);
  await desk.shows('what would change');
  desk.type('q');
  await desk.shows('edit: make this change?');
  desk.type(`${keys.down}${keys.enter}`);

  // The question alone stands there as soon as the call does, before it is asked.
  await desk.shows('Which colour?');
  await desk.shows('2. blue');
  desk.type('2');
  await desk.shows('Which of them?');
  await desk.shows('[ ] 1. red');
  desk.type(keys.space);
  await desk.shows('[x] 1. red');
  desk.type(`${keys.down}${keys.space}${keys.enter}`);
  await desk.shows('Your name?');
  await desk.shows('no answer');
  desk.type(`Ada${keys.enter}`);

  await desk.shows('Carry out this plan?');
  await desk.shows('y also allows, for this session: bash(touch planned)');
  desk.type('y');

  await desk.shows('  touch writing');
  expect(made('planned')).toBe(true);
  desk.type('yes and more');
  await desk.shows('You are writing: tab turns to this question.');
  expect(made('writing')).toBe(false);
  // After a pause Enter would turn to the question; behind a letter it sends.
  desk.type(` words${keys.enter}`);
  await desk.shows('› n   No');
  expect(made('writing')).toBe(false);
  desk.type(keys.escape);
  await desk.shows('all done');
  desk.type('\u0004');
  expect(await desk.done).toBe(0);

  const heard = resultsIn(request(sandbox.model, 15)).map(({ text }) => text);
  expect(heard[3]).toBe('The user said no.');
  expect(heard[4]).toBe('The user said no: use mkdir');
  expect(heard.slice(7, 10)).toEqual([
    'The user answered: blue',
    'The user answered: red, blue',
    'The user answered: Ada',
  ]);
  expect(heard[11]).toContain('Allowed for this session: bash(touch planned)');
  expect(heard[14]).toContain('The user said no.');
  // What was written while it was asked went on as a prompt.
  expect(JSON.stringify(request(sandbox.model, 15).body)).toContain('yes and more words');
  expect(['session', 'always', 'no', 'words', 'writing'].filter(made)).toEqual(['session', 'always']);
  expect(sandbox.read('a.ts')).toBe('const a = two;\n');
});
