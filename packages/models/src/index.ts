/** Model providers behind one stream contract. */

export { createChain, type Link } from './chain.ts';
export { complete } from './complete.ts';
export { readAuthFile } from './credentials/auth-file.ts';
export { removeEntry, storeKey } from './credentials/auth-store.ts';
export { type Credentials, createCredentials } from './credentials/credentials.ts';
export { lockFile } from './credentials/lock.ts';
export type { KeyOwner } from './credentials/owner.ts';
export { scrub } from './credentials/scrub.ts';
export { hintOf, type KeySource, type KeySources } from './credentials/source.ts';
export { loadRecording, type Recording } from './recording/load.ts';
export { type FoundModel, findModel } from './registry/find.ts';
export { fillLocal, findLocalServers } from './registry/local.ts';
export { fullName, isGlob, matchAllWords, matchGlob } from './registry/match.ts';
export { loadProviders } from './registry/models-file.ts';
export { modelsOf } from './registry/models-of.ts';
export type { ModelFacts, Provider } from './registry/provider.ts';
export { defaultRetry, type RetryPolicy } from './retry.ts';
export { createAttempt } from './stream.ts';
export { checkNetwork, httpTransport, type Transport } from './transport.ts';
