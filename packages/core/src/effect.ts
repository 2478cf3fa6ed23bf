/**
 * What a call will do, said before it does it. Policy, concurrency, checkpoints and the approval card are all
 * derived from effects; no tool carries a private flag for any of them.
 */

export type Effect =
  /** `tree`: the text of everything below it, too. */
  | { kind: 'read'; path: string; tree?: boolean }
  /** `removes`: what is there is gone afterwards, a file or everything below a folder. */
  | { kind: 'write'; path: string; removes?: 'file' | 'tree' }
  /**
   * `readOnly` only when proved; an unproved command may do anything. `known`: all it does stands in the effects beside
   * it. `danger`: why it could do harm that nobody can take back. `outside`: it is to run outside the sandbox.
   */
  | {
      kind: 'exec';
      command: string;
      readOnly: boolean;
      class?: CommandClass;
      known?: boolean;
      danger?: string;
      outside?: boolean;
    }
  /** `*` is a host that nobody knows beforehand. */
  | { kind: 'net'; host: string }
  | { kind: 'spawn'; agent: string }
  | { kind: 'mcp'; server: string; tool: string }
  | { kind: 'config'; key: string }
  | { kind: 'other'; what: string };

/**
 * An effect as written, plus where its path really leads: symlinks followed, nearest existing ancestor for new files.
 * `recoverable`: what it removes can be had again, because git has it or a tool made it.
 */
export type ResolvedEffect = Effect & { resolved?: string; recoverable?: boolean };

/** What kind of thing a call does, from the mildest to the worst: the badge on its approval. */
export const commandClasses = [
  'read-only',
  'write',
  'git',
  'process-control',
  'package-manager',
  'network',
  'unknown',
  'dangerous',
] as const;
export type CommandClass = (typeof commandClasses)[number];

/** True when the effect only looks: nothing to undo, nothing to journal. */
export function isReadOnly(effect: Effect): boolean {
  return effect.kind === 'read' || (effect.kind === 'exec' && effect.readOnly);
}
