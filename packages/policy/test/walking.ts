/** A shell in a small project, and short words for what it finds in a line. */
import type { Effect } from '@tau/core';
import type { Analysis } from '../src/index.ts';
import { summarise } from '../src/index.ts';
import { shellIn } from './decisions.ts';

const files: Readonly<Record<string, readonly string[]>> = {
  '/w/app': ['a.ts', 'b.ts', 'c.md', 'src', 'test'],
  '/w/app/src': ['x.ts', 'y.ts'],
};

/** Patterns with a single `*` in one folder: enough to see what becomes of them. */
function glob(pattern: string, folder: string): string[] {
  const [before = '', after = ''] = pattern.slice(pattern.lastIndexOf('/') + 1).split('*');
  const inFolder = pattern.slice(0, pattern.lastIndexOf('/') + 1);
  const place = inFolder.startsWith('/') ? inFolder.slice(0, -1) : `${folder}/${inFolder}`.replace(/\/$/, '');
  const names = (files[place] ?? []).filter((name) => name.startsWith(before) && name.endsWith(after));
  return names.map((name) => inFolder + name);
}

const shell = await shellIn({ glob });

export function look(line: string): Analysis {
  return shell.analyse(line);
}

/** Every program start: its words, `?` for those that nobody knows yet. */
export function starts(line: string): string[] {
  return look(line).parts.map(({ invocation }) => invocation.words.map((word) => word ?? '?').join(' '));
}

/** Starts that are not only there to start others. */
export function deeds(line: string): string[] {
  const { parts } = look(line);
  return parts
    .filter(({ invocation }) => !invocation.wrapper)
    .map(({ invocation }) => invocation.words.map((word) => word ?? '?').join(' '));
}

export function does(line: string): string[] {
  return summarise(look(line)).effects.map(inWords);
}

export function inWords(effect: Effect): string {
  if (effect.kind === 'read') return `read ${effect.path}`;
  if (effect.kind === 'write') return `${effect.removes === undefined ? 'write' : 'remove'} ${effect.path}`;
  return effect.kind === 'net' ? `net ${effect.host}` : effect.kind;
}

export function isKnown(line: string): boolean {
  return summarise(look(line)).known;
}

export function isReadOnly(line: string): boolean {
  return summarise(look(line)).readOnly;
}

export function dangers(line: string): string[] {
  return look(line).parts.flatMap(({ finding }) => finding.danger ?? []);
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
