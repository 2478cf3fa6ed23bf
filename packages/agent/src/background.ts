/** The commands in the background as whoever uses an agent sees them. */
import type { Jobs } from '@tau/tools';
import type { Agent } from './options.ts';

export function createBackground(jobs: Jobs): Pick<Agent, 'jobs' | 'endJob'> {
  return {
    jobs: () =>
      jobs.all().map((job) => ({
        ...{ id: job.id, command: job.command, runtimeMs: job.runtimeMs(), lastLines: job.lastLines },
        isRunning: job.result() === undefined,
      })),
    async endJob(id) {
      const job = jobs.all().find((one) => one.id === id && one.result() === undefined);
      await job?.kill();
      return job !== undefined;
    },
  };
}
