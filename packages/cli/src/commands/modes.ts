/** What each permission mode means, in a line. */
import type { PermissionMode } from '@tau/agent';

export const modeMeanings: Readonly<Record<PermissionMode, string>> = {
  default: 'asks before every change and every command that is not proved to only read',
  acceptEdits: 'changes files of the project without asking, asks for commands',
  trustProject: 'also runs commands that stay in the project without asking',
  plan: 'only reads, and makes a plan',
  auto: 'runs what the sandbox contains, asks for what would leave it',
  dontAsk: 'never asks: what would ask is denied',
  dangerously: 'does everything without asking, but what a rule denies',
};
