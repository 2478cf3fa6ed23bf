/**
 * A conversation as Gemini's contents. Signatures go back on the part they came with, to the model that signed; results stand
 * alone in one content, in the order of their calls, because the API counts them against those.
 */
import {
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type Model,
  type ResultBlock,
  type ToolCall,
  type ToolResultMessage,
  textOf,
  toolCallsOf,
} from '@tau/core';
import { isNewCallId, wireName } from './call.ts';
import { thinksBy } from './thinking.ts';

/** What Google documents for calls that its model did not make: Gemini 3 refuses a call without any signature. */
const foreignSignature = 'skip_thought_signature_validator';

interface Part {
  text?: string;
  thought?: true;
  inlineData?: { mimeType: string; data: string };
  functionCall?: { id?: string; name: string; args: Record<string, unknown> };
  functionResponse?: { id?: string; name: string; response: Record<string, unknown> };
  thoughtSignature?: string;
}

interface Content {
  role: 'user' | 'model';
  parts: Part[];
}

export function wireContents(messages: readonly Message[], model: Model): Content[] {
  const wire: Content[] = [];
  const add = (role: Content['role'], parts: Part[]) => {
    if (parts.length > 0) wire.push({ role, parts });
  };
  let asked: AssistantMessage | undefined;
  let results: ToolResultMessage[] = [];
  const giveResults = () => {
    const calls = asked ? toolCallsOf(asked) : [];
    const answered = calls.flatMap((call) => {
      const result = results.find(({ toolCallId }) => toolCallId === call.id);
      return result ? [functionResponse(call, result, asked !== undefined && isOwn(asked, model))] : [];
    });
    add('user', answered);
    // Beside the results nothing may stand, so images follow by themselves.
    add('user', results.flatMap(imagesOf));
    results = [];
  };
  for (const message of messages) {
    if (message.role === 'toolResult') {
      results.push(message);
      continue;
    }
    giveResults();
    if (message.role === 'user') {
      add('user', userParts(message.content));
      continue;
    }
    const parts = modelParts(message, model);
    // A call must follow a word of the user. Two contents are not made one: what was sent stays as it was sent.
    if (parts.some((part) => part.functionCall) && wire.at(-1)?.role !== 'user') add('user', [{ text: 'Go on.' }]);
    add('model', parts);
    asked = message;
  }
  giveResults();
  return wire;
}

function isOwn(message: AssistantMessage, model: Model): boolean {
  return message.provider === model.provider && message.api === 'google-generative-ai';
}

function userParts(content: string | ResultBlock[]): Part[] {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return blocks.flatMap((block) => {
    if (block.type === 'image') return [imagePart(block)];
    return block.text === '' ? [] : [{ text: block.text }];
  });
}

function imagePart({ mimeType, data }: ImageBlock): Part {
  return { inlineData: { mimeType, data } };
}

function modelParts(message: AssistantMessage, model: Model): Part[] {
  const own = isOwn(message, model);
  // Another model's signatures are refused like invented ones.
  const seal = (signature: string | undefined) => (own && message.model === model.id ? signature : undefined);
  const [firstCall] = toolCallsOf(message);
  const parts: Part[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case 'text': {
        const signature = seal(block.textSignature);
        if (block.text !== '' || signature) parts.push({ text: block.text, ...signed(signature) });
        break;
      }
      case 'thinking': {
        const signature = seal(block.thinkingSignature);
        if (signature) parts.push({ text: block.thinking, thought: true, ...signed(signature) });
        break;
      }
      case 'toolCall': {
        // Of calls made together only the first is signed.
        const missing = block === firstCall && thinksBy(model) === 'level' ? foreignSignature : undefined;
        const functionCall = { ...wireId(block, own), name: wireName(block.name), args: block.arguments };
        parts.push({ functionCall, ...signed(seal(block.thoughtSignature) || missing) });
        break;
      }
    }
  }
  return parts.some((part) => part.functionCall || (part.text && !part.thought)) ? parts : [];
}

function signed(signature: string | undefined): Pick<Part, 'thoughtSignature'> {
  return signature ? { thoughtSignature: signature } : {};
}

/** Only an id that the API gave means something to it; without one it goes by name and order. */
function wireId({ id }: ToolCall, own: boolean): { id?: string } {
  return own && !isNewCallId(id) ? { id } : {};
}

function functionResponse(call: ToolCall, result: ToolResultMessage, own: boolean): Part {
  const text = textOf(result);
  const response = result.isError ? { error: text } : { output: text };
  return { functionResponse: { ...wireId(call, own), name: wireName(call.name), response } };
}

/** Not every model takes images inside a result, but all take them from the user. */
function imagesOf({ content, toolName }: ToolResultMessage): Part[] {
  const images = content.filter((block) => block.type === 'image').map(imagePart);
  return images.length > 0 ? [{ text: `From the tool ${toolName}:` }, ...images] : [];
}
