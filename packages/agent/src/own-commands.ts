/**
 * Commands that the user runs in the conversation. They go through the gate like any other: denials, hooks, the record. Nobody
 * is asked about them, and no sandbox holds them: the user typed them. The model hears of them with the next prompt.
 */
import type { BashExecutionMessage, GatePorts, RunEvent, ToolResult } from '@tau/core';
import { isRecord } from '@tau/core';
import { createGate } from '@tau/engine';

export interface OwnCommands {
  run(command: string, options?: OwnCommandOptions): Promise<ToolResult>;
  /** Puts on record what ended while that was not possible. */
  settle(): void;
}

export interface OwnCommandOptions {
  /** On the record, but not told to the model. */
  quiet?: boolean;
  signal?: AbortSignal;
}

export interface OwnCommandsPlace {
  ports(): GatePorts & { emit(event: RunEvent): void };
  limits(): { resultChars: number };
  cwd: string;
  /** A run is under way: what it does next must not be interrupted by an entry of somebody else. */
  isBusy(): boolean;
  /** Before the first entry. */
  prepare(): void;
  record(message: BashExecutionMessage): void;
}

const prefix = 'own-command-';
/** As long as the settings allow. */
const longestSecs = 86_400;

/** Whether events of a call are about a command of the user's. */
export function isOwnCommand(toolCallId: string): boolean {
  return toolCallId.startsWith(prefix);
}

export function createOwnCommands(place: OwnCommandsPlace): OwnCommands {
  const { cwd, isBusy, prepare, record } = place;
  const waiting: BashExecutionMessage[] = [];
  let count = 0;
  return {
    async run(command, { quiet = false, signal = new AbortController().signal } = {}) {
      count += 1;
      const ports = place.ports();
      const gate = createGate(
        {
          ...ports,
          decide(call, source, effects) {
            const { contained: _, offer: __, ...decision } = ports.decide(call, source, effects);
            return decision.outcome === 'deny'
              ? decision
              : { ...decision, outcome: 'allow', reason: 'the user typed it' };
          },
        },
        { cwd, ...place.limits() },
      );
      if (!isBusy()) prepare();
      const input = { command, outside: true, timeout_secs: longestSecs };
      const call = { type: 'toolCall' as const, id: `${prefix}${count}`, name: 'bash', arguments: input };
      const checked = await gate.approve(await gate.check(call, signal), signal);
      const result = await gate.execute(checked, signal);
      const message = checked.status === 'ready' ? messageOf(command, result, quiet) : undefined;
      if (message && isBusy()) waiting.push(message);
      else if (message) record(message);
      return result;
    },
    settle() {
      for (const message of waiting.splice(0)) record(message);
    },
  };
}

function messageOf(command: string, { content, details, isError }: ToolResult, quiet: boolean): BashExecutionMessage {
  const { exitCode, truncated, fullOutputPath } = isRecord(details) ? details : {};
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const hasCode = typeof exitCode === 'number';
  // How it ended has fields of its own.
  const output = isError ? text.replace(/\n?(?:exit code: \d+|aborted by the user)$/, '') : text;
  return {
    role: 'bashExecution',
    command,
    output: output === '(no output)' ? '' : output,
    ...(hasCode && { exitCode }),
    cancelled: !hasCode,
    truncated: truncated === true,
    ...(typeof fullOutputPath === 'string' && { fullOutputPath }),
    ...(quiet && { excludeFromContext: true }),
    timestamp: Date.now(),
  };
}
