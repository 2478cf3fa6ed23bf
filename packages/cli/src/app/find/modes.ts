/** What each permission mode means, in a line. */
import { type PermissionMode, permissionModes } from '@tau/agent';
import type { SelectItem } from '@tau/tui';

export const modeMeanings: Readonly<Record<PermissionMode, string>> = {
  default: 'asks before every change and every command that is not proved to only read',
  acceptEdits: 'changes files of the project without asking, asks for commands',
  trustProject: 'also runs commands that stay in the project without asking',
  plan: 'only reads, and makes a plan',
  auto: 'runs what the sandbox contains, asks for what would leave it',
  dontAsk: 'never asks: what would ask is denied',
  dangerously: 'does everything without asking, but what a rule denies',
};

export function modeItems(): SelectItem<PermissionMode>[] {
  return permissionModes.map((mode) => ({ value: mode, label: mode, description: modeMeanings[mode] }));
}
