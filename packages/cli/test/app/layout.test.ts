/** What is below the scrollback, in windows of a few lines. */
import { openTheme } from '@tau/tui';
import { expect, test } from 'vitest';
import { createLayout } from '../../src/app/layout.ts';
import { createTranscript } from '../../src/app/transcript.ts';
import { asked, takeSeat } from './seat.ts';

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name} ${at}`);

function layoutOf(rows: number, input: (room: number) => readonly string[]) {
  const { theme } = openTheme('dark', { depth: 'truecolour' });
  return createLayout({
    ...{ theme, rows: () => rows, queue: () => [], working: () => undefined },
    transcript: createTranscript(),
    footer: { render: () => ['footer 0', 'footer 1'] },
    input: (room) => ({ render: () => [...input(room)] }),
  }).render(80);
}

test('a question that needs the rows of the footer has them, and is seen from its top', () => {
  const question = (room: number) => numbered('question', Math.max(10, Math.min(room, 14)));
  expect(layoutOf(24, question)).toEqual(['', ...question(20), 'footer 0', 'footer 1']);
  expect(layoutOf(14, question)).toEqual(['', ...question(10), 'footer 0', 'footer 1']);
  expect(layoutOf(12, question)).toEqual(question(11));
});

test('in a dozen lines an approval still shows the command, and its notes give way', () => {
  const seat = takeSeat({ rows: 11 });
  seat.ask(asked('bash', { command: 'rm -r build' }, { offer: ['bash(rm -r build)'], class: 'dangerous' }));
  const lines = seat.shown(40);
  expect(lines.length).toBeLessThanOrEqual(11);
  expect(lines[1]).toBe('bash: run this command? [dangerous]');
  expect(lines[2]).toBe('  rm -r build');
  expect(lines.join('\n')).toContain('more lines: Ctrl+O shows all');
  expect(lines.at(-2)).toContain('No, and tell the model why');
});
