/** What a decision is made by. */
import type { PermissionMode } from '@tau/core';
import type { PathScope } from './paths/scope.ts';
import type { Rule } from './rules/rule.ts';
import type { Analysis } from './shell/analysis.ts';

export interface Policy {
  mode: PermissionMode;
  rules: readonly Rule[];
  scope: PathScope;
  /** What a command line would do, see `ShellReader`. */
  analyse(line: string): Analysis;
  /** Commands run in a sandbox that holds them to the scope, and asks about each new host. */
  contained?: boolean;
  /** Why that sandbox lets no command reach a host, whatever is allowed. Absent: it lets them reach each that is. */
  unreachable?(host: string): string | undefined;
}
