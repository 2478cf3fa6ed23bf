/** `--output-format json`: all there is to say about a prompt, as one object. */
import { type Agent, emptyUsage, type RunOutcome } from '@tau/agent';
import { exitCode } from '../exit.ts';
import { costOf } from './cost.ts';
import type { Delivered } from './delivered.ts';
import type { Denial } from './denials.ts';
import type { Fit } from './schema.ts';
import type { Verdict } from './verdict.ts';
import type { Refused } from './violations.ts';

interface Ended {
  agent: Agent;
  outcome: RunOutcome;
  verdict: Verdict;
  denied: readonly Denial[];
  files?: readonly Delivered[];
  violations?: readonly Refused[];
  durationMs: number;
  fit?: Fit | undefined;
}

export function resultOf(ended: Ended): object {
  const { agent, outcome, verdict, denied, files = [], violations = [], durationMs, fit } = ended;
  const { answer, turns, usage, reason, cut } = outcome;
  const unapproved = verdict.code === exitCode.done && denied.length > 0;
  return {
    type: 'result',
    answer,
    ...(fit && { structured: fit.value }),
    ...namesOf(agent),
    turns,
    durationMs,
    usage,
    cost: costOf(agent, outcome),
    stopReason: reason,
    cut,
    denials: denied,
    ...(violations.length > 0 && { violations }),
    ...(files.length > 0 && { files }),
    ...(verdict.error && { error: verdict.error }),
    exitCode: unapproved ? exitCode.unapproved : verdict.code,
  };
}

/** The run could not be made at all, or its session could not be written. */
export function failedResult(failed: { agent: Agent; code: number; message: string; durationMs: number }): object {
  const { agent, code, message, durationMs } = failed;
  const outcome = { reason: 'error', turns: 0, answer: '', cut: false, usage: emptyUsage(), models: [] } as const;
  const verdict = { code, error: { class: 'unknown', message } };
  return resultOf({ agent, outcome: { ...outcome, models: [] }, verdict, denied: [], durationMs });
}

function namesOf({ sessionId, sessionPath, model }: Agent): object {
  return { sessionId, ...(sessionPath !== undefined && { sessionPath }), model: `${model.provider}/${model.id}` };
}
