/** Why the permission mode is the one it is, where nobody has chosen it: it follows from trust and sandbox. */
import type { Agent } from '@tau/agent';

type Known = Pick<Agent, 'permissionMode' | 'settings' | 'sandbox' | 'trust'>;

/** `begun` is the mode the conversation began with, unless a flag said which. */
export function modeWhy(agent: Known, begun: string | undefined): string | undefined {
  const { permissionMode, settings, sandbox, trust } = agent;
  if (settings.permissionMode !== undefined || permissionMode !== begun) return undefined;
  if (permissionMode === 'auto') return 'trusted project, sandboxed commands';
  if (permissionMode !== 'default') return undefined;
  return sandbox.on ? (trust === 'trusted' ? undefined : 'project not trusted') : 'no sandbox here';
}
