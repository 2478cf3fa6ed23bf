/** The narrowest rules for a call, to offer beside a question. */
import type { GateCall, ResolvedEffect } from '@tau/core';
import { isPathEffect, pathForms } from '../paths/scope.ts';
import { literalGlob } from './glob.ts';
import { isFileTool, isHostTool, toolName } from './tool-names.ts';

/** Nobody reads a longer line before saying "always". */
const longestLine = 300;

/**
 * The rules that together allow exactly this call: one, or two when its path leads elsewhere, because an allow needs
 * both forms. None when there is nothing to name, when a command is too long to be read as a rule, or when the name
 * belongs to a tool of somebody else and a rule would take it for one of ours. `cwd` is the project's real path. `inside`:
 * it runs in the sandbox, and a yes to that is none to running without one.
 */
export function suggestRules(
  call: GateCall,
  effects: readonly ResolvedEffect[],
  cwd: string,
  inside = false,
): string[] {
  const name = call.toolName;
  const tool = toolName(name);
  if (isHostTool(name)) return suggestHosts(effects, name);
  if (tool !== 'bash' && !isFileTool(tool)) return [name];
  if (tool !== name) return [];
  if (tool === 'bash') return linesOf(effects, inside ? 'contained' : 'bash');
  const paths = [...new Set(effects.flatMap((effect) => pathsOf(effect, cwd)))];
  // The root of the disk as a rule would be everything on it.
  return paths.includes('') ? [] : paths.map((path) => `${tool}(${literalGlob(path)})`);
}

/** The rules for the hosts of a call: for the tool that fetches, or for commands in the sandbox. */
export function suggestHosts(effects: readonly ResolvedEffect[], tool: 'web_fetch' | 'network'): string[] {
  return effects.flatMap((effect) => (effect.kind === 'net' ? [`${tool}(domain:${effect.host})`] : []));
}

function linesOf(effects: readonly ResolvedEffect[], tool: 'bash' | 'contained'): string[] {
  const lines = effects.flatMap((effect) => (effect.kind === 'exec' && !effect.outside ? [effect.command] : []));
  if (lines.some((line) => line.length > longestLine || /[\n\r]/.test(line))) return [];
  return [...new Set(lines)].map((line) => `${tool}(${line.replace(/[*?[\\]/g, '\\$&')})`);
}

function pathsOf(effect: ResolvedEffect, cwd: string): string[] {
  if (!isPathEffect(effect)) return [];
  // Where home is does not matter here: a path with a tilde never leads to where a rule reads it.
  const [written, resolved] = pathForms(effect, { roots: [cwd], home: '~' });
  const paths = resolved === undefined || resolved === written ? [effect.path] : [effect.path, resolved];
  // A slash at its end would make a folder of it.
  return paths.map((path) => path.replace(/\/+$/, ''));
}
