/** Whether commands run in a sandbox, in a few words. */
import type { Agent, StampedEvent } from '@tau/agent';

export function sandboxText({ sandbox: { on, backend, reason }, permissionMode }: Agent): string {
  if (!on) return `off, because ${reason ?? 'it was switched off'}: a command that is allowed can do what you can`;
  const free = permissionMode === 'dangerously' ? ', which this mode does without unless --sandbox was given' : '';
  return `on, by ${backend}${free}`;
}

/** The mode, and why, where nobody has chosen it. */
export function modeText({ permissionMode, settings, sandbox, trust }: Agent): string {
  const usual = permissionMode === 'auto' && settings.permissionMode === undefined && sandbox.on && trust === 'trusted';
  return usual ? 'auto (the project is trusted, and commands run in a sandbox)' : permissionMode;
}

type Violation = Extract<StampedEvent, { type: 'sandbox_violation' }>;

export function violationText({ what, path, host, reason, happened, aside }: Violation): string {
  if (happened) {
    const now = aside === undefined ? 'look at it: it steers other programs' : `it is ${aside} now`;
    return `the sandbox could not refuse this, and it was made: ${path ?? ''}; ${now}`;
  }
  return `the sandbox refused: ${what} ${path ?? host ?? ''}${reason === undefined ? '' : ` (${reason})`}`;
}
