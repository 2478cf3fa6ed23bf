/** How commands are held in a sandbox, as the tools see it: whoever judged the call says what it may do. */
import type { SandboxViolation } from '@tau/core';
import type { SandboxPolicy, Violation } from '@tau/host';

export interface Containment {
  /** Commands run in a sandbox now, so that running one outside is something to ask for. */
  on(): boolean;
  /** Undefined: it runs as it is. Throws when it must not run at all. */
  hold(call: ContainedCall): Promise<Held | undefined>;
}

interface ContainedCall {
  toolCallId: string;
  command: string;
  outside: boolean;
}

export interface Held {
  policy: SandboxPolicy;
  report(violation: Violation): void;
  /** Who keeps the time hears when the user begins to be asked on the command's behalf, and when nothing is asked any more. */
  onAsking(listener: (asking: boolean) => void): void;
  /** What was refused until now, each thing once. */
  refused(): readonly SandboxViolation[];
  /** What the model can do about it. */
  wayOut: string;
  /** The command failed: words for the model when that was one time too many. */
  insisted(): readonly string[];
  /** The command and all it started are gone. */
  done(): void;
}

/** What the host is told of it. */
export function containedBy(held: Held | undefined) {
  return held ? { contain: held.policy, onViolation: held.report } : {};
}

const maxNamed = 5;

/**
 * A line for the model about what the sandbox refused, if it refused anything. Who succeeded did without it: caches that
 * could not be written, say.
 */
export function refusedLine(held: Held, succeeded = false): string | undefined {
  const all = held.refused();
  const kept = all.filter(({ happened }) => !happened);
  const made = all.filter(({ happened }) => happened);
  const after = () => (succeeded ? `${without} ${held.wayOut}` : [held.wayOut, ...held.insisted()].join(' '));
  const lines = [
    ...(kept.length > 0 ? [`The sandbox refused: ${listed(kept)}. ${after()}`] : []),
    ...(made.length > 0 ? [`${madeWords}: ${listed(made)}. ${undo}`] : []),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}

const without = 'The command succeeded all the same.';
const madeWords = 'The sandbox could not refuse this, and it was made';
const undo = 'It steers other programs: do not make it again without asking the user.';

function listed(violations: readonly SandboxViolation[]): string {
  const named = violations.slice(0, maxNamed).map(violationText);
  const more = violations.length > maxNamed ? [`${violations.length - maxNamed} more`] : [];
  return [...named, ...more].join('; ');
}

function violationText({ what, path, host, call, reason, aside }: SandboxViolation): string {
  const more = aside === undefined ? reason : `moved to ${aside}`;
  return `${call === undefined ? what : 'the system call'} ${path ?? host ?? call ?? ''}${more === undefined ? '' : ` (${more})`}`;
}
