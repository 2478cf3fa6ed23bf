/**
 * What a transport threw, as a recording keeps it and as a replay throws it again, so that it is told and retried as it
 * was. A recording names no host: a system's code says enough, and a message is kept only where there is none.
 */
import { describeError, isRecord } from '@tau/core';
import { ConnectTimeout, IdleTimeout, ProxyError } from '../transport/errors.ts';
import type { Clean } from './scrubbed.ts';

export const failureKinds = ['network', 'idle', 'connect', 'proxy'] as const;

export interface RecordedFailure {
  kind: (typeof failureKinds)[number];
  code?: string;
  /** What a proxy answered. */
  status?: number;
  message?: string;
}

export function recordedFailure(error: unknown, url: string, clean: Clean): RecordedFailure {
  const kind = kindOf(error);
  const code = isRecord(error) && typeof error.code === 'string' ? error.code : undefined;
  if (kind === 'network' && code !== undefined) return { kind, code };
  const status = error instanceof ProxyError ? error.status : undefined;
  const hosts = [URL.canParse(url) ? new URL(url).hostname : '', error instanceof ProxyError ? error.proxy : ''];
  let message = describeError(error)
    .slice(0, 300)
    .replace(/\bthe proxy at \S+/g, 'the proxy');
  for (const host of hosts) if (host !== '') message = message.replaceAll(host, 'the host');
  return {
    kind,
    ...(code !== undefined && { code }),
    ...(status !== undefined && { status }),
    message: clean(message),
  };
}

export function replayedFailure({ kind, code, status, message }: RecordedFailure): Error {
  const text = message ?? code ?? 'the connection failed';
  const failure = failureOf(kind, text, status);
  return Object.assign(failure, { message: text, ...(code !== undefined && { code }) });
}

function kindOf(error: unknown): RecordedFailure['kind'] {
  if (error instanceof IdleTimeout) return 'idle';
  if (error instanceof ConnectTimeout) return 'connect';
  return error instanceof ProxyError ? 'proxy' : 'network';
}

function failureOf(kind: RecordedFailure['kind'], message: string, status: number | undefined): Error {
  switch (kind) {
    case 'idle':
      return new IdleTimeout(0);
    case 'connect':
      return new ConnectTimeout(0);
    case 'proxy':
      return new ProxyError('of the recording', message, status === undefined ? {} : { status });
    case 'network':
      return new Error(message);
  }
}
