/** A scripted conversation with the built command: the two servers' requests read the same way, and cleaned up after. */
import {
  makeSandbox,
  type RecordedRequest,
  type Sandbox,
  type ScriptBlock,
  type ScriptedModel,
  type ScriptStep,
  startScriptedModel,
} from '@tau/testkit';
import { onTestFinished } from 'vitest';
import { at, list, textAt } from './json.ts';

export type Api = 'anthropic-messages' | 'openai-completions';
export const apis: readonly Api[] = ['anthropic-messages', 'openai-completions'];

export interface Conversation extends Sandbox {
  model: ScriptedModel;
}

type SandboxOptions = NonNullable<Parameters<typeof makeSandbox>[0]>;

/** A sandbox whose default model follows the script. Both are gone when the test is over. */
export async function converse(
  steps: ScriptStep[],
  options: Omit<SandboxOptions, 'model'> = {},
): Promise<Conversation> {
  const model = await startScriptedModel(steps);
  const sandbox = makeSandbox({ ...options, model });
  onTestFinished(async () => {
    sandbox.dispose();
    await model.close();
  });
  return { ...sandbox, model };
}

/** A sandbox without a model. */
export function bareSandbox(options: Omit<SandboxOptions, 'model'> = {}): Sandbox {
  const sandbox = makeSandbox(options);
  onTestFinished(() => sandbox.dispose());
  return sandbox;
}

export const says = (text: string): ScriptStep => ({ blocks: [{ text }] });
export const call = (name: string, input: Record<string, unknown>, id?: string): ScriptBlock =>
  id === undefined ? { call: name, input } : { call: name, input, id };
export const calls = (...blocks: ScriptBlock[]): ScriptStep => ({ blocks });

export function request(model: ScriptedModel, number: number): RecordedRequest {
  const found = model.requests[number];
  if (!found) throw new Error(`there was no request ${number}, only ${model.requests.length}`);
  return found;
}

export interface SeenResult {
  id: string;
  text: string;
}

/** Every tool result in a request, in order, whichever protocol it is in. */
export function resultsIn({ body }: RecordedRequest): SeenResult[] {
  return list(at(body, 'messages')).flatMap((message): SeenResult[] => {
    if (at(message, 'role') === 'tool') {
      return [{ id: textAt(message, 'tool_call_id'), text: textAt(message, 'content') }];
    }
    const content = at(message, 'content');
    const blocks = Array.isArray(content) ? content.filter((block) => at(block, 'type') === 'tool_result') : [];
    return blocks.map((block) => ({ id: textAt(block, 'tool_use_id'), text: textAt(block, 'content', 0, 'text') }));
  });
}

/** The ids of every call in a request, in order. */
export function callsIn({ body }: RecordedRequest): string[] {
  return list(at(body, 'messages')).flatMap((message) => {
    const content = at(message, 'content');
    const blocks = Array.isArray(content) ? content.filter((block) => at(block, 'type') === 'tool_use') : [];
    const wired = at(message, 'tool_calls');
    return [...blocks, ...(Array.isArray(wired) ? wired : [])].map((block) => textAt(block, 'id'));
  });
}

/** The plain text messages of a request as `role: text`. Calls and results are left out. */
export function talkIn({ body }: RecordedRequest): string[] {
  const lines: string[] = [];
  for (const message of list(at(body, 'messages'))) {
    const role = textAt(message, 'role');
    const content = at(message, 'content');
    const texts = Array.isArray(content) ? content.map((block) => at(block, 'text')) : [content];
    if (role === 'system' || role === 'tool') continue;
    for (const text of texts) if (typeof text === 'string') lines.push(`${role}: ${text}`);
  }
  return lines;
}

export function systemIn({ body }: RecordedRequest): string {
  const system = at(body, 'system');
  return typeof system === 'string' ? system : textAt(body, 'messages', 0, 'content');
}
