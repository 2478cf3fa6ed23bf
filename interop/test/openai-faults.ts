/** How OpenAI's SDK names the errors of the vendor; the same for both of its protocols. */
import OpenAI from 'openai';
import type { Fault } from './oracle.ts';

const forbidden = { type: 'request_forbidden', code: 'unsupported_country_region_territory' };
const badRequest = { type: 'invalid_request_error', code: null };
const unwell = { type: 'server_error', code: null };

export const openaiFaults: readonly Fault[] = [
  { status: 400, recognised: OpenAI.BadRequestError, fields: badRequest, tau: 'badRequest' },
  { status: 401, recognised: OpenAI.AuthenticationError, fields: { code: 'invalid_api_key' }, tau: 'auth' },
  { status: 403, recognised: OpenAI.PermissionDeniedError, fields: forbidden, tau: 'auth' },
  { status: 404, recognised: OpenAI.NotFoundError, fields: { code: 'model_not_found' }, tau: 'badRequest' },
  { status: 422, recognised: OpenAI.UnprocessableEntityError, fields: badRequest, tau: 'badRequest' },
  { status: 429, recognised: OpenAI.RateLimitError, fields: { code: 'rate_limit_exceeded' }, tau: 'rateLimited' },
  { status: 500, recognised: OpenAI.InternalServerError, fields: unwell, tau: 'overloaded' },
  { status: 503, recognised: OpenAI.InternalServerError, fields: unwell, tau: 'overloaded' },
];
