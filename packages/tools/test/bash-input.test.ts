import type { ToolInput } from '@tau/core';
import { expect, test } from 'vitest';
import { useWorkbench } from './workbench.ts';

const bench = useWorkbench();
const prepared = (input: ToolInput) => bench.tool('bash').prepare?.(input);

test('a command as a list of words becomes one line', () => {
  expect(prepared({ command: ['bash', '-lc', 'ls | wc'] })).toEqual({ command: 'ls | wc' });
  expect(prepared({ command: ['/bin/zsh', '-c', 'ls'] })).toEqual({ command: 'ls' });
  expect(prepared({ command: ['grep', '-n', "it's a", 'src/a.ts'] })).toEqual({
    command: String.raw`grep -n 'it'\''s a' src/a.ts`,
  });
  expect(prepared({ command: ['bash', '-c', 'echo $0', 'me'] })).toEqual({ command: "bash -c 'echo $0' me" });
});

test('a timeout of other agents is taken as seconds or, when it is large, as milliseconds', () => {
  expect(prepared({ command: 'x', timeout: 120_000 })).toEqual({ command: 'x', timeout_secs: 120 });
  expect(prepared({ command: 'x', timeout: '5000' })).toEqual({ command: 'x', timeout_secs: 5 });
  expect(prepared({ command: 'x', timeout: 300 })).toEqual({ command: 'x', timeout_secs: 300 });
  expect(prepared({ command: 'x', timeout_ms: 500 })).toEqual({ command: 'x', timeout_secs: 0.5 });
  expect(prepared({ command: 'x', timeout: 9000, timeout_secs: 7 })).toEqual({ command: 'x', timeout_secs: 7 });
  expect(prepared({ command: 'x', timeout: null })).toEqual({ command: 'x' });
});

test('the background has other names, and there another agent’s timeout is no wait', () => {
  const background = { command: 'x', background: true };
  expect(prepared({ command: 'x', run_in_background: true, timeout: 600_000 })).toEqual(background);
  expect(prepared({ command: 'x', is_background: 'true' })).toEqual({ command: 'x', background: 'true' });
  expect(prepared({ command: 'x', wait: false })).toEqual(background);
  expect(prepared({ command: 'x', wait: true })).toEqual({ command: 'x' });
  expect(prepared({ command: 'x', wait: '10m' })).toEqual({ ...background, timeout_secs: 600 });
  expect(prepared({ command: 'x', wait: '500ms' })).toEqual({ ...background, timeout_secs: 0.5 });
  expect(() => prepared({ command: 'x', wait: 'soon' })).toThrow('wait must be true, false or a duration');
});

test('what is only said about a command is left out', () => {
  expect(prepared({ command: 'x', description: 'Lists files', justification: 'y' })).toEqual({ command: 'x' });
});

test('a folder of its own is refused with what to write instead, and never ignored', () => {
  expect(() => prepared({ command: 'make', workdir: 'my app' })).toThrow('bash has no workdir');
  expect(() => prepared({ command: 'make', cwd: '/x' })).toThrow('commands run in the project folder');
  expect(() => prepared({ command: 'make', workdir: 'my app' })).toThrow(
    expect.objectContaining({ remedy: "Begin the command with: cd 'my app' &&" }),
  );
  expect(prepared({ command: 'make', workdir: '.' })).toEqual({ command: 'make' });
});

test('what fits already stays as it is', () => {
  const input = { command: 'x', timeout_secs: 5, background: true };
  expect(prepared(input)).toEqual(input);
});
