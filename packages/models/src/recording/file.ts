/**
 * The file a recording is written to: new, private, and only ever whole lines. What can be known to fail fails when it
 * is opened; what goes wrong later ends the recording with one warning, and the run goes on.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { describeError, TauError } from '@tau/core';
import { headLine } from './format.ts';
import type { RecordingSink } from './record.ts';

export interface RecordingFile extends RecordingSink {
  close(): void;
}

export function openRecording(path: string, warn: (text: string) => void): RecordingFile {
  const opened = create(path);
  let fd: number | undefined = opened;
  let count = 0;

  function close(): void {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  }

  function stop(why: string): void {
    if (fd === undefined) return;
    close();
    warn(`The recording ${path} ends here: ${why}. The run goes on without it`);
  }

  try {
    append(opened, headLine);
  } catch (cause) {
    close();
    rmSync(path, { force: true });
    throw new TauError('recording', `${path} cannot be written: ${describeError(cause)}`, {
      remedy: 'Free some space, or record to another place',
      cause,
    });
  }

  return {
    next() {
      count += 1;
      return count;
    },
    write(line) {
      if (fd === undefined) return;
      try {
        append(fd, line);
      } catch (error) {
        stop(describeError(error));
      }
    },
    stop,
    close,
  };
}

function create(path: string): number {
  try {
    return openSync(path, 'ax', 0o600);
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const message = exists
      ? `${path} is there already, and a recording never writes over a file`
      : `The recording ${path} cannot be made: ${describeError(cause)}`;
    const remedy = exists ? 'Name another file, or remove that one first' : 'Check the path and its folder';
    throw new TauError('recording', message, { remedy, cause });
  }
}

/** One write, unless the system takes only a part. A line that cannot be finished is taken back. */
function append(fd: number, line: string): void {
  const bytes = Buffer.from(line);
  const { size } = fstatSync(fd);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (error) {
    if (written > 0) ftruncateSync(fd, size);
    throw error;
  }
}
