/** The headers of a request: who asks, and which betas the body makes use of. */
import { isRecord, type ModelRequest } from '@tau/core';
import { authHeaders } from '../auth-header.ts';
import type { Compat } from './compat.ts';
import type { Habits } from './habits.ts';

export function headersOf(
  { model, cacheKey }: ModelRequest,
  key: string | undefined,
  compat: Compat,
  betas: readonly string[],
): Record<string, string> {
  const own = Object.entries(model.headers ?? {});
  const isBeta = ([name]: [string, string]) => name.toLowerCase() === 'anthropic-beta';
  const wanted = own.filter(isBeta).flatMap(([, value]) => value.split(',').map((beta) => beta.trim()));
  const all = new Set([...betas, ...compat.betas, ...wanted].filter((beta) => beta !== ''));
  return {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'anthropic-version': '2023-06-01',
    ...authHeaders(key, compat.authHeader ?? (isLogin(key) ? 'bearer' : 'x-api-key')),
    ...(compat.sendSessionAffinityHeaders && cacheKey !== undefined && { 'x-session-affinity': cacheKey }),
    ...Object.fromEntries(own.filter((header) => !isBeta(header))),
    ...(all.size > 0 && { 'anthropic-beta': [...all].join(',') }),
  };
}

/** The betas without which the body or the key would be refused, or thinking stop at the first call. */
export function betasOf(body: Record<string, unknown>, habits: Habits, key: string | undefined): string[] {
  const thinking = isRecord(body.thinking) ? body.thinking : {};
  const betas: string[] = [];
  if (isLogin(key)) betas.push('oauth-2025-04-20');
  if (thinking.type === 'enabled' && habits.needsInterleavedBeta && body.tools !== undefined) {
    betas.push('interleaved-thinking-2025-05-14');
  }
  if (thinking.block_binding !== undefined) betas.push('thinking-binding-controls-2026-08-01');
  return betas;
}

/** A token from a login is not an API key and goes another way. */
function isLogin(key: string | undefined): boolean {
  return key?.startsWith('sk-ant-oat') === true;
}
