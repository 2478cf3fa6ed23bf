/** The narrowest rules for a call, to offer beside a question. */
import type { GateCall, ResolvedEffect } from '@tau/core';
import { isPathEffect, pathForms } from '../paths/scope.ts';
import { isFileTool, toolName } from './tool-names.ts';

/**
 * The rules that together allow exactly this call: one, or two when its path leads elsewhere, because an allow needs
 * both forms. None when there is nothing to name, or when the name belongs to a tool of somebody else and a rule would
 * take it for one of ours. `cwd` is the project's real path.
 */
export function suggestRules(call: GateCall, effects: readonly ResolvedEffect[], cwd: string): string[] {
  const name = call.toolName;
  const tool = toolName(name);
  if (name === 'web_fetch') return hostsOf(effects).map((host) => `web_fetch(domain:${host})`);
  if (tool !== 'bash' && !isFileTool(tool)) return [name];
  if (tool !== name) return [];
  const found = effects.flatMap((effect) => (tool === 'bash' ? commandOf(effect) : pathsOf(effect, cwd)));
  return [...new Set(found)].map((text) => `${tool}(${literal(text)})`);
}

function hostsOf(effects: readonly ResolvedEffect[]): string[] {
  return effects.flatMap((effect) => (effect.kind === 'net' ? [effect.host] : []));
}

function commandOf(effect: ResolvedEffect): string[] {
  return effect.kind === 'exec' ? [effect.command] : [];
}

function pathsOf(effect: ResolvedEffect, cwd: string): string[] {
  if (!isPathEffect(effect)) return [];
  // Where home is does not matter here: a path with a tilde never leads to where a rule reads it.
  const [written, resolved] = pathForms(effect, { roots: [cwd], home: '~' });
  return resolved === undefined || resolved === written ? [effect.path] : [effect.path, resolved];
}

function literal(text: string): string {
  return text.replace(/[*?[\\]/g, '\\$&');
}
