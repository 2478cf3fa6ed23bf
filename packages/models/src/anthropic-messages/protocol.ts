/** Anthropic Messages: https, `x-api-key`, typed server-sent events. */
import type { Protocol } from '../protocol.ts';
import { endpoint } from '../url.ts';
import { compatOf, compatProblems } from './compat.ts';
import { anthropicDecoder } from './decode.ts';
import { anthropicBody } from './encode.ts';
import { habitsOf } from './habits.ts';
import { betasOf, headersOf } from './headers.ts';

export const anthropicMessages: Protocol = {
  encode(request, key) {
    const { model } = request;
    const compat = compatOf(model);
    const habits = habitsOf(model, compat);
    const body = anthropicBody(request, habits, compat);
    return {
      url: endpoint(model.baseUrl.replace(/\/v1\/?$/, ''), '/v1/messages'),
      headers: headersOf(request, key, compat, betasOf(body, habits, key)),
      body: JSON.stringify(body),
    };
  },
  decoder: anthropicDecoder,
  compatProblems,
};
