/** The same program in tmux, a terminal that reflows its rows and keeps the cursor at its character. */
import { expect, test } from 'vitest';
import { useTmux } from './multiplexer.ts';

const { session, app } = useTmux(60, 20);

const ends = (text: string) => (shown: string[]) => shown.at(-1) === text;
/** Its title goes over the whole width. */
const views = (columns: number) => (shown: string[]) =>
  shown.some((line) => line.startsWith('the viewer') && line.length === columns);
const newest = (shown: string[]) => shown.slice(shown.findLastIndex((line) => line.startsWith('started ')) + 1);

test('streaming, a narrow window, a wide one, the viewer and the end leave every line once', async () => {
  const { tmux, lines, until } = session();
  await tmux('send-keys', `node ${app()}`, 'Enter');
  await until(ends('footer of 60 columns'));
  await tmux('send-keys', 'some words that are typed', 'C-s');
  await until((shown) => shown.includes('streamed'));
  // Long enough ago that the program is sure of what was there when the size changed.
  await new Promise((resolve) => setTimeout(resolve, 420));
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
