/** What can be said of a session after a look at the head and the tail of its file. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import type { SessionEntry, SessionHeader } from '@tau/core';
import { textOf } from '@tau/core';
import type { SessionFile } from './folder.ts';
import { firstLine } from './folder.ts';
import { readEntry, readHeader } from './lines.ts';
import { type Owner, ownerOf } from './lock.ts';

export interface SessionInfo {
  id: string;
  path: string;
  cwd: string;
  name?: string;
  /** ISO times. */
  created: string;
  modified: string;
  /** How the first prompt begins. */
  firstPrompt?: string;
  model?: string;
  /** In bytes. */
  size: number;
  parentSession?: string;
  /** The process that has it open. */
  owner?: Owner;
}

/** How much of the end of a file is read. */
export const glanceBytes = 4 * 1024;
/** And of its beginning at first: a header, a name, a model, the start of a prompt. */
const headBytes = 2 * 1024;
/** A file of up to this many is read at once: it would be anyway. */
const wholeBytes = headBytes + glanceBytes;
/** Where the first prompt is not in the first piece, no more than this is read to find it. */
const mostHeadBytes = 64 * 1024;
const promptChars = 200;

/** Looks at one file after the other. Throws when it is no session, or none that tau reads. */
export function createGlance(): (file: SessionFile) => SessionInfo {
  const first = Buffer.allocUnsafe(wholeBytes);
  const last = Buffer.allocUnsafe(glanceBytes);
  return (file) => {
    const { path, size } = file;
    const fd = openSync(path, 'r');
    try {
      const isShort = size <= wholeBytes;
      let head = pieceAt(fd, first, isShort ? size : headBytes, 0);
      let firstPrompt = promptIn(head);
      if (firstPrompt === undefined && !isShort) {
        const most = Math.min(size, mostHeadBytes);
        head = pieceAt(fd, Buffer.allocUnsafe(most), most, 0);
        firstPrompt = promptIn(head);
      }
      const end = head.marks.indexOf('\n');
      const header = readHeader(end < 0 ? firstLine(path) : head.bytes.toString('utf8', 0, end), path);
      const tail = isShort ? head : pieceAt(fd, last, glanceBytes, size - glanceBytes);
      const name = nameIn(tail) ?? nameIn(head);
      const model = modelIn(tail) ?? modelIn(head);
      return infoOf(file, header, {
        ...(firstPrompt !== undefined && { firstPrompt }),
        ...(name !== undefined && { name }),
        ...(model !== undefined && { model }),
      });
    } finally {
      closeSync(fd);
    }
  };
}

/** A glance at one file. */
export function sessionInfo(path: string): SessionInfo {
  const { size, mtimeMs } = statSync(path);
  return createGlance()({ path, size, time: mtimeMs, locked: existsSync(`${path}.lock`) });
}

interface Words {
  firstPrompt?: string;
  name?: string;
  model?: string;
}

function infoOf(file: SessionFile, header: SessionHeader, { firstPrompt, name, model }: Words): SessionInfo {
  const owner = file.locked ? ownerOf(file.path) : undefined;
  return {
    id: header.id,
    path: file.path,
    cwd: header.cwd,
    ...(name && { name }),
    created: header.timestamp,
    modified: new Date(file.time).toISOString(),
    ...(firstPrompt !== undefined && { firstPrompt }),
    ...(model !== undefined && { model }),
    size: file.size,
    ...(header.parentSession !== undefined && { parentSession: header.parentSession }),
    ...(owner !== undefined && { owner }),
  };
}

/** A piece of a file: its bytes, and the same one character a byte, which is what is searched quickest. */
interface Piece {
  /** There may be others behind them. */
  bytes: Buffer;
  marks: string;
}

/** So many bytes, or as many as the file has. */
function pieceAt(fd: number, buffer: Buffer, length: number, offset: number): Piece {
  let got = 0;
  while (got < length) {
    const count = readSync(fd, buffer, got, length - got, offset + got);
    if (count === 0) break;
    got += count;
  }
  return { bytes: buffer, marks: buffer.toString('latin1', 0, got) };
}

/** The first prompt, also where its line goes on behind the piece. */
function promptIn({ bytes, marks }: Piece): string | undefined {
  const quick = marks.indexOf('"role":"user"');
  const place = quick >= 0 ? quick : marks.search(/"role":\s*"user"/);
  if (place < 0) return undefined;
  const start = marks.lastIndexOf('\n', place) + 1;
  const end = marks.indexOf('\n', place);
  const entry = end < 0 ? undefined : readEntry(bytes.toString('utf8', start, end));
  if (entry?.type === 'message' && entry.message.role === 'user') return shortened(textOf(entry.message));
  const begun = /"(?:content|text)":\s*"((?:[^"\\\n]|\\.)*)/.exec(bytes.toString('utf8', place, marks.length));
  return begun?.[1] === undefined ? undefined : shortened(unescaped(begun[1]));
}

/** What is left of a text of JSON that was cut off somewhere. */
function unescaped(text: string): string {
  try {
    const value: unknown = JSON.parse(`"${text.slice(0, 4 * promptChars).replace(/\\(?:u[0-9a-f]{0,3})?$/i, '')}"`);
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}

function shortened(text: string): string {
  const start = text.slice(0, 2 * promptChars);
  const line = (/[^\S ]| {2}/.test(start) ? start.replace(/\s+/g, ' ') : start).trim();
  return line.length <= promptChars && start.length === text.length ? line : `${line.slice(0, promptChars - 1)}…`;
}

/** The last name that is given in this text; empty where one was taken away. */
function nameIn(piece: Piece): string | undefined {
  const entry = lastWith(piece, '"session_info"', (one) => one.type === 'session_info');
  return entry?.type === 'session_info' ? (entry.name?.trim() ?? '') : undefined;
}

function modelIn(piece: Piece): string | undefined {
  const quick = modelAtEnd(piece);
  if (quick !== undefined) return quick;
  const heard = lastWith(piece, '"role":"assistant"', (one) => one.type === 'message');
  if (heard?.type === 'message' && heard.message.role === 'assistant') {
    return `${heard.message.provider}/${heard.message.model}`;
  }
  const chosen = lastWith(piece, '"model_change"', (one) => one.type === 'model_change');
  return chosen?.type === 'model_change' ? `${chosen.provider}/${chosen.modelId}` : undefined;
}

/**
 * The model of the last answer, from the words behind its content, without parsing the whole line. Whatever a text holds
 * has its quotes escaped, and what a call holds stands before them.
 */
function modelAtEnd({ marks }: Piece): string | undefined {
  const place = marks.lastIndexOf('"role":"assistant"');
  if (place < 0) return undefined;
  const end = marks.indexOf('\n', place);
  const at = marks.lastIndexOf('","provider":"', end < 0 ? undefined : end);
  if (at < place) return undefined;
  const found = /^","provider":"([\w.-]+)","model":"([\w./:@+-]+)"/.exec(marks.slice(at, at + 400));
  return found ? `${found[1]}/${found[2]}` : undefined;
}

/** The last whole line that has this mark and is such an entry. */
function lastWith(
  { bytes, marks }: Piece,
  mark: string,
  fits: (entry: SessionEntry) => boolean,
): SessionEntry | undefined {
  // Looking from the front is much quicker, and mostly there is none.
  if (!marks.includes(mark)) return undefined;
  for (let at = marks.lastIndexOf(mark); at > 0; at = marks.lastIndexOf(mark, at - 1)) {
    const start = marks.lastIndexOf('\n', at) + 1;
    const end = marks.indexOf('\n', at);
    const entry = readEntry(bytes.toString('utf8', start, end < 0 ? marks.length : end));
    if (entry !== undefined && fits(entry)) return entry;
    at = start;
  }
  return undefined;
}
