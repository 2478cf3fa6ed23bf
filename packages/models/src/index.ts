/** Model providers behind one stream contract. What a plain run does not need is loaded when it is called for. */
import type { Recording } from './replay.ts';

export { findKey, keyVariables } from './credentials.ts';
export { loadProviders } from './registry/load.ts';
export { findLocalServers, type LocalServer } from './registry/local.ts';
export { chooseModel } from './registry/lookup.ts';
export type { Provider } from './registry/provider.ts';
export { createStream } from './stream.ts';
export { httpTransport, type Transport } from './transport.ts';

export async function openRecording(name: string, text: string): Promise<Recording> {
  const { replay } = await import('./replay.ts');
  return replay(name, text);
}
