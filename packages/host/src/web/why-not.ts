/** Why a connection failed, in words, from the system's code for it. */
import { describeError } from '@tau/core';

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host is known',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNREFUSED: 'nobody answers there',
  ECONNRESET: 'the connection was closed',
  ETIMEDOUT: 'there was no connection',
  ENETUNREACH: 'there is no way to its network',
  EHOSTUNREACH: 'there is no way to it',
};

export function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasons[code] ?? describeError(error);
}
