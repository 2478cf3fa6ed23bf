/** Model providers behind one stream contract. */
export { findKey, keyVariables } from './credentials.ts';
export { findLocalServers } from './registry/local.ts';
export { chooseModel } from './registry/lookup.ts';
export { loadProviders } from './registry/models-file.ts';
export type { Provider } from './registry/provider.ts';
export { replay } from './replay.ts';
export { createStream } from './stream.ts';
export { httpTransport } from './transport.ts';
