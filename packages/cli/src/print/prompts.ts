/** What the user asks: the words of the command line, the files it names, what was piped in. */
import { existsSync } from 'node:fs';
import { type Agent, TauError } from '@tau/agent';
import { visibleLine } from '../render/visible.ts';
import { listenForInterrupt } from './interrupt.ts';
import { readPiped } from './stdin.ts';

export type Attachments = Awaited<ReturnType<Agent['attach']>>;

export interface Prompt {
  text: string;
  /** The part that the user wrote, where that is not all of it: what was piped in mentions nothing. */
  words?: string;
  attachments: Attachments;
}

/** Prompts and files apart; the files belong to the first prompt. */
export function sortWords(words: readonly string[]): { prompts: string[]; files: string[] } {
  return {
    prompts: words.filter((word) => !namesFile(word) && word.trim() !== ''),
    files: words.filter(namesFile).map((word) => word.slice(1)),
  };
}

/** `@file`. What has a blank in it, and is no file, is a prompt that happens to begin so. */
function namesFile(word: string): boolean {
  return /^@\S+$/.test(word) || (word.startsWith('@') && existsSync(word.slice(1)));
}

/** The prompts with what was piped in, or the exit code of whoever lost patience while stdin was awaited. */
export async function withPiped(
  given: readonly string[],
): Promise<{ prompts: Omit<Prompt, 'attachments'>[] } | { code: number }> {
  const interrupt = listenForInterrupt();
  const piped = (await readPiped(given.length > 0, interrupt.signal)).trimEnd();
  interrupt.dispose();
  const code = interrupt.code();
  if (code !== undefined) return { code };
  const [first, ...rest] = given;
  const later = rest.map((text) => ({ text }));
  if (piped !== '') {
    const text = first === undefined ? piped : `${first}\n\n${piped}`;
    return { prompts: [{ text, words: first ?? '' }, ...later] };
  }
  if (first !== undefined) return { prompts: [{ text: first }, ...later] };
  throw new TauError('usage', 'There is no prompt', {
    remedy: 'Try tau -p "what does this project do?" or tau --help',
  });
}

/** The prompt with the files and folders it mentions; what cannot come with it is told. */
export async function withMentions(
  prompt: Prompt,
  agent: Agent,
  { signal, line }: { signal: AbortSignal; line(text: string): void },
): Promise<Prompt> {
  const { attachments, left } = await agent.expandMentions(prompt.words ?? prompt.text, { signal });
  for (const why of left) line(`tau: ${visibleLine(why)}`);
  return { ...prompt, attachments: [...prompt.attachments, ...attachments] };
}
