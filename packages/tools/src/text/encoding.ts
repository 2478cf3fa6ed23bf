/**
 * Bytes to text and back in the encodings files are found in. Decoding never fails: what is no character becomes U+FFFD,
 * so whoever writes a text back must first see that `encode(decode(bytes))` gives the same bytes.
 */
import { doubleByteTable, singleByteTable, windows1252 } from './tables.ts';

/** `name` as the Encoding Standard spells it, in lower case. `bom`: a byte order mark comes first, and is not text. */
export interface Encoding {
  name: string;
  bom: boolean;
}

const marks: Readonly<Record<string, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};

/** How many bytes the byte order mark takes. */
export function markLength({ name, bom }: Encoding): number {
  return bom ? (marks[name]?.length ?? 0) : 0;
}

/** The encoding a byte order mark announces. */
export function markedEncoding(bytes: Uint8Array): Encoding | undefined {
  const found = Object.entries(marks).find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  return found && { name: found[0], bom: true };
}

export function decode(bytes: Uint8Array, encoding: Encoding): string {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(markLength(encoding));
  switch (encoding.name) {
    case 'utf-8':
      return content.toString('utf8');
    case 'windows-1252':
      return windows1252.decode(content);
    default:
      return new TextDecoder(encoding.name, { ignoreBOM: true }).decode(content);
  }
}

/** Undefined when the encoding has no bytes for a character of the text, or cannot be written here at all. */
export function encode(text: string, encoding: Encoding): Buffer | undefined {
  const content = encodeContent(text, encoding.name);
  if (!content || !encoding.bom) return content;
  return Buffer.concat([Buffer.from(marks[encoding.name] ?? []), content]);
}

function encodeContent(text: string, name: string): Buffer | undefined {
  switch (name) {
    case 'utf-8':
      return halfCharacter.test(text) ? undefined : Buffer.from(text);
    case 'utf-16le':
      return halfCharacter.test(text) ? undefined : Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return halfCharacter.test(text) ? undefined : Buffer.from(text, 'utf16le').swap16();
    case 'windows-1252':
      return windows1252.encode(text);
    case 'windows-1251':
    case 'koi8-r':
      return byTable(text, singleByteTable(name));
    case 'shift_jis':
    case 'euc-jp':
    case 'euc-kr':
    case 'gbk':
    case 'gb18030':
    case 'big5':
      return byTable(text, doubleByteTable(name));
    default:
      return undefined;
  }
}

/** Half of a surrogate pair: no encoding can hold it. */
const halfCharacter = /\p{Surrogate}/u;

function byTable(text: string, table: ReadonlyMap<string, readonly number[]>): Buffer | undefined {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else {
      const found = table.get(character);
      if (!found) return undefined;
      bytes.push(...found);
    }
  }
  return Buffer.from(bytes);
}
