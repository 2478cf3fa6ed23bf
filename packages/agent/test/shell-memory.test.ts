/** What a line does is found out once for a call, and anew for the next one. */
import type { ShellReader } from '@tau/policy';
import { expect, test } from 'vitest';
import { rememberForOneTurn } from '../src/shell-facts.ts';

function counting(problem?: string) {
  const asked: string[] = [];
  const reader: ShellReader = {
    ready: () => undefined,
    analyse(line) {
      asked.push(line);
      return { parts: [], redirects: [], doubts: [], ...(problem !== undefined && { problem }) };
    },
  };
  return { asked, reader: rememberForOneTurn(reader) };
}

test('within a turn of the loop a line is taken apart once, and once more in the next', async () => {
  const { asked, reader } = counting();
  const first = reader.analyse('ls');
  await Promise.resolve();
  expect(reader.analyse('ls')).toBe(first);
  reader.analyse('ls -a');
  expect(asked).toEqual(['ls', 'ls -a']);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(reader.analyse('ls')).not.toBe(first);
  expect(asked).toEqual(['ls', 'ls -a', 'ls']);
});

test('what could not be taken apart is not remembered', () => {
  const { asked, reader } = counting('nobody was ready for it');
  for (const line of ['ls', 'ls']) expect(reader.analyse(line).problem).toBe('nobody was ready for it');
  expect(asked).toEqual(['ls', 'ls']);
});
