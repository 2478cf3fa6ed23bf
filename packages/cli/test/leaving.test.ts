/** The way out while commands run in the background. */
import { expect, test } from 'vitest';
import { createLeaving, type LeavingOptions } from '../src/leaving.ts';

type Jobs = ReturnType<LeavingOptions['jobs']>;

function job(id: string, isRunning = true): Jobs[number] {
  return { id, command: 'sleep 60', runtimeMs: 1000, isRunning, lastLines: () => '' };
}

function door() {
  let jobs: Jobs = [];
  const said: string[] = [];
  const mayLeave = createLeaving({ jobs: () => jobs, status: (text) => void said.push(text) });
  return {
    ...{ mayLeave, said },
    run(...now: Jobs) {
      jobs = now;
    },
  };
}

test('with nothing in the background, or only what has ended, tau is left at once', () => {
  const { mayLeave, said, run } = door();
  run(job('job-1', false));
  expect(mayLeave()).toBe(true);
  expect(said).toEqual([]);
});

test('what would be ended is told first, and the second time is meant; what began since is told anew', () => {
  const { mayLeave, said, run } = door();
  run(job('job-1'), job('job-2', false));
  expect(mayLeave()).toBe(false);
  expect(said).toEqual([expect.stringContaining('job-1 still runs in the background (/ps)')]);
  run(job('job-1'), job('job-3'));
  expect(mayLeave()).toBe(false);
  expect(said.at(-1)).toContain('2 commands still run');
  expect(mayLeave()).toBe(true);
});
