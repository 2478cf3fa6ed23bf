/** The background commands of an agent: numbered, bounded, and gone when it closes. */
import { TauError } from '@tau/core';
import type { Host } from '@tau/host';
import type { Held } from '../bash/contain.ts';
import { commandName, endWords, type Job, startJob } from './job.ts';

export interface Jobs {
  start(command: string, options?: { readOnly?: boolean; held?: Held }): Promise<Job>;
  /** The oldest first. Of those that ended, the last few are remembered. */
  all(): readonly Job[];
  /** Ends all of them, and whatever else the host's commands left running. Nobody is told. */
  close(): Promise<void>;
}

export interface JobHooks {
  /** A command goes to the background for the first time: whoever offers tools may now offer `jobs`. */
  onBackground?(): void;
  /** A command ended by itself and nobody was waiting: a short text for the model. */
  onJobEnd?(text: string, about: JobEnd): void;
}

export interface JobEnd {
  id: string;
  /** On one short line. */
  command: string;
  /** As words that follow its name. */
  how: string;
}

const maxRunning = 32;
const maxEnded = 50;

export function createJobs(host: Host, hooks: JobHooks = {}): Jobs {
  const jobs = new Map<string, Job>();
  let made = 0;
  let starting = 0;
  let closed = false;

  function forgetOldest(): void {
    const ended = [...jobs.values()].filter((job) => job.result());
    for (const job of ended.slice(0, Math.max(0, ended.length - maxEnded))) jobs.delete(job.id);
  }

  function tell(job: Job): void {
    const result = job.result();
    if (!result || closed) return;
    const last = job.lastLines();
    const lines = last === '' ? 'It printed nothing.' : `Last lines:\n${last}`;
    const refused = job.refused();
    const words = [lines, ...(refused === undefined ? [] : [refused])].join('\n');
    const about = { id: job.id, command: commandName(job.command), how: endWords(result) };
    hooks.onJobEnd?.(`Background command ${about.id} (${about.command}) ${about.how}. ${words}`, about);
  }

  return {
    async start(command, { readOnly = false, held } = {}) {
      const running = [...jobs.values()].filter((job) => !job.result()).length + starting;
      if (closed || running >= maxRunning) held?.done();
      if (closed) throw new TauError('usage', 'Not started: tau is closing');
      if (running >= maxRunning) {
        const remedy = 'End one with the jobs tool first.';
        throw new TauError('usage', `Not started: ${maxRunning} background commands are running`, { remedy });
      }
      made += 1;
      const id = `job-${made}`;
      starting += 1;
      try {
        const onEnd = (unexpected: boolean) => {
          const job = jobs.get(id);
          if (job && unexpected) tell(job);
          forgetOldest();
        };
        const job = await startJob(host, { id, command, readOnly, onEnd, ...(held && { held }) });
        jobs.set(id, job);
        if (closed) await job.kill();
        if (made === 1) hooks.onBackground?.();
        return job;
      } finally {
        starting -= 1;
      }
    },
    all: () => [...jobs.values()],
    async close() {
      closed = true;
      await host.processes.end();
    },
  };
}
