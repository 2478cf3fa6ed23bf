/**
 * Hooks of a settings file, by shape: a list is tau's own format, an object by events is Claude Code's. What is not
 * understood is a problem, never left out in silence: it may be a guard.
 */
import { type HookEvent, hookEvents, isRecord, nearest } from '@tau/core';
import { isTexts, readHandler, readTimeout } from './fields.ts';
import type { Hook, ReadHooks, ReadOptions } from './hook.ts';
import { readClaude } from './read-claude.ts';

/** Of one file. */
const maxHooks = 1000;
const defaultSecs = 10;

export function readHooks(value: unknown, options: ReadOptions): ReadHooks {
  const read = Array.isArray(value) ? readList(value, options) : readClaude(value, options);
  if (read.hooks.length <= maxHooks) return read;
  const problem = `there are ${read.hooks.length} hooks, and at most ${maxHooks} are run`;
  return { hooks: [], problems: [problem], unknown: read.unknown };
}

function readList(list: readonly unknown[], options: ReadOptions): ReadHooks {
  const hooks: Hook[] = [];
  const problems: string[] = [];
  for (const [at, entry] of list.entries()) {
    const hook = readEntry(entry, options);
    if (typeof hook === 'string') problems.push(`hook ${at + 1}: ${hook}`);
    else hooks.push(hook);
  }
  return { hooks, problems, unknown: [] };
}

const otherNames: ReadonlyMap<string, string> = new Map([
  ['trigger', 'event'],
  ['timeout_secs', 'timeoutSecs'],
  ['tool_filter', 'tools'],
  ['toolFilter', 'tools'],
  ['allowed_env_vars', 'allowedEnvVars'],
]);
const fields = [
  'event',
  'command',
  'url',
  'timeoutSecs',
  'match',
  'if',
  'tools',
  'headers',
  'allowedEnvVars',
  'outside',
];

/** The hook, or what is wrong with it. */
function readEntry(entry: unknown, { source, ruleProblem }: ReadOptions): Hook | string {
  if (!isRecord(entry)) return 'it must be an object with an event and a command or a url';
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    const field = otherNames.get(name) ?? name;
    if (!fields.includes(field)) {
      const near = nearest(name, fields);
      return `it knows no "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
    }
    given[field] = value;
  }
  const event = readEvent(given.event);
  if (typeof event !== 'string') return event.problem;
  const handler = readHandler(given);
  if (typeof handler === 'string') return handler;
  const timeoutMs = readTimeout(given.timeoutSecs, defaultSecs);
  if (typeof timeoutMs === 'string') return timeoutMs;
  const { tools = [] } = given;
  if (!isTexts(tools)) return '"tools" must be a list of names';
  const rules: string[] = [];
  for (const name of ['match', 'if']) {
    const rule = given[name];
    if (rule === undefined) continue;
    if (typeof rule !== 'string') return `"${name}" must be a rule, as bash(git push:*)`;
    const problem = ruleProblem(rule);
    if (problem !== undefined) return `"${name}": ${problem}`;
    rules.push(rule);
  }
  const aboutTools = event === 'PreToolUse' || event === 'PostToolUse';
  if (!aboutTools && (rules.length > 0 || tools.length > 0)) {
    return `"match", "if" and "tools" are about calls, and ${event} is not`;
  }
  return { event, source, dialect: 'tau', handler, timeoutMs, tools, rules };
}

function readEvent(value: unknown): HookEvent | { problem: string } {
  const event = hookEvents.find((one) => one === value);
  if (event !== undefined) return event;
  if (typeof value !== 'string') return { problem: `it must have an "event": ${hookEvents.join(', ')}` };
  const near = nearest(value, hookEvents);
  const help = near === undefined ? `they are ${hookEvents.join(', ')}` : `did you mean ${near}?`;
  return { problem: `there is no event "${value}"; ${help}` };
}
