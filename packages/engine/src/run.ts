/** The loop: turns until the model stops and nobody has anything more to say. */
import {
  describeError,
  emptyUsage,
  type Message,
  type ModelError,
  type ModelRequest,
  type RecoveredProblem,
  type RunEnd,
  type RunPorts,
  type ToolCall,
  textOf,
  type UserMessage,
  userMessage,
} from '@tau/core';
import { orAbort } from './abort.ts';
import { allowance, type RunLimits } from './budget.ts';
import type { Gate } from './gate.ts';
import type { Queues } from './queues.ts';
import { createRepeats } from './repeats.ts';
import { createTally, type Tally } from './tally.ts';
import { giveUp, type Trouble, troubleOf } from './trouble.ts';
import { type Turn, takeTurn } from './turn.ts';
import { seenMessage } from './unhide.ts';

export interface RunOptions {
  /** What a request says besides the conversation. Asked for before each: the tools or the model may have changed. */
  request(): Omit<ModelRequest, 'messages'>;
  /** The conversation so far, already on disk. */
  history: readonly Message[];
  prompt: UserMessage;
  queues: Queues;
  gate: Gate;
  signal: AbortSignal;
  /** Calls that may run at the same time. */
  concurrency: number;
  limits?: RunLimits;
  /** How often in a row the run may help itself with the same problem; a broken stream has a bound of its own. */
  recoveries?: number;
  reconnections?: number;
  /** The same call so often with the same result, and somebody must say whether to go on. */
  repeatedCalls?: number;
}

export interface RunOutcome extends Tally {
  reason: RunEnd;
  turns: number;
  /** The last thing the model said, put together where it was cut and went on. */
  answer: string;
  /** The answer is cut: the model reached its output limit. */
  cut: boolean;
}

export async function run(options: RunOptions, ports: RunPorts): Promise<RunOutcome> {
  try {
    return await takeTurns(options, ports);
  } finally {
    // Whatever ended it, nobody listens any more.
    options.queues.seal();
  }
}

async function takeTurns(options: RunOptions, ports: RunPorts): Promise<RunOutcome> {
  const {
    queues,
    gate,
    signal,
    concurrency,
    limits = {},
    recoveries = 3,
    reconnections = 3,
    repeatedCalls = 5,
  } = options;
  let messages = [...options.history];
  const tally = createTally();
  const repeats = createRepeats(repeatedCalls);
  const tries = new Map<RecoveredProblem, number>();
  let turns = 0;
  let answer = '';
  let cut = false;
  /** Why a hook would not have the last thing that was not heard. */
  let blocked = '';
  // Sealed in the same breath as the decision to stop, so that nothing is queued for a run that will not look again.
  const end = (reason: RunEnd): RunOutcome => {
    queues.seal();
    return { reason, turns, answer, cut, ...tally.total() };
  };
  const tellOf = (error: ModelError) => ports.emit({ type: 'error', class: error.class, message: error.message });
  const fail = (error: ModelError): RunOutcome => {
    tellOf(error);
    return end('error');
  };

  /** False when there is nothing new to answer. */
  async function hear(incoming: readonly UserMessage[]): Promise<boolean> {
    // Who is told something new may have a reason to do the same again.
    if (incoming.length > 0) repeats.forget();
    let heard = false;
    for (const given of incoming) {
      const word = await ports.beforePrompt?.(given);
      if (word && 'block' in word) {
        blocked = word.block;
        if (turns > 0) ports.emit({ type: 'notice', level: 'warning', text: `Not heard: ${blocked}` });
        continue;
      }
      heard = true;
      const message = seenMessage(given, ports.emit);
      const entry = await ports.append(message);
      ports.emit({ type: 'message_start', role: 'user' });
      ports.emit({ type: 'message_end', message, ...entry });
      messages.push(message);
      if (word) await note(word.context);
    }
    return heard;
  }

  async function note(text: string): Promise<void> {
    const message = seenMessage(userMessage(text, ports.now()), ports.emit);
    await ports.note(message);
    messages.push(message);
  }

  /** A hook's word, or how the run ended over it: it failed, or the user would not wait for it. */
  async function consult<T>(hook: () => T | Promise<T>): Promise<{ word: T } | RunOutcome> {
    try {
      return { word: await orAbort(Promise.resolve().then(hook), signal) };
    } catch (error) {
      return signal.aborted ? end('aborted') : fail({ class: 'unknown', message: describeError(error) });
    }
  }

  /** One more try at the same problem, if there is one left. */
  function again(problem: RecoveredProblem, text: string): boolean {
    const attempt = (tries.get(problem) ?? 0) + 1;
    if (attempt > (problem === 'brokenStream' ? reconnections : recoveries)) return false;
    tries.set(problem, attempt);
    ports.emit({ type: 'recovery', problem, attempt, text });
    return true;
  }

  async function mend({ problem, text, note: words }: Trouble): Promise<boolean> {
    if (problem === 'contextOverflow') {
      const shorter = (tries.get(problem) ?? 0) < recoveries ? await ports.shorten() : undefined;
      if (!shorter || !again(problem, text)) return false;
      // What a vendor counted then was counted with what is left out now.
      messages = shorter.map((one) => (one.role === 'assistant' ? { ...one, usage: emptyUsage() } : one));
      return true;
    }
    if (!again(problem, text)) return false;
    if (words !== undefined) await note(words);
    return true;
  }

  async function mayRepeat(call: ToolCall): Promise<boolean> {
    const asked = { id: `repeated-${turns}`, toolCallId: call.id };
    const question = {
      question: `The model has made the same call ${repeatedCalls} times with the same result (${call.name}). Go on?`,
      options: [{ label: 'Go on' }, { label: 'Stop' }],
      multiSelect: false,
    };
    ports.emit({ type: 'question_request', ...asked, question });
    const reply = await orAbort(ports.question(question, signal), signal).catch(() => ({ unattended: true as const }));
    ports.emit({ type: 'question_response', ...asked, reply });
    repeats.forget();
    if (!('answers' in reply) || reply.answers.includes('Stop')) return false;
    const words = reply.answers.filter((one) => one !== 'Go on');
    if (words.length > 0) await hear([userMessage(words.join('\n'), ports.now())]);
    return true;
  }

  /** A part of an answer that was cut is followed by the next; anything else begins anew. */
  function keepAnswer({ message }: Turn, goesOn: boolean): void {
    answer = goesOn ? answer + textOf(message) : textOf(message);
    cut = message.stopReason === 'length';
  }

  queues.open();
  if (!(await hear([options.prompt]))) {
    return signal.aborted ? end('aborted') : fail({ class: 'unknown', message: `The prompt was not sent: ${blocked}` });
  }
  let goesOn = false;
  for (;;) {
    if (signal.aborted) return end('aborted');
    const { transform } = ports;
    const told = transform ? await consult(() => transform([...messages])) : { word: messages };
    if ('reason' in told) return told;
    const request = { ...options.request(), messages: told.word };
    const allowed = allowance(limits, { turns, usage: tally.total().usage }, request);
    if ('stop' in allowed) return end(allowed.stop);
    turns += 1;
    ports.emit({ type: 'turn_start', turn: turns });
    const turn = await takeTurn({ ...request, ...allowed }, { gate, ports, signal, concurrency });
    messages.push(turn.message, ...turn.results);
    tally.add(turn);
    keepAnswer(turn, goesOn);
    const { message, results: toolResults, firstTokenMs } = turn;
    const wait = firstTokenMs === undefined ? {} : { firstTokenMs };
    ports.emit({ type: 'turn_end', turn: turns, message, toolResults, ...wait });

    if (signal.aborted) {
      if (turn.failure) tellOf(turn.failure);
      return end('aborted');
    }
    const trouble = troubleOf(turn, request);
    if (!trouble) forgetTroubles(tries);
    const mended = trouble !== undefined && (await mend(trouble));
    goesOn = mended && (trouble.problem === 'outputLimit' || trouble.problem === 'brokenStream');
    const failure = mended ? undefined : (turn.failure ?? (trouble && giveUp(trouble, recoveries + 1)));
    if (failure) return fail(failure);
    const repeated = repeats.add(turn);
    if (repeated && !(await mayRepeat(repeated))) return end(signal.aborted ? 'aborted' : 'repeated');

    if (await hear(queues.takeSteering())) {
      goesOn = false;
      continue;
    }
    if (turn.results.length > 0 || mended) continue;
    const { beforeStop } = ports;
    let waiting = queues.takeFollowUps();
    if (waiting.length === 0 && beforeStop) {
      const more = await consult(() => beforeStop(answer));
      if ('reason' in more) return more;
      if (more.word && again('stopHook', more.word)) {
        await note(more.word);
        continue;
      }
      // Somebody may have spoken while the hook thought.
      waiting = queues.takeSteering();
      if (waiting.length === 0) waiting = queues.takeFollowUps();
    }
    for (; !(await hear(waiting)); waiting = queues.takeFollowUps()) if (waiting.length === 0) return end('done');
  }
}

/** A turn went well. How often a hook kept the run from stopping counts to its end. */
function forgetTroubles(tries: Map<RecoveredProblem, number>): void {
  for (const problem of tries.keys()) if (problem !== 'stopHook') tries.delete(problem);
}
