/** A launch made ready: what to start, how a stop reaches everybody, and what its end means. */
import type { ChildProcess } from 'node:child_process';
import type { Launch } from '../sandbox/sandbox.ts';
import type { Ended } from './follow.ts';
import { type Signal, signalGroup } from './groups.ts';

export interface Ready {
  launch: Launch;
  descriptors: readonly ('pipe' | number)[];
  started(child: ChildProcess): void;
  signal: Signal;
  /** Hears what goes to a listener: a sandbox that fails says why on the same pipes. */
  heard(listener: (chunk: string) => void): (chunk: string) => void;
  /** What the command's end was. Rejects when the command never ran. */
  result(ended: Ended): Promise<Ended>;
  /** Nothing was started. */
  end(): Promise<void>;
}

export function bare(launch: Launch): Ready {
  return {
    launch,
    descriptors: [],
    started() {},
    signal: signalGroup,
    heard: (listener) => listener,
    result: async (ended) => ended,
    end: async () => {},
  };
}
