/** A long answer in pieces, each with a command behind it, and which of its words a terminal does not hold any more. */
import { call, calls, says } from '../conversation.ts';
import type { openDesk } from './desk.ts';

const words = Array.from({ length: 300 }, (_, at) => `word${at}`);

const part = (at: number) =>
  words
    .slice(at * 30, at * 30 + 30)
    .join(' ')
    .replaceAll('5 ', '5\n\n');

/** Ten pieces and an end: eleven requests. */
export function manyWords() {
  const steps = Array.from({ length: 10 }, (_, at) =>
    calls({ text: part(at) }, call('bash', { command: `sleep 0.1; echo ${at}` })),
  );
  return [...steps, says('The end.')];
}

/** Words that were still live when the window changed may have been left behind, and then stand there twice. */
export function lostWords(desk: Pick<Awaited<ReturnType<typeof openDesk>>, 'lines'>): string[] {
  const text = desk
    .lines()
    .join('')
    .replace(/[^a-z\d]/g, ' ');
  const shown = new Set([...text.matchAll(/word\d+/g)].map(([word]) => word));
  return words.filter((word) => !shown.has(word));
}
