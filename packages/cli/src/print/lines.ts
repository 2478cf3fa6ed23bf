/** Lines on stdout, no faster than they are read, and not at all once the run was interrupted under a stalled reader. */
import { jsonText } from '../render/json.ts';

export interface LineWriter {
  /** Waits for a slow reader, so that what it has not read is joined upstream instead of piling up here. */
  write(text: string): Promise<void>;
  /** One JSON line. On a terminal it is safe to look at. */
  json(value: unknown): Promise<void>;
  /** A JSON line of print mode's own, stamped as events are. */
  line(value: { type: string; [field: string]: unknown }): Promise<void>;
  /** The interrupt came while the reader had not caught up: what came later was not written. */
  stalled(): boolean;
}

export function createLineWriter(signal: AbortSignal): LineWriter {
  const { stdout } = process;
  let stalled = false;
  async function write(text: string): Promise<void> {
    if (stalled || stdout.destroyed || stdout.write(`${text}\n`)) return;
    await drained(stdout, signal);
    stalled = signal.aborted && stdout.writableNeedDrain;
  }
  const json = (value: unknown) => write(stdout.isTTY ? jsonText(value, 0) : JSON.stringify(value));
  return {
    write,
    json,
    line: (value) => json({ ...value, timestamp: new Date().toISOString() }),
    stalled: () => stalled,
  };
}

function drained(stdout: NodeJS.WriteStream, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stdout.off('drain', done).off('close', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    stdout.on('drain', done).on('close', done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
