/**
 * How far a conversation had got when a request was made, whatever its protocol: how many messages it carries and which
 * tools it offers. That is what a replay compares, so a recording made in one folder plays in another.
 */
import { isRecord } from '@tau/core';

export interface Progress {
  messages: number;
  tools: string[];
}

export function progressOf(body: unknown): Progress {
  return { messages: messagesOf(body).filter((message) => !isSystem(message)).length, tools: toolNames(body) };
}

/** Every protocol has its own word for them. A string is one message. */
export function messagesOf(body: unknown): unknown[] {
  if (!isRecord(body)) return [];
  const messages = body.messages ?? body.input ?? body.contents ?? [];
  return Array.isArray(messages) ? messages : [messages];
}

/** The system prompt may be another one, or be gone; some protocols carry it as a message. */
function isSystem(message: unknown): boolean {
  return isRecord(message) && (message.role === 'system' || message.role === 'developer');
}

function toolNames(body: unknown): string[] {
  const tools = isRecord(body) && Array.isArray(body.tools) ? body.tools : [];
  return tools.flatMap(namesOf).sort();
}

function namesOf(tool: unknown): string[] {
  if (!isRecord(tool)) return [];
  if (Array.isArray(tool.functionDeclarations)) return tool.functionDeclarations.flatMap(namesOf);
  if (isRecord(tool.function)) return namesOf(tool.function);
  return typeof tool.name === 'string' ? [tool.name] : [];
}

/** The word that tells protocols apart: the last of the path. What comes before it is the server's own business. */
export function verbOf(path: string): string {
  return path.replace(/\?.*$/s, '').split(/[/:]/).at(-1) ?? '';
}

/** The request's JSON, or its text when it is none. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
