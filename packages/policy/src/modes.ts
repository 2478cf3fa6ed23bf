/** What each mode says of an effect that no rule speaks about. */
import type { PermissionMode, ResolvedEffect } from '@tau/core';
import type { PathScope } from './paths/scope.ts';
import { isInside, place } from './paths/scope.ts';
import type { Verdict } from './verdict.ts';

export function judgeByMode(
  effect: Exclude<ResolvedEffect, { kind: 'config' | 'exec' }>,
  { mode, scope }: { mode: PermissionMode; scope: PathScope },
): Verdict {
  switch (effect.kind) {
    case 'read':
      return isInside(effect, scope, [...scope.roots, ...scope.temp, ...scope.toolchain])
        ? { outcome: 'allow', reason: `it reads ${place(effect, scope)}` }
        : { outcome: 'ask', reason: `it reads ${place(effect, scope)}, outside the project` };
    case 'write': {
      const verb = effect.removes === undefined ? 'writes' : 'removes';
      if (!isInside(effect, scope, [...scope.roots, ...scope.temp])) {
        return { outcome: 'ask', reason: `it ${verb} ${place(effect, scope)}, outside the project` };
      }
      return { outcome: writesInside(mode) ? 'allow' : 'ask', reason: `it ${verb} ${place(effect, scope)}` };
    }
    case 'spawn':
      return {
        outcome: mode === 'trustProject' || mode === 'acceptEdits' ? 'allow' : 'ask',
        reason: `it starts the agent ${effect.agent}`,
      };
    case 'net':
      return { outcome: 'ask', reason: `it connects to ${effect.host === '*' ? 'the network' : effect.host}` };
    case 'mcp':
      return { outcome: 'ask', reason: `it calls ${effect.tool} of the MCP server ${effect.server}` };
    case 'other':
      return { outcome: 'ask', reason: effect.what };
  }
}

function writesInside(mode: PermissionMode): boolean {
  return mode === 'acceptEdits' || mode === 'trustProject' || mode === 'auto';
}
