/** OpenAI Chat Completions, the protocol most local and third-party servers speak. */

import { authHeaders } from '../auth-header.ts';
import type { Protocol } from '../protocol.ts';
import { endpoint } from '../url.ts';
import { compatOf, compatProblems } from './compat.ts';
import { completionsDecoder } from './decode.ts';
import { completionsBody } from './encode.ts';

export const openaiCompletions: Protocol = {
  encode(request, key) {
    const { model, cacheKey } = request;
    const compat = compatOf(model);
    return {
      url: endpoint(model.baseUrl, '/chat/completions'),
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...authHeaders(key, compat.authHeader),
        ...(compat.sendSessionAffinityHeaders && affinity(cacheKey)),
        ...model.headers,
      },
      body: JSON.stringify(completionsBody(request, compat)),
    };
  },
  decoder: completionsDecoder,
  compatProblems,
};

/** Leads the turns of a conversation to the server that has their beginning in its cache. */
function affinity(cacheKey: string | undefined): Record<string, string> {
  if (cacheKey === undefined) return {};
  return { session_id: cacheKey, 'x-client-request-id': cacheKey, 'x-session-affinity': cacheKey };
}
