/** GNU screen breaks and joins rows too, and takes a row that it broke once for broken whatever is written there later. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTmux } from './multiplexer.ts';
import { buildApp } from './pty.ts';

test('in GNU screen, narrow and wide windows leave every line once', async () => {
  const app = await buildApp();
  const folder = await mkdtemp(join(tmpdir(), 'tau-screen-'));
  const { tmux, until, close } = await openTmux(60, 20);
  onTestFinished(async () => {
    await close();
    await app.remove();
    await rm(folder, { recursive: true, force: true });
  });
  // It wants the folder of its sockets to be private, and has no message to begin with only if its file says so.
  const shell = "env PS1='% ' bash --norc --noprofile -i";
  await tmux(
    'send-keys',
    `printf 'autodetach off\\nstartup_message off\\ndefscrollback 1000\\n' > ${folder}/rc; export SCREENDIR=${folder}`,
    'Enter',
  );
  await tmux('send-keys', `screen -c ${folder}/rc ${shell}`, 'Enter');
  await until((shown) => shown.at(-1) === '%');
  // Its copy of the scrollback leaves out as many of the first rows as were broken, whatever program wrote them.
  await tmux('send-keys', `seq 60; node ${app.file}`, 'Enter');
  await until((shown) => shown.at(-1) === 'footer of 60 columns');
  await tmux('send-keys', 'some words that are typed', 'C-s');
  await until((shown) => shown.includes('streamed'));
  // Long enough ago that the program is sure of what was there when the size changed.
  await new Promise((resolve) => setTimeout(resolve, 420));
  for (const columns of [40, 20, 33, 70, 25, 60]) {
    await tmux('resize-window', '-x', String(columns), '-y', '20');
    await until((shown) => shown.at(-1) === `footer of ${columns} columns`);
  }
  await tmux('send-keys', 'C-q');
  await until((shown) => shown.at(-1) === '%');
  const copy = join(folder, 'copy');
  await tmux('send-keys', `screen -X hardcopy -h ${copy}; echo copied`, 'Enter');
  await until((shown) => shown.includes('copied'));
  // It is written by another process than the one that asked for it, which has ended already.
  await expect.poll(() => readFile(copy, 'latin1').catch(() => '')).toContain('footer of 60 columns');
  // What is not ASCII is written as blanks, or as a byte for each.
  const lines = (await readFile(copy, 'latin1')).split('\n').map((line) => line.trimEnd());
  const newest = lines.slice(lines.findLastIndex((line) => line.startsWith('started ')) + 1);
  const streamed = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
  const said = newest.slice(0, newest.indexOf('footer of 60 columns')).filter((line) => /^[a-z>]/.test(line));
  expect(said).toEqual([...streamed, 'streamed', '> some words that are typed']);
  await tmux('send-keys', 'exit', 'Enter');
  await until((shown) => shown.at(-1) === '$');
});
