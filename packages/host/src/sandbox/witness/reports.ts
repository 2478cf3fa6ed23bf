/**
 * What the witness says, line by line: `write HEX`, `call NAME`, `connect HOST PORT`, `socket HEX`, `nobody PORT`
 * (on loopback), `left`, `many` (it stopped looking), `off`.
 */
import type { Readable } from 'node:stream';
import { later } from '../../local/later.ts';
import type { Report, Violation } from '../sandbox.ts';

const maxChars = 1_000_000;
const patienceMs = 1000;

export interface Witness {
  /** Somebody was left behind when the command ended. */
  left(): boolean;
  /** Resolves when it has nothing more to say, or after a while. */
  ended: Promise<void>;
}

export function readWitness(pipe: Readable, report: Report): Witness {
  let rest = '';
  let chars = 0;
  let left = false;
  pipe.setEncoding('utf8').on('data', (chunk: string) => {
    chars += chunk.length;
    if (chars > maxChars) return;
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === 'left') left = true;
      const violation = violationOf(line);
      if (violation) report(violation);
    }
  });
  // What could not be read was not said.
  pipe.on('error', () => {});
  const closed = new Promise<void>((resolve) => pipe.once('close', () => resolve()));
  return {
    left: () => left,
    get ended() {
      return Promise.race([closed, new Promise<void>((resolve) => later(patienceMs, resolve).unref())]);
    },
  };
}

/** Undefined for a line that reports nothing that was refused. */
export function violationOf(line: string): Violation | undefined {
  const [what, first = '', second = ''] = line.split(' ');
  if ((what === 'write' || what === 'socket') && /^(?:[0-9a-f]{2})+$/.test(first)) {
    const path = Buffer.from(first, 'hex').toString('utf8');
    return what === 'socket' ? { what: 'connect', host: path } : { what, path };
  }
  if (what === 'call' && /^[a-z0-9_]{1,40}$/.test(first)) return { what, call: first };
  if (what === 'connect' && /^[0-9a-f.:]+$/.test(first) && /^\d{1,5}$/.test(second)) {
    return { what, host: first, port: Number(second) };
  }
  if (what === 'nobody' && /^\d{1,5}$/.test(first)) {
    return { what: 'connect', host: 'localhost', port: Number(first), nobody: true };
  }
  return undefined;
}
