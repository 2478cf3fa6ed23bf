/** Asks and questions that a person answers, line by line. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { keys, startTyping } from './repl-terminal.ts';

const touch = (name: string) => call('bash', { command: `touch ${name}` });
const ended = async (tau: ReturnType<typeof startTyping>) => {
  await tau.shows('> ');
  tau.type(keys.ctrlD);
  expect(await tau.done).toEqual({ code: 0, restored: true });
};

test('y allows a call once: the same is asked about again', async () => {
  const sandbox = await converse([calls(touch('a')), calls(touch('a')), says('ok')]);
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('\n    touch a\n');
  await tau.shows('Allow? (y/n/s/a) ');
  expect(existsSync(join(sandbox.project, 'a'))).toBe(false);
  tau.type(`y${keys.enter}`);
  await tau.shows('✓ bash');
  expect(existsSync(join(sandbox.project, 'a'))).toBe(true);
  await tau.shows('Allow? (y/n/s/a) ');
  tau.type(`n${keys.enter}`);
  await tau.shows('✗ bash The user said no.');
  await tau.shows('ok\n');
  await ended(tau);
});

test('Enter alone is no, and so are words, which the model hears', async () => {
  const sandbox = await converse([calls(touch('a')), calls(touch('b')), says('ok')]);
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('Allow? (y/n/s/a) ');
  tau.type(keys.enter);
  await tau.shows('Allow? (y/n/s/a) ');
  tau.type(`use mkdir instead${keys.enter}`);
  await tau.shows('ok\n');
  await ended(tau);
  expect(existsSync(join(sandbox.project, 'a'))).toBe(false);
  expect(existsSync(join(sandbox.project, 'b'))).toBe(false);
  expect(resultsIn(request(sandbox.model, 2)).map(({ text }) => text)).toEqual([
    'The user said no.',
    'The user said no: use mkdir instead',
  ]);
});

test('s allows the same from then on, by the rule that was shown, and nothing else', async () => {
  const sandbox = await converse([calls(touch('a')), calls(touch('a')), calls(touch('b')), says('ok')]);
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('s: yes, and for this session allow bash(touch a)\n');
  await tau.shows('Allow? (y/n/s/a) ');
  tau.type(`s${keys.enter}`);
  await tau.shows('✓ bash');
  await tau.shows('✓ bash');
  await tau.shows('    touch b\n');
  await tau.shows('Allow? (y/n/s/a) ');
  tau.type(`n${keys.enter}`);
  await tau.shows('ok\n');
  await ended(tau);
  expect(tau.screen().split('Allow?')).toHaveLength(3);
});

test('where a rule asks every time, s is not offered and allows nothing', async () => {
  const sandbox = await converse([calls(touch('a')), says('ok')]);
  const tau = startTyping(sandbox, ['go', '--ask', 'bash(touch:*)']);
  await tau.shows('the rule bash(touch:*) asks first');
  await tau.shows('Allow? (y/n) ');
  tau.type(`s${keys.enter}`);
  await tau.shows('This is asked every time: y or n.\nAllow? (y/n) ');
  tau.type(`no${keys.enter}`);
  await tau.shows('ok\n');
  await ended(tau);
  expect(existsSync(join(sandbox.project, 'a'))).toBe(false);
});

test('several asks come one after another', async () => {
  const sandbox = await converse([calls(touch('a'), touch('b'), touch('c')), says('ok')]);
  const tau = startTyping(sandbox, ['go']);
  for (const [name, answer] of [
    ['a', 'y'],
    ['b', 'n'],
    ['c', 'y'],
  ]) {
    await tau.shows(`    touch ${name}\n`);
    await tau.shows('Allow? (y/n/s/a) ');
    tau.type(`${answer}${keys.enter}`);
  }
  await tau.shows('ok\n');
  await ended(tau);
  expect(['a', 'b', 'c'].filter((name) => existsSync(join(sandbox.project, name)))).toEqual(['a', 'c']);
});

test('a change is shown before it is made, and made when it is allowed', async () => {
  const sandbox = await converse([
    calls(call('read', { path: 'a.txt' })),
    calls(call('edit', { path: 'a.txt', old_string: 'one', new_string: 'eins' })),
    calls(call('write', { path: 'b.txt', content: 'new\u001b[2J words\n' })),
    says('ok'),
  ]);
  sandbox.write('a.txt', 'one\n');
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('edit needs your approval [write]: it writes a.txt\n  a.txt\n    -one\n    +eins\n');
  await tau.shows('Allow? (y/n/s/a) ');
  tau.type(`y${keys.enter}`);
  await tau.shows('  b.txt\n    +new^[[2J words\n');
  await tau.shows('Allow? (y/n/s/a) ');
  tau.type(`n${keys.enter}`);
  await tau.shows('ok\n');
  await ended(tau);
  expect(sandbox.read('a.txt')).toBe('eins\n');
  expect(existsSync(join(sandbox.project, 'b.txt'))).toBe(false);
});

test('what was half typed for the model is no answer to an ask, and comes back after it', async () => {
  const waits = call('bash', { command: 'touch begun; until test -e go; do sleep 0.05; done' });
  const sandbox = await converse([calls(waits), calls(touch('a')), says('ok'), says('then')]);
  const tau = startTyping(sandbox, ['go', '--allow', 'bash(touch begun; until test -e go; do sleep 0.05; done)']);
  await expect.poll(() => existsSync(join(sandbox.project, 'begun'))).toBe(true);
  tau.type('y');
  await tau.shows('> y');
  sandbox.write('go', '');
  await tau.shows('Allow? (y/n/s/a) ');
  tau.type(keys.enter);
  await tau.shows('The user said no.');
  await tau.shows('ok\n> y');
  tau.type(`es${keys.enter}`);
  await tau.shows('then\n');
  await ended(tau);
  expect(existsSync(join(sandbox.project, 'a'))).toBe(false);
});

test('Ctrl+C at an ask stops the run, and nothing was done', async () => {
  const sandbox = await converse([calls(touch('a')), says('never')]);
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('Allow? (y/n/s/a) ');
  tau.type(`y${keys.ctrlC}`);
  await tau.shows('tau: stopped\n');
  await ended(tau);
  expect(existsSync(join(sandbox.project, 'a'))).toBe(false);
  expect(sandbox.model.requests).toHaveLength(1);
});

test('a plan is shown whole, and carried out when it is approved', async () => {
  const sandbox = await converse([
    calls(call('plan_exit', { plan: '1. write a.txt\n2. rest' })),
    calls(call('plan_exit', { plan: '1. write b.txt' })),
    calls(call('write', { path: 'b.txt', content: 'x' })),
    says('ok'),
  ]);
  const tau = startTyping(sandbox, ['go', '--permission-mode', 'plan', '--allow', 'write']);
  await tau.shows('The plan:\n    1. write a.txt\n    2. rest\n');
  await tau.shows('Carry it out? (y, n, or what to change) ');
  tau.type(`b.txt, not a.txt${keys.enter}`);
  await tau.shows('    1. write b.txt\n');
  await tau.shows('Carry it out? (y, n, or what to change) ');
  tau.type(`y${keys.enter}`);
  await tau.shows('ok\n');
  await ended(tau);
  expect(resultsIn(request(sandbox.model, 1))[0]?.text).toBe('The user said no: b.txt, not a.txt');
  expect(sandbox.read('b.txt')).toBe('x');
});

test('a plan shows the rules it needs, and a yes allows the narrow ones for the session and no others', async () => {
  const allowedPrompts = [
    { tool: 'Bash', prompt: 'touch one' },
    { tool: 'Bash', prompt: 'touch:*' },
    { tool: 'Bash', prompt: 'rm -rf ..' },
    'edit(made.txt)',
    'Bash',
    'edit(**)',
    'mcp__x__y',
  ];
  const sandbox = await converse([
    calls(call('plan_exit', { plan: 'make them', allowedPrompts })),
    calls(call('bash', { command: 'touch one' })),
    calls(call('write', { path: 'made.txt', content: 'x' })),
    calls(call('bash', { command: 'touch two' })),
    says('ok'),
  ]);
  const tau = startTyping(sandbox, ['go', '--permission-mode', 'plan']);
  await tau.shows(
    [
      'The plan:\n    make them',
      '  y also allows, for this session: bash(touch one)',
      '  y also allows, for this session: edit(made.txt)',
      '  asked about as usual, though the plan wants it: bash(touch:*)',
      '  asked about as usual, though the plan wants it: bash(rm -rf ..)',
      '  asked about as usual, though the plan wants it: Bash',
      '  asked about as usual, though the plan wants it: edit(**)',
      '  asked about as usual, though the plan wants it: mcp__x__y',
    ].join('\n'),
  );
  tau.type(`y${keys.enter}`);
  await tau.shows('Allow? (y/n/s/a) ');
  tau.type(`n${keys.enter}`);
  await tau.shows('ok\n');
  await ended(tau);
  const told = resultsIn(request(sandbox.model, 4)).map(({ text }) => text);
  expect(told[0]).toContain('Allowed for this session: bash(touch one), edit(made.txt).');
  expect(told[3]).toBe('The user said no.');
  expect(existsSync(join(sandbox.project, 'one'))).toBe(true);
  expect(sandbox.read('made.txt')).toBe('x');
  expect(existsSync(join(sandbox.project, 'two'))).toBe(false);
});

test('the rules of a plan that nobody approves count for nothing', async () => {
  const sandbox = await converse([
    calls(call('plan_exit', { plan: 'p', allowed_prompts: ['bash(touch one)'] })),
    says('the plan'),
    calls(call('bash', { command: 'touch one' })),
    says('ok'),
  ]);
  await sandbox.tau(['-p', 'go', '--permission-mode', 'plan']);
  expect((await sandbox.tau(['-p', '-c', 'on', '--permission-mode', 'default'])).code).toBe(3);
  expect(existsSync(join(sandbox.project, 'one'))).toBe(false);
});

test('a question is answered by a number, by several where that is wanted, in words, or not at all', async () => {
  const options = [{ label: 'red', description: 'like fire' }, { label: 'green' }, { label: 'blue' }];
  const sandbox = await converse([
    calls(call('ask_user', { question: 'Which colour?', options }, 'q1')),
    calls(call('ask_user', { question: 'Which ones?', options, multi_select: true }, 'q2')),
    calls(call('ask_user', { question: 'Which ones then?', options }, 'q3')),
    calls(call('ask_user', { question: 'Why?' }, 'q4')),
    says('ok'),
  ]);
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('Which colour?\n  1. red  like fire\n  2. green\n  3. blue\n');
  await tau.shows('A number, or words (Enter: none): ');
  tau.type(`4${keys.enter}`);
  await tau.shows('A number from 1 to 3.\nA number, or words (Enter: none): ');
  tau.type(`2${keys.enter}`);
  await tau.shows('Numbers, or words (Enter: none): ');
  tau.type(`1, 3${keys.enter}`);
  await tau.shows('A number, or words (Enter: none): ');
  tau.type(`neither of them${keys.enter}`);
  await tau.shows('Answer (Enter: none): ');
  tau.type(keys.enter);
  await tau.shows('ok\n');
  await ended(tau);
  expect(resultsIn(request(sandbox.model, 4)).map(({ text }) => text)).toEqual([
    'The user answered: green',
    'The user answered: red, blue',
    'The user answered: neither of them',
    expect.stringContaining('The user would not answer'),
  ]);
});

test('a model that repeats itself goes on only when the user says so', async () => {
  const same = calls(call('bash', { command: 'pwd' }));
  const sandbox = await converse([same, same, same, same, says('done')], {
    settings: { limits: { repeatedCalls: 2 } },
  });
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('Go on?\n  1. Go on\n  2. Stop\n');
  tau.type(`1${keys.enter}`);
  await tau.shows('Go on?\n  1. Go on\n  2. Stop\n');
  await tau.shows('(Enter: none): ');
  tau.type(`2${keys.enter}`);
  await tau.shows('> ');
  tau.type(keys.ctrlD);
  expect(await tau.done).toEqual({ code: 0, restored: true });
  expect(sandbox.model.requests).toHaveLength(4);
});
