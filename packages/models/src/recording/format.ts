/**
 * The file of a recording: JSON lines, a head and then one exchange a line. Version 2 is written; version 1, which had
 * one api for all of it and knew neither requests nor ends, is read as well.
 */
import { isRecord, TauError } from '@tau/core';
import { failureKinds, type RecordedFailure } from './failure.ts';

const newest = 2;

/** How an exchange went out: `left` is a reader that had heard enough, `tooLarge` more than a recording takes. */
const endings = ['complete', 'failed', 'aborted', 'left', 'tooLarge'] as const;
export type Ending = (typeof endings)[number];

/** Who was asked. */
export interface RecordedModel {
  api: string;
  provider?: string;
  model?: string;
}

export interface Exchange extends RecordedModel {
  type: 'exchange';
  /** Which request of the run, from 1. Requests may overlap, and a line is written when its exchange is over. */
  number: number;
  /** How many messages the request carried, the system's not counted. */
  messages: number;
  /** The names of the tools it offered. Absent: not compared. */
  tools?: string[];
  /** Absent when no response came. */
  status?: number;
  end: Ending;
  /** Why it failed. */
  failure?: RecordedFailure;
  headers: Record<string, string>;
  /** The body is absent when it was too large. */
  request?: { path: string; body?: unknown };
  /** The response's body, piece by piece as it came. */
  body: string[];
}

export interface ParsedRecording {
  version: 1 | 2;
  /** In the order of their numbers. */
  exchanges: Exchange[];
  /** Of version 1, which has it even when there is no exchange. */
  api?: string;
}

export const headLine = `${JSON.stringify({ type: 'tau-recording', version: newest })}\n`;

export function exchangeLine(exchange: Exchange): string {
  return `${JSON.stringify(exchange)}\n`;
}

export function parseRecording(name: string, text: string): ParsedRecording {
  const [first = '', ...rest] = text.split('\n');
  const head = parseHead(name, first);
  const taken = new Set<number>();
  const exchanges: Exchange[] = [];
  for (const [at, line] of rest.entries()) {
    if (line.trim() === '') continue;
    const value = parseObject(line);
    if (!value) throw damaged(name, at + 2, 'it is not a JSON object');
    const exchange = head.version === 1 ? upgrade(value, head.api, exchanges.length + 1) : value;
    if (!isExchange(exchange)) throw damaged(name, at + 2, `${wrongField(exchange)} is missing or wrong`);
    if (taken.has(exchange.number)) throw damaged(name, at + 2, `there is a second exchange ${exchange.number}`);
    taken.add(exchange.number);
    exchanges.push(exchange);
  }
  return { ...head, exchanges: exchanges.sort((a, b) => a.number - b.number) };
}

function parseHead(name: string, line: string): { version: 1; api: string } | { version: 2 } {
  const head = parseObject(line);
  if (head?.type !== 'tau-recording') {
    throw new TauError('recording', `${name} is not a recording: line 1 is not the head of one`);
  }
  if (typeof head.version === 'number' && head.version > newest) {
    const why = `it has version ${head.version} of the format, and this tau reads versions up to ${newest}`;
    throw new TauError('recording', `${name} was recorded by a newer tau: ${why}`, { remedy: 'Update tau' });
  }
  if (head.version === 2) return { version: 2 };
  if (head.version !== 1) throw damaged(name, 1, 'version is missing or wrong');
  if (typeof head.api !== 'string') throw damaged(name, 1, 'api is missing or wrong');
  return { version: 1, api: head.api };
}

function upgrade(value: Record<string, unknown>, api: string, number: number): Record<string, unknown> {
  const { type, messages, status, body } = value;
  return { type, number, api, messages, status, end: 'complete', headers: {}, body };
}

function damaged(name: string, line: number, why: string): TauError {
  return new TauError('recording', `${name} is damaged: line ${line} cannot be used, ${why}`, {
    remedy: 'Mend that line or record it again',
  });
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const isRecordOf =
  (fields: Record<string, Check>): Check =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([key, check]) => check(value[key]));

const checks: Readonly<Record<keyof Exchange, Check>> = {
  type: (value) => value === 'exchange',
  number: (value) => isCount(value) && value !== 0,
  api: isText,
  provider: orAbsent(isText),
  model: orAbsent(isText),
  messages: isCount,
  tools: orAbsent(isTexts),
  status: orAbsent(isCount),
  end: (value) => endings.some((ending) => ending === value),
  failure: orAbsent(
    isRecordOf({
      kind: (value) => failureKinds.some((kind) => kind === value),
      code: orAbsent(isText),
      status: orAbsent(isCount),
      message: orAbsent(isText),
    }),
  ),
  headers: (value) => isRecord(value) && Object.values(value).every(isText),
  request: orAbsent(isRecordOf({ path: isText })),
  body: isTexts,
};

function wrongField(value: Record<string, unknown>): string | undefined {
  const wrong = Object.entries(checks).find(([key, check]) => !check(value[key]))?.[0];
  // What came to its end had a response.
  return wrong ?? (value.end === 'complete' && value.status === undefined ? 'status' : undefined);
}

function isExchange(value: unknown): value is Exchange {
  return isRecord(value) && wrongField(value) === undefined;
}
