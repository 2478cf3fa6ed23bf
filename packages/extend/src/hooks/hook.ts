/** A hook as it is declared: when it runs, for what, what runs, and where it was declared. */
import type { HookEvent, HookMoment, HookWord } from '@tau/core';

/** Who declared it: settings in one of tau's layers or in a file of Claude Code, or an extension. */
export interface HookSource {
  layer: 'user' | 'project' | 'local' | 'config' | 'extension';
  /** As a person knows it: `.tau/settings.json`. */
  file: string;
}

export type Handler =
  /** `outside`: not in the sandbox, where commands run in one. */
  | { type: 'command'; command: string; outside?: boolean }
  | {
      type: 'http';
      url: string;
      headers: Readonly<Record<string, string>>;
      /** Variables that headers may name as `$NAME`. */
      allowedEnvVars: readonly string[];
    }
  | { type: 'function'; run(moment: HookMoment): HookWord | undefined | Promise<HookWord | undefined> };

export interface Hook {
  event: HookEvent;
  source: HookSource;
  /** Whose rules it is written by: what an exit code means, how tools are called, what a failure does. */
  dialect: 'tau' | 'claude';
  handler: Handler;
  timeoutMs: number;
  /** Only for these tools: names, with `*` and `?`. */
  tools: readonly string[];
  /** Only for calls that each of these rules speaks of. */
  rules: readonly string[];
  /** Claude Code's `matcher`, as it was written. */
  matcher?: string;
  /** Only for calls that went well, or only for those that did not. */
  results?: 'good' | 'failed';
}

export interface ReadHooks {
  hooks: Hook[];
  /** What cannot be understood. A guard that is not there must not be missed silently. */
  problems: string[];
  /** What tau knows of but does not have; left out. */
  unknown: string[];
}

export interface ReadOptions {
  source: HookSource;
  /** What is wrong with a rule, if anything. */
  ruleProblem(rule: string): string | undefined;
}

/** What a hook of this event can keep from happening. */
const blocking: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'UserPromptSubmit', 'Stop', 'PostSampling']);

/** In tau's own format a result is withheld too: who looks at results and fails has not looked. */
export function isBlocking({ event, dialect }: Pick<Hook, 'event' | 'dialect'>): boolean {
  return blocking.has(event) || (event === 'PostToolUse' && dialect === 'tau');
}

/** For a sentence: `the PreToolUse hook of .tau/settings.json (./check.sh)`. */
export function nameOf(hook: Hook): string {
  return `the ${hook.event} hook of ${hook.source.file}${hook.handler.type === 'function' ? '' : ` (${deedOf(hook)})`}`;
}

/** What runs, on one short line. */
export function deedOf({ handler }: Hook): string {
  switch (handler.type) {
    case 'command':
      return clip(handler.command);
    case 'http':
      return clip(withoutQuery(handler.url));
    case 'function':
      return 'built in';
  }
}

/** What stands behind the path of an address may be a secret. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

const maxDeedChars = 60;

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxDeedChars ? line : `${line.slice(0, maxDeedChars - 1)}…`;
}
