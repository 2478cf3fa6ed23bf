/** A small file that the command line names, whole and at once: what it says is a part of the command line. */
import { closeSync, openSync, readSync } from 'node:fs';
import { describeError, TauError } from '@tau/agent';

const maxBytes = 64 * 1024;

/** Read in pieces: a pipe says nothing of its length. */
export function textIn(path: string, flag: string, whyShort: string): string {
  const bytes = Buffer.alloc(maxBytes + 1);
  let size = 0;
  try {
    const fd = openSync(path, 'r');
    try {
      for (let got = -1; got !== 0 && size <= maxBytes; size += got)
        got = readSync(fd, bytes, size, bytes.length - size, null);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    throw new TauError('usage', `${flag}: ${path} cannot be read: ${describeError(cause)}`, {
      cause,
      remedy: 'Check the path',
    });
  }
  const text = bytes.toString('utf8', 0, size).replace(/^\uFEFF/, '');
  if (size <= maxBytes && !text.includes('\0')) return text;
  throw new TauError('usage', `${flag}: ${path} is ${size > maxBytes ? `over ${maxBytes} bytes` : 'not UTF-8 text'}`, {
    remedy: whyShort,
  });
}
