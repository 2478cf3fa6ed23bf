/**
 * What a hook of Claude Code's format says. Code 0: JSON, or for some events plain text for the model; 2: no, with the
 * reason on standard error; anything else is trouble of its own. A program that is not there is no trouble of its own.
 */
import { type HookEvent, type HookWord, isRecord } from '@tau/core';
import { parse } from './answer.ts';
import { type Output, type Spoken, textOf, withText } from './spoken.ts';

/** Whose plain output is for the model. */
const plainContext: ReadonlySet<HookEvent> = new Set(['UserPromptSubmit', 'SessionStart']);

export function claudeAnswer(event: HookEvent, { exitCode, stdout, stderr }: Output): Spoken {
  if (exitCode === 2) {
    const reason = textOf(stderr.trim()) ?? 'it gave no reason';
    return { word: { action: event === 'Stop' ? 'retry' : 'deny', reason } };
  }
  if (exitCode !== 0) {
    const why = `it ended with code ${exitCode}`;
    return { failure: { kind: 'exit', why: stderr.trim() === '' ? why : `${why}: ${stderr.trim()}` } };
  }
  const text = stdout.trim();
  if (text === '') return { word: {} };
  if (!text.startsWith('{')) return { word: plainContext.has(event) ? { context: text } : {} };
  const said = parse(text);
  if (!isRecord(said)) return { failure: { kind: 'output', why: 'its answer is no JSON' } };
  return wordOf(event, said);
}

function wordOf(event: HookEvent, said: Record<string, unknown>): Spoken {
  const specific = isRecord(said.hookSpecificOutput) ? said.hookSpecificOutput : {};
  const word: HookWord = {};
  withText(word, 'context', textOf(specific.additionalContext) ?? textOf(said.additionalContext));
  withText(word, 'notice', textOf(said.systemMessage));
  withText(word, 'reason', textOf(specific.permissionDecisionReason) ?? textOf(said.reason));
  if (said.continue === false) word.halt = textOf(said.stopReason) ?? 'a hook stopped it';
  const decision = specific.permissionDecision ?? said.decision ?? 'defer';
  const action = actionOf(event, decision);
  // A word that nobody knows may be a no.
  if (action === undefined) {
    return {
      failure: { kind: 'output', why: `it decided ${JSON.stringify(decision).slice(0, 100)}, which there is not` },
    };
  }
  if (action !== 'none') word.action = action;
  if (isRecord(specific.updatedInput)) word.input = specific.updatedInput;
  if (typeof specific.updatedToolOutput === 'string') word.text = specific.updatedToolOutput;
  return { word };
}

function actionOf(event: HookEvent, decision: unknown): HookWord['action'] | 'none' {
  switch (decision) {
    case 'allow':
    case 'approve':
      return 'allow';
    case 'ask':
      return 'ask';
    case 'block':
      return event === 'Stop' ? 'retry' : 'deny';
    case 'deny':
      return 'deny';
    case 'defer':
      return 'none';
    default:
      return undefined;
  }
}
