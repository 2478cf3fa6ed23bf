/** Text files: a window of numbered lines, decoded, with a word about whatever is not plain. */
import { isUtf8 } from 'node:buffer';
import { TauError, type ToolResult, textResult } from '@tau/core';
import type { OpenFile } from '@tau/host';
import { detectEncoding } from '../text/detect.ts';
import { decode, type Encoding, markLength } from '../text/encoding.ts';
import { chunksFrom } from './chunks.ts';
import { newlinesIn } from './newlines.ts';
import { megabytes, type Source } from './source.ts';
import { placeOfLast } from './tail.ts';
import { type LineWindow, lineWindow } from './window.ts';

export const defaultLines = 2000;
export const maxLines = 5000;
export const defaultBytes = 50 * 1024;
/** Lines beyond what is shown are counted for this far. */
const maxCountBytes = 256 * 1024 * 1024;

export interface Range {
  /** The first line, from 1. Negative: so many lines from the end. */
  offset: number;
  limit: number;
  bytes: number;
}

export async function readText(source: Source, range: Range, signal: AbortSignal): Promise<ToolResult> {
  const { path, file, head, complete } = source;
  const encoding = detectEncoding(head, { cut: !complete });
  if (!encoding) {
    const remedy = `Try file ${path}, or xxd ${path} | head, through bash.`;
    throw new TauError('file', `${path} is a binary file, not text`, { remedy });
  }
  const place = await placeOf(file, range.offset, encoding, signal);
  const firstLine = range.offset < 0 ? place.line : Math.max(1, range.offset);
  const chunks = complete ? [head.subarray(place.position)] : chunksFrom(file, place.position, signal);
  const wanted = { line: place.line, firstLine, lines: range.limit, bytes: range.bytes, countBytes: maxCountBytes };
  const window = await lineWindow(each(chunks), encoding, wanted);
  return shown(source, encoding, firstLine, window);
}

async function placeOf(file: OpenFile, offset: number, encoding: Encoding, signal: AbortSignal) {
  const textStart = markLength(encoding);
  if (offset >= 0) return { position: textStart, line: 1 };
  const options = { newlines: newlinesIn(encoding), textStart, countBytes: maxCountBytes, signal };
  return placeOfLast(file, -offset, options);
}

async function* each(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
}

function shown({ path, file, head }: Source, assumed: Encoding, firstLine: number, window: LineWindow): ToolResult {
  const { lines, nextLine, counted, cutLine } = window;
  const totalLines = nextLine - 1;
  if (lines.length === 0 && totalLines > 0) {
    throw new TauError('file', `offset ${firstLine} is beyond the end of ${path}, which has ${lineCount(totalLines)}`, {
      remedy: `Use an offset from 1 to ${totalLines}.`,
    });
  }
  const encoding = reconsidered(assumed, head, lines);
  const texts = lines.map((line) => decode(line, { ...encoding, bom: false }));
  // Half a character at the cut is not an error of the file.
  if (cutLine) texts[0] = texts[0]?.replace(/\ufffd$/, '') ?? '';
  const lastLine = lines.length === 0 ? 0 : firstLine + lines.length - 1;
  const fromEnd = firstLine < 0;
  const truncated = !counted || lastLine < totalLines || cutLine !== undefined;
  const details = {
    path,
    // Counted from the end, nobody knows how many there are.
    ...(!fromEnd && { totalLines }),
    ...(!counted && { uncounted: true }),
    firstLine: lines.length === 0 ? 0 : firstLine,
    lastLine,
    truncated,
    ...(encoding.name !== 'utf-8' && { encoding: encoding.name }),
  };
  if (lines.length === 0) return textResult(`${path} is empty.`, details);
  const notes: string[] = [];
  if (fromEnd) {
    notes.push(
      `NOTE: ${path} has ${megabytes(file.stat.size)}, so its lines are numbered from the end (-1 is the last).`,
    );
  }
  if (!counted || lastLine < totalLines) {
    const has = fromEnd ? 'goes on' : `has ${counted ? '' : 'at least '}${lineCount(totalLines)}`;
    const size = counted ? '' : ` (${megabytes(file.stat.size)})`;
    notes.push(
      `WARNING: ${path} ${has}${size}, showing ${fromEnd ? `${firstLine} to ${lastLine}` : `${firstLine}-${lastLine}`}. Use offset and limit to read more.`,
    );
  }
  if (cutLine) {
    notes.push(
      `WARNING: line ${firstLine} has ${cutLine.bytes} bytes, showing the first ${cutLine.shown}. Use cut -b through bash for the rest.`,
    );
  }
  notes.push(...encodingNotes(encoding, lines, texts));
  return textResult([...notes, ...texts.map((text, at) => `${firstLine + at}\t${text}`)].join('\n'), details);
}

/** A head of plain ASCII says nothing about what comes later in the file. */
function reconsidered(assumed: Encoding, head: Buffer, lines: readonly Buffer[]): Encoding {
  if (assumed.name !== 'utf-8' || assumed.bom || lines.every((line) => isUtf8(line))) return assumed;
  if (head.some((byte) => byte >= 0x80)) return assumed;
  return detectEncoding(Buffer.concat(lines)) ?? assumed;
}

function encodingNotes({ name, bom }: Encoding, lines: readonly Buffer[], texts: readonly string[]): string[] {
  const notes: string[] = [];
  if (name !== 'utf-8') notes.push(bom ? `NOTE: encoding ${name}.` : `NOTE: not UTF-8; assumed to be ${name}.`);
  const valid = name === 'utf-8' ? lines.every((line) => isUtf8(line)) : !texts.some((text) => text.includes('\ufffd'));
  if (!valid) notes.push(`NOTE: some bytes are not valid ${name}; they are shown as \ufffd.`);
  return notes;
}

function lineCount(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}
