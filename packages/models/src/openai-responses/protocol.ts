/** OpenAI Responses: a conversation as a list of items, answered by typed server-sent events. */
import { authHeaders } from '../auth-header.ts';
import type { Protocol } from '../protocol.ts';
import { endpoint } from '../url.ts';
import { compatOf, compatProblems } from './compat.ts';
import { responsesDecoder } from './decode.ts';
import { responsesBody } from './encode.ts';

export const openaiResponses: Protocol = {
  encode(request, key) {
    const { model } = request;
    const compat = compatOf(model);
    return {
      url: endpoint(model.baseUrl, '/responses'),
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...authHeaders(key, compat.authHeader),
        ...model.headers,
      },
      body: JSON.stringify(responsesBody(request, compat)),
    };
  },
  decoder: responsesDecoder,
  compatProblems,
};
