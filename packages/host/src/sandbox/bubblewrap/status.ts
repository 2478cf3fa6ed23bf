/** What bubblewrap tells about itself on a pipe: one JSON object a line. */
import type { Readable } from 'node:stream';
import { later } from '../../local/later.ts';

export interface Status {
  /** The first process of the command's namespace, as tau's system numbers it. */
  first(): number | undefined;
  /** The command was really started. Asked at the end. */
  began(): boolean;
  /** It ended well. Asked at the end. */
  succeeded(): boolean;
  /** Resolves when bubblewrap has nothing more to say, or after a while. */
  ended: Promise<void>;
}

/** It writes a few hundred bytes. */
const maxChars = 10_000;
const patienceMs = 1000;

export function readStatus(pipe: Readable): Status {
  let text = '';
  const number = (key: string) => {
    const found = new RegExp(`"${key}"\\s*:\\s*(\\d+)`).exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  pipe.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < maxChars) text += chunk;
  });
  // What could not be read was not said.
  pipe.on('error', () => {});
  const closed = new Promise<void>((resolve) => pipe.once('close', () => resolve()));
  return {
    first: () => number('child-pid'),
    succeeded: () => number('exit-code') === 0,
    began: () => number('exit-code') !== undefined,
    get ended() {
      return Promise.race([closed, new Promise<void>((resolve) => later(patienceMs, resolve).unref())]);
    },
  };
}
