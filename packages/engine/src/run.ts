/** The loop: turns until the model stops and nobody has anything more to say. */
import type { Message, ModelRequest, RunEnd, RunPorts, UserMessage } from '@tau/core';
import type { Gate } from './gate.ts';
import type { Queues } from './queues.ts';
import { createTally, type Tally } from './tally.ts';
import { takeTurn } from './turn.ts';

export interface RunOptions {
  /** What is the same in every request: the model, what it is told first, its tools. */
  request: Omit<ModelRequest, 'messages'>;
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

export interface RunOutcome extends Tally {
  reason: RunEnd;
  turns: number;
}

export async function run(options: RunOptions, ports: RunPorts): Promise<RunOutcome> {
  const { request, queues, gate, signal, concurrency } = options;
  const { maxTurns = Number.POSITIVE_INFINITY } = options;
  const messages = [...options.history];
  const tally = createTally();
  let turns = 0;
  // Sealed in the same breath as the decision to stop, so that nothing is queued for a run that will not look again.
  const end = (reason: RunEnd): RunOutcome => {
    queues.seal();
    return { reason, turns, ...tally.total() };
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
    const turn = await takeTurn({ ...request, messages }, { gate, ports, signal, concurrency });
    messages.push(turn.message, ...turn.results);
    tally.add(turn);
    const { message, results: toolResults, firstTokenMs } = turn;
    const wait = firstTokenMs === undefined ? {} : { firstTokenMs };
    ports.emit({ type: 'turn_end', turn: turns, message, toolResults, ...wait });

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
