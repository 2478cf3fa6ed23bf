/** The main conversation in tmux: another terminal, which breaks rows and keeps its cursor in its own way. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { call, calls, converse, request, says, talkIn } from '../conversation.ts';
import { deskEnv, steady, tauLine } from './desk.ts';

const run = promisify(execFile);

test('streaming, an approval, steering, narrow and wide windows, the viewer and the end leave every line once in tmux', async () => {
  const list = Array.from({ length: 40 }, (_, at) => `${at + 1}. point ${at + 1}`).join('\n');
  const conversation = await converse([
    calls({ text: 'I look.' }, call('bash', { command: 'touch made; until [ -e go ]; do sleep 0.02; done' })),
    says(`${list}\n\nThe end.`),
  ]);
  const { home, project, model } = conversation;
  // Apart from the home, which is removed while the server may still be about to end.
  const sockets = mkdtempSync(join(tmpdir(), 'tau-tmux-'));
  const env = { ...deskEnv(home), TMUX_TMPDIR: sockets, TERM: 'xterm-256color', PS1: '$ ', HISTFILE: '/dev/null' };
  const tmux = async (...args: string[]) => (await run('tmux', ['-L', 'tau', ...args], { env, cwd: project })).stdout;
  await tmux('-f', '/dev/null', 'new-session', '-d', '-x', '60', '-y', '20', 'bash --norc --noprofile -i');
  onTestFinished(async () => {
    await tmux('kill-server');
    rmSync(sockets, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const lines = async () => {
    const shown = (await tmux('capture-pane', '-p', '-J', '-S', '-')).split('\n').map((line) => line.trimEnd());
    while (shown.at(-1) === '') shown.pop();
    return shown;
  };
  const until = async (isThere: (lines: readonly string[]) => boolean): Promise<readonly string[]> => {
    for (let tries = 0; tries < 400; tries++) {
      const shown = await lines();
      if (isThere(shown)) return shown;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    throw new Error(`waited in vain:\n${(await lines()).join('\n')}`);
  };
  const shows = (text: string) => until((shown) => shown.some((line) => line.includes(text)));
  const type = (text: string) => tmux('send-keys', '-l', text);

  await type(tauLine());
  await tmux('send-keys', 'Enter');
  await shows('Ask, or /help');
  await type('go on');
  await tmux('send-keys', 'Enter');
  await shows('bash: run this command?');
  await type('y');
  await shows('● bash touch made');
  await type('and tell me');
  await tmux('send-keys', 'Enter');
  await shows('◷ and tell me');
  conversation.write('go', '');
  await shows('The end.');
  await until((shown) => !shown.join('\n').includes('esc stops)'));
  for (const columns of [50, 40, 70, 60]) {
    // Long enough that tau is sure of what was there when the size changed.
    await new Promise((resolve) => setTimeout(resolve, 420));
    await tmux('resize-window', '-x', String(columns), '-y', '20');
    await until((shown) => shown.filter((line) => line === '─'.repeat(columns)).length === 2);
  }
  const told = await lines();
  await tmux('send-keys', 'C-o');
  await shows('q closes');
  await tmux('send-keys', 'q');
  expect(await until((shown) => !shown.join('\n').includes('q closes'))).toEqual(told);
  expect(steady(told.slice(told.indexOf(' go on'), told.indexOf('The end.') + 3))).toMatchSnapshot();
  expect(talkIn(request(model, 1)).at(-1)).toBe('user: and tell me');
  await tmux('send-keys', 'C-d');
  await until((shown) => shown.at(-1) === '$');
});
