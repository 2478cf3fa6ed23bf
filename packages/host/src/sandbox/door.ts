/** What contains commands, as one part: it is loaded when a command is to be contained, or a sandbox to be tested. */
export { openNetwork } from './network/network.ts';
export { findSandbox, openSandbox } from './open.ts';
export { isListed, readHostPatterns } from './proxy/hosts.ts';
export { hostsOfRegistries, isRegistryName, registryOf } from './proxy/registries.ts';
