/**
 * The gate: the only caller of `tool.run`. A call is checked (prepared, coerced, validated, shown to the hooks, judged),
 * approved (asked about, if it must be) and executed (checkpoint, journal, run, hooks, bound). Every effect in tau goes
 * this way, whoever asks for it.
 */
import {
  type Decision,
  describeError,
  errorResult,
  type GateCall,
  type GatePorts,
  isReadOnly,
  malformedArguments,
  type RegisteredTool,
  type ResolvedEffect,
  type RunEvent,
  type ToolCall,
  type ToolInput,
  type ToolResult,
} from '@tau/core';
import { bound } from './bound.ts';
import { coerceInput } from './coerce.ts';
import { createValidate } from './validate.ts';

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
}

export type Checked = Refused | Ready;

export interface Gate {
  /** May the call run? Nothing has happened yet, and nobody was asked. */
  check(call: ToolCall): Promise<Checked>;
  /** Asks where the decision says so. */
  approve(checked: Checked, signal: AbortSignal): Promise<Checked>;
  /** The deed, or the refusal, as a result. Exactly one for each call; never throws. */
  execute(checked: Checked, context: { cwd: string; signal: AbortSignal }): Promise<ToolResult>;
}

export function createGate(ports: GatePorts & { emit(event: RunEvent): void }, limits: { resultChars: number }): Gate {
  const validate = createValidate();

  async function admit(
    registered: RegisteredTool,
    input: ToolInput,
  ): Promise<{ input: ToolInput; problems: string[] }> {
    const coerced = coerceInput(registered.tool, input);
    return { input: coerced, problems: await validate(registered.tool.parameters, coerced) };
  }

  async function check({ id, name, arguments: given }: ToolCall): Promise<Checked> {
    const call: GateCall = { id, toolName: name, input: given };
    const refuse = (why: string): Refused => ({ status: 'refused', call, result: errorResult(why) });
    const registered = ports.findTool(name);
    if (!registered) return refuse(`There is no tool named "${name}".`);
    if (malformedArguments in given) {
      return refuse(
        `The arguments are not a JSON object. Send the call again with valid JSON. You sent: ${given[malformedArguments]}`,
      );
    }
    try {
      let admitted = await admit(registered, given);
      if (admitted.problems.length === 0) {
        call.input = admitted.input;
        const verdict = await ports.beforeTool(call);
        if (verdict && 'block' in verdict) return refuse(`Blocked by a hook: ${verdict.block}`);
        if (verdict) admitted = await admit(registered, verdict.input);
      }
      if (admitted.problems.length > 0) {
        return refuse(`The arguments do not fit ${name}:\n${admitted.problems.map((line) => `- ${line}`).join('\n')}`);
      }
      call.input = admitted.input;
      const effects = await ports.resolve(registered.tool.effects(call.input));
      const decision = ports.decide(call, registered.source, effects);
      if (decision.outcome === 'deny') return refuse(denial(decision));
      return { status: 'ready', call, registered, effects, decision };
    } catch (error) {
      return refuse(`The call could not be checked, so it was not made: ${describeError(error)}`);
    }
  }

  async function approve(checked: Checked, signal: AbortSignal): Promise<Checked> {
    if (checked.status === 'refused' || checked.decision.outcome === 'allow') return checked;
    const { call, decision, registered } = checked;
    const refuse = (why: string): Refused => ({ status: 'refused', call, result: errorResult(why) });
    const request = { toolCallId: call.id, toolName: call.toolName, input: call.input, decision };
    try {
      ports.emit({ type: 'permission_request', id: call.id, ...request });
      const answer = await ports.ask({ id: call.id, ...request }, signal);
      ports.emit({ type: 'permission_response', id: call.id, ...answer });
      if (answer.outcome === 'deny') {
        if (answer.unattended)
          return refuse(`Not allowed: this needs approval and nobody is there to give it (${decision.reason}).`);
        return refuse(answer.feedback ? `The user said no: ${answer.feedback}` : 'The user said no.');
      }
      // What was shown must be what happens: a link planted during the question changes where a path leads.
      const now = await ports.resolve(registered.tool.effects(call.input));
      const moved = JSON.stringify(now) !== JSON.stringify(checked.effects);
      return moved ? refuse('Not done: where the paths lead changed while the user was asked. Try again.') : checked;
    } catch (error) {
      return refuse(`The question could not be asked, so the call was not made: ${describeError(error)}`);
    }
  }

  async function execute(checked: Checked, context: { cwd: string; signal: AbortSignal }): Promise<ToolResult> {
    const { call } = checked;
    const name = { toolCallId: call.id, toolName: call.toolName };
    ports.emit({ type: 'tool_execution_start', ...name, input: call.input });
    const result = checked.status === 'refused' ? checked.result : await perform(checked, context);
    ports.emit({ type: 'tool_execution_end', ...name, result });
    return result;
  }

  async function perform(ready: Ready, context: { cwd: string; signal: AbortSignal }): Promise<ToolResult> {
    const { call, registered, effects } = ready;
    try {
      if (!effects.every(isReadOnly) || registered.source !== 'builtin') {
        await ports.checkpoint(effects);
        await ports.journal({ toolCallId: call.id, toolName: call.toolName, effects });
      }
      const result = await registered.tool.run(call.input, {
        toolCallId: call.id,
        ...context,
        onUpdate: (delta) => ports.emit({ type: 'tool_execution_update', toolCallId: call.id, delta }),
      });
      return await bound(await ports.afterTool(call, result), limits.resultChars, ports.keep);
    } catch (error) {
      return errorResult(describeError(error));
    }
  }

  return { check, approve, execute };
}

function denial(decision: Decision): string {
  return `Not allowed: ${decision.reason}${decision.rule ? ` (rule ${decision.rule})` : ''}.`;
}
