/** ripgrep's report of what it found, one JSON message a line, read as it comes and however long a line is. */
import { isRecord } from '@tau/core';
import { clip } from './clip.ts';
import { type RawPath, toRaw } from './paths.ts';
import type { FoundLine } from './search.ts';

type Message =
  | { type: 'begin'; path: RawPath }
  | { type: 'line'; line: FoundLine }
  | { type: 'end'; isBinary: boolean };

/** A longer message is not kept whole: it is about a line that nobody would read to its end. */
const maxMessageBytes = 2 * 1024 * 1024;
const headBytes = 8 * 1024;
const newline = 0x0a;

export interface MessageReader {
  read(chunk: Buffer): Message[];
}

export function createMessageReader(): MessageReader {
  let pending: Buffer[] = [];
  let size = 0;
  let long: { head: string; number?: number; tail: string } | undefined;

  function finish(last: Buffer): Message | undefined {
    if (long) {
      look(last);
      const found = longLine(long.head, long.number);
      long = undefined;
      return found;
    }
    const whole = pending.length === 0 ? last : Buffer.concat([...pending, last]);
    pending = [];
    size = 0;
    return parse(whole.toString());
  }

  function hold(part: Buffer): void {
    if (long) {
      look(part);
      return;
    }
    pending.push(part);
    size += part.length;
    if (size <= maxMessageBytes) return;
    const whole = Buffer.concat(pending);
    pending = [];
    size = 0;
    long = { head: whole.toString('utf8', 0, headBytes), tail: '' };
    look(whole);
  }

  /** The number of the line comes after its text. A quote in the text is escaped, so this can only be the number. */
  function look(part: Buffer): void {
    if (!long || long.number !== undefined) return;
    const text = long.tail + part.toString('latin1');
    const number = /"\},"line_number":(\d+),/.exec(text)?.[1];
    if (number !== undefined) long.number = Number(number);
    long.tail = text.slice(-64);
  }

  return {
    read(chunk) {
      const found: Message[] = [];
      let start = 0;
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        const message = finish(chunk.subarray(start, end));
        if (message) found.push(message);
        start = end + 1;
      }
      if (start < chunk.length) hold(chunk.subarray(start));
      return found;
    },
  };
}

function parse(json: string): Message | undefined {
  const message: unknown = JSON.parse(json);
  if (!isRecord(message) || !isRecord(message.data)) return undefined;
  const { type, data } = message;
  switch (type) {
    case 'begin':
      return { type, path: pathOf(data.path) };
    case 'end':
      return { type, isBinary: data.binary_offset !== null };
    case 'match':
    case 'context':
      return { type: 'line', line: lineOf(data, type === 'match') };
    default:
      return undefined;
  }
}

function pathOf(path: unknown): RawPath {
  const raw = isRecord(path) && typeof path.bytes === 'string' ? bytesOf(path.bytes).toString('latin1') : undefined;
  return withoutDot(raw ?? toRaw(textOf(path)));
}

function lineOf({ lines, line_number: number, submatches }: Record<string, unknown>, isMatch: boolean): FoundLine {
  const text = textOf(lines);
  const bare = withoutEnd(text);
  const [first]: unknown[] = Array.isArray(submatches) ? submatches : [];
  const start = isRecord(first) && typeof first.start === 'number' ? first.start : 0;
  const from = bare.length > 500 && start > 0 ? charsIn(lines, start) : 0;
  return { number: typeof number === 'number' ? number : 0, ...clip(bare, from), isMatch };
}

/** How many characters the first bytes of a text are. */
function charsIn(text: unknown, bytes: number): number {
  const all = isRecord(text) && typeof text.bytes === 'string' ? bytesOf(text.bytes) : Buffer.from(textOf(text));
  return all.toString('utf8', 0, bytes).length;
}

/** Text, or bytes that are no UTF-8. */
function textOf(value: unknown): string {
  if (!isRecord(value)) return '';
  if (typeof value.text === 'string') return value.text;
  return typeof value.bytes === 'string' ? bytesOf(value.bytes).toString() : '';
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

export function withoutDot(path: RawPath): RawPath {
  return path.startsWith('./') ? path.slice(2) : path;
}

function withoutEnd(line: string): string {
  return line.replace(/\r?\n?$/, '');
}

/** What the head of a long message tells of its line. */
function longLine(head: string, number: number | undefined): Message | undefined {
  const start =
    /^\{"type":"(match|context)","data":\{"path":\{"(?:text|bytes)":"(?:[^"\\]|\\.)*"\},"lines":\{"(text|bytes)":"/.exec(
      head,
    );
  if (!start || number === undefined) return undefined;
  const rest = head.slice(start[0].length);
  const text = start[2] === 'bytes' ? bytesOf(rest.split('"', 1).join()).toString() : unescaped(rest);
  const line = { number, text: `${text.slice(0, 500)}…`, isMatch: start[1] === 'match', isCut: true };
  return { type: 'line', line };
}

/** The beginning of a text in JSON. If it was cut in an escape, what is left of that does not count. */
function unescaped(json: string): string {
  const [body = ''] = /^(?:[^"\\]|\\.)*/.exec(json) ?? [];
  for (let end = body.length; end > body.length - 12 && end > 0; end--) {
    try {
      const text: unknown = JSON.parse(`"${body.slice(0, end)}"`);
      if (typeof text === 'string') return text;
    } catch {
      // One character less.
    }
  }
  return '';
}
