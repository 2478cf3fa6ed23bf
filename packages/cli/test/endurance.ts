/** Starts the endurance probe with a model that makes one call a turn, and judges what it saw. */
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeSandbox, type RecordedRequest, type ScriptStep, startScriptedModel } from '@tau/testkit';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { call, calls, callsIn, says } from './conversation.ts';
import { at, list } from './json.ts';
import { expectGone } from './processes.ts';

export interface Endurance {
  conversations: number;
  turns: number;
  session: 'none' | 'new';
  every?: number;
}

export interface Looks {
  heap: number[];
  /** Open ones, sockets not among them. */
  files: number[];
  sockets: number[];
}

export async function endure(task: Endurance): Promise<Looks> {
  const answer = (request: RecordedRequest): ScriptStep => {
    const made = callsIn(request).length;
    // Nobody looks at them later, and there are many.
    model.requests.length = 0;
    if (made === task.turns) return says('done');
    return calls(
      made % 2 === 0
        ? call('read', { path: 'a.txt', offset: 1 + (made % 50), limit: 3 })
        : call('bash', { command: `echo $$ >> pids; echo turn ${made}` }),
    );
  };
  const model = await startScriptedModel([answer]);
  const sandbox = makeSandbox({ model });
  try {
    const { home, project: cwd } = sandbox;
    sandbox.write('a.txt', 'some words on a line\n'.repeat(60));
    const program = await bundleProbe(dirname(home));
    const args = ['--expose-gc', program, JSON.stringify({ ...task, home, cwd })];
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: join(dirname(home), 'tmp'),
      TAU_SANDBOX_ENABLED: 'false',
    };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env, maxBuffer: 1e8 });
    const looks = list(JSON.parse(stdout));
    const all = (key: string) => looks.map((look) => Number(at(look, key)));
    const pids = sandbox.read('pids').split('\n').filter(Boolean).map(Number);
    expect(pids).toHaveLength(task.conversations * Math.floor(task.turns / 2));
    await expectGone(pids);
    return { heap: all('heap'), files: all('files'), sockets: all('sockets') };
  } finally {
    sandbox.dispose();
    await model.close();
  }
}

async function bundleProbe(folder: string): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL('./endurance-probe.ts', import.meta.url))],
    outdir: join(folder, 'probe'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  return join(folder, 'probe/endurance-probe.mjs');
}

/** How much the median of the last third is above that of the first; what came before both is warming up. */
export function growth(values: readonly number[], warmUp: number): number {
  const steady = values.slice(warmUp);
  const third = Math.floor(steady.length / 3);
  return median(steady.slice(-third)) - median(steady.slice(0, third));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
