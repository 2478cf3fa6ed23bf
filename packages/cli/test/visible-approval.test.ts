/** What is approved is all on the screen, and every part of it looks like what it is (incident 34). */
import type { Ask } from '@tau/agent';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStyle } from '../src/render/style.ts';
import { lineWidth, wrapped } from '../src/render/wrap.ts';
import { approvalLines, shortLabel } from '../src/repl/approval.ts';
import { call, calls, converse, says } from './conversation.ts';
import { keys, startTyping } from './repl-terminal.ts';

const plain = createStyle({}, {});
const coloured = createStyle({ isTTY: true }, {});

function asking(command: string, host?: string): Ask {
  return {
    ...{ id: 'ask-1', toolCallId: 'c', toolName: 'bash', input: { command } },
    decision: {
      ...{ outcome: 'ask', reason: 'why not', class: 'unknown' },
      effects: [
        { kind: 'exec', command, readOnly: false },
        ...(host === undefined ? [] : [{ kind: 'net' as const, host }]),
      ],
    },
  };
}

test('a line that is too long goes on marked, and never begins as a line of ours does', () => {
  const command = `echo ${'x'.repeat(87)}bash needs your approval [safe]: to read ${'y'.repeat(30)}Allow? (y/n) `;
  const lines = approvalLines(asking(command), { cwd: '/', style: plain, columns: 100 });
  expect(lines[1]).toBe(`    echo ${'x'.repeat(87)}bash`);
  expect(lines[2]).toMatch(/^↪ {2}needs your approval \[safe\]: to read y+Allow\? \(y\/n\) $/);
  expect(lines.filter((line) => /^(?:bash|Allow)/.test(line))).toHaveLength(1);
});

test('nothing is lost and nothing is wider than the terminal, whatever is in it', () => {
  const text = fc.array(fc.constantFrom('a', ' ', 'ä', '漢', '👍', '\t', '[', 'm'), { maxLength: 300 });
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 120 }), (parts, columns) => {
      const line = coloured.red(parts.join(''));
      const broken = wrapped(line, columns);
      expect(broken.map((one, at) => (at === 0 ? one : one.slice(2))).join('')).toBe(line);
      for (const one of broken) {
        expect(lineWidth(one.replace('\u001b[31m', '').replace('\u001b[39m', ''))).toBeLessThanOrEqual(columns);
      }
    }),
    { numRuns: 500, seed: 6 },
  );
});

test('a command is the question itself only where it fits on one row', () => {
  const command = `touch ${'x'.repeat(60)}`;
  expect(shortLabel(asking(command), 100)).toEqual({ label: `Run: ${command} [y/N] `, short: true });
  expect(shortLabel(asking(command), 70)).toEqual({ label: 'Run it? [y/N] ', short: false });
});

test.each([
  ['xn--pple-43d.com', '\u0430pple.com', 'connects to xn--pple-43d.com (written \u0430pple.com)'],
  ['a plain one', 'example.org', 'connects to example.org'],
  ['none that is possible', 'a\u0000ä b', 'connects to no possible name'],
])('a host that only looks like another is told by its real name: %s', (_, host, told) => {
  const lines = approvalLines(asking('x', host), { cwd: '/', style: plain });
  expect(lines.find((line) => line.includes('connects'))).toContain(told);
});

test('at the terminal: curl of a host in other letters, in a line that goes on', async () => {
  const command = `curl https://\u0430pple.com/${'x'.repeat(120)}`;
  const sandbox = await converse([calls(call('bash', { command })), says('ok')]);
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('needs your approval');
  await tau.shows('\n↪ xxx');
  await tau.shows('\u0430pple.com is xn--pple-43d.com\n');
  await tau.shows('Allow?');
  tau.type(`n${keys.enter}`);
  await tau.shows('ok');
  await tau.shows('> ');
  tau.type(keys.ctrlD);
  await tau.done;
});
