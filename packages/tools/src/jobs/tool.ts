/** `jobs`: the background commands, what they print, and their end. */
import { errorResult, TauError, type Tool, type ToolInput, type ToolResult, textResult } from '@tau/core';
import { optionalNumber, optionalText, text } from '../input.ts';
import { commandName, endWords, type Job } from './job.ts';
import type { Jobs } from './jobs.ts';

const defaultWaitSecs = 30;
const maxWaitSecs = 600;

export function jobsTool(jobs: Jobs): Tool {
  return {
    name: 'jobs',
    description:
      'Background commands: list them, show new output, wait for the end, kill. You are told when one ends by itself.',
    snippet: 'Background commands: list, new output, wait, kill',
    deferred: true,
    parameters: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: ['list', 'output', 'wait', 'kill'] },
        id: { type: 'string', description: 'job-1' },
        timeout_secs: { type: 'number', description: `wait at most, default ${defaultWaitSecs}, limit ${maxWaitSecs}` },
      },
      required: ['action'],
      additionalProperties: false,
    },
    aliases: { job_id: 'id', task_id: 'id' },
    prepare,
    /** It touches nothing but tau's own commands, and keeps its place among others: after a start, before what needs the end. */
    effects: (input) => [{ kind: 'exec', command: `jobs ${text(input, 'action')}`, readOnly: true }],
    async run(input, { signal }) {
      const action = text(input, 'action');
      if (action === 'list') return listed(jobs.all());
      const job = find(jobs.all(), optionalText(input, 'id'));
      if (action === 'kill') return killed(job);
      if (action === 'wait') {
        const asked = optionalNumber(input, 'timeout_secs') ?? 0;
        await job.wait(Math.min(asked > 0 ? asked : defaultWaitSecs, maxWaitSecs) * 1000, signal);
        if (signal.aborted && !job.result()) return errorResult(`aborted by the user; ${job.id} goes on`, details(job));
      }
      return news(job);
    },
  };
}

/** Other agents look at a command by its `bash_id` and end it by its `shell_id`. */
function prepare(input: ToolInput): ToolInput {
  const { bash_id, shell_id, block, timeout, ...rest } = input;
  rest.id ??= bash_id ?? shell_id ?? rest.job_id ?? rest.task_id;
  if (rest.id === undefined) delete rest.id;
  const known = rest.id === undefined ? 'list' : block === true || block === 'true' ? 'wait' : 'output';
  rest.action ??= shell_id === undefined ? known : 'kill';
  if (typeof timeout === 'number') rest.timeout_secs ??= timeout > maxWaitSecs ? timeout / 1000 : timeout;
  return rest;
}

/** Without an id: the only one there is, or the only one that runs. */
function find(all: readonly Job[], id: string | undefined): Job {
  const running = all.filter((job) => !job.result());
  const only = all.length === 1 ? all[0] : running.length === 1 ? running[0] : undefined;
  const found = id === undefined ? only : all.find((job) => job.id === id || job.id === `job-${id}`);
  if (found) return found;
  const known = all.length === 0 ? 'There are none.' : `There are: ${all.map((job) => job.id).join(', ')}.`;
  const what = id === undefined ? 'Say which background command: give its id' : `There is no background command ${id}`;
  throw new TauError('usage', what, { remedy: known });
}

function listed(all: readonly Job[]): ToolResult {
  if (all.length === 0) return textResult('There are no background commands.');
  const lines = all.map((job) => `${status(job)}: ${commandName(job.command)}`);
  return textResult(lines.join('\n'), { jobs: all.map(details) });
}

function news(job: Job): ToolResult {
  const { text: output, truncated } = job.look();
  const shown = output === '' ? '(no new output)' : output.replace(/\n$/, '');
  const refused = job.refused();
  const lines = [status(job), shown, ...(refused === undefined ? [] : [refused])];
  return textResult(lines.join('\n'), { ...details(job), truncated });
}

async function killed(job: Job): Promise<ToolResult> {
  if (job.result()) return textResult(`${status(job)}; there is nothing to kill`, details(job));
  await job.kill();
  return textResult(`${status(job)}; its output is in ${job.logPath ?? 'no file'}`, details(job));
}

/** "job-1 runs for 12 s", "job-1 ended with exit code 0 after 3 s". */
function status(job: Job): string {
  const result = job.result();
  const secs = Math.round(job.runtimeMs() / 1000);
  return result ? `${job.id} ${endWords(result)} after ${secs} s` : `${job.id} runs for ${secs} s`;
}

function details(job: Job): Record<string, unknown> {
  const result = job.result();
  return {
    jobId: job.id,
    command: job.command,
    state: result ? 'ended' : 'running',
    durationMs: job.runtimeMs(),
    ...(result && { exitCode: result.exitCode }),
    ...(job.logPath !== undefined && { fullOutputPath: job.logPath }),
  };
}
