/** `bash`: a shell command, its output as it comes, and a bounded end of it for the model. */
import { errorResult, type Tool, textResult } from '@tau/core';
import type { Host, ProcessResult } from '@tau/host';
import { shellEffects } from '@tau/policy';
import { optionalNumber, text } from '../input.ts';
import { outputCollector } from './collector.ts';

const maxTimeoutSecs = 3600;

export function bashTool(host: Host, options: { bashTimeoutSecs?: number; trustedPath: boolean }): Tool {
  const { bashTimeoutSecs: defaultTimeoutSecs = 120, trustedPath } = options;
  return {
    name: 'bash',
    description:
      'Run a bash command in the project folder; cd does not persist. Returns stdout and stderr, the last 2000 lines or 50 KB. No terminal, no input.',
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'string' },
        timeout_secs: { type: 'number', description: `default ${defaultTimeoutSecs}, at most ${maxTimeoutSecs}` },
      },
      required: ['command'],
      additionalProperties: false,
    },
    effects: (input) => shellEffects(text(input, 'command'), { trustedPath }),
    async run(input, context) {
      const command = text(input, 'command');
      const asked = optionalNumber(input, 'timeout_secs') ?? 0;
      const timeoutSecs = asked > 0 ? Math.min(asked, maxTimeoutSecs) : defaultTimeoutSecs;
      const collector = outputCollector();
      const onOutput = (chunk: string) => {
        collector.push(chunk);
        context.onUpdate(chunk);
      };
      const request = { command, timeoutMs: timeoutSecs * 1000, signal: context.signal, onOutput };
      const ended = await host.processes.run(request);
      const { text: output, ...kept } = collector.finish();
      const details = { command, exitCode: ended.exitCode, durationMs: ended.durationMs, ...kept };
      const failure = failureOf(ended, timeoutSecs);
      if (failure === undefined) return textResult(shown(output), details);
      return errorResult(`${shown(output)}\n${failure}`, details);
    },
  };
}

/** Undefined when the command succeeded. */
function failureOf(ended: ProcessResult, timeoutSecs: number): string | undefined {
  switch (ended.killedBy) {
    case 'abort':
      return 'aborted by the user';
    case 'timeout':
      return timeoutSecs < maxTimeoutSecs
        ? `stopped after ${timeoutSecs} s; if it needs longer, give a larger timeout_secs (at most ${maxTimeoutSecs})`
        : `stopped after ${timeoutSecs} s, the longest timeout_secs; run it in the background with its output in a file`;
    case undefined:
      if (ended.exitCode === 0) return undefined;
      return ended.exitCode === null ? `killed by ${ended.signal ?? 'a signal'}` : `exit code: ${ended.exitCode}`;
  }
}

/** Never blank: a model is told that there was nothing, and some providers refuse a blank text. */
function shown(output: string): string {
  if (output === '') return '(no output)';
  if (output.trim() === '') return '(only white space)';
  return output.endsWith('\n') ? output.slice(0, -1) : output;
}
