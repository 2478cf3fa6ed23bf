/** What the user hides with `sandbox.unreadable`. A sandbox keeps it from commands; decisions keep it from everybody else. */
import type { PathScope } from './scope.ts';
import { foldPath, isWithin } from './scope.ts';

/** As in a sandbox the longer path wins: the project stays open in a home that is hidden. */
export function isHidden(path: string, { roots, writable = [], unreadable = [] }: PathScope): boolean {
  if (unreadable.length === 0) return false;
  const folded = foldPath(path);
  const open = [...roots, ...writable].map(foldPath).filter((folder) => isWithin(folded, folder));
  return unreadable.map(foldPath).some((place) => {
    return isWithin(folded, place) && !open.some((folder) => folder !== place && isWithin(folder, place));
  });
}

/** True when the folder holds something hidden, or is hidden itself. */
export function hasHiddenBelow(folder: string, scope: PathScope): boolean {
  const folded = foldPath(folder);
  return isHidden(folder, scope) || (scope.unreadable ?? []).some((place) => isWithin(foldPath(place), folded));
}
