/** Folders that go away, and entries to fill sessions with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssistantMessage, EntryBody, ToolCall } from '@tau/core';
import { emptyUsage, intentEntry, TauError, userMessage } from '@tau/core';
import { onTestFinished } from 'vitest';

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tau-session-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function said(text: string): EntryBody {
  return { type: 'message', message: userMessage(text, 1_700_000_000_000) };
}

export function answered(text: string, ...calls: ToolCall[]): EntryBody {
  const message: AssistantMessage = {
    role: 'assistant',
    content: [{ type: 'text', text }, ...calls],
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'm-1',
    usage: emptyUsage(),
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
    timestamp: 1_700_000_000_001,
  };
  return { type: 'message', message };
}

export function toolCall(id: string): ToolCall {
  return { type: 'toolCall', id, name: 'write', arguments: { path: 'a' } };
}

export function result(toolCallId: string, text = 'done'): EntryBody {
  const content = [{ type: 'text' as const, text }];
  return {
    type: 'message',
    message: {
      role: 'toolResult',
      toolCallId,
      toolName: 'write',
      content,
      isError: false,
      timestamp: 1_700_000_000_002,
    },
  };
}

export function intent(toolCallId: string): EntryBody {
  return { type: 'custom', customType: intentEntry, data: { toolCallId, toolName: 'write', effects: [] } };
}

export function pathOf(session: { path: string | undefined }): string {
  if (session.path === undefined) throw new Error('the session has no file');
  return session.path;
}

export function failure(run: () => unknown): TauError {
  try {
    run();
  } catch (error) {
    if (error instanceof TauError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
