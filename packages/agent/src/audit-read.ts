/** The end of the audit log, for whoever wants to know what was decided. Only the end of a long one is looked at. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { commandClasses, isRecord } from '@tau/core';
import type { AuditRecord } from './audit.ts';
import { findHome, type Home } from './config/home.ts';
import { realPath } from './config/layers.ts';
import { isBelow } from './place.ts';

export interface AuditChoice {
  env: NodeJS.ProcessEnv;
  limit?: number;
  /** Only what was decided in this folder or below it. */
  project?: string;
}

export interface AuditList {
  path: string;
  /** The oldest first. */
  records: AuditRecord[];
  /** Lines that are no records, among those that were looked at. */
  unreadable: number;
  /** There may be more, further back. */
  more: boolean;
}

const defaultLimit = 50;
const maxLimit = 10_000;
const maxReadBytes = 16 * 1024 * 1024;

export function auditPath({ logs }: Home): string {
  return join(logs, 'permissions.jsonl');
}

export function readAudit({ env, limit = defaultLimit, project }: AuditChoice): AuditList {
  const path = auditPath(findHome(env));
  const wanted = Math.min(Math.max(Math.floor(limit), 0), maxLimit);
  const folder = project === undefined ? undefined : realPath(project);
  const records: AuditRecord[] = [];
  let unreadable = 0;
  let more = false;
  // Of the newest file first, each from its end.
  for (const file of [path, `${path}.1`]) {
    const { lines, whole } = lastLines(file);
    more ||= !whole;
    for (const line of lines.reverse()) {
      const record = recordOf(line);
      if (record === undefined) unreadable += 1;
      else if (folder !== undefined && !isBelow(record.cwd, folder)) continue;
      else if (records.length < wanted) records.push(record);
      else return { path, records: records.reverse(), unreadable, more: true };
    }
  }
  return { path, records: records.reverse(), unreadable, more };
}

function lastLines(path: string): { lines: string[]; whole: boolean } {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { lines: [], whole: true };
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, maxReadBytes));
    const from = size - bytes.length;
    const read = readSync(file, bytes, 0, bytes.length, from);
    const lines = bytes.subarray(0, read).toString('utf8').split('\n');
    // What is cut at the beginning is no line of its own.
    if (from > 0) lines.shift();
    return { lines: lines.filter((line) => line !== ''), whole: from === 0 };
  } finally {
    closeSync(file);
  }
}

function recordOf(line: string): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isAuditRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Written by tau; a line that lost its shape is not shown as if it had one. */
function isAuditRecord(value: unknown): value is AuditRecord {
  if (!isRecord(value)) return false;
  const texts = ['timestamp', 'sessionId', 'cwd', 'tool', 'reason', 'what'];
  return (
    texts.every((name) => typeof value[name] === 'string') &&
    commandClasses.some((one) => one === value.class) &&
    ['allow', 'ask', 'deny'].some((one) => one === value.outcome) &&
    (value.rule === undefined || typeof value.rule === 'string') &&
    (value.answer === undefined || (isRecord(value.answer) && typeof value.answer.outcome === 'string'))
  );
}
