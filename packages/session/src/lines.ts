/** Between lines of text and the header and entries they hold. What cannot be read is reported, never guessed. */
import type { SessionEntry, SessionHeader } from '@tau/core';
import { isRecord, TauError } from '@tau/core';

export function readHeader(line: string, path: string): SessionHeader {
  const value = parseJson(line);
  if (!isRecord(value) || value.type !== 'session') throw noHeader(path);
  if (isHeader(value)) return value;
  const { version } = value;
  if (typeof version === 'number' && version > 3) {
    throw new TauError('session', `${path} is a session of version ${version}, newer than this tau reads`, {
      remedy: 'Update tau, or start a new session.',
    });
  }
  if (version === 3) throw noHeader(path);
  throw new TauError('session', `${path} is a session in an older format; tau reads version 3`, {
    remedy: 'Convert it with the program that wrote it, or start a new session.',
  });
}

/** The entry a line holds; nothing for a line that is damaged. */
export function readEntry(line: string): SessionEntry | undefined {
  const value = parseJson(line);
  return isEntry(value) ? value : undefined;
}

/** A line as it is written, its newline included. */
export function formatLine(value: SessionHeader | SessionEntry): string {
  try {
    return `${JSON.stringify(value)}\n`;
  } catch (cause) {
    throw new TauError('file', 'A session entry holds something that JSON cannot express', {
      remedy: 'This is a bug in the tool or extension that made it; please report it there.',
      cause,
    });
  }
}

export function noHeader(path: string): TauError {
  return new TauError('session', `${path} is not a session file: its first line is no session header`, {
    remedy: 'Choose another session, or start a new one.',
  });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is SessionHeader {
  return isRecord(value) && value.version === 3 && hasStrings(value, 'id', 'timestamp', 'cwd');
}

/** Types we do not know pass: they keep their place in the chain, and readers that switch on the type ignore them. */
function isEntry(value: unknown): value is SessionEntry {
  if (!isRecord(value) || !hasStrings(value, 'type', 'id', 'timestamp')) return false;
  if (value.parentId !== null && typeof value.parentId !== 'string') return false;
  switch (value.type) {
    case 'message':
      return isMessage(value.message);
    case 'model_change':
      return hasStrings(value, 'provider', 'modelId');
    case 'thinking_level_change':
      return hasStrings(value, 'thinkingLevel');
    case 'compaction':
      return hasStrings(value, 'summary', 'firstKeptEntryId');
    case 'branch_summary':
      return hasStrings(value, 'summary');
    case 'custom':
      return hasStrings(value, 'customType');
    case 'custom_message':
      return isContent(value.content);
    case 'label':
      return hasStrings(value, 'targetId') && isOptionalString(value.label);
    case 'session_info':
      return isOptionalString(value.name);
    default:
      return true;
  }
}

function isMessage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  switch (value.role) {
    case 'user':
      return isContent(value.content);
    case 'assistant':
      return isBlocks(value.content) && isRecord(value.usage) && hasStrings(value, 'api', 'provider', 'model');
    case 'toolResult':
      return isBlocks(value.content) && hasStrings(value, 'toolCallId');
    case 'bashExecution':
      return hasStrings(value, 'command', 'output');
    default:
      return typeof value.role === 'string';
  }
}

function isContent(value: unknown): boolean {
  return typeof value === 'string' || isBlocks(value);
}

function isBlocks(value: unknown): boolean {
  return Array.isArray(value) && value.every(isBlock);
}

/** Whole, as a provider needs it: a call that cannot be named cannot be answered. Types we do not know pass here too. */
function isBlock(value: unknown): boolean {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case 'text':
      return hasStrings(value, 'text');
    case 'thinking':
      return hasStrings(value, 'thinking');
    case 'image':
      return hasStrings(value, 'data', 'mimeType');
    case 'toolCall':
      return hasStrings(value, 'id', 'name') && isRecord(value.arguments);
    default:
      return hasStrings(value, 'type');
  }
}

function isOptionalString(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

function hasStrings(value: Record<string, unknown>, ...names: string[]): boolean {
  return names.every((name) => typeof value[name] === 'string');
}
