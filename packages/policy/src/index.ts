/** May this happen? Pure decisions over effects, rules, modes and path scope; no I/O. */
export { decide } from './decide.ts';
export { deniesBelow } from './denies-below.ts';
export type { PathScope } from './paths/scope.ts';
export type { RuleSet } from './rules/parse.ts';
export { parseRules } from './rules/parse.ts';
export { withPlaces } from './rules/places.ts';
export { suggestRules } from './rules/suggest.ts';
export { toolName } from './rules/tool-names.ts';
export { shellEffects } from './shell/effects.ts';
export { isTrustedPath } from './shell/trusted-path.ts';
