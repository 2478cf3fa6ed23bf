/** Reads the error bodies of vendors, which agree on little: where the words are, the sentence, the status, the wait. */
import { isRecord } from '@tau/core';
import { oneLine } from './text.ts';

export interface VendorError {
  message?: string;
  /** Machine-readable, the most precise first. */
  words: string[];
  /** Some put an HTTP status in `code`. */
  status?: number;
  retryAfterMs?: number;
}

export function readVendorError(body: string): VendorError {
  const error = errorIn(parse(body));
  if (!error) return { words: [] };
  const metadata = recordAt(error, 'metadata');
  // A broker passes on what the vendor behind it said, as text.
  const behind = typeof metadata?.raw === 'string' ? readVendorError(metadata.raw) : undefined;
  const details = Array.isArray(error.details) ? error.details.filter(isRecord) : [];
  const words = [
    ...details.map(({ reason }) => reason),
    recordAt(error, 'innererror')?.code,
    metadata?.error_type,
    metadata && 'flagged_input' in metadata ? 'content_filter' : undefined,
    ...(behind?.words ?? []),
    error.code,
    error.type,
    error.status,
  ].filter((word) => typeof word === 'string');
  const message = behind?.message ?? sentenceIn(error);
  const status = [error.code, error.status, error.status_code].map(asStatus).find((found) => found !== undefined);
  const retryAfterMs = waitIn(error, details);
  return {
    words,
    ...(message !== undefined && { message }),
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Whether a body tells of an error at all. */
export function tellsError(body: string): boolean {
  const parsed = parse(body);
  const outer = Array.isArray(parsed) ? parsed[0] : parsed;
  return (
    isRecord(outer) && (Boolean(outer.error) || outer.object === 'error' || outer.type === 'error' || isFlat(outer))
  );
}

function isFlat(value: Record<string, unknown>): boolean {
  return Object.keys(value).length <= 3 && (typeof value.message === 'string' || value.detail !== undefined);
}

/**
 * `{ error: {…} }`, a list of those, `{ response: { error } }`, `{ error: "text" }`, or the fields without a wrapping.
 */
function errorIn(parsed: unknown): Record<string, unknown> | undefined {
  const outer = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isRecord(outer)) return undefined;
  const inner = recordAt(outer, 'error') ?? recordAt(recordAt(outer, 'response'), 'error');
  if (inner) return inner;
  return typeof outer.error === 'string' ? { ...outer, message: outer.error } : outer;
}

/** FastAPI says `detail`, a text or a list of `{ loc, msg }`; one vendor nests that under `message`. */
function sentenceIn(error: Record<string, unknown>): string | undefined {
  for (const said of [error.message, error.detail, recordAt(error, 'message')?.detail]) {
    if (typeof said === 'string' && said.trim() !== '') return oneLine(said);
    if (Array.isArray(said)) {
      const parts = said.map((part) => (isRecord(part) ? part.msg : part)).filter((part) => typeof part === 'string');
      if (parts.length > 0) return oneLine(parts.join('; '));
    }
  }
  return undefined;
}

/** Google's RetryInfo (`"12s"`), and the seconds until a plan's limit is lifted. */
function waitIn(error: Record<string, unknown>, details: readonly Record<string, unknown>[]): number | undefined {
  const delay = details.map(({ retryDelay }) => retryDelay).find((value) => typeof value === 'string');
  const seconds = delay === undefined ? error.resets_in_seconds : Number(/^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1]);
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0
    ? Math.ceil(seconds * 1000)
    : undefined;
}

function asStatus(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 400 && number <= 599 ? number : undefined;
}

function recordAt(value: Record<string, unknown> | undefined, name: string): Record<string, unknown> | undefined {
  const found = value && Object.hasOwn(value, name) ? value[name] : undefined;
  return isRecord(found) ? found : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
