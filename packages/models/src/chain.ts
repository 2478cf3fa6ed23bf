/**
 * A chain of models: each is asked again while that may help, then the next one is asked. Only as long as nothing was
 * said: what a reader has seen cannot be taken back. Every new try is an event, so nobody waits without knowing why.
 */
import {
  describeError,
  type Model,
  type ModelError,
  type ModelRequest,
  type StreamEvent,
  type StreamModel,
  TauError,
} from '@tau/core';
import { createAssembler } from './assembler.ts';
import { mayFallBack, type RetryPolicy, retryDelay } from './retry.ts';
import type { Attempt } from './stream.ts';

export interface Link {
  model: Model;
  attempt: Attempt;
}

export interface ChainOptions {
  policy: RetryPolicy;
  random?: () => number;
  now?: () => number;
  /** How long the model that stood in is asked first, before the chosen one gets another chance. */
  standInMs?: number;
}

type Failure = Extract<StreamEvent, { type: 'error' }>;

export function createChain(links: readonly [Link, ...Link[]], options: ChainOptions): StreamModel {
  const { policy, random = Math.random, now = Date.now, standInMs = 300_000 } = options;
  let standIn = { at: 0, until: 0 };

  function remember(at: number): void {
    if (at === 0) standIn = { at, until: 0 };
    else if (at !== standIn.at || now() >= standIn.until) standIn = { at, until: now() + standInMs };
  }

  async function* ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvent[], void> {
    const first = now() < standIn.until ? standIn.at : 0;
    // Should the one that stands in fail in its turn, the others are still there to be asked.
    const order = [first, ...[...links.keys()].filter((at) => at !== first)];
    let place = 0;
    let begun = false;
    const told = (events: StreamEvent[]) => (begun && events[0]?.type === 'start' ? events.slice(1) : events);
    for (let attempt = 1; ; attempt += 1) {
      const at = order[place] ?? 0;
      const link = links[at] ?? links[0];
      let held: StreamEvent[] = [];
      let spoke = false;
      try {
        for await (const events of link.attempt({ ...request, model: link.model }, signal)) {
          spoke ||= events.some(isOutput);
          // What a try that failed in silence has to tell is told only if it is the last one.
          if (!spoke && failureOf(events)) {
            held = events;
            continue;
          }
          // Before it is told: nobody may listen beyond the end.
          if (spoke) remember(at);
          yield told(events);
          begun = true;
        }
      } catch (error) {
        if (spoke) throw error;
        held = unbegun(link.model, error, signal, now());
      }
      const failure = failureOf(held);
      if (!failure) return;
      const delayMs = retryDelay(failure.error, attempt, policy, random);
      const next = delayMs === undefined && mayFallBack(failure.error) ? links[order[place + 1] ?? -1] : undefined;
      if (delayMs === undefined && !next) return yield told(attempt > 1 ? gaveUp(held, failure, attempt) : held);
      const model = labelOf((next ?? link).model);
      yield [
        ...held.filter(({ type }) => type === 'limits'),
        { type: 'retry', attempt, delayMs: delayMs ?? 0, error: failure.error, model },
      ];
      if (next) {
        place += 1;
        attempt = 0;
      } else if (!(await pause(delayMs ?? 0, signal))) {
        return yield [aborted(failure)];
      }
    }
  }

  return ask;
}

/** What a try needs may not be to be had, such as the key of a stand-in: that is a failure as others are. */
function unbegun(model: Model, error: unknown, signal: AbortSignal, timestamp: number): StreamEvent[] {
  const assembler = createAssembler(model, timestamp);
  const isAuth = error instanceof TauError && error.code === 'credentials';
  const kind = signal.aborted ? 'aborted' : isAuth ? 'auth' : 'unknown';
  assembler.fail({ class: kind, message: describeError(error) });
  return assembler.take();
}

function isOutput({ type }: StreamEvent): boolean {
  return type === 'text' || type === 'thinking' || type === 'toolCallStart';
}

function failureOf(events: readonly StreamEvent[]): Failure | undefined {
  const last = events.at(-1);
  return last?.type === 'error' ? last : undefined;
}

function labelOf({ provider, id }: Model): string {
  return `${provider}/${id}`;
}

function gaveUp(held: readonly StreamEvent[], failure: Failure, attempts: number): StreamEvent[] {
  return [...held.slice(0, -1), withError(failure, { message: `${failure.error.message} (${attempts} tries)` })];
}

function aborted(failure: Failure): StreamEvent {
  const { message, ...event } = withError(failure, { class: 'aborted', message: 'aborted' });
  return { ...event, message: { ...message, stopReason: 'aborted' } };
}

function withError(failure: Failure, change: Partial<ModelError>): Failure {
  const error = { ...failure.error, ...change };
  return { type: 'error', error, message: { ...failure.message, errorMessage: error.message } };
}

/** False when the wait was cut short by an abort. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const done = (whole: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(whole);
    };
    const stop = () => done(false);
    const timer = setTimeout(() => done(true), ms);
    signal.addEventListener('abort', stop);
  });
}
