/** A shell for the bash tool, on a machine without surprises. */
import { createShellReader, type ShellFacts, type ShellReader } from '@tau/policy';

export function shellIn(facts: Partial<ShellFacts> = {}): ShellReader {
  return createShellReader(() => ({ cwd: '/work', home: '/home/me', trustedPath: true, ...facts }));
}
