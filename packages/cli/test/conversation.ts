/** A scripted conversation with the built command: every protocol's requests read the same way, and cleaned up after. */
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

export type Api = 'anthropic-messages' | 'openai-completions' | 'openai-responses' | 'google-generative-ai';
export const apis: readonly Api[] = [
  'anthropic-messages',
  'openai-completions',
  'openai-responses',
  'google-generative-ai',
];

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

/** The id under which a session keeps a call of its first answer: Responses has another one for the item, by its place. */
export function keptId(api: Api, id: string, place: number): string {
  return api === 'openai-responses' ? `${id}|fc_scripted_0_${place}` : id;
}

export interface SeenResult {
  id: string;
  text: string;
}

/** Every tool result in a request, in order, whichever protocol it is in. */
export function resultsIn({ body }: RecordedRequest): SeenResult[] {
  const gemini = geminiParts(body);
  if (gemini) {
    return gemini.flatMap(({ part }) => {
      const response = at(part, 'functionResponse');
      if (response === undefined) return [];
      const told = at(response, 'response', 'error') === undefined ? 'output' : 'error';
      return [{ id: textAt(response, 'id'), text: textAt(response, 'response', told) }];
    });
  }
  const items = responsesItems(body, 'function_call_output');
  if (items) return items.map((item) => ({ id: textAt(item, 'call_id'), text: textAt(item, 'output') }));
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
  const gemini = geminiParts(body);
  if (gemini) return gemini.flatMap(({ part }) => at(part, 'functionCall') ?? []).map((made) => textAt(made, 'id'));
  const items = responsesItems(body, 'function_call');
  if (items) return items.map((item) => textAt(item, 'call_id'));
  return list(at(body, 'messages')).flatMap((message) => {
    const content = at(message, 'content');
    const blocks = Array.isArray(content) ? content.filter((block) => at(block, 'type') === 'tool_use') : [];
    const wired = at(message, 'tool_calls');
    return [...blocks, ...(Array.isArray(wired) ? wired : [])].map((block) => textAt(block, 'id'));
  });
}

/** The plain text messages of a request as `role: text`. Calls and results are left out. */
export function talkIn({ body }: RecordedRequest): string[] {
  const gemini = geminiParts(body);
  if (gemini) {
    const spoken = gemini.filter(({ part }) => typeof at(part, 'text') === 'string' && at(part, 'thought') !== true);
    return spoken.map(({ role, part }) => `${role === 'model' ? 'assistant' : role}: ${textAt(part, 'text')}`);
  }
  const lines: string[] = [];
  for (const message of responsesItems(body, 'message') ?? list(at(body, 'messages'))) {
    const role = textAt(message, 'role');
    const content = at(message, 'content');
    const texts = Array.isArray(content) ? content.map((block) => at(block, 'text')) : [content];
    if (role === 'system' || role === 'tool') continue;
    for (const text of texts) if (typeof text === 'string') lines.push(`${role}: ${text}`);
  }
  return lines;
}

export function systemIn({ body }: RecordedRequest): string {
  if (geminiParts(body)) return textAt(body, 'systemInstruction', 'parts', 0, 'text');
  const system = at(body, 'system') ?? at(body, 'instructions');
  if (Array.isArray(system)) return textAt(system, 0, 'text');
  return typeof system === 'string' ? system : textAt(body, 'messages', 0, 'content');
}

/** Every part of a Gemini request with the role it is in; undefined for other protocols. */
function geminiParts(body: unknown): { role: string; part: unknown }[] | undefined {
  const contents = at(body, 'contents');
  if (contents === undefined) return undefined;
  return list(contents).flatMap((content) =>
    list(at(content, 'parts')).map((part) => ({ role: textAt(content, 'role'), part })),
  );
}

/** The items of this type in a Responses request, where what has a role is a message; undefined for other protocols. */
function responsesItems(body: unknown, type: string): unknown[] | undefined {
  const input = at(body, 'input');
  if (input === undefined) return undefined;
  return list(input).filter((item) => (at(item, 'role') === undefined ? at(item, 'type') : 'message') === type);
}
