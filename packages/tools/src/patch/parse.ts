/**
 * Reads the patch envelope that OpenAI published for its models: `*** Begin Patch`, sections that add, delete or update
 * a file, `*** End Patch`. What models wrap around it (a code fence, a here-document) is taken off. Pure; throws only
 * a `TauError` that names the line.
 */
import { TauError } from '@tau/core';

export type Section =
  | { kind: 'add'; path: string; lines: string[] }
  | { kind: 'delete'; path: string }
  | { kind: 'update'; path: string; moveTo?: string; hunks: Hunk[] };

export interface Hunk {
  /** The line in the patch it begins at, for messages. */
  at: number;
  /** Lines of the file that come somewhere before it, one inside the other. */
  headers: string[];
  lines: HunkLine[];
  /** It is about the end of the file. */
  atEnd: boolean;
}

interface HunkLine {
  kind: 'context' | 'old' | 'new';
  text: string;
}

interface Numbered {
  number: number;
  text: string;
}

const beginning = '*** Begin Patch';
const ending = '*** End Patch';
const endOfFile = '*** End of File';
const sectionHeader = /^\*\*\* (Add File|Delete File|Update File|Move to):(.*)$/;
const kinds: Readonly<Record<string, HunkLine['kind']>> = { ' ': 'context', '-': 'old', '+': 'new' };

export function parsePatch(input: string): Section[] {
  const lines = envelope(input);
  const sections: Section[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    if (!line) break;
    at += 1;
    if (line.text.trim() === '') continue;
    const [, verb, name = ''] = sectionHeader.exec(line.text.trimEnd()) ?? [];
    const path = name.trim();
    if (verb === undefined || verb === 'Move to') {
      throw wrong(line.number, 'a section begins with *** Add File:, *** Update File: or *** Delete File:');
    }
    if (path === '') throw wrong(line.number, 'the path is missing');
    const start = at;
    while (at < lines.length && !isSectionStart(lines[at])) at += 1;
    sections.push(sectionOf(verb, path, line.number, lines.slice(start, at)));
  }
  if (sections.length === 0) throw wrong(1, 'it has no section, so there is nothing to do');
  return sections;
}

/** The lines between the two marks, with their numbers in what was given. */
function envelope(input: string): Numbered[] {
  const lines = input.split(/\r?\n/).map((text, index) => ({ number: index + 1, text }));
  for (let open: string | undefined = ''; open !== undefined; ) {
    while (lines[0]?.text.trim() === '') lines.shift();
    while (lines.at(-1)?.text.trim() === '') lines.pop();
    open = wrapperEnd(lines[0]?.text.trim() ?? '');
    if (open === undefined) break;
    lines.shift();
    if (lines.at(-1)?.text.trim() === open) lines.pop();
  }
  const first = lines.shift();
  if (first?.text.trim() !== beginning) throw wrong(first?.number ?? 1, `a patch begins with ${beginning}`);
  const last = lines.pop();
  if (last?.text.trim() !== ending) {
    throw wrong(last?.number ?? first.number, `a patch ends with ${ending}; this one may have been cut`);
  }
  return lines;
}

/** The line that closes what this one opens: a code fence or a here-document. */
function wrapperEnd(line: string): string | undefined {
  if (/^```\w*$/.test(line)) return '```';
  return /^(?:apply_?patch\s*)?<<-?\s*(['"]?)(\w+)\1$/.exec(line)?.[2];
}

function isSectionStart(line: Numbered | undefined): boolean {
  return line !== undefined && /^\*\*\* (?:Add|Delete|Update) File:/.test(line.text);
}

function sectionOf(verb: string, path: string, number: number, body: Numbered[]): Section {
  while (body.at(-1)?.text === '') body.pop();
  switch (verb) {
    case 'Add File':
      return { kind: 'add', path, lines: body.map(addedLine) };
    case 'Delete File': {
      const [extra] = body.filter(({ text }) => text.trim() !== '');
      if (extra) throw wrong(extra.number, 'nothing follows *** Delete File:');
      return { kind: 'delete', path };
    }
    default:
      return updateOf(path, number, body);
  }
}

function addedLine({ number, text }: Numbered): string {
  if (text === '') return '';
  if (text.startsWith('+')) return text.slice(1);
  throw wrong(number, 'each line of an added file begins with +');
}

function updateOf(path: string, number: number, body: Numbered[]): Section {
  const [first] = body;
  const move = first && /^\*\*\* Move to:(.*)$/.exec(first.text.trimEnd());
  const moveTo = move?.[1]?.trim();
  if (moveTo === '') throw wrong(first?.number ?? number, 'the path is missing');
  const hunks = hunksOf(moveTo === undefined ? body : body.slice(1));
  if (moveTo === undefined && hunks.length === 0) throw wrong(number, `it changes nothing in ${path}`);
  return { kind: 'update', path, hunks, ...(moveTo !== undefined && { moveTo }) };
}

function hunksOf(body: readonly Numbered[]): Hunk[] {
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  // Empty lines that only set the next header apart, unless more lines follow. One of the file has a space in front.
  let empty = 0;
  const begin = (at: number): Hunk => {
    const begun: Hunk = { at, headers: [], lines: [], atEnd: false };
    hunks.push(begun);
    return begun;
  };
  for (const { number, text } of body) {
    if (text === '') {
      empty += 1;
    } else if (text.trimEnd() === endOfFile) {
      if (!hunk || hunk.lines.length === 0) throw wrong(number, `${endOfFile} follows the lines it is about`);
      hunk.atEnd = true;
      empty = 0;
    } else if (/^@@(?: |$)/.test(text)) {
      // Several headers in a row lead to one place: a class, then a method of it.
      if (!hunk || hunk.lines.length > 0) hunk = begin(number);
      const header = headerOf(text);
      if (header !== '') hunk.headers.push(header);
      empty = 0;
    } else {
      const kind = kinds[text[0] ?? ''];
      if (!kind) throw wrong(number, 'a line of a hunk begins with a space, - or +, and a hunk with @@');
      const inside = hunk && !hunk.atEnd ? hunk : begin(number);
      if (inside.lines.length > 0) for (; empty > 0; empty--) inside.lines.push({ kind: 'context', text: '' });
      inside.lines.push({ kind, text: text.slice(1) });
      hunk = inside;
      empty = 0;
    }
  }
  const idle = hunks.find(({ lines }) => lines.length === 0);
  if (idle) throw wrong(idle.at, 'the hunk has no lines');
  return hunks;
}

/** What stands behind the marker; of a unified diff's header, what stands behind its line numbers. */
function headerOf(text: string): string {
  const numbers = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/.exec(text);
  return (numbers?.[1] ?? text.slice(3)).trimEnd();
}

function wrong(line: number, why: string): TauError {
  const remedy = 'Nothing was changed. Mend the patch and send it whole.';
  return new TauError('usage', `The patch is wrong at line ${line}: ${why}`, { remedy });
}
