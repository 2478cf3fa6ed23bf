/** `bash`: a shell command, its output as it comes, and a bounded end of it for the model. */
import {
  errorResult,
  isReadOnly,
  type JsonSchema,
  type Tool,
  type ToolContext,
  type ToolResult,
  textResult,
} from '@tau/core';
import type { Host, ProcessResult } from '@tau/host';
import { type ShellReader, shellEffects } from '@tau/policy';
import { flag, optionalNumber, text } from '../input.ts';
import { leftWords } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { outputCollector } from './collector.ts';
import { type Containment, containedBy, type Held, refusedLine } from './contain.ts';
import { startDeadline } from './deadline.ts';
import { prepareCommand } from './prepare.ts';

export interface BashOptions {
  /** For a command when the model does not say. */
  bashTimeoutSecs?: number;
  bashMaxTimeoutSecs?: number;
  /** Says what a command would do. */
  shell: ShellReader;
  /** Absent: no command is contained. */
  containment?: Containment;
}

export function bashTool(host: Host, jobs: Jobs, options: BashOptions): Tool {
  const { bashMaxTimeoutSecs: maxSecs = 3600, containment } = options;
  const isContained = () => containment?.on() === true;
  const defaultSecs = Math.min(options.bashTimeoutSecs ?? 120, maxSecs);
  const time = `default ${defaultSecs}, at most ${maxSecs}`;
  const [plain, held] = [parametersOf(time, false), parametersOf(time, true)];
  return {
    name: 'bash',
    get description() {
      return isContained() ? `${about} ${aboutSandbox}` : about;
    },
    get parameters() {
      return isContained() ? held : plain;
    },
    aliases: { cmd: 'command' },
    prepare: (input) => prepareCommand(input, isContained()),
    effects(input) {
      const command = text(input, 'command');
      const outside = flag(input, 'outside');
      const effects = () =>
        shellEffects(command, options.shell).map((effect) =>
          outside && effect.kind === 'exec' ? { ...effect, outside } : effect,
        );
      return options.shell.ready(command)?.then(effects) ?? effects();
    },
    async run(input, context) {
      const command = text(input, 'command');
      const readOnly = isProvedReadOnly(command, options.shell);
      const asked = optionalNumber(input, 'timeout_secs') ?? 0;
      const askedSecs = Math.min(Math.max(asked, 0), maxSecs);
      const call = { toolCallId: context.toolCallId, command, outside: flag(input, 'outside') };
      const cell = await containment?.hold(call);
      if (flag(input, 'background')) return runInBackground(jobs, { command, readOnly, cell }, askedSecs, context);
      const timeoutSecs = askedSecs > 0 ? askedSecs : defaultSecs;
      const collector = outputCollector();
      const onOutput = (chunk: string) => {
        collector.push(chunk);
        context.onUpdate(chunk);
      };
      const timeoutMs = timeoutSecs * 1000;
      const request = { command, readOnly, timeoutMs, signal: context.signal, onOutput };
      try {
        const ended = await (cell ? runHeld(host, request, cell) : host.processes.run(request));
        const { text: output, ...kept } = collector.finish();
        return resultOf(command, ended, output, kept, { cell, limits: { timeoutSecs, maxSecs } });
      } finally {
        cell?.done();
      }
    },
  };
}

/** Whoever is asked on its behalf may take longer than the command has. */
async function runHeld(host: Host, request: Parameters<Host['processes']['run']>[0], cell: Held) {
  const deadline = startDeadline(request.timeoutMs, cell, request.signal);
  try {
    const times = { timeoutMs: Number.POSITIVE_INFINITY, signal: deadline.signal };
    const ended = await host.processes.run({ ...request, ...times, ...containedBy(cell) });
    return ended.killedBy && deadline.isOver() ? { ...ended, killedBy: 'timeout' as const } : ended;
  } finally {
    deadline.end();
  }
}

function parametersOf(time: string, contained: boolean): JsonSchema {
  return {
    type: 'object',
    properties: {
      command: { type: 'string' },
      timeout_secs: { type: 'number', description: time },
      background: { type: 'boolean', description: 'go on without it, or after timeout_secs if given; see jobs' },
      ...(contained && { outside: { type: 'boolean', description: 'run outside the sandbox; asks the user' } }),
    },
    required: ['command'],
    additionalProperties: false,
  };
}

const about =
  'Run a bash command in the project folder; cd does not persist. Returns stdout and stderr, the last 2000 lines or 50 KB. No terminal, no input.';
/** What a model must know to make sense of what fails. */
const aboutSandbox = 'It runs in a sandbox: it writes in the project and temp only, and new hosts ask the user.';

function isProvedReadOnly(command: string, shell: ShellReader): boolean {
  return shellEffects(command, shell).every(isReadOnly);
}

/** Given a time, waits that long for the end; after it the command goes on by itself. */
async function runInBackground(
  jobs: Jobs,
  { command, readOnly, cell }: { command: string; readOnly: boolean; cell: Held | undefined },
  waitSecs: number,
  context: ToolContext,
): Promise<ToolResult> {
  if (context.signal.aborted) {
    cell?.done();
    return errorResult('aborted by the user', { command, exitCode: null });
  }
  const job = await jobs.start(command, { readOnly, ...(cell && { held: cell }) });
  if (waitSecs > 0) await job.wait(waitSecs * 1000, context.signal);
  const ended = job.result();
  const fullOutputPath = job.logPath;
  const log = fullOutputPath !== undefined && { fullOutputPath };
  if (ended) {
    const { text: output, truncated } = job.look();
    return resultOf(command, ended, output, { truncated, ...log }, { cell });
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
  { cell, limits }: { cell: Held | undefined; limits?: { timeoutSecs: number; maxSecs: number } },
): ToolResult {
  const { exitCode, durationMs, killedBy, left } = ended;
  const refused = cell?.refused() ?? [];
  const details = {
    ...{ command, exitCode, durationMs, ...kept },
    ...(killedBy === 'timeout' && { timedOut: true }),
    ...(refused.length > 0 && { refused }),
  };
  const failure = failureOf(ended, limits);
  const told = cell && refusedLine(cell, failure === undefined);
  const lines = [
    shown(output),
    ...(left ? [`[${leftWords(left)}]`] : []),
    ...(failure === undefined ? [] : [failure]),
    ...(told === undefined ? [] : [told]),
  ];
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
