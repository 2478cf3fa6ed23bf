/** Plan mode as its tools see it: in, out, and back to the mode before. */
import type { PermissionMode } from '@tau/core';
import type { PlanMode } from '@tau/tools';
import type { Permission } from './permission.ts';

export function createPlan(permission: Permission, onEnter: () => void): PlanMode {
  // Whoever starts in plan mode and has a plan approved wants it carried out, asked about as usual.
  let before: PermissionMode = 'default';
  return {
    active: () => permission.mode() === 'plan',
    enter() {
      if (permission.mode() === 'plan') return;
      before = permission.mode();
      permission.setMode('plan');
      onEnter();
    },
    leave() {
      if (permission.mode() === 'plan') permission.setMode(before);
    },
  };
}
