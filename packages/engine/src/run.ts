/** The loop: turns until the model stops and nobody has anything more to say. */
import {
  emptyUsage,
  type Message,
  type Model,
  type RunEnd,
  type RunPorts,
  type ToolSpec,
  type Usage,
  type UserMessage,
} from '@tau/core';
import type { Gate } from './gate.ts';
import type { Queues } from './queues.ts';
import { takeTurn } from './turn.ts';

export interface RunOptions {
  model: Model;
  system: string;
  tools: readonly ToolSpec[];
  /** The conversation so far, already on disk. */
  history: readonly Message[];
  prompt: UserMessage;
  queues: Queues;
  gate: Gate;
  signal: AbortSignal;
  /** Calls that may run at the same time. */
  concurrency: number;
  maxTurns?: number;
}

export interface RunOutcome {
  reason: RunEnd;
  turns: number;
  usage: Usage;
}

export async function run(options: RunOptions, ports: RunPorts): Promise<RunOutcome> {
  const { model, system, tools, queues, gate, signal, concurrency } = options;
  const { maxTurns = Number.POSITIVE_INFINITY } = options;
  const messages = [...options.history];
  const usage = emptyUsage();
  let turns = 0;
  // Sealed in the same breath as the decision to stop, so that nothing is queued for a run that will not look again.
  const end = (reason: RunEnd): RunOutcome => {
    queues.seal();
    return { reason, turns, usage };
  };

  async function hear(incoming: readonly UserMessage[]): Promise<void> {
    for (const message of incoming) {
      const entry = await ports.append(message);
      ports.emit({ type: 'message_start', role: 'user' });
      ports.emit({ type: 'message_end', message, ...entry });
      messages.push(message);
    }
  }

  queues.open();
  await hear([options.prompt]);
  for (;;) {
    if (signal.aborted) return end('aborted');
    if (turns === maxTurns) return end('maxTurns');
    turns += 1;
    ports.emit({ type: 'turn_start', turn: turns });
    const turn = await takeTurn({ model, system, messages, tools }, { gate, ports, signal, concurrency });
    messages.push(turn.message, ...turn.results);
    add(usage, turn.message.usage);
    ports.emit({ type: 'turn_end', turn: turns, message: turn.message, toolResults: turn.results });

    if (signal.aborted) return end('aborted');
    if (turn.failure) return end('error');
    const steering = queues.takeSteering();
    if (steering.length > 0) await hear(steering);
    else if (turn.results.length === 0) {
      const followUps = queues.takeFollowUps();
      if (followUps.length === 0) return end('done');
      await hear(followUps);
    }
  }
}

function add(total: Usage, more: Usage): void {
  total.input += more.input;
  total.output += more.output;
  total.cacheRead += more.cacheRead;
  total.cacheWrite += more.cacheWrite;
  total.totalTokens += more.totalTokens;
  total.cost.input += more.cost.input;
  total.cost.output += more.cost.output;
  total.cost.cacheRead += more.cost.cacheRead;
  total.cost.cacheWrite += more.cost.cacheWrite;
  total.cost.total += more.cost.total;
}
