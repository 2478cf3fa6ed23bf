/** The whole conversation in the viewer: of an earlier day, and while it goes on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyUsage, type Message, type RunEvent } from '@tau/agent';
import {
  createHighlighter,
  createKeymap,
  createParser,
  defaultActions,
  type InputEvent,
  openTheme,
  stripAnsi,
} from '@tau/tui';
import { expect, onTestFinished, test } from 'vitest';
import { lastExchanges } from '../../src/app/resumed.ts';
import { createHappening } from '../../src/app/viewer/happening.ts';
import { createTranscriptView } from '../../src/app/viewer/viewer.ts';
import { announcing } from '../../src/app/viewing.ts';
import { tell } from './telling.ts';

type Assistant = Extract<Message, { role: 'assistant' }>;

const user = (content: string): Message => ({ role: 'user', content, timestamp: 1 });
const answers = (...content: Assistant['content']): Message => ({
  ...{ role: 'assistant', content, api: 'x', provider: 'x', model: 'x', usage: emptyUsage(), stopReason: 'stop' },
  timestamp: 2,
});
const result = (toolCallId: string, text: string, details?: unknown, isError = false): Message => ({
  ...{ role: 'toolResult', toolCallId, toolName: 'bash', content: [{ type: 'text', text }], details, isError },
  timestamp: 3,
});
const asks = (id: string, name: string, input: Record<string, unknown>): Assistant['content'][number] => ({
  ...{ type: 'toolCall', id, name, arguments: input },
});

async function open(messages: Message[]) {
  const { theme } = openTheme('dark', { depth: 'truecolour' });
  const highlighter = createHighlighter();
  const parser = createParser();
  await parser.load();
  const happening = createHappening();
  let isClosed = false;
  let isAsking = false;
  const view = createTranscriptView({
    ...{ theme, highlighter, happening, cwd: '/work', markdown: { highlighter, parser } },
    agent: { messages: () => [...messages] },
    keys: createKeymap({ actions: defaultActions }),
    ...{ now: () => 0, differ: () => undefined, images: () => undefined, onChange() {} },
    onClose() {
      isClosed = true;
    },
  });
  const shown = announcing(view, theme, () => isAsking);
  return {
    view,
    screen: (height = 60, width = 80) => shown.render(width, height).map((line) => stripAnsi(line).trimEnd()),
    event(event: RunEvent) {
      happening.event({ ...event, timestamp: new Date(10).toISOString() });
      view.changed(event.type === 'message_end');
    },
    press: (key: string) => view.handleInput(keyEvent(key)),
    ask(on: boolean) {
      isAsking = on;
    },
    isClosed: () => isClosed,
  };
}

function keyEvent(key: string): InputEvent {
  return { type: 'key', key, kind: 'press', ...(key.length === 1 && { text: key }) };
}

test('everything is there: prompts, thoughts, whole arguments, whole outputs, and what the model was not told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tau-viewer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = join(folder, 'log');
  writeFileSync(log, Array.from({ length: 30 }, (_, at) => `row ${at}`).join('\n'));
  const { screen, press, isClosed, event } = await open([
    user('please'),
    answers(
      { type: 'thinking', thinking: 'I wonder' },
      { type: 'thinking', thinking: '', redacted: true },
      { type: 'text', text: 'Look **here**.' },
      asks('a', 'bash', { command: 'seq 30' }),
      asks('b', 'mcp__x', { text: 'one\ntwo', deep: { n: 1 } }),
    ),
    result('a', 'row 29', { exitCode: 0, truncated: true, fullOutputPath: log }),
    result('b', 'no', undefined, true),
    user('I ran this command myself: ls\nIts output:\nfile\n(exit code 0)'),
  ]);
  event({ type: 'tool_execution_start', toolCallId: 'own-command-1', toolName: 'bash', input: { command: 'pwd' } });
  event({ type: 'tool_execution_update', toolCallId: 'own-command-1', delta: '/here\n' });
  const lines = screen(80);
  const all = lines.join('\n');
  expect(all).toContain('please');
  expect(all).toContain('▾ ✻ thinking\n  I wonder');
  expect(all).toContain('(the provider keeps it to itself)');
  expect(all).toContain('Look here.');
  expect(all).toContain('▾ ✓ bash seq 30 · exit 0\n  seq 30\n  row 0\n');
  expect(all).toContain(`  row 29\n  the whole output: ${log.slice(0, 20)}`);
  expect(all).toContain('  text:\n  one\n  two\n  deep:\n  {\n    "n": 1\n  }\n  no\n');
  expect(all).toContain('▾ ✓ ! ls · exit 0\n  ls\n  file\n');
  expect(all).toContain('▾ ● ! pwd\n  pwd\n  /here');
  expect(lines.at(-1)).toMatch(/^q closes · \/ searches · Tab folds/);

  press('-');
  const folded = screen(20);
  expect(folded.filter((line) => line.startsWith('▸'))).toHaveLength(6);
  expect(folded.join('\n')).toContain('please');
  press('/');
  for (const key of 'row 17') press(key);
  press('enter');
  expect(screen(20).join('\n')).toContain('  row 17');
  press('q');
  expect(isClosed()).toBe(true);
});

test('it follows a run: half an answer, calls at work with their output, then what is on record', async () => {
  const messages = [user('go')];
  const { screen, event, ask } = await open(messages);
  event({ type: 'message_update', delta: { kind: 'text', index: 0, text: 'First I ' } });
  expect(screen().join('\n')).toContain('First I');
  event({ type: 'message_update', delta: { kind: 'toolCallStart', index: 1, id: 'a', name: 'bash' } });
  event({ type: 'message_update', delta: { kind: 'toolCallArguments', index: 1, text: '{"command":"make al' } });
  expect(screen().join('\n')).toContain('▾ ● bash make al');
  const message = answers({ type: 'text', text: 'First I look.' }, asks('a', 'bash', { command: 'make all' }));
  messages.push(message, result('a', 'No result was recorded for this call.', undefined, true));
  event({ type: 'message_end', message, entryId: '1' });
  event({ type: 'tool_execution_start', toolCallId: 'a', toolName: 'bash', input: { command: 'make all' } });
  event({ type: 'tool_execution_update', toolCallId: 'a', delta: 'compiling\n' });
  const running = screen().join('\n');
  expect(running).toContain('First I look.');
  expect(running).toContain('▾ ● bash make all\n  make all\n  compiling');
  expect(running).not.toContain('No result');
  const done = result('a', 'built', { exitCode: 0 });
  messages[2] = done;
  event({ type: 'message_end', message: done, entryId: '2' });
  expect(screen().join('\n')).toContain('▾ ✓ bash make all · exit 0\n  make all\n  built');
  ask(true);
  expect(screen().at(-1)).toBe('tau waits for your answer: close this to give it');
});

test('a conversation that goes on shows its last exchanges, compact, and no result without its call', async () => {
  const old = Array.from({ length: 50 }, (_, at) => [
    user(`prompt ${at}`),
    answers({ type: 'text', text: `answer ${at}` }),
  ]);
  expect(lastExchanges(old.flat())).toMatchObject({ before: 96 });
  const steps = Array.from({ length: 40 }, (_, at) => [
    answers(asks(`c${at}`, 'ls', {})),
    result(`c${at}`, 'x'),
  ]).flat();
  const long = lastExchanges([user('go'), ...steps]);
  expect(long.shown[0]?.role).toBe('assistant');
  expect(long.shown.length).toBeLessThanOrEqual(30);
  expect(lastExchanges([])).toEqual({ shown: [], before: 0 });

  const { narrator, taken } = tell();
  narrator.recall([
    user('I ran this command myself: ls\n(exit code 0)'),
    user('look'),
    answers(asks('a', 'read', { path: 'a.ts' }), asks('b', 'bash', { command: 'false' })),
    { ...result('a', 'x', { totalLines: 3 }), toolName: 'read' } as Message,
    result('b', 'oops\nexit code: 1', { exitCode: 1, durationMs: 20 }, true),
  ]);
  expect(taken()).toEqual([
    '! ls',
    '',
    ' look',
    '',
    '✓ read a.ts (3 lines)',
    '',
    '✗ bash false · exit 1 · 0.0 s',
    '  oops',
  ]);
});
