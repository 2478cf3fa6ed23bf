/** Google's Gemini API: the model is in the path, the key in `x-goog-api-key` and never in the address. */
import { authHeaders } from '../auth-header.ts';
import type { Protocol } from '../protocol.ts';
import { endpoint } from '../url.ts';
import { compatOf, compatProblems } from './compat.ts';
import { googleDecoder } from './decode.ts';
import { googleBody } from './encode.ts';

export const googleGenerativeAi: Protocol = {
  encode(request, key) {
    const { model } = request;
    return {
      url: endpoint(model.baseUrl, `/${resourceOf(model.id)}:streamGenerateContent?alt=sse`),
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...authHeaders(key, compatOf(model).authHeader),
        ...model.headers,
      },
      body: JSON.stringify(googleBody(request)),
    };
  },
  decoder: googleDecoder,
  compatProblems,
};

/** `gemini-x`, `models/gemini-x` and `tunedModels/x` are all ways to name a model. The name itself stays one segment. */
function resourceOf(id: string): string {
  const [, collection = 'models', name = id] = /^(models|tunedModels)\/(.+)$/.exec(id) ?? [];
  return `${collection}/${encodeURIComponent(name)}`;
}
