/** Rules of another agent's files in tau's own spelling, for whoever hands rules on without their files. */
import { literalGlob } from './glob.ts';
import type { PathPattern } from './path-pattern.ts';
import type { Rule } from './rule.ts';
import { isFileTool } from './tool-names.ts';

/** For rules that ask or deny. Commands, hosts and inputs are written alike. */
export function inOurWords({ text, tool, pattern }: Rule): string {
  if (pattern === undefined || !isFileTool(tool) || pattern.kind === 'input' || pattern.kind === 'domain') return text;
  return `${tool}(${spelled(pattern)})`;
}

function spelled({ kind, value, anywhere }: PathPattern): string {
  const path = kind === 'wildcard' ? value : literalGlob(value);
  // A name alone is meant at any depth here too; a folder only where that is said.
  if (anywhere) return kind === 'prefix' ? `**/${path}` : path;
  if (kind === 'prefix') return `${path}/**`;
  return path.includes('/') || path === '~' ? path : `./${path}`;
}
