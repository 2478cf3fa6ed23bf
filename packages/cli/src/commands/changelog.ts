/** `/changelog`: what changed from version to version, as it is shipped with tau. */
import { promises } from 'node:fs';
import { join } from 'node:path';
import { TauError } from '@tau/agent';
import { visible } from '../render/visible.ts';
import type { Command } from './command.ts';

const maxLines = 60;

export const changelogCommand: Command = {
  ...{ name: 'changelog', aliases: ['release-notes'], help: 'what is new in this version' },
  run: changelog,
};

async function changelog(): Promise<string> {
  const file = join(import.meta.dirname, 'CHANGELOG.md');
  const text = await promises.readFile(file, 'utf8').catch((error: unknown) => {
    throw new TauError('file', `${file} cannot be read`, { cause: error });
  });
  const lines = newestOf(text);
  const more = lines.length > maxLines ? [`… ${lines.length - maxLines} more lines in ${file}`] : [];
  return visible([...lines.slice(0, maxLines), ...more].join('\n'));
}

/** The first of its sections, which is the newest. */
function newestOf(text: string): string[] {
  const [, newest = ''] = text.split(/^## /m);
  return newest.trimEnd().split('\n');
}
