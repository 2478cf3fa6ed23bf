/** Hooks as Claude Code declares them: by event, groups with a `matcher`, and in each the handlers. */
import { type HookEvent, hookEvents, isRecord } from '@tau/core';
import { isTexts, readHandler, readTimeout } from './fields.ts';
import type { Hook, ReadHooks, ReadOptions } from './hook.ts';

const defaultSecs = 60;

interface Known {
  event: HookEvent;
  results?: NonNullable<Hook['results']>;
}

/** By Claude Code's names. It tells calls that went well from those that did not. */
const knownEvents: ReadonlyMap<string, Known> = new Map<string, Known>([
  ...hookEvents.map((event): [string, Known] => [event, { event }]),
  ['PostToolUse', { event: 'PostToolUse', results: 'good' }],
  ['PostToolUseFailure', { event: 'PostToolUse', results: 'failed' }],
  ['PostCompact', { event: 'Compact' }],
]);

export function readClaude(value: unknown, options: ReadOptions): ReadHooks {
  const read: ReadHooks = { hooks: [], problems: [], unknown: [] };
  if (!isRecord(value)) {
    return { ...read, problems: ['they must be a list of hooks, or an object by events as Claude Code has it'] };
  }
  for (const [name, groups] of Object.entries(value)) {
    const known = knownEvents.get(name);
    if (known === undefined) read.unknown.push(`tau has no event ${name}`);
    else if (!Array.isArray(groups)) read.problems.push(`${name} must be a list`);
    else for (const group of groups) readGroup(group, name, known, options, read);
  }
  return read;
}

function readGroup(group: unknown, name: string, known: Known, options: ReadOptions, read: ReadHooks): void {
  const matcher = isRecord(group) ? (group.matcher ?? '') : '';
  if (!isRecord(group) || !Array.isArray(group.hooks)) {
    read.problems.push(`${name}: each entry must have a list "hooks"`);
  } else if (typeof matcher !== 'string' || !isReadable(matcher)) {
    read.problems.push(`${name}: the matcher ${JSON.stringify(matcher)} is no pattern`);
  } else {
    for (const one of group.hooks) {
      const { type = 'command' } = isRecord(one) ? one : {};
      if (isRecord(one) && type !== 'command' && type !== 'http') {
        read.unknown.push(`a ${name} hook is of type ${JSON.stringify(type)}, which tau cannot run`);
        continue;
      }
      const hook = readOne(one, known, options);
      if (typeof hook === 'string') read.problems.push(`${name}: ${hook}`);
      else read.hooks.push(matcher === '' || matcher === '*' ? hook : { ...hook, matcher });
    }
  }
}

/** The hook, or what is wrong with it. */
function readOne(one: unknown, { event, results }: Known, { source, ruleProblem }: ReadOptions): Hook | string {
  if (!isRecord(one)) return 'each hook must be an object';
  const { type = 'command', timeout, if: rule, command, args, url, headers, allowedEnvVars } = one;
  if (args !== undefined && !isTexts(args)) return '"args" must be a list of texts';
  const handler = readHandler({
    ...(type === 'command'
      ? { command: args && typeof command === 'string' ? quoted([command, ...args]) : command }
      : { url }),
    ...(headers !== undefined && { headers }),
    ...(allowedEnvVars !== undefined && { allowedEnvVars }),
  });
  if (typeof handler === 'string') return handler;
  const timeoutMs = readTimeout(timeout, defaultSecs);
  if (typeof timeoutMs === 'string') return timeoutMs;
  if (rule !== undefined && typeof rule !== 'string') return '"if" must be a rule, as Bash(git *)';
  const wrong = rule === undefined ? undefined : ruleProblem(rule);
  if (wrong !== undefined) return `"if": ${wrong}`;
  const rules = rule === undefined ? [] : [rule];
  const hook: Hook = { event, source, dialect: 'claude', handler, timeoutMs, tools: [], rules };
  return results === undefined ? hook : { ...hook, results };
}

/** A program and what it is given, as the words of a shell. */
function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}

/** Names, or a regular expression. */
function isReadable(matcher: string): boolean {
  try {
    return matcher === '*' || new RegExp(matcher) instanceof RegExp;
  } catch {
    return false;
  }
}
