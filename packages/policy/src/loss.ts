/** What could not be had again once an effect has happened. Judged by what is hit, not by how it is spelled. */
import type { ResolvedEffect } from '@tau/core';
import { isPathEffect, isWithin, type PathScope, pathForms, place } from './paths/scope.ts';

/** Why the effect is dangerous, or undefined. */
export function lossOf(effect: ResolvedEffect, scope: PathScope): string | undefined {
  if (!isPathEffect(effect) || effect.kind !== 'write' || effect.removes !== 'tree') return undefined;
  const forms = pathForms(effect, scope);
  const whole = [...scope.roots, scope.home, scope.tauHome].find((folder) =>
    forms.some((form) => isWithin(folder, form)),
  );
  if (whole !== undefined) return `it removes ${place(effect, scope)}, and ${whole} with it`;
  // A project may be kept in the temp folder, and is one all the same.
  const own = forms.some((form) => scope.roots.some((root) => isWithin(form, root)));
  const passing = !own && scope.temp.some((folder) => forms.every((form) => form !== folder && isWithin(form, folder)));
  if (effect.resolved !== undefined && (effect.recoverable === true || passing)) return undefined;
  return `it removes ${place(effect, scope)} with all that is in it, which cannot be had again`;
}
