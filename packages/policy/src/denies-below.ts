/** Whether a search of a folder can meet a file that the model may not read, or not without asking. */
import { hasCredentialsBelow } from './paths/protected.ts';
import type { PathScope } from './paths/scope.ts';
import type { Rule } from './rules/parse.ts';

/** False is certain. A rule counts wherever it points: the rules of a user are few, and files are many. */
export function deniesBelow(folder: string, rules: readonly Rule[], scope: PathScope): boolean {
  const denied = rules.some(({ outcome, tool }) => outcome !== 'allow' && (tool === 'read' || tool === '*'));
  return denied || hasCredentialsBelow(folder, scope);
}
