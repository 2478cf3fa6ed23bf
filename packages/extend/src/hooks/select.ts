/** Which hooks are meant by an event. In doubt a hook runs: it may be a guard. */
import type { HookInput } from '@tau/core';
import { matchedNames } from './claude-names.ts';
import type { Hook } from './hook.ts';

export interface Occasion {
  input: HookInput;
  /** Whether a rule speaks of the call. */
  speaksOf(rule: string): boolean | Promise<boolean>;
}

export async function selectHooks(hooks: readonly Hook[], occasion: Occasion): Promise<Hook[]> {
  const selected: Hook[] = [];
  for (const hook of hooks) if (await isMeant(hook, occasion)) selected.push(hook);
  return selected;
}

async function isMeant(hook: Hook, { input, speaksOf }: Occasion): Promise<boolean> {
  if (hook.event !== input.hook_event_name) return false;
  if (hook.results !== undefined && (hook.results === 'failed') !== (input.tool_response?.is_error ?? false)) {
    return false;
  }
  if (hook.matcher !== undefined && !matches(hook.matcher, subjectsOf(input))) return false;
  if (hook.tools.length > 0 && !(await some(hook.tools, speaksOf))) return false;
  for (const rule of hook.rules) if (!(await speaksOf(rule))) return false;
  return true;
}

async function some(rules: readonly string[], test: Occasion['speaksOf']): Promise<boolean> {
  for (const rule of rules) if (await test(rule)) return true;
  return false;
}

/** What a matcher is compared with: the names of the tool, or the kind of the event. */
function subjectsOf(input: HookInput): string[] {
  if (input.tool_name !== undefined) return matchedNames(input.tool_name);
  const { source, reason, notification_type: type, trigger, file_path: path } = input;
  const [subject] = [source, reason, type, trigger, path?.split('/').at(-1)].filter((one) => one !== undefined);
  return subject === undefined ? [] : [subject];
}

/** Names between bars are whole names; anything else is a regular expression. What has no kind is not told apart. */
function matches(matcher: string, subjects: readonly string[]): boolean {
  if (subjects.length === 0) return true;
  if (/^[\w\s|,-]+$/.test(matcher)) {
    const wanted = matcher.split(/[|,]/).map((name) => name.trim());
    return subjects.some((subject) => wanted.includes(subject));
  }
  const pattern = new RegExp(matcher);
  return subjects.some((subject) => pattern.test(subject));
}
