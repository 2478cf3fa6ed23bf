/** Rules that restrict a path, and the place it leads to as well: whoever names a link means what is behind it. */
import { absolutePath, type PathScope } from '../paths/scope.ts';
import type { Rule } from './parse.ts';
import { isFileTool } from './tool-names.ts';

/** `real` says where a path leads; who has a disk brings it. An allow needs nothing more: both forms must be named. */
export function withPlaces(rules: readonly Rule[], scope: PathScope, real: (path: string) => string): Rule[] {
  return rules.flatMap((rule) => {
    const { outcome, tool, pattern } = rule;
    if (outcome === 'allow' || pattern === undefined || !isFileTool(tool)) return [rule];
    const written = absolutePath(pattern.value, scope);
    const place = real(written);
    return place === written ? [rule] : [rule, { ...rule, pattern: { ...pattern, value: place } }];
  });
}
