/** A question of a tool or of the run, and what a typed line says to it. */
import type { Question, Reply } from '@tau/agent';
import type { Style } from '../render/style.ts';
import { visible, visibleLine } from '../render/visible.ts';

export function questionLines({ question, options }: Question, style: Style): string[] {
  return [
    style.bold(visible(question).replaceAll('\n', '\n  ')),
    ...options.map(({ label, description }, at) => {
      const more = description === undefined ? '' : style.dim(`  ${visibleLine(description)}`);
      return `  ${at + 1}. ${visibleLine(label)}${more}`;
    }),
  ];
}

export function questionLabel({ options, multiSelect }: Question): string {
  if (options.length === 0) return 'Answer (Enter: none): ';
  return multiSelect ? 'Numbers, or words (Enter: none): ' : 'A number, or words (Enter: none): ';
}

export function readReply(line: string, { options, multiSelect }: Question): Reply | { again: string } {
  const words = line.trim();
  if (words === '') return { declined: true };
  const numbers = words.split(/[\s,]+/).filter((word) => word !== '');
  if (options.length === 0 || !numbers.every((word) => /^\d+$/.test(word))) return { answers: [words] };
  if (numbers.length > 1 && !multiSelect) return { again: 'One of them only.' };
  const chosen = [...new Set(numbers)].map((number) => options[Number(number) - 1]?.label);
  const labels = chosen.filter((label) => label !== undefined);
  return labels.length === chosen.length ? { answers: labels } : { again: `A number from 1 to ${options.length}.` };
}
