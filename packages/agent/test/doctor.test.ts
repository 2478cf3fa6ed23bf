/** The parts of doctor that a machine which is well does not show. */
import { expect, test } from 'vitest';
import { findHome } from '../src/config/home.ts';
import { isAtLeast, quoted, sizeText, someOf } from '../src/doctor/check.ts';
import { clockCheck, nodeCheck, userCheck } from '../src/doctor/machine.ts';

test.each(['18.20.0', '20.18.3'])('node %s is too old, and the remedy names what is needed', (version) => {
  expect(nodeCheck(version)).toMatchObject({ status: 'problem', remedy: expect.stringContaining('20.19') });
});

test.each(['20.19.0', '22.1.0', '24.0.0'])('node %s is fine', (version) => {
  expect(nodeCheck(version)).toMatchObject({ status: 'ok' });
});

test('root is told that nothing holds a command back', () => {
  expect(userCheck(0).status).toBe('note');
  expect(userCheck(1000).status).toBe('ok');
});

test('a clock from before tau is a problem, and one that is behind its own files a warning', () => {
  const home = { ...findHome({ HOME: '/nowhere' }), settings: import.meta.filename };
  expect(clockCheck(home, Date.UTC(2001, 0, 1)).status).toBe('problem');
  expect(clockCheck(home, Date.UTC(2025, 0, 2)).status).toBe('warning');
  expect(clockCheck(home).status).toBe('ok');
});

test('versions are compared by numbers, sizes are read by people, paths can be copied, lists are bounded', () => {
  expect(isAtLeast('2.9.1', 2, 38)).toBe(false);
  expect(isAtLeast('2.38', 2, 38)).toBe(true);
  expect(isAtLeast('3', 2, 38)).toBe(true);
  expect([0, 1023, 1024, 1536, 20 * 1024 ** 2, 3 * 1024 ** 4].map(sizeText)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KB',
    '1.5 KB',
    '20 MB',
    '3.0 TB',
  ]);
  expect(quoted('/a b/$(x)')).toBe("'/a b/$(x)'");
  expect(someOf(['a', 'b', 'c'], 2)).toBe('a; b; and 1 more');
});
