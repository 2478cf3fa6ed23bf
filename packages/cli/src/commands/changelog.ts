/** `/changelog`: what changed from version to version, as it is shipped with tau. */
import { promises } from 'node:fs';
import { join } from 'node:path';
import { TauError } from '@tau/agent';
import { visible } from '../render/visible.ts';
import type { Command } from './command.ts';

const maxLines = 60;

export const changelogCommand: Command = {
  ...{ name: 'changelog', aliases: ['release-notes'], help: 'what is new in this version', panel: 'changelog' },
  run: changelog,
};

/** Beside the program. */
export function changelogFile(): string {
  return join(import.meta.dirname, 'CHANGELOG.md');
}

async function changelog(): Promise<string> {
  const file = changelogFile();
  const lines = changesIn(await changelogText(file)).flatMap(({ lines }) => lines);
  const more = lines.length > maxLines ? [`… ${lines.length - maxLines} more lines in ${file}`] : [];
  return visible([...lines.slice(0, maxLines), ...more].join('\n'));
}

export async function changelogText(file: string): Promise<string> {
  return promises.readFile(file, 'utf8').catch((error: unknown) => {
    throw new TauError('file', `${file} cannot be read`, { cause: error });
  });
}

export interface Change {
  /** What it is about, where the file says so; else the version it came with. */
  title: string;
  lines: readonly string[];
}

/**
 * The newest first. A file has a section for each version, the newest on top; in a section of what is not released yet, parts are
 * added at its end, each under a line that ends with a colon.
 */
export function changesIn(text: string): Change[] {
  const [, ...sections] = text.split(/^## /m);
  return sections.flatMap((section) => {
    const [version = '', ...lines] = section.trimEnd().split('\n');
    const parts: { title: string; lines: string[] }[] = [{ title: version, lines: [] }];
    for (const line of lines) {
      if (/^[A-Z][^\n]*:$/.test(line)) parts.push({ title: line.slice(0, -1), lines: [] });
      else parts.at(-1)?.lines.push(line);
    }
    const told = parts.map(({ title, lines: own }) => ({ title, lines: withoutEnds(own) }));
    const [first, ...more] = told.filter((part) => part.lines.length > 0);
    if (!first) return [];
    const whole = [...more.reverse(), first];
    return whole.map(({ title, lines: own }, at) => ({
      title,
      lines: [...(at === 0 ? [`## ${version}`, ''] : []), ...(title === version ? [] : [`${title}:`, '']), ...own, ''],
    }));
  });
}

function withoutEnds(lines: readonly string[]): string[] {
  return lines.join('\n').trim() === ''
    ? []
    : lines
        .join('\n')
        .replace(/^\n+|\s+$/g, '')
        .split('\n');
}
