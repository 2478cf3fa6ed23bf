/** What users add to tau. */
export { loadExtensions, type Origin } from './registry.ts';
