/**
 * OpenAI Responses: a conversation as a list of items, answered by typed server-sent events. `compat.login` means the
 * backend behind a ChatGPT login: the key is its token, the model's headers name the account. `compat.strictTools` has
 * the vendor hold calls to their schemas, which then must be closed ones.
 */
import type { Protocol } from '../protocol.ts';
import { endpoint } from '../url.ts';
import { responsesDecoder } from './decode.ts';
import { responsesBody } from './encode.ts';

export const openaiResponses: Protocol = {
  encode(request, key) {
    return {
      url: endpoint(request.model.baseUrl, '/responses'),
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...request.model.headers,
      },
      body: JSON.stringify(responsesBody(request)),
    };
  },
  decoder: responsesDecoder,
};
