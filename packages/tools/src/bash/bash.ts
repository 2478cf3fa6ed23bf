/** `bash`: a shell command, its output as it comes, and a bounded end of it for the model. */
import { errorResult, isReadOnly, type Tool, type ToolContext, type ToolResult, textResult } from '@tau/core';
import type { Host, ProcessResult } from '@tau/host';
import { type ShellReader, shellEffects } from '@tau/policy';
import { flag, optionalNumber, text } from '../input.ts';
import { leftWords } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { outputCollector } from './collector.ts';
import { prepareCommand } from './prepare.ts';

export interface BashOptions {
  /** For a command when the model does not say. */
  bashTimeoutSecs?: number;
  bashMaxTimeoutSecs?: number;
  /** Says what a command would do. */
  shell: ShellReader;
}

export function bashTool(host: Host, jobs: Jobs, options: BashOptions): Tool {
  const { bashMaxTimeoutSecs: maxSecs = 3600 } = options;
  const defaultSecs = Math.min(options.bashTimeoutSecs ?? 120, maxSecs);
  return {
    name: 'bash',
    description:
      'Run a bash command in the project folder; cd does not persist. Returns stdout and stderr, the last 2000 lines or 50 KB. No terminal, no input.',
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'string' },
        timeout_secs: { type: 'number', description: `default ${defaultSecs}, at most ${maxSecs}` },
        background: { type: 'boolean', description: 'go on without it, or after timeout_secs if given; see jobs' },
      },
      required: ['command'],
      additionalProperties: false,
    },
    aliases: { cmd: 'command' },
    prepare: prepareCommand,
    effects(input) {
      const command = text(input, 'command');
      const effects = () => shellEffects(command, options.shell);
      return options.shell.ready(command)?.then(effects) ?? effects();
    },
    async run(input, context) {
      const command = text(input, 'command');
      const readOnly = isProvedReadOnly(command, options.shell);
      const asked = optionalNumber(input, 'timeout_secs') ?? 0;
      const askedSecs = Math.min(Math.max(asked, 0), maxSecs);
      if (flag(input, 'background')) return runInBackground(jobs, { command, readOnly }, askedSecs, context);
      const timeoutSecs = askedSecs > 0 ? askedSecs : defaultSecs;
      const collector = outputCollector();
      const onOutput = (chunk: string) => {
        collector.push(chunk);
        context.onUpdate(chunk);
      };
      const request = { command, readOnly, timeoutMs: timeoutSecs * 1000, signal: context.signal, onOutput };
      const ended = await host.processes.run(request);
      const { text: output, ...kept } = collector.finish();
      return resultOf(command, ended, output, kept, { timeoutSecs, maxSecs });
    },
  };
}

function isProvedReadOnly(command: string, shell: ShellReader): boolean {
  return shellEffects(command, shell).every(isReadOnly);
}

/** Given a time, waits that long for the end; after it the command goes on by itself. */
async function runInBackground(
  jobs: Jobs,
  { command, readOnly }: { command: string; readOnly: boolean },
  waitSecs: number,
  context: ToolContext,
): Promise<ToolResult> {
  if (context.signal.aborted) return errorResult('aborted by the user', { command, exitCode: null });
  const job = await jobs.start(command, { readOnly });
  if (waitSecs > 0) await job.wait(waitSecs * 1000, context.signal);
  const ended = job.result();
  const fullOutputPath = job.logPath;
  const log = fullOutputPath !== undefined && { fullOutputPath };
  if (ended) {
    const { text: output, truncated } = job.look();
    return resultOf(command, ended, output, { truncated, ...log });
  }
  const { text: output, truncated } = job.look();
  const place = fullOutputPath === undefined ? job.account() : `its output goes to ${fullOutputPath}`;
  const words = `Running in the background as ${job.id}; ${place}. Use the jobs tool to look, wait or kill.`;
  const details = { command, jobId: job.id, truncated, ...log };
  return textResult(output === '' ? words : `${shown(output)}\n${words}`, details);
}

function resultOf(
  command: string,
  ended: ProcessResult,
  output: string,
  kept: { truncated: boolean; fullOutputPath?: string },
  limits?: { timeoutSecs: number; maxSecs: number },
): ToolResult {
  const { exitCode, durationMs, killedBy, left } = ended;
  const details = { command, exitCode, durationMs, ...kept, ...(killedBy === 'timeout' && { timedOut: true }) };
  const failure = failureOf(ended, limits);
  const lines = [shown(output), ...(left ? [`[${leftWords(left)}]`] : []), ...(failure === undefined ? [] : [failure])];
  return failure === undefined ? textResult(lines.join('\n'), details) : errorResult(lines.join('\n'), details);
}

/** Undefined when the command succeeded. */
function failureOf(
  { killedBy, exitCode, signal }: ProcessResult,
  limits?: { timeoutSecs: number; maxSecs: number },
): string | undefined {
  if (killedBy === 'timeout' && limits) {
    const { timeoutSecs, maxSecs } = limits;
    const remedy =
      timeoutSecs < maxSecs
        ? `if it needs longer, give a larger timeout_secs (at most ${maxSecs})`
        : 'that is the longest timeout_secs; run it with background: true';
    return `stopped after ${timeoutSecs} s; ${remedy}`;
  }
  if (killedBy) return 'aborted by the user';
  if (exitCode === 0) return undefined;
  return exitCode === null ? `killed by ${signal ?? 'a signal'}` : `exit code: ${exitCode}`;
}

/** Never blank: a model is told that there was nothing, and some providers refuse a blank text. */
function shown(output: string): string {
  if (output === '') return '(no output)';
  if (output.trim() === '') return '(only white space)';
  return output.endsWith('\n') ? output.slice(0, -1) : output;
}
