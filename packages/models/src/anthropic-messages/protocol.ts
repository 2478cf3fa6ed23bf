/** Anthropic Messages: https, `x-api-key`, typed server-sent events. */
import type { Protocol } from '../protocol.ts';
import { endpoint } from '../url.ts';
import { anthropicDecoder } from './decode.ts';
import { anthropicBody } from './encode.ts';

export const anthropicMessages: Protocol = {
  encode(request, key) {
    return {
      url: endpoint(request.model.baseUrl.replace(/\/v1\/?$/, ''), '/v1/messages'),
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'anthropic-version': '2023-06-01',
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...request.model.headers,
      },
      body: JSON.stringify(anthropicBody(request)),
    };
  },
  decoder: anthropicDecoder,
};
