/** OpenAI Chat Completions, the protocol most local and third-party servers speak. */
import type { Protocol } from '../protocol.ts';
import { endpoint } from '../url.ts';
import { completionsDecoder } from './decode.ts';
import { completionsBody } from './encode.ts';

export const openaiCompletions: Protocol = {
  encode(request, key) {
    return {
      url: endpoint(request.model.baseUrl, '/chat/completions'),
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...request.model.headers,
      },
      body: JSON.stringify(completionsBody(request)),
    };
  },
  decoder: completionsDecoder,
};
