/** What users add to tau. */
export type { Verdict } from './hooks/combine.ts';
export { type FireOptions, fire } from './hooks/fire.ts';
export { deedOf, type Hook, type HookSource } from './hooks/hook.ts';
export { readHooks } from './hooks/read.ts';
export type { CommandEnd, CommandRequest, HookPorts, PostRequest } from './hooks/run-hook.ts';
export { loadExtensions, type Origin } from './registry.ts';
