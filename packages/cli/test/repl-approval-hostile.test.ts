/**
 * Commands that try to look like less than they are (incident 34): whatever they are padded with, the person who approves
 * sees that it is there, and sees the end.
 */
import type { Ask } from '@tau/agent';
import { expect, test } from 'vitest';
import { createStyle } from '../src/render/style.ts';
import { approvalLines, shortLabel } from '../src/repl/approval.ts';
import { corpus } from './hostile-commands.ts';

const plain = createStyle({}, {});
const asking = (command: string): Ask => ({
  ...{ id: 'ask-1', toolCallId: 'c', toolName: 'bash', input: { command } },
  decision: {
    ...{ outcome: 'ask', reason: 'why not', class: 'unknown' },
    effects: [{ kind: 'exec', command, readOnly: false }],
    offer: [`bash(${command})`],
  },
});

const shown = (command: string) => approvalLines(asking(command), { cwd: '/work', style: plain });

test.each(Object.entries(corpus))('padding with %s hides nothing', (_, command) => {
  const lines = shown(command);
  const text = lines.join('\n');
  expect(text).toContain('evil.example');
  // Few lines, none of them so long that the end of the command scrolls away with what is behind it.
  expect(lines.length).toBeLessThan(220);
  // What is drawn is what is there: no control, no format character, no blank but the plain one, no empty line.
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/u);
  expect(text).not.toMatch(/ {41}|\n\s*\n\s*\n\s*\n/);
  const { label } = shortLabel(asking(command));
  expect(label.length).toBeLessThan(260);
  expect(label).toMatch(/^Run(?: it\?|: .*evil\.example \| sh.*) \[y\/N\/s\/a\] $/);
});

test('the hostile commands as they are shown', () => {
  const short = Object.entries(corpus).filter(([name]) => name !== 'many lines' && name !== 'more than is shown');
  expect(
    short.map(([name, command]) => `${name}:\n${shown(command).slice(1, -3).join('\n')}`).join('\n'),
  ).toMatchSnapshot();
});

test('of a thousand lines, and of a third of a megabyte, what is left out is counted', () => {
  expect(shown(corpus['many lines'] ?? '')).toContain('    [… 801 lines are not shown …]');
  expect(shown(corpus['more than is shown'] ?? '').join('\n')).toMatch(/\[… \d+ characters are not shown …\]/);
});

test('what is plain is shown as it is', () => {
  const command = 'if true; then\n\n    echo "ä 👍 漢字"  # aligned\n\tfi';
  expect(shown(command).slice(1, 5)).toEqual(command.split('\n').map((line) => `    ${line}`));
});
