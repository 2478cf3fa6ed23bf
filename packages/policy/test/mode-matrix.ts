/** What each mode says of each kind of effect when no rule speaks: the matrix in docs/permissions.md is made from this. */
import type { Effect, Outcome, ToolSource } from '@tau/core';
import { modes, table } from './everyday.ts';

interface Case {
  /** For the page. */
  what: string;
  tool: string;
  source?: ToolSource;
  effect: Effect;
  /** In the order of `modes`: a is allow, ? is ask, d is deny. */
  outcomes: string;
}

const file = (path: string): Effect => ({ kind: 'write', path });

export const matrix: readonly Case[] = [
  {
    what: 'read in the project, temp folder, toolchain',
    tool: 'read',
    effect: { kind: 'read', path: 'src/app.ts' },
    outcomes: 'aaaaaaa',
  },
  { what: 'read elsewhere', tool: 'read', effect: { kind: 'read', path: '/srv/data' }, outcomes: '????dda' },
  { what: 'write in the project or temp folder', tool: 'write', effect: file('src/app.ts'), outcomes: '?aaadda' },
  { what: 'write elsewhere', tool: 'write', effect: file('/srv/data'), outcomes: '????dda' },
  { what: 'write what steers tools', tool: 'write', effect: file('.git/config'), outcomes: '????dda' },
  {
    what: 'be dangerous',
    tool: 'bash',
    effect: { kind: 'write', path: 'src', removes: 'tree' },
    outcomes: '????dda',
  },
  { what: 'connect', tool: 'web_fetch', effect: { kind: 'net', host: 'example.org' }, outcomes: '????dda' },
  {
    what: 'call an MCP server',
    tool: 'mcp__docs__search',
    source: 'mcp',
    effect: { kind: 'mcp', server: 'docs', tool: 'search' },
    outcomes: '????dda',
  },
  { what: 'start a sub-agent', tool: 'task', effect: { kind: 'spawn', agent: 'reviewer' }, outcomes: '?aa?dda' },
  { what: "change tau's settings", tool: 'config', effect: { kind: 'config', key: 'model' }, outcomes: '????dda' },
  {
    what: 'touch credentials',
    tool: 'read',
    effect: { kind: 'read', path: '/home/me/.ssh/id_rsa' },
    outcomes: 'ddddddd',
  },
];

const names: Readonly<Record<string, Outcome>> = { a: 'allow', '?': 'ask', d: 'deny' };

export function expected({ outcomes }: Case): Outcome[] {
  return [...outcomes].map((letter) => names[letter] ?? 'deny');
}

export function matrixTable(): string {
  const rows = matrix.map((one) => [one.what, ...expected(one)]);
  return table([['a call that would', ...modes.map((mode) => `\`${mode}\``)], ...rows]);
}
