/**
 * What went wrong in other agents, tried on ours: a scripted model makes the hostile calls one after the other, nobody
 * is there to be asked, and every one must be refused with a reason.
 */
import type { ScriptBlock } from '@tau/testkit';
import { expect } from 'vitest';
import { type Conversation, call, calls, converse, request, resultsIn, says } from './conversation.ts';

/** Both are tried: what asks for every write, and what lets the model write in the project. */
export const modes = ['default', 'acceptEdits'] as const;
type Mode = (typeof modes)[number];

export interface Attempt {
  calls: readonly ScriptBlock[];
  mode: Mode;
  args?: readonly string[];
  settings?: object;
  git?: boolean;
  /** Lays out the project before the model comes. */
  prepare?(sandbox: Conversation): void;
}

export interface Attempted extends Conversation {
  code: number | null;
  /** What the model was told, call by call. */
  told: string[];
}

export const bash = (command: string): ScriptBlock => call('bash', { command });

export async function attempt({ calls: blocks, mode, args = [], prepare, ...rest }: Attempt): Promise<Attempted> {
  const sandbox = await converse([...blocks.map((block) => calls(block)), says('done')], rest);
  prepare?.(sandbox);
  const run = await sandbox.tau(['-p', 'go', '--permission-mode', mode, ...args]);
  expect(run.stdout).toBe('done\n');
  const told = resultsIn(request(sandbox.model, blocks.length)).map(({ text }) => text);
  expect(told).toHaveLength(blocks.length);
  return { ...sandbox, code: run.code, told };
}

/** Every call was refused, the model knows why, and the exit code says that somebody had to be asked. */
export async function attemptRefused(options: Attempt): Promise<Attempted> {
  const attempted = await attempt(options);
  const passed = options.calls.filter((_, at) => !/^Not allowed: .{10,}/s.test(attempted.told[at] ?? ''));
  expect(passed).toEqual([]);
  expect(attempted.code).toBe(3);
  return attempted;
}
