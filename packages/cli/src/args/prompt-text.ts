/** `--system-prompt` and its like: a text, or the file it is in. */
import { TauError } from '@tau/agent';
import { textIn } from './file-text.ts';

type Flags = ReadonlyMap<string, readonly string[]>;

const whyShort = 'Every request carries the system prompt: keep it short';

/** The one text for this name, from `--name` or `--name-file`. */
export function oneText(flags: Flags, name: string): string | undefined {
  const text = flags.get(name)?.at(-1);
  const path = flags.get(`${name}-file`)?.at(-1);
  if (text !== undefined && path !== undefined) {
    throw new TauError('usage', `--${name} and --${name}-file exclude each other`);
  }
  return path === undefined ? text : textIn(path, `--${name}-file`, whyShort);
}

/** All texts for this name, one after the other; those from files come last. */
export function allTexts(flags: Flags, name: string): string | undefined {
  const paths = flags.get(`${name}-file`) ?? [];
  const texts = [...(flags.get(name) ?? []), ...paths.map((path) => textIn(path, `--${name}-file`, whyShort))];
  return texts.length === 0 ? undefined : texts.join('\n\n');
}
