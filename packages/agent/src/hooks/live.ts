/** Hooks at work: each event of a session as what hooks are told, and their word as what becomes of it. Loaded when there are any. */
import {
  type AssistantMessage,
  type BeforeToolVerdict,
  errorResult,
  type GateCall,
  type HookEvent,
  type HookInput,
  type ResolvedEffect,
  type RunEvent,
  type ToolResult,
  textOf,
  type UserMessage,
} from '@tau/core';
import { deedOf, type FireOptions, fire, type Hook, type Verdict } from '@tau/extend';
import { scrub } from '@tau/models';
import { createCallRules } from './call-rules.ts';
import type { HooksPlace } from './place.ts';
import { hookPorts } from './world.ts';

type Facts = Omit<HookInput, 'hook_event_name' | 'session_id' | 'transcript_path' | 'cwd' | 'permission_mode'>;

export interface LiveHooks {
  hears(event: HookEvent): boolean;
  beforeTool(call: GateCall): Promise<BeforeToolVerdict>;
  afterTool(call: GateCall, result: ToolResult, effects: readonly ResolvedEffect[]): Promise<ToolResult>;
  beforePrompt(message: UserMessage): Promise<{ block: string } | { context: string } | undefined>;
  afterAnswer(message: AssistantMessage): Promise<AssistantMessage | { block: string }>;
  /** Words to go on with. Throws when the run must not end as if all were well. */
  beforeStop(answer: string, again: boolean): Promise<string | undefined>;
  /** An event that nothing waits for the word of. What it has for the model. */
  tell(event: HookEvent, facts: Facts): Promise<Verdict>;
  /** Why the run must not go on. */
  halted(): string | undefined;
  begin(signal: AbortSignal): void;
  close(): Promise<void>;
}

/** More than a hook needs to see of a result; a file may hold it all. */
const maxResponseChars = 256 * 1024;

export function createLive(place: HooksPlace, hooks: () => readonly Hook[]): LiveHooks {
  const ports = hookPorts(place);
  const rules = createCallRules(place);
  /** What is to be told with the result of a call. */
  const contexts = new Map<string, string[]>();
  let signal = new AbortController().signal;
  let halt: string | undefined;
  let fired = 0;

  function watched(hook: Hook): ReturnType<NonNullable<FireOptions['onStart']>> {
    fired += 1;
    const id = `hook-${fired}`;
    const { event, source } = hook;
    place.emit({ type: 'hook_start', id, event, source: source.file, what: scrub(deedOf(hook), []) });
    return (spoken) => place.emit({ type: 'hook_end', id, event, ...ending(spoken) });
  }

  async function ask(
    event: HookEvent,
    facts: Facts,
    call?: { call: GateCall; effects?: readonly ResolvedEffect[] },
  ): Promise<Verdict> {
    const input: HookInput = { hook_event_name: event, ...place.base(), ...facts };
    const said = await fire(
      hooks(),
      { input, effects: call?.effects ?? [] },
      call ? rules.of(call.call, call.effects) : () => true,
      { ports, signal, ...(place.wantsEvents && { onStart: watched }) },
    );
    const verdict = withoutSecrets(said);
    for (const text of verdict.notices) place.notice('info', text);
    for (const text of verdict.warnings) place.notice('warning', text);
    // A run that stops has stopped already.
    if (event !== 'Stop') halt ??= verdict.halt;
    return verdict;
  }

  return {
    hears: (event) => hooks().some((hook) => hook.event === event),
    halted: () => halt,
    begin(next) {
      signal = next;
      halt = undefined;
      contexts.clear();
    },

    async beforeTool(call) {
      const facts = { tool_name: call.toolName, tool_use_id: call.id, tool_input: call.input };
      const verdict = await ask('PreToolUse', facts, { call });
      if (verdict.deny !== undefined) return { block: verdict.deny };
      if (verdict.halt !== undefined) return { block: verdict.halt };
      if (verdict.context.length > 0) contexts.set(call.id, verdict.context);
      const { input, ask: question, allow } = verdict;
      return {
        ...(input && { input }),
        ...(question !== undefined && { ask: question }),
        ...(allow !== undefined && { allow }),
      };
    },

    async afterTool(call, result, effects) {
      const context = contexts.get(call.id) ?? [];
      contexts.delete(call.id);
      const facts = { tool_name: call.toolName, tool_use_id: call.id, tool_input: call.input };
      const verdict = await ask('PostToolUse', { ...facts, tool_response: responseOf(result) }, { call, effects });
      if (verdict.deny !== undefined) {
        return errorResult(`The call was made, but its result is withheld: ${verdict.deny}`);
      }
      return withWords(result, verdict.text, [...context, ...verdict.context]);
    },

    async beforePrompt(message) {
      const verdict = await ask('UserPromptSubmit', { prompt: textIn(message) });
      const block = verdict.deny ?? verdict.halt;
      if (block !== undefined) return { block };
      return verdict.context.length > 0 ? { context: verdict.context.join('\n\n') } : undefined;
    },

    async afterAnswer(message) {
      const verdict = await ask('PostSampling', { text: textOf(message) });
      const block = verdict.deny ?? verdict.halt;
      if (block !== undefined) return { block };
      return verdict.text === undefined ? message : rewritten(message, verdict.text);
    },

    async beforeStop(answer, again) {
      const verdict = await ask('Stop', { text: answer, stop_hook_active: again });
      if (verdict.deny !== undefined) throw new Error(verdict.deny);
      if (verdict.halt !== undefined) return undefined;
      return verdict.retry ?? (verdict.context.length > 0 ? verdict.context.join('\n\n') : undefined);
    },

    tell: ask,
    close: ports.end,
  };
}

/** The name of a hook is its command, which may hold a key: nobody reads it in what is said about the hook. */
function withoutSecrets(verdict: Verdict): Verdict {
  const clean = (text: string) => scrub(text, []);
  const { deny, ask, allow, halt, notices, warnings } = verdict;
  return {
    ...verdict,
    ...(deny !== undefined && { deny: clean(deny) }),
    ...(ask !== undefined && { ask: clean(ask) }),
    ...(allow !== undefined && { allow: clean(allow) }),
    ...(halt !== undefined && { halt: clean(halt) }),
    notices: notices.map(clean),
    warnings: warnings.map(clean),
  };
}

type HookEnd = Extract<RunEvent, { type: 'hook_end' }>;

function ending(
  spoken: Parameters<ReturnType<NonNullable<FireOptions['onStart']>>>[0],
): Pick<HookEnd, 'outcome' | 'reason'> {
  if ('failure' in spoken) return { outcome: 'failed', reason: scrub(spoken.failure.why, []) };
  const { action, reason, input, text } = spoken.word;
  const changed = input !== undefined || text !== undefined;
  const outcome = action === undefined || action === 'allow' ? (changed ? 'modify' : (action ?? 'ok')) : action;
  return { outcome, ...(reason !== undefined && { reason: scrub(reason, []) }) };
}

function responseOf({ content, isError = false }: ToolResult): NonNullable<HookInput['tool_response']> {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const cut = text.length > maxResponseChars;
  return { text: text.slice(0, maxResponseChars), is_error: isError, ...(cut && { truncated: true }) };
}

function withWords(result: ToolResult, text: string | undefined, context: readonly string[]): ToolResult {
  const others = result.content.filter((block) => text === undefined || block.type !== 'text');
  if (text === undefined && context.length === 0) return result;
  const added = [...(text === undefined ? [] : [text]), ...context].map((one) => ({
    type: 'text' as const,
    text: one,
  }));
  const { details, ...rest } = result;
  // What a screen would show of it is what the hook took away.
  const kept = text === undefined && details !== undefined ? { details } : {};
  return { ...rest, ...kept, content: [...others, ...added] };
}

function textIn({ content }: UserMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** New words in the place of the first; the others go, and with them what was signed for them. */
function rewritten(message: AssistantMessage, text: string): AssistantMessage {
  const isText = ({ type }: AssistantMessage['content'][number]) => type === 'text';
  const first = message.content.findIndex(isText);
  const at = first < 0 ? message.content.findLastIndex(({ type }) => type === 'thinking') + 1 : first;
  const rest = (from: number, to?: number) => message.content.slice(from, to).filter((block) => !isText(block));
  return { ...message, content: [...rest(0, at), { type: 'text', text }, ...rest(at)] };
}
