/**
 * Everything decided, one line each, in `logs/permissions.jsonl` of tau's home: what, by which word, and who answered.
 * The log never stands in the way: what cannot be written is said once, and the work goes on.
 */
import {
  type Answer,
  type CommandClass,
  type Decision,
  describeError,
  type GateCall,
  type Outcome,
  type ResolvedEffect,
} from '@tau/core';
import { createLogFile } from './log-file.ts';

/** A line of the log. */
export interface AuditRecord {
  timestamp: string;
  sessionId: string;
  cwd: string;
  tool: string;
  class: CommandClass;
  outcome: Outcome;
  reason: string;
  rule?: string;
  /** When somebody was asked. `feedback`: there were words for the model, which are in the session. */
  answer?: { outcome: 'allow' | 'deny'; scope?: string; feedback?: true; unattended?: true; standing?: true };
  /** A command that was allowed for the sandbox only, or that is to run outside of it. */
  sandbox?: 'contained' | 'outside';
  /** The command, or what the call reads, writes and reaches. */
  what: string;
}

export interface Audit {
  write(call: GateCall, decision: Decision, answer?: Answer): void;
  close(): void;
}

export interface AuditOptions {
  path: string;
  sessionId: string;
  cwd: string;
  /** Asked each time: a setting may change. */
  enabled(): boolean;
  scrub(text: string): string;
  warn(text: string): void;
  maxBytes?: number;
}

const maxWhatChars = 2000;
const maxWordChars = 500;
/** What is far behind the end of what is kept need not be looked at for secrets. */
const slack = 4;

export function createAudit(options: AuditOptions): Audit {
  const { path, sessionId, cwd, scrub, warn, maxBytes } = options;
  const log = createLogFile(path, maxBytes);
  let complained = false;

  const clean = (text: string, maxChars: number) => bothEnds(scrub(bothEnds(text, maxChars * slack)), maxChars);

  return {
    write(call, decision, answer) {
      if (!options.enabled()) return;
      const { reason, rule } = decision;
      const record: AuditRecord = {
        timestamp: new Date().toISOString(),
        sessionId,
        cwd,
        tool: bothEnds(call.toolName, maxWordChars),
        class: decision.class,
        outcome: decision.outcome,
        reason: clean(reason, maxWordChars),
        ...(rule !== undefined && { rule: clean(rule, maxWordChars) }),
        ...(answer && { answer: answerOf(answer) }),
        ...sandboxOf(decision),
        what: clean(whatOf(call, decision), maxWhatChars),
      };
      try {
        log.write(record);
      } catch (error) {
        if (!complained) warn(`What is decided cannot be logged in ${path}: ${describeError(error)}`);
        complained = true;
      }
    },
    close: log.close,
  };
}

function sandboxOf({ contained, effects }: Decision): Pick<AuditRecord, 'sandbox'> {
  if (contained) return { sandbox: 'contained' };
  return effects.some((effect) => effect.kind === 'exec' && effect.outside) ? { sandbox: 'outside' } : {};
}

function answerOf(answer: Answer): NonNullable<AuditRecord['answer']> {
  const { outcome } = answer;
  return {
    outcome,
    ...(outcome === 'allow' && { scope: answer.scope ?? 'once' }),
    ...(outcome === 'deny' && answer.feedback !== undefined && { feedback: true as const }),
    ...(outcome === 'deny' && answer.unattended && { unattended: true as const }),
    ...(answer.standing && { standing: true as const }),
  };
}

function whatOf({ input }: GateCall, { effects }: Decision): string {
  const commands = effects.flatMap((effect) => (effect.kind === 'exec' ? [effect.command] : []));
  if (commands.length > 0) return commands.join('\n');
  const told = effects.map(effectText);
  return told.length > 0 ? told.join(', ') : Object.keys(input).join(', ');
}

function effectText(effect: ResolvedEffect): string {
  switch (effect.kind) {
    case 'read':
    case 'write': {
      const { kind, path, resolved } = effect;
      return `${kind} ${path}${resolved === undefined || resolved.endsWith(`/${path}`) ? '' : ` (${resolved})`}`;
    }
    case 'exec':
      return effect.command;
    case 'net':
      return `connect ${effect.host}`;
    case 'spawn':
      return `spawn ${effect.agent}`;
    case 'mcp':
      return `mcp ${effect.server} ${effect.tool}`;
    case 'config':
      return `config ${effect.key}`;
    case 'other':
      return effect.what;
  }
}

/** The end of a thing is as telling as its beginning: what is left out is in the middle, and is counted. */
function bothEnds(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor((maxChars - 40) / 2);
  return `${text.slice(0, half)}[… ${text.length - 2 * half} characters …]${text.slice(-half)}`;
}
