/** May this happen? Pure decisions over effects, rules, modes and path scope; no I/O. */
export type { Policy } from './decide.ts';
export { decide } from './decide.ts';
export type { PathScope } from './paths/scope.ts';
export type { Rule, RuleSet } from './rules/parse.ts';
export { parseRules } from './rules/parse.ts';
export { suggestRule } from './rules/suggest.ts';
export { shellEffects } from './shell/effects.ts';
