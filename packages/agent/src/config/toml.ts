/** TOML as settings: read, never written. Its parser is loaded when there is such a file. */
import { TauError } from '@tau/core';
import { position } from './text.ts';

export async function parseToml(path: string, text: string): Promise<unknown> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text);
  } catch (cause) {
    const place = cause instanceof TomlError ? `${cause.line}:${cause.column}` : '1:1';
    // What follows the first line quotes the file.
    const why =
      cause instanceof Error ? (cause.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '') : '';
    throw new TauError('configuration', `${path}:${place}: this is not valid TOML (${why})`, {
      remedy: 'Mend the file',
    });
  }
}

const part = String.raw`(?:"[^"\n]*"|'[^'\n]*'|[A-Za-z0-9_-]+)`;
const dotted = String.raw`${part}(?:[ \t]*\.[ \t]*${part})*`;
const header = new RegExp(String.raw`^[ \t]*\[\[?[ \t]*(${dotted})[ \t]*\]`);
const assignment = new RegExp(String.raw`^[ \t]*(${dotted})[ \t]*=`);

/** `line:column` of the line that sets a key, or of the nearest that holds it: the parser keeps no places. */
export function locateToml(text: string, keys: readonly string[]): string {
  let table: string[] = [];
  let best = { length: 0, offset: 0 };
  let offset = 0;
  for (const line of text.split('\n')) {
    const opened = header.exec(line)?.[1];
    const set = opened === undefined ? assignment.exec(line)?.[1] : undefined;
    if (opened !== undefined) table = partsOf(opened);
    const path = set === undefined ? table : [...table, ...partsOf(set)];
    if (opened !== undefined || set !== undefined) {
      const shared = sharedLength(path, keys);
      const fits = shared === Math.min(path.length, keys.length);
      if (fits && shared > best.length) best = { length: shared, offset: offset + line.search(/\S/) };
    }
    offset += line.length + 1;
  }
  return position(text, best.offset);
}

function partsOf(name: string): string[] {
  return [...name.matchAll(new RegExp(part, 'g'))].map(([found]) => found.replace(/^["']|["']$/g, ''));
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((one, at) => one !== b[at]);
  return differs === -1 ? a.length : differs;
}
