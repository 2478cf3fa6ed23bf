/** Rules that restrict a path, and the place it leads to as well: whoever names a link means what is behind it. */
import { absolutePath, type PathScope } from '../paths/scope.ts';
import { literalGlob, unescaped } from './glob.ts';
import { type PathPattern, splitPattern } from './path-pattern.ts';
import type { Rule } from './rule.ts';
import { isFileTool } from './tool-names.ts';

/** `real` says where a path leads; who has a disk brings it. An allow needs nothing more: both forms must be named. */
export function withPlaces(rules: readonly Rule[], scope: PathScope, real: (path: string) => string): Rule[] {
  return rules.flatMap((rule) => {
    const { outcome, tool, pattern } = rule;
    if (outcome === 'allow' || pattern === undefined || !isFileTool(tool)) return [rule];
    if (pattern.kind === 'input' || pattern.kind === 'domain') return [rule];
    const place = placeOf(pattern, scope, real);
    return place === undefined ? [rule] : [rule, { ...rule, pattern: place }];
  });
}

/** The pattern at the place it leads to, or undefined when that is where it is written. */
function placeOf(pattern: PathPattern, scope: PathScope, real: (path: string) => string): PathPattern | undefined {
  const { kind, value, anywhere } = pattern;
  if (kind === 'wildcard' && anywhere) return undefined;
  const { base, rest } = kind === 'wildcard' ? splitPattern(value) : { base: literalGlob(value), rest: '' };
  const folder = base === '' ? (value.startsWith('/') ? '/' : '.') : unescaped(base);
  const written = absolutePath(folder, scope);
  const place = real(written);
  if (place === written) return undefined;
  return kind === 'wildcard' ? { ...pattern, value: `${literalGlob(place)}/${rest}` } : { kind, value: place };
}
