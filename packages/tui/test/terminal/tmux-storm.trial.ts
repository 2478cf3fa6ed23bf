/** tmux breaks and joins rows at once and tells of it later: frames for a size that is over meet them all the time. */
import { expect, test } from 'vitest';
import { useTmux } from './multiplexer.ts';

const { session, app } = useTmux(60, 20);

test.each([15, 70])(
  'a window that changes every %i ms while 300 words are committed shows each once',
  async (every) => {
    const { tmux, lines, until } = session();
    await tmux('send-keys', `clear; node ${app()}`, 'Enter');
    await until((shown) => shown.at(-1)?.startsWith('footer of') === true);
    await tmux('send-keys', 'typed', 'C-t');
    const sizes = Array.from({ length: Math.ceil(2600 / every) }, (_, at) => [
      20 + ((at * 37) % 61),
      8 + ((at * 5) % 13),
    ]);
    const steps = sizes.flatMap(([columns, rows]) => [
      ...['resize-window', '-x', String(columns), '-y', String(rows), ';'],
      ...['run-shell', `sleep ${every / 1000}`, ';'],
    ]);
    await tmux(...steps, 'resize-window', '-x', '60', '-y', '20');
    await until((shown) => shown.some((line) => line.startsWith('recited')) && shown.at(-1) === 'footer of 60 columns');
    const all = await lines();
    const newest = all.slice(all.findLastIndex((line) => line.startsWith('started ')) + 1);
    const words = newest
      .join('')
      .replace(/[^\d[\]]/g, '')
      .matchAll(/\[(\d+)\]/g);
    expect([...words].map(([, word]) => Number(word))).toEqual(Array.from({ length: 300 }, (_, at) => at));
    await tmux('send-keys', 'C-q');
    await until((shown) => shown.at(-1) === '$');
  },
);
