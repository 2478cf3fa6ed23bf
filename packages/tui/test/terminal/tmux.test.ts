/** The same program in tmux, a terminal that reflows its rows and keeps the cursor at its character. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from './pty.ts';

const run = promisify(execFile);
let app: Awaited<ReturnType<typeof buildApp>>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tau-tmux-'));
  app = await buildApp();
  const shell = "env PS1='$ ' bash --norc --noprofile -i";
  await tmux('-f', '/dev/null', 'new-session', '-d', '-x', '60', '-y', '20', shell);
  await tmux('set', '-g', 'history-limit', '5000');
});
afterAll(async () => {
  await tmux('kill-server');
  await app.remove();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

async function tmux(...args: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    TMUX_TMPDIR: folder,
    HISTFILE: '/dev/null',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  };
  const { stdout } = await run('tmux', ['-L', 'tau', ...args], { env });
  return stdout;
}

/** Scrollback and screen, rows that were broken joined again. */
async function lines(): Promise<string[]> {
  const shown = (await tmux('capture-pane', '-p', '-J', '-S', '-')).split('\n').map((line) => line.trimEnd());
  while (shown.at(-1) === '') shown.pop();
  return shown;
}

async function until(isThere: (lines: string[]) => boolean): Promise<string[]> {
  for (let tries = 0; tries < 300; tries++) {
    const shown = await lines();
    if (isThere(shown)) return shown;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error(`waited in vain:\n${(await lines()).join('\n')}`);
}

const ends = (text: string) => (shown: string[]) => shown.at(-1) === text;
/** Its title goes over the whole width. */
const views = (columns: number) => (shown: string[]) =>
  shown.some((line) => line.startsWith('the viewer') && line.length === columns);
const newest = (shown: string[]) => shown.slice(shown.findLastIndex((line) => line.startsWith('started ')) + 1);

test('streaming, a narrow window, a wide one, the viewer and the end leave every line once', async () => {
  await tmux('send-keys', `node ${app.file}`, 'Enter');
  await until(ends('footer of 60 columns'));
  await tmux('send-keys', 'some words that are typed', 'C-s');
  await until((shown) => shown.includes('streamed'));
  for (const columns of [40, 20, 33, 70]) {
    await tmux('resize-window', '-x', String(columns), '-y', '20');
    await until(ends(`footer of ${columns} columns`));
  }
  const streamed = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
  const live = ['─'.repeat(70), '> some words that are typed', '─'.repeat(70), 'footer of 70 columns'];
  const wanted = [...streamed, 'streamed', ...live];
  expect(newest(await lines())).toEqual(wanted);

  await tmux('send-keys', 'C-o');
  await until(views(70));
  for (const columns of [50, 70]) {
    await tmux('resize-window', '-x', String(columns), '-y', '20');
    await until(views(columns));
  }
  await tmux('send-keys', 'q');
  expect(newest(await until(ends('footer of 70 columns')))).toEqual(wanted);

  await tmux('send-keys', 'C-q');
  expect(newest(await until(ends('$')))).toEqual([...wanted, '$']);
});
