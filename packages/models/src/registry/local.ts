/** Asks the servers that people run on their own machine whether they are there. Used only to give advice. */
import { endpoint } from '../url.ts';
import type { Provider } from './provider.ts';

export interface LocalServer {
  provider: string;
  baseUrl: string;
  /** `undefined`: nobody answered. */
  models: string[] | undefined;
}

export async function findLocalServers(providers: readonly Provider[]): Promise<LocalServer[]> {
  const local = providers.filter((provider) => provider.local && provider.unusable === undefined);
  const { get } = await import('node:http');
  return Promise.all(
    local.map(
      ({ name, baseUrl }) =>
        new Promise<LocalServer>((resolve) => {
          const done = (models?: string[]) => resolve({ provider: name, baseUrl, models });
          // One behind TLS is not on this machine.
          if (!baseUrl.startsWith('http:')) return done();
          const request = get(endpoint(baseUrl, '/models'), { timeout: 500 }, (response) => {
            let body = '';
            response.setEncoding('utf8');
            response.on('data', (text) => {
              body += text;
              if (body.length > 1_000_000) request.destroy();
            });
            response.on('end', () => done(response.statusCode === 200 ? modelIds(body) : undefined));
            response.on('error', () => done());
          });
          request.on('timeout', () => request.destroy());
          request.on('error', () => done());
        }),
    ),
  );
}

function modelIds(body: string): string[] | undefined {
  try {
    const parsed: { data?: unknown } = JSON.parse(body);
    if (!Array.isArray(parsed.data)) return undefined;
    return parsed.data.map((model) => model?.id).filter((id) => typeof id === 'string');
  } catch {
    return undefined;
  }
}
