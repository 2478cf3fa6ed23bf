/** How OpenAI tells an error, in both of its protocols. */

export function errorBody(status: number, message: string): unknown {
  return { error: { message, param: null, ...errorKind(status) } };
}

function errorKind(status: number): { type: string; code: string | null } {
  switch (status) {
    case 401:
      return { type: 'invalid_request_error', code: 'invalid_api_key' };
    case 403:
      return { type: 'request_forbidden', code: 'unsupported_country_region_territory' };
    case 404:
      return { type: 'invalid_request_error', code: 'model_not_found' };
    case 429:
      return { type: 'requests', code: 'rate_limit_exceeded' };
    default:
      return { type: status >= 500 ? 'server_error' : 'invalid_request_error', code: null };
  }
}
