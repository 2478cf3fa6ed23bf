/** A file that is about to be changed in part: its bytes, its text, and the way back from the one to the other. */
import { isUtf8 } from 'node:buffer';
import { TauError } from '@tau/core';
import type { FileStat, Files } from '@tau/host';
import { missingFile } from './missing.ts';
import { detectEncoding } from './text/detect.ts';
import { decode, type Encoding, encode } from './text/encoding.ts';

export interface Original {
  bytes: Buffer;
  stat: FileStat;
}

export interface DecodedText {
  /** With the byte order mark, if there is one, as its first character: an edit may touch that too. */
  text: string;
  encoding: Encoding;
}

const maxBytes = 50 * 1024 * 1024;
const mark = '\uFEFF';

export async function readOriginal(files: Files, path: string): Promise<Original> {
  const stat = await files.stat(path);
  if (!stat) throw await missingFile(files, path);
  if (stat.size > maxBytes) {
    const remedy = 'Change it with a command through bash.';
    throw new TauError('file', `${path} has more than ${maxBytes / (1024 * 1024)} MB, too much to edit`, { remedy });
  }
  return { bytes: await files.read(path), stat };
}

/** The text of a file that can be written back as exactly the bytes it came from. */
export function decoded(path: string, bytes: Buffer): DecodedText {
  const encoding = detectEncoding(bytes);
  if (!encoding) {
    const remedy = 'Change it with a command through bash.';
    throw new TauError('file', `${path} is a binary file, not text`, { remedy });
  }
  const text = (encoding.bom ? mark : '') + decode(bytes, encoding);
  if (comesBack(bytes, text, encoding)) return { text, encoding };
  const remedy = 'Convert it first, or change it with a command through bash.';
  throw new TauError('file', `${path} is not valid ${encoding.name} text, so an edit could damage it`, { remedy });
}

/** The bytes of a changed text, in the encoding the file had. */
export function toBytes(path: string, { text, encoding }: DecodedText): Buffer {
  const bytes = encoded(text, encoding);
  if (bytes) return bytes;
  const { name } = encoding;
  const remedy = `Use characters that ${name} has, or convert the file first.`;
  throw new TauError('file', `${path} is ${name}, which cannot hold every character of the new text`, { remedy });
}

function comesBack(bytes: Buffer, text: string, encoding: Encoding): boolean {
  if (encoding.name === 'utf-8') return isUtf8(bytes);
  return encoded(text, encoding)?.equals(bytes) ?? false;
}

function encoded(text: string, { name }: Encoding): Buffer | undefined {
  const marked = name.startsWith('utf-') && text.startsWith(mark);
  return encode(marked ? text.slice(1) : text, { name, bom: marked });
}
