/** The badge of a call: the worst that its effects amount to. */
import type { CommandClass, ResolvedEffect } from '@tau/core';
import { lossOf } from './loss.ts';
import type { Subject } from './rules/match.ts';
import { worst } from './shell/summary.ts';

export function classOf({ effects, source, scope }: Subject): CommandClass {
  // A command has a class of its own, which knows more than the effects beside it.
  const classed = effects.filter((effect) => effect.kind === 'exec');
  const told = (classed.length > 0 ? classed : effects).map(effectClass);
  const found = effects.some((effect) => lossOf(effect, scope) !== undefined) ? [...told, 'dangerous' as const] : told;
  return worst(source === 'builtin' ? found : [...found, 'unknown']);
}

function effectClass(effect: ResolvedEffect): CommandClass {
  switch (effect.kind) {
    case 'read':
      return 'read-only';
    case 'write':
    case 'config':
      return 'write';
    case 'exec':
      return effect.class ?? (effect.readOnly ? 'read-only' : 'unknown');
    case 'net':
      return 'network';
    case 'spawn':
    case 'mcp':
    case 'other':
      return 'unknown';
  }
}
