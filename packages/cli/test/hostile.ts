/** Opens a hostile repository with the built command under a trace, and says what of it ran, was called or got out. */
import { isAbsolute } from 'node:path';
import { type GitShape, type HostileRepo, plantHostileRepo, type ScriptStep } from '@tau/testkit';
import { expect, onTestFinished } from 'vitest';
import { type TracedRun, traced } from './connections.ts';
import { type Conversation, converse } from './conversation.ts';

export interface Stranger extends Conversation {
  repo: HostileRepo;
  /** Runs the command in the folder and expects that nothing of the folder ran, counted or was told. */
  open(args: readonly string[], options?: OpenOptions): Promise<TracedRun>;
}

interface OpenOptions extends NonNullable<Parameters<typeof traced>[2]> {
  /** Whom the command may call beside its model. */
  besides?: readonly string[];
  /** Default: the project. */
  cwd?: string;
}

type Settings = Parameters<typeof converse>[1];

export async function stranger(steps: ScriptStep[], shape?: GitShape, options?: Settings): Promise<Stranger> {
  const sandbox = await converse(steps, options);
  const repo = await plantHostileRepo({ ...sandbox, ...(shape !== undefined && { git: shape }) });
  onTestFinished(() => repo.close());
  return {
    ...sandbox,
    repo,
    async open(args, { besides = [], cwd = sandbox.project, ...traceOptions } = {}) {
      const run = await traced({ ...sandbox, project: cwd }, args, traceOptions);
      expectUnharmed({ ...sandbox, repo }, run, besides);
      return run;
    },
  };
}

/** Relative names are looked up from the folder, so whoever starts one starts something of the folder. */
export function plantedIn({ started }: Pick<TracedRun, 'started'>, project: string): string[] {
  return started
    .filter(({ path, rest }) => !isAbsolute(path) || `${path}/`.startsWith(`${project}/`) || rest.includes('canary'))
    .map(({ path, rest }) => `${path} ${rest.slice(0, 300)}`);
}

function expectUnharmed({ repo, model, project }: Omit<Stranger, 'open'>, run: TracedRun, besides: readonly string[]) {
  expect(plantedIn(run, project)).toEqual([]);
  expect(repo.marks()).toEqual([]);
  expect(repo.callers()).toBe(0);
  // The machine's own cache of who a user is may be asked by any program.
  const known = [new URL(model.url).host, ...besides];
  expect(run.reached.filter((one) => !known.includes(one) && !one.includes('/nscd/socket'))).toEqual([]);
  for (const { headers, raw } of model.requests) {
    expect(headers['x-api-key']).toBe('test-key');
    expect(JSON.stringify(headers)).not.toContain('canary');
    expect(raw).not.toContain(repo.secret);
  }
  expect(run.stdout + run.stderr).not.toContain(repo.secret);
}
