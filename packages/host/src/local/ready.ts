/** A launch made ready: what to start, how a stop reaches everybody, and what its end means. */
import type { ChildProcess } from 'node:child_process';
import type { TauError } from '@tau/core';
import type { Launch } from '../sandbox/sandbox.ts';
import type { Ended } from './follow.ts';
import { type Signal, signalGroup } from './groups.ts';

export interface Ready {
  launch: Launch;
  /** What it reads where it is given nothing. Absent: the machine's `/dev/null`. */
  nothing?: number;
  descriptors: readonly ('pipe' | 'ignore' | number)[];
  /** It is started already: hands it the command. */
  begun?(): ChildProcess;
  /** Stands before the command when its shell reads it. */
  before?: string;
  started(child: ChildProcess): void;
  signal: Signal;
  /** What is read of the command's output goes here first. */
  heard(listener: (chunk: string) => void): (chunk: string) => void;
  /** The same for its second output, on which a sandbox that fails says why. */
  complained(listener: (chunk: string) => void): (chunk: string) => void;
  /** What the command's end was, or why it never ran. */
  result(ended: Ended): Promise<Ended | NotRun>;
  /** Nothing was started. */
  end(): Promise<void>;
}

/** The sandbox could not be made. Nothing of the command has happened. */
export interface NotRun {
  notRun: TauError;
}

export function bare(launch: Launch): Ready {
  return {
    launch,
    descriptors: [],
    started() {},
    signal: signalGroup,
    heard: (listener) => listener,
    complained: (listener) => listener,
    result: async (ended) => ended,
    end: async () => {},
  };
}
