/** What a call looks like: while its arguments arrive, while it runs, and as it stays. */
import { expect, test } from 'vitest';
import { ended, failed, tell, text } from './telling.ts';

test('a command shows its output as it comes, how long it takes, and then its exit code and time', () => {
  const { event, live, taken, pass } = tell();
  event(
    { type: 'message_update', delta: { kind: 'toolCallStart', index: 0, id: 'a', name: 'bash' } },
    { type: 'message_update', delta: { kind: 'toolCallArguments', index: 0, text: '{"command":"npm te' } },
  );
  expect(live()).toEqual(['○ bash npm te']);
  event({ type: 'tool_execution_start', toolCallId: 'a', toolName: 'bash', input: { command: 'npm test' } });
  pass(2500);
  event({ type: 'tool_execution_update', toolCallId: 'a', delta: 'one\ntwo\n' });
  expect(live()).toEqual(['● bash npm test 2.5 s', '  one', '  two']);
  for (let at = 0; at < 30; at++) event({ type: 'tool_execution_update', toolCallId: 'a', delta: `line ${at}\n` });
  expect(live(5)).toEqual(['● bash npm test 2.5 s', '  … 29 lines above', '  line 27', '  line 28', '  line 29']);
  expect(taken()).toEqual([]);
  const details = { command: 'npm test', exitCode: 1, durationMs: 3200, truncated: true, fullOutputPath: '/tmp/log' };
  event({
    ...{ type: 'tool_execution_end', toolCallId: 'a', toolName: 'bash', summary: '' },
    result: failed('line 29\nexit code: 1', details),
  });
  expect(taken()).toEqual([
    '✗ bash npm test · exit 1 · 3.2 s',
    '  one',
    '  two',
    '  line 0',
    '  … 24 lines ctrl+o shows all',
    ...[25, 26, 27, 28, 29].map((at) => `  line ${at}`),
    '  the whole output: /tmp/log',
  ]);
});

test('a long command keeps its lines, and what does not fit is counted', () => {
  const { call, taken } = tell(40);
  const command = ['for one in a b c', 'do', '  echo "$one"', '  sleep 1', 'done'].join('\n');
  call('a', 'bash', { command }, text('a', { exitCode: 0, durationMs: 10 }));
  expect(taken()).toEqual([
    '✓ bash for one in a b c',
    '       do',
    '         echo "$one"',
    '       … 2 more rows · exit 0 · 0.0 s',
    '  a',
  ]);
});

test('an edit is seen while its arguments arrive, and as a diff with its counts when it is done', () => {
  const { event, live, taken } = tell();
  const json = JSON.stringify({
    path: '/work/a.ts',
    old_string: 'const one = 1;',
    new_string: 'const one = 2;\nconst two = 2;',
  });
  event({ type: 'message_update', delta: { kind: 'toolCallStart', index: 0, id: 'a', name: 'edit' } });
  for (const part of json.slice(0, -18).match(/.{1,7}/gs) ?? []) {
    event({ type: 'message_update', delta: { kind: 'toolCallArguments', index: 0, text: part } });
    live();
  }
  expect(live()).toEqual(['○ edit a.ts', '  - const one = 1;', '  + const one = 2;']);
  const diff = '--- a.ts\n+++ a.ts\n@@ -1,1 +1,2 @@\n-const one = 1;\n+const one = 2;\n+const two = 2;\n';
  event(
    { type: 'tool_execution_start', toolCallId: 'a', toolName: 'edit', input: JSON.parse(json) },
    { type: 'tool_execution_end', toolCallId: 'a', toolName: 'edit', result: text('ok', { diff }), summary: '' },
  );
  expect(taken()).toEqual([
    '✓ edit a.ts +2 -1',
    '  1 - const one = 1;',
    '  1 + const one = 2;',
    '  2 + const two = 2;',
  ]);
});

test('a new file shows its beginning, a patch each of its files', () => {
  const { call, taken } = tell();
  const content = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('');
  call('a', 'write', { path: 'new.txt', content }, text('Created', { path: 'new.txt', bytes: 250, created: true }));
  const lines = taken();
  expect(lines[0]).toBe('✓ write new.txt (new, 250 bytes)');
  expect(lines).toHaveLength(14);
  expect(lines.at(-1)).toBe('  … 18 more lines of this diff');
  const diff = (name: string) => `--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-old\n+new\n`;
  const files = ['one.txt', 'two.txt'].map((path) => ({ path, kind: 'update', diff: diff(path) }));
  call(
    'b',
    'apply_patch',
    { input: '*** Begin Patch\n*** Update File: one.txt\n*** Update File: two.txt\n' },
    text('ok', { files }),
  );
  expect(taken()).toEqual([
    '',
    '✓ apply_patch one.txt, two.txt +2 -2',
    '  one.txt +1 -1',
    '  1 - old',
    '  1 + new',
    '  two.txt +1 -1',
    '  1 - old',
    '  1 + new',
  ]);
});

test('a call that was not allowed says why, and one that failed stands out', () => {
  const { call, event, taken } = tell();
  call('a', 'bash', { command: 'rm -rf x' }, failed('Not allowed: a rule denies it (rule bash(rm:*)).'));
  expect(taken()).toEqual(['✗ bash rm -rf x not done', '  Not allowed: a rule denies it (rule bash(rm:*)).']);
  event({
    ...{ type: 'permission_request', id: 'ask-1', toolCallId: 'b', toolName: 'write', input: { path: 'b.txt' } },
    decision: { outcome: 'ask', reason: 'it writes', effects: [], class: 'unknown' },
  });
  event({ type: 'permission_response', id: 'ask-1', toolCallId: 'b', outcome: 'deny', feedback: 'not there' });
  call('b', 'write', { path: 'b.txt', content: '' }, failed('The user said no: not there'));
  expect(taken()).toEqual(['', '✗ write b.txt not done', '  The user said no: not there']);
  call('c', 'mcp__db__query', { sql: 'select 1', limit: 3 }, failed('no such table'));
  expect(taken()).toEqual(['', '✗ mcp__db__query sql: select 1, limit: 3', '  no such table']);
});

test('reads and searches that follow one another are one block, until something else comes', () => {
  const { call, event, live, taken } = tell();
  call('a', 'read', { path: '/work/src/a.ts' }, text('1\tx', { totalLines: 120, firstLine: 1, lastLine: 120 }));
  expect(live()).toEqual(['✓ read src/a.ts (120 lines)']);
  call(
    'b',
    'read',
    { path: 'src/b.ts', offset: 10, limit: 5 },
    text('x', { totalLines: 90, firstLine: 10, lastLine: 14 }),
  );
  call('c', 'grep', { pattern: 'foo', path: 'src' }, text('x', { files: 2, matches: 3 }));
  call('d', 'read', { path: 'gone.ts' }, failed('There is no gone.ts'));
  expect(taken()).toEqual([]);
  event({ type: 'message_update', delta: { kind: 'thinking', index: 0, text: 'So.' } });
  expect(taken()).toEqual([
    '✓ read 3 files, 1 search · 1 failed',
    '  ✓ read src/a.ts (120 lines)',
    '  ✓ read src/b.ts:10-14 (lines 10-14 of 90)',
    '  ✓ grep /foo/ in src · 3 matches in 2 files',
    '  ✗ read gone.ts',
    '    There is no gone.ts',
  ]);
  for (let at = 0; at < 20; at++) call(`e${at}`, 'ls', { path: `d${at}` }, text('x', { entries: at }));
  event(ended);
  const lines = taken();
  expect(lines).toHaveLength(10);
  expect(lines.slice(3, 5)).toEqual(['✓ listed 20 folders', '  ✓ ls d0 · 0 entries']);
  expect(lines.at(-1)).toBe('  … and 15 more');
});

test('a todo list shows its tasks as they arrive, and those to be done when there are too many', () => {
  const { call, event, live, taken } = tell();
  event(
    { type: 'message_update', delta: { kind: 'toolCallStart', index: 0, id: 'a', name: 'todo' } },
    {
      type: 'message_update',
      delta: { kind: 'toolCallArguments', index: 0, text: '{"todos":[{"task":"one","status":"completed"},{"task":"tw' },
    },
  );
  expect(live()).toEqual(['○ todo', '  ☒ one', '  ☐ tw']);
  const todos = Array.from({ length: 30 }, (_, at) => ({
    task: `task ${at}`,
    status: at < 20 ? 'completed' : at === 20 ? 'in_progress' : 'pending',
  }));
  call('a', 'todo', { todos }, text('ok', { todos }));
  const lines = taken();
  expect(lines[0]).toBe('✓ todo · 20 of 30 completed');
  expect(lines).toHaveLength(16);
  expect(lines).toContain('  ▸ task 20');
  expect(lines).toContain('  ☐ task 29');
});

test('calls that never began are dropped with the run, and the own command of the user goes on', () => {
  const { event, live, taken } = tell();
  event(
    { type: 'message_update', delta: { kind: 'toolCallStart', index: 0, id: 'a', name: 'bash' } },
    { type: 'tool_execution_start', toolCallId: 'own-command-1', toolName: 'bash', input: { command: 'sleep 9' } },
    ended,
  );
  expect(taken()).toEqual(['✗ bash not done · stopped']);
  expect(live()).toEqual(['', '● ! sleep 9']);
});

test('what is said to a run under way is told where it was heard, and the end of a background command as a note', () => {
  const { event, call, taken } = tell();
  const heard = (content: string, origin?: string) => {
    const message = { role: 'user' as const, content, timestamp: 1, ...(origin !== undefined && { origin }) };
    event({ type: 'message_end', message, entryId: '1' });
  };
  event({
    ...{ type: 'agent_start', sessionId: '1', cwd: '/work', model: 'x/y', permissionMode: 'default', tools: [] },
  });
  heard('the prompt, which stands there already');
  expect(taken()).toEqual([]);
  call('a', 'bash', { command: 'make', background: true }, text('Running in the background', { jobId: 'job-1' }));
  heard('and be quick');
  event({ type: 'job_end', id: 'job-1', command: 'make', how: 'ended with exit code 0' });
  heard('Background command job-1 (make) ended with exit code 0. It printed nothing.', 'tau.job');
  heard('a word of an extension', 'tau.word');
  expect(taken()).toEqual([
    '✓ bash make · runs as job-1',
    '  Running in the background',
    '',
    ' and be quick',
    '',
    '◷ job-1 (make) ended with exit code 0',
    '',
    '· a word of an extension',
  ]);
});

test('an image in a result is told in a line where the terminal shows none', () => {
  const { call, event, taken } = tell();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const data = png.toString('base64');
  call(
    'a',
    'read',
    { path: 'dot.png' },
    { content: [{ type: 'image', data, mimeType: 'image/png' }], details: { mimeType: 'image/png' } },
  );
  event(ended);
  expect(taken()).toEqual(['✓ read dot.png (image/png)', expect.stringMatching(/^\[image: PNG, 1×1, \d+ bytes\]$/)]);
});

test('many calls at work fit any screen: each has a line, the newest the rest', () => {
  const { event, live } = tell();
  for (let at = 0; at < 10; at++) {
    const toolCallId = `c${at}`;
    event({ type: 'tool_execution_start', toolCallId, toolName: 'bash', input: { command: `job ${at}` } });
    for (let line = 0; line < 50; line++)
      event({ type: 'tool_execution_update', toolCallId, delta: `${at}: ${line}\n` });
  }
  const lines = live(16);
  expect(lines).toHaveLength(16);
  for (let at = 0; at < 10; at++) expect(lines).toContain(`● bash job ${at}`);
  expect(lines.at(-1)).toBe('  9: 49');
  expect(live(4)).toEqual(['… 7 more at work', '● bash job 7', '● bash job 8', '● bash job 9']);
  for (const rows of [1, 2, 3, 9, 10, 11, 23, 40]) expect(live(rows).length).toBeLessThanOrEqual(rows);
});

test('what a model thinks is folded to its last lines, and whole where it is to be shown', () => {
  const { event, live, taken, pass, showThinking } = tell();
  const think = (words: string) =>
    event({ type: 'message_update', delta: { kind: 'thinking', index: 0, text: words } });
  for (let at = 0; at < 9; at++) think(`thought ${at}\n`);
  expect(live()).toEqual(['✻ thinking', '  thought 7', '  thought 8']);
  showThinking(true);
  expect(live()).toHaveLength(10);
  showThinking(false);
  pass(4000);
  event(ended);
  expect(taken()).toEqual(['✻ thought for 4.0 s']);
  showThinking(true);
  think('again');
  event(ended);
  expect(taken()).toEqual(['', '✻ thought', '  again']);
});

test('a huge output and a huge file that arrives cost a frame no more than their ends', () => {
  const { event, live, taken } = tell();
  event({ type: 'tool_execution_start', toolCallId: 'a', toolName: 'bash', input: { command: 'yes' } });
  for (let at = 0; at < 50; at++)
    event({ type: 'tool_execution_update', toolCallId: 'a', delta: 'y\n'.repeat(50_000) });
  expect(live(4)).toHaveLength(4);
  event({
    ...{ type: 'tool_execution_end', toolCallId: 'a', toolName: 'bash', summary: '' },
    result: text('y\nthe end', { exitCode: 0, durationMs: 5 }),
  });
  expect(taken()).toEqual(['✓ bash yes · exit 0 · 0.0 s', '  y', '  the end']);
  event({ type: 'message_update', delta: { kind: 'toolCallStart', index: 0, id: 'b', name: 'write' } });
  const push = (words: string) =>
    event({ type: 'message_update', delta: { kind: 'toolCallArguments', index: 0, text: words } });
  push('{"path":"big.txt","content":"');
  for (let at = 0; at < 20_000; at++) {
    push(`row ${at} \\"quoted\\" \\\\ \\u00e9\\n`);
    if (at % 500 === 0) live();
  }
  const rows = [19_998, 19_999].map((at) => `  + row ${at} "quoted" \\ é`);
  expect(live(4)).toEqual(['', '○ write big.txt', ...rows]);
});
