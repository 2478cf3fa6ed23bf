/**
 * A conversation at the screen: prompts and their runs one after another, what is said meanwhile, and how it is stopped.
 * It knows no keys and draws nothing.
 */
import { type Agent, describeError, emptyUsage, type RunOutcome } from '@tau/agent';
import { exitCode } from '../exit.ts';
import { createWatch } from '../print/answer.ts';
import { usageLine } from '../print/progress.ts';
import { type Prompt, withMentions } from '../print/prompts.ts';
import { joinOutcomes } from '../print/tries.ts';
import { verdictOn } from '../print/verdict.ts';
import { createWaiting } from '../repl/waiting.ts';

export interface SittingOptions {
  agent: Agent;
  /** Signals that end tau. */
  signal: AbortSignal;
  /** The user said it, and it is on its way to the model. */
  onPrompt(text: string): void;
  /** A sentence for the user. */
  tell(text: string, kind: 'note' | 'error'): void;
  /** A run was stopped or failed: what waited is the user's again. */
  giveBack(texts: readonly string[]): void;
  /** A run began or ended, or what waits changed. */
  onChange(): void;
}

export interface Sitting {
  readonly isWorking: boolean;
  /** Since when. */
  readonly since: number;
  readonly isStopping: boolean;
  say(prompt: Prompt): void;
  /** While a run listens: after its current step, or when it would stop. */
  add(text: string, when: 'steer' | 'followUp'): void;
  /** False when nothing runs. */
  stop(): boolean;
  waiting(): readonly string[];
  takeBack(): readonly string[];
  spent(): string;
  /** Resolves when nothing runs any more. */
  close(): Promise<void>;
}

const nothing: RunOutcome = { reason: 'done', turns: 0, answer: '', cut: false, usage: emptyUsage(), models: [] };

export function createSitting({ agent, signal, onPrompt, tell, giveBack, onChange }: SittingOptions): Sitting {
  const waiting = createWaiting(agent);
  let run: AbortController | undefined;
  let since = 0;
  let total = nothing;
  let totalMs = 0;
  let closed = false;
  let working: Promise<void> = Promise.resolve();

  async function answer(prompt: Prompt, own: AbortController): Promise<void> {
    const begun = Date.now();
    const watch = createWatch();
    const stop = agent.subscribe(watch.event, { deltas: false });
    let back: readonly string[] = [];
    try {
      onPrompt(prompt.text);
      const both = AbortSignal.any([signal, own.signal]);
      const line = (text: string) => tell(text, 'note');
      const { text, attachments } = await withMentions(prompt, agent, { signal: both, line });
      const outcome = await agent.prompt(text, { signal: both, attachments }).outcome;
      total = joinOutcomes(total, outcome);
      totalMs += Date.now() - begun;
      const verdict = verdictOn(outcome, { ...watch.seen, interruptedWith: exitCode.interrupted });
      if (outcome.reason === 'aborted') tell('Stopped.', 'note');
      else if (verdict.text !== undefined && outcome.reason !== 'error') tell(verdict.text, 'error');
      const queued = waiting.takeBack();
      if (outcome.reason === 'done') waiting.push(...queued.map((one) => ({ text: one, attachments: [] })));
      else back = queued;
    } catch (error) {
      const why = describeError(error);
      // What ended a run was told as its last event.
      if (watch.seen.lastError?.message !== why) tell(why, 'error');
      back = waiting.takeBack();
    } finally {
      stop();
    }
    if (back.length > 0) giveBack(back);
  }

  /** Until nothing waits. */
  async function work(): Promise<void> {
    for (let prompt = waiting.shift(); prompt && !closed && !signal.aborted; prompt = waiting.shift()) {
      run = new AbortController();
      since = Date.now();
      onChange();
      await answer(prompt, run);
      run = undefined;
      onChange();
    }
  }

  return {
    get isWorking() {
      return run !== undefined;
    },
    get since() {
      return since;
    },
    get isStopping() {
      return run?.signal.aborted === true;
    },
    say(prompt) {
      waiting.push(prompt);
      if (!run) working = working.then(work);
    },
    add(text, when) {
      waiting.add(text, when);
      onChange();
    },
    stop() {
      run?.abort();
      onChange();
      return run !== undefined;
    },
    waiting: waiting.texts,
    takeBack() {
      const back = waiting.takeBack();
      onChange();
      return back;
    },
    spent() {
      const { totalTokens, cost } = agent.spent();
      const whole = `the conversation so far: ${totalTokens} tokens, $${cost.total.toFixed(4)} where the price is known`;
      return `${usageLine(agent, total, totalMs)}\n${whole}`;
    },
    async close() {
      closed = true;
      run?.abort();
      await working;
    },
  };
}
