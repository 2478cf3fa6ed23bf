/** May this happen? Pure decisions over effects, rules, modes and path scope; no I/O. */
export { decide } from './decide.ts';
export { deniesBelow } from './denies-below.ts';
export { credentialPlaces } from './paths/credentials.ts';
export { steeringPlaces } from './paths/protected.ts';
export type { PathScope } from './paths/scope.ts';
export { checkExamples, exampleLines } from './rules/examples.ts';
export { restricts, subjectOf } from './rules/match.ts';
export { parseRules } from './rules/parse.ts';
export { withPlaces } from './rules/places.ts';
export type { RuleSet } from './rules/rule.ts';
export { suggestRules } from './rules/suggest.ts';
export { toolName } from './rules/tool-names.ts';
export type { Analysis } from './shell/analysis.ts';
export { shellEffects } from './shell/effects.ts';
export type { ShellFacts } from './shell/invocation.ts';
export { createShellReader, type ShellReader } from './shell/reader.ts';
export { summarise } from './shell/summary.ts';
export { isTrustedPath } from './shell/trusted-path.ts';
