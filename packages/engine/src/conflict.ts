/** Which calls may run together. Derived from effects alone. */
import type { ResolvedEffect } from '@tau/core';

export function conflicts(a: readonly ResolvedEffect[], b: readonly ResolvedEffect[]): boolean {
  if (a.length === 0 || b.length === 0) return false;
  if (a.some(mayTouchAnything) || b.some(mayTouchAnything)) return true;
  return writesInto(a, b) || writesInto(b, a);
}

function mayTouchAnything(effect: ResolvedEffect): boolean {
  switch (effect.kind) {
    case 'exec':
      return !effect.readOnly;
    case 'mcp':
    case 'config':
    case 'other':
      return true;
    case 'read':
    case 'write':
    case 'net':
    case 'spawn':
      return false;
  }
}

function writesInto(writer: readonly ResolvedEffect[], other: readonly ResolvedEffect[]): boolean {
  return writer.some(
    (effect) =>
      effect.kind === 'write' && other.some((theirs) => 'path' in theirs && overlap(place(effect), place(theirs))),
  );
}

function place(effect: ResolvedEffect & { path: string }): string {
  return effect.resolved ?? effect.path;
}

/** The same file, or one inside the other. */
function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(b.endsWith('/') ? b : `${b}/`) || b.startsWith(a.endsWith('/') ? a : `${a}/`);
}
