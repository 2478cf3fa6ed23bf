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

function violationText({ what, path, host, call, reason, happened, aside }: Violation): string {
  if (happened) {
    const now = aside === undefined ? 'look at it: it steers other programs' : `it is ${aside} now`;
    return `the sandbox could not refuse this, and it was made: ${path ?? ''}; ${now}`;
  }
  const act = call === undefined ? what : 'the system call';
  return `the sandbox refused: ${act} ${path ?? host ?? call ?? ''}${reason === undefined ? '' : ` (${reason})`}`;
}

const maxTold = 5;

/** The same for several of one command: who writes caches meets dozens of refusals. */
export function violationTeller(): (event: Violation) => string | undefined {
  const told = new Map<string, number>();
  return (event) => {
    const before = told.get(event.toolCallId) ?? 0;
    told.set(event.toolCallId, before + 1);
    if (before < maxTold) return violationText(event);
    return before === maxTold ? 'the sandbox refused more; all of it is in logs/permissions.jsonl' : undefined;
  };
}

/**
 * Said once, before the first command that runs although no sandbox holds it; not to who has switched it off for good in
 * the settings.
 */
export function uncontainedTeller({ sandbox, settings }: Agent, line: (text: string) => void) {
  let due = !sandbox.on && settings.sandbox?.enabled !== false;
  return (event: StampedEvent) => {
    if (!due || event.type !== 'tool_execution_start' || event.toolName !== 'bash') return;
    due = false;
    line(`the sandbox is off, because ${sandbox.reason ?? 'it was switched off'}: commands can do what you can`);
  };
}
