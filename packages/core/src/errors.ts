/**
 * Errors a person can act on: what failed, why, and what to do about it. Everything thrown on purpose in tau is a
 * `TauError`; a model's failure is data (`ModelError`), because a stream never throws after its first event.
 */

export type ErrorCode =
  | 'usage'
  | 'configuration'
  | 'credentials'
  | 'unknownModel'
  | 'session'
  | 'recording'
  | 'file'
  | 'process'
  | 'network';

export class TauError extends Error {
  readonly code: ErrorCode;
  /** What the reader can do now, as a sentence. */
  readonly remedy: string | undefined;

  constructor(code: ErrorCode, message: string, options: { remedy?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TauError';
    this.code = code;
    this.remedy = options.remedy;
  }
}

export type ModelErrorClass =
  | 'rateLimited'
  | 'overloaded'
  | 'network'
  | 'timeout'
  | 'auth'
  | 'badRequest'
  | 'contextOverflow'
  | 'outputLimit'
  | 'refused'
  | 'aborted'
  | 'unknown';

/** Made from a status and a body, never from a pattern over prose. */
export interface ModelError {
  class: ModelErrorClass;
  message: string;
  status?: number;
  /** How long the provider asks to be left alone. */
  retryAfterMs?: number;
  /** The same request will fail again, whatever its class suggests: an empty account is no passing limit. */
  final?: boolean;
}

/** One line for a person, whatever was thrown. */
export function describeError(error: unknown): string {
  if (error instanceof TauError) return error.remedy ? `${error.message}. ${error.remedy}` : error.message;
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return 'something that cannot be put into words was thrown';
  }
}
