/**
 * What a call will do, said before it does it. Policy, concurrency, checkpoints and the approval card are all
 * derived from effects; no tool carries a private flag for any of them.
 */

export type Effect =
  | { kind: 'read'; path: string }
  | { kind: 'write'; path: string }
  /** `readOnly` only when proved; an unproved command may do anything. */
  | { kind: 'exec'; command: string; readOnly: boolean }
  | { kind: 'net'; host: string }
  | { kind: 'spawn'; agent: string }
  | { kind: 'mcp'; server: string; tool: string }
  | { kind: 'config'; key: string }
  | { kind: 'other'; what: string };

/** An effect as written, plus where its path really leads: symlinks followed, nearest existing ancestor for new files. */
export type ResolvedEffect = Effect & { resolved?: string };

/** True when the effect only looks: nothing to undo, nothing to journal. */
export function isReadOnly(effect: Effect): boolean {
  return effect.kind === 'read' || (effect.kind === 'exec' && effect.readOnly);
}
