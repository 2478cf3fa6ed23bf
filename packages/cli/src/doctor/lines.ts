/** What doctor found, for people: a line for each look, and below it what to do. */
import type { Check } from '@tau/agent';
import { clip } from '../render/clip.ts';
import type { Style } from '../render/style.ts';

const maxChars = 1000;

export function checkLines(checks: readonly Check[], style: Style): string[] {
  const width = Math.max(0, ...checks.map(({ title }) => title.length));
  return [
    ...checks.flatMap(({ status, title, detail, remedy }) => [
      `${painted(status, style)}  ${title.padEnd(width)}  ${clip(detail, maxChars)}`,
      ...(remedy === undefined ? [] : [style.dim(`${' '.repeat(9 + width + 2)}→ ${clip(remedy, maxChars)}`)]),
    ]),
    '',
    summary(checks),
  ];
}

function painted(status: Check['status'], { dim, cyan, bold, red, green }: Style): string {
  const word = status.padEnd(7);
  switch (status) {
    case 'ok':
      return green(word);
    case 'note':
      return dim(word);
    case 'warning':
      return cyan(word);
    case 'problem':
      return bold(red(word));
  }
}

function summary(checks: readonly Check[]): string {
  const count = (wanted: Check['status']) => checks.filter(({ status }) => status === wanted).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  const counted = [numbered(problems, 'problem'), numbered(warnings, 'warning'), numbered(count('note'), 'note')];
  return `${counted.join(', ')}.`;
}

function numbered(count: number, word: string): string {
  return `${count === 0 ? 'no' : count} ${word}${count === 1 ? '' : 's'}`;
}
