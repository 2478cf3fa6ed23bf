/** The commands in the background as whoever uses an agent sees them: listed, ended, given a time. */
import { jobEntry, type RunEvent } from '@tau/core';
import { commandName, type JobEnd, type Jobs } from '@tau/tools';
import type { Agent } from './options.ts';

export interface Background extends Pick<Agent, 'jobs' | 'endJob' | 'limitJob'> {
  /** A command has ended by itself: who looks on and the model are told. */
  ended(text: string, about: JobEnd): void;
  close(): void;
}

export interface BackgroundPlace {
  jobs(): Jobs;
  /** To the model. */
  say(text: string, origin: string): void;
  emit(event: RunEvent): void;
}

export function createBackground({ jobs, say, emit }: BackgroundPlace): Background {
  /** By the id of the command. */
  const limits = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  const running = (id: string) =>
    jobs()
      .all()
      .find((one) => one.id === id && one.result() === undefined);

  function ended(text: string, about: JobEnd): void {
    emit({ type: 'job_end', ...about });
    say(text, jobEntry);
  }

  function lift(id: string): void {
    clearTimeout(limits.get(id)?.timer);
    limits.delete(id);
  }

  async function end(id: string): Promise<boolean> {
    lift(id);
    const job = running(id);
    await job?.kill();
    return job !== undefined;
  }

  async function timeIsOver(id: string, forMs: number): Promise<void> {
    const command = commandName(running(id)?.command ?? '');
    if (!(await end(id))) return;
    const how = `was ended, because its time of ${forMs / 1000} s was over`;
    ended(`Background command ${id} (${command}) ${how}.`, { id, command, how });
  }

  return {
    ended,
    jobs: () =>
      jobs()
        .all()
        .map((job) => {
          const isRunning = job.result() === undefined;
          const limit = isRunning ? limits.get(job.id) : undefined;
          return {
            ...{ id: job.id, command: job.command, runtimeMs: job.runtimeMs(), lastLines: job.lastLines, isRunning },
            ...(limit && { leftMs: Math.max(0, limit.at - performance.now()) }),
          };
        }),
    endJob: end,
    limitJob(id, forMs) {
      lift(id);
      if (running(id) === undefined) return false;
      if (forMs === undefined) return true;
      const timer = setTimeout(() => void timeIsOver(id, forMs), forMs);
      timer.unref();
      limits.set(id, { at: performance.now() + forMs, timer });
      return true;
    },
    close() {
      for (const id of [...limits.keys()]) lift(id);
    },
  };
}
