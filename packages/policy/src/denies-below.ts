/** Whether a search of a folder can meet a file that the model may not read, or not without asking. */
import { hasCredentialsBelow } from './paths/credentials.ts';
import { hasHiddenBelow } from './paths/hidden.ts';
import type { PathScope } from './paths/scope.ts';
import type { Rule } from './rules/rule.ts';
import { namesTool } from './rules/tool-names.ts';

/** False is certain. A rule counts wherever it points: the rules of a user are few, and files are many. */
export function deniesBelow(folder: string, rules: readonly Rule[], scope: PathScope): boolean {
  const denied = rules.some(({ outcome, tool }) => outcome !== 'allow' && namesTool(tool, 'read'));
  return denied || hasCredentialsBelow(folder, scope) || hasHiddenBelow(folder, scope);
}
