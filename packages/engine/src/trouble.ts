/** What can go wrong with a turn so that the run itself can help, and what is said to the model about it. */
import {
  type AssistantMessage,
  estimateTokens,
  type ModelError,
  type ModelRequest,
  malformedArguments,
  type RecoveredProblem,
  textOf,
  toolCallsOf,
} from '@tau/core';
import type { Turn } from './turn.ts';

export interface Trouble {
  problem: Exclude<RecoveredProblem, 'stopHook'>;
  /** For whoever watches: what went wrong and what is done. */
  text: string;
  /** For the model, where it must be told. */
  note?: string;
}

const goOn = 'Go on exactly where it stopped: no recap, no apology, nothing twice.';

/** A request that fills this much of the model's window, by our count, and was refused, was most likely too long. */
const fullShare = 0.9;

export function troubleOf({ message, results, failure }: Turn, request: ModelRequest): Trouble | undefined {
  if (failure) return failureTrouble(failure, message, request);
  const calls = toolCallsOf(message);
  if (calls.length > 0 && calls.every((call) => malformedArguments in call.arguments)) {
    return {
      problem: 'malformedArguments',
      text: 'the arguments of a call were no JSON; the model is asked to mend them',
    };
  }
  if (results.length > 0) return undefined;
  if (message.stopReason === 'length') {
    const note = `Your answer was cut off at the output limit. ${goOn}`;
    return { problem: 'outputLimit', text: 'the answer reached the output limit; the model is asked to go on', note };
  }
  if (textOf(message).trim() !== '') return undefined;
  const note = 'Your answer was empty. Go on with the task, or say in words how it stands.';
  return { problem: 'emptyAnswer', text: 'the answer was empty; the model is asked again', note };
}

function failureTrouble(failure: ModelError, message: AssistantMessage, request: ModelRequest): Trouble | undefined {
  if (failure.class === 'contextOverflow' || (failure.class === 'badRequest' && isFull(request))) {
    return {
      problem: 'contextOverflow',
      text: 'the conversation did not fit; the model is told less of its older part',
    };
  }
  // With nothing said, it was tried again already, as often as it may be.
  if (!passing.has(failure.class) || failure.final || message.content.length === 0) return undefined;
  const note = `The connection broke in the middle of your answer. ${goOn}`;
  return { problem: 'brokenStream', text: `${failure.message}; the model is asked to go on`, note };
}

/** Some vendors say only in prose that a request is too long, and prose is not read here. */
function isFull(request: ModelRequest): boolean {
  const { contextWindow } = request.model;
  return contextWindow !== undefined && estimateTokens(request) > contextWindow * fullShare;
}

const passing: ReadonlySet<ModelError['class']> = new Set(['network', 'timeout', 'overloaded', 'rateLimited']);

/** What ends the run when it could not be helped: an answer that is merely cut is still an answer. */
export function giveUp({ problem }: Trouble, times: number): ModelError | undefined {
  switch (problem) {
    case 'emptyAnswer':
      return { class: 'unknown', message: `the model gave no answer, ${times} times in a row` };
    case 'malformedArguments':
      return { class: 'unknown', message: `the model sent arguments that are no JSON, ${times} times in a row` };
    case 'contextOverflow':
    case 'brokenStream':
    case 'outputLimit':
      return undefined;
  }
}
