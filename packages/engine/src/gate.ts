/**
 * The gate: the only caller of `tool.run`. A call is checked (prepared, coerced, validated, shown to the hooks, judged),
 * approved (asked about, if it must be) and executed (checkpoint, journal, run, hooks, bound). Every effect in tau goes
 * this way, whoever asks for it.
 */
import {
  type Answer,
  createValidate,
  type Decision,
  describeError,
  errorResult,
  type GateCall,
  type GatePorts,
  type HookOpinion,
  isReadOnly,
  malformedArguments,
  type Problem,
  type Question,
  type RegisteredTool,
  type Reply,
  type ResolvedEffect,
  type RunEvent,
  summariseCall,
  type ToolCall,
  type ToolInput,
  type ToolResult,
} from '@tau/core';
import { orAbort, orGiveUp } from './abort.ts';
import { bound, firstChars } from './bound.ts';
import { coerceInput } from './coerce.ts';
import { teach } from './teach.ts';
import { seenResult } from './unhide.ts';

interface Refused {
  status: 'refused';
  call: GateCall;
  result: ToolResult;
}

interface Ready {
  status: 'ready';
  call: GateCall;
  registered: RegisteredTool;
  effects: readonly ResolvedEffect[];
  decision: Decision;
  /** It has been told what was decided. A call that starts early goes without `approve`. */
  told?: boolean;
}

export type Checked = Refused | Ready;

export interface Gate {
  /** May the call run? Nothing has happened yet, and nobody was asked. */
  check(call: ToolCall, signal: AbortSignal): Promise<Checked>;
  /** Judges by the rules of this moment, asks where they say so, and looks once more where the paths lead. */
  approve(checked: Checked, signal: AbortSignal): Promise<Checked>;
  /** The deed, or the refusal, as a result. Exactly one for each call; never throws. */
  execute(checked: Checked, signal: AbortSignal): Promise<ToolResult>;
}

/** What a call is told that an abort kept from running. */
export const interrupted = 'Not run: the user interrupted.';
/** What is said of a tool that did not stop. */
const deaf = 'The user interrupted, and the tool did not stop: it may still be at work.';
const maxEchoChars = 2000;
const maxDetailChars = 4 * 1024 * 1024;

export interface GateOptions {
  /** Where calls happen. */
  cwd: string;
  /** Characters of one result that reach the model. */
  resultChars: number;
  /** How long what was interrupted may take to end. A command is killed after a second. */
  graceMs?: number;
}

export function createGate(ports: GatePorts & { emit(event: RunEvent): void }, options: GateOptions): Gate {
  const { cwd, resultChars, graceMs = 5000 } = options;
  const validate = createValidate();
  let asked = 0;
  let questions = 0;

  const effectsOf = async ({ tool }: RegisteredTool, input: ToolInput) =>
    ports.resolve(await tool.effects(input, { cwd }));

  async function admit(
    registered: RegisteredTool,
    input: ToolInput,
  ): Promise<{ input: ToolInput; problems: readonly Problem[] }> {
    const { tool } = registered;
    // A copy to mend: what the model said stays as it said it.
    const coerced = coerceInput(tool, tool.prepare ? tool.prepare(structuredClone(input)) : input);
    return { input: coerced, problems: await validate(tool.parameters, coerced) };
  }

  function deny(call: GateCall, why: string, decision: Decision): Checked {
    const more = ports.afterDenial?.(call, decision);
    return refuse(call, more === undefined ? why : `${why} ${more}`);
  }

  async function check({ id, name, arguments: given }: ToolCall, signal: AbortSignal): Promise<Checked> {
    const call: GateCall = { id, toolName: name, input: given };
    if (signal.aborted) return refuse(call, interrupted);
    try {
      const registered = ports.findTool(name);
      if (!registered) return refuse(call, `There is no tool named "${name}".`);
      // Whatever the model calls it: a hook or a rule that guards a tool guards it under every spelling.
      call.toolName = registered.tool.name;
      if (malformedArguments in given) return refuse(call, notJson(String(given[malformedArguments])));
      let admitted = await admit(registered, given);
      if (admitted.problems.length === 0) {
        call.input = admitted.input;
        // A copy: a hook changes the input by returning another, which is then validated, and not behind our back.
        const shown = { ...call, input: structuredClone(call.input) };
        const said = ports.beforeTool(shown);
        const verdict = said instanceof Promise ? await orAbort(said, signal) : said;
        if (verdict && 'block' in verdict) return refuse(call, `Blocked by a hook: ${verdict.block}`);
        if (verdict?.input) admitted = await admit(registered, verdict.input);
        if (verdict?.ask !== undefined || verdict?.allow !== undefined) call.hook = opinionOf(verdict);
      }
      if (admitted.problems.length > 0) {
        return refuse(call, teach(registered.tool, admitted.problems));
      }
      call.input = admitted.input;
      const effects = await effectsOf(registered, call.input);
      const decision = ports.decide(call, registered.source, effects);
      if (decision.outcome === 'deny') {
        ports.decided?.(call, decision);
        return deny(call, denial(decision), decision);
      }
      return { status: 'ready', call, registered, effects, decision };
    } catch (error) {
      if (signal.aborted) return refuse(call, interrupted);
      return refuse(call, `The call could not be checked, so it was not made: ${describeError(error)}`);
    }
  }

  async function approve(checked: Checked, signal: AbortSignal): Promise<Checked> {
    if (checked.status === 'refused') return checked;
    const { call, effects, registered } = checked;
    try {
      // Once more: a call before it, or the user, may have changed the mode.
      const decision = ports.decide(call, registered.source, effects);
      if (decision.outcome !== 'ask') ports.decided?.(call, decision);
      if (decision.outcome === 'deny') return deny(call, denial(decision), decision);
      if (decision.outcome === 'ask') {
        const answer = await question({ ...checked, decision }, signal);
        if (answer.outcome !== 'allow') return deny(call, rejection(answer, decision), decision);
      }
      // What was judged must be what happens: an earlier call, or anyone during the question, may have planted a link.
      const now = await effectsOf(registered, call.input);
      if (JSON.stringify(now) === JSON.stringify(effects)) return { ...checked, told: true };
      return refuse(call, 'Not done: where its paths lead changed after it was judged. Try again.');
    } catch (error) {
      if (signal.aborted) return refuse(call, interrupted);
      return refuse(call, `The call could not be approved, so it was not made: ${describeError(error)}`);
    }
  }

  /** Every request has its response, also when the asking fails: a reader may hold a card open for it. */
  async function question({ call, decision }: Ready, signal: AbortSignal): Promise<Answer> {
    // Not the call's id: one call may be asked about twice, and providers repeat theirs.
    asked += 1;
    const ask = { id: `ask-${asked}`, toolCallId: call.id, toolName: call.toolName, input: call.input, decision };
    let answer: Answer = { outcome: 'deny' };
    ports.emit({ type: 'permission_request', ...ask });
    try {
      answer = await orAbort(ports.ask(ask, signal), signal);
      return answer;
    } finally {
      ports.decided?.(call, decision, answer);
      ports.emit({ type: 'permission_response', id: ask.id, toolCallId: call.id, ...answer });
    }
  }

  async function execute(checked: Checked, signal: AbortSignal): Promise<ToolResult> {
    const { call } = checked;
    const name = { toolCallId: call.id, toolName: call.toolName };
    if (checked.status === 'ready' && !checked.told) ports.decided?.(call, checked.decision);
    ports.emit({ type: 'tool_execution_start', ...name, input: call.input });
    const whole = checked.status === 'refused' ? checked.result : await perform(checked, signal);
    const result = await bound(seenResult(call.toolName, whole, ports.emit), resultChars, ports.keep);
    const summary = summariseCall(call.toolName, call.input, result);
    ports.emit({ type: 'tool_execution_end', ...name, result, summary });
    return result;
  }

  async function perform(ready: Ready, signal: AbortSignal): Promise<ToolResult> {
    const { call, effects } = ready;
    try {
      if (!looksOnly(ready)) {
        await ports.checkpoint(effects);
        await ports.journal({ toolCallId: call.id, toolName: call.toolName, effects });
      }
    } catch (error) {
      return errorResult(`Not run, because it could not be recorded first: ${describeError(error)}`);
    }
    // A tool need not look at the signal before it acts, so a late abort is caught here.
    if (signal.aborted) return errorResult(interrupted);
    const result = await runTool(ready, signal);
    try {
      const hooks = ports.afterTool(call, result, effects);
      const withheld = () => errorResult('The call was made, but a hook did not end, so its result is withheld.');
      return sound(await orGiveUp(hooks, signal, graceMs, withheld), 'the hook');
    } catch (error) {
      // Closed: the hook may be there to hide something. But the deed is done, and the model must know.
      const why = describeError(error);
      return errorResult(`The call was made, but a hook failed on its result, which is withheld: ${why}`);
    }
  }

  async function runTool({ call, registered, effects }: Ready, signal: AbortSignal) {
    let open = true;
    const onUpdate = (delta: string) => {
      if (open) ports.emit({ type: 'tool_execution_update', toolCallId: call.id, delta });
    };
    const ask = (asked: Question) => inquire(call.id, asked, signal);
    try {
      const context = { toolCallId: call.id, cwd, signal, judged: placesOf(effects), onUpdate, ask };
      const work = registered.tool.run(call.input, context);
      return sound(await orGiveUp(work, signal, graceMs, () => errorResult(deaf)), 'the tool');
    } catch (error) {
      return errorResult(describeError(error));
    } finally {
      open = false;
    }
  }

  async function inquire(toolCallId: string, asked: Question, signal: AbortSignal): Promise<Reply> {
    questions += 1;
    const name = { id: `question-${questions}`, toolCallId };
    let reply: Reply = { unattended: true };
    ports.emit({ type: 'question_request', ...name, question: asked });
    try {
      reply = await orAbort(ports.question(asked, signal), signal);
      return reply;
    } finally {
      ports.emit({ type: 'question_response', ...name, reply });
    }
  }

  return { check, approve, execute };
}

function opinionOf({ ask, allow }: HookOpinion): HookOpinion {
  return { ...(ask !== undefined && { ask }), ...(allow !== undefined && { allow }) };
}

/** True when nothing is to be undone or journalled. Only built-in tools are believed. */
export function looksOnly({ registered, effects }: Ready): boolean {
  return registered.source === 'builtin' && effects.every(isReadOnly);
}

/** Where each path was judged to lead. */
function placesOf(effects: readonly ResolvedEffect[]): Map<string, string> {
  const places = new Map<string, string>();
  for (const effect of effects) {
    if ((effect.kind === 'read' || effect.kind === 'write') && effect.resolved !== undefined) {
      places.set(effect.path, effect.resolved);
    }
  }
  return places;
}

export function refuse(call: GateCall, why: string): Checked {
  return { status: 'refused', call, result: errorResult(why) };
}

function notJson(sent: string): string {
  const shown = firstChars(sent, maxEchoChars);
  const more = sent.length - shown.length;
  const end = more > 0 ? `... and ${more} more characters` : '';
  return `The arguments are not a JSON object. Send the call again with valid JSON. You sent: ${shown}${end}`;
}

function denial(decision: Decision): string {
  return `Not allowed: ${decision.reason}${decision.rule ? ` (rule ${decision.rule})` : ''}.`;
}

function rejection(answer: Exclude<Answer, { outcome: 'allow' }>, decision: Decision): string {
  if (answer.unattended) return `Not allowed: this needs approval and nobody is there to give it (${decision.reason}).`;
  return answer.feedback ? `The user said no: ${answer.feedback}` : 'The user said no.';
}

/** What comes from an extension was typed by nobody at run time, so its shape is looked at once, here. */
function sound(result: ToolResult, giver: string): ToolResult {
  const whole =
    Array.isArray(result?.content) &&
    result.content.every((block) => typeof (block.type === 'text' ? block.text : block.data) === 'string');
  if (!whole) throw new Error(`${giver} did not return a result`);
  return result.details === undefined || canBeSaved(result.details) ? result : { ...result, details: undefined };
}

/** Details are for a UI and go into the session. What JSON cannot hold, or is out of all proportion, is left out. */
function canBeSaved(details: unknown): boolean {
  try {
    return JSON.stringify(details).length <= maxDetailChars;
  } catch {
    return false;
  }
}
