/**
 * Exact replacement in a file's bytes. Every edit is matched against the original, and what lies outside the matches
 * is copied as bytes, so nothing else can change. Pure: bytes in, bytes out.
 */
import { TauError } from '@tau/core';

export interface Edit {
  oldText: string;
  newText: string;
}

interface Match {
  start: number;
  end: number;
  replacement: Buffer;
  /** Which edit wants it, counted from 1. */
  edit: number;
}

const maxListed = 10;

export function applyEdits(
  path: string,
  original: Buffer,
  edits: readonly Edit[],
  replaceAll: boolean,
): { content: Buffer; replacements: number } {
  const matches = edits.flatMap((edit, index) => {
    const label = edits.length > 1 ? `edit ${index + 1}: ` : '';
    return matchesOf(path, original, edit, replaceAll, label).map((match) => ({ ...match, edit: index + 1 }));
  });
  matches.sort((a, b) => a.start - b.start);
  refuseOverlap(original, matches);

  const pieces: Buffer[] = [];
  let copied = 0;
  for (const { start, end, replacement } of matches) {
    pieces.push(original.subarray(copied, start), replacement);
    copied = end;
  }
  pieces.push(original.subarray(copied));
  return { content: Buffer.concat(pieces), replacements: matches.length };
}

function matchesOf(
  path: string,
  original: Buffer,
  { oldText, newText }: Edit,
  replaceAll: boolean,
  label: string,
): Omit<Match, 'edit'>[] {
  if (oldText === '') {
    const remedy = 'Give the text to replace, or use write for a whole file.';
    throw new TauError('usage', `${label}old_string is empty`, { remedy });
  }
  if (oldText === newText) {
    const remedy = 'Give a new_string that differs.';
    throw new TauError('usage', `${label}old_string and new_string are the same`, { remedy });
  }
  const wanted = Buffer.from(oldText);
  const starts = replaceAll
    ? positions(original, wanted, wanted.length)
    : // A text that overlaps itself matches in two places, so every byte counts here.
      positions(original, wanted, 1, maxListed + 1);
  if (starts.length === 0) throw notFound(path, original, oldText, label);
  if (starts.length > 1 && !replaceAll) throw ambiguous(path, original, starts, label);
  const replacement = Buffer.from(newText);
  return starts.map((start) => ({ start, end: start + wanted.length, replacement }));
}

function positions(original: Buffer, wanted: Buffer, step: number, most = Number.POSITIVE_INFINITY): number[] {
  const found: number[] = [];
  let at = original.indexOf(wanted);
  while (at >= 0 && found.length < most) {
    found.push(at);
    at = original.indexOf(wanted, at + step);
  }
  return found;
}

function notFound(path: string, original: Buffer, oldText: string, label: string): TauError {
  const crlf = original.includes('\r\n') && /[^\r]\n/.test(oldText);
  const hint = crlf ? ' Its lines end in \\r\\n, so old_string needs \\r\\n too.' : '';
  return new TauError('file', `${label}old_string is not in ${path}`, {
    remedy: `Read the file again and copy the text exactly, with its spaces and line breaks.${hint}`,
  });
}

function ambiguous(path: string, original: Buffer, starts: readonly number[], label: string): TauError {
  const count = starts.length > maxListed ? `more than ${maxListed}` : `${starts.length}`;
  const lines = starts.slice(0, maxListed).map((start) => lineAt(original, start));
  return new TauError('file', `${label}old_string is in ${path} ${count} times, at lines ${lines.join(', ')}`, {
    remedy: 'Add lines around it to make it unique, or set replace_all.',
  });
}

function refuseOverlap(original: Buffer, sorted: readonly Match[]): void {
  for (const [index, match] of sorted.entries()) {
    const next = sorted[index + 1];
    if (!next || match.end <= next.start) continue;
    const line = lineAt(original, next.start);
    throw new TauError('usage', `edit ${match.edit} and edit ${next.edit} overlap at line ${line}`, {
      remedy: 'Join them into one edit.',
    });
  }
}

function lineAt(content: Buffer, position: number): number {
  let line = 1;
  for (let at = content.indexOf(0x0a); at >= 0 && at < position; at = content.indexOf(0x0a, at + 1)) line += 1;
  return line;
}
