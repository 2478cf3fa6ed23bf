/** Sessions go both ways: what tau writes, pi's own session manager opens, continues and hands back, and the reverse. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SessionManager } from '@earendil-works/pi-coding-agent';
import { afterEach, expect, test } from 'vitest';
import { makeSandbox, startScriptedModel } from '../packages/testkit/src/index.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

async function setUp(steps: Parameters<typeof startScriptedModel>[0]) {
  const model = await startScriptedModel(steps);
  const sandbox = makeSandbox({ model });
  cleanups.push(() => sandbox.dispose(), model.close);
  return { model, sandbox };
}

/** The folder of the sandbox project's sessions, as both programs name it. */
function sessionFolder(sandbox: { tauHome: string; project: string }): string {
  return join(sandbox.tauHome, 'sessions', `--${sandbox.project.slice(1).replaceAll('/', '-')}--`);
}

function onlySession(folder: string): string {
  const names = readdirSync(folder);
  expect(names).toHaveLength(1);
  return join(folder, names[0] ?? '');
}

const usage = {
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 2,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const piAnswer = (text: string) => ({
  role: 'assistant' as const,
  content: [{ type: 'text' as const, text }],
  api: 'anthropic-messages' as const,
  provider: 'scripted',
  model: 'scripted',
  usage,
  stopReason: 'stop' as const,
  timestamp: Date.now(),
});

test('pi opens a session of tau, sees the whole conversation, and tau goes on from what pi added', async () => {
  const { model, sandbox } = await setUp([
    {
      blocks: [
        { thinking: 'a file' },
        { text: 'I write it.' },
        { call: 'write', input: { path: 'a.txt', content: 'x' } },
      ],
    },
    { blocks: [{ text: 'Written.' }] },
    { blocks: [{ text: 'Still here.' }] },
  ]);
  expect((await sandbox.tau(['-p', '--allow', 'write', 'write a file'])).code).toBe(0);
  const path = onlySession(sessionFolder(sandbox));

  const opened = SessionManager.open(path);
  const context = opened.buildSessionContext();
  expect(context.model).toEqual({ provider: 'scripted', modelId: 'scripted' });
  expect(context.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'toolResult', 'assistant']);
  expect(context.messages[1]).toMatchObject({
    content: [
      { type: 'thinking', thinking: 'a file' },
      { type: 'text', text: 'I write it.' },
      { type: 'toolCall', name: 'write', arguments: { path: 'a.txt', content: 'x' } },
    ],
    stopReason: 'toolUse',
  });
  expect(context.messages[2]).toMatchObject({ toolName: 'write', isError: false });
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(opened.getLeafId()).toBe(JSON.parse(lines.at(-1) ?? '').id);
  expect(opened.getHeader()).toMatchObject({ version: 3, cwd: sandbox.project });

  opened.appendMessage({ role: 'user', content: 'asked in pi', timestamp: Date.now() });
  opened.appendMessage(piAnswer('answered in pi'));
  expect((await sandbox.tau(['-p', '-c', 'back in tau'])).stdout).toBe('Still here.\n');
  const request = JSON.stringify(model.requests[2]?.body);
  for (const text of ['write a file', 'asked in pi', 'answered in pi', 'back in tau']) expect(request).toContain(text);
});

test('tau continues a session that pi began, with its compaction honoured', async () => {
  const { model, sandbox } = await setUp([{ blocks: [{ text: 'Understood.' }] }]);
  const folder = sessionFolder(sandbox);
  mkdirSync(folder, { recursive: true });
  const session = SessionManager.create(sandbox.project, folder);
  session.appendModelChange('scripted', 'scripted');
  session.appendMessage({ role: 'user', content: 'long ago', timestamp: Date.now() });
  session.appendMessage(piAnswer('forgotten words'));
  const kept = session.appendMessage({ role: 'user', content: 'recently', timestamp: Date.now() });
  session.appendMessage(piAnswer('kept words'));
  session.appendCompaction('they spoke of old things', kept, 1000);

  expect((await sandbox.tau(['-p', '-c', 'go on'])).stdout).toBe('Understood.\n');
  const request = JSON.stringify(model.requests[0]?.body);
  for (const text of ['they spoke of old things', 'recently', 'kept words', 'go on']) expect(request).toContain(text);
  expect(request).not.toContain('forgotten words');
  const after = SessionManager.open(onlySession(folder)).buildSessionContext();
  expect(after.messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: 'Understood.' }] });
});
