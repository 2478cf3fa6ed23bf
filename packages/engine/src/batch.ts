/**
 * Runs the calls of one assistant message. They are checked in source order as they arrive; those that only read may
 * start while the model still speaks; the rest start in source order once the message is on disk, together where their
 * effects allow it. Every call gets exactly one result.
 */
import type { ResolvedEffect, ToolCall, ToolResult } from '@tau/core';
import { createBranches } from './abort.ts';
import { conflicts } from './conflict.ts';
import { type Checked, type Gate, interrupted, looksOnly, refuse } from './gate.ts';

interface Slot {
  call: ToolCall;
  checked: Promise<Checked>;
  /** Known once checked. A refused call has none: it does nothing. */
  effects: readonly ResolvedEffect[];
  looksOnly: boolean;
  state: 'waiting' | 'running' | 'done';
  result: Deferred<ToolResult>;
}

export interface Batch {
  /** A call is complete in the stream. Starts it if it may start early. */
  offer(call: ToolCall): void;
  /** The message is on disk: run the rest. Yields in source order, each as soon as it and all before it are done. */
  results(
    calls: readonly ToolCall[],
    /** Why a call that did not start yet is not to be run, if so: the message may not be whole. */
    unfinished: (call: ToolCall) => string | undefined,
  ): AsyncGenerator<{ call: ToolCall; result: ToolResult }>;
  /** Resolves when nothing of the batch runs any more. */
  settled(): Promise<void>;
}

export function createBatch(gate: Gate, { signal, concurrency }: { signal: AbortSignal; concurrency: number }): Batch {
  const slots: Slot[] = [];
  // A signal for each call: a tool may add listeners, and Node warns when many listen to one.
  const branch = createBranches(signal);
  let lastCheck: Promise<unknown> = Promise.resolve();
  let started: Promise<void> = Promise.resolve();
  let failedCommand: ToolCall | undefined;

  function offer(call: ToolCall): void {
    const checked = lastCheck.then(() => gate.check(call, signal));
    const slot: Slot = { call, checked, effects: [], looksOnly: true, state: 'waiting', result: deferred() };
    lastCheck = checked.then((verdict) => {
      slot.effects = verdict.status === 'ready' ? believed(verdict) : [];
      slot.looksOnly = verdict.status === 'refused' || looksOnly(verdict);
      if (mayStartEarly(slot, verdict)) start(slot, verdict);
    });
    slots.push(slot);
  }

  function mayStartEarly(slot: Slot, verdict: Checked): boolean {
    return (
      verdict.status === 'ready' &&
      verdict.decision.outcome === 'allow' &&
      slot.looksOnly &&
      running().length < concurrency &&
      slots.slice(0, slots.indexOf(slot)).every((earlier) => !conflicts(earlier.effects, slot.effects))
    );
  }

  function start(slot: Slot, checked: Checked): void {
    slot.state = 'running';
    const own = branch();
    gate.execute(checked, own.signal).then((result) => {
      own.release();
      slot.state = 'done';
      const ran = checked.status === 'ready';
      if (ran && result.isError && slot.effects.some((effect) => effect.kind === 'exec' && !effect.readOnly)) {
        failedCommand ??= slot.call;
      }
      slot.result.resolve(result);
    }, slot.result.reject);
  }

  const running = () => slots.filter((slot) => slot.state === 'running');

  /** Waits for whatever stands in the way of a slot: earlier calls it conflicts with, or a full house. */
  async function clearTheWay(slot: Slot): Promise<void> {
    for (;;) {
      const busy = running();
      const blocking = busy.filter((other) => conflicts(other.effects, slot.effects));
      const waitFor = blocking.length > 0 ? blocking : busy.length >= concurrency ? busy : [];
      if (waitFor.length === 0) return;
      await Promise.race(waitFor.map((other) => other.result.promise));
    }
  }

  async function startInOrder(unfinished: (call: ToolCall) => string | undefined): Promise<void> {
    for (const slot of slots) {
      if (slot.state !== 'waiting') continue;
      const checked = await slot.checked;
      await clearTheWay(slot);
      const cut = signal.aborted ? undefined : unfinished(slot.call);
      const skip = cut ?? (checked.status === 'ready' ? skipReason(slot) : undefined);
      start(slot, skip ? refuse(checked.call, skip) : await gate.approve(checked, signal));
    }
  }

  function skipReason(slot: Slot): string | undefined {
    if (signal.aborted) return interrupted;
    if (failedCommand && !slot.looksOnly) {
      return `Not run: the command before it in the same message failed (call ${failedCommand.id}).`;
    }
    return undefined;
  }

  async function* results(
    calls: readonly ToolCall[],
    unfinished: (call: ToolCall) => string | undefined,
  ): AsyncGenerator<{ call: ToolCall; result: ToolResult }> {
    // Calls come out of the stream in source order, so what was not offered yet is what is left.
    for (const call of calls.slice(slots.length)) offer(call);
    await lastCheck;
    started = startInOrder(unfinished);
    for (const slot of slots) {
      const result = await Promise.race([slot.result.promise, started.then(() => slot.result.promise)]);
      yield { call: slot.call, result };
    }
  }

  async function settled(): Promise<void> {
    await Promise.allSettled([lastCheck, started]);
    await Promise.allSettled(running().map((slot) => slot.result.promise));
  }

  return { offer, results, settled };
}

/** A foreign tool that claims to do nothing may do anything. */
function believed({ registered, effects, call }: Extract<Checked, { status: 'ready' }>): readonly ResolvedEffect[] {
  if (registered.source === 'builtin' || effects.length > 0) return effects;
  return [{ kind: 'other', what: call.toolName }];
}

interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Whoever waits is told; that nobody waits yet must not end the process.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
