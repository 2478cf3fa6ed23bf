/** The permission modes to choose from, each with what it means. */
import { type PermissionMode, permissionModes } from '@tau/agent';
import type { SelectItem } from '@tau/tui';
import { modeMeanings } from '../../commands/modes.ts';

export function modeItems(): SelectItem<PermissionMode>[] {
  return permissionModes.map((mode) => ({ value: mode, label: mode, description: modeMeanings[mode] }));
}
